// reuse_selected_extreme: the least (greatest) element beside its place is what the reduction that finds the place
// compares: one reduction gives both.
//   before  %m = reduce minimum %x     %v, %i = reduce(%x, iota) by the smaller %x      after  %v, %i = the same; %m is %v
//   needs   merge_equal_nodes (one %x)
//   keeps   every output bit for bit, NaN payloads aside: it fires where no element is -0, which minimum puts before +0
#include <algorithm>
#include <unordered_map>

#include "compiler/ir/reductions.h"
#include "compiler/rewrite/known_values.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

using ir::Op;

constexpr std::size_t kMaxBodyNodes = 64;  // of a reduction whose body is looked at

// What both reductions are about: the extreme of a value over some dimensions.
struct Extreme {
  ir::ValueId value = ir::kNone;
  bool is_minimum = true;
  ir::Dims dimensions;
  bool operator==(const Extreme&) const = default;
};

bool is_identity(const ir::Graph& graph, ir::ValueId init, bool is_minimum) {
  const ir::Literal* literal = ir::constant_value(graph, init);
  if (!literal) return false;
  const auto kind = is_minimum ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
  return literal->materialized() == ir::identity_of(kind, literal->type.dtype).materialized();
}

// A reduction of one operand by minimum or maximum.
std::optional<Extreme> plain_extreme(const ir::Graph& graph, const ir::Node& node) {
  if (node.op != Op::reduce || node.results.size() != 1) return std::nullopt;
  const ir::Reducer reducer = ir::classify_reducer(graph, node.regions[0]);
  if (!reducer.components[0]) return std::nullopt;
  const bool is_minimum = *reducer.components[0] == ir::ReductionKind::minimum;
  if (!is_minimum && *reducer.components[0] != ir::ReductionKind::maximum) return std::nullopt;
  if (!is_identity(graph, node.operands[1], is_minimum)) return std::nullopt;
  return Extreme{node.operands[0], is_minimum, ir::attributes_of<ir::ReduceAttributes>(node).dimensions};
}

struct Selected {
  ir::NodeId reduce = ir::kNone;
  std::size_t key = 0;
  Extreme extreme;
};

// A reduction that picks the place of an extreme, and the extreme with it.
std::optional<Selected> selected_extreme(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  if (node.op != Op::reduce || node.results.size() < 2) return std::nullopt;
  if (graph.region(node.regions[0]).nodes.size() > kMaxBodyNodes) return std::nullopt;
  const auto selection = ir::classify_reducer(graph, node.regions[0]).selection;
  if (!selection || selection->nan == ir::Selection::Nan::other) return std::nullopt;
  if (!is_identity(graph, node.operands[node.results.size() + selection->key], selection->is_minimum))
    return std::nullopt;
  const ir::ValueId value = node.operands[selection->key];
  if (!is_never_minus_zero(graph, value)) return std::nullopt;
  return Selected{id, selection->key,
                  {value, selection->is_minimum, ir::attributes_of<ir::ReduceAttributes>(node).dimensions}};
}

class Reuse {
 public:
  Reuse(const ir::Graph& graph, Context& context) : graph_(graph), rebuild_(graph, context, "reuse_selected_extreme") {}

  ir::Graph run() {
    for (const ir::Function& function : graph_.functions)
      for (ir::NodeId id : graph_.region(function.body).nodes)
        if (auto selected = selected_extreme(graph_, id)) selected_.push_back(std::move(*selected));
    return rebuild_.run([&](ir::NodeId id) { return visit(id); });
  }

 private:
  bool visit(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    if (node.op != Op::reduce) return false;
    if (rebuild_.is_mapped(node.results[0])) return true;  // made early, for the sake of an extreme
    const Selected* partner = partner_of(id);
    if (!partner) return false;
    const ir::Node& reduce = graph_.node(partner->reduce);
    if (!rebuild_.is_mapped(reduce.results[0])) make_early(reduce);
    const ir::ValueId now = rebuild_.mapped(reduce.results[partner->key]);
    rebuild_.replace(node.results[0], now);
    rebuild_.record_replaced("extreme_of_selection", {id, partner->reduce}, now, cost_of(graph_, id));
    return true;
  }

  const Selected* partner_of(ir::NodeId id) {
    if (selected_.empty() || !rebuild_.is_in_function_body()) return nullptr;
    const auto extreme = plain_extreme(graph_, graph_.node(id));
    if (!extreme) return nullptr;
    const auto found = std::find_if(selected_.begin(), selected_.end(), [&](const Selected& each) {
      const ir::Node& reduce = graph_.node(each.reduce);
      return each.extreme == *extreme && reduce.parent == graph_.node(id).parent &&
             (rebuild_.is_mapped(reduce.results[0]) || can_be_made_early(reduce));
    });
    return found == selected_.end() ? nullptr : &*found;
  }

  // Operands that are not there yet must be made of nothing.
  bool can_be_made_early(const ir::Node& reduce) const {
    return std::all_of(reduce.operands.begin(), reduce.operands.end(), [&](ir::ValueId operand) {
      return rebuild_.is_mapped(operand) || graph_.node(graph_.value(operand).node).operands.empty();
    });
  }
  void make_early(const ir::Node& reduce) {
    std::vector<ir::ValueId> operands;
    for (ir::ValueId operand : reduce.operands) {
      if (rebuild_.is_mapped(operand)) {
        operands.push_back(rebuild_.mapped(operand));
      } else {
        const ir::Node& leaf = graph_.node(graph_.value(operand).node);
        operands.push_back(rebuild_.here().op(leaf.op, {}, leaf.attributes, {graph_.type(operand)}));
      }
    }
    ir::Graph& to = rebuild_.to();
    const ir::RegionId body = to.add_region();
    std::vector<ir::ValueId> map(graph_.value_count(), ir::kNone);
    for (ir::ValueId argument : graph_.region(reduce.regions[0]).arguments)
      map[argument] = to.add_argument(body, graph_.type(argument));
    ir::Builder inside(to, body);
    to.region(body).results = ir::inline_region(inside, graph_, reduce.regions[0], map);
    const ir::NodeId now = rebuild_.here().node(Op::reduce, std::move(operands), reduce.attributes, {}, {body});
    for (std::size_t i = 0; i < reduce.results.size(); ++i) rebuild_.replace(reduce.results[i], to.node(now).results[i]);
  }

  const ir::Graph& graph_;
  Rebuild rebuild_;
  std::vector<Selected> selected_;
};

}  // namespace

ir::Graph reuse_selected_extreme(const ir::Graph& graph, Context& context) { return Reuse(graph, context).run(); }

}  // namespace weft::rewrite
