// x(…): slices and integers are static, scalar arrays a dynamic slice, other integer arrays a gather.
#include <weft/index.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/program.h"
#include "frontend/record.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

// What happens to one axis of the indexed array, or a new axis. Axes are in the array's order.
struct AxisIndex {
  enum class Kind : std::uint8_t { range, integer, array, newaxis } kind = Kind::range;
  std::int64_t start = 0, stop = 0, step = 1;  // of a range: already within bounds, in reading order
  int operand = -1;                            // of an array: which operand
};

struct Plan {
  std::vector<AxisIndex> entries;
  bool is_scattered = false;  // index arrays with something between them: their axes come first
};

std::string static_bytes(const Plan& plan) {
  std::string bytes;
  for (const AxisIndex& e : plan.entries) bytes += bytes_of(e.kind, e.start, e.stop, e.step, e.operand);
  return bytes;
}

AxisIndex range_of(const slice& s, std::int64_t extent) {
  const std::int64_t step = s.step.is_set ? s.step.value : 1;
  if (step == 0) fail_index("the step of a slice is 0");
  const std::int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? extent : extent - 1;
  const auto bound = [&](const SliceBound& b, std::int64_t otherwise) {
    if (!b.is_set) return otherwise;
    const std::int64_t value = b.value < 0 ? b.value + extent : b.value;
    return std::clamp(value, lowest, highest);
  };
  AxisIndex result;
  result.start = bound(s.start, step > 0 ? lowest : highest);
  result.stop = bound(s.stop, step > 0 ? highest : lowest);
  // A step beyond the extent reads one element; so does the extent itself, which cannot overflow.
  result.step = std::clamp(step, -std::max<std::int64_t>(extent, 1), std::max<std::int64_t>(extent, 1));
  return result;
}

AxisIndex integer_of(std::int64_t i, std::int64_t extent, int axis, const Array& x) {
  if (i < -extent || i >= extent)
    fail_index(fmt::format("{} is outside axis {} of {}", i, axis, type_of(x).to_string()));
  AxisIndex result{AxisIndex::Kind::integer};
  result.start = i < 0 ? i + extent : i;
  result.stop = result.start + 1;
  return result;
}

void check_index_array(const Array& index) {
  const DType dtype = type_of(index).dtype;
  if (dtype == b1)
    fail_type(fmt::format("a mask {} as index would give a result of unknown shape: use where(mask, x, y)",
                          type_of(index).to_string()));
  if (!is_integer(dtype))
    fail_type(fmt::format("{} is no index: its elements are not integers", type_of(index).to_string()));
}

bool uses_axis(const Index& index) {
  return index.kind != Index::Kind::newaxis && index.kind != Index::Kind::ellipsis;
}

void find_scattered(Plan& plan) {
  bool has_array = false, is_open = false, has_closed = false;
  for (const AxisIndex& e : plan.entries) has_array |= e.kind == AxisIndex::Kind::array;
  for (const AxisIndex& e : plan.entries) {
    const bool is_advanced = e.kind == AxisIndex::Kind::array || e.kind == AxisIndex::Kind::integer;
    if (is_advanced && has_closed) plan.is_scattered = has_array;
    if (!is_advanced && is_open) has_closed = true;
    is_open |= is_advanced;
  }
}

Plan make_plan(const Array& x, std::span<const Index> indices, std::vector<Array>& operands) {
  const Shape& shape = type_of(x).shape;
  const auto used = static_cast<int>(std::count_if(indices.begin(), indices.end(), uses_axis));
  const auto ellipses = std::count_if(indices.begin(), indices.end(),
                                      [](const Index& i) { return i.kind == Index::Kind::ellipsis; });
  if (used > shape.rank()) fail_index(fmt::format("{} indices for {}", used, type_of(x).to_string()));
  if (ellipses > 1) fail_index("more than one ellipsis");
  Plan plan;
  int axis = 0;
  const auto take_whole_axes = [&](int count) {
    for (; count > 0; --count) plan.entries.push_back(range_of(slice(_), shape[axis++]));
  };
  for (const Index& index : indices) {
    switch (index.kind) {
      case Index::Kind::ellipsis:
        take_whole_axes(shape.rank() - used);
        break;
      case Index::Kind::newaxis:
        plan.entries.push_back({AxisIndex::Kind::newaxis});
        break;
      case Index::Kind::slice:
        plan.entries.push_back(range_of(index.range, shape[axis])), ++axis;
        break;
      case Index::Kind::integer:
        plan.entries.push_back(integer_of(index.integer, shape[axis], axis, x)), ++axis;
        break;
      case Index::Kind::array: {
        check_index_array(index.array);
        AxisIndex entry{AxisIndex::Kind::array};
        entry.stop = shape[axis++];
        entry.operand = static_cast<int>(operands.size());
        plan.entries.push_back(entry);
        operands.push_back(as_weak(index.array, false));
      }
    }
  }
  take_whole_axes(shape.rank() - axis);
  find_scattered(plan);
  return plan;
}

