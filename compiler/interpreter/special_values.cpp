// Series, recurrences and expansions of Abramowitz and Stegun (A&S), with enough terms for long double.
#include "compiler/interpreter/special_values.h"

#include <math.h>  // lgammal_r: std::lgamma writes a global sign, a race between threads

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
    1.0L / 6, -1.0L / 30,     1.0L / 42,      -1.0L / 30,       5.0L / 66,       -691.0L / 2730,
    7.0L / 6, -3617.0L / 510, 43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};

bool is_integer(long double x) { return x == std::floor(x); }
bool is_even(long double x) { return std::fmod(x, 2) == 0; }

// zeta(s, q) q^s for s > 1 and q > 0, by Euler-Maclaurin (A&S 23.1.30) from q + 20 on. The factor keeps all
// terms near 1, where the powers alone would overflow.
long double scaled_zeta(long double s, long double q) {
  constexpr int kDirect = 20;
  const auto lower = [&](int k) { return std::exp(-s * std::log1p(k / q)); };  // (q / (q + k))^s, also where k / q is lost in 1
  long double sum = 0;
  for (int k = 0; k < kDirect; ++k) sum += lower(k);
  const long double a = q + kDirect, power = lower(kDirect);
  sum += power * (a / (s - 1) + 0.5L);
  long double term = power * s / (2 * a);  // s (s+1) … (s+2k-2) / ((2k)! a^(2k-1))
  for (int k = 1; k <= 12; ++k) {
    sum += kBernoulli[k - 1] * term;
    term *= (s + 2 * k - 1) * (s + 2 * k) / ((2.0L * k + 1) * (2.0L * k + 2) * a * a);
  }
  return sum;
}

long double zeta_of_positive(long double s, long double q) {
  if (std::isinf(q)) return 0;
  return std::pow(q, -s) * scaled_zeta(s, q);
}

// Near its root digamma is its Taylor series there, whose terms are zeta values (A&S 6.4.9): elsewhere the
// sum of larger terms would leave few of its digits.
long double digamma_near_root(long double x) {
  constexpr long double kRoot = 1.46163214496836234128091663864L, kRootRest = -1.8257096315963484214601e-20L;
  const long double distance = (x - kRoot) - kRootRest;
  long double sum = 0, power = distance;
  for (int k = 2; k < 60 && std::fabs(power) > 1e-22L * std::fabs(distance); ++k, power *= -distance)
    sum += zeta_of_positive(k, kRoot) * power;
  return sum;
}

}  // namespace

long double lgamma(long double x) {
  if (std::isinf(x) || (x <= 0 && is_integer(x))) return kInfinity;
  int sign = 0;
  return lgammal_r(x, &sign);
}

// A&S 6.3.7 reflects, 6.3.5 shifts up, 6.3.18 is the expansion.
long double digamma(long double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= 0 && is_integer(x)) return kNan;
  if (x < 0) return digamma(1 - x) - kPi / std::tan(kPi * (x - std::round(x)));
  if (x > 1.3L && x < 1.6L) return digamma_near_root(x);
  long double result = 0;
  for (; x < 20; ++x) result -= 1 / x;
  const long double inverse = 1 / (x * x);
  long double power = inverse;
  result += std::log(x) - 1 / (2 * x);
  for (int k = 1; k <= 12; ++k, power *= inverse) result -= kBernoulli[k - 1] / (2 * k) * power;
  return result;
}

// Halley's steps from a guess good to some thousandths; with erfc beyond 1/2, where erf has no digits left.
long double erf_inv(long double x) {
  if (std::isnan(x) || x < -1 || x > 1) return kNan;
  if (x == 1 || x == -1) return std::copysign(kInfinity, x);
  if (x == 0) return x;
  const long double magnitude = std::fabs(x);
  constexpr long double kShape = 0.147L;
  const long double logarithm = std::log1p(-magnitude * magnitude);
  const long double middle = 2 / (kPi * kShape) + logarithm / 2;
  long double y = std::sqrt(std::sqrt(middle * middle - logarithm / kShape) - middle);
  for (int step = 0; step < 20; ++step) {
    const long double slope = 2 / std::sqrt(kPi) * std::exp(-y * y);
    const long double error = magnitude > 0.5L ? (1 - magnitude) - std::erfc(y) : std::erf(y) - magnitude;
    const long double move = error / (slope + y * error);
    y -= move;
    if (std::fabs(move) <= 1e-8L * std::fabs(y)) break;  // the next step's would be the cube of it
  }
  return std::copysign(y, x);
}

// A&S 9.6.10 for small arguments, 9.7.1 for large ones.
long double bessel_i1e(long double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return std::copysign(0.0L, x);
  const long double magnitude = std::fabs(x);
  if (magnitude < 40) {
    const long double quarter = magnitude * magnitude / 4;
    long double term = magnitude / 2, sum = term;
    for (int k = 1; term > sum * 1e-22L; ++k) {
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

long double zeta(long double s, long double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1) return kNan;
  if (s == 1) return kInfinity;
  if (q <= 0) {
    if (is_integer(q)) return is_even(s) ? kInfinity : kNan;
    if (!is_integer(s)) return kNan;
  }
  if (std::isinf(s)) return q > 1 ? 0 : q == 1 ? 1 : kInfinity;
  if (q > 0) return zeta_of_positive(s, q);
  if (q > -50) {
    long double sum = 0;
    for (; q < 0; ++q) sum += std::pow(q, -s);
    return sum + zeta_of_positive(s, q);
  }
  // The sum over all integers depends on the fraction alone; what lies below q is taken off.
  const long double fraction = q - std::floor(q), sign = is_even(s) ? 1 : -1;
  return zeta_of_positive(s, fraction) +
         sign * (zeta_of_positive(s, 1 - fraction) - zeta_of_positive(s, 1 - q));
}

// A&S 6.4.10: (-1)^(n+1) n! zeta(n + 1, x).
long double polygamma(long double n, long double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || !is_integer(n)) return kNan;
  if (n == 0) return digamma(x);
  const long double sign = is_even(n) ? -1 : 1;
  if (x <= 0 || n < 1000) return sign * std::tgamma(n + 1) * zeta(n + 1, x);
  if (std::isinf(x)) return 0;
  if (std::isinf(n)) return sign * kInfinity;
  return sign * std::exp(lgamma(n + 1) - (n + 1) * std::log(x)) * scaled_zeta(n + 1, x);
}

}  // namespace weft::interpreter::special
