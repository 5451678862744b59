// Chooses the values that live in memory, then groups the passes that compute them.
#include "compiler/fuse/fuse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "compiler/fuse/attach_epilogues.h"
#include "compiler/fuse/in_place.h"
#include "compiler/fuse/order.h"
#include "compiler/fuse/parts.h"
#include "compiler/fuse/view.h"

namespace weft::fuse {

bool is_leaf(const ir::Graph& graph, ir::ValueId id) {
  const ir::Value& value = graph.value(id);
  if (value.node == ir::kNone) return true;
  const ir::Node& node = graph.node(value.node);
  if (node.op != ir::Op::constant) return false;
  const ir::Literal& literal = ir::attributes_of<ir::ConstantAttributes>(node).value;
  return !literal.is_splat && literal.type.size() != 1;
}

bool is_call(const ir::Node& node) { return node.op == ir::Op::custom_call || node.op == ir::Op::sort; }

bool is_given(const ir::Graph& graph, ir::ValueId value, ir::RegionId region) {
  return graph.value(value).region != region || is_leaf(graph, value);
}

bool is_free(const ir::Graph& graph, ir::ValueId value) {
  constexpr int kMostOperations = 6;
  std::vector<ir::ValueId> stack{value};
  for (int count = 0; !stack.empty(); ++count) {
    const ir::ValueId current = stack.back();
    stack.pop_back();
    if (graph.value(current).node == ir::kNone || is_leaf(graph, current) || count == kMostOperations)
      return false;
    const ir::Node& node = graph.node(graph.value(current).node);
    const bool moves = node.op == ir::Op::broadcast_in_dim || node.op == ir::Op::transpose ||
                       node.op == ir::Op::slice || node.op == ir::Op::reverse || node.op == ir::Op::convert ||
                       node.op == ir::Op::add || node.op == ir::Op::multiply;
    if (node.op == ir::Op::constant || node.op == ir::Op::iota) continue;
    if (!moves) return false;
    stack.insert(stack.end(), node.operands.begin(), node.operands.end());
  }
  return true;
}

bool is_result_reason(const std::string& reason) { return reason == kProgramResult || reason == kRegionResult; }

bool reshape_is_affine(const Shape& operand, const Shape& result) {
  std::vector<std::int64_t> a, b;
  std::copy_if(operand.begin(), operand.end(), std::back_inserter(a),
               [](auto extent) { return extent != 1; });
  std::copy_if(result.begin(), result.end(), std::back_inserter(b), [](auto extent) { return extent != 1; });
  return a == b;
}

namespace {

// A value whose recomputation in a second kernel costs more than this many operations is kept in memory
// instead.
constexpr std::int64_t kRecomputeLimit = 64;

// No index map leads from the result to a computed operand, or it would be computed more often than it has
// elements.
bool reads_whole_operand(const ir::Graph& graph, const ir::Node& node) {
  if (node.operands.empty() || node.results.empty()) return false;
  const auto& operand = graph.type(node.operands[0]);
  const auto& result = graph.type(node.results[0]);
  if (node.op == ir::Op::gather) return result.size() > operand.size();
  if (node.op == ir::Op::reshape) return !reshape_is_affine(operand.shape, result.shape);
  if (node.op == ir::Op::bitcast_convert) return size_of(operand.dtype) != size_of(result.dtype);
  return false;
}

class Fuser {
 public:
  Fuser(const ir::Graph& graph, ir::RegionId region, Values& values)
      : graph_(graph), region_(region), body_(graph.region(region)), values_(values) {}

  Groups run() {
    order_ = updates_last(graph_, region_);
    choose_memory();
    choose_outputs();
    for (int round = 0; round < 3; ++round) {
      compute_levels();
      form_groups();
      if (!keep_what_is_costly_to_repeat()) break;
    }
    order_groups();
    attach_epilogues(graph_, region_, values_, result_);
    return std::move(result_);
  }

