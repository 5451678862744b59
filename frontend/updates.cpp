// x.at(…): boxes by dynamic_update_slice, strided ranges by a mask, index arrays by scatter.
#include <weft/update.h>

#include <limits>

#include <fmt/format.h>

#include "frontend/index_plan.h"
#include "frontend/program.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;
using ir::Op;

enum class Update : std::uint8_t { set, add, subtract, multiply, divide, min, max };

// How the new value comes from the old one and the update; `set` takes the update.
std::optional<Op> operation_of(Update update) {
  switch (update) {
    case Update::set:
      return std::nullopt;
    case Update::add:
      return Op::add;
    case Update::subtract:
      return Op::subtract;
    case Update::multiply:
      return Op::multiply;
    case Update::divide:
      return Op::divide;
    case Update::min:
      return Op::minimum;
    case Update::max:
      return Op::maximum;
  }
  return std::nullopt;
}

Array combined(Update update, const Array& old, const Array& value) {
  const std::optional<Op> op = operation_of(update);
  return op ? record(*op, {old, value}) : value;
}

// The value in the dtype of what it becomes part of.
Array in_dtype_of(const Array& x, const Array& value) {
  const DType wanted = type_of(x).dtype, given = type_of(value).dtype;
  const bool loses = (is_floating(given) && !is_floating(wanted) && !is_complex(wanted)) || (is_complex(given) && !is_complex(wanted));
  if (loses)
    fail_type(fmt::format("a value {} cannot become part of {}: convert it with astype first", type_of(value).to_string(),
                          type_of(x).to_string()));
  return convert_to(value, wanted);
}

bool is_in_place(const AxisIndex& e) { return std::abs(e.step) == 1 || extent_of(e) <= 1; }
std::int64_t lowest_of(const AxisIndex& e) { return e.step > 0 ? e.start : e.start + (extent_of(e) - 1) * e.step; }

