// x(…): slices and integers are static, scalar arrays a dynamic slice, other integer arrays a gather.
#include <weft/index.h>

#include <fmt/format.h>

#include "frontend/index_plan.h"
#include "frontend/program.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

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