 private:
  bool is_given(ir::ValueId value) const { return fuse::is_given(graph_, value, region_); }
  std::string& reason_of(ir::ValueId value) { return values_.in_memory[value]; }
  bool is_barrier(ir::ValueId value) const { return !is_given(value) && values_.is_barrier[value]; }
  int level_of(ir::ValueId value) const { return is_given(value) ? 0 : values_.level[value]; }

  // A barrier is in memory before any reader starts; another value in memory may also be computed again.
  void keep(ir::ValueId value, const char* reason, bool barrier) {
    if (is_given(value)) return;
    if (reason_of(value).empty() || is_result_reason(reason)) reason_of(value) = reason;
    values_.is_barrier[value] = values_.is_barrier[value] || barrier;
  }

  void choose_memory() {
    for (ir::NodeId id : order_) {
      const ir::Node& node = graph_.node(id);
      if (node.op == ir::Op::reduce) {
        for (ir::ValueId value : node.results) keep(value, "result of a reduction", true);
        keep_repeated_factors(node);
      }
      if (reads_whole_operand(graph_, node))
        keep(node.operands[0], "read at positions that are not affine", true);
      if (!node.results.empty() && is_assembled(graph_, node.results[0]))
        for (ir::ValueId value : node.results) keep(value, "put together from parts", true);
      if (is_call(node)) {
        for (ir::ValueId value : node.operands) keep(value, "read by a call", true);
        for (ir::ValueId value : node.results) keep(value, "result of a call", true);
      }
      if (ir::is_control_flow(node.op)) keep_what_is_read_inside(node);
    }
    const InPlace in_place = find_updates(graph_, region_, order_);
    for (const auto& [result, operand] : in_place.updates) {
      keep(operand, "updated in place", true);
      updated_.emplace(result, operand);
      is_written_over_.insert(operand);
    }
    for (ir::ValueId value : in_place.kept) keep(value, "read before its operand is updated", true);
    result_.updates = in_place.updates;
  }

  // Carried values start as parts of the loop's results; everything else is read as it lies.
  void keep_what_is_read_inside(const ir::Node& node) {
    const std::vector<ir::ValueId> reads = reads_of(graph_, node);
    for (std::size_t i = carries_of(node); i < reads.size(); ++i)
      if (!is_free(graph_, reads[i])) keep(reads[i], "read in a loop or branch", true);
  }
  static std::size_t carries_of(const ir::Node& node) {
    if (node.op == ir::Op::while_) return node.operands.size();
    if (node.op != ir::Op::scan) return 0;
    return static_cast<std::size_t>(ir::attributes_of<ir::ScanAttributes>(node).carries);
  }

  // A carried value is there already when it is the loop's argument, or what updates of that led to.
  bool is_carried_through(std::size_t index) const {
    if (body_.parent == ir::kNone) return false;
    const ir::Node& loop = graph_.node(body_.parent);
    const bool is_body = loop.op == ir::Op::scan || (loop.op == ir::Op::while_ && region_ == loop.regions[1]);
    if (!is_body || index >= carries_of(loop)) return false;
    ir::ValueId value = body_.results[index];
    for (auto next = updated_.find(value); next != updated_.end(); next = updated_.find(value))
      value = next->second;
    return value == body_.arguments[index + (loop.op == ir::Op::scan ? 1 : 0)];
  }
  bool is_stacked(std::size_t index) const {
    if (body_.parent == ir::kNone) return false;
    const ir::Node& loop = graph_.node(body_.parent);
    return loop.op == ir::Op::scan && index >= carries_of(loop);
  }

  void choose_outputs() {
    const bool is_function = body_.parent == ir::kNone;
    std::unordered_set<ir::ValueId> stored;
    for (std::size_t i = 0; i < body_.results.size(); ++i) {
      const ir::ValueId value = body_.results[i];
      if (is_function) {
        keep(value, kProgramResult, false);
        result_.outputs.push_back(Output::direct);
      } else if (is_carried_through(i)) {
        result_.outputs.push_back(Output::there);
      } else if (is_stacked(i) || is_given(value) || !stored.insert(value).second) {
        result_.outputs.push_back(Output::part);
      } else {
        keep(value, kRegionResult, false);
        result_.outputs.push_back(Output::direct);
      }
    }
  }

