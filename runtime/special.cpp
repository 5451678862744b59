// Scalar functions that compiled code calls lane by lane, where neither an instruction nor the C library has them.
#include "runtime/special.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr long double kPiLong = std::numbers::pi_v<long double>;

bool is_pole(double x) { return x <= 0 && x == std::floor(x); }

// Stirling's series (A&S 6.1.41) for x >= 8; its coefficients are B(2k) / (2k (2k - 1)).
long double lgamma_of_large(long double x) {
  constexpr long double kHalfLogTwoPi = 0.918938533204672741780329736406L;
  constexpr long double kStirling[] = {1.0L / 12,     -1.0L / 360,    1.0L / 1260,        -1.0L / 1680,
                                       1.0L / 1188,   -691.0L / 360360, 1.0L / 156,       -3617.0L / 122400};
  const long double inverse = 1 / x, square = inverse * inverse;
  long double sum = 0;
  for (std::size_t k = std::size(kStirling); k-- > 0;) sum = sum * square + kStirling[k];
  return (x - 0.5L) * std::log(x) - x + kHalfLogTwoPi + sum * inverse;
}

// Coefficients B(2k) / (2k) of the expansion of digamma, A&S 6.3.18.
constexpr long double kDigamma[] = {1.0L / 12,   -1.0L / 120,    1.0L / 252,  -1.0L / 240,
                                    1.0L / 132,  -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160};

long double digamma_positive(long double x) {
  long double result = 0;
  for (; x < 16; ++x) result -= 1 / x;
  const long double inverse = 1 / (x * x);
  long double power = inverse;
  result += std::log(x) - 1 / (2 * x);
  for (long double coefficient : kDigamma) {
    result -= coefficient * power;
    power *= inverse;
  }
  return result;
}

// Coefficients B(2k) / (2k)! of Euler's and Maclaurin's sum.
constexpr long double kEuler[] = {1.0L / 12, -1.0L / 720, 1.0L / 30240, -1.0L / 1209600, 1.0L / 47900160,
                                  -691.0L / 1307674368000.0L, 1.0L / 74724249600.0L};

// zeta(s, q) q^s for q > 0: sixteen terms, then Euler's and Maclaurin's sum (A&S 23.1.30).
long double zeta_times_power(long double s, long double q) {
  const auto lower = [&](int k) { return std::exp(-s * std::log1p(k / q)); };  // (q / (q + k))^s, also where k / q is lost in 1
  long double sum = 0;
  for (int k = 0; k < 16; ++k) sum += lower(k);
  const long double a = q + 16, power = lower(16);
  sum += power * (a / (s - 1) + 0.5L);
  long double term = power * s / a;
  for (int k = 1; k <= 7; ++k) {
    sum += kEuler[k - 1] * term;
    term *= (s + 2 * k - 1) * (s + 2 * k) / (a * a);
  }
  return sum;
}

long double zeta_positive(long double s, long double q) { return std::pow(q, -s) * zeta_times_power(s, q); }

// Integer s, q < 0 between poles. Far from zero: what is summed over all integers depends on the fraction of q
// alone, and what lies below q is taken off.
long double zeta_negative(long double s, long double q) {
  if (q > -40) {
    long double sum = 0;
    for (; q < 0; ++q) sum += std::pow(q, -s);
    return sum + zeta_positive(s, q);
  }
  const long double fraction = q - std::floor(q), sign = std::fmod(s, 2.0L) == 0 ? 1 : -1;
  return zeta_positive(s, fraction) + sign * (zeta_positive(s, 1 - fraction) - zeta_positive(s, 1 - q));
}

// With the conventions of XLA at poles: +inf where both sides of the pole agree, else NaN.
long double zeta_of(long double s, long double q) {
  if (is_pole(static_cast<double>(q))) return std::fmod(s, 2.0L) == 0 ? kInfinity : kNan;
  if (std::isinf(q)) return 0;
  if (std::isinf(s)) return q < 1 ? kInfinity : q == 1 ? 1 : 0;
  return q > 0 ? zeta_positive(s, q) : zeta_negative(s, q);
}

bool is_even(double x) { return std::fmod(x, 2) == 0; }

constexpr double kMostExactFactorial = 1000;  // factorials overflow long double from 1755 on

}  // namespace

