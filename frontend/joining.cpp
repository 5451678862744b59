// Concatenation, splitting and padding. Modes other than constant are concatenations of the array with its
// borders.
#include <weft/joining.h>

#include <algorithm>

#include <fmt/format.h>

#include <weft/creation.h>
#include <weft/elementwise.h>
#include <weft/reductions.h>
#include <weft/shaping.h>

#include "frontend/program.h"
#include "frontend/promotion.h"
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

Array joined(const char* function, const std::vector<Array>& arrays, int axis, const Location& where) {
  const Call call(function, where);
  if (arrays.empty()) frontend::fail_type("there is no array");
  const int rank = arrays[0].ndim();
  if (rank == 0) frontend::fail_shape("an array without axes has none to join along; stack makes a new one");
  const int which = frontend::normalize_axis(axis, rank);
  return apply(function, where, arrays, bytes_of(which), [&](In in) {
    const DType dtype = frontend::promote(in).dtype;
    std::vector<Array> operands;
    for (const Array& x : in) operands.push_back(frontend::convert_to(x, dtype));
    if (operands.size() == 1) return frontend::as_weak(operands[0], false);
    return record(ir::Op::concatenate, operands, ir::ConcatenateAttributes{which});
  });
}

// Every array with its own view through `f`, joined along `axis`.
template <class F>
Array joined_after(const char* function, const std::vector<Array>& arrays, int axis, const Location& where,
                   const F& f) {
  const Call call(function, where);
  std::vector<Array> all;
  for (const Array& x : arrays) all.push_back(f(Operand(x, where)));
  return joined(function, all, axis, where);
}

Array part_of(const Operand& x, int axis, std::int64_t first, std::int64_t last) {
  return apply("split", x.loc, {&x.value, 1}, bytes_of(axis, first, last), [&](In in) {
    const Shape& shape = type_of(in[0]).shape;
    ir::SliceAttributes slice{
        ir::Dims(static_cast<std::size_t>(shape.rank()), 0), {shape.begin(), shape.end()}, {}};
    slice.stride.assign(slice.start.size(), 1);
    slice.start[static_cast<std::size_t>(axis)] = first;
    slice.limit[static_cast<std::size_t>(axis)] = last;
    return record(ir::Op::slice, {in[0]}, std::move(slice));
  });
}

std::vector<Array> parts_between(const Operand& x, int axis, const std::vector<std::int64_t>& positions) {
  std::vector<Array> parts;
  for (std::size_t i = 0; i + 1 < positions.size(); ++i)
    parts.push_back(part_of(x, axis, positions[i], std::max(positions[i], positions[i + 1])));
  return parts;
}

std::int64_t checked_sections(const Operand& x, std::int64_t sections, int which) {
  if (sections <= 0) frontend::fail_shape(fmt::format("{} parts", sections));
  return x.value.shape(which);
}

}  // namespace

Array concatenate(const std::vector<Array>& arrays, int axis, Location where) {
  return joined("concatenate", arrays, axis, where);
}
Array lax::concatenate(const std::vector<Array>& operands, int dimension, Location where) {
  return joined("concatenate", operands, dimension, where);
}

Array stack(const std::vector<Array>& arrays, int axis, Location where) {
  const Call call("stack", where);
  if (arrays.empty()) frontend::fail_type("there is no array");
  const Shape shape = arrays[0].shape();
  const int which = frontend::normalize_axis(axis, shape.rank() + 1);
  for (const Array& x : arrays)
    if (x.shape() != shape)
      frontend::fail_shape(
          fmt::format("{} and {} differ in shape", arrays[0].type().to_string(), x.type().to_string()));
  return joined_after("stack", arrays, which, where, [&](const Operand& x) { return expand_dims(x, which); });
}

Array vstack(const std::vector<Array>& arrays, Location where) {
  return joined_after("vstack", arrays, 0, where, [](const Operand& x) { return atleast_2d(x); });
}
Array hstack(const std::vector<Array>& arrays, Location where) {
  const int axis = arrays.empty() || arrays[0].ndim() <= 1 ? 0 : 1;
  return joined_after("hstack", arrays, axis, where, [](const Operand& x) { return atleast_1d(x); });
}
Array dstack(const std::vector<Array>& arrays, Location where) {
  return joined_after("dstack", arrays, 2, where, [](const Operand& x) {
    const Array plane = atleast_2d(x);
    return plane.ndim() >= 3 ? plane : expand_dims(Operand(plane, x.loc), 2);
  });
}
Array column_stack(const std::vector<Array>& arrays, Location where) {
  return joined_after("column_stack", arrays, 1, where, [](const Operand& x) {
    return x.value.ndim() >= 2 ? x.value : expand_dims(Operand(ravel(x), x.loc), 1);
  });
}
Array append(const Operand& x, const Operand& values, const Axes& axis) {
  const Call call("append", x.loc);
  if (axis.all()) return joined("append", {ravel(x), ravel(values)}, 0, x.loc);
  if (axis.count() != 1) frontend::fail_index("takes one axis");
  return joined("append", {x.value, values.value}, static_cast<int>(axis[0]), x.loc);
}

