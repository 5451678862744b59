// lax's convolutions, and those of weft::signal; each is one StableHLO convolution.
#include <algorithm>

#include <fmt/format.h>

#include <weft/products.h>
#include <weft/signal.h>

#include "frontend/product_parts.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {
namespace {

using ir::Dims;

// Where the two letters and then the spatial letters stand in the order of axes; the latter as in `spatial`.
Dims dims_of(const std::string& order, const char* letters, const std::string& spatial, int rank) {
  if (static_cast<int>(order.size()) != rank)
    fail_shape(fmt::format("dimension numbers {} for {} axes", order, rank));
  Dims dims;
  for (const char letter : std::string(letters) + spatial) {
    const std::size_t at = order.find(letter);
    if (at == std::string::npos)
      fail_type(fmt::format("dimension numbers {} lack the axis {}", order, letter));
    if (order.find(letter, at + 1) != std::string::npos)
      fail_type(fmt::format("dimension numbers {} have the axis {} twice", order, letter));
    dims.push_back(static_cast<std::int64_t>(at));
  }
  return dims;
}

void set_dimension_numbers(ir::ConvolutionAttributes& conv, lax::ConvDimensionNumbers names, int rank) {
  std::string spatial;
  for (int i = 2; i < rank; ++i) spatial.push_back(static_cast<char>('0' + i));
  if (names.lhs.empty()) {
    names.lhs = "NC" + spatial;
  } else {
    spatial.clear();
    for (const char letter : names.lhs)
      if (letter != 'N' && letter != 'C') spatial.push_back(letter);
  }
  if (names.rhs.empty()) names.rhs = "OI" + spatial;
  if (names.out.empty()) names.out = "NC" + spatial;
  conv.lhs_dims = dims_of(names.lhs, "NC", spatial, rank);
  conv.rhs_dims = dims_of(names.rhs, "OI", spatial, rank);
  conv.result_dims = dims_of(names.out, "NC", spatial, rank);
}

Dims ones_if_empty(const std::vector<std::int64_t>& given, std::size_t count) {
  return given.empty() ? Dims(count, 1) : given;
}

void set_padding(ir::ConvolutionAttributes& conv, const lax::ConvPadding& padding, const Shape& lhs,
                 const Shape& rhs) {
  if (padding.pairs) {
    for (const auto& [low, high] : *padding.pairs) {
      conv.low.push_back(low);
      conv.high.push_back(high);
    }
    return;
  }
  for (std::size_t i = 0; i + 2 < conv.lhs_dims.size(); ++i) {
    const std::int64_t extent = lhs[static_cast<int>(conv.lhs_dims[i + 2])],
                       kernel = rhs[static_cast<int>(conv.rhs_dims[i + 2])];
    const std::int64_t stride = i < conv.strides.size() ? std::max<std::int64_t>(conv.strides[i], 1) : 1;
    const std::int64_t dilation = i < conv.rhs_dilations.size() ? conv.rhs_dilations[i] : 1;
    const std::int64_t reach = kernel == 0 ? 0 : (kernel - 1) * dilation + 1;
    const std::int64_t count = (extent + stride - 1) / stride;
    const std::int64_t missing = std::max<std::int64_t>((count - 1) * stride + reach - extent, 0);
    const bool pads = padding.rule != lax::Padding::valid;
    const std::int64_t low = pads ? (missing + (padding.rule == lax::Padding::same_lower ? 1 : 0)) / 2 : 0;
    conv.low.push_back(low);
    conv.high.push_back(pads ? missing - low : 0);
  }
}

// --- signal ---

using signal::ConvolveMode;

// A plan for one full convolution of arrays of the same rank: the smaller array is the kernel.
struct Sliding {
  bool is_swapped = false;
  Dims low, high;
};

bool fits_in(const Shape& small, const Shape& large) {
  for (int axis = 0; axis < small.rank(); ++axis)
    if (small[axis] > large[axis]) return false;
  return true;
}

Sliding sliding_of(const Shape& a, const Shape& b, ConvolveMode mode) {
  Sliding sliding;
  sliding.is_swapped = b.size() > a.size();
  if (mode == ConvolveMode::valid) {
    sliding.is_swapped = !fits_in(b, a);
    if (sliding.is_swapped && !fits_in(a, b))
      fail_shape(fmt::format("neither {} nor {} lies inside of the other along all axes", a.to_string(),
                             b.to_string()));
  }
  for (int axis = 0; axis < a.rank(); ++axis) {
    const std::int64_t before = (sliding.is_swapped ? a[axis] : b[axis]) - 1;  // what hangs over at the edges
    std::int64_t dropped = 0, dropped_behind = 0;
    if (mode == ConvolveMode::valid) dropped = dropped_behind = before;
    if (mode == ConvolveMode::same) {
      dropped = (b[axis] - 1) / 2;
      dropped_behind = b[axis] - 1 - dropped;
    }
    sliding.low.push_back(before - dropped);
    sliding.high.push_back(before - dropped_behind);
  }
  return sliding;
}

Array with_two_axes(const Array& x) {
  const Shape& shape = type_of(x).shape;
  std::vector<std::int64_t> extents{1, 1};
  extents.insert(extents.end(), shape.begin(), shape.end());
  return reshape_to(x, Shape(extents));
}

Array slid(const Array& a, const Array& b, ConvolveMode mode, bool correlates) {
  const Shape left = type_of(a).shape, right = type_of(b).shape;
  if (left.rank() == 0) return record(ir::Op::multiply, {a, b});
  const Sliding sliding = sliding_of(left, right, mode);
  const auto rank = static_cast<std::size_t>(left.rank());
  Array x = a, kernel = b;
  if (sliding.is_swapped) {
    std::swap(x, kernel);
    Dims axes;
    for (int axis = 0; axis < left.rank(); ++axis) axes.push_back(axis);
    if (correlates) x = record(ir::Op::reverse, {x}, ir::ReverseAttributes{axes});
  }
  ir::ConvolutionAttributes conv;
  conv.strides = conv.lhs_dilations = conv.rhs_dilations = Dims(rank, 1);
  conv.low = sliding.low;
  conv.high = sliding.high;
  conv.reversed = Dims(rank, correlates && !sliding.is_swapped ? 0 : 1);
  for (std::size_t dim = 0; dim < rank + 2; ++dim) conv.lhs_dims.push_back(static_cast<std::int64_t>(dim));
  conv.rhs_dims = conv.result_dims = conv.lhs_dims;
  const Array result = record_convolution(with_two_axes(x), with_two_axes(kernel), conv, type_of(a).dtype);
  const Shape& shape = type_of(result).shape;
  return reshape_to(result, Shape(std::span<const std::int64_t>(shape.begin() + 2, shape.end())));
}

Array convolved(const char* function, const Operand& a, const Operand& b, ConvolveMode mode, bool correlates,
                int rank = -1) {
  const Call call(function, a.loc);
  const auto both = [&] { return a.value.type().to_string() + " and " + b.value.type().to_string(); };
  if (a.value.ndim() != b.value.ndim()) fail_shape(fmt::format("{} must have equally many axes", both()));
  if (rank >= 0 && a.value.ndim() != rank) fail_shape(fmt::format("{} are no matrices", both()));
  if (a.value.size() == 0 || b.value.size() == 0) fail_shape(fmt::format("{}: one has no elements", both()));
  return product(function, a, b, bytes_of(mode, correlates),
                 [&](const Array& x, const Array& y) { return slid(x, y, mode, correlates); });
}

}  // namespace
}  // namespace frontend

