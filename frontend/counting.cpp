// Searching in what is sorted, and counting: searchsorted, bincount, histogram.
#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include <weft/creation.h>
#include <weft/elementwise.h>
#include <weft/reductions.h>
#include <weft/shaping.h>
#include <weft/sorting.h>

#include "frontend/elementwise.h"
#include "frontend/reduction_parts.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

// a < b, with NaN behind all numbers.
Array is_before(const Array& a, const Array& b) {
  const Array less = compare(ir::Direction::LT, a, b);
  if (!is_floating(type_of(a).dtype)) return less;
  const Array only_b =
      record(ir::Op::and_, {compare(ir::Direction::EQ, a, a), compare(ir::Direction::NE, b, b)});
  return record(ir::Op::or_, {less, only_b});
}

// Of a vector the elements at positions, which lie inside.
Array elements_at(const Array& vector, const Array& positions) {
  ir::GatherAttributes gather;
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = type_of(positions).shape.rank();
  gather.slice_sizes = {1};
  return record(ir::Op::gather, {vector, positions}, std::move(gather));
}

// How many elements lie before each value: a position that grows by halved steps, as long as the element that
// it passes does. The steps are known, so there is no loop.
Array search(const Array& sorted, const Array& values, Side side) {
  const std::int64_t count = type_of(sorted).size();
  const Shape& shape = type_of(values).shape;
  const DType dtype = count > std::numeric_limits<std::int32_t>::max() ? i64 : i32;
  Array position = splat(dtype, shape, 0);
  for (std::uint64_t step = std::bit_floor(static_cast<std::uint64_t>(count)); step > 0; step /= 2) {
    const Array next = record(ir::Op::add, {position, splat(dtype, shape, static_cast<double>(step))});
    const Array last = record(ir::Op::subtract, {next, splat(dtype, shape, 1)});
    const Array element = elements_at(sorted, last);
    const Array passes =
        side == Side::left ? is_before(element, values) : record(ir::Op::not_, {is_before(values, element)});
    const Array exists = compare(ir::Direction::LE, next, splat(dtype, shape, static_cast<double>(count)));
    position = select(record(ir::Op::and_, {passes, exists}), next, position);
  }
  return position;
}

// sum of weights[j] over the j where bins[j] == i, for every i below count.
Array counts_of(const Array& bins, const Array& weights, std::int64_t count) {
  const std::int64_t size = type_of(bins).size();
  const Shape all{count, size};
  const Array number = record_iota(type_of(bins).dtype, all, 0);
  const Array is_here = compare(ir::Direction::EQ, broadcast_in_dim(bins, all, {1}), number);
  const Array counted = broadcast_in_dim(weights, all, {1});
  return reduce_with(ir::ReductionKind::sum, select(is_here, counted, splat_like(counted, 0)), {1});
}

}  // namespace
}  // namespace frontend

using frontend::apply;
using frontend::bytes_of;
using frontend::Call;
using frontend::type_of;
using In = std::span<const Array>;

Array searchsorted(const Operand& sorted, const Operand& values, SearchOptions options) {
  const Call call("searchsorted", sorted.loc);
  if (sorted.value.ndim() != 1)
    frontend::fail_shape(fmt::format("{} is no vector", sorted.value.type().to_string()));
  const Array both[] = {sorted.value, values.value};
  return apply("searchsorted", sorted.loc, both, bytes_of(options.side), [&](In in) {
    const DType dtype = frontend::promote(in).dtype;
    return frontend::search(frontend::as_weak(frontend::convert_to(in[0], dtype), false),
                            frontend::as_weak(frontend::convert_to(in[1], dtype), false), options.side);
  });
}

