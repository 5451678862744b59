// Walks from a stored value back to what is in memory, with the view under which each value is seen.
#include "compiler/fuse/attach_epilogues.h"

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/fuse/order.h"
#include "compiler/fuse/view.h"

namespace weft::fuse {
namespace {

constexpr std::size_t kNoGroup = SIZE_MAX;

class Attacher {
 public:
  Attacher(const ir::Graph& graph, ir::RegionId region, Values& values, Groups& groups)
      : graph_(graph),
        region_(region),
        values_(values),
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
      for (const Part& part : group.parts)
        if (part.output < 0) home_[part.into] = index;  // the last one: groups are in order
    }
    for (const Whole& whole : groups.wholes)
      for (ir::ValueId value : graph.node(whole.node).results) home_[value] = kNoGroup;
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
  bool is_given(ir::ValueId value) const { return fuse::is_given(graph_, value, region_); }
  bool in_memory(ir::ValueId value) const {
    return is_given(value) || !values_.in_memory[value].empty();
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
      if (own_result || is_given(read)) continue;
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
      if (current != value && (reduces_[current] || is_given(current) || is_barrier(current))) {
        reads.insert(current);
        continue;
      }
      for (ir::ValueId operand : graph_.node(graph_.value(current).node).operands) stack.push_back(operand);
    }
    return reads;
  }
  // Stored only because the program returns it: an epilogue may compute it again, or in the same place.
  bool is_barrier(ir::ValueId value) const {
    const ir::NodeId made = graph_.value(value).node;
    if (is_assembled(graph_, value) || (made != ir::kNone && is_call(graph_.node(made)))) return true;
    return !values_.in_memory[value].empty() && !is_result_reason(values_.in_memory[value]);
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
      if (value != root && (is_given(value) || is_barrier(value))) continue;
      const ir::Node& node = graph_.node(graph_.value(value).node);
      const auto push = [&](ir::ValueId operand, View seen_by) {
        stack.push_back({operand, views.intern(std::move(seen_by))});
      };
      if (is_affine_view(node.op)) {
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
    for (const Whole& whole : groups_.wholes)
      for (ir::ValueId operand : fuse::reads_of(graph_, graph_.node(whole.node))) mark(operand, read);
    for (const Group& group : groups_.groups)
      for (ir::NodeId node : group.reductions)
        for (ir::ValueId value : graph_.node(node).results)
          if (!read[value] && !is_result_reason(values_.in_memory[value])) values_.in_memory[value].clear();
  }
  void mark(ir::ValueId value, std::vector<bool>& read) const {
    if (reduces_[value]) read[value] = true;
    if (in_memory(value) && reduces_[value]) return;
    for (ir::ValueId each : reads_of_any(value)) read[each] = true;
  }
  std::set<ir::ValueId> reads_of_any(ir::ValueId value) const {
    if (is_given(value) || reduces_[value]) return {value};
    return reads_of(value);
  }

  const ir::Graph& graph_;
  ir::RegionId region_;
  Values& values_;
  Groups& groups_;
  std::vector<std::size_t> home_;  // the group that puts a value into memory
  std::vector<bool> reduces_;      // the value is the result of a reduction
};

}  // namespace

void attach_epilogues(const ir::Graph& graph, ir::RegionId region, Values& values, Groups& groups) {
  const bool reduces = std::any_of(groups.groups.begin(), groups.groups.end(),
                                   [](const Group& group) { return !group.reductions.empty(); });
  if (reduces) Attacher(graph, region, values, groups).run();
}

}  // namespace weft::fuse
