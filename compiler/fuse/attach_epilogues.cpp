// Walks from a stored value back to what is in memory, with the view under which each value is seen.
#include "compiler/fuse/attach_epilogues.h"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/fuse/view.h"

namespace weft::fuse {
namespace {

constexpr std::size_t kNoGroup = SIZE_MAX;

class Attacher {
 public:
  Attacher(const ir::Graph& graph, Groups& groups)
      : graph_(graph),
        groups_(groups),
        home_(graph.value_count(), kNoGroup),
        reduces_(graph.value_count(), false) {
    for (std::size_t index = 0; index < groups.groups.size(); ++index) {
      const Group& group = groups.groups[index];
      for (ir::NodeId node : group.reductions)
        for (ir::ValueId value : graph.node(node).results) {
          home_[value] = index;
          reduces_[value] = true;
        }
      for (ir::ValueId value : group.stores) home_[value] = index;
      for (const Part& part : group.parts) home_[part.into] = index;  // the last one: groups are in order
    }
  }

  void run() {
    for (std::size_t index = 0; index < groups_.groups.size(); ++index) {
      std::vector<ir::ValueId> kept;
      for (ir::ValueId value : groups_.groups[index].stores) {
        const std::size_t target = epilogue_home(value, index);
        if (target == kNoGroup) {
          kept.push_back(value);
          continue;
        }
        groups_.groups[target].epilogue.push_back(value);
        home_[value] = target;
      }
      groups_.groups[index].stores = std::move(kept);
    }
    drop_unread_results();
    std::erase_if(groups_.groups, [](const Group& group) {
      return group.reductions.empty() && group.stores.empty() && group.parts.empty() &&
             group.epilogue.empty();
    });
  }

 private:
  bool in_memory(ir::ValueId value) const {
    return is_leaf(graph_, value) || !groups_.in_memory[value].empty();
  }

  // The group of the reductions that the value is computed from, or none. Its values of the level below must
  // be results of that one group; everything else must be in memory before the group runs.
  std::size_t epilogue_home(ir::ValueId value, std::size_t own) {
    if (!groups_.groups[own].reductions.empty() || groups_.groups[own].level == 0) return kNoGroup;
    std::size_t target = kNoGroup;
    for (ir::ValueId read : reads_of(value)) {
      if (!reduces_[read] || groups_.groups[home_[read]].level + 1 != groups_.groups[own].level) continue;
      if (target != kNoGroup && target != home_[read]) return kNoGroup;
      target = home_[read];
    }
    if (target == kNoGroup || !sees_points_as_they_are(value, target)) return kNoGroup;
    for (ir::ValueId read : reads_of(value)) {
      const bool own_result = reduces_[read] && home_[read] == target;
      if (own_result || is_leaf(graph_, read)) continue;
      if (home_[read] == kNoGroup || groups_.groups[home_[read]].level >= groups_.groups[target].level)
        return kNoGroup;
    }
    return target;
  }

  // Values in memory that computing `value` reads.
  std::set<ir::ValueId> reads_of(ir::ValueId value) const {
    std::set<ir::ValueId> reads, seen;
    std::vector<ir::ValueId> stack{value};
    while (!stack.empty()) {
      const ir::ValueId current = stack.back();
      stack.pop_back();
      if (!seen.insert(current).second) continue;
      if (current != value && (reduces_[current] || is_leaf(graph_, current) || is_barrier(current))) {
        reads.insert(current);
        continue;
      }
      for (ir::ValueId operand : graph_.node(graph_.value(current).node).operands) stack.push_back(operand);
    }
    return reads;
  }
  // Stored only because the program returns it: an epilogue may compute it again, or in the same place.
  bool is_barrier(ir::ValueId value) const {
    if (is_assembled(graph_, value)) return true;
    return !groups_.in_memory[value].empty() && groups_.in_memory[value] != kProgramResult;
  }

