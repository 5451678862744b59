// Chooses the values that live in memory, then groups the passes that compute them.
#include "compiler/fuse/fuse.h"

#include <algorithm>
#include <map>

#include "compiler/fuse/attach_epilogues.h"
#include "compiler/fuse/parts.h"

namespace weft::fuse {

bool is_leaf(const ir::Graph& graph, ir::ValueId id) {
  const ir::Value& value = graph.value(id);
  if (value.node == ir::kNone) return true;
  const ir::Node& node = graph.node(value.node);
  if (node.op != ir::Op::constant) return false;
  const ir::Literal& literal = ir::attributes_of<ir::ConstantAttributes>(node).value;
  return !literal.is_splat && literal.type.size() != 1;
}

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
  explicit Fuser(const ir::Graph& graph) : graph_(graph), body_(graph.region(graph.entry().body)) {
    result_.in_memory.resize(graph.value_count());
    level_.resize(graph.value_count(), 0);
    cost_.resize(graph.value_count(), 0);
    barrier_.resize(graph.value_count(), false);
  }

  Groups run() {
    choose_memory();
    for (int round = 0; round < 3; ++round) {
      compute_levels();
      form_groups();
      if (!keep_what_is_costly_to_repeat()) break;
    }
    order_groups();
    attach_epilogues(graph_, result_);
    return std::move(result_);
  }

 private:
  // A barrier is in memory before any reader starts; another value in memory may also be computed again.
  void keep(ir::ValueId value, const char* reason, bool barrier) {
    if (is_leaf(graph_, value)) return;
    if (result_.in_memory[value].empty() || reason == kProgramResult) result_.in_memory[value] = reason;
    barrier_[value] = barrier_[value] || barrier;
  }

  void choose_memory() {
    for (ir::NodeId id : body_.nodes) {
      const ir::Node& node = graph_.node(id);
      if (node.op == ir::Op::reduce)
        for (ir::ValueId value : node.results) keep(value, "result of a reduction", true);
      if (reads_whole_operand(graph_, node))
        keep(node.operands[0], "read at positions that are not affine", true);
      if (!node.results.empty() && is_assembled(graph_, node.results[0]))
        keep(node.results[0], "put together from parts", true);
      if (node.op == ir::Op::custom_call)
        for (ir::ValueId value : node.operands) keep(value, "read by a call", true);
    }
    for (ir::ValueId value : body_.results) keep(value, kProgramResult, false);
  }

  // level: how many kernels must have run before the value can be computed.
  void compute_levels() {
    result_.calls.clear();
    for (ir::NodeId id : body_.nodes) {
      const ir::Node& node = graph_.node(id);
      int level = 0;
      std::int64_t cost = 1;
      for (ir::ValueId operand : node.operands) {
        level = std::max(level, level_[operand] + (barrier_[operand] ? 1 : 0));
        if (!barrier_[operand]) cost = std::min<std::int64_t>(cost + cost_[operand], 1'000'000);
      }
      if (!node.results.empty() && is_assembled(graph_, node.results[0]) && is_written_twice(node)) ++level;
      for (ir::ValueId value : node.results) {
        level_[value] = level;
        cost_[value] = is_leaf(graph_, value) ? 0 : cost;
      }
      if (node.op == ir::Op::custom_call) add_call(id, level);
    }
  }

  bool is_written_twice(const ir::Node& node) const {
    const std::vector<PartInDomain> parts = parts_of(graph_, node);
    return std::any_of(parts.begin(), parts.end(), [](const PartInDomain& part) { return part.is_late; });
  }

  // Calls keep their order, and wait only for what they read.
  void add_call(ir::NodeId id, int level) {
    if (!result_.calls.empty()) level = std::max(level, result_.calls.back().level);
    result_.calls.push_back({id, level});
  }

  void form_groups() {
    result_.groups.clear();
    home_.assign(graph_.value_count(), ir::kNone);
    std::map<Key, std::size_t> open;
    for (ir::NodeId id : body_.nodes)
      if (graph_.node(id).op == ir::Op::reduce) add_reduction(id, open);
    for (ir::NodeId id : body_.nodes) {
      const ir::Node& node = graph_.node(id);
      if (node.op == ir::Op::reduce) continue;
      if (!node.results.empty() && is_assembled(graph_, node.results[0])) {
        add_parts(node, open);
        continue;
      }
      for (ir::ValueId value : node.results)
        if (!result_.in_memory[value].empty()) add_store(value, open);
    }
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
    const Key key{level_[node.results[0]], extents(graph_.type(node.operands[0]).shape),
                  attributes.dimensions};
    const std::size_t home = group_for(key, open);
    result_.groups[home].reductions.push_back(id);
    for (ir::ValueId value : node.results) home_[value] = home;
  }

  // What is stored joins a reduction over the same domain at its level, else the other stores of that domain.
  std::size_t home_of_store(const std::vector<std::int64_t>& domain, int level,
                            std::map<Key, std::size_t>& open) {
    for (std::size_t home = 0; home < result_.groups.size(); ++home) {
      const Group& group = result_.groups[home];
      if (!group.reductions.empty() && group.level == level && extents(group.domain) == domain) return home;
    }
    return group_for(Key{level, domain, {}}, open);
  }

  void add_store(ir::ValueId value, std::map<Key, std::size_t>& open) {
    home_[value] = home_of_store(extents(graph_.type(value).shape), level_[value], open);
    result_.groups[home_[value]].stores.push_back(value);
  }

  void add_parts(const ir::Node& node, std::map<Key, std::size_t>& open) {
    const std::vector<PartInDomain> parts = parts_of(graph_, node);
    const bool is_twice = is_written_twice(node);
    for (const PartInDomain& each : parts) {
      const int level = level_[node.results[0]] - (is_twice && !each.is_late ? 1 : 0);
      result_.groups[home_of_store(extents(each.domain), level, open)].parts.push_back(each.part);
    }
  }

  // A value that several groups compute and that is costly is written by its own group and read by the
  // others.
  bool keep_what_is_costly_to_repeat() {
    constexpr std::uint32_t several = ir::kNone - 1;
    std::vector<std::uint32_t> user(graph_.value_count(), ir::kNone);
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
    for (auto node = body_.nodes.rbegin(); node != body_.nodes.rend(); ++node) {
      const ir::Node& producer = graph_.node(*node);
      if (producer.op == ir::Op::reduce) continue;
      for (ir::ValueId value : producer.results) {
        if (user[value] == ir::kNone || barrier_[value]) continue;
        if (user[value] == several && cost_[value] > kRecomputeLimit && result_.in_memory[value].empty()) {
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
  const ir::Region& body_;
  Groups result_;
  std::vector<int> level_;
  std::vector<std::int64_t> cost_;
  std::vector<bool> barrier_;
  std::vector<std::uint32_t> home_;
};

}  // namespace

Groups fuse(const ir::Graph& graph) { return Fuser(graph).run(); }

}  // namespace weft::fuse
