// Creation: filled at once outside of any trace, recorded as constants and iotas inside.
#include <weft/creation.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <weft/elementwise.h>
#include <weft/shaping.h>

#include "frontend/program.h"
#include "frontend/promotion.h"
#include "frontend/record.h"
#include "frontend/statics.h"

namespace weft {

using frontend::apply;
using frontend::bytes_of;
using frontend::Call;
using frontend::fail_type;
using frontend::Trace;
using In = std::span<const Array>;

namespace detail {

Array from_elements(DType dtype, const Shape& shape, const void* data, const Location& where) {
  const Call call("array", where);
  const ShapeDtype type{shape, dtype};
  return frontend::concrete(type, runtime::Buffer::copy_of(data, static_cast<std::size_t>(type.nbytes())));
}

Array borrowed(DType dtype, const Shape& shape, const void* data, Shared<Counted> keep_alive, const Location& where) {
  const Call call("view_of", where);
  const ShapeDtype type{shape, dtype};
  std::shared_ptr<const void> owner;
  if (keep_alive.get()) owner = std::make_shared<Shared<Counted>>(std::move(keep_alive));
  return frontend::concrete(
      type, runtime::Buffer::borrow(data, static_cast<std::size_t>(type.nbytes()), std::move(owner)));
}

void fail_ragged(const Location& where) {
  throw ShapeError("array: the lists have different lengths", where);
}

void check_element_count(const char* function, std::size_t given, const Shape& shape, const Location& where) {
  if (static_cast<std::int64_t>(given) != shape.size())
    throw ShapeError(fmt::format("{}: {} elements for the shape {}", function, given, shape.to_string()),
                     where);
}

}  // namespace detail

namespace {

Array filled(const char* function, const Shape& shape, DType dtype, double value, const Location& where) {
  const Call call(function, where);
  if (Trace::current()) return frontend::splat(dtype, shape, value);
  const ShapeDtype type{shape, dtype};
  const auto bytes = static_cast<std::size_t>(type.nbytes());
  if (value == 0) return frontend::concrete(type, runtime::Buffer::allocate_zeroed(bytes));
  alignas(16) std::byte element[16];
  frontend::convert_element(f64, &value, dtype, element);
  runtime::Buffer buffer = runtime::Buffer::allocate(bytes);
  const std::size_t step = size_of(dtype);
  for (std::size_t at = 0; at < bytes; at += step) std::memcpy(buffer.data() + at, element, step);
  return frontend::concrete(type, std::move(buffer));
}

// A number that decides a shape or a step: known while tracing.
double known_number(const Operand& x, const char* what) {
  if (x.value.is_traced())
    throw TraceError(fmt::format("{}: {} must be known while tracing; here it is a traced {}",
                                 Call::function(), what, x.value.type().to_string()),
                     x.loc);
  if (x.value.size() != 1) frontend::fail_shape(fmt::format("{} must be one number", what));
  return frontend::element_as_double(x.value.dtype(), frontend::state_of(x.value).buffer.data());
}

constexpr double kLargestExactInteger = 9007199254740992.0;

std::int64_t count_between(double start, double stop, double step) {
  if (step == 0) frontend::fail_type("the step is 0");
  const double count = std::ceil((stop - start) / step);
  if (!(count <= kLargestExactInteger))
    frontend::fail_shape(fmt::format("{} to {} by {} is no finite range", start, stop, step));
  return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

// start + i * step for i below count.
Array progression(std::int64_t count, double start, double step, DType dtype, const Location& where) {
  return apply("arange", where, {}, bytes_of(count, start, step, dtype), [&](In) {
    const Shape shape{count};
    const bool is_plain = start == 0 && step == 1;
    if (is_plain) return frontend::record_iota(dtype, shape, 0);
    const DType wide = is_floating(dtype) && size_of(dtype) < 4 ? f32 : dtype;
    const Array i = frontend::record_iota(wide, shape, 0);
    const Array scaled = frontend::record(ir::Op::multiply, {i, frontend::splat(wide, shape, step)});
    const Array sum = frontend::record(ir::Op::add, {scaled, frontend::splat(wide, shape, start)});
    return frontend::convert_to(sum, dtype);
  });
}

}  // namespace

Array zeros(const Shape& shape, DType dtype, Location where) {
  return filled("zeros", shape, dtype, 0, where);
}
Array ones(const Shape& shape, DType dtype, Location where) { return filled("ones", shape, dtype, 1, where); }
Array empty(const Shape& shape, DType dtype, Location where) {
  return filled("empty", shape, dtype, 0, where);
}

Array full(const Shape& shape, const Operand& value, DType dtype) {
  const Call call("full", value.loc);
  return apply("full", value.loc, {&value.value, 1}, bytes_of(shape, dtype), [&](In in) {
    return frontend::as_weak(frontend::broadcast_trailing(frontend::convert_to(in[0], dtype), shape), false);
  });
}

Array full(const Shape& shape, const Operand& value) {
  const DType dtype = value.value.dtype();
  const bool narrows = value.value.is_weak();
  return full(shape, value, !narrows ? dtype : is_floating(dtype) ? f32 : is_integer(dtype) ? i32 : dtype);
}

Array zeros_like(const Operand& x) { return filled("zeros", x.value.shape(), x.value.dtype(), 0, x.loc); }
Array ones_like(const Operand& x) { return filled("ones", x.value.shape(), x.value.dtype(), 1, x.loc); }
Array full_like(const Operand& x, const Operand& value) {
  return full(x.value.shape(), Operand(value.value, x.loc), x.value.dtype());
}

namespace {

// Compares column with row number: the pattern of eye, tri, tril and triu.
Array diagonal_pattern(std::int64_t rows, std::int64_t columns, std::int64_t k, ir::Direction direction) {
  const Shape shape{rows, columns};
  const DType dtype = std::max(rows, columns) + std::abs(k) > INT32_MAX ? i64 : i32;
  const Array column = frontend::record_iota(dtype, shape, 1);
  const Array row = frontend::record_iota(dtype, shape, 0);
  const Array shifted =
      k == 0 ? row
             : frontend::record(ir::Op::add, {row, frontend::splat(dtype, shape, static_cast<double>(k))});
  return frontend::compare(direction, column, shifted);
}

Array patterned(const char* function, std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype,
                ir::Direction direction, const Location& where) {
  const Call call(function, where);
  if (rows < 0 || columns < 0) frontend::fail_shape(fmt::format("{} rows and {} columns", rows, columns));
  const Shape checked{rows, columns};  // too many elements are an error here
  k = std::clamp<std::int64_t>(k, -rows - columns, rows + columns);
  return apply(function, where, {}, bytes_of(rows, columns, k, dtype), [&](In) {
    return frontend::convert_to(diagonal_pattern(rows, columns, k, direction), dtype);
  });
}

Array triangle(const char* function, const Operand& x, std::int64_t k, ir::Direction direction,
               std::int64_t offset) {
  const Call call(function, x.loc);
  if (x.value.ndim() < 2) frontend::fail_shape(fmt::format("{} is no matrix", x.value.type().to_string()));
  const std::int64_t rows = x.value.shape(-2), columns = x.value.shape(-1);
  k = std::clamp<std::int64_t>(k, -rows - columns, rows + columns) + offset;
  return apply(function, x.loc, {&x.value, 1}, bytes_of(k), [&](In in) {
    const Array keeps = diagonal_pattern(rows, columns, k, direction);
    return frontend::select(frontend::broadcast_trailing(keeps, frontend::type_of(in[0]).shape), in[0],
                            frontend::splat_like(in[0], 0));
  });
}

}  // namespace

Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, Location where) {
  return patterned("eye", rows, columns, k, dtype, ir::Direction::EQ, where);
}
Array eye(std::int64_t rows, DType dtype, Location where) { return eye(rows, rows, 0, dtype, where); }
Array identity(std::int64_t n, DType dtype, Location where) { return eye(n, n, 0, dtype, where); }
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype, Location where) {
  return patterned("tri", rows, columns, k, dtype, ir::Direction::LE, where);
}
Array tril(const Operand& x, std::int64_t k) { return triangle("tril", x, k, ir::Direction::LE, 0); }
Array triu(const Operand& x, std::int64_t k) { return triangle("triu", x, k, ir::Direction::GE, 0); }

