// The edges of a batched program: mapped axes go first in arguments and where they are wanted in results.
#include "compiler/transform/batch.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/ir/close_bodies.h"
#include "compiler/transform/batcher.h"

namespace weft::transform {
namespace {

using ir::Batched;

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

void check_axis(std::int64_t axis, const Shape& shape, std::string_view what, std::size_t number) {
  if (axis < 0 || axis > shape.rank())
    throw IndexError(fmt::format("vmap: {} {} of shape {} has no place {} for the mapped axis", what, number,
                                 shape.to_string(), axis));
}

Batched take_argument(ir::Builder& builder, const ir::Type& type, std::int64_t axis, std::int64_t size,
                      std::size_t number) {
  if (axis == kNotBatched) return {builder.graph().add_argument(builder.region(), type), false};
  check_axis(axis, type.shape, "argument", number);
  const Shape shape = with_axis(type.shape, axis, size);
  const ir::ValueId argument = builder.graph().add_argument(builder.region(), {shape, type.dtype});
  if (axis == 0) return {argument, true};
  return {builder.transpose(argument, moved_axis(shape.rank(), axis, 0)), true};
}

ir::ValueId give_result(ir::Builder& builder, const Batched& result, std::int64_t axis, std::int64_t size,
                        std::size_t number) {
  if (axis == kNotBatched) {
    if (result.is_batched)
      throw TypeError(fmt::format(
          "vmap: out_axes of result {} is none, but the result depends on a mapped argument", number));
    return result.value;
  }
  const Shape& shape = builder.type(result.value).shape;
  if (result.is_batched) {
    check_axis(axis, Shape(shape.extents().subspan(1)), "result", number);
    return axis == 0 ? result.value : builder.transpose(result.value, moved_axis(shape.rank(), 0, axis));
  }
  check_axis(axis, shape, "result", number);
  ir::Dims dims;
  for (int dim = 0; dim < shape.rank(); ++dim) dims.push_back(dim < axis ? dim : dim + 1);
  return builder.broadcast(result.value, with_axis(shape, axis, size), std::move(dims));
}

}  // namespace

ir::Graph batch(const ir::Graph& graph, const BatchSpec& spec, std::vector<bool>* varying) {
  // What a body reads from around it may be mapped: as an operand it is batched like all others.
  if (ir::has_open_bodies(graph)) {
    ir::Graph closed = graph;
    ir::close_bodies(closed);
    return batch(closed, spec, varying);
  }
  const ir::Function& entry = graph.entry();
  const ir::Region& source = graph.region(entry.body);
  if (spec.argument_axes.size() != source.arguments.size() ||
      spec.result_axes.size() != source.results.size())
    throw InternalError("batch: needs one axis for each argument and result");
  Batcher batcher(graph, spec.size);
  const ir::RegionId body = batcher.graph().add_function(entry.name, true).body;
  ir::Builder builder(batcher.graph(), body);
  std::vector<Batched> arguments;
  for (std::size_t i = 0; i < spec.argument_axes.size(); ++i)
    arguments.push_back(
        take_argument(builder, graph.type(source.arguments[i]), spec.argument_axes[i], spec.size, i));
  const std::vector<Batched> results = batcher.inline_body(body, entry.body, arguments);
  if (varying) varying->clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (varying) varying->push_back(results[i].is_batched);
    const ir::ValueId value = give_result(builder, results[i], spec.result_axes[i], spec.size, i);
    batcher.graph().region(body).results.push_back(value);
  }
  return std::move(batcher.graph());
}

}  // namespace weft::transform