  bool sees_points_as_they_are(ir::ValueId value, std::size_t target) const {
    const Group& group = groups_.groups[target];
    std::vector<std::int64_t> unreduced;
    for (int dim = 0; dim < group.domain.rank(); ++dim)
      if (std::find(group.reduced.begin(), group.reduced.end(), dim) == group.reduced.end())
        unreduced.push_back(group.domain[dim]);
    const Shape parallel{std::span<const std::int64_t>(unreduced)};
    const Shape& shape = graph_.type(value).shape;
    if (!reshape_is_affine(parallel, shape)) return false;
    const std::size_t axes = unreduced.size();
    View identity;
    for (std::size_t axis = 0; axis < axes; ++axis)
      identity.push_back(unreduced[axis] == 1 ? constant_index(axes, 0) : axis_index(axes, axis));
    return all_reads_are(value, view_through_reshape(shape, parallel, identity, axes), target, identity,
                         axes);
  }

  bool all_reads_are(ir::ValueId root, View root_view, std::size_t target, const View& identity,
                     std::size_t axes) const {
    ViewTable views;
    std::set<std::pair<ir::ValueId, ViewTable::Id>> seen;
    std::vector<std::pair<ir::ValueId, ViewTable::Id>> stack{{root, views.intern(std::move(root_view))}};
    while (!stack.empty()) {
      const auto [value, view_id] = stack.back();
      stack.pop_back();
      if (!seen.insert({value, view_id}).second) continue;
      const View view = views[view_id];
      if (reduces_[value] && home_[value] == target) {
        if (view != identity) return false;
        continue;
      }
      if (value != root && (is_leaf(graph_, value) || is_barrier(value))) continue;
      const ir::Node& node = graph_.node(graph_.value(value).node);
      const auto push = [&](ir::ValueId operand, View seen_by) {
        stack.push_back({operand, views.intern(std::move(seen_by))});
      };
      if (node.op == ir::Op::broadcast_in_dim || node.op == ir::Op::transpose || node.op == ir::Op::reverse ||
          node.op == ir::Op::slice) {
        push(node.operands[0], view_of_operand(graph_, node, view, axes));
      } else if (node.op == ir::Op::reshape) {
        const Shape& operand = graph_.type(node.operands[0]).shape;
        if (!reshape_is_affine(operand, graph_.type(value).shape)) continue;  // its operand is in memory
        push(node.operands[0], view_through_reshape(operand, graph_.type(value).shape, view, axes));
      } else if (node.op == ir::Op::dynamic_slice) {
        // Where it reads is only known when it runs: the operand must not depend on this group at all.
        const auto rank = static_cast<std::size_t>(graph_.type(node.operands[0]).shape.rank());
        push(node.operands[0], View(rank, constant_index(axes, -1)));
        for (std::size_t i = 1; i < node.operands.size(); ++i) push(node.operands[i], View{});
      } else if (node.op == ir::Op::gather) {
        return false;
      } else {
        for (ir::ValueId operand : node.operands)
          push(operand, graph_.type(operand).shape.rank() == 0 ? View{} : view);
      }
    }
    return true;
  }

  void drop_unread_results() {
    std::vector<bool> read(graph_.value_count(), false);
    for (const Group& group : groups_.groups) {
      for (ir::NodeId node : group.reductions)
        for (ir::ValueId operand : graph_.node(node).operands) mark(operand, read);
      for (ir::ValueId value : group.stores) mark(value, read);
      for (const Part& part : group.parts) {
        mark(part.value, read);
        for (ir::ValueId start : part.starts) mark(start, read);
      }
    }
    for (const HostCall& call : groups_.calls)
      for (ir::ValueId operand : graph_.node(call.node).operands) mark(operand, read);
    for (const Group& group : groups_.groups)
      for (ir::NodeId node : group.reductions)
        for (ir::ValueId value : graph_.node(node).results)
          if (!read[value] && groups_.in_memory[value] != kProgramResult) groups_.in_memory[value].clear();
  }
  void mark(ir::ValueId value, std::vector<bool>& read) const {
    if (reduces_[value]) read[value] = true;
    if (in_memory(value) && reduces_[value]) return;
    for (ir::ValueId each : reads_of_any(value)) read[each] = true;
  }
  std::set<ir::ValueId> reads_of_any(ir::ValueId value) const {
    if (is_leaf(graph_, value) || reduces_[value]) return {value};
    return reads_of(value);
  }

  const ir::Graph& graph_;
  Groups& groups_;
  std::vector<std::size_t> home_;  // the group that puts a value into memory
  std::vector<bool> reduces_;      // the value is the result of a reduction
};

}  // namespace

void attach_epilogues(const ir::Graph& graph, Groups& groups) { Attacher(graph, groups).run(); }

}  // namespace weft::fuse
