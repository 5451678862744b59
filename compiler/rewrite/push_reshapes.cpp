// push_reshapes: a reshape that regroups dimensions moves through elementwise operations to what is in memory
// anyway, where it costs nothing; left where it is, it would force its operand into memory.
//   before  %1 = sine %0 : 3x4   %2 = reshape %1 : 12        after  %1 = reshape %0 : 12   %2 = sine %1 : 12
//   needs   merge_equal_nodes (single readers)   keeps  every output bit for bit
#include <algorithm>
#include <queue>
#include <unordered_map>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

using ir::Op;

bool is_elementwise_like(Op op) {
  return ir::is_elementwise(op) || op == Op::compare || op == Op::select || op == Op::clamp ||
         op == Op::convert || op == Op::reduce_precision;
}

// Dimensions of extent 1 come and go for free.
bool regroups(const Shape& from, const Shape& to) {
  std::vector<std::int64_t> a, b;
  std::copy_if(from.begin(), from.end(), std::back_inserter(a), [](auto extent) { return extent != 1; });
  std::copy_if(to.begin(), to.end(), std::back_inserter(b), [](auto extent) { return extent != 1; });
  return a != b;
}

// What one reshape moves through.
struct Tree {
  std::vector<ir::NodeId> nodes;  // operands first; the last one is the reshape's operand
};

class Planner {
 public:
  explicit Planner(const ir::Graph& graph)
      : graph_(graph), readers_(graph.value_count()), is_result_(graph.value_count(), false) {
    std::vector<ir::RegionId> stack;
    for (const ir::Function& function : graph.functions) stack.push_back(function.body);
    while (!stack.empty()) {
      const ir::Region& region = graph.region(stack.back());
      stack.pop_back();
      for (ir::ValueId value : region.results) is_result_[value] = true;
      for (ir::NodeId id : region.nodes) {
        for (ir::ValueId operand : graph.node(id).operands) readers_[operand].push_back(id);
        stack.insert(stack.end(), graph.node(id).regions.begin(), graph.node(id).regions.end());
      }
    }
    order_.resize(graph.node_count(), 0);
    for (const ir::Function& function : graph.functions)
      for (std::size_t i = 0; i < graph.region(function.body).nodes.size(); ++i)
        order_[graph.region(function.body).nodes[i]] = i;
  }

  std::optional<Tree> tree_of(ir::NodeId reshape) const {
    const ir::Node& root = graph_.node(reshape);
    const ir::ValueId operand = root.operands[0];
    if (root.op != Op::reshape || !regroups(graph_.type(operand).shape, graph_.type(root.results[0]).shape))
      return std::nullopt;
    if (graph_.type(operand).size() == 0) return std::nullopt;
    // Readers come later in the region, so the latest node is looked at first.
    const auto earlier = [this](ir::NodeId a, ir::NodeId b) { return order_[a] < order_[b]; };
    std::priority_queue<ir::NodeId, std::vector<ir::NodeId>, decltype(earlier)> next(earlier);
    std::unordered_map<ir::NodeId, bool> inside{{reshape, true}};
    Tree tree;
    if (!look_at(operand, next)) return std::nullopt;
    while (!next.empty()) {
      const ir::NodeId id = next.top();
      next.pop();
      if (inside.contains(id)) continue;
      const ir::Node& node = graph_.node(id);
      inside[id] = is_read_only_inside(node, inside) && node.parent == root.parent;
      if (!inside[id]) {
        if (!is_free_to_reshape(node.results[0])) return std::nullopt;
        continue;
      }
      tree.nodes.push_back(id);
      for (std::size_t i = 0; i < node.operands.size(); ++i)
        if (!is_scalar_beside(node, i) && !look_at(node.operands[i], next)) return std::nullopt;
    }
    if (tree.nodes.empty()) return std::nullopt;
    std::reverse(tree.nodes.begin(), tree.nodes.end());
    return tree;
  }

  // The scalar predicate of a select, the scalar bounds of a clamp: they have no dimensions to regroup.
  bool is_scalar_beside(const ir::Node& node, std::size_t operand) const {
    return graph_.type(node.operands[operand]).shape.rank() == 0 &&
           graph_.type(node.results[0]).shape.rank() != 0;
  }

 private:
  template <class Queue>
  bool look_at(ir::ValueId value, Queue& next) const {
    const ir::NodeId id = graph_.value(value).node;
    if (id == ir::kNone || !is_elementwise_like(graph_.node(id).op)) return is_free_to_reshape(value);
    next.push(id);
    return true;
  }

