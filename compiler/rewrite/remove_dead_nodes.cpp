// remove_dead_nodes: what no result needs, and what has no effect outside, is dropped.
//   before  %1 = sine %0   %2 = cosine %0   return %2     after  %1 = cosine %0   return %1
//   keeps   every output bit for bit, every operation with a side effect
#include <algorithm>

#include <fmt/format.h>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

class Liveness {
 public:
  explicit Liveness(const ir::Graph& graph) : graph_(graph), live_(graph.node_count(), false) {
    for (ir::NodeId id = 0; id < graph.node_count(); ++id)
      if (has_side_effect(graph.node(id))) mark(id);
    for (const ir::Function& function : graph.functions) need_region(function.body);
    while (!pending_.empty()) {
      const ir::NodeId id = pending_.back();
      pending_.pop_back();
      const ir::Node& node = graph.node(id);
      for (ir::ValueId operand : node.operands) need(operand);
      for (ir::RegionId region : node.regions) need_region(region);
      // What is live inside a region keeps the operation around it.
      if (const ir::NodeId owner = graph.region(node.parent).parent; owner != ir::kNone) mark(owner);
    }
  }
  bool is_live(ir::NodeId id) const { return live_[id]; }

 private:
  static bool has_side_effect(const ir::Node& node) {
    if (node.op == ir::Op::call) return true;  // what the function does is not looked at
    return node.op == ir::Op::custom_call &&
           ir::attributes_of<ir::CustomCallAttributes>(node).has_side_effect;
  }
  void mark(ir::NodeId id) {
    if (live_[id]) return;
    live_[id] = true;
    pending_.push_back(id);
  }
  void need(ir::ValueId value) {
    if (graph_.value(value).node != ir::kNone) mark(graph_.value(value).node);
  }
  void need_region(ir::RegionId region) {
    for (ir::ValueId result : graph_.region(region).results) need(result);
  }

  const ir::Graph& graph_;
  std::vector<bool> live_;
  std::vector<ir::NodeId> pending_;
};

}  // namespace

ir::Graph remove_dead_nodes(const ir::Graph& graph, Context& context) {
  const Liveness liveness(graph);
  Rebuild rebuild(graph, context, "remove_dead_nodes");
  std::vector<ir::NodeId> dead;
  ir::Graph result = rebuild.run([&](ir::NodeId id) {
    if (liveness.is_live(id)) return false;
    dead.push_back(id);
    return true;
  });
  if (dead.empty()) return result;
  // One entry for all: they are what other rewrites left behind.
  Cost saved;
  for (ir::NodeId id : dead) {
    const Cost cost = cost_of(graph, id);
    saved.flops += cost.flops;
    saved.bytes += cost.bytes;
  }
  const std::string after = dead.size() == 1 ? "nothing" : fmt::format("nothing, like {} others", dead.size() - 1);
  dead.resize(std::min<std::size_t>(dead.size(), 32));  // enough lines for a reader
  rebuild.record("dead", dead, dead.front(), after, saved);
  return result;
}

}  // namespace weft::rewrite
