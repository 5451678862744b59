// Rows that approximate are the functions that their names say, on every target; how accurate they are is
// tested with the functions. A lane's bits do not depend on the number of lanes.
#include "tests/codegen/element_kernel.h"

namespace weft::codegen {
namespace {

using ir::Op;
using Real = long double;

// The sum over k of (q + k)^-s, its end replaced by an integral; s > 1 and q > 0.
Real zeta(Real s, Real q) {
  if (s < 1) return NAN;
  if (s == 1) return INFINITY;
  Real sum = 0;
  const int terms = 2000;
  for (int k = 0; k < terms; ++k) sum += std::pow(q + k, -s);
  const Real end = q + terms;
  return sum + std::pow(end, 1 - s) / (s - 1) + std::pow(end, -s) / 2 + s * std::pow(end, -s - 1) / 12;
}

Real digamma(Real x) {
  Real result = 0;
  for (; x < 1000; ++x) result -= 1 / x;
  const Real square = x * x;
  return result + std::log(x) - 1 / (2 * x) - 1 / (12 * square) + 1 / (120 * square * square);
}

Real polygamma(Real n, Real x) {
  if (n != std::floor(n)) return NAN;
  return (std::fmod(n, 2) == 0 ? -1 : 1) * std::tgamma(n + 1) * zeta(n + 1, x);
}

// By bisection.
Real erf_inv(Real x) {
  if (x > 1) return NAN;
  if (x == 1) return INFINITY;
  Real low = 0, high = 10;
  for (int step = 0; step < 80; ++step) (std::erf((low + high) / 2) < x ? low : high) = (low + high) / 2;
  return low;
}

struct Row {
  const char* name;
  Op op;
  int arity;
  Real (*reference)(Real x, Real y);
};
#define UNARY(name, expression)                                         \
  {                                                                     \
#name, Op::name, 1, [](Real x, Real) -> Real { return expression; } \
  }
#define BINARY(name, expression)                                          \
  {                                                                       \
#name, Op::name, 2, [](Real x, Real y) -> Real { return expression; } \
  }
const Row kRows[] = {
    UNARY(exponential, std::exp(x)),
    UNARY(exponential_minus_one, std::expm1(x)),
    UNARY(exp2, std::exp2(x)),
    UNARY(log, std::log(x)),
    UNARY(log_plus_one, std::log1p(x)),
    UNARY(log2, std::log2(x)),
    UNARY(log10, std::log10(x)),
    UNARY(sine, std::sin(x)),
    UNARY(cosine, std::cos(x)),
    UNARY(tan, std::tan(x)),
    UNARY(asin, std::asin(x)),
    UNARY(acos, std::acos(x)),
    UNARY(atan, std::atan(x)),
    UNARY(sinh, std::sinh(x)),
    UNARY(cosh, std::cosh(x)),
    UNARY(tanh, std::tanh(x)),
    UNARY(asinh, std::asinh(x)),
    UNARY(acosh, std::acosh(x)),
    UNARY(atanh, std::atanh(x)),
    UNARY(logistic, 1 / (1 + std::exp(-x))),
    UNARY(rsqrt, 1 / std::sqrt(x)),
    UNARY(cbrt, std::cbrt(x)),
    UNARY(erf, std::erf(x)),
    UNARY(erfc, std::erfc(x)),
    UNARY(erf_inv, erf_inv(x)),
    UNARY(lgamma, std::lgamma(x)),
    UNARY(digamma, digamma(x)),
    UNARY(bessel_i1e, std::cyl_bessel_i(1.0L, x) * std::exp(-x)),
    BINARY(atan2, std::atan2(x, y)),
    BINARY(power, std::pow(x, y)),
    BINARY(remainder, std::fmod(x, y)),
    BINARY(zeta, zeta(x, y)),
    BINARY(polygamma, polygamma(x, y)),
};
#undef UNARY
#undef BINARY

template <class T>
constexpr double tolerance() {
  if (std::is_same_v<T, float16>) return 0x1p-10;
  if (std::is_same_v<T, bfloat16>) return 0x1p-7;
  return std::is_same_v<T, float> ? 1e-5 : 1e-12;
}

template <class T>
bool near(T got, T want) {
  if constexpr (is_float_type<T>) {
    const auto a = static_cast<double>(got), b = static_cast<double>(want);
    if (std::isnan(a) || std::isnan(b) || std::isinf(b)) return same(got, want) || (std::isinf(b) && a == b);
    return std::fabs(a - b) <= tolerance<T>() * std::max(std::fabs(b), 0.1);
  }
  return same(got, want);
}

// Arguments inside the domains and at their ends, in all pairs.
template <class T>
std::pair<Array<T>, Array<T>> tame_operands() {
  const double points[] = {0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};
  std::vector<T> x, y;
  for (double a : points)
    for (double b : points) {
      x.push_back(static_cast<T>(a));
      y.push_back(static_cast<T>(b));
    }
  return {Array<T>(x), Array<T>(y)};
}

template <class T>
std::pair<Array<T>, Array<T>> wild_operands() {
  auto [x, y] = operands_of<T, T>();
  return {std::move(x), std::move(y)};
}

template <class T>
struct Results {
  explicit Results(std::size_t n) {
    for (Array<T>& array : lanes) array = Array<T>(std::vector<T>(n));
  }
  Array<T> lanes[3];
  std::vector<void*> pointers() { return {lanes[0].data.get(), lanes[1].data.get(), lanes[2].data.get()}; }
};

template <class T>
void check_values(const Row& row, const Target& target, const ElementKernel& kernel) {
  const auto [x, y] = tame_operands<T>();
  Results<T> results(x.size);
  kernel.run({x.data.get(), y.data.get()}, results.pointers(), x.size);
  for (std::size_t i = 0; i < x.size; ++i) {
    const auto want = static_cast<T>(static_cast<double>(
        row.reference(static_cast<Computed<T>>(x.data[i]), static_cast<Computed<T>>(y.data[i]))));
    const T got = results.lanes[2].data[i];
    EXPECT_TRUE(near(got, want)) << row.name << " " << name_of(dtype_of<T>()) << " on " << target.name()
                                 << " of " << show(x.data[i]) << ", " << show(y.data[i]) << ": got "
                                 << show(got) << ", want " << show(want);
  }
}

template <class T>
void check_lanes(const Row& row, const Target& target, const ElementKernel& kernel) {
  // The sums of zeta have many terms for large negative arguments.
  const bool is_slow = row.op == Op::zeta || row.op == Op::polygamma;
  const auto [x, y] = is_slow ? tame_operands<T>() : wild_operands<T>();
  Results<T> results(x.size);
  kernel.run({x.data.get(), y.data.get()}, results.pointers(), x.size);
  for (std::size_t i = 0; i < x.size; ++i)
    for (int k : {1, 2})
      ASSERT_TRUE(same(results.lanes[0].data[i], results.lanes[k].data[i]))
          << row.name << " " << name_of(dtype_of<T>()) << " on " << target.name() << " of " << show(x.data[i])
          << ", " << show(y.data[i]) << ": " << show(results.lanes[0].data[i]) << " as a scalar, "
          << show(results.lanes[k].data[i]) << " with " << kLaneCounts[k] << " lanes";
}

template <class T>
class Approximated : public testing::Test {};
using Floats = testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(Approximated, Floats);

TYPED_TEST(Approximated, rows_are_their_functions) {
  for (const Row& row : kRows)
    for (const Target& target : available_targets()) {
      const std::vector<DType> types(static_cast<std::size_t>(row.arity), dtype_of<TypeParam>());
      const ElementKernel kernel(target, {row.op}, types, dtype_of<TypeParam>());
      check_values<TypeParam>(row, target, kernel);
      check_lanes<TypeParam>(row, target, kernel);
    }
}

}  // namespace
}  // namespace weft::codegen