// A part of x without index arrays: ranges and integers, and scalar arrays as positions.
class Box {
 public:
  Box(const Array& x, const std::vector<AxisIndex>& axes, In arrays, IndexMode mode) : x_(x), axes_(axes) {
    const Shape& shape = type_of(x).shape;
    std::vector<Array> dynamic;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const AxisIndex& e = axes[axis];
      extents_.push_back(e.kind == AxisIndex::Kind::array ? 1 : extent_of(e));
      sizes_.push_back(is_in_place(e) ? extents_.back() : shape[static_cast<int>(axis)]);
      if (e.kind == AxisIndex::Kind::array) dynamic.push_back(wrapped(arrays[static_cast<std::size_t>(e.operand)], e.stop));
    }
    const DType dtype = common_index_dtype(dynamic);
    std::size_t next = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const AxisIndex& e = axes[axis];
      if (e.kind != AxisIndex::Kind::array) {
        starts_.push_back(splat(dtype, {}, is_in_place(e) ? static_cast<double>(lowest_of(e)) : 0));
        continue;
      }
      starts_.push_back(convert_to(dynamic[next++], dtype));
      if (mode == IndexMode::drop || mode == IndexMode::fill) note_bounds(starts_.back(), e.stop);
    }
  }

  const std::optional<Array>& is_inside() const { return is_inside_; }
  Shape shape() const { return Shape(extents_); }

  Array read() const { return strided_part(whole()); }

  // x with the box replaced by what `compute` makes of it.
  template <class Compute>
  Array updated(const Compute& compute) const {
    if (shape().size() == 0) return x_;
    const Array old = whole();
    Array now = compute(strided_part(old));
    now = spread(reversed(now), old);
    if (is_inside_) now = select(broadcast_in_dim(*is_inside_, Shape(sizes_), {}), now, old);
    if (Shape(sizes_) == type_of(x_).shape) return now;
    std::vector<Array> operands{x_, now};
    operands.insert(operands.end(), starts_.begin(), starts_.end());
    return record(Op::dynamic_update_slice, operands);
  }

 private:
  void note_bounds(const Array& start, std::int64_t extent) {
    const Array from = compare(ir::Direction::GE, start, splat_like(start, 0));
    const Array to = compare(ir::Direction::LT, start, splat_like(start, static_cast<double>(extent)));
    const Array both = record(Op::and_, {from, to});
    is_inside_ = is_inside_ ? record(Op::and_, {*is_inside_, both}) : both;
  }

  // Strided axes as a whole.
  Array whole() const {
    if (Shape(sizes_) == type_of(x_).shape) return x_;
    std::vector<Array> operands{x_};
    operands.insert(operands.end(), starts_.begin(), starts_.end());
    return record(Op::dynamic_slice, operands, ir::DynamicSliceAttributes{sizes_});
  }

  Array strided_part(const Array& whole) const {
    ir::SliceAttributes s;
    bool is_strided = false;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      const bool plain = is_in_place(axes_[axis]);
      s.start.push_back(plain ? 0 : lowest_of(axes_[axis]));
      s.stride.push_back(plain ? 1 : std::abs(axes_[axis].step));
      s.limit.push_back(plain ? sizes_[axis] : s.start.back() + (extents_[axis] - 1) * s.stride.back() + 1);
      is_strided |= !plain;
    }
    return reversed(is_strided ? record(Op::slice, {whole}, s) : whole);
  }

  Array reversed(const Array& part) const {
    ir::Dims dims;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (axes_[axis].step < 0 && extents_[axis] > 1) dims.push_back(static_cast<std::int64_t>(axis));
    return dims.empty() ? part : record(Op::reverse, {part}, ir::ReverseAttributes{dims});
  }

  // The elements of strided ranges at their places, the others as they were.
  Array spread(const Array& part, const Array& old) const {
    ir::PadAttributes padding;
    std::optional<Array> is_chosen;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      const AxisIndex& e = axes_[axis];
      padding.low.push_back(0);
      padding.high.push_back(0);
      padding.interior.push_back(0);
      if (is_in_place(e)) continue;
      const std::int64_t step = std::abs(e.step), low = lowest_of(e), last = low + (extents_[axis] - 1) * step;
      padding.low.back() = low;
      padding.high.back() = sizes_[axis] - 1 - last;
      padding.interior.back() = step - 1;
      const Array position = record_iota(i64, Shape(sizes_), static_cast<int>(axis));
      const Array distance = record(Op::subtract, {position, splat_like(position, static_cast<double>(low))});
      const Array hits = compare(ir::Direction::EQ, record(Op::remainder, {distance, splat_like(position, static_cast<double>(step))}),
                                 splat_like(position, 0));
      const Array from = compare(ir::Direction::GE, distance, splat_like(position, 0));
      const Array to = compare(ir::Direction::LE, position, splat_like(position, static_cast<double>(last)));
      const Array here = record(Op::and_, {hits, record(Op::and_, {from, to})});
      is_chosen = is_chosen ? record(Op::and_, {*is_chosen, here}) : here;
    }
    if (!is_chosen) return part;
    const Array padded = record(Op::pad, {part, splat(type_of(part).dtype, {}, 0)}, padding);
    return select(*is_chosen, padded, old);
  }

  Array x_;
  std::vector<AxisIndex> axes_;
  std::vector<std::int64_t> extents_, sizes_;  // of the part; of the box around it
  std::vector<Array> starts_;
  std::optional<Array> is_inside_;
};

ir::RegionId scatter_body(Update update, DType dtype) {
  ir::Graph& graph = Trace::current()->builder().graph();
  const ir::RegionId region = graph.add_region();
  const ir::ValueId old = graph.add_argument(region, {Shape{}, dtype}), value = graph.add_argument(region, {Shape{}, dtype});
  ir::Builder inside(graph, region);
  const std::optional<Op> op = operation_of(update);
  graph.region(region).results = {op ? inside.op(*op, {old, value}) : value};
  return region;
}

