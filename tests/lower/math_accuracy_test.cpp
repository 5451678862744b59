// Every transcendental function against MPFR: all exponents, huge arguments, subnormals, one special lane
// in 16.
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/lower/run_plan.h"

namespace weft {
namespace {

using ir::Literal;
using ir::Op;

using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

int logistic(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_neg(y, x, rounding);
  mpfr_exp(y, y, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  return mpfr_ui_div(y, 1, y, rounding);
}

// MPFR's own gives +inf at -0; IEEE 754 and 1/sqrt give -inf.
int reciprocal_root(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_sqrt(y, x, rounding);
  return mpfr_ui_div(y, 1, y, rounding);
}

struct Row {
  const char* name;
  Op op;
  Exact exact;
  double ulps;
};
const Row kRows[] = {
    {"exponential", Op::exponential, mpfr_exp, 2},
    {"exponential_minus_one", Op::exponential_minus_one, mpfr_expm1, 2},
    {"exp2", Op::exp2, mpfr_exp2, 2},
    {"log", Op::log, mpfr_log, 2},
    {"log_plus_one", Op::log_plus_one, mpfr_log1p, 2},
    {"log2", Op::log2, mpfr_log2, 2},
    {"log10", Op::log10, mpfr_log10, 2},
    {"sine", Op::sine, mpfr_sin, 2},
    {"cosine", Op::cosine, mpfr_cos, 2},
    {"tan", Op::tan, mpfr_tan, 2},
    {"asin", Op::asin, mpfr_asin, 2},
    {"acos", Op::acos, mpfr_acos, 2},
    {"atan", Op::atan, mpfr_atan, 2},
    {"sinh", Op::sinh, mpfr_sinh, 2},
    {"cosh", Op::cosh, mpfr_cosh, 2},
    {"tanh", Op::tanh, mpfr_tanh, 2},
    {"asinh", Op::asinh, mpfr_asinh, 2},
    {"acosh", Op::acosh, mpfr_acosh, 2},
    {"atanh", Op::atanh, mpfr_atanh, 2},
    {"logistic", Op::logistic, logistic, 2},
    {"rsqrt", Op::rsqrt, reciprocal_root, 2},
    {"cbrt", Op::cbrt, mpfr_cbrt, 2},
    {"erf", Op::erf, mpfr_erf, 4},
    {"erfc", Op::erfc, mpfr_erfc, 4},
};

template <class T>
std::vector<T> points() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> list = {0,
                         T(-0.0),
                         1,
                         -1,
                         T(0.5),
                         T(-0.5),
                         2,
                         -2,
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN(),
                         Limits::max(),
                         Limits::lowest(),
                         Limits::min(),
                         -Limits::min(),
                         Limits::denorm_min(),
                         -Limits::denorm_min(),
                         Limits::epsilon(),
                         T(0x1.921fb54442d18p+1),
                         T(88.72284),
                         T(-103.97),
                         T(709.4361393),
                         T(-0.4141892),
                         T(-745.13),
                         T(128),
                         T(-149.5),
                         T(1e22),
                         T(-3e38)};
  std::mt19937_64 engine(3);
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (int i = 0; i < 12000; ++i) list.push_back(std::bit_cast<T>(static_cast<Bits>(engine())));
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double range : {1e-3, 1.0, 2.0, 10.0, 100.0, 1e3, 1e5, 1e8})
    for (int i = 0; i < 1500; ++i) list.push_back(static_cast<T>(unit(engine) * range));
  for (int i = 0; i < 1500; ++i) list.push_back(static_cast<T>(1 + unit(engine) * 1e-3));
  for (int i = 1; i < 1500; ++i) list.push_back(static_cast<T>(i * 1.5707963267948966));
  return list;
}

template <class T>
double ulps_off(T got, mpfr_srcptr exact) {
  using Limits = std::numeric_limits<T>;
  if (mpfr_nan_p(exact)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (mpfr_inf_p(exact)) return std::isinf(got) && std::signbit(got) == (mpfr_sgn(exact) < 0) ? 0 : HUGE_VAL;
  const double nearest = mpfr_get_d(exact, MPFR_RNDN);
  const bool overflows = std::fabs(nearest) > static_cast<double>(Limits::max()) || std::isinf(nearest);
  if (std::isinf(got))
    return overflows || std::fabs(nearest) > static_cast<double>(Limits::max()) *
                                                 (1 - 2 * static_cast<double>(Limits::epsilon()))
               ? 0
               : HUGE_VAL;
  if (std::isnan(got)) return HUGE_VAL;
  if (overflows) return HUGE_VAL;
  if (mpfr_zero_p(exact) && got == 0 && std::signbit(got) != (mpfr_signbit(exact) != 0)) return HUGE_VAL;
  int exponent = mpfr_zero_p(exact) ? Limits::min_exponent : static_cast<int>(mpfr_get_exp(exact));
  exponent = std::max(exponent, Limits::min_exponent);
  mpfr_t difference;
  mpfr_init2(difference, 200);
  mpfr_set_d(difference, static_cast<double>(got), MPFR_RNDN);
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, Limits::digits - exponent, MPFR_RNDN);
  const double result = std::fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return result;
}

ir::Graph unary(Op op, const ir::Type& type) {
  ir::Graph graph;
  const ir::RegionId region = graph.add_function("main", true).body;
  const ir::ValueId x = graph.add_argument(region, type);
  ir::Builder builder(graph, region);
  graph.region(region).results = {builder.op(op, {x})};
  return graph;
}

template <class T>
Literal literal_of(const std::vector<T>& values) {
  return {{Shape{values.size()}, dtype_of<T>()},
          runtime::Buffer::copy_of(values.data(), values.size() * sizeof(T)),
          false};
}

template <class T>
bool same_numbers(const Literal& a, const Literal& b) {
  for (std::int64_t i = 0; i < a.type.size(); ++i) {
    const T x = a.at<T>(i), y = b.at<T>(i);
    if (std::isnan(x) ? !std::isnan(y) : std::memcmp(&x, &y, sizeof(T)) != 0) return false;
  }
  return true;
}

// The same bits on every target that this CPU has; of sse2, but for the sign of a NaN.
template <class T>
Literal run_everywhere(const lower::Plan& plan, const std::vector<Literal>& arguments, const std::string& name) {
  const std::vector<std::string> targets = test::targets();
  const Literal got = test::run_plan(plan, arguments, targets[0])[0];
  for (const std::string& target : targets) {
    const Literal other = test::run_plan(plan, arguments, target)[0];
    EXPECT_TRUE(target == "sse2" ? same_numbers<T>(got, other) : got == other)
        << name << ": " << targets[0] << " and " << target << " differ";
  }
  return got;
}

template <class T>
void check(const Row& row) {
  const std::vector<T> list = points<T>();
  const Literal x = literal_of(list);
  const lower::Plan plan = lower::lower(unary(row.op, x.type));
  const Literal got = run_everywhere<T>(plan, {x}, row.name);
  mpfr_t input, exact;
  mpfr_inits2(200, input, exact, static_cast<mpfr_ptr>(nullptr));
  double worst = 0;
  T where = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    mpfr_set_d(input, static_cast<double>(list[i]), MPFR_RNDN);
    row.exact(exact, input, MPFR_RNDN);
    const double off = ulps_off(got.at<T>(static_cast<std::int64_t>(i)), exact);
    if (off > worst) worst = off, where = list[i];
  }
  mpfr_clears(input, exact, static_cast<mpfr_ptr>(nullptr));
  const lower::Plan one = lower::lower(unary(row.op, {Shape{1}, dtype_of<T>()}));
  const Literal alone = test::run_plan(one, {literal_of(std::vector<T>{where})}, "")[0];
  EXPECT_LE(worst, row.ulps) << row.name << " " << name_of(dtype_of<T>()) << " at " << where << " gives "
                             << alone.at<T>(0);
  std::printf("%-24s %s  %.3f ulp at %.9g\n", row.name, std::string(name_of(dtype_of<T>())).c_str(), worst,
              static_cast<double>(where));
  // The same bits alone, in the tail and in the body.
  for (std::size_t i = 0; i < list.size(); i += 601) {
    const Literal single = test::run_plan(one, {literal_of(std::vector<T>{list[i]})}, "")[0];
    EXPECT_EQ(std::memcmp(single.buffer.data(), got.buffer.data() + i * sizeof(T), sizeof(T)), 0)
        << row.name << " at " << list[i];
  }
}

using ExactBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

// Functions of two operands: all exponents, everyday values, whole exponents, and every pair of special
// values.
template <class T>
void check_binary(Op op, ExactBinary function, double most) {
  std::vector<T> first = points<T>(), second = first;
  std::mt19937 engine(9);
  std::shuffle(second.begin(), second.end(), engine);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 4000; ++i) {
    first.push_back(static_cast<T>(unit(engine) * 8));
    second.push_back(static_cast<T>((unit(engine) - 0.5) * 40));
    first.push_back(static_cast<T>(-unit(engine) * 3));
    second.push_back(static_cast<T>(static_cast<int>(unit(engine) * 20) - 10));
    first.push_back(static_cast<T>(1 + (unit(engine) - 0.5) * 1e-3));
    second.push_back(static_cast<T>(1 + (unit(engine) - 0.5) * 1e-3));
  }
  using Limits = std::numeric_limits<T>;
  const T special[] = {T(0),
                       T(-0.0),
                       T(1),
                       T(-1),
                       T(2),
                       T(-2),
                       T(3),
                       T(-3),
                       T(0.5),
                       T(-0.5),
                       T(INFINITY),
                       T(-INFINITY),
                       T(NAN),
                       Limits::max(),
                       Limits::lowest(),
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min()};
  for (T x : special)
    for (T y : special) {
      first.push_back(x);
      second.push_back(y);
    }
  ir::Graph graph;
  const ir::RegionId region = graph.add_function("main", true).body;
  const ir::Type type{Shape{first.size()}, dtype_of<T>()};
  const ir::ValueId x = graph.add_argument(region, type), y = graph.add_argument(region, type);
  ir::Builder builder(graph, region);
  graph.region(region).results = {builder.op(op, {x, y})};
  const lower::Plan plan = lower::lower(graph);
  const std::string name(ir::info_of(op).name);
  const Literal got = run_everywhere<T>(plan, {literal_of(first), literal_of(second)}, name);
  mpfr_t a, b, exact;
  mpfr_inits2(300, a, b, exact, static_cast<mpfr_ptr>(nullptr));
  double worst = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    mpfr_set_d(a, static_cast<double>(first[i]), MPFR_RNDN);
    mpfr_set_d(b, static_cast<double>(second[i]), MPFR_RNDN);
    function(exact, a, b, MPFR_RNDN);
    const double off = ulps_off(got.at<T>(static_cast<std::int64_t>(i)), exact);
    EXPECT_LE(off, most) << name << " of " << first[i] << " and " << second[i] << " gives "
                         << got.at<T>(static_cast<std::int64_t>(i));
    worst = std::max(worst, off);
  }
  std::printf("%-24s %s  %.3f ulp\n", name.c_str(), std::string(name_of(dtype_of<T>())).c_str(), worst);
  mpfr_clears(a, b, exact, static_cast<mpfr_ptr>(nullptr));
}
TEST(Power, f32_is_within_4_ulp) { check_binary<float>(Op::power, mpfr_pow, 4); }
TEST(Power, f64_is_within_4_ulp) { check_binary<double>(Op::power, mpfr_pow, 4); }
TEST(Atan2, f32_is_within_2_ulp) { check_binary<float>(Op::atan2, mpfr_atan2, 2); }
TEST(Atan2, f64_is_within_2_ulp) { check_binary<double>(Op::atan2, mpfr_atan2, 2); }

class Accuracy : public ::testing::TestWithParam<Row> {};
TEST_P(Accuracy, f32_is_within_its_bound) { check<float>(GetParam()); }
TEST_P(Accuracy, f64_is_within_its_bound) { check<double>(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Functions, Accuracy, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

// MPFR keeps constants such as pi for later.
class FreesConstants : public testing::Environment {
 public:
  void TearDown() override { mpfr_free_cache(); }
};
const auto* const kFreesConstants = testing::AddGlobalTestEnvironment(new FreesConstants);

}  // namespace
}  // namespace weft
