// merge_equal_nodes: of two equal operations on equal operands, in one region, the first serves both.
//   before  %1 = sine %0   %2 = sine %0   %3 = add %1, %2       after  %1 = sine %0   %3 = add %1, %1
//   keeps   every output bit for bit (of a commutative operation on two NaNs, which NaN)
#include <algorithm>
#include <unordered_map>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

// A node as numbers. Values of the new graph are numbered as they are; those defined inside the node's own
// regions by the order in which they appear, so that two copies of a body read the same.
struct Key {
  std::vector<std::uint64_t> words;
  std::vector<const ir::Attributes*> attributes;  // of the node and of those inside
  bool operator==(const Key& other) const {
    return words == other.words &&
           std::equal(attributes.begin(), attributes.end(), other.attributes.begin(), other.attributes.end(),
                      [](const ir::Attributes* a, const ir::Attributes* b) { return *a == *b; });
  }
};

struct Hash {
  std::size_t operator()(const Key& key) const {
    std::size_t seed = key.words.size();
    for (std::uint64_t word : key.words) seed = (seed ^ word) * 0x9e3779b97f4a7c15ull + (seed >> 31);
    return seed;
  }
};

bool commutes(ir::Op op) {
  return op == ir::Op::add || op == ir::Op::multiply || op == ir::Op::and_ || op == ir::Op::or_ ||
         op == ir::Op::xor_ || op == ir::Op::minimum || op == ir::Op::maximum;
}

constexpr std::uint64_t kLocal = 1ull << 40;  // marks a value of the node's own regions
constexpr std::uint64_t kSeparator = 1ull << 41;

class KeyMaker {
 public:
  explicit KeyMaker(const Rebuild& rebuild) : rebuild_(rebuild), graph_(rebuild.from()) {}

  Key key_of(ir::NodeId id) {
    locals_.clear();
    key_ = {};
    add_node(graph_.node(id));
    std::vector<ir::RegionId> stack(graph_.node(id).regions.rbegin(), graph_.node(id).regions.rend());
    while (!stack.empty()) {
      const ir::Region& region = graph_.region(stack.back());
      stack.pop_back();
      for (ir::ValueId argument : region.arguments) define(argument);
      for (ir::NodeId inner : region.nodes) {
        const ir::Node& node = graph_.node(inner);
        add_node(node);
        for (ir::ValueId result : node.results) define(result);
        stack.insert(stack.end(), node.regions.rbegin(), node.regions.rend());
      }
      key_.words.push_back(kSeparator);
      for (ir::ValueId result : region.results) key_.words.push_back(number_of(result));
    }
    return std::move(key_);
  }

 private:
  void add_node(const ir::Node& node) {
    key_.words.push_back(kSeparator + static_cast<std::uint64_t>(node.op));
    const std::size_t first = key_.words.size();
    for (ir::ValueId operand : node.operands) key_.words.push_back(number_of(operand));
    if (commutes(node.op) && key_.words.size() == first + 2 && key_.words[first] > key_.words[first + 1])
      std::swap(key_.words[first], key_.words[first + 1]);
    for (ir::ValueId result : node.results) add_type(graph_.type(result));
    key_.words.push_back(ir::hash_of(node.attributes));
    key_.attributes.push_back(&node.attributes);
    key_.words.push_back(node.regions.size());
  }
  void add_type(const ir::Type& type) {
    key_.words.push_back(kSeparator + static_cast<std::uint64_t>(type.dtype));
    for (std::int64_t extent : type.shape) key_.words.push_back(static_cast<std::uint64_t>(extent));
  }
  void define(ir::ValueId value) {
    locals_.emplace(value, kLocal + locals_.size());
    add_type(graph_.type(value));
  }
  std::uint64_t number_of(ir::ValueId value) const {
    const auto local = locals_.find(value);
    return local == locals_.end() ? rebuild_.mapped(value) : local->second;
  }

  const Rebuild& rebuild_;
  const ir::Graph& graph_;
  std::unordered_map<ir::ValueId, std::uint64_t> locals_;
  Key key_;
};

// Is there an effect, or an answer that may differ from call to call?
bool may_merge(const ir::Graph& graph, const ir::Node& node) {
  std::vector<ir::RegionId> stack(node.regions);
  if (node.op == ir::Op::call || node.op == ir::Op::custom_call) return false;
  while (!stack.empty()) {
    const ir::Region& region = graph.region(stack.back());
    stack.pop_back();
    for (ir::NodeId inner : region.nodes) {
      const ir::Node& inside = graph.node(inner);
      if (inside.op == ir::Op::call || inside.op == ir::Op::custom_call) return false;
      stack.insert(stack.end(), inside.regions.begin(), inside.regions.end());
    }
  }
  return true;
}

}  // namespace

ir::Graph merge_equal_nodes(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "merge_equal_nodes");
  KeyMaker keys(rebuild);
  // One table a region: a body must not read a value that only looked the same outside.
  std::unordered_map<ir::RegionId, std::unordered_map<Key, ir::NodeId, Hash>> seen;
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (!may_merge(graph, node)) return false;
    const auto [first, is_new] = seen[node.parent].try_emplace(keys.key_of(id), id);
    if (is_new) return false;
    const ir::Node& kept = graph.node(first->second);
    for (std::size_t i = 0; i < node.results.size(); ++i)
      rebuild.replace(node.results[i], rebuild.mapped(kept.results[i]));
    rebuild.record_replaced("merge", {id, first->second}, rebuild.mapped(node.results[0]),
                            cost_of(graph, id));
    return true;
  });
}

}  // namespace weft::rewrite