Array bincount(const Operand& x, const BincountOptions& options) {
  const Call call("bincount", x.loc);
  if (x.value.ndim() != 1) frontend::fail_shape(fmt::format("{} is no vector", x.value.type().to_string()));
  if (x.value.dtype() != b1 && !is_integer(x.value.dtype()))
    frontend::fail_type(fmt::format("{} are no integers", x.value.type().to_string()));
  const bool has_weights = !options.weights.is_empty_handle();
  if (has_weights && options.weights.shape() != x.value.shape())
    frontend::fail_shape(
        fmt::format("weights {} for {}", options.weights.type().to_string(), x.value.type().to_string()));
  std::int64_t length = options.length;
  if (length < 0) {
    if (x.value.is_traced())
      frontend::fail_type("the length of the result depends on the elements: give .length");
    const Array largest = x.value.size() == 0 ? Array(-1) : max(x);
    length = std::max<std::int64_t>(largest.astype(i64, x.loc).item<std::int64_t>() + 1, options.minlength);
  }
  std::vector<Array> operands{x.value};
  if (has_weights) operands.push_back(options.weights);
  return apply("bincount", x.loc, operands, bytes_of(length), [&](In in) {
    const Array wide = frontend::as_weak(frontend::convert_to(in[0], i64), false);
    const Array bins = frontend::record(ir::Op::maximum, {wide, frontend::splat_like(wide, 0)});
    const Array weights =
        in.size() > 1 ? frontend::as_weak(in[1], false) : frontend::splat(i32, type_of(wide).shape, 1);
    return frontend::counts_of(bins, weights, length);
  });
}

namespace {

// Both ends, as numbers of the dtype; apart by 1 if they were one.
std::pair<Array, Array> range_of(const Array& x, const std::vector<HistogramRange>& given, DType dtype,
                                 const Location& where) {
  Array low = zeros({}, dtype, where), high = ones({}, dtype, where);
  if (!given.empty()) {
    low = full({}, Operand(given[0].low, where), dtype);
    high = full({}, Operand(given[0].high, where), dtype);
  } else if (x.size() > 0) {
    low = x.min({}, where).astype(dtype, where);
    high = x.max({}, where).astype(dtype, where);
  }
  const Array is_one = equal(Operand(low, where), high);
  return {weft::where(Operand(is_one, where), low - 0.5, low),
          weft::where(Operand(is_one, where), high + 0.5, high)};
}

}  // namespace

std::pair<Array, Array> histogram(const Operand& x, std::int64_t bins, const HistogramOptions& options) {
  const Call call("histogram", x.loc);
  if (bins < 1) frontend::fail_shape(fmt::format("{} bins", bins));
  if (options.range.size() > 1) frontend::fail_type(fmt::format("{} ranges", options.range.size()));
  const bool has_weights = !options.weights.is_empty_handle();
  if (has_weights && options.weights.shape() != x.value.shape())
    frontend::fail_shape(
        fmt::format("weights {} for {}", options.weights.type().to_string(), x.value.type().to_string()));
  const DType dtype = is_floating(x.value.dtype()) ? x.value.dtype() : f32;
  const Array elements = ravel(Operand(x.value.astype(dtype, x.loc), x.loc));
  const auto [low, high] = range_of(elements, options.range, dtype, x.loc);
  const Array edges = linspace(Operand(low, x.loc), high, bins + 1, {.dtype = dtype});
  const Array weights = has_weights ? ravel(Operand(options.weights, x.loc)) : ones({}, dtype, x.loc);

  const Array operands[] = {elements, edges, weights};
  Array counts = apply("histogram", x.loc, operands, bytes_of(bins), [&](In in) {
    const Shape& shape = type_of(in[0]).shape;
    const Array place =
        frontend::search(in[1], in[0], Side::right);  // 0: below; bins + 1: the last edge, or above
    const Array one = frontend::splat_like(place, 1);
    const Array last = frontend::elements_at(in[1], frontend::splat(i32, shape, static_cast<double>(bins)));
    const Array is_last = frontend::compare(ir::Direction::EQ, in[0], last);
    const Array bin = frontend::select(is_last, frontend::splat_like(place, static_cast<double>(bins - 1)),
                                       frontend::record(ir::Op::subtract, {place, one}));
    return frontend::counts_of(bin, frontend::broadcast_trailing(in[2], shape), bins);
  });
  if (options.density) {
    const Array widths = diff(Operand(edges, x.loc));
    counts = counts / Operand(widths, x.loc) / Operand(sum(Operand(counts, x.loc)), x.loc);
  }
  return {counts, edges};
}

}  // namespace weft
