// Walks the readers of every operand that could be written over.
#include "compiler/fuse/in_place.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/fuse/order.h"

namespace weft::fuse {
namespace {

constexpr std::size_t kAtTheEnd = SIZE_MAX;  // where the region's results are read

class Finder {
 public:
  Finder(const ir::Graph& graph, ir::RegionId region, const std::vector<ir::NodeId>& order)
      : graph_(graph), region_(region), order_(order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      position_.emplace(order[i], i);
      for (ir::ValueId value : reads_of(graph, graph.node(order[i]))) readers_[value].push_back(i);
    }
    for (ir::ValueId value : graph.region(region).results) readers_[value].push_back(kAtTheEnd);
    find_carried_chains();
  }

  InPlace run() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const ir::Node& node = graph_.node(order_[i]);
      if (!may_update(graph_, node)) continue;
      for (std::size_t operand = 0; operand < updatable(node); ++operand)
        if (may_write_over(node, operand, i)) {
          result_.updates.push_back({node.results[operand], node.operands[operand]});
          keep_readers(node, operand, i);
        }
    }
    return std::move(result_);
  }

 private:
  static std::size_t updatable(const ir::Node& node) {
    if (node.op == ir::Op::dynamic_update_slice) return 1;
    if (node.op == ir::Op::scan)
      return static_cast<std::size_t>(ir::attributes_of<ir::ScanAttributes>(node).carries);
    return node.operands.size();
  }

  // The carried values of a loop's body whose last update is what the body gives back.
  void find_carried_chains() {
    const ir::Region& region = graph_.region(region_);
    if (region.parent == ir::kNone) return;
    const ir::Node& loop = graph_.node(region.parent);
    const bool is_body = loop.op == ir::Op::scan || (loop.op == ir::Op::while_ && region_ == loop.regions[1]);
    if (!is_body) return;
    const std::size_t first = loop.op == ir::Op::scan ? 1 : 0;
    for (std::size_t i = 0; i < updatable(loop); ++i) {
      ir::ValueId value = region.results[i];
      std::vector<ir::ValueId> chain;
      while (value != region.arguments[first + i]) {
        const ir::Value& made = graph_.value(value);
        if (made.node == ir::kNone || made.region != region_) break;
        const ir::Node& node = graph_.node(made.node);
        if (!may_update(graph_, node) || made.index >= updatable(node)) break;
        value = node.operands[made.index];
        chain.push_back(value);
      }
      if (value == region.arguments[first + i]) carried_.insert(chain.begin(), chain.end());
    }
  }

  bool may_write_over(const ir::Node& node, std::size_t number, std::size_t at) const {
    const ir::ValueId operand = node.operands[number];
    const ir::Value& value = graph_.value(operand);
    if (value.region != region_) return false;
    if (value.node == ir::kNone ? !carried_.contains(operand) : is_leaf(graph_, operand)) return false;
    if (value.node != ir::kNone && is_free(graph_, operand)) return false;  // written in place as it is
    std::size_t own = 0;
    for (std::size_t reader : readers_.at(operand)) {
      if (reader == at) ++own;
      if (reader > at) return false;
    }
    return own == 1;
  }

  bool is_barrier(ir::ValueId value) const {
    const ir::Value& made = graph_.value(value);
    if (made.region != region_ || is_leaf(graph_, value) || is_assembled(graph_, value)) return true;
    const ir::Node& node = graph_.node(made.node);
    return node.op == ir::Op::reduce || is_call(node) || kept_.contains(value);
  }

  void keep(ir::ValueId value) {
    if (kept_.insert(value).second) result_.kept.push_back(value);
  }

  // Whatever is computed from the operand and read later is stored before the operand is written over.
  void keep_readers(const ir::Node& node, std::size_t number, std::size_t at) {
    std::unordered_set<ir::ValueId> seen;
    std::vector<ir::ValueId> stack{node.operands[number]};
    while (!stack.empty()) {
      const ir::ValueId value = stack.back();
      stack.pop_back();
      for (std::size_t reader : readers_.at(value)) {
        if (reader >= at) continue;
        for (ir::ValueId result : graph_.node(order_[reader]).results) {
          if (is_barrier(result) || !seen.insert(result).second) continue;
          const auto readers = readers_.find(result);
          if (readers == readers_.end()) continue;
          const bool is_late = std::any_of(readers->second.begin(), readers->second.end(),
                                           [&](std::size_t later) { return later > at; });
          if (is_late)
            keep(result);
          else
            stack.push_back(result);
        }
      }
    }
    if (node.op != ir::Op::dynamic_update_slice) return;
    const ir::ValueId update = node.operands[1];
    if (!is_barrier(update) && !reads_only_what_it_replaces(node, update)) keep(update);
    for (std::size_t i = 2; i < node.operands.size(); ++i)
      if (!is_barrier(node.operands[i]) && depends_on(node.operands[i], node.operands[0])) keep(node.operands[i]);
  }

  bool depends_on(ir::ValueId value, ir::ValueId target) const {
    std::unordered_set<ir::ValueId> seen;
    std::vector<ir::ValueId> stack{value};
    while (!stack.empty()) {
      const ir::ValueId current = stack.back();
      stack.pop_back();
      if (current == target) return true;
      if (is_barrier(current) || !seen.insert(current).second) continue;
      const ir::Node& node = graph_.node(graph_.value(current).node);
      stack.insert(stack.end(), node.operands.begin(), node.operands.end());
    }
    return false;
  }

  // Elements keep their row-major order and number.
  bool keeps_points(const ir::Node& node, ir::ValueId operand) const {
    const ir::Type &from = graph_.type(operand), &to = graph_.type(node.results[0]);
    if (node.op == ir::Op::reshape) return reshape_is_affine(from.shape, to.shape);
    if (node.op == ir::Op::broadcast_in_dim) return from.size() == to.size() && is_ascending(node);
    return moves_nothing(node.op) && from.shape == to.shape;
  }
  static bool is_ascending(const ir::Node& node) {
    const ir::Dims& dims = ir::attributes_of<ir::BroadcastAttributes>(node).dimensions;
    return std::is_sorted(dims.begin(), dims.end());
  }
  static bool moves_nothing(ir::Op op) {
    return ir::is_elementwise(op) || op == ir::Op::compare || op == ir::Op::select || op == ir::Op::clamp ||
           op == ir::Op::convert || op == ir::Op::reduce_precision;
  }

  // Does `value` read, of the operand of an update, at each point only the element that is replaced there?
  bool reads_only_what_it_replaces(const ir::Node& node, ir::ValueId update) const {
    const ir::ValueId target = node.operands[0];
    std::unordered_set<ir::ValueId> seen;
    std::vector<ir::ValueId> stack{update};
    while (!stack.empty()) {
      const ir::ValueId current = stack.back();
      stack.pop_back();
      if (current == target) return false;
      if (is_barrier(current) || !seen.insert(current).second) continue;
      const ir::Node& made = graph_.node(graph_.value(current).node);
      if (is_box_that_is_replaced(made, node)) continue;
      for (ir::ValueId operand : made.operands) {
        if (keeps_points(made, operand))
          stack.push_back(operand);
        else if (depends_on(operand, target))
          return false;
      }
    }
    return true;
  }

  // dynamic_slice of the operand at the starts of the update.
  bool is_box_that_is_replaced(const ir::Node& made, const ir::Node& update) const {
    if (made.op != ir::Op::dynamic_slice || made.operands[0] != update.operands[0]) return false;
    if (graph_.type(made.results[0]).shape != graph_.type(update.operands[1]).shape) return false;
    for (std::size_t i = 1; i < made.operands.size(); ++i) {
      const ir::ValueId a = made.operands[i], b = update.operands[i + 1];
      if (a == b) continue;
      const ir::Literal *x = ir::constant_value(graph_, a), *y = ir::constant_value(graph_, b);
      if (!x || !y || !(*x == *y)) return false;
    }
    return true;
  }

  const ir::Graph& graph_;
  ir::RegionId region_;
  const std::vector<ir::NodeId>& order_;
  std::unordered_map<ir::NodeId, std::size_t> position_;
  std::unordered_map<ir::ValueId, std::vector<std::size_t>> readers_;
  std::unordered_set<ir::ValueId> carried_, kept_;
  InPlace result_;
};

}  // namespace

InPlace find_updates(const ir::Graph& graph, ir::RegionId region, const std::vector<ir::NodeId>& order) {
  return Finder(graph, region, order).run();
}

}  // namespace weft::fuse
