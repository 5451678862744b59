// Appends operations to the current trace; broadcasting and conversion of operands.
#include "frontend/record.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace weft::frontend {
namespace {

Trace& trace() {
  if (Trace* current = Trace::current()) return *current;
  throw InternalError(fmt::format("{} records an operation outside of any trace", Call::function()));
}

[[noreturn]] void fail(const ir::Fault& fault, ir::Op op) {
  const std::string_view operation = ir::info_of(op).name;
  const bool is_named_already = operation == Call::function();
  const std::string text = is_named_already ? fault.text : fmt::format("{}: {}", operation, fault.text);
  switch (fault.kind) {
    case ir::Fault::Kind::shape:
      fail_shape(text);
    case ir::Fault::Kind::index:
      fail_index(text);
    case ir::Fault::Kind::type:
    case ir::Fault::Kind::structure:
      break;
  }
  fail_type(text);
}

ir::NodeId append(ir::Op op, std::span<const Array> operands, ir::Attributes attributes,
                  std::vector<ir::Type> declared, std::vector<ir::RegionId> regions) {
  Trace& t = trace();
  std::vector<ir::ValueId> ids;
  for (const Array& x : operands) ids.push_back(t.lift(x));
  ir::Builder& builder = t.builder();
  try {
    return builder.node(op, ids, attributes, declared, regions);
  } catch (const InternalError&) {
    std::vector<ir::Type> types;
    for (const ir::ValueId id : ids) types.push_back(builder.type(id));
    const ir::TypeAnswer answer =
        ir::infer_types({builder.graph(), op, std::move(types), attributes, regions, std::move(declared)});
    if (answer.fault) fail(*answer.fault, op);
    throw;
  }
}

}  // namespace

Array record(ir::Op op, std::span<const Array> operands, ir::Attributes attributes,
             std::vector<ir::Type> declared, std::vector<ir::RegionId> regions) {
  const ir::NodeId node =
      append(op, operands, std::move(attributes), std::move(declared), std::move(regions));
  Trace& t = trace();
  return t.value(t.builder().graph().node(node).results.at(0), false);
}

std::vector<Array> record_all(ir::Op op, std::span<const Array> operands, ir::Attributes attributes,
                              std::vector<ir::RegionId> regions) {
  const ir::NodeId node = append(op, operands, std::move(attributes), {}, std::move(regions));
  Trace& t = trace();
  std::vector<Array> results;
  for (const ir::ValueId id : t.builder().graph().node(node).results) results.push_back(t.value(id, false));
  return results;
}

Array as_weak(const Array& x, bool is_weak) {
  const ArrayState& state = state_of(x);
  if (state.is_weak == is_weak) return x;
  if (state.buffer) return concrete(state.type, state.buffer, is_weak);
  return trace().value(trace().lift(x), is_weak);
}

Array convert_to(const Array& x, DType dtype) {
  const ArrayState& state = state_of(x);
  if (state.type.dtype == dtype) return x;
  if (state.buffer && state.type.shape.rank() == 0) {
    if (state.is_weak && !fits(state.type.dtype, state.buffer.data(), dtype))
      fail_type(fmt::format("the integer {} does not fit {}", to_string(x), name_of(dtype)));
    alignas(16) std::byte element[16];
    convert_element(state.type.dtype, state.buffer.data(), dtype, element);
    return concrete_scalar(dtype, element, state.is_weak);
  }
  return as_weak(record(ir::Op::convert, {x}, ir::NoAttributes{}, {{state.type.shape, dtype}}),
                 state.is_weak);
}

Array splat(DType dtype, const Shape& shape, double value) {
  alignas(16) std::byte element[16];
  convert_element(f64, &value, dtype, element);
  const Array scalar = concrete_scalar(dtype, element);
  return shape.rank() == 0 ? trace().value(trace().lift(scalar), false) : broadcast_in_dim(scalar, shape, {});
}

Array splat_like(const Array& x, double value) { return splat(type_of(x).dtype, type_of(x).shape, value); }

Array record_iota(DType dtype, const Shape& shape, int axis) {
  return record(ir::Op::iota, {}, ir::IotaAttributes{axis}, {{shape, dtype}});
}

Array broadcast_in_dim(const Array& x, const Shape& shape, ir::Dims dimensions) {
  const ShapeDtype& type = type_of(x);
  return as_weak(record(ir::Op::broadcast_in_dim, {x}, ir::BroadcastAttributes{std::move(dimensions)},
                        {{shape, type.dtype}}),
                 x.is_weak());
}

Array broadcast_trailing(const Array& x, const Shape& shape) {
  const Shape& from = type_of(x).shape;
  if (from == shape) return x;
  const int offset = shape.rank() - from.rank();
  ir::Dims dimensions;
  bool legal = offset >= 0;
  for (int axis = 0; legal && axis < from.rank(); ++axis) {
    dimensions.push_back(axis + offset);
    legal = from[axis] == 1 || from[axis] == shape[axis + offset];
  }
  if (!legal)
    fail_shape(fmt::format("{} does not broadcast to {}", type_of(x).to_string(), shape.to_string()));
  return broadcast_in_dim(x, shape, std::move(dimensions));
}

Array reshape_to(const Array& x, const Shape& shape) {
  const ShapeDtype& type = type_of(x);
  if (type.shape == shape) return x;
  return as_weak(record(ir::Op::reshape, {x}, ir::NoAttributes{}, {{shape, type.dtype}}), x.is_weak());
}

Array compare(ir::Direction direction, const Array& a, const Array& b) {
  return record(ir::Op::compare, {a, b},
                ir::CompareAttributes{direction, ir::default_compare_kind(type_of(a).dtype)});
}

Array select(const Array& predicate, const Array& on_true, const Array& on_false) {
  return record(ir::Op::select, {predicate, on_true, on_false});
}

std::string describe(std::span<const Array> operands) {
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) text += i + 1 == operands.size() ? " and " : ", ";
    text += type_of(operands[i]).to_string();
  }
  return text;
}

Shape broadcast_shapes_of(std::span<const Array> operands) {
  int rank = 0;
  for (const Array& x : operands) rank = std::max(rank, type_of(x).shape.rank());
  std::vector<std::int64_t> extents(static_cast<std::size_t>(rank), 1);
  for (const Array& x : operands) {
    const Shape& shape = type_of(x).shape;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      std::int64_t& extent = extents[static_cast<std::size_t>(axis + rank - shape.rank())];
      if (shape[axis] == 1 || shape[axis] == extent) continue;
      if (extent != 1) fail_shape(fmt::format("{} do not broadcast together", describe(operands)));
      extent = shape[axis];
    }
  }
  return Shape(extents);
}

std::vector<Array> broadcast_all(std::span<const Array> operands, DType dtype) {
  const Shape shape = broadcast_shapes_of(operands);
  std::vector<Array> result;
  for (const Array& x : operands) result.push_back(broadcast_trailing(convert_to(x, dtype), shape));
  return result;
}

int normalize_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) fail_index(fmt::format("axis {} of an array with {} axes", axis, rank));
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int> normalize_axes(const Axes& axes, int rank) {
  std::vector<int> result;
  for (int i = 0; i < (axes.all() ? rank : axes.count()); ++i)
    result.push_back(axes.all() ? i : normalize_axis(axes[i], rank));
  std::sort(result.begin(), result.end());
  if (const auto twice = std::adjacent_find(result.begin(), result.end()); twice != result.end())
    fail_index(fmt::format("axis {} is named twice", *twice));
  return result;
}

}  // namespace weft::frontend