extern "C" {

double weft_logistic(double x) { return static_cast<double>(1 / (1 + std::exp(-static_cast<long double>(x)))); }
double weft_rsqrt(double x) { return static_cast<double>(1 / std::sqrt(static_cast<long double>(x))); }

// The C library's double function is within 2 ulp between 0 and 8 alone.
double weft_lgamma(double x) {
  if (is_pole(x) || std::isinf(x)) return kInfinity;
  int sign = 0;
  if (x > 0 && x < 8) return lgamma_r(x, &sign);
  return static_cast<double>(x < 0 ? lgammal_r(x, &sign) : lgamma_of_large(x));
}

double weft_digamma(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (is_pole(x) || x == -kInfinity) return kNan;
  if (x > 0) return static_cast<double>(digamma_positive(x));
  const long double wide = x, fraction = wide - std::round(wide);
  return static_cast<double>(digamma_positive(1 - wide) - kPiLong / std::tan(kPiLong * fraction));
}

// A first guess within 2e-3 (Winitzki 2008), then Halley's steps on the side where 1 - x is exact.
double weft_erf_inv(double x) {
  if (!(x >= -1 && x <= 1)) return kNan;
  if (std::fabs(x) == 1) return std::copysign(kInfinity, x);
  if (x == 0) return x;
  const long double magnitude = std::fabs(static_cast<long double>(x)), a = 0.147L;
  const long double logarithm = std::log1p(-magnitude * magnitude), b = 2 / (kPiLong * a) + logarithm / 2;
  long double y = std::sqrt(std::sqrt(b * b - logarithm / a) - b);
  for (int step = 0; step < 4; ++step) {
    const long double slope = 2 / std::sqrt(kPiLong) * std::exp(-y * y);
    const long double error = magnitude > 0.5L ? (1 - magnitude) - std::erfc(y) : std::erf(y) - magnitude;
    y -= error / (slope + y * error);
  }
  return static_cast<double>(std::copysign(y, static_cast<long double>(x)));
}

// The power series (A&S 9.6.10) for small arguments, the expansion 9.7.1 for large ones.
double weft_bessel_i1e(double x) {
  if (std::isnan(x)) return x;
  const long double magnitude = std::fabs(static_cast<long double>(x));
  if (std::isinf(x)) return std::copysign(0.0, x);
  long double sum = 1, term = 1, factor = 1 / std::sqrt(2 * kPiLong * magnitude);
  if (magnitude < 30) {
    const long double quarter = magnitude * magnitude / 4;
    for (int k = 1; term > sum * 1e-20L; ++k) sum += term *= quarter / (static_cast<long double>(k) * (k + 1));
    factor = magnitude / 2 * std::exp(-magnitude);
  } else {
    for (int k = 1; k < 25; ++k) {
      const long double odd = 2.0L * k - 1;
      sum += term *= -(4 - odd * odd) / (k * 8 * magnitude);
    }
  }
  return static_cast<double>(std::copysign(sum * factor, static_cast<long double>(x)));
}

double weft_zeta(double x, double q) {
  if (std::isnan(x) || std::isnan(q) || x < 1) return kNan;
  if (x == 1) return kInfinity;
  if (q < 0 && !is_pole(q) && x != std::floor(x)) return kNan;
  return static_cast<double>(zeta_of(x, q));
}

double weft_polygamma(double n, double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || n != std::floor(n)) return kNan;
  if (n == 0) return weft_digamma(x);
  const double sign = is_even(n) ? -1 : 1;
  const long double order = n, argument = x;
  if (x > 0 && n > kMostExactFactorial) {
    if (std::isinf(x)) return 0;
    if (std::isinf(n)) return sign * kInfinity;
    const long double factor = std::exp(lgammal(order + 1) - (order + 1) * std::log(argument));
    return static_cast<double>(sign * factor * zeta_times_power(order + 1, argument));
  }
  return static_cast<double>(sign * std::tgamma(order + 1) * zeta_of(order + 1, argument));
}

#define IN_F32(name) \
  float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); }
#define IN_F32_BINARY(name) \
  float name##f(float x, float y) { return static_cast<float>(name(static_cast<double>(x), static_cast<double>(y))); }
IN_F32(weft_logistic)
IN_F32(weft_rsqrt)
IN_F32(weft_digamma)
IN_F32(weft_erf_inv)
IN_F32(weft_bessel_i1e)
IN_F32_BINARY(weft_zeta)
IN_F32_BINARY(weft_polygamma)
// Twice the precision of f32 forgives the double function its error.
float weft_lgammaf(float x) {
  if (is_pole(x) || std::isinf(x)) return static_cast<float>(kInfinity);
  int sign = 0;
  return static_cast<float>(lgamma_r(static_cast<double>(x), &sign));
}
#undef IN_F32
#undef IN_F32_BINARY

}  // extern "C"