// The elements of x that index arrays name; `value` has the shape that reading them has.
Array scattered(Update update, const Array& x, const Plan& plan, const std::vector<Array>& indices, const Shape& batch,
                const Array& value, const UpdateOptions& options) {
  const std::vector<AxisIndex> axes = axis_entries(plan);
  const int place = place_of_batch(plan);
  ir::ScatterAttributes attributes;
  attributes.index_vector_dim = batch.rank();
  attributes.unique_indices = options.unique_indices;
  attributes.indices_are_sorted = options.indices_are_sorted;
  std::vector<std::int64_t> extents;
  int kept = 0;
  for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) {
    if (axes[static_cast<std::size_t>(axis)].kind == AxisIndex::Kind::array) {
      attributes.inserted_window_dims.push_back(axis);
      attributes.scatter_dims_to_operand_dims.push_back(axis);
      continue;
    }
    if (kept == place) extents.insert(extents.end(), batch.begin(), batch.end());
    attributes.update_window_dims.push_back(kept < place ? kept : kept + batch.rank());
    extents.push_back(type_of(x).shape[axis]);
    ++kept;
  }
  if (kept <= place) extents.insert(extents.end(), batch.begin(), batch.end());
  const Array updates = reshape_to(value, Shape(extents));
  const Array operands[] = {x, index_vectors(indices, batch), updates};
  return record_all(Op::scatter, operands, attributes, {scatter_body(update, type_of(x).dtype)})[0];
}

std::vector<Array> index_arrays(const Array& given, const Plan& plan, In arrays, IndexMode mode, const Shape& batch) {
  std::vector<Array> indices;
  for (const AxisIndex& e : axis_entries(plan)) {
    if (e.kind != AxisIndex::Kind::array) continue;
    if (e.stop == 0 && batch.size() > 0) fail_index(fmt::format("{} has an empty axis to index", type_of(given).to_string()));
    Array index = wrapped(arrays[static_cast<std::size_t>(e.operand)], e.stop);
    if (mode == IndexMode::clip)
      index = record(Op::clamp, {splat(type_of(index).dtype, {}, 0), index, splat(type_of(index).dtype, {}, static_cast<double>(e.stop - 1))});
    indices.push_back(index);
  }
  return indices;
}

// The same plan with whole axes in place of index arrays.
std::vector<AxisIndex> static_axes(const Plan& plan) {
  std::vector<AxisIndex> axes = axis_entries(plan);
  for (AxisIndex& e : axes)
    if (e.kind == AxisIndex::Kind::array) e = {AxisIndex::Kind::range, 0, e.stop, 1, -1};
  return axes;
}

Array update_recorded(Update update, const Array& given, const Plan& plan, In arrays, const Array& raw_value,
                      const UpdateOptions& options) {
  const IndexMode mode = options.mode.value_or(IndexMode::drop);
  const Array x = as_weak(given, false);
  const Shape batch = arrays.empty() ? Shape() : broadcast_shapes_of(arrays);
  const Array value = broadcast_trailing(in_dtype_of(x, as_weak(raw_value, false)), final_shape(plan, batch));
  if (batch.rank() == 0) {
    const Box box(x, axis_entries(plan), arrays, mode);
    return box.updated([&](const Array& old) { return combined(update, old, reshape_to(value, box.shape())); });
  }
  const std::vector<Array> indices = index_arrays(given, plan, arrays, mode, batch);
  const Box box(x, static_axes(plan), {}, mode);
  return box.updated([&](const Array& part) {
    if (update != Update::divide) return scattered(update, part, plan, indices, batch, value, options);
    const Array ones = splat(type_of(part).dtype, type_of(part).shape, 1);
    return record(Op::divide, {part, scattered(Update::multiply, ones, plan, indices, batch, value, options)});
  });
}