  // A factor of a sum of products that is broadcast or seen in windows would be computed at every reader.
  void keep_repeated_factors(const ir::Node& reduce) {
    const ir::NodeId folded = graph_.value(reduce.operands[0]).node;
    if (folded == ir::kNone || graph_.node(folded).op != ir::Op::multiply) return;
    for (ir::ValueId value : graph_.node(folded).operands) {
      bool repeats = false;
      while (graph_.value(value).node != ir::kNone) {
        const ir::Node& node = graph_.node(graph_.value(value).node);
        const bool moves = is_affine_view(node.op) || node.op == ir::Op::reshape;
        if (!moves && node.op != ir::Op::convert) break;
        repeats = repeats || graph_.type(value).size() > graph_.type(node.operands[0]).size();
        value = node.operands[0];
      }
      const ir::NodeId source = graph_.value(value).node;
      if (repeats && source != ir::kNone && ir::is_elementwise(graph_.node(source).op) &&
          graph_.type(value).size() > 1)
        keep(value, "a factor that is read more than once", true);
    }
  }

  // level: how many kernels must have run before the value can be computed.
  void compute_levels() {
    result_.wholes.clear();
    last_call_level_ = 0;
    last_read_.clear();
    written_over_by_.clear();
    for (ir::NodeId id : order_) {
      const ir::Node& node = graph_.node(id);
      int level = 0;
      std::int64_t cost = 1;
      const std::vector<ir::ValueId> reads = reads_of(graph_, node);
      for (ir::ValueId operand : reads) {
        level = std::max(level, level_of(operand) + (is_barrier(operand) ? 1 : 0));
        if (!is_given(operand) && !values_.is_barrier[operand])
          cost = std::min<std::int64_t>(cost + values_.cost[operand], 1'000'000);
      }
      note_reads_inside(node, reads);
      const bool is_whole = is_call(node) || ir::is_control_flow(node.op);
      if (carries_of(node) > 0) level = level + 1;  // its parts come first
      if (!node.results.empty() && is_assembled(graph_, node.results[0]) && is_written_twice(node)) ++level;
      for (ir::ValueId value : node.results) {
        const auto updated = updated_.find(value);
        if (updated != updated_.end()) level = std::max(level, last_read_[updated->second] + 1);
      }
      if (is_whole) level = add_whole(id, level);
      for (ir::ValueId value : node.results) {
        values_.level[value] = level;
        values_.cost[value] = is_leaf(graph_, value) ? 0 : cost;
      }
      note_reads_of_store(node, reads, level);
    }
  }

  // Which of the values that will be written over a value is computed from, when it is not in memory itself.
  using Targets = std::vector<ir::ValueId>;
  Targets targets_of(ir::ValueId value) const {
    if (is_written_over_.contains(value)) return {value};
    if (is_given(value) || values_.is_barrier[value]) return {};
    const auto found = written_over_by_.find(value);
    return found == written_over_by_.end() ? Targets{} : found->second;
  }
  void note_reads_inside(const ir::Node& node, const std::vector<ir::ValueId>& reads) {
    if (is_written_over_.empty()) return;
    Targets targets;
    for (ir::ValueId value : reads)
      for (ir::ValueId target : targets_of(value))
        if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    if (targets.empty()) return;
    for (ir::ValueId result : node.results) written_over_by_[result] = targets;
  }
  void note_reads_of_store(const ir::Node& node, const std::vector<ir::ValueId>& reads, int level) {
    if (is_written_over_.empty()) return;
    bool is_stored = node.results.empty();
    for (ir::ValueId value : node.results) is_stored = is_stored || !reason_of(value).empty();
    if (!is_stored) return;
    for (ir::ValueId value : reads)
      for (ir::ValueId target : targets_of(value)) {
        int& last = last_read_[target];
        last = std::max(last, level);
      }
  }

  bool is_written_twice(const ir::Node& node) const {
    if (ir::is_control_flow(node.op) || is_updated(node)) return false;
    const std::vector<PartInDomain> parts = parts_of(graph_, node);
    return std::any_of(parts.begin(), parts.end(), [](const PartInDomain& part) { return part.is_late; });
  }
  bool is_updated(const ir::Node& node) const { return updated_.contains(node.results[0]); }

