// Reshaping, transposing, repeating and reversing.
#include <weft/shaping.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "frontend/program.h"
#include "frontend/record.h"
#include "frontend/statics.h"

namespace weft {

using frontend::apply;
using frontend::bytes_of;
using frontend::Call;
using frontend::record;
using frontend::type_of;
using In = std::span<const Array>;

namespace {

// The extents of `x` under a shape that may leave one extent to be found.
Shape resolved(const Array& x, const Extents& extents) {
  std::vector<std::int64_t> values = extents.values;
  const auto unknown = std::find(values.begin(), values.end(), -1);
  const auto text = [&] {
    return fmt::format("{} to [{}]", type_of(x).to_string(), fmt::join(extents.values, ","));
  };
  std::int64_t known = 1;
  for (const std::int64_t& v : values) {
    if (v < -1 || (v == -1 && &v != &*unknown))
      frontend::fail_shape(text() + ": at most one extent may be -1");
    if (v >= 0 && __builtin_mul_overflow(known, v, &known))
      frontend::fail_shape(text() + ": too many elements");
  }
  const std::int64_t size = type_of(x).size();
  if (unknown != values.end()) {
    if (known == 0 || size % known != 0) frontend::fail_shape(text() + ": the elements do not divide evenly");
    *unknown = size / known;
  } else if (known != size) {
    frontend::fail_shape(text() + ": the numbers of elements differ");
  }
  return Shape(values);
}

Array reshaped(const char* function, const Operand& x, const Shape& shape) {
  return apply(function, x.loc, {&x.value, 1}, bytes_of(shape),
               [&](In in) { return frontend::reshape_to(in[0], shape); });
}

Array transposed(const char* function, const Operand& x, const ir::Dims& permutation) {
  return apply(function, x.loc, {&x.value, 1}, bytes_of(permutation), [&](In in) {
    if (std::is_sorted(permutation.begin(), permutation.end())) return in[0];
    return frontend::as_weak(record(ir::Op::transpose, {in[0]}, ir::TransposeAttributes{permutation}),
                             in[0].is_weak());
  });
}

ir::Dims identity(int rank) {
  ir::Dims permutation(static_cast<std::size_t>(rank));
  std::iota(permutation.begin(), permutation.end(), 0);
  return permutation;
}

std::vector<int> in_order(const Axes& axes, int rank) {
  std::vector<int> result;
  for (int i = 0; i < axes.count(); ++i) {
    const int axis = frontend::normalize_axis(axes[i], rank);
    if (std::find(result.begin(), result.end(), axis) != result.end())
      frontend::fail_index(fmt::format("axis {} is named twice", axis));
    result.push_back(axis);
  }
  return result;
}

}  // namespace

Array reshape(const Operand& x, const Extents& extents) {
  const Call call("reshape", x.loc);
  return reshaped("reshape", x, resolved(x.value, extents));
}

Array ravel(const Operand& x) { return reshaped("reshape", x, Shape{x.value.size()}); }

Array transpose(const Operand& x) {
  ir::Dims permutation = identity(x.value.ndim());
  std::reverse(permutation.begin(), permutation.end());
  return transposed("transpose", x, permutation);
}

Array transpose(const Operand& x, const Axes& permutation) {
  const Call call("transpose", x.loc);
  if (permutation.all()) return transpose(x);
  const std::vector<int> axes = in_order(permutation, x.value.ndim());
  if (static_cast<int>(axes.size()) != x.value.ndim())
    frontend::fail_index(fmt::format("{} axes for {}", axes.size(), type_of(x.value).to_string()));
  return transposed("transpose", x, {axes.begin(), axes.end()});
}
Array permute_dims(const Operand& x, const Axes& permutation) { return transpose(x, permutation); }

Array swapaxes(const Operand& x, int first, int second) {
  const Call call("swapaxes", x.loc);
  const int rank = x.value.ndim();
  ir::Dims permutation = identity(rank);
  std::swap(permutation[static_cast<std::size_t>(frontend::normalize_axis(first, rank))],
            permutation[static_cast<std::size_t>(frontend::normalize_axis(second, rank))]);
  return transposed("transpose", x, permutation);
}
Array matrix_transpose(const Operand& x) { return swapaxes(x, -1, -2); }

Array moveaxis(const Operand& x, const Axes& source, const Axes& destination) {
  const Call call("moveaxis", x.loc);
  const int rank = x.value.ndim();
  const std::vector<int> from = in_order(source, rank), to = in_order(destination, rank);
  if (from.size() != to.size()) frontend::fail_index("as many axes to move as places to move them to");
  ir::Dims permutation(static_cast<std::size_t>(rank), -1);
  for (std::size_t i = 0; i < from.size(); ++i) permutation[static_cast<std::size_t>(to[i])] = from[i];
  int next = 0;
  for (std::int64_t& axis : permutation) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = next++;
  }
  return transposed("transpose", x, permutation);
}

