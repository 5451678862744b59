// The graph is changed in place: a new node takes the place of the old one in its region, and its results all uses.
#include "compiler/ir/close_bodies.h"

#include <unordered_map>

#include <weft/error.h>

#include "compiler/ir/build.h"
#include "compiler/ir/captured.h"

namespace weft::ir {
namespace {

bool has_body(Op op) { return op == Op::reduce || op == Op::sort || op == Op::scatter; }

// What became of the results of nodes that were replaced.
using Replaced = std::unordered_map<ValueId, ValueId>;

class Closing {
 public:
  // `map` is scratch space for all bodies of the graph.
  Closing(Graph& graph, NodeId id, const std::vector<ValueId>& captured, const Replaced& replaced,
          std::vector<ValueId>& map)
      : graph_(graph), node_(graph.node(id)), place_(graph, node_.parent, node_.location), replaced_(replaced), map_(map) {
    map_.resize(graph.value_count(), kNone);
    for (ValueId value : captured) {
      if (graph.type(value).shape.rank() != 0) refuse(value);
      (constant_value(graph, value) ? constants_ : carried_).push_back(value);
    }
  }

  // The new node, at the end of the old one's region, behind the broadcasts that it reads.
  NodeId run() {
    const std::size_t own = node_.results.size();
    const auto begin = node_.operands.begin();
    const auto first_end = begin + static_cast<std::ptrdiff_t>(own);
    std::vector<ValueId> operands(begin, first_end);
    add_carried(operands, node_.operands[0]);
    if (node_.op == Op::reduce) {
      operands.insert(operands.end(), first_end, node_.operands.end());
      for (ValueId value : carried_) operands.push_back(now(value));
    } else if (node_.op == Op::scatter) {
      operands.insert(operands.end(), first_end, node_.operands.end());
      add_carried(operands, node_.operands[own + 1]);
    }
    const RegionId body = node_.op == Op::sort ? build_comparator() : build_body();
    return place_.node(node_.op, std::move(operands), node_.attributes, {}, {body});
  }

 private:
  [[noreturn]] void refuse(ValueId value) const {
    const SourceLine& where = graph_.location(node_.location);
    throw CompileError("compile: the body of a " + std::string(info_of(node_.op).name) + " reads " +
                           graph_.type(value).to_string() + " from around it, where only scalars can be read",
                       where.file, static_cast<int>(where.line), static_cast<int>(where.column));
  }
  ValueId now(ValueId value) const {
    const auto found = replaced_.find(value);
    return found == replaced_.end() ? value : found->second;
  }
  void add_carried(std::vector<ValueId>& operands, ValueId like) {
    const Shape shape = graph_.type(like).shape;
    for (ValueId value : carried_) operands.push_back(place_.broadcast_scalar(now(value), shape));
  }

  // Two sides of as many arguments as there are operands: what is carried passes through on the first.
  RegionId build_body() {
    const RegionId region = graph_.add_region();
    const std::vector<ValueId> arguments = graph_.region(node_.regions[0]).arguments;
    const std::size_t own = arguments.size() / 2;
    std::vector<ValueId> passed_on;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < own; ++i) bind(arguments[side * own + i], region);
      for (ValueId value : carried_) {
        if (side == 0)
          passed_on.push_back(bind(value, region));
        else
          graph_.add_argument(region, graph_.type(value));
      }
    }
    std::vector<ValueId> results = inline_body(region);
    results.insert(results.end(), passed_on.begin(), passed_on.end());
    graph_.region(region).results = std::move(results);
    return region;
  }

  // Left and right element of each operand in turn.
  RegionId build_comparator() {
    const RegionId region = graph_.add_region();
    const std::vector<ValueId> arguments = graph_.region(node_.regions[0]).arguments;
    for (ValueId argument : arguments) bind(argument, region);
    for (ValueId value : carried_) {
      bind(value, region);
      graph_.add_argument(region, graph_.type(value));
    }
    graph_.region(region).results = inline_body(region);
    return region;
  }

  ValueId bind(ValueId old, RegionId region) {
    const Type type = graph_.type(old);
    return map_[old] = graph_.add_argument(region, type);
  }
  std::vector<ValueId> inline_body(RegionId region) {
    Builder inside(graph_, region);
    for (ValueId value : constants_) map_[value] = inside.constant(*constant_value(graph_, value));
    return inline_region(inside, graph_, node_.regions[0], map_);  // what it reads stays where it is
  }

  Graph& graph_;
  const Node node_;
  Builder place_;
  const Replaced& replaced_;
  std::vector<ValueId>& map_;
  std::vector<ValueId> constants_, carried_;
};

}  // namespace

bool has_open_bodies(const Graph& graph) {
  std::vector<RegionId> regions;
  for (const Function& function : graph.functions) regions.push_back(function.body);
  return any_node_inside(graph, regions, [&](const Node& node) {
    return has_body(node.op) && !captured_values(graph, node.regions).empty();
  });
}

std::vector<ClosedBody> close_bodies(Graph& graph) {
  std::vector<ClosedBody> closed;
  Replaced replaced;
  std::vector<ValueId> map;
  const auto replace_in = [&](std::vector<ValueId>& values) {
    for (ValueId& value : values)
      if (const auto found = replaced.find(value); found != replaced.end()) value = found->second;
  };
  std::vector<RegionId> pending;
  for (const Function& function : graph.functions) pending.push_back(function.body);
  while (!pending.empty()) {
    const RegionId region = pending.back();
    pending.pop_back();
    const std::vector<NodeId> before = std::move(graph.region(region).nodes);
    graph.region(region).nodes.clear();
    for (NodeId id : before) {
      replace_in(graph.node(id).operands);
      const std::vector<ValueId> captured =
          has_body(graph.node(id).op) ? captured_values(graph, graph.node(id).regions) : std::vector<ValueId>();
      NodeId now = id;
      if (captured.empty()) {
        graph.region(region).nodes.push_back(id);
      } else {
        now = Closing(graph, id, captured, replaced, map).run();
        for (std::size_t i = 0; i < graph.node(id).results.size(); ++i)
          replaced[graph.node(id).results[i]] = graph.node(now).results[i];
        closed.push_back({id, now});
      }
      pending.insert(pending.end(), graph.node(now).regions.begin(), graph.node(now).regions.end());
    }
    replace_in(graph.region(region).results);
  }
  return closed;
}

}  // namespace weft::ir
