// The reference value of every elementwise operation: one function template a row of ops.def, named in its
// column `value`. Written to be obviously right: transcendental functions are computed in a wider type and
// rounded once.
#pragma once

#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <weft/half.h>

#include "compiler/interpreter/special_values.h"

namespace weft::interpreter::values {

template <class T>
concept Half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
concept Float = Half<T> || std::is_floating_point_v<T>;
template <class T>
concept Bool = std::is_same_v<T, bool>;
template <class T>
concept Integer = std::is_integral_v<T> && !Bool<T>;

// f16, bf16 and f32 are evaluated in double, f64 in long double.
template <Float T>
using Wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
template <Float T>
Wide<T> widen(T x) {
  return static_cast<Wide<T>>(x);
}
template <Float T>
T narrow(Wide<T> x) {
  return static_cast<T>(x);
}
template <Integer T>
using Unsigned = std::make_unsigned_t<T>;
// Arithmetic that wraps, without the undefined behaviour of signed overflow or of promotion to int.
template <Integer T>
T wrapped(std::uint64_t x) {
  return static_cast<T>(static_cast<Unsigned<T>>(x));
}
template <Integer T>
std::uint64_t bits(T x) {
  return static_cast<std::uint64_t>(static_cast<Unsigned<T>>(x));
}
template <Integer T>
inline constexpr int kWidth = static_cast<int>(CHAR_BIT * sizeof(T));

// --- arithmetic ---

template <class T>
T add(T a, T b) {
  if constexpr (Bool<T>)
    return a || b;
  else if constexpr (Integer<T>)
    return wrapped<T>(bits(a) + bits(b));
  else if constexpr (Half<T>)
    return narrow<T>(widen(a) + widen(b));
  else
    return a + b;
}
template <class T>
T subtract(T a, T b) {
  if constexpr (Integer<T>)
    return wrapped<T>(bits(a) - bits(b));
  else if constexpr (Half<T>)
    return narrow<T>(widen(a) - widen(b));
  else
    return a - b;
}
template <class T>
T multiply(T a, T b) {
  if constexpr (Bool<T>)
    return a && b;
  else if constexpr (Integer<T>)
    return wrapped<T>(bits(a) * bits(b));
  else if constexpr (Half<T>)
    return narrow<T>(widen(a) * widen(b));
  else
    return a * b;
}
template <class T>
T divide(T a, T b) {
  if constexpr (Integer<T>) {
    if (b == 0) return wrapped<T>(~std::uint64_t{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return wrapped<T>(std::uint64_t{0} - bits(a));  // MIN / -1 would trap
    return static_cast<T>(a / b);
  } else if constexpr (Half<T>) {
    return narrow<T>(widen(a) / widen(b));
  } else {
    return a / b;
  }
}
template <class T>
T remainder(T a, T b) {
  if constexpr (Integer<T>) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return T{0};
    return static_cast<T>(a % b);
  } else {
    return narrow<T>(std::fmod(widen(a), widen(b)));
  }
}
template <class T>
T negate(T x) {
  if constexpr (Integer<T>)
    return wrapped<T>(std::uint64_t{0} - bits(x));
  else
    return narrow<T>(-widen(x));
}
template <class T>
T abs(T x) {
  if constexpr (Integer<T>)
    return x < T{0} ? negate(x) : x;
  else
    return narrow<T>(std::fabs(widen(x)));
}
template <class T>
T sign(T x) {
  if constexpr (Integer<T>)
    return static_cast<T>((x > T{0}) - (x < T{0}));
  else {
    const auto wide = widen(x);
    if (std::isnan(wide) || wide == 0) return x;
    return narrow<T>(wide > 0 ? 1 : -1);
  }
}
template <class T>
T square(T x) {
  return multiply(x, x);
}
template <class T>
T maximum(T a, T b) {
  if constexpr (Bool<T>)
    return a || b;
  else if constexpr (Integer<T>)
    return a > b ? a : b;
  else {
    const auto x = widen(a), y = widen(b);
    if (std::isnan(x)) return a;
    if (std::isnan(y)) return b;
    if (x == y) return std::signbit(x) ? b : a;
    return x > y ? a : b;
  }
}
template <class T>
T minimum(T a, T b) {
  if constexpr (Bool<T>)
    return a && b;
  else if constexpr (Integer<T>)
    return a < b ? a : b;
  else {
    const auto x = widen(a), y = widen(b);
    if (std::isnan(x)) return a;
    if (std::isnan(y)) return b;
    if (x == y) return std::signbit(x) ? a : b;
    return x < y ? a : b;
  }
}
template <class T>
T mulhi(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>((static_cast<__int128>(a) * static_cast<__int128>(b)) >> kWidth<T>);
  else
    return static_cast<T>((static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) >>
                          kWidth<T>);
}
template <class T>
T power(T base, T exponent) {
  if constexpr (Integer<T>) {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) {
        if (base == 1) return T{1};
        if (base == -1) return (bits(exponent) & 1) != 0 ? T{-1} : T{1};
        return T{0};
      }
    }
    T result{1};
    for (std::uint64_t left = bits(exponent); left != 0; left >>= 1, base = multiply(base, base))
      if ((left & 1) != 0) result = multiply(result, base);
    return result;
  } else {
    return narrow<T>(std::pow(widen(base), widen(exponent)));
  }
}

// --- bits ---

