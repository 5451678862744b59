// reduce: result[unreduced] = body(… body(body(init, x0), x1) …) over the reduced positions in row-major
// order.
#include <algorithm>
#include <numeric>

#include "compiler/ir/reductions.h"
#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

// --- types ---

std::optional<TypeAnswer> body_fault(const TypeQuery& query, std::size_t count) {
  if (query.regions.size() != 1) return wrong_structure("C6", "needs one region, its body");
  const Region& body = query.graph.region(query.regions[0]);
  if (body.arguments.size() != 2 * count || body.results.size() != count)
    return wrong_structure("C6",
                           fmt::format("the body takes {} arguments and gives {} results, needs {} and {}",
                                       body.arguments.size(), body.results.size(), 2 * count, count));
  for (std::size_t i = 0; i < count; ++i) {
    const Type element{Shape{}, query.operands[i].dtype};
    for (ValueId value : {body.arguments[i], body.arguments[count + i], body.results[i]})
      if (query.graph.type(value) != element)
        return wrong_type("C6", fmt::format("the body has {} where the elements are {}",
                                            query.graph.type(value).to_string(), element.to_string()));
  }
  return std::nullopt;
}

Shape unreduced_shape(const Shape& shape, const Dims& reduced) {
  std::vector<std::int64_t> extents;
  for (int dim = 0; dim < shape.rank(); ++dim)
    if (!contains(reduced, dim)) extents.push_back(shape[dim]);
  return Shape(std::span<const std::int64_t>(extents));
}

TypeAnswer reduce_types(const TypeQuery& query) {
  const std::size_t count = query.operands.size() / 2;
  if (count == 0 || query.operands.size() % 2 != 0)
    return wrong_structure("I1", "takes as many init values as operands, at least one");
  const Dims& dims = std::get<ReduceAttributes>(query.attributes).dimensions;
  const Shape& shape = query.operands[0].shape;
  for (std::size_t i = 0; i < count; ++i) {
    const Type &operand = query.operands[i], &init = query.operands[count + i];
    if (operand.shape != shape)
      return wrong_shape("C1", fmt::format("operands {} and {} differ in shape",
                                           query.operands[0].to_string(), operand.to_string()));
    if (init.shape.rank() != 0)
      return wrong_shape("C3", fmt::format("the init value {} is no scalar", init.to_string()));
    if (init.dtype != operand.dtype)
      return wrong_type("C2", fmt::format("the init value {} and {} differ in element type", init.to_string(),
                                          operand.to_string()));
  }
  if (auto fault = fault_of_dims(dims, shape.rank(), "dimension", true)) return wrong_shape("C4", *fault);
  if (auto fault = body_fault(query, count)) return *fault;
  TypeAnswer answer;
  for (std::size_t i = 0; i < count; ++i)
    answer.types.push_back({unreduced_shape(shape, dims), query.operands[i].dtype});
  return answer;
}

// --- reference value ---

// Sums and products of 16-bit floats are accumulated in f32 and rounded once.
bool accumulates_in_f32(const Evaluation& evaluation, const Reducer& reducer) {
  if (evaluation.operands.size() != 2 || !is_half(evaluation.operands[0].type.dtype) ||
      !reducer.all_standard())
    return false;
  return *reducer.components[0] == ReductionKind::sum || *reducer.components[0] == ReductionKind::product;
}

template <class Visit>
void for_each_fold(const Shape& shape, const Dims& dims, const Visit& visit) {
  const Shape unreduced = unreduced_shape(shape, dims);
  for_each_position(shape, [&](const Position& position, std::int64_t flat) {
    Position at;
    for (std::size_t dim = 0; dim < position.size(); ++dim)
      if (!contains(dims, static_cast<std::int64_t>(dim))) at.push_back(position[dim]);
    visit(flat_index(unreduced, at), flat);
  });
}

