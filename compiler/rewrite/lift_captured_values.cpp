// lift_captured_values: a scalar that the body of a reduce, sort or scatter reads from around it becomes one more operand, carried along.
//   before  reduce(%x init: %i) { … %s … }     after  reduce(%x init: %i), (broadcast %s init: %s) { … %a1 … }, dead result
//   keeps   every output bit for bit; constants are copied into the body instead
#include "compiler/ir/close_bodies.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"
#include "compiler/text/text.h"

namespace weft::rewrite {

ir::Graph lift_captured_values(const ir::Graph& graph, Context& context) {
  if (!ir::has_open_bodies(graph)) return graph;
  ir::Graph closed = graph;
  for (const ir::ClosedBody& body : ir::close_bodies(closed)) {
    Firing firing;
    firing.pass = "lift_captured_values";
    firing.rule = "lift";
    firing.where = {closed.location(closed.node(body.before).location)};
    firing.before = text::print_node(closed, body.before);
    firing.after = text::print_node(closed, body.after);
    context.ledger.record(std::move(firing));
  }
  // Without the nodes that were replaced.
  return Rebuild(closed, context, "lift_captured_values").run([](ir::NodeId) { return false; });
}

}  // namespace weft::rewrite
