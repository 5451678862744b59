// Operations that put an array together from others: concatenate, pad, dynamic_update_slice.
#include <algorithm>

#include "compiler/ir/structural/elements.h"
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

// --- concatenate: the operands one after another along a dimension ---

TypeAnswer concatenate_types(const TypeQuery& query) {
  if (query.operands.empty()) return wrong_structure("C5", "needs at least one operand");
  const Type& first = query.operands[0];
  const std::int64_t dimension = std::get<ConcatenateAttributes>(query.attributes).dimension;
  if (dimension < 0 || dimension >= first.shape.rank())
    return wrong_shape("C4",
                       fmt::format("dimension {} is out of range for {}", dimension, first.to_string()));
  std::vector<std::int64_t> extents(first.shape.begin(), first.shape.end());
  std::int64_t& together = extents[static_cast<std::size_t>(dimension)];
  for (std::size_t i = 1; i < query.operands.size(); ++i) {
    const Type& operand = query.operands[i];
    if (operand.dtype != first.dtype)
      return wrong_type(
          "C1", fmt::format("{} and {} differ in element type", first.to_string(), operand.to_string()));
    bool agrees = operand.shape.rank() == first.shape.rank();
    for (int dim = 0; agrees && dim < first.shape.rank(); ++dim)
      agrees = dim == dimension || operand.shape[dim] == first.shape[dim];
    if (!agrees)
      return wrong_shape("C2", fmt::format("{} and {} differ in more than dimension {}", first.to_string(),
                                           operand.to_string(), dimension));
    together += operand.shape[static_cast<int>(dimension)];
  }
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(extents)), first.dtype});
}

// Writes the operand's elements into the result, each at target(position).
template <class Target>
void place(Literal& result, const Literal& operand, const Target& target) {
  const std::size_t size = size_of(result.type.dtype);
  for_each_position(operand.type.shape, [&](const Position& position, std::int64_t flat) {
    Position at = position;
    if (!target(at)) return;
    std::memcpy(result.buffer.data() + static_cast<std::size_t>(flat_index(result.type.shape, at)) * size,
                operand.buffer.data() + static_cast<std::size_t>(flat) * size, size);
  });
}

std::vector<Literal> concatenate_value(const Evaluation& evaluation) {
  const auto dimension =
      static_cast<std::size_t>(attributes_of<ConcatenateAttributes>(evaluation.node).dimension);
  Literal result = uninitialized(evaluation.graph.type(evaluation.node.results[0]));
  std::int64_t start = 0;
  for (const Literal& operand : evaluation.operands) {
    place(result, operand, [&](Position& at) {
      at[dimension] += start;
      return true;
    });
    start += operand.type.shape[static_cast<int>(dimension)];
  }
  return {std::move(result)};
}

std::vector<Batched> concatenate_batch(const Batching& batching) {
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < batching.operands.size(); ++i) operands.push_back(batching.batched(i));
  const std::int64_t dimension = attributes_of<ConcatenateAttributes>(batching.node).dimension;
  return {batched_result(batching.to.concatenate(std::move(operands), dimension + 1))};
}

// --- pad: low values before, high behind, interior between the elements; negative low and high take elements
// away ---

TypeAnswer pad_types(const TypeQuery& query) {
  if (auto fault = expects(query, 2)) return *fault;
  const Type &operand = query.operands[0], &value = query.operands[1];
  const auto& pad = std::get<PadAttributes>(query.attributes);
  if (value.shape.rank() != 0 || value.dtype != operand.dtype)
    return wrong_type("C1", fmt::format("{} is padded with {}", operand.to_string(), value.to_string()));
  const auto rank = static_cast<std::size_t>(operand.shape.rank());
  if (pad.low.size() != rank || pad.high.size() != rank || pad.interior.size() != rank)
    return wrong_shape("C2", fmt::format("low, high and interior must have {} entries each", rank));
  std::vector<std::int64_t> extents;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    if (pad.interior[dim] < 0)
      return wrong_shape("C3", fmt::format("interior padding {} is negative", pad.interior[dim]));
    const std::int64_t extent = operand.shape[static_cast<int>(dim)];
    std::int64_t between = 0, padded = 0;
    const bool overflows =
        __builtin_mul_overflow(std::max<std::int64_t>(extent - 1, 0), pad.interior[dim], &between) ||
        __builtin_add_overflow(extent, between, &padded) ||
        __builtin_add_overflow(padded, pad.low[dim], &padded) ||
        __builtin_add_overflow(padded, pad.high[dim], &padded);
    if (overflows || padded < 0)
      return wrong_shape("C4", fmt::format("dimension {} of {} has no extent when padded by {} and {}", dim,
                                           operand.to_string(), pad.low[dim], pad.high[dim]));
    extents.push_back(padded);
  }
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(extents)), operand.dtype});
}