std::vector<Literal> reduce_in_f32(const Evaluation& evaluation, bool is_sum) {
  const Literal &operand = evaluation.operands[0], &init = evaluation.operands[1];
  const Dims& dims = attributes_of<ReduceAttributes>(evaluation.node).dimensions;
  Literal result = uninitialized(evaluation.graph.type(evaluation.node.results[0]));
  with_cpp_type(operand.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (is_half_type<T>) {
      std::vector<float> sums(static_cast<std::size_t>(result.type.size()),
                              static_cast<float>(init.at<T>(0)));
      for_each_fold(operand.type.shape, dims, [&](std::int64_t to, std::int64_t from) {
        float& sum = sums[static_cast<std::size_t>(to)];
        const float value = static_cast<float>(operand.at<T>(from));
        sum = is_sum ? sum + value : sum * value;
      });
      for (std::size_t i = 0; i < sums.size(); ++i) put(result, static_cast<std::int64_t>(i), T(sums[i]));
    }
  });
  return {std::move(result)};
}

std::vector<Literal> reduce_value(const Evaluation& evaluation) {
  const Reducer reducer = classify_reducer(evaluation.graph, evaluation.node.regions[0]);
  if (accumulates_in_f32(evaluation, reducer))
    return reduce_in_f32(evaluation, *reducer.components[0] == ReductionKind::sum);
  const std::size_t count = evaluation.operands.size() / 2;
  const Dims& dims = attributes_of<ReduceAttributes>(evaluation.node).dimensions;
  const auto size = static_cast<std::size_t>(evaluation.graph.type(evaluation.node.results[0]).size());
  std::vector<std::vector<Literal>> folded(size);
  for (auto& at : folded)
    for (std::size_t i = 0; i < count; ++i) at.push_back(element_of(evaluation.operands[count + i], 0));
  for_each_fold(evaluation.operands[0].type.shape, dims, [&](std::int64_t to, std::int64_t from) {
    std::vector<Literal>& accumulator = folded[static_cast<std::size_t>(to)];
    for (std::size_t i = 0; i < count; ++i) accumulator.push_back(element_of(evaluation.operands[i], from));
    accumulator = evaluation.region(0, std::move(accumulator));
  });
  std::vector<Literal> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(uninitialized(evaluation.graph.type(evaluation.node.results[i])));
    const std::size_t bytes = size_of(results[i].type.dtype);
    for (std::size_t at = 0; at < size; ++at)
      std::memcpy(results[i].buffer.data() + at * bytes, folded[at][i].buffer.data(), bytes);
  }
  return results;
}

// --- batching ---

// What a fold starts from when the init value comes last: of a sum of floats -0, which keeps the sign of
// zeros.
Literal neutral(ReductionKind kind, DType dtype) {
  if (kind == ReductionKind::sum && is_floating(dtype)) return Literal::scalar(dtype, -0.0);
  return identity_of(kind, dtype);
}

// A standard reduction of operand i whose init value differs between elements of the batch: the init value
// comes last. Sums and products of 16-bit floats stay in f32 until then, so that they are still rounded once.
ValueId reduce_then_init(const Batching& batching, std::size_t i, ReductionKind kind, const Dims& dims) {
  Builder& to = batching.to;
  const DType dtype = batching.unbatched_type(i).dtype;
  const bool widens = is_half(dtype) && (kind == ReductionKind::sum || kind == ReductionKind::product);
  const DType working = widens ? DType::f32 : dtype;
  const Op combine = info_of(kind).combine;
  const ValueId folded =
      to.reduce(to.convert(batching.batched(i), working), to.constant(neutral(kind, working)), dims, combine);
  const ValueId init = to.convert(batching.batched(batching.operands.size() / 2 + i), working);
  const ValueId inits = to.broadcast(init, Shape(to.type(folded).shape), {0});
  return to.convert(to.op(combine, {inits, folded}), dtype);
}

// The body made total without an init value: one more operand says whether there has been an element.
RegionId optional_body(const Batching& batching) {
  const std::size_t count = batching.node.results.size();
  Graph& graph = batching.to.graph();
  const RegionId region = graph.add_region();
  std::vector<ValueId> left, right;
  std::vector<Batched> arguments(2 * count);
  for (std::size_t i = 0; i <= 2 * count + 1; ++i) {
    const std::size_t operand = i % (count + 1);
    const DType dtype = operand == count ? DType::b1 : batching.unbatched_type(operand).dtype;
    std::vector<ValueId>& side = i <= count ? left : right;
    side.push_back(graph.add_argument(region, {Shape{}, dtype}));
    if (operand < count) arguments[i <= count ? operand : count + operand] = {side.back(), false};
  }
  Builder inside(graph, region);
  std::vector<ValueId> results;
  for (const Batched& result : batching.inline_body(region, 0, arguments)) results.push_back(result.value);
  for (std::size_t i = 0; i < count; ++i)
    results[i] = inside.select(left[count], inside.select(right[count], results[i], left[i]), right[i]);
  results.push_back(inside.op(Op::or_, {left[count], right[count]}));
  graph.region(region).results = std::move(results);
  return region;
}

