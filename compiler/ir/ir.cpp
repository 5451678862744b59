// The tables of operations, and the Graph's storage.
#include "compiler/ir/ir.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <weft/error.h>

namespace weft::ir {
namespace {

constexpr OpInfo kInfos[] = {
#define ELEMENTWISE(name, text, arity, accepts, result, value, emission, derivative, summary) \
  {{}, text, arity, accepts, ResultRule::result, derivative, summary},
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
#define STRUCTURAL(name, text, attributes, rules, summary) {{}, text, -1, 0, ResultRule::same, "", summary},
#include "compiler/ir/structural.def"
#undef STRUCTURAL
};
constexpr std::size_t kOpCount = std::size(kInfos);

std::array<OpInfo, kOpCount> named_infos() {
  std::array<OpInfo, kOpCount> infos;
  for (std::size_t i = 0; i < kOpCount; ++i) {
    infos[i] = kInfos[i];
    infos[i].name = infos[i].text.substr(infos[i].text.find('.') + 1);
  }
  return infos;
}

}  // namespace

const OpInfo& info_of(Op op) {
  static const std::array<OpInfo, kOpCount> infos = named_infos();
  return infos[static_cast<std::size_t>(op)];
}

std::optional<Op> op_from_text(std::string_view text) {
  static const auto by_text = [] {
    std::unordered_map<std::string_view, Op> map;
    for (Op op : all_ops()) map.emplace(info_of(op).text, op);
    return map;
  }();
  const auto found = by_text.find(text);
  if (found == by_text.end()) return std::nullopt;
  return found->second;
}

std::span<const Op> all_ops() {
  static const auto ops = [] {
    std::array<Op, kOpCount> all;
    for (std::size_t i = 0; i < kOpCount; ++i) all[i] = static_cast<Op>(i);
    return all;
  }();
  return ops;
}

bool accepts(Op op, DType dtype) {
  const unsigned kinds = info_of(op).accepts;
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return (kinds & B) != 0;
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return (kinds & I) != 0;
    case DTypeKind::floating:
      return (kinds & F) != 0;
    case DTypeKind::complex:
      return false;
  }
  return false;
}

std::string SourceLine::to_string() const {
  if (file.empty()) return "unknown";
  const auto slash = file.rfind('/');
  return file.substr(slash == std::string::npos ? 0 : slash + 1) + ":" + std::to_string(line);
}

Graph::Graph() { locations_.emplace_back(); }

const Function* Graph::find_function(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& function) { return function.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

const Function& Graph::entry() const {
  if (functions.empty()) throw InternalError("a graph without functions has no entry");
  if (const Function* main = find_function("main")) return *main;
  const auto is_public = [](const Function& function) { return function.is_public; };
  if (std::count_if(functions.begin(), functions.end(), is_public) == 1)
    return *std::find_if(functions.begin(), functions.end(), is_public);
  return functions.front();
}

RegionId Graph::add_region(NodeId parent) {
  regions_.push_back({parent, {}, {}, {}});
  return static_cast<RegionId>(regions_.size() - 1);
}

ValueId Graph::add_argument(RegionId region, Type type) {
  const auto id = static_cast<ValueId>(values_.size());
  values_.push_back(
      {std::move(type), kNone, region, static_cast<std::uint32_t>(regions_[region].arguments.size())});
  regions_[region].arguments.push_back(id);
  return id;
}

Function& Graph::add_function(std::string function_name, bool is_public) {
  functions.push_back({std::move(function_name), add_region(), is_public});
  return functions.back();
}

NodeId Graph::add_node(RegionId region, Op op, std::vector<ValueId> operands, Attributes attributes,
                       std::vector<Type> result_types, std::vector<RegionId> regions, LocationId location) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(
      {op, location, region, std::move(operands), {}, std::move(regions), std::move(attributes)});
  Node& node = nodes_.back();
  for (std::size_t i = 0; i < result_types.size(); ++i) {
    node.results.push_back(static_cast<ValueId>(values_.size()));
    values_.push_back({std::move(result_types[i]), id, region, static_cast<std::uint32_t>(i)});
  }
  for (RegionId child : node.regions) regions_[child].parent = id;
  regions_[region].nodes.push_back(id);
  return id;
}

LocationId Graph::add_location(const SourceLine& line) {
  // Neighbouring operations share lines: a look at the last few finds most of them.
  const std::size_t first = locations_.size() > 16 ? locations_.size() - 16 : 0;
  for (std::size_t i = locations_.size(); i-- > first;)
    if (locations_[i] == line) return static_cast<LocationId>(i);
  locations_.push_back(line);
  return static_cast<LocationId>(locations_.size() - 1);
}

const Literal* constant_value(const Graph& graph, ValueId value) {
  const NodeId id = graph.value(value).node;
  if (id == kNone || graph.node(id).op != Op::constant) return nullptr;
  return &attributes_of<ConstantAttributes>(graph.node(id)).value;
}

}  // namespace weft::ir