std::vector<Literal> pad_value(const Evaluation& evaluation) {
  const auto& pad = attributes_of<PadAttributes>(evaluation.node);
  const Type& type = evaluation.graph.type(evaluation.node.results[0]);
  Literal result =
      Literal::splat(type.dtype, type.shape, evaluation.operands[1].buffer.data()).materialized();
  place(result, evaluation.operands[0], [&](Position& at) {
    for (std::size_t dim = 0; dim < at.size(); ++dim) {
      at[dim] = pad.low[dim] + at[dim] * (pad.interior[dim] + 1);
      if (at[dim] < 0 || at[dim] >= type.shape[static_cast<int>(dim)]) return false;
    }
    return true;
  });
  return {std::move(result)};
}

// A padding value of each element's own is chosen where a padded mask is clear.
std::vector<Batched> pad_batch(const Batching& batching) {
  Builder& to = batching.to;
  const auto& pad = attributes_of<PadAttributes>(batching.node);
  const PadAttributes padded{with_batch(pad.low, 0), with_batch(pad.high, 0), with_batch(pad.interior, 0)};
  const ValueId operand = batching.batched(0);
  if (!batching.operands[1].is_batched)
    return {batched_result(to.pad(operand, batching.operands[1].value, padded))};
  const Type type = to.type(operand);
  const ValueId filled = to.pad(operand, to.constant(Literal::zeros(type.dtype, {})), padded);
  const ValueId is_element = to.pad(to.splat(DType::b1, type.shape, 1), to.scalar(DType::b1, 0), padded);
  const ValueId values = to.broadcast(batching.operands[1].value, to.type(filled).shape, {0});
  return {batched_result(to.select(is_element, filled, values))};
}

// --- dynamic_update_slice: the operand, with the update in the box that begins at the start indices ---

TypeAnswer update_types(const TypeQuery& query) {
  if (query.operands.size() < 2)
    return wrong_structure("S1", "takes an array, an update and its start indices");
  const Type &operand = query.operands[0], &update = query.operands[1];
  const int rank = operand.shape.rank();
  if (update.dtype != operand.dtype || update.shape.rank() != rank)
    return wrong_type("C2",
                      fmt::format("{} cannot be updated with {}", operand.to_string(), update.to_string()));
  if (static_cast<int>(query.operands.size()) != rank + 2)
    return wrong_structure(
        "C4", fmt::format("{} start indices for {}", query.operands.size() - 2, operand.to_string()));
  for (std::size_t i = 2; i < query.operands.size(); ++i) {
    const Type& start = query.operands[i];
    if (start.shape.rank() != 0 || !is_integer(start.dtype))
      return wrong_type("C5",
                        fmt::format("start index {} is {}, not an integer scalar", i - 2, start.to_string()));
    if (start != query.operands[2]) return wrong_type("C5", "start indices differ in type");
  }
  for (int dim = 0; dim < rank; ++dim)
    if (update.shape[dim] > operand.shape[dim])
      return wrong_shape("C6", fmt::format("the update {} does not fit dimension {} of {}",
                                           update.to_string(), dim, operand.to_string()));
  return TypeAnswer::of(operand);
}