// Folds operands, the last of which says which elements there are.
std::vector<ValueId> fold_optional(const Batching& batching, std::vector<ValueId> operands,
                                   const Dims& dims) {
  Builder& to = batching.to;
  const std::size_t count = operands.size();
  for (std::size_t i = 0; i < count; ++i) operands.push_back(to.scalar(to.type(operands[i]).dtype, 0));
  const NodeId node = to.node(Op::reduce, operands, ReduceAttributes{dims}, {}, {optional_body(batching)});
  return to.graph().node(node).results;
}

// A reduction by any body: what there is is folded first; then the pair of init value and what was folded,
// which lie side by side along a new last dimension.
std::vector<Batched> fold_then_init(const Batching& batching, const Dims& dims) {
  Builder& to = batching.to;
  const std::size_t count = batching.operands.size() / 2;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < count; ++i) operands.push_back(batching.batched(i));
  const ValueId yes = to.scalar(DType::b1, 1);
  operands.push_back(to.broadcast_scalar(yes, Shape(to.type(operands[0]).shape)));
  const std::vector<ValueId> folded = fold_optional(batching, operands, dims);

  const Shape shape = to.type(folded[0]).shape;
  const int last = shape.rank();
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  extents.push_back(2);
  const Shape pairs{std::span<const std::int64_t>(extents)};
  Dims kept(static_cast<std::size_t>(last));
  std::iota(kept.begin(), kept.end(), 0);
  const ValueId side = to.iota(DType::i32, pairs, last);
  const ValueId is_init = to.compare(Direction::EQ, side, to.splat(DType::i32, pairs, 0));
  for (std::size_t i = 0; i <= count; ++i) {
    const ValueId init =
        i < count ? to.broadcast(batching.batched(count + i), pairs, {0}) : to.broadcast_scalar(yes, pairs);
    operands[i] = to.select(is_init, init, to.broadcast(folded[i], pairs, kept));
  }
  std::vector<Batched> results;
  for (ValueId result : fold_optional(batching, operands, {last})) results.push_back(batched_result(result));
  results.pop_back();
  return results;
}

std::vector<Batched> reduce_with_batched_inits(const Batching& batching, const Reducer& reducer) {
  if (!reducer.all_standard())
    return fold_then_init(batching, shifted(attributes_of<ReduceAttributes>(batching.node).dimensions));
  const Dims dims = shifted(attributes_of<ReduceAttributes>(batching.node).dimensions);
  std::vector<Batched> results;
  for (std::size_t i = 0; i < batching.operands.size() / 2; ++i)
    results.push_back(batched_result(reduce_then_init(batching, i, *reducer.components[i], dims)));
  return results;
}

std::vector<Batched> reduce_batch(const Batching& batching) {
  const std::size_t count = batching.operands.size() / 2;
  const Reducer reducer = classify_reducer(batching.from, batching.node.regions[0]);
  for (std::size_t i = count; i < 2 * count; ++i)
    if (batching.operands[i].is_batched) return reduce_with_batched_inits(batching, reducer);
  const Dims& dims = attributes_of<ReduceAttributes>(batching.node).dimensions;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < count; ++i) operands.push_back(batching.batched(i));
  for (std::size_t i = count; i < 2 * count; ++i) operands.push_back(batching.operands[i].value);
  const NodeId node =
      batching.to.node(Op::reduce, operands, ReduceAttributes{shifted(dims)}, {}, {unbatched_body(batching)});
  std::vector<Batched> results;
  for (ValueId result : batching.to.graph().node(node).results) results.push_back(batched_result(result));
  return results;
}

}  // namespace

namespace rules {
const StructuralRules& reduce() {
  static const StructuralRules rules{reduce_types, reduce_value, reduce_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
