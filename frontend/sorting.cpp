// Orders and medians: one sort each, with what surrounds it.
#include <weft/sorting.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "frontend/elementwise.h"
#include "frontend/reduction_parts.h"
#include "frontend/sorting_parts.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

// The part [first, last) of one axis.
Array part_of(const Array& x, int axis, std::int64_t first, std::int64_t last) {
  const Shape& shape = type_of(x).shape;
  ir::SliceAttributes slice{
      ir::Dims(static_cast<std::size_t>(shape.rank()), 0), {shape.begin(), shape.end()}, {}};
  slice.stride.assign(slice.start.size(), 1);
  slice.start[static_cast<std::size_t>(axis)] = first;
  slice.limit[static_cast<std::size_t>(axis)] = last;
  return record(ir::Op::slice, {x}, std::move(slice));
}

// The other axes in order, then the reduced ones as one.
Array reduced_as_last(const Array& x, const std::vector<int>& axes) {
  const Shape& shape = type_of(x).shape;
  ir::Dims permutation;
  std::vector<std::int64_t> extents;
  std::int64_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      count *= shape[axis];
      continue;
    }
    permutation.push_back(axis);
    extents.push_back(shape[axis]);
  }
  permutation.insert(permutation.end(), axes.begin(), axes.end());
  extents.push_back(count);
  return reshape_to(record(ir::Op::transpose, {x}, ir::TransposeAttributes{std::move(permutation)}),
                    Shape(extents));
}

// One element of the last axis, which is gone.
Array element_of_last(const Array& x, std::int64_t position) {
  const Shape& shape = type_of(x).shape;
  const std::vector<std::int64_t> rest(shape.begin(), shape.end() - 1);
  return reshape_to(part_of(x, shape.rank() - 1, position, position + 1), Shape(rest));
}

Array median_of(const Array& given, const std::vector<int>& axes) {
  const Array x = as_weak(convert_to(given, to_inexact({type_of(given).dtype, false}).dtype), false);
  const Array line = reduced_as_last(x, axes);
  const Shape& shape = type_of(line).shape;
  const std::int64_t count = shape[shape.rank() - 1];
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (count == 0) {
    const std::vector<std::int64_t> rest(shape.begin(), shape.end() - 1);
    return splat(type_of(x).dtype, Shape(rest), nan);
  }
  const Array sorted = sort_by({&line, 1}, shape.rank() - 1, {})[0];
  const Array low = element_of_last(sorted, (count - 1) / 2), high = element_of_last(sorted, count / 2);
  const Array sum = record(ir::Op::add, {low, high});
  const Array middle = count % 2 == 1 ? low : record(ir::Op::multiply, {sum, splat_like(sum, 0.5)});
  const Array last = element_of_last(sorted, count - 1);  // NaN if there is one
  return select(compare(ir::Direction::NE, last, last), splat_like(middle, nan), middle);
}

std::vector<int> axes_in(const ReduceOptions& options, int rank) {
  Axes axes = options.axis;
  for (const detail::AxisSlot& slot :
       {options.a0, options.a1, options.a2, options.a3, options.a4, options.a5, options.a6, options.a7})
    if (slot.is_set) axes.add(slot.axis);
  return normalize_axes(axes, rank);
}

}  // namespace
}  // namespace frontend

using frontend::apply;
using frontend::apply_all;
using frontend::bytes_of;
using frontend::Call;
using frontend::sort_by;
using frontend::type_of;
using In = std::span<const Array>;

