// Operations that only move elements: broadcast_in_dim, reshape, transpose, reverse, slice.
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

const Type& result_type(const Evaluation& evaluation) {
  return evaluation.graph.type(evaluation.node.results[0]);
}

// --- broadcast_in_dim: result[…] = operand[result index of each operand dimension, or 0 where its extent is
// 1] -----

TypeAnswer broadcast_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1, true)) return *fault;
  const Type &operand = query.operands[0], &result = query.declared[0];
  const Dims& dims = std::get<BroadcastAttributes>(query.attributes).dimensions;
  if (operand.dtype != result.dtype)
    return wrong_type("C1", fmt::format("{} cannot become {}", operand.to_string(), result.to_string()));
  if (static_cast<int>(dims.size()) != operand.shape.rank())
    return wrong_shape("C2", fmt::format("{} dimensions given for {}", dims.size(), operand.to_string()));
  if (auto fault = fault_of_dims(dims, result.shape.rank(), "dimension")) return wrong_shape("C3", *fault);
  for (int dim = 0; dim < operand.shape.rank(); ++dim) {
    const std::int64_t to = result.shape[static_cast<int>(dims[static_cast<std::size_t>(dim)])];
    if (operand.shape[dim] != 1 && operand.shape[dim] != to)
      return wrong_shape(
          "C5", fmt::format("{} does not broadcast to {}: dimension {} has extent {}, the result's {}",
                            operand.to_string(), result.to_string(), dim, operand.shape[dim], to));
  }
  return TypeAnswer::of(result);
}

std::vector<Literal> broadcast_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  const Dims& dims = attributes_of<BroadcastAttributes>(evaluation.node).dimensions;
  return {moved(result_type(evaluation), operand, [&](const Position& position) {
    Position from;
    for (std::size_t dim = 0; dim < dims.size(); ++dim)
      from.push_back(
          operand.type.shape[static_cast<int>(dim)] == 1 ? 0 : position[static_cast<std::size_t>(dims[dim])]);
    return from;
  })};
}

std::vector<Batched> broadcast_batch(const Batching& batching) {
  const Shape& shape = batching.from.type(batching.node.results[0]).shape;
  const Dims& dims = attributes_of<BroadcastAttributes>(batching.node).dimensions;
  return {batched_result(batching.to.broadcast(batching.operands[0].value, with_batch(shape, batching.size),
                                               with_batch(shifted(dims), 0)))};
}

// --- reshape: the same elements in row-major order ---

TypeAnswer reshape_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1, true)) return *fault;
  const Type &operand = query.operands[0], &result = query.declared[0];
  if (operand.dtype != result.dtype)
    return wrong_type("C1", fmt::format("{} cannot become {}", operand.to_string(), result.to_string()));
  if (operand.size() != result.size())
    return wrong_shape("C2", fmt::format("{} has {} elements, {} has {}", operand.to_string(), operand.size(),
                                         result.to_string(), result.size()));
  return TypeAnswer::of(result);
}

std::vector<Literal> reshape_value(const Evaluation& evaluation) {
  Literal result = evaluation.operands[0];
  result.type = result_type(evaluation);
  return {std::move(result)};
}

std::vector<Batched> reshape_batch(const Batching& batching) {
  const Shape& shape = batching.from.type(batching.node.results[0]).shape;
  return {batched_result(batching.to.reshape(batching.operands[0].value, with_batch(shape, batching.size)))};
}

// --- transpose: result dimension i is operand dimension permutation[i] ---

TypeAnswer transpose_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  const Type& operand = query.operands[0];
  const Dims& permutation = std::get<TransposeAttributes>(query.attributes).permutation;
  if (static_cast<int>(permutation.size()) != operand.shape.rank())
    return wrong_shape(
        "C2", fmt::format("a permutation of {} dimensions for {}", permutation.size(), operand.to_string()));
  if (auto fault = fault_of_dims(permutation, operand.shape.rank(), "dimension"))
    return wrong_shape("C2", *fault);
  std::vector<std::int64_t> extents;
  for (std::int64_t dim : permutation) extents.push_back(operand.shape[static_cast<int>(dim)]);
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(extents)), operand.dtype});
}