  bool is_read_only_inside(const ir::Node& node, const std::unordered_map<ir::NodeId, bool>& inside) const {
    if (is_result_[node.results[0]]) return false;
    return std::all_of(readers_[node.results[0]].begin(), readers_[node.results[0]].end(),
                       [&](ir::NodeId reader) {
                         const auto found = inside.find(reader);
                         return found != inside.end() && found->second;
                       });
  }

  // In memory whatever happens, or a reshape or an element repeated: another reshape of it costs nothing.
  bool is_free_to_reshape(ir::ValueId value) const {
    const ir::NodeId id = graph_.value(value).node;
    if (id == ir::kNone || is_result_[value]) return true;
    const ir::Node& node = graph_.node(id);
    if (node.op == Op::broadcast_in_dim) return graph_.type(node.operands[0]).size() == 1;
    return node.op == Op::constant || node.op == Op::reshape || node.op == Op::reduce;
  }

  const ir::Graph& graph_;
  std::vector<std::vector<ir::NodeId>> readers_;
  std::vector<bool> is_result_;
  std::vector<std::size_t> order_;  // of the nodes of a function's body
};

// The tree again, on values of the reshape's shape.
class Pusher {
 public:
  Pusher(Rebuild& rebuild, const Planner& planner)
      : rebuild_(rebuild), graph_(rebuild.from()), planner_(planner) {}

  ir::ValueId push(const Tree& tree, const Shape& shape) {
    std::unordered_map<ir::ValueId, ir::ValueId> now;
    ir::ValueId last = ir::kNone;
    for (ir::NodeId id : tree.nodes) {
      const ir::Node& node = graph_.node(id);
      std::vector<ir::ValueId> operands;
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const ir::ValueId operand = node.operands[i];
        if (planner_.is_scalar_beside(node, i)) {
          operands.push_back(rebuild_.mapped(operand));
          continue;
        }
        const auto [place, is_new] = now.try_emplace(operand, ir::kNone);
        if (is_new) place->second = reshaped(operand, shape);
        operands.push_back(place->second);
      }
      rebuild_.here().set_location(rebuild_.to().add_location(graph_.location(node.location)));
      last = rebuild_.here().op(node.op, std::move(operands), node.attributes,
                                {{shape, graph_.type(node.results[0]).dtype}});
      now[node.results[0]] = last;
    }
    return last;
  }

 private:
  ir::ValueId reshaped(ir::ValueId old, const Shape& shape) {
    ir::Builder& here = rebuild_.here();
    const ir::NodeId id = graph_.value(old).node;
    const ir::Node* node = id == ir::kNone ? nullptr : &graph_.node(id);
    if (node && node->op == Op::broadcast_in_dim) {
      const ir::ValueId element = rebuild_.mapped(node->operands[0]);
      return here.broadcast_scalar(
          here.type(element).shape.rank() == 0 ? element : here.reshape(element, Shape{}), shape);
    }
    ir::ValueId source = rebuild_.mapped(old);
    const ir::NodeId made_by = rebuild_.to().value(source).node;
    if (made_by != ir::kNone && rebuild_.to().node(made_by).op == Op::reshape)
      source = rebuild_.to().node(made_by).operands[0];
    return here.type(source).shape == shape ? source : here.reshape(source, shape);
  }

  Rebuild& rebuild_;
  const ir::Graph& graph_;
  const Planner& planner_;
};

}  // namespace

ir::Graph push_reshapes(const ir::Graph& graph, Context& context) {
  const Planner planner(graph);
  std::unordered_map<ir::NodeId, Tree> trees;  // by their reshape
  std::vector<bool> is_moved(graph.node_count(), false);
  for (const ir::Function& function : graph.functions)
    for (ir::NodeId id : graph.region(function.body).nodes)
      if (graph.node(id).op == Op::reshape)
        if (auto tree = planner.tree_of(id)) {
          for (ir::NodeId node : tree->nodes) is_moved[node] = true;
          trees.emplace(id, std::move(*tree));
        }
  Rebuild rebuild(graph, context, "push_reshapes");
  Pusher pusher(rebuild, planner);
  return rebuild.run([&](ir::NodeId id) {
    if (is_moved[id]) return true;
    const auto tree = trees.find(id);
    if (tree == trees.end()) return false;
    const ir::ValueId result = graph.node(id).results[0];
    const ir::ValueId now = pusher.push(tree->second, graph.type(result).shape);
    rebuild.replace(result, now);
    rebuild.record_replaced("push_reshape", {id}, now, cost_of(graph, id));
    return true;
  });
}

}  // namespace weft::rewrite
