// Elements picked by position: take, roll, diagonals; all are indexing.
#include <algorithm>

#include <fmt/format.h>

#include <weft/creation.h>
#include <weft/elementwise.h>
#include <weft/reductions.h>
#include <weft/shaping.h>

#include "frontend/call.h"
#include "frontend/record.h"

namespace weft {

using frontend::Call;

namespace {

// x indexed by `index` at one axis and whole at the others.
Array index_one_axis(const Array& x, int axis, const Index& index, const Location& where) {
  std::vector<Index> indices(static_cast<std::size_t>(axis), Index(_, where));
  indices.push_back(index);
  return detail::index_array(x, indices.data(), indices.size());
}

int single_axis(const Axes& axes, int rank) {
  if (axes.count() != 1) frontend::fail_index("takes one axis");
  return frontend::normalize_axis(axes[0], rank);
}

}  // namespace

Array take(const Operand& x, const Operand& indices, const Axes& axis) {
  const Call call("take", x.loc);
  if (axis.all()) return index_one_axis(ravel(x), 0, Index(indices.value, x.loc), x.loc);
  return index_one_axis(x.value, single_axis(axis, x.value.ndim()), Index(indices.value, x.loc), x.loc);
}

Array take_along_axis(const Operand& x, const Operand& indices, int axis) {
  const Call call("take_along_axis", x.loc);
  const int rank = x.value.ndim();
  const int which = frontend::normalize_axis(axis, rank);
  if (indices.value.ndim() != rank)
    frontend::fail_shape(
        fmt::format("indices {} for {}", indices.value.type().to_string(), x.value.type().to_string()));
  std::vector<Index> all;
  for (int a = 0; a < rank; ++a) {
    if (a == which) {
      all.emplace_back(indices.value, x.loc);
      continue;
    }
    if (indices.value.shape(a) != x.value.shape(a) && indices.value.shape(a) != 1)
      frontend::fail_shape(
          fmt::format("indices {} for {}", indices.value.type().to_string(), x.value.type().to_string()));
    std::vector<std::int64_t> extents(static_cast<std::size_t>(rank), 1);
    extents[static_cast<std::size_t>(a)] = x.value.shape(a);
    all.emplace_back(reshape(arange(Operand(x.value.shape(a), x.loc)), Shape(extents)), x.loc);
  }
  return detail::index_array(x.value, all.data(), all.size());
}

Array roll(const Operand& x, std::int64_t shift, const Axes& axis) {
  const Call call("roll", x.loc);
  if (axis.all()) return reshape(roll(ravel(x), shift, Axes(0)), x.value.shape());
  const int which = single_axis(axis, x.value.ndim());
  const std::int64_t extent = x.value.shape(which);
  if (extent == 0 || shift % extent == 0) return x.value;
  const Array source =
      remainder(arange(Operand(extent, x.loc)) - Operand(shift % extent, x.loc), Operand(extent, x.loc));
  return index_one_axis(x.value, which, Index(source, x.loc), x.loc);
}

Array diagonal(const Operand& x) {
  const Call call("diagonal", x.loc);
  if (x.value.ndim() != 2) frontend::fail_shape(fmt::format("{} is no matrix", x.value.type().to_string()));
  const Array i = arange(Operand(std::min(x.value.shape(0), x.value.shape(1)), x.loc));
  const Index both[] = {Index(i, x.loc), Index(i, x.loc)};
  return detail::index_array(x.value, both, 2);
}

Array trace(const Operand& x) {
  const Call call("trace", x.loc);
  return sum(Operand(diagonal(x), x.loc));
}

Array diag(const Operand& x) {
  const Call call("diag", x.loc);
  if (x.value.ndim() == 2) return diagonal(x);
  if (x.value.ndim() != 1)
    frontend::fail_shape(fmt::format("{} is neither vector nor matrix", x.value.type().to_string()));
  const std::int64_t n = x.value.size();
  return where(Operand(eye(n, b1, x.loc), x.loc), broadcast_to(x, Shape{n, n}),
               zeros({}, x.value.dtype(), x.loc));
}

}  // namespace weft
