// lift_captured_values: a scalar that the body of a reduce or sort reads from around it becomes one more operand, carried along.
//   before  reduce(%x init: %i) { … %s … }     after  reduce(%x init: %i), (broadcast %s init: %s) { … %a1 … }, dead result
//   keeps   every output bit for bit; constants are copied into the body instead
#include <algorithm>

#include <weft/error.h>

#include "compiler/ir/captured.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

class Lift {
 public:
  Lift(Rebuild& rebuild, ir::NodeId id, std::vector<ir::ValueId> captured)
      : rebuild_(rebuild), from_(rebuild.from()), node_(from_.node(id)) {
    map_.assign(from_.value_count(), ir::kNone);
    for (ir::ValueId value : captured) {
      if (from_.type(value).shape.rank() != 0)
        throw CompileError("compile: the body of a " + std::string(ir::info_of(node_.op).name) + " reads " + from_.type(value).to_string() +
                           " from around it, where only scalars can be read");
      const ir::NodeId source = from_.value(value).node;
      (source != ir::kNone && from_.node(source).op == ir::Op::constant ? constants_ : carried_).push_back(value);
    }
  }

  void run() {
    const std::size_t own = node_.results.size();
    std::vector<ir::ValueId> operands = rebuild_.mapped(node_.operands), inits;
    const bool has_inits = node_.op == ir::Op::reduce;
    if (has_inits) inits.assign(operands.begin() + static_cast<std::ptrdiff_t>(own), operands.end());
    operands.resize(own);
    for (ir::ValueId value : carried_) {
      operands.push_back(rebuild_.here().broadcast_scalar(rebuild_.mapped(value), from_.type(node_.operands[0]).shape));
      if (has_inits) inits.push_back(rebuild_.mapped(value));
    }
    operands.insert(operands.end(), inits.begin(), inits.end());
    const ir::RegionId body = has_inits ? build_body() : build_comparator();
    const ir::NodeId now = rebuild_.here().node(node_.op, std::move(operands), node_.attributes, {}, {body});
    for (std::size_t i = 0; i < own; ++i) rebuild_.replace(node_.results[i], rebuild_.to().node(now).results[i]);
  }

 private:
  ir::RegionId build_body() {
    ir::Graph& to = rebuild_.to();
    const ir::RegionId region = to.add_region();
    const std::vector<ir::ValueId>& arguments = from_.region(node_.regions[0]).arguments;
    const std::size_t own = arguments.size() / 2;
    std::vector<ir::ValueId> passed_on;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < own; ++i)
        map_[arguments[side * own + i]] = to.add_argument(region, from_.type(arguments[side * own + i]));
      for (ir::ValueId value : carried_) {
        const ir::ValueId argument = to.add_argument(region, from_.type(value));
        if (side == 0) passed_on.push_back(map_[value] = argument);
      }
    }
    std::vector<ir::ValueId> results = inline_body(region);
    results.insert(results.end(), passed_on.begin(), passed_on.end());
    to.region(region).results = std::move(results);
    return region;
  }

  // Left and right element of each operand.
  ir::RegionId build_comparator() {
    ir::Graph& to = rebuild_.to();
    const ir::RegionId region = to.add_region();
    for (ir::ValueId argument : from_.region(node_.regions[0]).arguments)
      map_[argument] = to.add_argument(region, from_.type(argument));
    for (ir::ValueId value : carried_) {
      map_[value] = to.add_argument(region, from_.type(value));
      to.add_argument(region, from_.type(value));
    }
    to.region(region).results = inline_body(region);
    return region;
  }
  std::vector<ir::ValueId> inline_body(ir::RegionId region) {
    ir::Builder inside(rebuild_.to(), region);
    for (ir::ValueId value : constants_)
      map_[value] = inside.constant(ir::attributes_of<ir::ConstantAttributes>(from_.node(from_.value(value).node)).value);
    return ir::inline_region(inside, from_, node_.regions[0], map_);
  }

  Rebuild& rebuild_;
  const ir::Graph& from_;
  const ir::Node& node_;
  std::vector<ir::ValueId> constants_, carried_, map_;
};

}  // namespace

ir::Graph lift_captured_values(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "lift_captured_values");
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.op != ir::Op::reduce && node.op != ir::Op::sort) return false;
    std::vector<ir::ValueId> captured = ir::captured_values(graph, node.regions);
    if (captured.empty()) return false;
    Lift(rebuild, id, std::move(captured)).run();
    rebuild.record_replaced("lift", {id}, rebuild.mapped(node.results[0]), {});
    return true;
  });
}

}  // namespace weft::rewrite