Array squeeze(const Operand& x, const Axes& axes) {
  const Call call("squeeze", x.loc);
  const Shape& shape = type_of(x.value).shape;
  const std::vector<int> dropped =
      axes.all() ? std::vector<int>() : frontend::normalize_axes(axes, shape.rank());
  std::vector<std::int64_t> extents;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const bool drops =
        axes.all() ? shape[axis] == 1 : std::find(dropped.begin(), dropped.end(), axis) != dropped.end();
    if (drops && shape[axis] != 1)
      frontend::fail_shape(fmt::format("axis {} of {} is not 1", axis, type_of(x.value).to_string()));
    if (!drops) extents.push_back(shape[axis]);
  }
  return reshaped("reshape", x, Shape(extents));
}

Array expand_dims(const Operand& x, const Axes& axes) {
  const Call call("expand_dims", x.loc);
  const Shape& shape = type_of(x.value).shape;
  const int rank = shape.rank() + axes.count();
  if (rank > kMaxRank) frontend::fail_shape(fmt::format("{} axes are more than {}", rank, kMaxRank));
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  if (axes.count() > 0)
    for (const int axis : frontend::normalize_axes(axes, rank)) extents.insert(extents.begin() + axis, 1);
  return reshaped("reshape", x, Shape(extents));
}

Array broadcast_to(const Operand& x, const Shape& shape) {
  return apply("broadcast_to", x.loc, {&x.value, 1}, bytes_of(shape),
               [&](In in) { return frontend::broadcast_trailing(in[0], shape); });
}

std::vector<Array> broadcast_arrays(const std::vector<Array>& arrays, Location where) {
  const Call call("broadcast_arrays", where);
  std::vector<Array> result;
  if (arrays.empty()) return result;
  const Shape shape = frontend::broadcast_shapes_of(arrays);
  for (const Array& x : arrays) result.push_back(broadcast_to(Operand(x, where), shape));
  return result;
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Array both[] = {frontend::abstract({a, f32}), frontend::abstract({b, f32})};
  return frontend::broadcast_shapes_of(both);
}

Array flip(const Operand& x, const Axes& axes) {
  const Call call("flip", x.loc);
  const std::vector<int> which = frontend::normalize_axes(axes, x.value.ndim());
  return apply("flip", x.loc, {&x.value, 1}, bytes_of(which), [&](In in) {
    if (which.empty()) return in[0];
    return record(ir::Op::reverse, {in[0]}, ir::ReverseAttributes{{which.begin(), which.end()}});
  });
}

Array repeat(const Operand& x, std::int64_t repeats, const Axes& axis) {
  const Call call("repeat", x.loc);
  if (axis.all() && x.value.ndim() != 1) return repeat(ravel(x), repeats, Axes(0));
  if (!axis.all() && axis.count() != 1) frontend::fail_index("takes one axis");
  if (repeats < 0) frontend::fail_shape(fmt::format("{} repetitions", repeats));
  const Shape shape = x.value.shape();
  const int which = axis.all() ? 0 : frontend::normalize_axis(axis[0], shape.rank());
  std::vector<std::int64_t> wide(shape.begin(), shape.end()), merged = wide;
  wide.insert(wide.begin() + which + 1, repeats);
  std::int64_t& extent = merged[static_cast<std::size_t>(which)];
  if (__builtin_mul_overflow(extent, repeats, &extent)) frontend::fail_shape("too many elements");
  return reshape(broadcast_to(expand_dims(x, which + 1), Shape(wide)), Shape(merged));
}

Array tile(const Operand& x, const Extents& repetitions) {
  const Call call("tile", x.loc);
  Shape shape = x.value.shape();
  std::vector<std::int64_t> counts = repetitions.values, extents(shape.begin(), shape.end());
  for (std::int64_t count : counts)
    if (count < 0) frontend::fail_shape(fmt::format("{} repetitions", count));
  while (counts.size() < extents.size()) counts.insert(counts.begin(), 1);
  while (extents.size() < counts.size()) extents.insert(extents.begin(), 1);
  std::vector<std::int64_t> separate, wide, merged;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    separate.insert(separate.end(), {1, extents[i]});
    wide.insert(wide.end(), {counts[i], extents[i]});
    if (__builtin_mul_overflow(counts[i], extents[i], &merged.emplace_back()))
      frontend::fail_shape("too many elements");
  }
  return reshape(broadcast_to(reshape(x, Shape(separate)), Shape(wide)), Shape(merged));
}

Array atleast_1d(const Operand& x) { return x.value.ndim() >= 1 ? x.value : reshape(x, {1}); }
Array atleast_2d(const Operand& x) {
  return x.value.ndim() >= 2 ? x.value : reshape(x, {std::int64_t{1}, x.value.size()});
}

#define MEMBER(name) \
  Array Array::name(Location where) const { return weft::name(Operand(*this, where)); }
MEMBER(ravel)
MEMBER(transpose)
MEMBER(squeeze)
#undef MEMBER
Array Array::T(Location where) const { return weft::transpose(Operand(*this, where)); }
Array Array::transpose(std::initializer_list<int> axes, Location where) const {
  return weft::transpose(Operand(*this, where), Axes(axes));
}
Array Array::reshape(const Extents& extents, Location where) const {
  return weft::reshape(Operand(*this, where), extents);
}

}  // namespace weft
