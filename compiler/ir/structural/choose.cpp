// Operations that compare and choose: compare, select, clamp.
#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

// --- compare ---

TypeAnswer compare_types(const TypeQuery& query) {
  if (auto fault = expects(query, 2)) return *fault;
  const Type &a = query.operands[0], &b = query.operands[1];
  if (a.dtype != b.dtype)
    return wrong_type("C1",
                      fmt::format("operands differ in element type: {}, {}", a.to_string(), b.to_string()));
  if (a.shape != b.shape)
    return wrong_shape("C2", fmt::format("operands differ in shape: {}, {}", a.to_string(), b.to_string()));
  if (is_complex(a.dtype)) return wrong_type("C3", fmt::format("{} is not accepted", a.to_string()));
  const CompareKind kind = std::get<CompareAttributes>(query.attributes).kind;
  const bool fits =
      kind == default_compare_kind(a.dtype) || (kind == CompareKind::TOTALORDER && is_floating(a.dtype));
  if (!fits) return wrong_type("C4", fmt::format("the kind of comparison does not fit {}", a.to_string()));
  return TypeAnswer::of({a.shape, DType::b1});
}

template <class T>
bool holds(Direction direction, const T& a, const T& b) {
  switch (direction) {
    case Direction::EQ:
      return a == b;
    case Direction::NE:
      return !(a == b);
    case Direction::GE:
      return a >= b;
    case Direction::GT:
      return a > b;
    case Direction::LE:
      return a <= b;
    case Direction::LT:
      return a < b;
  }
  return false;
}

std::vector<Literal> compare_value(const Evaluation& evaluation) {
  const Literal &a = evaluation.operands[0], &b = evaluation.operands[1];
  const auto& attributes = attributes_of<CompareAttributes>(evaluation.node);
  Literal result = uninitialized({a.type.shape, DType::b1});
  with_cpp_type(a.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < a.type.size(); ++i) {
      const T x = a.at<T>(i), y = b.at<T>(i);
      bool answer = false;
      if constexpr (is_float_type<T>) {
        answer = attributes.kind == CompareKind::TOTALORDER
                     ? holds(attributes.direction, total_order_key(x), total_order_key(y))
                     : holds(attributes.direction, static_cast<double>(x), static_cast<double>(y));
      } else if constexpr (!is_complex_type<T>) {
        answer = holds(attributes.direction, x, y);
      }
      put(result, i, answer);
    }
  });
  return {std::move(result)};
}

std::vector<Batched> compare_batch(const Batching& batching) {
  const auto& attributes = attributes_of<CompareAttributes>(batching.node);
  return {batched_result(
      batching.to.compare(attributes.direction, batching.batched(0), batching.batched(1), attributes.kind))};
}

// --- select ---

TypeAnswer select_types(const TypeQuery& query) {
  if (auto fault = expects(query, 3)) return *fault;
  const Type &predicate = query.operands[0], &on_true = query.operands[1], &on_false = query.operands[2];
  if (predicate.dtype != DType::b1)
    return wrong_type("C1", fmt::format("the predicate is {}, not b1", predicate.to_string()));
  if (on_true != on_false)
    return wrong_type("C2", fmt::format("{} and {} differ", on_true.to_string(), on_false.to_string()));
  if (predicate.shape.rank() != 0 && predicate.shape != on_true.shape)
    return wrong_shape("C1", fmt::format("the predicate {} is no scalar and has not the shape of {}",
                                         predicate.to_string(), on_true.to_string()));
  return TypeAnswer::of(on_true);
}

std::vector<Literal> select_value(const Evaluation& evaluation) {
  const Literal& predicate = evaluation.operands[0];
  Literal result = uninitialized(evaluation.operands[1].type);
  const std::size_t size = size_of(result.type.dtype);
  for (std::int64_t i = 0; i < result.type.size(); ++i) {
    const Literal& from = evaluation.operands[predicate.at<bool>(same_or_scalar(predicate, i)) ? 1 : 2];
    const auto at = static_cast<std::size_t>(i) * size;
    std::memcpy(result.buffer.data() + at, from.buffer.data() + at, size);
  }
  return {std::move(result)};
}

