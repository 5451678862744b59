// Series, recurrences and asymptotic expansions from Abramowitz and Stegun, with enough terms for long double.
#include "compiler/interpreter/special_values.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace weft::interpreter::special {
namespace {

constexpr long double kPi = std::numbers::pi_v<long double>;
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

// Bernoulli numbers B2, B4, … B24.
constexpr long double kBernoulli[] = {
    1.0L / 6,        -1.0L / 30,      1.0L / 42,         -1.0L / 30,          5.0L / 66,           -691.0L / 2730,
    7.0L / 6,        -3617.0L / 510,  43867.0L / 798,    -174611.0L / 330,    854513.0L / 138,     -236364091.0L / 2730};

bool is_pole(long double x) { return x <= 0 && x == std::floor(x); }

}  // namespace

long double lgamma(long double x) {
  if (is_pole(x)) return kInfinity;
  if (std::isinf(x)) return kInfinity;
  return std::lgamma(x);
}

// A&S 6.3.7 reflects, 6.3.5 shifts up, 6.3.18 is the expansion.
long double digamma(long double x) {
  if (std::isnan(x)) return x;
  if (x == 0) return std::copysign(kInfinity, -x);
  if (is_pole(x) || x == -kInfinity) return kNan;
  if (x == kInfinity) return x;
  if (x < 0) return digamma(1 - x) - kPi / std::tan(kPi * (x - std::floor(x)));
  long double result = 0;
  for (; x < 20; ++x) result -= 1 / x;
  const long double inverse = 1 / (x * x);
  long double power = inverse;
  result += std::log(x) - 1 / (2 * x);
  for (int k = 1; k <= 12; ++k, power *= inverse) result -= kBernoulli[k - 1] / (2 * k) * power;
  return result;
}

// Giles's first guess is not needed: Newton from a crude one, with erfc near the ends, converges in a few steps.
long double erf_inv(long double x) {
  if (std::isnan(x) || x < -1 || x > 1) return kNan;
  if (x == 1 || x == -1) return std::copysign(kInfinity, x);
  if (x == 0) return x;
  const long double magnitude = std::fabs(x);
  const long double a = 0.147L, logarithm = std::log1p(-magnitude * magnitude);
  const long double b = 2 / (kPi * a) + logarithm / 2;
  long double y = std::sqrt(std::sqrt(b * b - logarithm / a) - b);
  for (int step = 0; step < 60; ++step) {
    const long double slope = 2 / std::sqrt(kPi) * std::exp(-y * y);
    const long double error = magnitude > 0.5L ? (1 - magnitude) - std::erfc(y) : std::erf(y) - magnitude;
    const long double move = error / (slope + y * error);  // Halley
    y -= move;
    if (std::fabs(move) <= 1e-19L * std::fabs(y)) break;
  }
  return std::copysign(y, x);
}

// A&S 9.6.10 for small arguments, 9.7.1 for large ones.
long double bessel_i1e(long double x) {
  if (std::isnan(x)) return x;
  const long double magnitude = std::fabs(x);
  if (std::isinf(x)) return std::copysign(0.0L, x);
  if (magnitude < 40) {
    const long double quarter = magnitude * magnitude / 4;
    long double term = magnitude / 2, sum = term;
    for (int k = 1; k < 500 && term > sum * 1e-22L; ++k) {
      term *= quarter / (static_cast<long double>(k) * (k + 1));
      sum += term;
    }
    return std::copysign(sum * std::exp(-magnitude), x);
  }
  long double term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    const long double odd = 2.0L * k - 1;
    const long double next = -term * (4 - odd * odd) / (k * 8 * magnitude);
    if (std::fabs(next) >= std::fabs(term)) break;
    term = next;
    sum += term;
  }
  return std::copysign(sum / std::sqrt(2 * kPi * magnitude), x);
}

// Euler-Maclaurin from q + 20 on.
long double zeta(long double x, long double q) {
  if (std::isnan(x) || std::isnan(q) || x < 1) return kNan;
  if (x == 1) return kInfinity;
  if (q <= 0) {
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNan;
  }
  if (std::isinf(q)) return 0;
  if (std::isinf(x)) return q < 1 ? kInfinity : q == 1 ? 1 : 0;
  long double sum = 0;
  long double a = q;
  for (int k = 0; k < 20 || a < 9; ++k, a += 1) {
    sum += std::pow(a, -x);
    if (k > 100000) break;
  }
  sum += std::pow(a, 1 - x) / (x - 1) + std::pow(a, -x) / 2;
  long double term = x * std::pow(a, -x - 1), factorial = 2;
  for (int k = 1; k <= 12; ++k) {
    sum += kBernoulli[k - 1] * term / factorial;
    term *= (x + 2 * k - 1) * (x + 2 * k) / (a * a);
    factorial *= (2.0L * k + 1) * (2.0L * k + 2);
  }
  return sum;
}

// A&S 6.4.10: (-1)^(n+1) n! zeta(n + 1, x).
long double polygamma(long double n, long double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || n != std::floor(n)) return kNan;
  if (n == 0) return digamma(x);
  const long double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::exp(std::lgamma(n + 1)) * zeta(n + 1, x);
}

}  // namespace weft::interpreter::special