namespace detail {

Array arange_of(const Operand& start, const Operand& stop, const Operand& step, const DType* dtype) {
  const Call call("arange", stop.loc);
  const double from = known_number(start, "start"), to = known_number(stop, "stop"),
               by = known_number(step, "step");
  const std::int64_t count = count_between(from, to, by);
  const Array all[] = {start.value, stop.value, step.value};
  const frontend::Promoted promoted = frontend::promote(all);
  DType result = promoted.dtype;
  if (promoted.is_weak && is_floating(result)) result = f32;
  if (promoted.is_weak && is_integer(result))
    result = std::fmax(std::fabs(from), std::fabs(to)) > 2147483647.0 ? i64 : i32;
  return progression(count, from, by, dtype ? *dtype : result, stop.loc);
}

}  // namespace detail

Array linspace(const Operand& start, const Operand& stop, std::int64_t count, LinspaceOptions options) {
  const Call call("linspace", start.loc);
  if (count < 0) frontend::fail_shape(fmt::format("{} points", count));
  const Array ends[] = {start.value, stop.value};
  return apply("linspace", start.loc, ends, bytes_of(count, options.endpoint, options.dtype), [&](In in) {
    const DType wide = is_floating(options.dtype) && size_of(options.dtype) >= 4 ? options.dtype : f32;
    const std::int64_t steps = options.endpoint ? count - 1 : count;
    const Shape shape{count};
    const std::vector<Array> both = frontend::broadcast_all(in, wide);
    if (frontend::type_of(both[0]).shape.rank() != 0) frontend::fail_shape("start and stop must be numbers");
    const Array first = frontend::broadcast_in_dim(both[0], shape, {}),
                last = frontend::broadcast_in_dim(both[1], shape, {});
    if (steps <= 0) return frontend::as_weak(frontend::convert_to(first, options.dtype), false);
    // As JAX: both ends weighted, so that the last point is exactly `stop`.
    const Array position = frontend::record_iota(wide, shape, 0);
    const Array part = frontend::record(ir::Op::divide,
                                        {position, frontend::splat(wide, shape, static_cast<double>(steps))});
    const Array rest = frontend::record(ir::Op::subtract, {frontend::splat(wide, shape, 1), part});
    const Array point = frontend::record(ir::Op::add, {frontend::record(ir::Op::multiply, {first, rest}),
                                                       frontend::record(ir::Op::multiply, {last, part})});
    return frontend::as_weak(frontend::convert_to(point, options.dtype), false);
  });
}

