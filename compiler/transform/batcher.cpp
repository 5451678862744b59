// A loop over frames, one a region being rebuilt; each node becomes its batched form or a copy.
#include "compiler/transform/batcher.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/ir/captured.h"

namespace weft::transform {

using ir::Batched;

namespace {

// Regions inside regions, through calls too, use the native stack.
constexpr int kDeepestRegion = 500;

bool any_batched(std::span<const Batched> values) {
  return std::any_of(values.begin(), values.end(), [](const Batched& value) { return value.is_batched; });
}

Shape with_leading(const Shape& shape, std::int64_t size) {
  std::vector<std::int64_t> extents{size};
  extents.insert(extents.end(), shape.begin(), shape.end());
  return Shape(std::span<const std::int64_t>(extents));
}

// The functions that the regions of a node call, at any depth.
std::vector<std::string> callees_inside(const ir::Graph& graph, const ir::Node& node) {
  std::vector<std::string> callees;
  std::vector<ir::RegionId> stack(node.regions.begin(), node.regions.end());
  while (!stack.empty()) {
    const ir::RegionId region = stack.back();
    stack.pop_back();
    for (ir::NodeId id : graph.region(region).nodes) {
      const ir::Node& inner = graph.node(id);
      if (inner.op == ir::Op::call) callees.push_back(ir::attributes_of<ir::CallAttributes>(inner).callee);
      stack.insert(stack.end(), inner.regions.begin(), inner.regions.end());
    }
  }
  return callees;
}

}  // namespace

Batcher::Batcher(const ir::Graph& from, std::int64_t size)
    : from_(from), size_(size), values_(from.value_count()) {
  to_.name = from.name;
}

std::vector<Batched> Batcher::inline_body(ir::RegionId into, ir::RegionId source,
                                          const std::vector<Batched>& arguments) {
  const ir::Region& region = from_.region(source);
  for (std::size_t i = 0; i < arguments.size(); ++i) values_[region.arguments[i]] = arguments[i];
  frames_.push_back({source, into, {}, {}});
  run_from(frames_.size() - 1);
  std::vector<Batched> results;
  for (ir::ValueId result : region.results) results.push_back(values_[result]);
  return results;
}

// Works until the frames from `depth` on are done.
void Batcher::run_from(std::size_t depth) {
  while (frames_.size() > depth) {
    Frame& frame = frames_.back();
    const ir::Region& region = from_.region(frame.source);
    if (frame.next == region.nodes.size()) {
      const Frame done = std::move(frame);
      frames_.pop_back();
      finish(done);
      continue;
    }
    const ir::Node& node = from_.node(region.nodes[frame.next]);
    if (const auto missing = missing_version(node)) {
      open(*missing);
      continue;
    }
    ++frame.next;
    rebuild(frame.into, node);
  }
}

void Batcher::finish(const Frame& frame) {
  if (!frame.version) return;
  BatchedFunction function{frame.name, {}};
  for (ir::ValueId result : from_.region(frame.source).results) {
    to_.region(frame.into).results.push_back(values_[result].value);
    function.batched_results.push_back(values_[result].is_batched);
  }
  functions_.emplace(*frame.version, std::move(function));
}

// A function that must be there before the node can be rebuilt. Those called inside of the node's regions are
// needed as they are.
std::optional<Batcher::Version> Batcher::missing_version(const ir::Node& node) const {
  const auto unless_there = [&](Version version) -> std::optional<Version> {
    if (functions_.contains(version)) return std::nullopt;
    return version;
  };
  if (node.op == ir::Op::call) {
    Version version{ir::attributes_of<ir::CallAttributes>(node).callee, {}};
    for (ir::ValueId operand : node.operands)
      version.batched_arguments.push_back(values_[operand].is_batched);
    return unless_there(std::move(version));
  }
  if (node.regions.empty()) return std::nullopt;
  for (std::string& callee : callees_inside(from_, node)) {
    const ir::Function* function = from_.find_function(callee);
    const std::size_t count = function ? from_.region(function->body).arguments.size() : 0;
    if (auto missing = unless_there({std::move(callee), std::vector<bool>(count, false)})) return missing;
  }
  return std::nullopt;
}

void Batcher::open(const Version& version) {
  const ir::Function* source = from_.find_function(version.function);
  if (!source) throw InternalError("batch: there is no function @" + version.function);
  const auto& arguments = from_.region(source->body).arguments;
  if (arguments.size() != version.batched_arguments.size())
    throw InternalError("batch: a call of @" + version.function + " has not its number of arguments");
  for (const Frame& frame : frames_)
    if (frame.source == source->body) throw InternalError("batch: @" + version.function + " calls itself");
  std::string name = unused_name(version);
  const ir::RegionId into = to_.add_function(name, false).body;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values_[arguments[i]] = argument(into, from_.type(arguments[i]), version.batched_arguments[i]);
  frames_.push_back({source->body, into, version, std::move(name)});
}

// A version without batched arguments keeps the function's name: bodies of operations call it by that.
std::string Batcher::unused_name(const Version& version) const {
  const auto& flags = version.batched_arguments;
  if (std::find(flags.begin(), flags.end(), true) == flags.end()) return version.function;
  std::string name = version.function + "_batched";
  for (int number = 2; from_.find_function(name) || to_.find_function(name); ++number)
    name = fmt::format("{}_batched_{}", version.function, number);
  return name;
}

Batched Batcher::argument(ir::RegionId region, const ir::Type& type, bool is_batched) {
  if (!is_batched) return {to_.add_argument(region, type), false};
  return {to_.add_argument(region, {with_leading(type.shape, size_), type.dtype}), true};
}

// --- nodes ---

void Batcher::rebuild(ir::RegionId into, const ir::Node& node) {
  const ir::LocationId location = node.location == 0 ? 0 : to_.add_location(from_.location(node.location));
  ir::Builder builder(to_, into, location);
  std::vector<Batched> operands;
  for (ir::ValueId operand : node.operands) operands.push_back(values_[operand]);
  const bool is_mapped = any_batched(operands) || (ir::is_control_flow(node.op) && reads_mapped_value(node));
  const std::vector<Batched> results =
      is_mapped ? batch_node(builder, node, operands) : copy_node(builder, node, operands);
  for (std::size_t i = 0; i < results.size(); ++i) values_[node.results[i]] = results[i];
}

bool Batcher::reads_mapped_value(const ir::Node& node) const {
  const std::vector<ir::ValueId> captured = ir::captured_values(from_, node.regions);
  return std::any_of(captured.begin(), captured.end(),
                     [&](ir::ValueId value) { return values_[value].is_batched; });
}

std::vector<Batched> Batcher::batch_node(ir::Builder& builder, const ir::Node& node,
                                         std::span<const Batched> operands) {
  ir::Batching batching{builder, from_, node, operands, size_, {}, {}};
  batching.function = [&](const std::string& callee, std::span<const Batched> arguments) {
    return call(builder, callee, arguments);
  };
  batching.inline_body = [&](ir::RegionId into, std::size_t region, const std::vector<Batched>& arguments) {
    if (region_depth_ == kDeepestRegion)
      throw CompileError(fmt::format("vmap: regions nest deeper than {}", kDeepestRegion));
    ++region_depth_;
    std::vector<Batched> results = inline_body(into, node.regions[region], arguments);
    --region_depth_;
    return results;
  };
  if (!ir::is_elementwise(node.op)) return ir::rules_of(node.op).batch(batching);
  std::vector<ir::ValueId> whole;
  for (std::size_t i = 0; i < operands.size(); ++i) whole.push_back(batching.batched(i));
  return {{builder.op(node.op, std::move(whole), node.attributes), true}};
}

// A node that no mapped value reaches stays as it is; the functions it calls come along.
std::vector<Batched> Batcher::copy_node(ir::Builder& builder, const ir::Node& node,
                                        std::span<const Batched> operands) {
  if (node.op == ir::Op::call)
    return call(builder, ir::attributes_of<ir::CallAttributes>(node).callee, operands);
  std::vector<ir::ValueId> values;
  for (const Batched& operand : operands) values.push_back(operand.value);
  std::vector<ir::Type> types;
  for (ir::ValueId result : node.results) types.push_back(from_.type(result));
  std::vector<ir::RegionId> regions;
  for (ir::RegionId child : node.regions) regions.push_back(copy_region(child));
  const ir::NodeId copy =
      builder.node(node.op, std::move(values), node.attributes, std::move(types), std::move(regions));
  std::vector<Batched> results;
  for (ir::ValueId result : to_.node(copy).results) results.push_back({result, false});
  return results;
}

std::vector<Batched> Batcher::call(ir::Builder& builder, const std::string& callee,
                                   std::span<const Batched> arguments) {
  Version version{callee, {}};
  std::vector<ir::ValueId> operands;
  for (const Batched& argument : arguments) {
    version.batched_arguments.push_back(argument.is_batched);
    operands.push_back(argument.value);
  }
  const BatchedFunction& function = functions_.at(version);
  const std::vector<ir::ValueId> values = builder.call(function.name, std::move(operands));
  std::vector<Batched> results;
  for (std::size_t i = 0; i < values.size(); ++i) results.push_back({values[i], function.batched_results[i]});
  return results;
}

// A region that no mapped value may reach.
ir::RegionId Batcher::copy_region(ir::RegionId source) {
  if (region_depth_ == kDeepestRegion)
    throw CompileError(fmt::format("vmap: regions nest deeper than {}", kDeepestRegion));
  const ir::RegionId into = to_.add_region();
  std::vector<Batched> arguments;
  for (ir::ValueId source_argument : from_.region(source).arguments)
    arguments.push_back(argument(into, from_.type(source_argument), false));
  ++region_depth_;
  const std::vector<Batched> results = inline_body(into, source, arguments);
  --region_depth_;
  if (any_batched(results))
    throw TypeError("vmap: the body of an operation reads a mapped value from around it");
  for (const Batched& result : results) to_.region(into).results.push_back(result.value);
  return into;
}

}  // namespace weft::transform