// A scalar that differs between elements of the batch is spread over each of them.
ValueId scalar_or_batched(const Batching& batching, std::size_t operand, const Shape& element_shape) {
  const bool is_scalar = batching.unbatched_type(operand).shape.rank() == 0;
  if (!is_scalar || element_shape.rank() == 0) {
    const bool may_stay_scalar = is_scalar && !batching.operands[operand].is_batched;
    return may_stay_scalar ? batching.operands[operand].value : batching.batched(operand);
  }
  if (!batching.operands[operand].is_batched) return batching.operands[operand].value;
  return batching.to.broadcast(batching.operands[operand].value, with_batch(element_shape, batching.size),
                               {0});
}

std::vector<Batched> select_batch(const Batching& batching) {
  const Shape& shape = batching.unbatched_type(1).shape;
  return {batched_result(
      batching.to.select(scalar_or_batched(batching, 0, shape), batching.batched(1), batching.batched(2)))};
}

// --- clamp ---

TypeAnswer clamp_types(const TypeQuery& query) {
  if (auto fault = expects(query, 3)) return *fault;
  const Type& operand = query.operands[1];
  if (is_complex(operand.dtype))
    return wrong_type("C3", fmt::format("{} is not accepted", operand.to_string()));
  for (std::size_t bound : {0, 2}) {
    const Type& type = query.operands[bound];
    if (type.dtype != operand.dtype)
      return wrong_type("C3", fmt::format("the bound {} and {} differ in element type", type.to_string(),
                                          operand.to_string()));
    if (type.shape.rank() != 0 && type.shape != operand.shape)
      return wrong_shape(bound == 0 ? "C1" : "C2",
                         fmt::format("the bound {} is no scalar and has not the shape of {}",
                                     type.to_string(), operand.to_string()));
  }
  return TypeAnswer::of(operand);
}

template <class T>
T ieee_maximum(T a, T b) {
  if constexpr (is_float_type<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x)) return a;
    if (std::isnan(y)) return b;
    if (x == y) return std::signbit(x) ? b : a;
    return x > y ? a : b;
  } else if constexpr (is_complex_type<T>) {
    return a;
  } else {
    return a > b ? a : b;
  }
}

template <class T>
T ieee_minimum(T a, T b) {
  if constexpr (is_float_type<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x)) return a;
    if (std::isnan(y)) return b;
    if (x == y) return std::signbit(x) ? a : b;
    return x < y ? a : b;
  } else if constexpr (is_complex_type<T>) {
    return a;
  } else {
    return a < b ? a : b;
  }
}

std::vector<Literal> clamp_value(const Evaluation& evaluation) {
  const Literal &low = evaluation.operands[0], &operand = evaluation.operands[1],
                &high = evaluation.operands[2];
  Literal result = uninitialized(operand.type);
  with_cpp_type(operand.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < operand.type.size(); ++i) {
      const T raised = ieee_maximum(operand.at<T>(i), low.at<T>(same_or_scalar(low, i)));
      put(result, i, ieee_minimum(raised, high.at<T>(same_or_scalar(high, i))));
    }
  });
  return {std::move(result)};
}

std::vector<Batched> clamp_batch(const Batching& batching) {
  const Shape& shape = batching.unbatched_type(1).shape;
  return {
      batched_result(batching.to.op(Op::clamp, {scalar_or_batched(batching, 0, shape), batching.batched(1),
                                                scalar_or_batched(batching, 2, shape)}))};
}

}  // namespace

namespace rules {
const StructuralRules& compare() {
  static const StructuralRules rules{compare_types, compare_value, compare_batch};
  return rules;
}
const StructuralRules& select() {
  static const StructuralRules rules{select_types, select_value, select_batch};
  return rules;
}
const StructuralRules& clamp() {
  static const StructuralRules rules{clamp_types, clamp_value, clamp_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