template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T x) {
  if constexpr (Bool<T>)
    return !x;
  else
    return static_cast<T>(~x);
}
template <class T>
T popcnt(T x) {
  return static_cast<T>(std::popcount(static_cast<Unsigned<T>>(x)));
}
template <class T>
T count_leading_zeros(T x) {
  return static_cast<T>(std::countl_zero(static_cast<Unsigned<T>>(x)));
}
template <class T>
bool shift_in_range(T amount) {
  return amount >= T{0} && bits(amount) < static_cast<std::uint64_t>(kWidth<T>);
}
template <class T>
T shift_left(T x, T amount) {
  return shift_in_range(amount) ? wrapped<T>(bits(x) << bits(amount)) : T{0};
}
template <class T>
T shift_right_logical(T x, T amount) {
  return shift_in_range(amount) ? wrapped<T>(bits(x) >> bits(amount)) : T{0};
}
template <class T>
T shift_right_arithmetic(T x, T amount) {
  using Signed = std::make_signed_t<T>;
  const auto value = static_cast<Signed>(x);
  if (!shift_in_range(amount)) return static_cast<T>(value < 0 ? Signed{-1} : Signed{0});
  return static_cast<T>(static_cast<Signed>(value >> bits(amount)));
}

// --- rounding and classes ---

template <class T>
T ceil(T x) {
  return narrow<T>(std::ceil(widen(x)));
}
template <class T>
T floor(T x) {
  return narrow<T>(std::floor(widen(x)));
}
template <class T>
T round_nearest_afz(T x) {
  return narrow<T>(std::round(widen(x)));
}
template <class T>
T round_nearest_even(T x) {
  return narrow<T>(std::nearbyint(widen(x)));
}
template <class T>
bool is_finite(T x) {
  return std::isfinite(widen(x));
}
template <class T>
bool is_inf(T x) {
  return std::isinf(widen(x));
}
template <class T>
bool is_pos_inf(T x) {
  return std::isinf(widen(x)) && widen(x) > 0;
}
template <class T>
bool is_neg_inf(T x) {
  return std::isinf(widen(x)) && widen(x) < 0;
}
template <class T>
T next_after(T x, T y) {
  if constexpr (Half<T>) {
    if (std::isnan(widen(x)) || std::isnan(widen(y))) return T(std::numeric_limits<float>::quiet_NaN());
    if (widen(x) == widen(y)) return y;
    if (widen(x) == 0)
      return T::from_bits(static_cast<std::uint16_t>(std::signbit(widen(y)) ? 0x8001 : 0x0001));
    const bool away = (widen(x) < widen(y)) == (widen(x) > 0);
    return T::from_bits(static_cast<std::uint16_t>(x.bits + (away ? 1 : -1)));
  } else {
    return std::nextafter(x, y);
  }
}

// --- transcendental functions ---

// The expression is of x, the operand in its wider type.
#define WEFT_WIDE_UNARY(name, expression) \
  template <class T>                      \
  T name(T operand) {                     \
    const auto x = widen(operand);        \
    return narrow<T>(expression);         \
  }
WEFT_WIDE_UNARY(cbrt, std::cbrt(x))
WEFT_WIDE_UNARY(cosine, std::cos(x))
WEFT_WIDE_UNARY(exponential, std::exp(x))
WEFT_WIDE_UNARY(exponential_minus_one, std::expm1(x))
WEFT_WIDE_UNARY(exp2, std::exp2(x))
WEFT_WIDE_UNARY(log, std::log(x))
WEFT_WIDE_UNARY(log_plus_one, std::log1p(x))
WEFT_WIDE_UNARY(log2, std::log2(x))
WEFT_WIDE_UNARY(log10, std::log10(x))
WEFT_WIDE_UNARY(logistic, 1 / (1 + std::exp(-x)))
WEFT_WIDE_UNARY(rsqrt, 1 / std::sqrt(x))
WEFT_WIDE_UNARY(sine, std::sin(x))
WEFT_WIDE_UNARY(tan, std::tan(x))
WEFT_WIDE_UNARY(tanh, std::tanh(x))
WEFT_WIDE_UNARY(acos, std::acos(x))
WEFT_WIDE_UNARY(acosh, std::acosh(x))
WEFT_WIDE_UNARY(asin, std::asin(x))
WEFT_WIDE_UNARY(asinh, std::asinh(x))
WEFT_WIDE_UNARY(atan, std::atan(x))
WEFT_WIDE_UNARY(atanh, std::atanh(x))
WEFT_WIDE_UNARY(cosh, std::cosh(x))
WEFT_WIDE_UNARY(sinh, std::sinh(x))
WEFT_WIDE_UNARY(erf, std::erf(x))
WEFT_WIDE_UNARY(erfc, std::erfc(x))
WEFT_WIDE_UNARY(lgamma, special::lgamma(x))
WEFT_WIDE_UNARY(digamma, special::digamma(x))
WEFT_WIDE_UNARY(erf_inv, special::erf_inv(x))
WEFT_WIDE_UNARY(bessel_i1e, special::bessel_i1e(x))
#undef WEFT_WIDE_UNARY
template <class T>
T sqrt(T x) {
  if constexpr (Half<T>)
    return narrow<T>(std::sqrt(widen(x)));
  else
    return std::sqrt(x);
}
template <class T>
T atan2(T y, T x) {
  return narrow<T>(std::atan2(widen(y), widen(x)));
}
template <class T>
T zeta(T s, T q) {
  return narrow<T>(static_cast<Wide<T>>(special::zeta(widen(s), widen(q))));
}
template <class T>
T polygamma(T n, T x) {
  return narrow<T>(static_cast<Wide<T>>(special::polygamma(widen(n), widen(x))));
}

}  // namespace weft::interpreter::values
