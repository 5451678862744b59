// Equations of arithmetic. Floats: only those that keep NaN, infinities and the sign of zero.
#include <array>
#include <cmath>
#include <limits>

#include "compiler/rewrite/equations.h"
#include "compiler/rewrite/known_values.h"

namespace weft::rewrite {
namespace {

using ir::Op;

bool is_integral(const Candidate& c) { return is_integer(c.type.dtype) || c.type.dtype == DType::b1; }

bool is_splat(const Scene& scene, ir::ValueId value, std::int64_t number) {
  return integer_splat(scene.graph(), value) == number;
}

// The element with all bits set: -1, or true.
std::int64_t all_ones(DType dtype) {
  if (dtype == DType::b1) return 1;
  const auto range = range_of(dtype);
  return range && range->low == 0 ? range->high : -1;
}

bool commutes(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::and_ || op == Op::or_ || op == Op::xor_ ||
         op == Op::minimum || op == Op::maximum;
}

// f(constant, x) -> f(x, constant)
std::optional<Equal> constant_to_the_right(const Scene& scene, const Candidate& c) {
  if (!commutes(c.op) || !ir::constant_value(scene.graph(), c.operands[0])) return std::nullopt;
  if (ir::constant_value(scene.graph(), c.operands[1])) return std::nullopt;
  return Equal{with_operands(c, {c.operands[1], c.operands[0]})};
}

// x + 0, x - 0, x | 0, x ^ 0, x << 0, x >> 0 -> x; integers and booleans
std::optional<Equal> integer_with_zero(const Scene& scene, const Candidate& c) {
  const bool fits = c.op == Op::add || c.op == Op::subtract || c.op == Op::or_ || c.op == Op::xor_ ||
                    c.op == Op::shift_left || c.op == Op::shift_right_arithmetic ||
                    c.op == Op::shift_right_logical;
  if (!fits || !is_integral(c) || !is_splat(scene, c.operands[1], 0)) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// x * 0, x & 0 -> 0; integers and booleans
std::optional<Equal> integer_times_zero(const Scene& scene, const Candidate& c) {
  const bool fits = (c.op == Op::multiply || c.op == Op::and_) && is_integral(c);
  if (!fits || !is_splat(scene, c.operands[1], 0)) return std::nullopt;
  return integer_constant(c, 0);
}

// x * 1, x / 1 -> x; integers (and b1, whose product is AND)
std::optional<Equal> integer_times_one(const Scene& scene, const Candidate& c) {
  const bool fits = (c.op == Op::multiply || c.op == Op::divide) && is_integral(c);
  if (!fits || !is_splat(scene, c.operands[1], 1)) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// x & ones -> x, x | ones -> ones
std::optional<Equal> bits_with_all_ones(const Scene& scene, const Candidate& c) {
  if ((c.op != Op::and_ && c.op != Op::or_) || !is_splat(scene, c.operands[1], all_ones(c.type.dtype)))
    return std::nullopt;
  return same_value(scene, c, c.operands[c.op == Op::and_ ? 0 : 1]);
}

// x - x, x ^ x -> 0; integers and booleans
std::optional<Equal> integer_less_itself(const Scene&, const Candidate& c) {
  const bool fits = (c.op == Op::subtract || c.op == Op::xor_) && is_integral(c);
  if (!fits || c.operands[0] != c.operands[1]) return std::nullopt;
  return integer_constant(c, 0);
}

// x & x, x | x, minimum(x, x), maximum(x, x) -> x
std::optional<Equal> same_operand_twice(const Scene& scene, const Candidate& c) {
  const bool fits = c.op == Op::and_ || c.op == Op::or_ || c.op == Op::minimum || c.op == Op::maximum;
  if (!fits || c.operands[0] != c.operands[1]) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// minimum(x, bound), maximum(x, bound) -> x, where x is known to lie within
std::optional<Equal> bound_that_never_binds(const Scene& scene, const Candidate& c) {
  if ((c.op != Op::minimum && c.op != Op::maximum) || !is_integer(c.type.dtype)) return std::nullopt;
  const auto x = range_of(scene.graph(), c.operands[0]), bound = range_of(scene.graph(), c.operands[1]);
  if (!x || !bound) return std::nullopt;
  if (!(c.op == Op::minimum ? x->high <= bound->low : x->low >= bound->high)) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

// x * 1, x / 1, x - (+0), x + (-0) -> x; floats
std::optional<Equal> float_with_its_unit(const Scene& scene, const Candidate& c) {
  if (!is_floating(c.type.dtype) || c.operands.size() != 2) return std::nullopt;
  const auto is = [&](double number) { return is_float_splat(scene.graph(), c.operands[1], number); };
  const bool is_unit = ((c.op == Op::multiply || c.op == Op::divide) && is(1)) ||
                       (c.op == Op::subtract && is(0.0)) || (c.op == Op::add && is(-0.0));
  return is_unit ? same_value(scene, c, c.operands[0]) : std::nullopt;
}

// The exponents a power of two may have so that it and its inverse are normal numbers of the dtype.
int largest_exponent(DType dtype) {
  if (dtype == DType::f64) return 1022;
  if (dtype == DType::f32 || dtype == DType::bf16) return 126;
  return dtype == DType::f16 ? 14 : 0;
}

// x / 2^k -> x * 2^-k; floats: both round the same real number
std::optional<Equal> divide_by_power_of_two(const Scene& scene, const Candidate& c) {
  if (c.op != Op::divide || !is_floating(c.type.dtype)) return std::nullopt;
  const auto divisor = float_splat(scene.graph(), c.operands[1]);
  if (!divisor || !std::isfinite(*divisor) || *divisor == 0) return std::nullopt;
  int exponent = 0;
  if (std::fabs(std::frexp(*divisor, &exponent)) != 0.5 ||
      std::abs(exponent - 1) > largest_exponent(c.type.dtype))
    return std::nullopt;
  const ir::ValueId inverse = scene.builder.splat(c.type.dtype, c.type.shape, 1 / *divisor);
  Candidate result = with_operands(c, {c.operands[0], inverse});
  result.op = Op::multiply;
  return Equal{std::move(result)};
}

// negate(negate x), not(not x) -> x
std::optional<Equal> involution_twice(const Scene& scene, const Candidate& c) {
  if (c.op != Op::negate && c.op != Op::not_) return std::nullopt;
  const ir::Node* inner = scene.made_by(c.operands[0], c.op);
  return inner ? same_value(scene, c, inner->operands[0]) : std::nullopt;
}

// abs(negate x) -> abs x; the negative of an unsigned number is another number
std::optional<Equal> abs_of_negate(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::abs ? scene.made_by(c.operands[0], Op::negate) : nullptr;
  if (!inner || is_unsigned(c.type.dtype)) return std::nullopt;
  return Equal{with_operands(c, {inner->operands[0]})};
}

// f(f x) -> f x: abs, ceil, floor, round, sign
std::optional<Equal> applied_twice(const Scene& scene, const Candidate& c) {
  const bool fits = c.op == Op::abs || c.op == Op::ceil || c.op == Op::floor || c.op == Op::sign ||
                    c.op == Op::round_nearest_afz || c.op == Op::round_nearest_even;
  if (!fits || !scene.made_by(c.operands[0], c.op)) return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

constexpr Equation kEquations[] = {
    {"constant_to_the_right", constant_to_the_right},
    {"integer_with_zero", integer_with_zero},
    {"integer_times_zero", integer_times_zero},
    {"integer_times_one", integer_times_one},
    {"bits_with_all_ones", bits_with_all_ones},
    {"integer_less_itself", integer_less_itself},
    {"same_operand_twice", same_operand_twice},
    {"bound_that_never_binds", bound_that_never_binds},
    {"float_with_its_unit", float_with_its_unit},
    {"divide_by_power_of_two", divide_by_power_of_two},
    {"involution_twice", involution_twice},
    {"abs_of_negate", abs_of_negate},
    {"applied_twice", applied_twice},
};

}  // namespace

std::span<const Equation> arithmetic_equations() { return kEquations; }

}  // namespace weft::rewrite
