// Reductions: one StableHLO reduce each, with what surrounds it; argmin and argmax reduce value and position
// together.
#include <weft/reductions.h>

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <weft/elementwise.h>
#include <weft/shaping.h>

#include "compiler/ir/reductions.h"
#include "frontend/elementwise.h"
#include "frontend/reduction_parts.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

template <class Options>
Axes axes_in(const Options& options) {
  const detail::AxisSlot slots[] = {options.a0, options.a1, options.a2, options.a3,
                                    options.a4, options.a5, options.a6, options.a7};
  Axes axes = options.axis;
  for (const detail::AxisSlot& slot : slots)
    if (slot.is_set) axes.add(slot.axis);
  return axes;
}

std::string static_bytes(const std::vector<int>& axes, bool keepdims) {
  std::string bytes(1, keepdims ? 1 : 0);
  for (const int axis : axes) bytes.push_back(static_cast<char>(axis));
  return bytes;
}

template <class Body>
Array reduction(const char* function, const Operand& x, const Axes& given, bool keepdims, const Body& body) {
  const Call call(function, x.loc);
  const std::vector<int> axes = normalize_axes(given, x.value.ndim());
  return apply(function, x.loc, {&x.value, 1}, static_bytes(axes, keepdims), [&](In in) -> Array {
    const Array result = body(in[0], axes);
    return keepdims ? reshape_to(result, kept_shape(type_of(in[0]).shape, axes)) : result;
  });
}

void check_not_empty(const Array& x, const std::vector<int>& axes) {
  for (const int axis : axes)
    if (type_of(x).shape[axis] == 0)
      fail_shape(fmt::format("{} has no elements along axis {}", type_of(x).to_string(), axis));
}

// Booleans and integers narrower than i32 add up as i32 or u32.
Array widened(const Array& x) {
  const DType dtype = type_of(x).dtype;
  if (dtype == b1) return convert_to(x, i32);
  if (is_integer(dtype) && size_of(dtype) < 4) return convert_to(x, is_unsigned(dtype) ? u32 : i32);
  return x;
}

Array as_inexact(const Array& x) { return convert_to(x, to_inexact({type_of(x).dtype, false}).dtype); }

Array nan_replaced(const Array& x, double value) {
  if (!is_floating(type_of(x).dtype)) return x;
  return select(compare(ir::Direction::NE, x, x), splat_like(x, value), x);
}

double count_of(const Array& x, const std::vector<int>& axes) {
  double count = 1;
  for (const int axis : axes) count *= static_cast<double>(type_of(x).shape[axis]);
  return count;
}

Array divided(const Array& x, double by) { return record(ir::Op::divide, {x, splat_like(x, by)}); }

Array mean_of(const Array& given, const std::vector<int>& axes) {
  const Array x = as_inexact(given);
  const Array wide = is_half(type_of(x).dtype) ? convert_to(x, f32) : x;
  return convert_to(divided(reduce_with(ir::ReductionKind::sum, wide, axes), count_of(x, axes)),
                    type_of(x).dtype);
}

// x less its mean, squared, averaged: two passes over x, so nothing cancels.
Array variance_of(const Array& given, const std::vector<int>& axes, double ddof) {
  const Array x = as_inexact(given);
  const Array wide = is_half(type_of(x).dtype) ? convert_to(x, f32) : x;
  const Array center = divided(reduce_with(ir::ReductionKind::sum, wide, axes), count_of(x, axes));
  const Array kept = reshape_to(center, kept_shape(type_of(x).shape, axes));
  const Array distance = record(ir::Op::subtract, {wide, broadcast_trailing(kept, type_of(x).shape)});
  const Array squares = record(ir::Op::multiply, {distance, distance});
  const double divisor = std::fmax(count_of(x, axes) - ddof, 0);
  return convert_to(divided(reduce_with(ir::ReductionKind::sum, squares, axes), divisor), type_of(x).dtype);
}

Array logsumexp_of(const Array& given, const std::vector<int>& axes) {
  const Array x = as_inexact(given);
  const Array largest = reduce_with(ir::ReductionKind::maximum, x, axes);
  const Array shift = select(record(ir::Op::is_finite, {largest}), largest, splat_like(largest, 0));
  const Array kept =
      broadcast_trailing(reshape_to(shift, kept_shape(type_of(x).shape, axes)), type_of(x).shape);
  const Array terms = record(ir::Op::exponential, {record(ir::Op::subtract, {x, kept})});
  return record(ir::Op::add,
                {record(ir::Op::log, {reduce_with(ir::ReductionKind::sum, terms, axes)}), shift});
}

Array nan_extremum(const Array& x, const std::vector<int>& axes, bool is_minimum) {
  const ir::ReductionKind kind = is_minimum ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
  check_not_empty(x, axes);
  if (!is_floating(type_of(x).dtype)) return reduce_with(kind, x, axes);
  const double infinity = std::numeric_limits<double>::infinity();
  const Array result = reduce_with(kind, nan_replaced(x, is_minimum ? infinity : -infinity), axes);
  const Array only_nan = reduce_with(ir::ReductionKind::all, compare(ir::Direction::NE, x, x), axes);
  return select(only_nan, splat_like(result, std::numeric_limits<double>::quiet_NaN()), result);
}

