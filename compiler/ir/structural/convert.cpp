// Operations that change the representation of elements: convert, bitcast_convert, reduce_precision.
#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

// --- convert ---

TypeAnswer convert_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1, true)) return *fault;
  const Type &operand = query.operands[0], &result = query.declared[0];
  if (operand.shape != result.shape)
    return wrong_shape("C1",
                       fmt::format("{} and {} differ in shape", operand.to_string(), result.to_string()));
  if (is_complex(operand.dtype) || is_complex(result.dtype))
    return wrong_type("C2", fmt::format("{} to {} is not accepted", operand.to_string(), result.to_string()));
  return TypeAnswer::of(result);
}

// Truncates toward zero and saturates; NaN gives 0.
template <class To>
To saturated(double value) {
  if (std::isnan(value)) return To{0};
  const double truncated = std::trunc(value);
  if (truncated <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (truncated >= static_cast<double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(truncated);
}

// 64-bit integers to 16-bit floats: rounded once. Rounding to odd in f64 first keeps what decides the second
// rounding.
template <class To, class From>
To half_from_integer(From value) {
  const double rounded = static_cast<double>(value);
  if constexpr (sizeof(From) == 8) {
    const auto exact = static_cast<long double>(value);
    const auto error = exact - static_cast<long double>(rounded);
    if (error != 0) {
      const double toward_zero = std::abs(static_cast<long double>(rounded)) > std::abs(exact)
                                     ? std::nextafter(rounded, 0.0)
                                     : rounded;
      return To(std::bit_cast<double>(std::bit_cast<std::uint64_t>(toward_zero) | 1));
    }
  }
  return To(rounded);
}

template <class To, class From>
To converted(From value) {
  if constexpr (is_complex_type<To> || is_complex_type<From>)
    return To{};
  else if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_same_v<To, bool>) {
    if constexpr (is_float_type<From>)
      return static_cast<double>(value) != 0;
    else
      return value != 0;
  } else if constexpr (is_half_type<To>) {
    if constexpr (std::is_integral_v<From>)
      return half_from_integer<To>(value);
    else if constexpr (std::is_same_v<From, double>)
      return To(value);
    else
      return To(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (is_half_type<From>)
      return static_cast<To>(static_cast<float>(value));
    else
      return static_cast<To>(value);
  } else {
    if constexpr (is_float_type<From>)
      return saturated<To>(static_cast<double>(value));
    else
      return static_cast<To>(value);
  }
}

std::vector<Literal> convert_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  Literal result = uninitialized(evaluation.graph.type(evaluation.node.results[0]));
  with_cpp_type(operand.type.dtype, [&](auto from) {
    with_cpp_type(result.type.dtype, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      for (std::int64_t i = 0; i < operand.type.size(); ++i)
        put(result, i, converted<To>(operand.at<From>(i)));
    });
  });
  return {std::move(result)};
}

std::vector<Batched> convert_batch(const Batching& batching) {
  return {batched_result(
      batching.to.convert(batching.operands[0].value, batching.from.type(batching.node.results[0]).dtype))};
}

// --- bitcast_convert ---

int bits_of(DType dtype) { return dtype == DType::b1 ? 1 : static_cast<int>(8 * size_of(dtype)); }

TypeAnswer bitcast_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1, true)) return *fault;
  const Type &operand = query.operands[0], &result = query.declared[0];
  const int from = bits_of(operand.dtype), to = bits_of(result.dtype);
  std::vector<std::int64_t> extents(operand.shape.begin(), operand.shape.end());
  if (from > to) extents.push_back(from / to);
  if (from < to) {
    if (extents.empty() || extents.back() != to / from)
      return wrong_shape("C1", fmt::format("the last dimension of {} must have extent {} to become {}",
                                           operand.to_string(), to / from, name_of(result.dtype)));
    extents.pop_back();
  }
  if (Shape(std::span<const std::int64_t>(extents)) != result.shape)
    return wrong_shape("C1", fmt::format("{} cannot become {}", operand.to_string(), result.to_string()));
  if (is_complex(operand.dtype) != is_complex(result.dtype))
    return wrong_type("C2", fmt::format("{} cannot become {}", operand.to_string(), result.to_string()));
  return TypeAnswer::of(result);
}