Array logspace(const Operand& start, const Operand& stop, std::int64_t count, LinspaceOptions options) {
  const Call call("logspace", start.loc);
  const Array exponents = linspace(start, stop, count, options);
  return power(full_like(exponents, 10), exponents);
}

Array iota(DType dtype, const Shape& shape, int axis, Location where) {
  const Call call("iota", where);
  const int which = frontend::normalize_axis(axis, shape.rank());
  return apply("iota", where, {}, bytes_of(dtype, shape, which),
               [&](In) { return frontend::record_iota(dtype, shape, which); });
}

std::vector<Array> indices(const Shape& shape, DType dtype, Location where) {
  const Call call("indices", where);
  std::vector<Array> result;
  for (int axis = 0; axis < shape.rank(); ++axis) result.push_back(iota(dtype, shape, axis, where));
  return result;
}

std::vector<Array> meshgrid(const std::vector<Array>& axes, Location where) {
  const Call call("meshgrid", where);
  const auto rank = static_cast<int>(axes.size());
  std::vector<std::int64_t> extents;
  for (const Array& axis : axes) extents.push_back(axis.size());
  if (rank >= 2) std::swap(extents[0], extents[1]);
  std::vector<Array> result;
  for (int i = 0; i < rank; ++i) {
    const int place = rank >= 2 && i < 2 ? 1 - i : i;
    std::vector<std::int64_t> own(axes.size(), 1);
    own[static_cast<std::size_t>(place)] = axes[static_cast<std::size_t>(i)].size();
    const Array column = reshape(Operand(axes[static_cast<std::size_t>(i)], where), Shape(own));
    result.push_back(broadcast_to(Operand(column, where), Shape(extents)));
  }
  return result;
}

}  // namespace weft
