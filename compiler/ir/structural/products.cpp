// dot_general: result[batch …, lhs free …, rhs free …] = sum over the contracted dimensions of lhs * rhs.
#include "compiler/ir/structural/accumulate.h"

namespace weft::ir {
namespace {

// --- types ---

std::optional<TypeAnswer> fault_of_side(const Dims& batching, const Dims& contracting, const Type& type,
                                        const char* rule) {
  Dims all = batching;
  all.insert(all.end(), contracting.begin(), contracting.end());
  if (auto fault = fault_of_dims(all, type.shape.rank(), "dimension")) return wrong_shape(rule, *fault);
  return std::nullopt;
}

std::optional<TypeAnswer> fault_of_pairs(const TypeQuery& query, const Dims& lhs, const Dims& rhs,
                                         const char* what, const char* rule) {
  const Shape &left = query.operands[0].shape, &right = query.operands[1].shape;
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const int a = static_cast<int>(lhs[i]), b = static_cast<int>(rhs[i]);
    if (left[a] != right[b])
      return wrong_shape(rule, fmt::format("{} dimensions {} of {} and {} of {} differ: {} and {}", what, a,
                                           query.operands[0].to_string(), b, query.operands[1].to_string(),
                                           left[a], right[b]));
  }
  return std::nullopt;
}

TypeAnswer dot_types(const TypeQuery& query) {
  if (auto fault = expects(query, 2)) return *fault;
  const auto& dot = std::get<DotAttributes>(query.attributes);
  const Type &lhs = query.operands[0], &rhs = query.operands[1];
  const ProductType product = product_type(query);
  if (product.fault) return *product.fault;
  if (dot.lhs_batching.size() != dot.rhs_batching.size())
    return wrong_shape("C1", fmt::format("{} batching dimensions of the left operand, {} of the right one",
                                         dot.lhs_batching.size(), dot.rhs_batching.size()));
  if (dot.lhs_contracting.size() != dot.rhs_contracting.size())
    return wrong_shape("C2", fmt::format("{} contracting dimensions of the left operand, {} of the right one",
                                         dot.lhs_contracting.size(), dot.rhs_contracting.size()));
  if (auto fault = fault_of_side(dot.lhs_batching, dot.lhs_contracting, lhs, "C3")) return *fault;
  if (auto fault = fault_of_side(dot.rhs_batching, dot.rhs_contracting, rhs, "C4")) return *fault;
  if (auto fault = fault_of_pairs(query, dot.lhs_batching, dot.rhs_batching, "batching", "C9")) return *fault;
  if (auto fault = fault_of_pairs(query, dot.lhs_contracting, dot.rhs_contracting, "contracting", "C10"))
    return *fault;
  std::vector<std::int64_t> extents;
  for (std::int64_t dim : dot.lhs_batching) extents.push_back(lhs.shape[static_cast<int>(dim)]);
  for (std::int64_t dim : free_dims(lhs.shape.rank(), dot.lhs_batching, dot.lhs_contracting))
    extents.push_back(lhs.shape[static_cast<int>(dim)]);
  for (std::int64_t dim : free_dims(rhs.shape.rank(), dot.rhs_batching, dot.rhs_contracting))
    extents.push_back(rhs.shape[static_cast<int>(dim)]);
  return product_answer(query, extents, product.dtype);
}

// --- reference value ---

// Where an element of an operand lies, given the position in the result and among the contracted elements.
struct Side {
  Dims batching, free, contracting;
  std::size_t first_free;  // of the result's dimensions

