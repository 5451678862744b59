// Composes affine index maps of the data-moving operations.
#include "compiler/fuse/view.h"

#include <weft/error.h>

namespace weft::fuse {

Affine constant_index(std::size_t axes, std::int64_t value) {
  return {value, std::vector<std::int64_t>(axes, 0), {}};
}

Affine axis_index(std::size_t axes, std::size_t axis) {
  Affine index = constant_index(axes, 0);
  index.coefficients[axis] = 1;
  return index;
}

Affine scaled(const Affine& index, std::int64_t factor, std::int64_t offset) {
  Affine result = index;
  result.offset = index.offset * factor + offset;
  for (std::int64_t& coefficient : result.coefficients) coefficient *= factor;
  for (Affine::Term& term : result.terms) term.stride *= factor;
  return result;
}

namespace {

View broadcast_operand(const Shape& operand, const ir::BroadcastAttributes& attributes, const View& view,
                       std::size_t axes) {
  View result;
  for (int dim = 0; dim < operand.rank(); ++dim) {
    const bool repeats = operand[dim] == 1;
    result.push_back(repeats ? constant_index(axes, 0) : view[attributes.dimensions[dim]]);
  }
  return result;
}

View reverse_operand(const Shape& operand, const ir::ReverseAttributes& attributes, const View& view) {
  View result = view;
  for (std::int64_t dim : attributes.dimensions) result[dim] = scaled(view[dim], -1, operand[dim] - 1);
  return result;
}

View slice_operand(const ir::SliceAttributes& attributes, const View& view) {
  View result;
  for (std::size_t dim = 0; dim < view.size(); ++dim)
    result.push_back(scaled(view[dim], attributes.stride[dim], attributes.start[dim]));
  return result;
}

Affine sum_of(const Affine& a, const Affine& b) {
  Affine sum = a;
  sum.offset += b.offset;
  for (std::size_t axis = 0; axis < sum.coefficients.size(); ++axis)
    sum.coefficients[axis] += b.coefficients[axis];
  sum.terms.insert(sum.terms.end(), b.terms.begin(), b.terms.end());
  return sum;
}

View transpose_operand(const ir::TransposeAttributes& attributes, const View& view) {
  View result(view.size());
  for (std::size_t dim = 0; dim < view.size(); ++dim) result[attributes.permutation[dim]] = view[dim];
  return result;
}

View windows_operand(const ir::WindowsAttributes& attributes, const View& view) {
  const std::size_t rank = attributes.sizes.size();
  View result;
  for (std::size_t dim = 0; dim < rank; ++dim)
    result.push_back(sum_of(scaled(view[dim], attributes.strides[dim], 0),
                            scaled(view[rank + dim], attributes.dilations[dim], 0)));
  return result;
}

}  // namespace

bool is_affine_view(ir::Op op) {
  return op == ir::Op::broadcast_in_dim || op == ir::Op::transpose || op == ir::Op::reverse ||
         op == ir::Op::slice || op == ir::Op::windows;
}

View view_of_operand(const ir::Graph& graph, const ir::Node& node, const View& view, std::size_t axes) {
  const Shape& operand = graph.type(node.operands[0]).shape;
  if (node.op == ir::Op::broadcast_in_dim)
    return broadcast_operand(operand, ir::attributes_of<ir::BroadcastAttributes>(node), view, axes);
  if (node.op == ir::Op::transpose)
    return transpose_operand(ir::attributes_of<ir::TransposeAttributes>(node), view);
  if (node.op == ir::Op::reverse)
    return reverse_operand(operand, ir::attributes_of<ir::ReverseAttributes>(node), view);
  if (node.op == ir::Op::slice) return slice_operand(ir::attributes_of<ir::SliceAttributes>(node), view);
  if (node.op == ir::Op::windows)
    return windows_operand(ir::attributes_of<ir::WindowsAttributes>(node), view);
  throw InternalError("view_of_operand: " + std::string(ir::info_of(node.op).text) +
                      " has no affine index map");
}

View view_through_reshape(const Shape& operand, const Shape& result, const View& view, std::size_t axes) {
  View seen;
  int from = 0;
  for (std::int64_t extent : operand) {
    if (extent == 1) {
      seen.push_back(constant_index(axes, 0));
      continue;
    }
    while (result[from] == 1) ++from;
    seen.push_back(view[static_cast<std::size_t>(from++)]);
  }
  return seen;
}

Affine linear_index(const Shape& shape, const View& view, std::size_t axes) {
  Affine result = constant_index(axes, 0);
  std::int64_t stride = 1;
  for (int dim = shape.rank() - 1; dim >= 0; --dim) {
    result.offset += stride * view[dim].offset;
    for (std::size_t axis = 0; axis < axes; ++axis)
      result.coefficients[axis] += stride * view[dim].coefficients[axis];
    for (const Affine::Term& term : view[dim].terms)
      result.terms.push_back({term.value, term.stride * stride});
    stride *= shape[dim];
  }
  return result;
}

ViewTable::Id ViewTable::intern(View view) {
  const auto [position, added] = ids_.try_emplace(std::move(view), static_cast<Id>(views_.size()));
  if (added) views_.push_back(&position->first);
  return position->second;
}

}  // namespace weft::fuse
