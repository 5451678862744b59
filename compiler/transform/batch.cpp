// Rebuilds a function node by node with a leading batch axis where a value depends on a mapped argument.
#include "compiler/transform/batch.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/ir/structural/rules.h"

namespace weft::transform {
namespace {

using ir::Batched;

// One version of a function: which of its arguments are batched.
struct Version {
  std::string function;
  std::vector<bool> batched_arguments;
  auto operator<=>(const Version&) const = default;
};
struct BatchedFunction {
  std::string name;
  std::vector<bool> batched_results;
};

class Batcher {
 public:
  Batcher(const ir::Graph& from, std::int64_t size) : from_(from), size_(size) { to_.name = from.name; }

  // The body of a function in the region of the builder, on arguments given there.
  std::vector<Batched> body(ir::Builder& builder, ir::RegionId source, const std::vector<Batched>& arguments) {
    std::vector<Batched> values(from_.value_count());
    const ir::Region& region = from_.region(source);
    for (std::size_t i = 0; i < arguments.size(); ++i) values[region.arguments[i]] = arguments[i];
    for (ir::NodeId id : region.nodes) {
      const ir::Node& node = from_.node(id);
      builder.set_location(to_.add_location(from_.location(node.location)));
      std::vector<Batched> operands;
      for (ir::ValueId operand : node.operands) operands.push_back(values[operand]);
      const std::vector<Batched> results = batch_node(builder, node, operands, values);
      for (std::size_t i = 0; i < results.size(); ++i) values[node.results[i]] = results[i];
    }
    std::vector<Batched> results;
    for (ir::ValueId result : region.results) results.push_back(values[result]);
    return results;
  }

  ir::Graph& graph() { return to_; }

 private:
  std::vector<Batched> batch_node(ir::Builder& builder, const ir::Node& node, const std::vector<Batched>& operands,
                                  const std::vector<Batched>& outer) {
    const bool any = std::any_of(operands.begin(), operands.end(), [](const Batched& b) { return b.is_batched; });
    if (!any) return copy_node(builder, node, operands, outer);
    ir::Batching batching{builder, from_, node, operands, size_, {}, {}};
    batching.function = [&](const std::string& callee, std::span<const Batched> arguments) {
      return call(builder, callee, arguments);
    };
    if (!ir::is_elementwise(node.op)) return ir::rules_of(node.op).batch(batching);
    std::vector<ir::ValueId> whole;
    for (std::size_t i = 0; i < operands.size(); ++i) whole.push_back(batching.batched(i));
    return {{builder.op(node.op, std::move(whole), node.attributes), true}};
  }

  // A node that no mapped value reaches stays as it is; the functions it calls come along.
  std::vector<Batched> copy_node(ir::Builder& builder, const ir::Node& node, const std::vector<Batched>& operands,
                                 const std::vector<Batched>& outer) {
    if (node.op == ir::Op::call) return call(builder, ir::attributes_of<ir::CallAttributes>(node).callee, operands);
    std::vector<ir::ValueId> values;
    for (const Batched& operand : operands) values.push_back(operand.value);
    std::vector<ir::Type> types;
    for (ir::ValueId result : node.results) types.push_back(from_.type(result));
    std::vector<ir::RegionId> regions;
    for (ir::RegionId child : node.regions) regions.push_back(copy_region(child, outer));
    const ir::NodeId copy =
        builder.node(node.op, std::move(values), node.attributes, std::move(types), std::move(regions));
    std::vector<Batched> results;
    for (ir::ValueId result : to_.node(copy).results) results.push_back({result, false});
    return results;
  }

  ir::RegionId copy_region(ir::RegionId child, const std::vector<Batched>& outer) {
    const ir::RegionId region = to_.add_region();
    std::vector<ir::ValueId> map(from_.value_count(), ir::kNone);
    for (std::size_t i = 0; i < outer.size(); ++i)
      if (!outer[i].is_batched) map[i] = outer[i].value;
    for (ir::ValueId argument : from_.region(child).arguments)
      map[argument] = to_.add_argument(region, from_.type(argument));
    ir::Builder inside(to_, region);
    to_.region(region).results = ir::inline_region(inside, from_, child, map);
    return region;
  }

  std::vector<Batched> call(ir::Builder& builder, const std::string& callee, std::span<const Batched> arguments) {
    Version version{callee, {}};
    for (const Batched& argument : arguments) version.batched_arguments.push_back(argument.is_batched);
    const BatchedFunction& function = function_of(version);
    std::vector<ir::ValueId> operands;
    for (const Batched& argument : arguments) operands.push_back(argument.value);
    const std::vector<ir::ValueId> values = builder.call(function.name, std::move(operands));
    std::vector<Batched> results;
    for (std::size_t i = 0; i < values.size(); ++i) results.push_back({values[i], function.batched_results[i]});
    return results;
  }