  // What calls keeps its order; everything waits only for what it reads.
  int add_whole(ir::NodeId id, int level) {
    if (has_calls(graph_, graph_.node(id))) {
      level = std::max(level, last_call_level_);
      last_call_level_ = level;
    }
    result_.wholes.push_back({id, level});
    return level;
  }

  void form_groups() {
    result_.groups.clear();
    reduction_home_.clear();
    std::map<Key, std::size_t> open;
    for (ir::NodeId id : order_)
      if (graph_.node(id).op == ir::Op::reduce) add_reduction(id, open);
    for (ir::NodeId id : order_) {
      const ir::Node& node = graph_.node(id);
      if (node.op == ir::Op::reduce || is_call(node)) continue;
      if (ir::is_control_flow(node.op)) {
        add_carried_parts(node, open);
        continue;
      }
      if (!node.results.empty() && is_assembled(graph_, node.results[0])) {
        add_parts(node, open);
        continue;
      }
      for (ir::ValueId value : node.results)
        if (!is_leaf(graph_, value) && !reason_of(value).empty()) add_store(value, open);
    }
    for (std::size_t i = 0; i < result_.outputs.size(); ++i)
      if (result_.outputs[i] == Output::part) add_output_part(i, open);
  }

  struct Key {
    int level;
    std::vector<std::int64_t> domain;
    ir::Dims reduced;
    auto operator<=>(const Key&) const = default;
  };
  static std::vector<std::int64_t> extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

  std::size_t group_for(const Key& key, std::map<Key, std::size_t>& open) {
    const auto [position, added] = open.try_emplace(key, result_.groups.size());
    if (added) {
      Group group;
      group.domain = Shape(std::span<const std::int64_t>(key.domain));
      group.reduced = key.reduced;
      group.level = key.level;
      result_.groups.push_back(std::move(group));
    }
    return position->second;
  }

  void add_reduction(ir::NodeId id, std::map<Key, std::size_t>& open) {
    const ir::Node& node = graph_.node(id);
    const auto& attributes = ir::attributes_of<ir::ReduceAttributes>(node);
    const Key key{values_.level[node.results[0]], extents(graph_.type(node.operands[0]).shape),
                  attributes.dimensions};
    const std::size_t home = group_for(key, open);
    result_.groups[home].reductions.push_back(id);
    reduction_home_.try_emplace({key.level, key.domain}, home);
  }

  // What is stored joins a reduction over the same domain at its level, else the other stores of that domain.
  std::size_t home_of_store(const std::vector<std::int64_t>& domain, int level,
                            std::map<Key, std::size_t>& open) {
    const auto reduction = reduction_home_.find({level, domain});
    if (reduction != reduction_home_.end()) return reduction->second;
    return group_for(Key{level, domain, {}}, open);
  }

  void add_store(ir::ValueId value, std::map<Key, std::size_t>& open) {
    const std::size_t home = home_of_store(extents(graph_.type(value).shape), values_.level[value], open);
    result_.groups[home].stores.push_back(value);
  }

  void add_parts(const ir::Node& node, std::map<Key, std::size_t>& open) {
    const std::vector<PartInDomain> parts = parts_of(graph_, node);
    const bool is_twice = is_written_twice(node);
    for (const PartInDomain& each : parts) {
      if (is_updated(node) && !each.is_late) continue;  // it is there
      const int level = values_.level[node.results[0]] - (is_twice && !each.is_late ? 1 : 0);
      result_.groups[home_of_store(extents(each.domain), level, open)].parts.push_back(each.part);
    }
  }

  void add_whole_part(ir::ValueId value, ir::ValueId into, std::int32_t output, int level,
                      std::map<Key, std::size_t>& open) {
    const Shape& shape = graph_.type(value).shape;
    const auto rank = static_cast<std::size_t>(shape.rank());
    Part part{value, into, ir::Dims(rank, 0), ir::Dims(rank, 0), ir::Dims(rank, 1), {}, output};
    result_.groups[home_of_store(extents(shape), level, open)].parts.push_back(std::move(part));
  }

