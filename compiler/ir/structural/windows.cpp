// windows: [window …, element …] = operand[window * stride + element * dilation …].
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

TypeAnswer windows_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  const Type& operand = query.operands[0];
  const auto& windows = std::get<WindowsAttributes>(query.attributes);
  const auto rank = static_cast<std::size_t>(operand.shape.rank());
  if (windows.sizes.size() != rank || windows.strides.size() != rank || windows.dilations.size() != rank)
    return wrong_shape("C1", fmt::format("sizes, strides and dilations must have {} entries each", rank));
  if (2 * rank > static_cast<std::size_t>(kMaxRank))
    return wrong_shape("C2", fmt::format("{} has too many dimensions", operand.to_string()));
  std::vector<std::int64_t> extents;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    if (windows.sizes[dim] <= 0 || windows.strides[dim] <= 0 || windows.dilations[dim] <= 0)
      return wrong_shape("C3", fmt::format("size {}, stride {} or dilation {} is not positive",
                                           windows.sizes[dim], windows.strides[dim], windows.dilations[dim]));
    extents.push_back(window_count(operand.shape[static_cast<int>(dim)], windows.sizes[dim],
                                   windows.strides[dim], windows.dilations[dim]));
  }
  extents.insert(extents.end(), windows.sizes.begin(), windows.sizes.end());
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(extents)), operand.dtype});
}

std::vector<Literal> windows_value(const Evaluation& evaluation) {
  const auto& windows = attributes_of<WindowsAttributes>(evaluation.node);
  const Type& type = evaluation.graph.type(evaluation.node.results[0]);
  return {moved(type, evaluation.operands[0], [&](const Position& position) {
    const std::size_t rank = position.size() / 2;
    Position from;
    for (std::size_t dim = 0; dim < rank; ++dim)
      from.push_back(position[dim] * windows.strides[dim] + position[rank + dim] * windows.dilations[dim]);
    return from;
  })};
}

// The batch dimension is one window of one element at each of its indices.
std::vector<Batched> windows_batch(const Batching& batching) {
  const auto& windows = attributes_of<WindowsAttributes>(batching.node);
  const ValueId all = batching.to.windows(batching.operands[0].value, with_batch(windows.sizes, 1),
                                          with_batch(windows.strides, 1), with_batch(windows.dilations, 1));
  const Shape& shape = batching.from.type(batching.node.results[0]).shape;
  return {batched_result(batching.to.reshape(all, with_batch(shape, batching.size)))};
}

}  // namespace

std::int64_t window_count(std::int64_t extent, std::int64_t size, std::int64_t stride,
                          std::int64_t dilation) {
  std::int64_t reach = 0;  // of a window behind its first element
  if (size == 0)
    reach = -1;  // as StableHLO has it, a window of nothing also begins behind the last element
  else if (__builtin_mul_overflow(size - 1, dilation, &reach) || reach >= extent)
    return 0;
  if (extent <= 0) return 0;
  return (extent - 1 - reach) / stride + 1;
}

namespace rules {
const StructuralRules& windows() {
  static const StructuralRules rules{windows_types, windows_value, windows_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