Array extremum_position(const char* function, const Operand& x, const ReduceOptions& options,
                        bool is_minimum) {
  const Call call(function, x.loc);
  const Axes axes = axes_in(options);
  if (!axes.all() && axes.count() != 1) fail_index("takes one axis, or none for the flattened array");
  return reduction(function, x, axes, options.keepdims, [&](const Array& in, const std::vector<int>& which) {
    check_not_empty(in, which);
    if (!axes.all()) return position_of_extremum(in, which[0], is_minimum);
    return position_of_extremum(reshape_to(in, Shape{type_of(in).size()}), 0, is_minimum);
  });
}

Array square_root(const Array& x) { return record(ir::Op::sqrt, {x}); }

}  // namespace
}  // namespace frontend

using frontend::axes_in;
using frontend::reduce_with;
using frontend::reduction;
using ir::ReductionKind;

#define REDUCTION_OF(name, ...)                                                                   \
  Array name(const Operand& operand, const ReduceOptions& options) {                              \
    return reduction(#name, operand, axes_in(options), options.keepdims,                          \
                     []([[maybe_unused]] const Array& x,                                          \
                        [[maybe_unused]] const std::vector<int>& axes) -> Array { __VA_ARGS__ }); \
  }

REDUCTION_OF(sum, return reduce_with(ReductionKind::sum, frontend::widened(x), axes);)
REDUCTION_OF(prod, return reduce_with(ReductionKind::product, frontend::widened(x), axes);)
REDUCTION_OF(min, frontend::check_not_empty(x, axes); return reduce_with(ReductionKind::minimum, x, axes);)
REDUCTION_OF(max, frontend::check_not_empty(x, axes); return reduce_with(ReductionKind::maximum, x, axes);)
REDUCTION_OF(any, return reduce_with(ReductionKind::any, frontend::as_predicate(x), axes);)
REDUCTION_OF(all, return reduce_with(ReductionKind::all, frontend::as_predicate(x), axes);)
REDUCTION_OF(mean, return frontend::mean_of(x, axes);)
REDUCTION_OF(ptp, {
  frontend::check_not_empty(x, axes);
  return frontend::record(ir::Op::subtract, {reduce_with(ReductionKind::maximum, x, axes),
                                             reduce_with(ReductionKind::minimum, x, axes)});
})
REDUCTION_OF(count_nonzero, {
  return reduce_with(ReductionKind::sum, frontend::convert_to(frontend::as_predicate(x), i32), axes);
})
REDUCTION_OF(nansum,
             return reduce_with(ReductionKind::sum, frontend::nan_replaced(frontend::widened(x), 0), axes);)
REDUCTION_OF(nanprod, return reduce_with(ReductionKind::product,
                                         frontend::nan_replaced(frontend::widened(x), 1), axes);)
REDUCTION_OF(nanmin, return frontend::nan_extremum(x, axes, true);)
REDUCTION_OF(nanmax, return frontend::nan_extremum(x, axes, false);)
REDUCTION_OF(nanmean, {
  const Array f = frontend::as_inexact(x);
  const Array numbers =
      frontend::convert_to(frontend::compare(ir::Direction::EQ, f, f), frontend::type_of(f).dtype);
  return frontend::record(ir::Op::divide,
                          {reduce_with(ReductionKind::sum, frontend::nan_replaced(f, 0), axes),
                           reduce_with(ReductionKind::sum, numbers, axes)});
})
REDUCTION_OF(logsumexp, return frontend::logsumexp_of(x, axes);)
Array amin(const Operand& x, const ReduceOptions& options) { return min(x, options); }
Array amax(const Operand& x, const ReduceOptions& options) { return max(x, options); }
Array argmin(const Operand& x, const ReduceOptions& options) {
  return frontend::extremum_position("argmin", x, options, true);
}
Array argmax(const Operand& x, const ReduceOptions& options) {
  return frontend::extremum_position("argmax", x, options, false);
}

namespace {

Array variance(const char* function, const Operand& x, const VarianceOptions& options,
               Array (*finish)(const Array&)) {
  const frontend::Call call(function, x.loc);
  const std::vector<int> axes = frontend::normalize_axes(axes_in(options), x.value.ndim());
  std::string statics = frontend::static_bytes(axes, options.keepdims);
  statics.append(reinterpret_cast<const char*>(&options.ddof), sizeof options.ddof);
  return frontend::apply(function, x.loc, {&x.value, 1}, statics, [&](std::span<const Array> in) {
    const Array result = finish(frontend::variance_of(in[0], axes, options.ddof));
    const Shape kept = frontend::kept_shape(frontend::type_of(in[0]).shape, axes);
    return options.keepdims ? frontend::reshape_to(result, kept) : result;
  });
}

}  // namespace

Array var(const Operand& x, const VarianceOptions& options) {
  return variance("var", x, options, [](const Array& v) { return v; });
}
Array std(const Operand& x, const VarianceOptions& options) {
  return variance("std", x, options, [](const Array& v) { return frontend::square_root(v); });
}

Array average(const Operand& x, const Operand& weights, const AverageOptions& options) {
  const frontend::Call call("average", x.loc);
  const Array wide = broadcast_to(weights, multiply(x, weights).shape());
  const ReduceOptions reduce{.axis = options.axis, .keepdims = options.keepdims};
  return divide(sum(multiply(x, weights), reduce), sum(wide, reduce));
}

#define MEMBER(name)                                                      \
  Array Array::name(const ReduceOptions& options, Location where) const { \
    return weft::name(Operand(*this, where), options);                    \
  }
MEMBER(sum)
MEMBER(prod)
MEMBER(min)
MEMBER(max)
MEMBER(mean)
MEMBER(any)
MEMBER(all)
MEMBER(argmin)
MEMBER(argmax)
#undef MEMBER

}  // namespace weft