  // What a loop starts from is written to where it carries its values, unless it is there.
  void add_carried_parts(const ir::Node& node, std::map<Key, std::size_t>& open) {
    for (std::size_t i = 0; i < carries_of(node); ++i)
      if (!updated_.contains(node.results[i]))
        add_whole_part(node.operands[i], node.results[i], -1, values_.level[node.results[i]] - 1, open);
  }

  // After everything else has been read: a carried value may be an argument that changes place.
  void add_output_part(std::size_t index, std::map<Key, std::size_t>& open) {
    const ir::ValueId value = body_.results[index];
    const int level = level_of(value) + (is_barrier(value) ? 1 : 0);
    if (!is_stacked(index)) return add_whole_part(value, ir::kNone, static_cast<std::int32_t>(index), level, open);
    const ir::ValueId into = graph_.node(body_.parent).results[index];
    const auto rank = static_cast<std::size_t>(graph_.type(into).shape.rank());
    std::vector<std::int64_t> domain = extents(graph_.type(value).shape);
    domain.insert(domain.begin(), 1);
    Part part{value, into, ir::Dims(rank, 0), ir::Dims(rank, 0), ir::Dims(rank, 1), {}, -1};
    part.starts = {body_.arguments[0]};
    result_.groups[home_of_store(domain, level, open)].parts.push_back(std::move(part));
  }

  // A value that several groups compute and that is costly is written by its own group and read by the
  // others.
  bool keep_what_is_costly_to_repeat() {
    constexpr std::uint32_t several = ir::kNone - 1;
    std::vector<std::uint32_t>& user = values_.user;
    for (ir::NodeId id : order_)
      for (ir::ValueId value : graph_.node(id).results) user[value] = ir::kNone;
    const auto uses = [&](ir::ValueId value, std::uint32_t group) {
      user[value] = user[value] == ir::kNone || user[value] == group ? group : several;
    };
    for (std::uint32_t index = 0; index < result_.groups.size(); ++index) {
      for (ir::NodeId node : result_.groups[index].reductions)
        for (ir::ValueId operand : graph_.node(node).operands) uses(operand, index);
      for (ir::ValueId value : result_.groups[index].stores) uses(value, index);
      for (const Part& part : result_.groups[index].parts) {
        uses(part.value, index);
        for (ir::ValueId start : part.starts) uses(start, index);
      }
    }
    bool changed = false;
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      const ir::Node& producer = graph_.node(*node);
      if (producer.op == ir::Op::reduce) continue;
      for (ir::ValueId value : producer.results) {
        if (user[value] == ir::kNone || values_.is_barrier[value]) continue;
        if (user[value] == several && values_.cost[value] > kRecomputeLimit && reason_of(value).empty()) {
          keep(value, "costly and needed by several kernels", true);
          changed = true;
          continue;
        }
        for (ir::ValueId operand : producer.operands) uses(operand, user[value]);
      }
    }
    return changed;
  }

  void order_groups() {
    std::stable_sort(result_.groups.begin(), result_.groups.end(),
                     [](const Group& a, const Group& b) { return a.level < b.level; });
  }

  const ir::Graph& graph_;
  ir::RegionId region_;
  const ir::Region& body_;
  Values& values_;
  std::vector<ir::NodeId> order_;
  Groups result_;
  std::map<std::pair<int, std::vector<std::int64_t>>, std::size_t> reduction_home_;  // the first of each domain
  int last_call_level_ = 0;
  std::unordered_map<ir::ValueId, ir::ValueId> updated_;  // results that take the memory of an operand: which
  std::unordered_set<ir::ValueId> is_written_over_;
  std::unordered_map<ir::ValueId, int> last_read_;
  std::unordered_map<ir::ValueId, Targets> written_over_by_;
};

}  // namespace

Groups fuse(const ir::Graph& graph, ir::RegionId region, Values& values) {
  return Fuser(graph, region, values).run();
}

}  // namespace weft::fuse