namespace lax {

Array conv_general_dilated(const Operand& lhs, const Operand& rhs,
                           const std::vector<std::int64_t>& window_strides, const ConvPadding& padding,
                           const ConvOptions& o) {
  const frontend::Call call("conv_general_dilated", lhs.loc);
  const Shape left = lhs.value.shape(), right = rhs.value.shape();
  if (left.rank() < 2 || left.rank() != right.rank())
    frontend::fail_shape(fmt::format("{} and {} must have equally many axes, at least 2",
                                     lhs.value.type().to_string(), rhs.value.type().to_string()));
  const auto spatial = static_cast<std::size_t>(left.rank()) - 2;
  ir::ConvolutionAttributes conv;
  frontend::set_dimension_numbers(conv, o.dimension_numbers, left.rank());
  conv.strides = window_strides;
  conv.lhs_dilations = frontend::ones_if_empty(o.lhs_dilation, spatial);
  conv.rhs_dilations = frontend::ones_if_empty(o.rhs_dilation, spatial);
  conv.reversed.assign(spatial, 0);
  conv.feature_groups = o.feature_group_count;
  conv.batch_groups = o.batch_group_count;
  frontend::set_padding(conv, padding, left, right);
  const std::string statics = frontend::bytes_of(
      conv.strides, conv.low, conv.high, conv.lhs_dilations, conv.rhs_dilations, conv.lhs_dims, conv.rhs_dims,
      conv.result_dims, conv.feature_groups, conv.batch_groups, o.preferred_element_type.has_value(),
      o.preferred_element_type.value_or(b1));
  return frontend::product(
      "conv_general_dilated", lhs, rhs, statics, [&](const Array& x, const Array& kernel) {
        return frontend::record_convolution(x, kernel, conv,
                                            o.preferred_element_type.value_or(frontend::type_of(x).dtype));
      });
}

Array conv(const Operand& lhs, const Operand& rhs, const std::vector<std::int64_t>& window_strides,
           Padding padding) {
  const frontend::Call call("conv", lhs.loc);
  return conv_general_dilated(lhs, rhs, window_strides, padding);
}

}  // namespace lax

namespace signal {

Array convolve(const Operand& a, const Operand& b, ConvolveMode mode) {
  return frontend::convolved("convolve", a, b, mode, false);
}
Array correlate(const Operand& a, const Operand& b, ConvolveMode mode) {
  return frontend::convolved("correlate", a, b, mode, true);
}
Array convolve2d(const Operand& a, const Operand& b, ConvolveMode mode) {
  return frontend::convolved("convolve2d", a, b, mode, false, 2);
}
Array correlate2d(const Operand& a, const Operand& b, ConvolveMode mode) {
  return frontend::convolved("correlate2d", a, b, mode, true, 2);
}

}  // namespace signal
}  // namespace weft