std::vector<Literal> update_value(const Evaluation& evaluation) {
  const Literal &operand = evaluation.operands[0], &update = evaluation.operands[1];
  Literal result = uninitialized(operand.type);
  std::memcpy(result.buffer.data(), operand.buffer.data(), static_cast<std::size_t>(operand.type.nbytes()));
  place(result, update, [&](Position& at) {
    for (std::size_t dim = 0; dim < at.size(); ++dim)
      at[dim] += clamped(index_value(evaluation.operands[dim + 2], 0),
                         operand.type.shape[static_cast<int>(dim)], update.type.shape[static_cast<int>(dim)]);
    return true;
  });
  return {std::move(result)};
}

// Starts of each element of the batch, as i64 and clamped: [batch, 1].
ValueId clamped_starts(const Batching& batching, std::size_t operand, std::int64_t limit) {
  Builder& to = batching.to;
  const ValueId starts = to.reshape(batching.batched(operand), Shape{batching.size, 1});
  const Type type = to.type(starts);
  const auto splat = [&](DType dtype, std::int64_t value) {
    return to.broadcast(to.constant(Literal::scalar_integer(dtype, value)), type.shape, {});
  };
  const bool may_exceed = type.dtype == DType::u64;
  const ValueId below = may_exceed ? to.op(Op::minimum, {starts, splat(DType::u64, limit)}) : starts;
  return to.op(Op::clamp, {splat(DType::i64, 0), to.convert(below, DType::i64), splat(DType::i64, limit)});
}

// Every element of the batch has a start of its own: the update is put in the middle of room for the operand
// on both sides, and a box of the operand's shape is read so that the update lies where it belongs.
ValueId update_at_own_starts(const Batching& batching) {
  Builder& to = batching.to;
  const Shape &operand = batching.unbatched_type(0).shape, &update = batching.unbatched_type(1).shape;
  PadAttributes room{{0}, {0}, {0}};
  GatherAttributes gather;
  gather.operand_batching_dims = gather.start_indices_batching_dims = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {std::min<std::int64_t>(batching.size, 1)};
  std::vector<ValueId> positions;
  for (int dim = 0; dim < operand.rank(); ++dim) {
    room.low.push_back(operand[dim]);
    room.high.push_back(operand[dim]);
    room.interior.push_back(0);
    gather.offset_dims.push_back(dim + 1);
    gather.start_index_map.push_back(dim + 1);
    gather.slice_sizes.push_back(operand[dim]);
    const ValueId start =
        clamped_starts(batching, static_cast<std::size_t>(dim) + 2, operand[dim] - update[dim]);
    const ValueId extent = to.constant(Literal::scalar_integer(DType::i64, operand[dim]));
    positions.push_back(to.op(Op::subtract, {to.broadcast(extent, to.type(start).shape, {}), start}));
  }
  const ValueId vectors = to.concatenate(std::move(positions), 1);
  const auto in_place = [&](ValueId boxes) {
    const ValueId nothing = to.constant(Literal::zeros(to.type(boxes).dtype, {}));
    return to.op(Op::gather, {to.pad(boxes, nothing, room), vectors}, gather);
  };
  const ValueId updates = batching.batched(1);
  const ValueId is_update = in_place(to.splat(DType::b1, to.type(updates).shape, 1));
  return to.select(is_update, in_place(updates), batching.batched(0));
}

std::vector<Batched> update_batch(const Batching& batching) {
  Builder& to = batching.to;
  const auto starts = batching.operands.subspan(2);
  if (std::any_of(starts.begin(), starts.end(), [](const Batched& start) { return start.is_batched; }))
    return {batched_result(update_at_own_starts(batching))};
  std::vector<ValueId> operands{batching.batched(0), batching.batched(1)};
  const DType dtype = starts.empty() ? DType::i64 : batching.unbatched_type(2).dtype;
  operands.push_back(to.constant(Literal::zeros(dtype, {})));
  for (const Batched& start : starts) operands.push_back(start.value);
  return {batched_result(to.op(Op::dynamic_update_slice, std::move(operands)))};
}

}  // namespace

namespace rules {
const StructuralRules& dynamic_update_slice() {
  static const StructuralRules rules{update_types, update_value, update_batch};
  return rules;
}
const StructuralRules& concatenate() {
  static const StructuralRules rules{concatenate_types, concatenate_value, concatenate_batch};
  return rules;
}
const StructuralRules& pad() {
  static const StructuralRules rules{pad_types, pad_value, pad_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