std::int64_t extent_of(const AxisIndex& e) {
  const std::int64_t distance = e.step > 0 ? e.stop - e.start : e.start - e.stop;
  return distance <= 0 ? 0 : (distance - 1) / std::abs(e.step) + 1;
}

// The ranges and integers alone: integers leave an axis of extent 1, index arrays the whole axis.
Array slice_statically(const Array& x, const Plan& plan) {
  const Shape& shape = type_of(x).shape;
  ir::SliceAttributes s;
  ir::Dims reversed;
  bool changes = false;
  for (const AxisIndex& e : plan.entries) {
    if (e.kind == AxisIndex::Kind::newaxis) continue;
    const auto axis = static_cast<int>(s.start.size());
    const std::int64_t count = extent_of(e);
    std::int64_t start = e.start, limit = e.stop;
    if (e.step < 0) {
      start = count == 0 ? 0 : e.start + (count - 1) * e.step;
      limit = count == 0 ? 0 : e.start + 1;
      if (count > 1) reversed.push_back(axis);
    }
    limit = std::max(limit, start);
    s.start.push_back(start);
    s.limit.push_back(limit);
    s.stride.push_back(std::abs(e.step));
    changes |= start != 0 || limit != shape[axis] || std::abs(e.step) != 1;
  }
  Array result = changes ? record(ir::Op::slice, {x}, s) : x;
  return reversed.empty() ? result : record(ir::Op::reverse, {result}, ir::ReverseAttributes{reversed});
}

// Negative values wrap once; the result is i32, or i64 for long axes. What is still outside is clamped by its
// user.
Array wrapped(const Array& index, std::int64_t extent) {
  const DType dtype = type_of(index).dtype, wide = extent > INT32_MAX ? i64 : i32;
  if (is_unsigned(dtype)) {
    // The largest values would turn negative in a signed dtype: bound them first.
    const bool may_overflow = size_of(dtype) >= size_of(wide);
    if (!may_overflow) return convert_to(index, wide);
    const Array last = splat_like(index, static_cast<double>(std::max<std::int64_t>(extent - 1, 0)));
    return convert_to(record(ir::Op::minimum, {index, last}), wide);
  }
  Array i = index;
  if (size_of(dtype) > size_of(wide)) {
    const Array low = splat_like(i, -2147483648.0), high = splat_like(i, 2147483647.0);
    i = record(ir::Op::minimum, {record(ir::Op::maximum, {i, low}), high});
  }
  i = convert_to(i, wide);
  const Array is_negative = compare(ir::Direction::LT, i, splat_like(i, 0));
  return select(is_negative, record(ir::Op::add, {i, splat_like(i, static_cast<double>(extent))}), i);
}

DType common_index_dtype(const std::vector<Array>& indices) {
  for (const Array& i : indices)
    if (type_of(i).dtype == i64) return i64;
  return i32;
}

// The entries that use an axis of the array, in its order.
std::vector<AxisIndex> axis_entries(const Plan& plan) {
  std::vector<AxisIndex> result;
  for (const AxisIndex& e : plan.entries)
    if (e.kind != AxisIndex::Kind::newaxis) result.push_back(e);
  return result;
}

Array slice_dynamically(const Array& x, const std::vector<AxisIndex>& axes,
                        const std::vector<Array>& indices) {
  const DType dtype = common_index_dtype(indices);
  std::vector<Array> operands{x};
  ir::DynamicSliceAttributes attributes;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const bool is_dynamic = axes[axis].kind == AxisIndex::Kind::array;
    operands.push_back(is_dynamic ? convert_to(indices[next++], dtype) : splat(dtype, {}, 0));
    attributes.sizes.push_back(is_dynamic ? 1 : type_of(x).shape[static_cast<int>(axis)]);
  }
  return record(ir::Op::dynamic_slice, operands, attributes);
}