  Position at(const Position& result, const Position& contracted) const {
    Position position(batching.size() + free.size() + contracting.size());
    for (std::size_t i = 0; i < batching.size(); ++i)
      position[static_cast<std::size_t>(batching[i])] = result[i];
    for (std::size_t i = 0; i < free.size(); ++i)
      position[static_cast<std::size_t>(free[i])] = result[first_free + i];
    for (std::size_t i = 0; i < contracting.size(); ++i)
      position[static_cast<std::size_t>(contracting[i])] = contracted[i];
    return position;
  }
};

std::vector<Literal> dot_value(const Evaluation& evaluation) {
  const auto& dot = attributes_of<DotAttributes>(evaluation.node);
  const Literal &lhs = evaluation.operands[0], &rhs = evaluation.operands[1];
  Side left{dot.lhs_batching, free_dims(lhs.type.shape.rank(), dot.lhs_batching, dot.lhs_contracting),
            dot.lhs_contracting, dot.lhs_batching.size()};
  Side right{dot.rhs_batching, free_dims(rhs.type.shape.rank(), dot.rhs_batching, dot.rhs_contracting),
             dot.rhs_contracting, left.batching.size() + left.free.size()};
  std::vector<std::int64_t> extents;
  for (std::int64_t dim : dot.lhs_contracting) extents.push_back(lhs.type.shape[static_cast<int>(dim)]);
  const Shape contracted{std::span<const std::int64_t>(extents)};
  Literal result = uninitialized(evaluation.graph.type(evaluation.node.results[0]));
  with_cpp_type(result.type.dtype, [&](auto zero) {
    using R = decltype(zero);
    using A = accumulator_of<R>;
    // Nothing is summed where nothing is contracted: -0 keeps the sign of a product that is zero.
    A start{};
    if constexpr (is_float_type<A>) start = extents.empty() ? A(-0.0) : A(0);
    const std::vector<A> a = elements_as<A>(lhs), b = elements_as<A>(rhs);
    for_each_position(result.type.shape, [&](const Position& position, std::int64_t flat) {
      ProductSum<A> sum(start);
      for_each_position(contracted, [&](const Position& at, std::int64_t) {
        const std::int64_t i = flat_index(lhs.type.shape, left.at(position, at)),
                           j = flat_index(rhs.type.shape, right.at(position, at));
        sum.add(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)]);
      });
      put(result, flat, R(sum.sum()));
    });
  });
  return {std::move(result)};
}

// --- batching: of both operands a pair of batching dimensions, of one a free dimension of it ---

std::vector<Batched> dot_batch(const Batching& batching) {
  const bool left = batching.operands[0].is_batched, right = batching.operands[1].is_batched;
  DotAttributes dot = attributes_of<DotAttributes>(batching.node);
  const std::size_t batches = dot.lhs_batching.size();
  const std::size_t left_free = static_cast<std::size_t>(batching.unbatched_type(0).shape.rank()) - batches -
                                dot.lhs_contracting.size();
  if (left) {
    dot.lhs_batching = shifted(dot.lhs_batching);
    dot.lhs_contracting = shifted(dot.lhs_contracting);
  }
  if (right) {
    dot.rhs_batching = shifted(dot.rhs_batching);
    dot.rhs_contracting = shifted(dot.rhs_contracting);
  }
  std::size_t axis = right ? batches + left_free : batches;
  if (left && right) {
    dot.lhs_batching = with_batch(dot.lhs_batching, 0);
    dot.rhs_batching = with_batch(dot.rhs_batching, 0);
    axis = 0;
  }
  const Type& type = batching.from.type(batching.node.results[0]);
  std::vector<std::int64_t> extents(type.shape.begin(), type.shape.end());
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), batching.size);
  const ValueId result =
      batching.to.op(Op::dot_general, {batching.operands[0].value, batching.operands[1].value},
                     std::move(dot), {{Shape(std::span<const std::int64_t>(extents)), type.dtype}});
  return {batched_result(moved_to_front(batching.to, result, static_cast<int>(axis)))};
}

}  // namespace

Dims free_dims(int rank, const Dims& batching, const Dims& contracting) {
  Dims free;
  for (int dim = 0; dim < rank; ++dim)
    if (!contains(batching, dim) && !contains(contracting, dim)) free.push_back(dim);
  return free;
}

namespace rules {
const StructuralRules& dot_general() {
  static const StructuralRules rules{dot_types, dot_value, dot_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
