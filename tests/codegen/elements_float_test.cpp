// Float rows that need no approximation, against C++ in f32 or f64 and weft's own rounding to 16 bits.
#include "tests/codegen/element_kernel.h"

namespace weft::codegen {
namespace {

using ir::Op;

template <class T>
class FloatElements : public testing::Test {};
using Floats = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(FloatElements, Floats);

template <class T, class Reference>
void check_unary(const std::string& name, Op op, Reference reference) {
  check_element<T, T>(name, {op},
                      [&](T x) { return static_cast<T>(reference(static_cast<Computed<T>>(x))); });
}
template <class T, class Reference>
void check_binary(const std::string& name, Op op, Reference reference) {
  check_element<T, T, T>(name, {op}, [&](T x, T y) {
    return static_cast<T>(reference(static_cast<Computed<T>>(x), static_cast<Computed<T>>(y)));
  });
}

template <class T>
auto bits_of(T value) {
  std::conditional_t<sizeof(T) == 2, std::int16_t,
                     std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>
      bits;
  std::memcpy(static_cast<void*>(&bits), &value, sizeof bits);
  return bits;
}

// By the order of IEEE-754's maximum: NaN above all, then the sign of zeros.
template <class C>
C maximum(C x, C y) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<C>::quiet_NaN();
  if (x == y) return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
template <class C>
C minimum(C x, C y) {
  return -maximum(-x, -y);
}

// The next number of the format by searching its bits.
template <class T>
T next_after(T x, T y) {
  using C = Computed<T>;
  const C from = static_cast<C>(x), to = static_cast<C>(y);
  if (std::isnan(from) || std::isnan(to)) return static_cast<T>(std::numeric_limits<C>::quiet_NaN());
  if (from == to) return y;
  auto bits = bits_of(x);
  if (from == 0) {
    bits = 1;
    if (to < 0) bits = static_cast<decltype(bits)>(std::numeric_limits<decltype(bits)>::min() + 1);
  } else {
    bits = static_cast<decltype(bits)>(bits + ((from < to) == (from > 0) ? 1 : -1));
  }
  T result;
  std::memcpy(static_cast<void*>(&result), &bits, sizeof result);
  return result;
}

TYPED_TEST(FloatElements, arithmetic) {
  using T = TypeParam;
  using C = Computed<T>;
  check_binary<T>("add", Op::add, [](C x, C y) { return x + y; });
  check_binary<T>("subtract", Op::subtract, [](C x, C y) { return x - y; });
  check_binary<T>("multiply", Op::multiply, [](C x, C y) { return x * y; });
  check_binary<T>("divide", Op::divide, [](C x, C y) { return x / y; });
  check_unary<T>("square", Op::square, [](C x) { return x * x; });
  check_unary<T>("sqrt", Op::sqrt, [](C x) { return std::sqrt(x); });
  check_unary<T>("abs", Op::abs, [](C x) { return std::fabs(x); });
  check_unary<T>("negate", Op::negate, [](C x) { return -x; });
}

TYPED_TEST(FloatElements, rounding_to_integers) {
  using T = TypeParam;
  using C = Computed<T>;
  check_unary<T>("ceil", Op::ceil, [](C x) { return std::ceil(x); });
  check_unary<T>("floor", Op::floor, [](C x) { return std::floor(x); });
  check_unary<T>("round_nearest_afz", Op::round_nearest_afz, [](C x) { return std::round(x); });
  check_unary<T>("round_nearest_even", Op::round_nearest_even, [](C x) { return std::nearbyint(x); });
}

TYPED_TEST(FloatElements, extremes_follow_ieee_754) {
  using T = TypeParam;
  using C = Computed<T>;
  check_binary<T>("maximum", Op::maximum, maximum<C>);
  check_binary<T>("minimum", Op::minimum, minimum<C>);
  check_element<T, T, T, T>("clamp", {Op::clamp}, [](T low, T x, T high) {
    return static_cast<T>(minimum(maximum(static_cast<C>(x), static_cast<C>(low)), static_cast<C>(high)));
  });
}

TYPED_TEST(FloatElements, sign_keeps_zeros_and_nan) {
  using T = TypeParam;
  using C = Computed<T>;
  check_unary<T>("sign", Op::sign, [](C x) { return x > 0 ? C{1} : x < 0 ? C{-1} : x; });
}

TYPED_TEST(FloatElements, neighbours) {
  check_element<TypeParam, TypeParam, TypeParam>("next_after", {Op::next_after}, next_after<TypeParam>);
}

TYPED_TEST(FloatElements, kinds_of_values) {
  using T = TypeParam;
  using C = Computed<T>;
  const auto check = [](const std::string& name, Op op, auto reference) {
    check_element<bool, T>(name, {op}, [&](T x) { return static_cast<bool>(reference(static_cast<C>(x))); });
  };
  check("is_finite", Op::is_finite, [](C x) { return std::isfinite(x); });
  check("is_inf", Op::is_inf, [](C x) { return std::isinf(x); });
  check("is_pos_inf", Op::is_pos_inf, [](C x) { return std::isinf(x) && x > 0; });
  check("is_neg_inf", Op::is_neg_inf, [](C x) { return std::isinf(x) && x < 0; });
}

TYPED_TEST(FloatElements, comparisons) {
  using T = TypeParam;
  using C = Computed<T>;
  const auto check = [](ir::Direction direction, auto reference) {
    check_element<bool, T, T>("compare",
                              {Op::compare, ir::CompareAttributes{direction, ir::CompareKind::FLOAT}},
                              [&](T x, T y) { return reference(static_cast<C>(x), static_cast<C>(y)); });
  };
  check(ir::Direction::EQ, [](C x, C y) { return x == y; });
  check(ir::Direction::NE, [](C x, C y) { return x != y; });
  check(ir::Direction::LT, [](C x, C y) { return x < y; });
  check(ir::Direction::LE, [](C x, C y) { return x <= y; });
  check(ir::Direction::GT, [](C x, C y) { return x > y; });
  check(ir::Direction::GE, [](C x, C y) { return x >= y; });
  check_element<T, bool, T, T>("select", {Op::select}, [](bool p, T x, T y) { return p ? x : y; });
}

TYPED_TEST(FloatElements, total_order) {
  using T = TypeParam;
  const auto key = [](T x) {
    const auto bits = static_cast<std::int64_t>(bits_of(x));
    const std::int64_t least = static_cast<std::int64_t>(std::numeric_limits<decltype(bits_of(x))>::min());
    return bits < 0 ? least - bits - 1 : bits;
  };
  const auto check = [](ir::Direction direction, auto reference) {
    check_element<bool, T, T>(
        "compare", {Op::compare, ir::CompareAttributes{direction, ir::CompareKind::TOTALORDER}}, reference);
  };
  check(ir::Direction::EQ, [&](T x, T y) { return key(x) == key(y); });
  check(ir::Direction::NE, [&](T x, T y) { return key(x) != key(y); });
  check(ir::Direction::LT, [&](T x, T y) { return key(x) < key(y); });
  check(ir::Direction::GE, [&](T x, T y) { return key(x) >= key(y); });
}

// To an integer, to even; without any fraction bits the last bit that stays is the exponent's.
double nearest_even(double value, int kept, int exponent, int own_exponent_bits) {
  const int biased = exponent + (1 << (own_exponent_bits - 1)) - 1;
  if (kept == 0 && std::fabs(value) == 1.5) return std::copysign(biased % 2 == 0 ? 1.0 : 2.0, value);
  return std::nearbyint(value);
}

// Step by step on the value: fraction rounded in units of the format, then the range.
template <class T>
T reduced(T x, int exponent_bits, int mantissa_bits, int own_exponent_bits, int own_mantissa_bits) {
  const auto value = static_cast<double>(x);
  if (std::isnan(value))
    return mantissa_bits > 0 ? x : static_cast<T>(std::copysign(INFINITY, bits_of(x) < 0 ? -1.0 : 1.0));
  if (std::isinf(value) || value == 0) return x;
  const int least_exponent = 2 - (1 << (own_exponent_bits - 1));
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const int kept = std::min(mantissa_bits, own_mantissa_bits);
  const double units = nearest_even(std::ldexp(value, kept - exponent), kept, exponent, own_exponent_bits);
  const double rounded = std::ldexp(units, exponent - kept);
  const int narrow = std::min(exponent_bits, own_exponent_bits);
  const int largest_exponent = (1 << (narrow - 1)) - 1;
  if (std::isinf(rounded) || std::ilogb(rounded) > largest_exponent)
    return static_cast<T>(std::copysign(INFINITY, value));
  const bool flushes = exponent_bits < own_exponent_bits;
  if (flushes && (rounded == 0 || std::ilogb(rounded) < 1 - largest_exponent))
    return static_cast<T>(std::copysign(0.0, value));
  return static_cast<T>(rounded);
}

TYPED_TEST(FloatElements, reduce_precision) {
  using T = TypeParam;
  const int own_exponent_bits = std::is_same_v<T, float16> ? 5 : sizeof(T) == 8 ? 11 : 8;
  const int own_mantissa_bits = std::is_same_v<T, float16>    ? 10
                                : std::is_same_v<T, bfloat16> ? 7
                                : sizeof(T) == 8              ? 52
                                                              : 23;
  for (const auto& [exponent_bits, mantissa_bits] : std::vector<std::pair<int, int>>{
           {5, 10}, {8, 7}, {8, 23}, {11, 52}, {4, 3}, {5, 2}, {8, 0}, {2, 5}, {6, 30}, {1, 1}})
    check_element<T, T>(
        "reduce_precision " + std::to_string(exponent_bits) + "," + std::to_string(mantissa_bits),
        {Op::reduce_precision, ir::ReducePrecisionAttributes{exponent_bits, mantissa_bits}},
        [&](T x) { return reduced(x, exponent_bits, mantissa_bits, own_exponent_bits, own_mantissa_bits); });
}

}  // namespace
}  // namespace weft::codegen