Array sort(const Operand& x, int axis, SortOptions options) {
  const Call call("sort", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  return apply("sort", x.loc, {&x.value, 1}, bytes_of(which, options.descending, options.stable), [&](In in) {
    return sort_by(in, which, {1, options.descending, options.stable})[0];
  });
}

Array argsort(const Operand& x, int axis, SortOptions options) {
  const Call call("argsort", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  return apply("argsort", x.loc, {&x.value, 1}, bytes_of(which, options.descending, options.stable),
               [&](In in) {
                 const Array both[] = {in[0], frontend::positions_along(type_of(in[0]).shape, which)};
                 return sort_by(both, which, {1, options.descending, options.stable})[1];
               });
}

Array lexsort(const std::vector<Array>& keys, int axis, Location where) {
  const Call call("lexsort", where);
  if (keys.empty()) frontend::fail_type("there is no key");
  for (const Array& key : keys)
    if (key.shape() != keys[0].shape())
      frontend::fail_shape(fmt::format("keys of different shapes: {}", frontend::describe(keys)));
  const int which = frontend::normalize_axis(axis, keys[0].ndim());
  return apply("lexsort", where, keys, bytes_of(which), [&](In in) {
    std::vector<Array> operands(in.rbegin(), in.rend());
    operands.push_back(frontend::positions_along(type_of(in[0]).shape, which));
    return sort_by(operands, which, {in.size(), false, true}).back();
  });
}

std::pair<Array, Array> top_k(const Operand& x, std::int64_t k) {
  const Call call("top_k", x.loc);
  const int axis = x.value.ndim() - 1;
  if (axis < 0) frontend::fail_shape(fmt::format("{} has no axis", x.value.type().to_string()));
  if (k < 0 || k > x.value.shape(axis))
    frontend::fail_shape(fmt::format("k = {} of {}", k, x.value.type().to_string()));
  const std::vector<Array> both = apply_all("top_k", x.loc, {&x.value, 1}, bytes_of(k), [&](In in) {
    const Array operands[] = {in[0], frontend::positions_along(type_of(in[0]).shape, axis)};
    std::vector<Array> sorted = sort_by(operands, axis, {1, true, true});
    for (Array& each : sorted) each = frontend::part_of(each, axis, 0, k);
    return sorted;
  });
  return {both[0], both[1]};
}

Array median(const Operand& x, const ReduceOptions& options) {
  const Call call("median", x.loc);
  const std::vector<int> axes = frontend::axes_in(options, x.value.ndim());
  return apply("median", x.loc, {&x.value, 1}, bytes_of(axes, options.keepdims), [&](In in) {
    const Array result = frontend::median_of(in[0], axes);
    return options.keepdims ? frontend::reshape_to(result, frontend::kept_shape(type_of(in[0]).shape, axes))
                            : result;
  });
}

Array diff(const Operand& x, int n, int axis) {
  const Call call("diff", x.loc);
  if (n < 0) frontend::fail_type(fmt::format("{} times", n));
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  if (n == 0) return x.value;
  return apply("diff", x.loc, {&x.value, 1}, bytes_of(n, which), [&](In in) {
    Array result = frontend::as_weak(in[0], false);
    for (int i = 0; i < n; ++i) {
      const std::int64_t extent = type_of(result).shape[which];
      const Array behind = frontend::part_of(result, which, std::min<std::int64_t>(extent, 1), extent);
      const Array before = frontend::part_of(result, which, 0, std::max<std::int64_t>(extent - 1, 0));
      result = type_of(result).dtype == b1 ? frontend::compare(ir::Direction::NE, behind, before)
                                           : frontend::record(ir::Op::subtract, {behind, before});
    }
    return result;
  });
}

std::vector<Array> lax::sort(const std::vector<Array>& operands, int dimension, bool is_stable, int num_keys,
                             Location where) {
  const Call call("sort", where);
  if (operands.empty()) frontend::fail_type("there is no operand");
  if (num_keys < 1 || num_keys > static_cast<int>(operands.size()))
    frontend::fail_type(fmt::format("{} keys among {} operands", num_keys, operands.size()));
  const int which = frontend::normalize_axis(dimension, operands[0].ndim());
  return apply_all("lax.sort", where, operands, bytes_of(which, is_stable, num_keys), [&](In in) {
    return sort_by(in, which, {static_cast<std::size_t>(num_keys), false, is_stable});
  });
}

std::pair<Array, Array> lax::sort_key_val(const Operand& keys, const Operand& values, int dimension) {
  const Call call("sort_key_val", keys.loc);
  const std::vector<Array> both = sort({keys.value, values.value}, dimension, true, 1, keys.loc);
  return {both[0], both[1]};
}

}  // namespace weft