  const BatchedFunction& function_of(const Version& version) {
    if (const auto found = functions_.find(version); found != functions_.end()) return found->second;
    const ir::Function* source = from_.find_function(version.function);
    if (!source) throw InternalError("batch: no function @" + version.function);
    BatchedFunction function{unused_name(version), {}};
    const ir::RegionId region = to_.add_function(function.name, false).body;
    std::vector<Batched> arguments;
    const auto& sources = from_.region(source->body).arguments;
    for (std::size_t i = 0; i < sources.size(); ++i)
      arguments.push_back(argument(region, from_.type(sources[i]), version.batched_arguments[i]));
    ir::Builder inside(to_, region);
    for (const Batched& result : body(inside, source->body, arguments)) {
      to_.region(region).results.push_back(result.value);
      function.batched_results.push_back(result.is_batched);
    }
    return functions_.emplace(version, std::move(function)).first->second;
  }

  Batched argument(ir::RegionId region, const ir::Type& type, bool is_batched) {
    if (!is_batched) return {to_.add_argument(region, type), false};
    std::vector<std::int64_t> extents{size_};
    extents.insert(extents.end(), type.shape.begin(), type.shape.end());
    return {to_.add_argument(region, {Shape(std::span<const std::int64_t>(extents)), type.dtype}), true};
  }

  std::string unused_name(const Version& version) const {
    const auto& flags = version.batched_arguments;
    const bool any = std::find(flags.begin(), flags.end(), true) != flags.end();
    std::string name = any ? version.function + "_batched" : version.function;
    for (int number = 1; to_.find_function(name); ++number) name = fmt::format("{}_batched_{}", version.function, number);
    return name;
  }

  const ir::Graph& from_;
  std::int64_t size_;
  ir::Graph to_;
  std::map<Version, BatchedFunction> functions_;
};

// The permutation that takes axis `from` to place `to` and keeps the order of the others.
ir::Dims moved_axis(int rank, std::int64_t from, std::int64_t to) {
  ir::Dims permutation;
  for (int axis = 0; axis < rank; ++axis)
    if (axis != from) permutation.push_back(axis);
  permutation.insert(permutation.begin() + to, from);
  return permutation;
}

Shape with_axis(const Shape& shape, std::int64_t axis, std::int64_t extent) {
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  extents.insert(extents.begin() + axis, extent);
  return Shape(std::span<const std::int64_t>(extents));
}

// The mapped axis goes first; an argument that is not mapped stays.
Batched take_argument(ir::Builder& builder, const ir::Type& type, std::int64_t axis, std::int64_t size) {
  if (axis == kNotBatched) return {builder.graph().add_argument(builder.region(), type), false};
  const Shape shape = with_axis(type.shape, axis, size);
  const ir::ValueId argument = builder.graph().add_argument(builder.region(), {shape, type.dtype});
  if (axis == 0) return {argument, true};
  return {builder.transpose(argument, moved_axis(shape.rank(), axis, 0)), true};
}

ir::ValueId give_result(ir::Builder& builder, const Batched& result, std::int64_t axis, std::int64_t size,
                        std::size_t number) {
  if (axis == kNotBatched) {
    if (result.is_batched)
      throw TypeError(fmt::format("vmap: out_axes of result {} is none, but the result depends on a mapped argument", number));
    return result.value;
  }
  ir::ValueId value = result.value;
  if (!result.is_batched) {
    const Shape& shape = builder.type(value).shape;
    ir::Dims dims;
    for (int dim = 0; dim < shape.rank(); ++dim) dims.push_back(dim < axis ? dim : dim + 1);
    return builder.broadcast(value, with_axis(shape, axis, size), std::move(dims));
  }
  if (axis == 0) return value;
  const int rank = builder.type(value).shape.rank();
  return builder.transpose(value, moved_axis(rank, 0, axis));
}

}  // namespace

ir::Graph batch(const ir::Graph& graph, const BatchSpec& spec, std::vector<bool>* varying) {
  const ir::Function& entry = graph.entry();
  const ir::Region& source = graph.region(entry.body);
  if (spec.argument_axes.size() != source.arguments.size() || spec.result_axes.size() != source.results.size())
    throw InternalError("batch: one axis an argument and result");
  Batcher batcher(graph, spec.size);
  const ir::RegionId region = batcher.graph().add_function(entry.name, true).body;
  ir::Builder builder(batcher.graph(), region);
  std::vector<Batched> arguments;
  for (std::size_t i = 0; i < spec.argument_axes.size(); ++i)
    arguments.push_back(take_argument(builder, graph.type(source.arguments[i]), spec.argument_axes[i], spec.size));
  const std::vector<Batched> results = batcher.body(builder, entry.body, arguments);
  if (varying) varying->clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (varying) varying->push_back(results[i].is_batched);
    const ir::ValueId value = give_result(builder, results[i], spec.result_axes[i], spec.size, i);
    batcher.graph().region(region).results.push_back(value);
  }
  return std::move(batcher.graph());
}

}  // namespace weft::transform