Array fill_of(const Array& like, const UpdateOptions& options) {
  const DType dtype = type_of(like).dtype;
  if (options.fill_value) return splat_like(like, *options.fill_value);
  if (is_floating(dtype)) return splat_like(like, std::numeric_limits<double>::quiet_NaN());
  if (dtype == b1) return splat_like(like, 1);
  const int bits = static_cast<int>(8 * size_of(dtype));
  if (is_unsigned(dtype)) return record(Op::not_, {splat_like(like, 0)});
  return splat_like(like, -std::ldexp(1.0, bits - 1));
}

// Reading by x(…) itself, and where an index lies outside, the fill value.
Array filled(const Array& read, const Plan& plan, In arrays, const UpdateOptions& options) {
  const Shape batch = broadcast_shapes_of(arrays);
  std::optional<Array> is_inside;
  for (const AxisIndex& e : axis_entries(plan)) {
    if (e.kind != AxisIndex::Kind::array) continue;
    const Array index = wrapped(arrays[static_cast<std::size_t>(e.operand)], e.stop);
    const Array from = compare(ir::Direction::GE, index, splat_like(index, 0));
    const Array to = compare(ir::Direction::LT, index, splat_like(index, static_cast<double>(e.stop)));
    const Array both = broadcast_trailing(record(Op::and_, {from, to}), batch);
    is_inside = is_inside ? record(Op::and_, {*is_inside, both}) : both;
  }
  // The axes of the index arrays lie together in the result.
  const Shape& shape = type_of(read).shape;
  int place = 0;
  if (!plan.is_scattered)
    for (const AxisIndex& e : plan.entries) {
      if (e.kind == AxisIndex::Kind::array || e.kind == AxisIndex::Kind::integer) break;
      ++place;
    }
  ir::Dims dims;
  for (int i = 0; i < batch.rank(); ++i) dims.push_back(place + i);
  return select(broadcast_in_dim(*is_inside, shape, dims), read, fill_of(read, options));
}

std::string bytes_of_options(const UpdateOptions& options) {
  return bytes_of(options.mode.has_value(), options.mode.value_or(IndexMode::drop), options.fill_value.has_value(),
                  options.fill_value.value_or(0), options.unique_indices, options.indices_are_sorted);
}

Array apply_update(const char* name, Update update, const Array& x, const std::vector<Index>& indices, const Operand& value,
                   const UpdateOptions& options) {
  const Call call(name, indices[0].loc);
  std::vector<Array> operands;
  const Plan plan = make_plan(x, indices, operands);
  operands.insert(operands.begin(), {x, value.value});
  return apply(name, indices[0].loc, operands, static_bytes(plan) + bytes_of_options(options), [&](In in) {
    return update_recorded(update, in[0], plan, in.subspan(2), in[1], options);
  });
}

}  // namespace
}  // namespace frontend

#define UPDATE(name)                                                                        \
  Array IndexedArray::name(const Operand& value, const UpdateOptions& options) const {      \
    return frontend::apply_update("at." #name, frontend::Update::name, x_, indices_, value, options); \
  }
UPDATE(set)
UPDATE(add)
UPDATE(subtract)
UPDATE(multiply)
UPDATE(divide)
UPDATE(min)
UPDATE(max)
#undef UPDATE

Array IndexedArray::get(const UpdateOptions& options) const {
  using namespace frontend;
  const IndexMode mode = options.mode.value_or(IndexMode::clip);
  const Call call("at.get", indices_[0].loc);
  const Array read = detail::index_array(x_, indices_.data(), indices_.size());
  std::vector<Array> operands;
  const Plan plan = make_plan(x_, indices_, operands);
  if (operands.empty() || mode == IndexMode::clip || mode == IndexMode::promise_in_bounds) return read;
  operands.insert(operands.begin(), read);
  return frontend::apply("at.get", indices_[0].loc, operands, static_bytes(plan) + bytes_of_options(options),
                         [&](std::span<const Array> in) { return filled(in[0], plan, in.subspan(1), options); });
}

}  // namespace weft
