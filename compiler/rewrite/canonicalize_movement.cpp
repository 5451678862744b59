// Equations of operations that only move data: they compose, and vanish where they do nothing.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "compiler/rewrite/equations.h"
#include "compiler/rewrite/known_values.h"

namespace weft::rewrite {
namespace {

using ir::Op;

// constant of equal elements -> splat
std::optional<Equal> splat_of_equal_elements(const Scene&, const Candidate& c) {
  if (c.op != Op::constant) return std::nullopt;
  const ir::Literal& literal = std::get<ir::ConstantAttributes>(c.attributes).value;
  if (literal.is_splat || literal.type.size() == 0) return std::nullopt;
  const std::size_t size = size_of(literal.type.dtype),
                    bytes = static_cast<std::size_t>(literal.type.nbytes());
  const std::byte* data = literal.buffer.data();
  if (std::memcmp(data, data + size, bytes - size) != 0) return std::nullopt;
  Candidate splat = c;
  splat.attributes = ir::ConstantAttributes{ir::Literal::splat(literal.type.dtype, literal.type.shape, data)};
  return Equal{std::move(splat)};
}

// move(splat) -> splat
std::optional<Equal> movement_of_splat(const Scene& scene, const Candidate& c) {
  const bool moves = c.op == Op::broadcast_in_dim || c.op == Op::reshape || c.op == Op::transpose ||
                     c.op == Op::reverse || c.op == Op::slice || c.op == Op::windows ||
                     c.op == Op::dynamic_slice || c.op == Op::gather;
  if (!moves) return std::nullopt;
  const ir::Literal* literal = ir::constant_value(scene.graph(), c.operands[0]);
  if (!literal || !literal->is_splat || literal->type.size() == 0) return std::nullopt;
  ir::Literal splat = *literal;
  splat.type.shape = c.type.shape;
  return Equal{Candidate{Op::constant, {}, ir::ConstantAttributes{std::move(splat)}, c.type}};
}

// reshape to the same shape -> x
std::optional<Equal> reshape_to_same_shape(const Scene& scene, const Candidate& c) {
  if (c.op != Op::reshape) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// reshape(reshape x) -> reshape x
std::optional<Equal> reshape_of_reshape(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::reshape ? scene.made_by(c.operands[0], Op::reshape) : nullptr;
  if (!inner) return std::nullopt;
  return Equal{with_operands(c, {inner->operands[0]})};
}

bool is_identity(const ir::Dims& permutation) {
  for (std::size_t i = 0; i < permutation.size(); ++i)
    if (permutation[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

// transpose by the identity -> x
std::optional<Equal> transpose_by_identity(const Scene& scene, const Candidate& c) {
  if (c.op != Op::transpose || !is_identity(std::get<ir::TransposeAttributes>(c.attributes).permutation))
    return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// transpose(transpose x) -> transpose x
std::optional<Equal> transpose_of_transpose(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::transpose ? scene.made_by(c.operands[0], Op::transpose) : nullptr;
  if (!inner) return std::nullopt;
  ir::Dims permutation;
  for (std::int64_t dim : std::get<ir::TransposeAttributes>(c.attributes).permutation)
    permutation.push_back(
        ir::attributes_of<ir::TransposeAttributes>(*inner).permutation[static_cast<std::size_t>(dim)]);
  Candidate result = with_operands(c, {inner->operands[0]});
  result.attributes = ir::TransposeAttributes{std::move(permutation)};
  return Equal{std::move(result)};
}

// reverse of dimensions of extent 0 or 1 -> x
std::optional<Equal> reverse_of_nothing(const Scene& scene, const Candidate& c) {
  if (c.op != Op::reverse) return std::nullopt;
  for (std::int64_t dim : std::get<ir::ReverseAttributes>(c.attributes).dimensions)
    if (c.type.shape[static_cast<int>(dim)] > 1) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// reverse(reverse x) -> reverse x, of the dimensions that only one of them names
std::optional<Equal> reverse_of_reverse(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::reverse ? scene.made_by(c.operands[0], Op::reverse) : nullptr;
  if (!inner) return std::nullopt;
  ir::Dims outer_dims = std::get<ir::ReverseAttributes>(c.attributes).dimensions;
  ir::Dims inner_dims = ir::attributes_of<ir::ReverseAttributes>(*inner).dimensions;
  std::sort(outer_dims.begin(), outer_dims.end());
  std::sort(inner_dims.begin(), inner_dims.end());
  ir::ReverseAttributes once;
  std::set_symmetric_difference(outer_dims.begin(), outer_dims.end(), inner_dims.begin(), inner_dims.end(),
                                std::back_inserter(once.dimensions));
  Candidate result = with_operands(c, {inner->operands[0]});
  result.attributes = std::move(once);
  return Equal{std::move(result)};
}

// slice of everything -> x
std::optional<Equal> slice_of_everything(const Scene& scene, const Candidate& c) {
  if (c.op != Op::slice) return std::nullopt;
  return same_value(scene, c, c.operands[0]);  // equal extents leave no other start and stride than 0 and 1
}

// slice(slice x) -> slice x
std::optional<Equal> slice_of_slice(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::slice ? scene.made_by(c.operands[0], Op::slice) : nullptr;
  if (!inner || c.type.size() == 0) return std::nullopt;
  const auto& a = ir::attributes_of<ir::SliceAttributes>(*inner);
  const auto& b = std::get<ir::SliceAttributes>(c.attributes);
  ir::SliceAttributes both;
  for (std::size_t dim = 0; dim < a.start.size(); ++dim) {
    const std::int64_t count = c.type.shape[static_cast<int>(dim)];
    const std::int64_t start = a.start[dim] + b.start[dim] * a.stride[dim];
    const std::int64_t stride = count == 1 ? 1 : a.stride[dim] * b.stride[dim];
    both.start.push_back(start);
    both.stride.push_back(stride);
    both.limit.push_back(start + (count - 1) * stride + 1);
  }
  Candidate result = with_operands(c, {inner->operands[0]});
  result.attributes = std::move(both);
  return Equal{std::move(result)};
}

// broadcast_in_dim that repeats nothing -> x
std::optional<Equal> broadcast_to_same_shape(const Scene& scene, const Candidate& c) {
  if (c.op != Op::broadcast_in_dim ||
      !is_identity(std::get<ir::BroadcastAttributes>(c.attributes).dimensions))
    return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// broadcast(broadcast x) -> broadcast x
std::optional<Equal> broadcast_of_broadcast(const Scene& scene, const Candidate& c) {
  const ir::Node* inner =
      c.op == Op::broadcast_in_dim ? scene.made_by(c.operands[0], Op::broadcast_in_dim) : nullptr;
  if (!inner) return std::nullopt;
  const auto& outer = std::get<ir::BroadcastAttributes>(c.attributes).dimensions;
  ir::BroadcastAttributes both;
  for (std::int64_t dim : ir::attributes_of<ir::BroadcastAttributes>(*inner).dimensions)
    both.dimensions.push_back(outer[static_cast<std::size_t>(dim)]);
  Candidate result = with_operands(c, {inner->operands[0]});
  result.attributes = std::move(both);
  return Equal{std::move(result)};
}

// broadcast(iota) -> iota
std::optional<Equal> broadcast_of_iota(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::broadcast_in_dim ? scene.made_by(c.operands[0], Op::iota) : nullptr;
  if (!inner) return std::nullopt;
  const std::int64_t from = ir::attributes_of<ir::IotaAttributes>(*inner).dimension;
  const std::int64_t to =
      std::get<ir::BroadcastAttributes>(c.attributes).dimensions[static_cast<std::size_t>(from)];
  if (scene.type(c.operands[0]).shape[static_cast<int>(from)] != c.type.shape[static_cast<int>(to)])
    return std::nullopt;
  return Equal{Candidate{Op::iota, {}, ir::IotaAttributes{to}, c.type}};
}

// Whether the index is what a reduction of `operand` itself gave: then the element may be at hand, and
// reuse_selected_value decides.
bool is_found_by_reduction(const Scene& scene, ir::ValueId index, ir::ValueId operand) {
  const ir::Node* reduce = scene.made_by(index, Op::reduce);
  return reduce &&
         std::find(reduce->operands.begin(), reduce->operands.end(), operand) != reduce->operands.end();
}

// dynamic_slice at known starts -> slice; starts are clamped so that the box lies inside
std::optional<Equal> dynamic_slice_at_known_starts(const Scene& scene, const Candidate& c) {
  if (c.op != Op::dynamic_slice) return std::nullopt;
  const Shape& shape = scene.type(c.operands[0]).shape;
  ir::SliceAttributes box;
  for (int dim = 0; dim < shape.rank(); ++dim) {
    const std::int64_t room = shape[dim] - c.type.shape[dim];
    const ir::ValueId operand = c.operands[static_cast<std::size_t>(dim) + 1];
    if (is_found_by_reduction(scene, operand, c.operands[0])) return std::nullopt;
    const auto range = range_of(scene.graph(), operand);
    // Clamping decides the start even of an unknown index when there is no room, or all of its range lies
    // outside.
    const bool is_known =
        room == 0 || (range && (range->low == range->high || range->high <= 0 || range->low >= room));
    if (!is_known) return std::nullopt;
    const std::int64_t start = room == 0 ? 0 : std::clamp<std::int64_t>(range->low, 0, room);
    box.start.push_back(start);
    box.limit.push_back(start + c.type.shape[dim]);
    box.stride.push_back(1);
  }
  Candidate result = with_operands(c, {c.operands[0]});
  result.op = Op::slice;
  result.attributes = std::move(box);
  return Equal{std::move(result)};
}

// Every value of `from` is a value of `to`.
bool widens(DType from, DType to) {
  if (is_floating(from) || is_floating(to))
    return from == to || (to == DType::f64 && is_floating(from)) || (to == DType::f32 && is_half(from));
  const auto a = range_of(from), b = range_of(to);
  return a && b && a->low >= b->low && a->high <= b->high;
}

// convert to the same type -> x
std::optional<Equal> convert_to_same_type(const Scene& scene, const Candidate& c) {
  if (c.op != Op::convert) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// convert(convert x), where the inner one loses nothing -> convert x
std::optional<Equal> convert_of_widening_convert(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::convert ? scene.made_by(c.operands[0], Op::convert) : nullptr;
  if (!inner) return std::nullopt;
  const DType from = scene.type(inner->operands[0]).dtype, between = scene.type(c.operands[0]).dtype;
  // Integers wrap when they shrink and floats round, whatever they went through; between the two kinds it may
  // differ.
  const bool is_one_kind =
      is_integer(from) == is_integer(c.type.dtype) && is_floating(from) == is_floating(c.type.dtype);
  if (!widens(from, between) || !is_one_kind || c.type.dtype == DType::b1) return std::nullopt;
  return Equal{with_operands(c, {inner->operands[0]})};
}

// bitcast_convert to the same type -> x
std::optional<Equal> bitcast_to_same_type(const Scene& scene, const Candidate& c) {
  if (c.op != Op::bitcast_convert) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

constexpr Equation kEquations[] = {
    {"splat_of_equal_elements", splat_of_equal_elements},
    {"movement_of_splat", movement_of_splat},
    {"reshape_to_same_shape", reshape_to_same_shape},
    {"reshape_of_reshape", reshape_of_reshape},
    {"transpose_by_identity", transpose_by_identity},
    {"transpose_of_transpose", transpose_of_transpose},
    {"reverse_of_nothing", reverse_of_nothing},
    {"reverse_of_reverse", reverse_of_reverse},
    {"slice_of_everything", slice_of_everything},
    {"slice_of_slice", slice_of_slice},
    {"broadcast_to_same_shape", broadcast_to_same_shape},
    {"broadcast_of_broadcast", broadcast_of_broadcast},
    {"broadcast_of_iota", broadcast_of_iota},
    {"dynamic_slice_at_known_starts", dynamic_slice_at_known_starts},
    {"convert_to_same_type", convert_to_same_type},
    {"convert_of_widening_convert", convert_of_widening_convert},
    {"bitcast_to_same_type", bitcast_to_same_type},
};

}  // namespace

std::span<const Equation> movement_equations() { return kEquations; }

}  // namespace weft::rewrite
