// Every elementwise operation as a plain C++ loop, as a user would write it by hand: what compiled code is measured beside.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "compiler/ir/ir.h"

namespace benchmark_tools {

// bfloat16 as plain C++ has it: two bytes that are widened by a shift and rounded to nearest even.
struct Bfloat16 {
  std::uint16_t bits = 0;
  Bfloat16() = default;
  Bfloat16(float value) {  // NOLINT: converts like a number
    std::uint32_t wide;
    std::memcpy(&wide, &value, 4);
    bits = value != value ? 0x7fc0 : static_cast<std::uint16_t>((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
  }
  operator float() const {  // NOLINT
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
  }
};

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, _Float16> || std::is_same_v<T, Bfloat16>;

// What arithmetic is done in.
template <class T>
using Working = std::conditional_t<is_float<T> && sizeof(T) == 2, float, T>;

template <class T, class Function>
void loop1(const T* x, T* z, std::int64_t n, Function f) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = static_cast<T>(f(static_cast<Working<T>>(x[i])));
}
template <class T, class Function>
void loop2(const T* x, const T* y, T* z, std::int64_t n, Function f) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = static_cast<T>(f(static_cast<Working<T>>(x[i]), static_cast<Working<T>>(y[i])));
}
template <class T, class Function>
void test1(const T* x, bool* z, std::int64_t n, Function f) {
  for (std::int64_t i = 0; i < n; ++i) z[i] = f(static_cast<Working<T>>(x[i]));
}

// Runs the loop; false where C++ has none.
template <class T>
bool plain_loop(weft::ir::Op op, const T* x, const T* y, void* result, std::int64_t n) {
  using weft::ir::Op;
  using W = Working<T>;
  T* z = static_cast<T*>(result);
#define LOOP1(name, ...)                                      \
  if (op == Op::name) {                                       \
    loop1(x, z, n, [](W a) { return __VA_ARGS__; });          \
    return true;                                              \
  }
#define LOOP2(name, ...)                                      \
  if (op == Op::name) {                                       \
    loop2(x, y, z, n, [](W a, W b) { return __VA_ARGS__; });  \
    return true;                                              \
  }
#define TEST1(name, ...)                                                        \
  if (op == Op::name) {                                                         \
    test1(x, static_cast<bool*>(result), n, [](W a) { return __VA_ARGS__; });   \
    return true;                                                                \
  }
  LOOP2(add, a + b)
  LOOP2(multiply, a * b)
  LOOP2(maximum, std::max(a, b))
  LOOP2(minimum, std::min(a, b))
  if constexpr (!std::is_same_v<T, bool>) {
    LOOP2(subtract, a - b)
    LOOP2(divide, a / b)
    LOOP1(negate, -a)
    LOOP1(square, a * a)
    LOOP1(sign, (a > 0) - (a < 0))
  }
  if constexpr (std::is_same_v<T, bool>) {
    LOOP1(not_, !a)
    LOOP2(and_, a && b)
    LOOP2(or_, a || b)
    LOOP2(xor_, a != b)
  } else if constexpr (!is_float<T>) {
    using U = std::make_unsigned_t<T>;
    LOOP1(abs, a < 0 ? -a : a)
    LOOP1(not_, ~a)
    LOOP2(and_, a & b)
    LOOP2(or_, a | b)
    LOOP2(xor_, a ^ b)
    LOOP2(remainder, a % b)
    LOOP1(popcnt, std::popcount(static_cast<U>(a)))
    LOOP1(count_leading_zeros, std::countl_zero(static_cast<U>(a)))
    LOOP2(shift_left, static_cast<U>(b) < 8 * sizeof(T) ? static_cast<T>(static_cast<U>(a) << b) : T{0})
    LOOP2(shift_right_logical, static_cast<U>(b) < 8 * sizeof(T) ? static_cast<T>(static_cast<U>(a) >> b) : T{0})
    LOOP2(shift_right_arithmetic, static_cast<T>(static_cast<std::make_signed_t<T>>(a) >>
                                                 std::min<U>(static_cast<U>(b), 8 * sizeof(T) - 1)))
    LOOP2(power, [](T base, T exponent) {
      T result = 1;
      if constexpr (std::is_signed_v<T>)
        if (exponent < 0) return static_cast<T>(base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0);
      for (; exponent; exponent = static_cast<T>(exponent >> 1), base = static_cast<T>(base * base))
        if (exponent & 1) result = static_cast<T>(result * base);
      return result;
    }(a, b))
    if constexpr (sizeof(T) < 8) {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      LOOP2(mulhi, (static_cast<Wide>(a) * b) >> (8 * sizeof(T)))
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      LOOP2(mulhi, static_cast<T>((static_cast<Wide>(a) * b) >> 64))
    }
  } else {
    LOOP1(abs, std::fabs(a))
    LOOP2(remainder, std::fmod(a, b))
    LOOP2(power, std::pow(a, b))
    LOOP2(atan2, std::atan2(a, b))
    LOOP2(next_after, std::nextafter(a, b))
    LOOP1(cbrt, std::cbrt(a))
    LOOP1(ceil, std::ceil(a))
    LOOP1(floor, std::floor(a))
    LOOP1(round_nearest_afz, std::round(a))
    LOOP1(round_nearest_even, std::nearbyint(a))
    LOOP1(cosine, std::cos(a))
    LOOP1(sine, std::sin(a))
    LOOP1(tan, std::tan(a))
    LOOP1(tanh, std::tanh(a))
    LOOP1(exponential, std::exp(a))
    LOOP1(exponential_minus_one, std::expm1(a))
    LOOP1(exp2, std::exp2(a))
    LOOP1(log, std::log(a))
    LOOP1(log_plus_one, std::log1p(a))
    LOOP1(log2, std::log2(a))
    LOOP1(log10, std::log10(a))
    LOOP1(logistic, W(1) / (W(1) + std::exp(-a)))
    LOOP1(rsqrt, W(1) / std::sqrt(a))
    LOOP1(sqrt, std::sqrt(a))
    LOOP1(acos, std::acos(a))
    LOOP1(acosh, std::acosh(a))
    LOOP1(asin, std::asin(a))
    LOOP1(asinh, std::asinh(a))
    LOOP1(atan, std::atan(a))
    LOOP1(atanh, std::atanh(a))
    LOOP1(cosh, std::cosh(a))
    LOOP1(sinh, std::sinh(a))
    LOOP1(erf, std::erf(a))
    LOOP1(erfc, std::erfc(a))
    LOOP1(lgamma, std::lgamma(a))
    TEST1(is_finite, std::isfinite(a))
    TEST1(is_inf, std::isinf(a))
    TEST1(is_pos_inf, a == std::numeric_limits<W>::infinity())
    TEST1(is_neg_inf, a == -std::numeric_limits<W>::infinity())
  }
#undef LOOP1
#undef LOOP2
#undef TEST1
  return false;
}

}  // namespace benchmark_tools
