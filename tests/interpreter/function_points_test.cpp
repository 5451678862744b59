// Reference values of functions against points computed with 50 digits by another program (mpmath).
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>

#include "compiler/interpreter/element_values.h"

namespace weft::interpreter {
namespace {

struct UnaryPoint {
  const char* name;
  double (*function)(double);
  double x, expected;
};
struct BinaryPoint {
  const char* name;
  double (*function)(double, double);
  double x, y, expected;
};
#define WEFT_VALUE(name) #name, values::name < double>

// clang-format off
const UnaryPoint kUnary[] = {
    {WEFT_VALUE(cbrt), 2.0, 1.2599210498948732},
    {WEFT_VALUE(cbrt), -0.001, -0.1},
    {WEFT_VALUE(cbrt), 1e+300, 1e+100},
    {WEFT_VALUE(cosine), 0.5, 0.8775825618903728},
    {WEFT_VALUE(cosine), 1e+22, 0.523214785395139},
    {WEFT_VALUE(cosine), -3.0, -0.9899924966004454},
    {WEFT_VALUE(exponential), 1.0, 2.718281828459045},
    {WEFT_VALUE(exponential), -745.0, 5e-324},
    {WEFT_VALUE(exponential), 709.4361393, 1.2711610022079779e+308},
    {WEFT_VALUE(exponential), 1e-20, 1.0},
    {WEFT_VALUE(exponential_minus_one), 1e-10, 1.00000000005e-10},
    {WEFT_VALUE(exponential_minus_one), -40.0, -1.0},
    {WEFT_VALUE(exponential_minus_one), 3.0, 19.085536923187668},
    {WEFT_VALUE(exp2), 0.3, 1.2311444133449163},
    {WEFT_VALUE(exp2), -1070.5, 5.4e-323},
    {WEFT_VALUE(exp2), 10.25, 1217.7480857627863},
    {WEFT_VALUE(log), 1.0000001, 9.999999505838704e-08},
    {WEFT_VALUE(log), 5e-324, -744.4400719213812},
    {WEFT_VALUE(log), 1e+300, 690.7755278982137},
    {WEFT_VALUE(log_plus_one), -0.4141892, -0.5347584084320597},
    {WEFT_VALUE(log_plus_one), 1e-18, 1e-18},
    {WEFT_VALUE(log_plus_one), 10000000000.0, 23.025850930040455},
    {WEFT_VALUE(log2), 3.0, 1.584962500721156},
    {WEFT_VALUE(log2), 0.1, -3.321928094887362},
    {WEFT_VALUE(log10), 3.0, 0.47712125471966244},
    {WEFT_VALUE(log10), 1e-320, -320.000004834948},
    {WEFT_VALUE(logistic), 0.25, 0.5621765008857981},
    {WEFT_VALUE(logistic), -700.0, 9.85967654375977e-305},
    {WEFT_VALUE(logistic), 40.0, 1.0},
    {WEFT_VALUE(logistic), -745.0, 5e-324},
    {WEFT_VALUE(rsqrt), 2.0, 0.7071067811865476},
    {WEFT_VALUE(rsqrt), 1e-310, 1.0000000000000016e+155},
    {WEFT_VALUE(sine), 0.5, 0.479425538604203},
    {WEFT_VALUE(sine), 1e+22, -0.8522008497671888},
    {WEFT_VALUE(sine), 3.141592653589793, 1.2246467991473532e-16},
    {WEFT_VALUE(tan), 0.5, 0.5463024898437905},
    {WEFT_VALUE(tan), 1.5707963267948966, 1.633123935319537e+16},
    {WEFT_VALUE(tanh), 0.5, 0.46211715726000974},
    {WEFT_VALUE(tanh), 1e-09, 1e-09},
    {WEFT_VALUE(tanh), 20.0, 1.0},
    {WEFT_VALUE(acos), 0.5, 1.0471975511965979},
    {WEFT_VALUE(acos), -0.999, 3.09686756642106},
    {WEFT_VALUE(acosh), 1.0000001, 0.0004472135919037347},
    {WEFT_VALUE(acosh), 1e+200, 461.2101657793691},
    {WEFT_VALUE(asin), 0.5, 0.5235987755982989},
    {WEFT_VALUE(asin), -0.999, -1.526071239626163},
    {WEFT_VALUE(asinh), 1e+22, 51.35001922642895},
    {WEFT_VALUE(asinh), 1e-09, 1e-09},
    {WEFT_VALUE(atan), 0.5, 0.4636476090008061},
    {WEFT_VALUE(atan), -10000000000.0, -1.5707963266948965},
    {WEFT_VALUE(atanh), 0.5, 0.5493061443340549},
    {WEFT_VALUE(atanh), -0.9999999, -8.40562139102231},
    {WEFT_VALUE(cosh), 0.5, 1.1276259652063807},
    {WEFT_VALUE(cosh), -700.0, 5.0711602736750225e+303},
    {WEFT_VALUE(sinh), 1e-05, 1.0000000000166668e-05},
    {WEFT_VALUE(sinh), 700.0, 5.0711602736750225e+303},
    {WEFT_VALUE(erf), 0.5, 0.5204998778130465},
    {WEFT_VALUE(erf), 1e-300, 1.1283791670955126e-300},
    {WEFT_VALUE(erf), -3.0, -0.9999779095030014},
    {WEFT_VALUE(erfc), 0.5, 0.4795001221869535},
    {WEFT_VALUE(erfc), 26.0, 5.663192408856143e-296},
    {WEFT_VALUE(erfc), -1.0, 1.8427007929497148},
    {WEFT_VALUE(erf_inv), 0.5, 0.4769362762044699},
    {WEFT_VALUE(erf_inv), -0.999, -2.3267537655135246},
    {WEFT_VALUE(erf_inv), 1e-10, 8.862269254527581e-11},
    {WEFT_VALUE(erf_inv), 0.9999999999, 4.572824958544925},
    {WEFT_VALUE(erf_inv), 0.9999999999999999, 5.8635847487551676},
    {WEFT_VALUE(erf_inv), -1e-300, -8.86226925452758e-301},
    {WEFT_VALUE(lgamma), 0.5, 0.5723649429247001},
    {WEFT_VALUE(lgamma), -0.5, 1.2655121234846454},
    {WEFT_VALUE(lgamma), -2.4570247382208006, 5.619192358950097e-17},
    {WEFT_VALUE(lgamma), 100.25, 360.28455963776423},
    {WEFT_VALUE(lgamma), 1e-300, 690.7755278982137},
    {WEFT_VALUE(lgamma), 1e+100, 2.2925850929940456e+102},
    {WEFT_VALUE(digamma), 0.5, -1.9635100260214235},
    {WEFT_VALUE(digamma), 1.4616321449683622, -9.241265521729427e-17},
    {WEFT_VALUE(digamma), 1.4616321449683625, 1.2245374622004068e-16},
    {WEFT_VALUE(digamma), 1.35, -0.1139280126830882},
    {WEFT_VALUE(digamma), 1.55, 0.08222256753964438},
    {WEFT_VALUE(digamma), -0.25, 2.9141391202135276},
    {WEFT_VALUE(digamma), -1000.75, 3.7674118863554633},
    {WEFT_VALUE(digamma), 10.0, 2.251752589066721},
    {WEFT_VALUE(digamma), 10000000000.0, 23.025850929890456},
    {WEFT_VALUE(digamma), 1e-300, -9.999999999999999e+299},
    {WEFT_VALUE(digamma), -1e-05, 99999.42276788563},
    {WEFT_VALUE(bessel_i1e), 0.5, 0.1564208031848717},
    {WEFT_VALUE(bessel_i1e), -3.0, -0.19682671329730086},
    {WEFT_VALUE(bessel_i1e), 39.9, 0.06255897063316232},
    {WEFT_VALUE(bessel_i1e), 40.1, 0.06240576907336814},
    {WEFT_VALUE(bessel_i1e), 10000.0, 0.003989273195983662},
    {WEFT_VALUE(bessel_i1e), 1e-300, 5e-301},
};
const BinaryPoint kBinary[] = {
    {WEFT_VALUE(atan2), 1.0, -3.0, 2.819842099193151},
    {WEFT_VALUE(atan2), -1e-300, 10000000000.0, -1e-310},
    {WEFT_VALUE(power), 1.0000001, 10000000.0, 2.7182816941320818},
    {WEFT_VALUE(power), 3.5, -2.25, 0.059682485364002016},
    {WEFT_VALUE(power), -2.0, 3.0, -8.0},
    {WEFT_VALUE(remainder), 5.5, -3.0, 2.5},
    {WEFT_VALUE(remainder), -1e+17, 3.0, -1.0},
    {WEFT_VALUE(zeta), 2.0, 1.0, 1.6449340668482264},
    {WEFT_VALUE(zeta), 1.0001, 3.0, 9999.077257603696},
    {WEFT_VALUE(zeta), 1.5, 10000000000.0, 2.00000000005e-05},
    {WEFT_VALUE(zeta), 100.0, 0.01, 9.99999999999998e+199},
    {WEFT_VALUE(zeta), 3.0, -0.25, -61.34868339183118},
    {WEFT_VALUE(zeta), 4.0, -1000.75, 259.7575760903411},
    {WEFT_VALUE(zeta), 3.0, -60.125, -511.1470594115246},
    {WEFT_VALUE(zeta), 5000.0, 2500.0, 0.0},
    {WEFT_VALUE(zeta), 30.0, 20.5, 5.8800587242640035e-40},
    {WEFT_VALUE(polygamma), 0.0, 2.5, 0.7031566406452432},
    {WEFT_VALUE(polygamma), 1.0, 0.25, 17.19732915450711},
    {WEFT_VALUE(polygamma), 2.0, -0.75, -124.58699919679619},
    {WEFT_VALUE(polygamma), 5.0, 30.0, 1.0726994936161623e-06},
    {WEFT_VALUE(polygamma), 150.0, 100.0, -7.358175392528281e-40},
    {WEFT_VALUE(polygamma), 3.0, -80.25, 1558.5454527459153},
    {WEFT_VALUE(polygamma), 2000.0, 1000.0, -3.8355185180233863e-268},
};
// clang-format on
#undef WEFT_VALUE

// How many doubles apart; all points are finite.
std::int64_t ulps(double a, double b) {
  const auto ordered = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  return std::abs(ordered(a) - ordered(b));
}

TEST(FunctionPoints, OfOneArgumentAreCorrectlyRoundedUpToOneUlp) {
  for (const UnaryPoint& point : kUnary) {
    const double got = point.function(point.x);
    EXPECT_LE(ulps(got, point.expected), 1)
        << std::hexfloat << point.name << "(" << point.x << ") = " << got << ", want " << point.expected;
  }
}

TEST(FunctionPoints, OfTwoArgumentsAreCorrectlyRoundedUpToOneUlp) {
  for (const BinaryPoint& point : kBinary) {
    const double got = point.function(point.x, point.y);
    EXPECT_LE(ulps(got, point.expected), 1) << std::hexfloat << point.name << "(" << point.x << ", "
                                            << point.y << ") = " << got << ", want " << point.expected;
  }
}

// The function of a narrow type is the wide one's value, rounded.
template <class T>
void expect_rounded_once(const char* name, T (*narrow)(T), double (*wide)(double)) {
  for (const float value : {-20.0f, -0.7f, -1e-3f, 1e-5f, 0.3f, 1.46f, 7.0f, 90.0f}) {
    const T x(value);
    const T got = narrow(x), want(wide(static_cast<double>(x)));
    EXPECT_TRUE(got == want || std::isnan(static_cast<double>(want))) << name << "(" << value << ")";
  }
}
template <class T>
void expect_rounded_once() {
#define WEFT_EACH(name) expect_rounded_once<T>(#name, values::name<T>, values::name<double>);
  WEFT_EACH(exponential)
  WEFT_EACH(sine)
  WEFT_EACH(tanh) WEFT_EACH(logistic) WEFT_EACH(log_plus_one) WEFT_EACH(lgamma) WEFT_EACH(digamma)
      WEFT_EACH(erf_inv) WEFT_EACH(bessel_i1e) WEFT_EACH(erfc)
#undef WEFT_EACH
}

TEST(FunctionPoints, NarrowTypesAreRoundedOnceFromAWiderOne) {
  expect_rounded_once<float>();
  expect_rounded_once<float16>();
  expect_rounded_once<bfloat16>();
}

TEST(FunctionPoints, PolesAndDomains) {
  const double inf = HUGE_VAL, nan = std::nan("");
  using namespace values;
  EXPECT_TRUE(std::isnan(digamma<double>(0.0)) && std::isnan(digamma<double>(-3.0)) &&
              std::isnan(digamma(-inf)));
  EXPECT_EQ(digamma(inf), inf);
  EXPECT_EQ(lgamma<double>(0.0), inf);
  EXPECT_EQ(lgamma<double>(-2.0), inf);
  EXPECT_EQ(lgamma(-inf), inf);
  EXPECT_EQ(erf_inv<double>(1.0), inf);
  EXPECT_EQ(erf_inv<float>(-1.0f), -inf);
  EXPECT_TRUE(std::isnan(erf_inv<float>(1.5f)) && std::isnan(erf_inv(nan)));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(erf_inv<float>(std::bit_cast<float>(0x3F7FFFFFu))), 0x407547CBu);
  EXPECT_TRUE(std::signbit(erf_inv(-0.0)));
  EXPECT_TRUE(std::isnan(zeta<double>(0.5, 1.0)) && std::isnan(zeta<double>(2.5, -0.5)));
  EXPECT_EQ(zeta<double>(1.0, 2.0), inf);
  EXPECT_EQ(zeta<double>(2.0, -3.0), inf);
  EXPECT_TRUE(std::isnan(zeta<double>(3.0, -3.0)));
  EXPECT_EQ(zeta<double>(2.0, inf), 0);
  EXPECT_TRUE(std::isnan(polygamma<double>(1.5, 1.0)) && std::isnan(polygamma<double>(-1.0, 1.0)));
  EXPECT_EQ(polygamma<double>(1.0, 0.0), inf);
  EXPECT_EQ(bessel_i1e(inf), 0);
  EXPECT_EQ(bessel_i1e(-0.0), 0);
  EXPECT_EQ(rsqrt(-0.0), -inf);
  EXPECT_EQ(rsqrt(inf), 0);
  EXPECT_EQ(logistic(-inf), 0);
  EXPECT_FLOAT_EQ(values::atan2(-0.0f, -0.0f), -3.1415927f);
  EXPECT_FLOAT_EQ(values::atan2(0.0f, -0.0f), 3.1415927f);
  EXPECT_EQ(values::atan2(0.0f, 0.0f), 0.0f);
}

}  // namespace
}  // namespace weft::interpreter
