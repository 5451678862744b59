// From the user's list to one entry an axis, and the parts that both uses are made of.
#include "frontend/index_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/statics.h"

namespace weft::frontend {

std::string static_bytes(const Plan& plan) {
  std::string bytes;
  for (const AxisIndex& e : plan.entries) bytes += bytes_of(e.kind, e.start, e.stop, e.step, e.operand);
  return bytes;
}

namespace {

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

}  // namespace

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

Array wrapped(const Array& index, std::int64_t extent) {
  const DType dtype = type_of(index).dtype, wide = extent > INT32_MAX ? i64 : i32;
  if (is_unsigned(dtype)) {
    // The largest values would turn negative in a signed dtype: bound them first.
    const bool may_overflow = size_of(dtype) >= size_of(wide);
    if (!may_overflow) return convert_to(index, wide);
    return convert_to(record(ir::Op::minimum, {index, splat_like(index, static_cast<double>(extent))}), wide);
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

std::vector<AxisIndex> axis_entries(const Plan& plan) {
  std::vector<AxisIndex> result;
  for (const AxisIndex& e : plan.entries)
    if (e.kind != AxisIndex::Kind::newaxis) result.push_back(e);
  return result;
}

// Without concatenating: each is chosen where iota names it.
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

int place_of_batch(const Plan& plan) {
  int place = 0;
  if (plan.is_scattered) return place;
  for (const AxisIndex& e : plan.entries) {
    if (e.kind == AxisIndex::Kind::array || e.kind == AxisIndex::Kind::integer) break;
    if (e.kind != AxisIndex::Kind::newaxis) ++place;
  }
  return place;
}

}  // namespace weft::frontend