std::vector<Array> split(const Operand& x, std::int64_t sections, int axis) {
  const Call call("split", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  const std::int64_t extent = checked_sections(x, sections, which);
  if (extent % sections != 0)
    frontend::fail_shape(
        fmt::format("axis {} of {} has no {} equal parts", which, x.value.type().to_string(), sections));
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i <= sections; ++i) positions.push_back(i * (extent / sections));
  return parts_between(x, which, positions);
}

std::vector<Array> split(const Operand& x, std::initializer_list<std::int64_t> given, int axis) {
  const Call call("split", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  const std::int64_t extent = x.value.shape(which);
  std::vector<std::int64_t> positions{0};
  for (std::int64_t position : given)  // as in NumPy: negative ones count from the end, all are clipped
    positions.push_back(std::clamp<std::int64_t>(position < 0 ? position + extent : position, 0, extent));
  positions.push_back(extent);
  return parts_between(x, which, positions);
}

std::vector<Array> array_split(const Operand& x, std::int64_t sections, int axis) {
  const Call call("array_split", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  const std::int64_t extent = checked_sections(x, sections, which);
  std::vector<std::int64_t> positions{0};
  for (std::int64_t i = 0; i < sections; ++i)
    positions.push_back(positions.back() + extent / sections + (i < extent % sections ? 1 : 0));
  return parts_between(x, which, positions);
}

std::vector<Array> vsplit(const Operand& x, std::int64_t sections) {
  const Call call("vsplit", x.loc);
  return split(x, sections, 0);
}
std::vector<Array> hsplit(const Operand& x, std::int64_t sections) {
  const Call call("hsplit", x.loc);
  return split(x, sections, x.value.ndim() == 1 ? 0 : 1);
}

std::vector<Array> unstack(const Operand& x, int axis) {
  const Call call("unstack", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  std::vector<Array> parts;
  for (std::int64_t i = 0; i < x.value.shape(which); ++i)
    parts.push_back(squeeze(Operand(part_of(x, which, i, i + 1), x.loc), which));
  return parts;
}

Array lax::pad(const Operand& operand, const Operand& padding_value,
               const std::vector<PaddingConfig>& config) {
  const Array both[] = {operand.value, padding_value.value};
  ir::PadAttributes pad;
  for (const PaddingConfig& each : config) {
    pad.low.push_back(each.low);
    pad.high.push_back(each.high);
    pad.interior.push_back(each.interior);
  }
  return apply("pad", operand.loc, both, bytes_of(pad.low, pad.high, pad.interior), [&](In in) {
    return record(ir::Op::pad, {in[0], frontend::convert_to(in[1], type_of(in[0]).dtype)}, pad);
  });
}

namespace {

struct Border {
  const Operand& x;
  int axis;
  std::int64_t extent, width;  // of the axis, of the border
  bool is_behind;
};

// The element that position `p`, counted from the first one, repeats.
std::int64_t repeated(PadMode mode, std::int64_t p, std::int64_t extent) {
  if (mode == PadMode::edge || extent == 1) return std::clamp<std::int64_t>(p, 0, extent - 1);
  const auto modulo = [](std::int64_t a, std::int64_t n) { return (a % n + n) % n; };
  if (mode == PadMode::wrap) return modulo(p, extent);
  const bool is_symmetric = mode == PadMode::symmetric;
  const std::int64_t period = is_symmetric ? 2 * extent : 2 * (extent - 1);
  const std::int64_t at = modulo(p, period);
  return at < extent ? at : period - at - (is_symmetric ? 1 : 0);
}

Array repeated_border(const Border& b, PadMode mode) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < b.width; ++i)
    indices.push_back(repeated(mode, b.is_behind ? b.extent + i : i - b.width, b.extent));
  if (mode == PadMode::edge)
    return repeat(Operand(part_of(b.x, b.axis, indices[0], indices[0] + 1), b.x.loc), b.width, Axes(b.axis));
  return take(b.x, Operand(detail::from_elements(i64, Shape{indices.size()}, indices.data(), b.x.loc), b.x.loc),
              Axes(b.axis));
}

Array ramp_border(const Border& b, const Array& end_values) {
  const Array edge = part_of(b.x, b.axis, b.is_behind ? b.extent - 1 : 0, b.is_behind ? b.extent : 1);
  const DType dtype = b.x.value.dtype(), wide = is_floating(dtype) ? dtype : f64;
  std::vector<std::int64_t> along(static_cast<std::size_t>(b.x.value.ndim()), 1);
  along[static_cast<std::size_t>(b.axis)] = b.width;
  Array step = iota(wide, Shape(along), b.axis, b.x.loc);
  if (b.is_behind) step = static_cast<double>(b.width - 1) - step;
  const Array end = end_values.astype(wide, b.x.loc), from = edge.astype(wide, b.x.loc);
  const Array ramp = end + (from - end) * (step / static_cast<double>(b.width));
  return (is_floating(dtype) ? ramp : floor(ramp)).astype(dtype, b.x.loc);
}

Array statistic_border(const Border& b, const PadOptions& options) {
  const std::int64_t count = options.stat_length < 0 ? b.extent : std::min(options.stat_length, b.extent);
  if (count == 0) frontend::fail_shape("stat_length is 0");
  const Array near = part_of(b.x, b.axis, b.is_behind ? b.extent - count : 0, b.is_behind ? b.extent : count);
  const ReduceOptions along{.axis = b.axis, .keepdims = true};
  const DType dtype = b.x.value.dtype();
  Array value = options.mode == PadMode::maximum   ? near.max(along, b.x.loc)
                : options.mode == PadMode::minimum ? near.min(along, b.x.loc)
                                                   : near.mean(along, b.x.loc);
  if (options.mode == PadMode::mean && !is_floating(dtype)) value = round(value);
  return repeat(Operand(value.astype(dtype, b.x.loc), b.x.loc), b.width, Axes(b.axis));
}

Array border_of(const Border& b, const PadOptions& options) {
  switch (options.mode) {
    case PadMode::edge:
    case PadMode::reflect:
    case PadMode::symmetric:
    case PadMode::wrap:
      return repeated_border(b, options.mode);
    case PadMode::linear_ramp:
      return ramp_border(b, options.end_values);
    case PadMode::maximum:
    case PadMode::mean:
    case PadMode::minimum:
      return statistic_border(b, options);
    case PadMode::constant:
    case PadMode::empty:
      break;
  }
  throw InternalError("a border that is not made of elements");
}

}  // namespace

Array pad(const Operand& x, const PadWidths& widths, const PadOptions& options) {
  const Call call("pad", x.loc);
  const int rank = x.value.ndim();
  if (widths.pairs.size() != 1 && static_cast<int>(widths.pairs.size()) != rank)
    frontend::fail_shape(
        fmt::format("{} pairs of widths for {}", widths.pairs.size(), x.value.type().to_string()));
  std::vector<lax::PaddingConfig> config;
  for (int axis = 0; axis < rank; ++axis) {
    const auto& [before, behind] =
        widths.pairs[widths.pairs.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
    if (before < 0 || behind < 0) frontend::fail_shape(fmt::format("widths {} and {}", before, behind));
    config.push_back({before, behind, 0});
  }
  if (options.mode == PadMode::constant || options.mode == PadMode::empty) {
    const Array value = options.mode == PadMode::empty ? Array(0) : options.constant_values;
    if (value.ndim() != 0) frontend::fail_shape("constant_values must be one number");
    return lax::pad(x, Operand(value, x.loc), config);
  }
  Array result = x.value;
  for (int axis = 0; axis < rank; ++axis) {
    const auto& [before, behind, unused] = config[static_cast<std::size_t>(axis)];
    if (before == 0 && behind == 0) continue;
    const Operand current(result, x.loc);
    const std::int64_t extent = result.shape(axis);
    if (extent == 0)
      frontend::fail_shape(
          fmt::format("axis {} of {} has no element to repeat", axis, result.type().to_string()));
    std::vector<Array> parts;
    if (before > 0) parts.push_back(border_of({current, axis, extent, before, false}, options));
    parts.push_back(result);
    if (behind > 0) parts.push_back(border_of({current, axis, extent, behind, true}, options));
    result = joined("pad", parts, axis, x.loc);
  }
  return result;
}

}  // namespace weft