// b1 is one byte an element in memory but one bit in a bitcast, the lowest first.
std::vector<Literal> bitcast_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  Literal result = operand;
  result.type = evaluation.graph.type(evaluation.node.results[0]);
  if ((operand.type.dtype == DType::b1) == (result.type.dtype == DType::b1)) return {std::move(result)};
  result = uninitialized(result.type);
  const bool packs = operand.type.dtype == DType::b1;
  const std::int64_t bits = (packs ? operand : result).type.size();
  auto* out = reinterpret_cast<std::uint8_t*>(result.buffer.data());
  const auto* in = reinterpret_cast<const std::uint8_t*>(operand.buffer.data());
  if (packs) std::memset(out, 0, static_cast<std::size_t>(result.type.nbytes()));
  for (std::int64_t bit = 0; bit < bits; ++bit) {
    if (packs)
      out[bit / 8] = static_cast<std::uint8_t>(out[bit / 8] | ((in[bit] & 1) << (bit % 8)));
    else
      out[bit] = (in[bit / 8] >> (bit % 8)) & 1;
  }
  return {std::move(result)};
}

std::vector<Batched> bitcast_batch(const Batching& batching) {
  const Type& result = batching.from.type(batching.node.results[0]);
  return {batched_result(batching.to.op(Op::bitcast_convert, {batching.operands[0].value}, NoAttributes{},
                                        {{with_batch(result.shape, batching.size), result.dtype}}))};
}

// --- reduce_precision ---

TypeAnswer reduce_precision_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  const auto& format = std::get<ReducePrecisionAttributes>(query.attributes);
  if (!is_floating(query.operands[0].dtype))
    return wrong_type("C1", fmt::format("{} is not accepted: takes floats", query.operands[0].to_string()));
  if (format.exponent_bits < 1) return wrong_structure("C2", "needs at least one exponent bit");
  if (format.mantissa_bits < 0) return wrong_structure("C3", "a negative number of mantissa bits");
  return TypeAnswer::of(query.operands[0]);
}

struct FloatFormat {
  int exponent_bits, mantissa_bits;
};
FloatFormat format_of(DType dtype) {
  if (dtype == DType::f16) return {5, 10};
  if (dtype == DType::bf16) return {8, 7};
  return dtype == DType::f32 ? FloatFormat{8, 23} : FloatFormat{11, 52};
}

// The bits of a number without its sign: first rounded to nearest even, then what is too large becomes
// infinite and what is below the least normal number zero. A format without mantissa bits has no NaN: it
// becomes infinite.
std::uint64_t reduced(std::uint64_t magnitude, const FloatFormat& own, const FloatFormat& to) {
  const auto field = [&](int exponent) { return static_cast<std::uint64_t>(exponent) << own.mantissa_bits; };
  const std::uint64_t infinity = field((1 << own.exponent_bits) - 1);
  if (magnitude > infinity) return to.mantissa_bits > 0 ? magnitude : infinity;
  if (to.mantissa_bits < own.mantissa_bits) {
    const int dropped = own.mantissa_bits - to.mantissa_bits;
    const std::uint64_t below_half = (std::uint64_t{1} << (dropped - 1)) - 1;
    magnitude += below_half + ((magnitude >> dropped) & 1);
    magnitude &= ~((std::uint64_t{1} << dropped) - 1);
  }
  if (to.exponent_bits >= own.exponent_bits) return magnitude;
  const int bias = (1 << (own.exponent_bits - 1)) - 1, narrow_bias = (1 << (to.exponent_bits - 1)) - 1;
  if (magnitude >= field(bias + narrow_bias + 1)) return infinity;
  return magnitude < field(bias - narrow_bias + 1) ? 0 : magnitude;
}

std::vector<Literal> reduce_precision_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  const auto& attributes = attributes_of<ReducePrecisionAttributes>(evaluation.node);
  const FloatFormat own = format_of(operand.type.dtype),
                    to{attributes.exponent_bits, attributes.mantissa_bits};
  const std::size_t size = size_of(operand.type.dtype);
  const std::uint64_t sign_bit = std::uint64_t{1} << (8 * size - 1);
  Literal result = uninitialized(operand.type);
  for (std::int64_t i = 0; i < operand.type.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, operand.buffer.data() + i * static_cast<std::int64_t>(size), size);
    bits = (bits & sign_bit) | reduced(bits & ~sign_bit, own, to);
    std::memcpy(result.buffer.data() + i * static_cast<std::int64_t>(size), &bits, size);
  }
  return {std::move(result)};
}

std::vector<Batched> reduce_precision_batch(const Batching& batching) {
  return {batched_result(
      batching.to.op(Op::reduce_precision, {batching.operands[0].value}, batching.node.attributes))};
}

}  // namespace

namespace rules {
const StructuralRules& convert() {
  static const StructuralRules rules{convert_types, convert_value, convert_batch};
  return rules;
}
const StructuralRules& bitcast_convert() {
  static const StructuralRules rules{bitcast_types, bitcast_value, bitcast_batch};
  return rules;
}
const StructuralRules& reduce_precision() {
  static const StructuralRules rules{reduce_precision_types, reduce_precision_value, reduce_precision_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
