// weft::lax: StableHLO's operations with their own attributes.
#include <weft/lax.h>

#include <fmt/format.h>

#include "frontend/elementwise.h"
#include "frontend/statics.h"

namespace weft::lax {

using frontend::apply;
using frontend::bytes_of;
using frontend::Call;
using frontend::record;
using In = std::span<const Array>;

Array div(const Operand& x, const Operand& y) {
  return frontend::elementwise("div", frontend::Domain::same, {&x, &y},
                               [](In in) { return record(ir::Op::divide, in); });
}

Array broadcast_in_dim(const Operand& x, const Shape& shape, const std::vector<int>& dimensions) {
  return apply("broadcast_in_dim", x.loc, {&x.value, 1}, bytes_of(shape, dimensions), [&](In in) {
    return frontend::broadcast_in_dim(in[0], shape, {dimensions.begin(), dimensions.end()});
  });
}

Array broadcast(const Operand& x, const Extents& sizes) {
  const Call call("broadcast", x.loc);
  std::vector<std::int64_t> extents = sizes.values;
  for (const std::int64_t extent : x.value.shape()) extents.push_back(extent);
  return broadcast_to(x, Shape(extents));
}

Array select_n(const Operand& which, const std::vector<Array>& cases) {
  const Call call("select_n", which.loc);
  if (cases.empty()) frontend::fail_type("there is no case");
  if (which.value.dtype() != b1 && !is_integer(which.value.dtype()))
    frontend::fail_type(fmt::format("{} is neither boolean nor integer", which.value.type().to_string()));
  if (which.value.dtype() == b1 && cases.size() > 2)
    frontend::fail_type(fmt::format("{} cases for a boolean", cases.size()));
  const Array number = which.value.dtype() == b1 ? which.value.astype(i32, which.loc) : which.value;
  Array result = cases.back();
  for (std::size_t i = cases.size() - 1; i-- > 0;) {
    const Array is_case = less_equal(Operand(number, which.loc), static_cast<int>(i));
    result = where(Operand(is_case, which.loc), cases[i], result);
  }
  return result;
}

Array slice(const Operand& x, const Extents& start, const Extents& limit, const Extents& strides) {
  std::vector<std::int64_t> steps = strides.values;
  if (steps.empty()) steps.assign(start.values.size(), 1);
  return apply("slice", x.loc, {&x.value, 1}, bytes_of(start.values, limit.values, steps), [&](In in) {
    return frontend::as_weak(
        record(ir::Op::slice, in, ir::SliceAttributes{start.values, limit.values, steps}), in[0].is_weak());
  });
}

Array slice_in_dim(const Operand& x, std::int64_t start, std::int64_t limit, std::int64_t stride, int axis) {
  const Call call("slice_in_dim", x.loc);
  const Shape shape = x.value.shape();
  const auto which = static_cast<std::size_t>(frontend::normalize_axis(axis, shape.rank()));
  Extents starts(Shape{}), limits(shape), strides(Shape{});
  starts.values.assign(limits.values.size(), 0);
  strides.values.assign(limits.values.size(), 1);
  const std::int64_t extent = limits.values[which];
  starts.values[which] = start < 0 ? start + extent : start;
  limits.values[which] = limit < 0 ? limit + extent : limit;
  strides.values[which] = stride;
  return slice(x, starts, limits, strides);
}

Array index_in_dim(const Operand& x, std::int64_t index, int axis, bool keepdims) {
  const Call call("index_in_dim", x.loc);
  const std::int64_t extent = x.value.shape(axis, x.loc);
  if (index < -extent || index >= extent)
    frontend::fail_index(fmt::format("{} is outside axis {} of {}", index, axis, x.value.type().to_string()));
  const std::int64_t i = index < 0 ? index + extent : index;
  const Array one = slice_in_dim(x, i, i + 1, 1, axis);
  return keepdims ? one : squeeze(Operand(one, x.loc), axis);
}

Array dynamic_slice(const Operand& x, const std::vector<Array>& start, const Shape& sizes) {
  std::vector<Array> operands{x.value};
  operands.insert(operands.end(), start.begin(), start.end());
  return apply("dynamic_slice", x.loc, operands, bytes_of(sizes), [&](In in) {
    std::vector<Array> all(in.begin(), in.end());
    if (all.size() > 1) {
      const DType dtype = frontend::promote(in.subspan(1)).dtype;
      for (std::size_t i = 1; i < all.size(); ++i) all[i] = frontend::convert_to(all[i], dtype);
    }
    return record(ir::Op::dynamic_slice, all, ir::DynamicSliceAttributes{{sizes.begin(), sizes.end()}});
  });
}

Array dynamic_update_slice(const Operand& x, const Operand& update, const std::vector<Array>& start) {
  std::vector<Array> operands{x.value, update.value};
  operands.insert(operands.end(), start.begin(), start.end());
  return apply("dynamic_update_slice", x.loc, operands, {}, [&](In in) {
    std::vector<Array> all(in.begin(), in.end());
    all[1] = frontend::convert_to(all[1], frontend::type_of(all[0]).dtype);
    if (all.size() > 2) {
      const DType dtype = frontend::promote(in.subspan(2)).dtype;
      for (std::size_t i = 2; i < all.size(); ++i) all[i] = frontend::convert_to(all[i], dtype);
    }
    return record(ir::Op::dynamic_update_slice, all);
  });
}
Array dynamic_update_slice_in_dim(const Operand& x, const Operand& update, const Operand& start, int axis) {
  const Call call("dynamic_update_slice_in_dim", x.loc);
  const int rank = x.value.ndim();
  const auto which = static_cast<std::size_t>(frontend::normalize_axis(axis, rank));
  std::vector<Array> starts(static_cast<std::size_t>(rank), zeros({}, start.value.dtype(), x.loc));
  starts[which] = start.value;
  return dynamic_update_slice(x, update, starts);
}
Array dynamic_update_index_in_dim(const Operand& x, const Operand& update, const Operand& index, int axis) {
  const Call call("dynamic_update_index_in_dim", x.loc);
  const int which = frontend::normalize_axis(axis, x.value.ndim());
  const bool lacks_axis = update.value.ndim() < x.value.ndim();
  const Array box = lacks_axis ? expand_dims(update, which) : update.value;
  return dynamic_update_slice_in_dim(x, Operand(box, update.loc), index, which);
}
Array dynamic_slice_in_dim(const Operand& x, const Operand& start, std::int64_t size, int axis) {
  const Call call("dynamic_slice_in_dim", x.loc);
  const Shape shape = x.value.shape();
  const auto which = static_cast<std::size_t>(frontend::normalize_axis(axis, shape.rank()));
  std::vector<Array> starts(static_cast<std::size_t>(shape.rank()), zeros({}, start.value.dtype(), x.loc));
  starts[which] = start.value;
  std::vector<std::int64_t> sizes(shape.begin(), shape.end());
  sizes[which] = size;
  return dynamic_slice(x, starts, Shape(sizes));
}

Array dynamic_index_in_dim(const Operand& x, const Operand& index, int axis, bool keepdims) {
  const Call call("dynamic_index_in_dim", x.loc);
  const Array one = dynamic_slice_in_dim(x, index, 1, axis);
  return keepdims ? one : squeeze(Operand(one, x.loc), axis);
}

Array gather(const Operand& x, const Operand& indices, const GatherOptions& o) {
  const Array operands[] = {x.value, indices.value};
  const std::string statics =
      bytes_of(o.offset_dims, o.collapsed_slice_dims, o.operand_batching_dims, o.start_indices_batching_dims,
               o.start_index_map, o.index_vector_dim, o.slice_sizes, o.indices_are_sorted);
  return apply("gather", x.loc, operands, statics, [&](In in) {
    return record(ir::Op::gather, in,
                  ir::GatherAttributes{o.offset_dims, o.collapsed_slice_dims, o.operand_batching_dims,
                                       o.start_indices_batching_dims, o.start_index_map, o.index_vector_dim,
                                       o.slice_sizes, o.indices_are_sorted});
  });
}

}  // namespace weft::lax