// Several index arrays become one array of index vectors without concatenating: each is chosen where iota
// names it.
Array index_vectors(std::vector<Array> indices, const Shape& shape) {
  const DType dtype = common_index_dtype(indices);
  for (Array& i : indices) i = broadcast_trailing(convert_to(i, dtype), shape);
  if (indices.size() == 1) return indices[0];
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  ir::Dims dimensions(extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i) dimensions[i] = static_cast<std::int64_t>(i);
  extents.push_back(static_cast<std::int64_t>(indices.size()));
  const Shape full(extents);
  const Array which = record_iota(i32, full, shape.rank());
  Array vectors;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Array wide = broadcast_in_dim(indices[i], full, dimensions);
    if (i == 0)
      vectors = wide;
    else
      vectors =
          select(compare(ir::Direction::EQ, which, splat_like(which, static_cast<double>(i))), wide, vectors);
  }
  return vectors;
}

Array gather(const Array& x, const std::vector<AxisIndex>& axes, const std::vector<Array>& indices,
             const Shape& batch, int place) {
  ir::GatherAttributes attributes;
  attributes.index_vector_dim = batch.rank();
  int kept = 0;
  for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) {
    const bool is_array = axes[static_cast<std::size_t>(axis)].kind == AxisIndex::Kind::array;
    attributes.slice_sizes.push_back(is_array ? 1 : type_of(x).shape[axis]);
    if (is_array) {
      attributes.collapsed_slice_dims.push_back(axis);
      attributes.start_index_map.push_back(axis);
    } else {
      attributes.offset_dims.push_back(kept < place ? kept : kept + batch.rank());
      ++kept;
    }
  }
  return record(ir::Op::gather, {x, index_vectors(indices, batch)}, attributes);
}

// Drops the axes of integers, adds the new ones, and puts those of the index arrays where NumPy does.
Shape final_shape(const Plan& plan, const Shape& batch) {
  std::vector<std::int64_t> extents;
  const auto place = [&] { extents.insert(extents.end(), batch.begin(), batch.end()); };
  if (plan.is_scattered) place();
  bool placed = plan.is_scattered, has_array = false;
  for (const AxisIndex& e : plan.entries) has_array |= e.kind == AxisIndex::Kind::array;
  for (const AxisIndex& e : plan.entries) {
    const bool is_advanced = e.kind == AxisIndex::Kind::array || e.kind == AxisIndex::Kind::integer;
    if (is_advanced && has_array && !placed) {
      place();
      placed = true;
    }
    if (e.kind == AxisIndex::Kind::newaxis) extents.push_back(1);
    if (e.kind == AxisIndex::Kind::range) extents.push_back(extent_of(e));
  }
  return Shape(extents);
}

// How many axes that stay come before those of the index arrays.
int place_of_batch(const Plan& plan) {
  int place = 0;
  if (plan.is_scattered) return place;
  for (const AxisIndex& e : plan.entries) {
    if (e.kind == AxisIndex::Kind::array || e.kind == AxisIndex::Kind::integer) break;
    if (e.kind != AxisIndex::Kind::newaxis) ++place;
  }
  return place;
}

Array index_recorded(const Array& given, const Plan& plan, In arrays) {
  Array x = as_weak(given, false);
  const std::vector<AxisIndex> axes = axis_entries(plan);
  Shape batch;
  x = slice_statically(x, plan);
  if (!arrays.empty()) {
    batch = broadcast_shapes_of(arrays);
    std::vector<Array> indices;
    for (const AxisIndex& e : axes) {
      if (e.kind != AxisIndex::Kind::array) continue;
      if (e.stop == 0 && batch.size() > 0)
        fail_index(fmt::format("{} has an empty axis to index", type_of(given).to_string()));
      indices.push_back(wrapped(arrays[static_cast<std::size_t>(e.operand)], e.stop));
    }
    x = batch.rank() == 0 ? slice_dynamically(x, axes, indices)
                          : gather(x, axes, indices, batch, place_of_batch(plan));
  }
  return as_weak(reshape_to(x, final_shape(plan, batch)), given.is_weak());
}

}  // namespace
}  // namespace frontend

namespace detail {

Array index_array(const Array& x, const Index* indices, std::size_t count) {
  using namespace frontend;
  const Call call("index", indices[0].loc);
  std::vector<Array> operands;
  const Plan plan = make_plan(x, {indices, count}, operands);
  operands.insert(operands.begin(), x);
  return apply("index", indices[0].loc, operands, static_bytes(plan),
               [&](In in) { return index_recorded(in[0], plan, in.subspan(1)); });
}

}  // namespace detail
}  // namespace weft