std::vector<Literal> transpose_value(const Evaluation& evaluation) {
  const Dims& permutation = attributes_of<TransposeAttributes>(evaluation.node).permutation;
  return {moved(result_type(evaluation), evaluation.operands[0], [&](const Position& position) {
    Position from(position.size());
    for (std::size_t dim = 0; dim < position.size(); ++dim)
      from[static_cast<std::size_t>(permutation[dim])] = position[dim];
    return from;
  })};
}

std::vector<Batched> transpose_batch(const Batching& batching) {
  const Dims& permutation = attributes_of<TransposeAttributes>(batching.node).permutation;
  return {
      batched_result(batching.to.transpose(batching.operands[0].value, with_batch(shifted(permutation), 0)))};
}

// --- reverse ---

TypeAnswer reverse_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  const Dims& dims = std::get<ReverseAttributes>(query.attributes).dimensions;
  if (auto fault = fault_of_dims(dims, query.operands[0].shape.rank(), "dimension"))
    return wrong_shape("C2", *fault);
  return TypeAnswer::of(query.operands[0]);
}

std::vector<Literal> reverse_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  const Dims& dims = attributes_of<ReverseAttributes>(evaluation.node).dimensions;
  return {moved(operand.type, operand, [&](const Position& position) {
    Position from = position;
    for (std::int64_t dim : dims)
      from[static_cast<std::size_t>(dim)] =
          operand.type.shape[static_cast<int>(dim)] - 1 - position[static_cast<std::size_t>(dim)];
    return from;
  })};
}

std::vector<Batched> reverse_batch(const Batching& batching) {
  return {batched_result(batching.to.reverse(
      batching.operands[0].value, shifted(attributes_of<ReverseAttributes>(batching.node).dimensions)))};
}

// --- slice: start, start + stride, … below limit ---

TypeAnswer slice_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  const Type& operand = query.operands[0];
  const auto& slice = std::get<SliceAttributes>(query.attributes);
  const auto rank = static_cast<std::size_t>(operand.shape.rank());
  if (slice.start.size() != rank || slice.limit.size() != rank || slice.stride.size() != rank)
    return wrong_shape("C2", fmt::format("start, limit and stride must have {} entries each", rank));
  std::vector<std::int64_t> extents;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    const std::int64_t extent = operand.shape[static_cast<int>(dim)];
    if (slice.start[dim] < 0 || slice.start[dim] > slice.limit[dim] || slice.limit[dim] > extent)
      return wrong_shape("C3", fmt::format("{}:{} does not lie in dimension {} of {}", slice.start[dim],
                                           slice.limit[dim], dim, operand.to_string()));
    if (slice.stride[dim] <= 0)
      return wrong_shape("C4", fmt::format("stride {} is not positive", slice.stride[dim]));
    const std::int64_t length = slice.limit[dim] - slice.start[dim];
    extents.push_back(length == 0 ? 0 : (length - 1) / slice.stride[dim] + 1);
  }
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(extents)), operand.dtype});
}

std::vector<Literal> slice_value(const Evaluation& evaluation) {
  const auto& slice = attributes_of<SliceAttributes>(evaluation.node);
  return {moved(result_type(evaluation), evaluation.operands[0], [&](const Position& position) {
    Position from;
    for (std::size_t dim = 0; dim < position.size(); ++dim)
      from.push_back(slice.start[dim] + position[dim] * slice.stride[dim]);
    return from;
  })};
}

std::vector<Batched> slice_batch(const Batching& batching) {
  const auto& slice = attributes_of<SliceAttributes>(batching.node);
  return {
      batched_result(batching.to.slice(batching.operands[0].value, with_batch(slice.start, 0),
                                       with_batch(slice.limit, batching.size), with_batch(slice.stride, 1)))};
}

}  // namespace

namespace rules {
const StructuralRules& broadcast_in_dim() {
  static const StructuralRules rules{broadcast_types, broadcast_value, broadcast_batch};
  return rules;
}
const StructuralRules& reshape() {
  static const StructuralRules rules{reshape_types, reshape_value, reshape_batch};
  return rules;
}
const StructuralRules& transpose() {
  static const StructuralRules rules{transpose_types, transpose_value, transpose_batch};
  return rules;
}
const StructuralRules& reverse() {
  static const StructuralRules rules{reverse_types, reverse_value, reverse_batch};
  return rules;
}
const StructuralRules& slice() {
  static const StructuralRules rules{slice_types, slice_value, slice_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
