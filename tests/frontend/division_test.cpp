// Floor division and its remainder as Python and NumPy have them: the divisor's sign, also of a zero.
#include "compiler/interpreter/interpreter.h"
#include "compiler/text/text.h"
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::Values;
using testing::values;

struct Division {
  double quotient, rest;
};

// By the definition: the remainder is x - y * floor(x / y), computed exactly from fmod.
Division python_division(double x, double y) {
  double rest = std::fmod(x, y);
  if (y == 0) return {x / y, rest};
  double quotient = (x - rest) / y;
  if (rest != 0 && (y < 0) != (rest < 0)) rest += y, quotient -= 1;
  if (rest == 0) rest = std::copysign(0.0, y);
  return {std::round(quotient) == 0 ? std::copysign(0.0, x / y) : std::round(quotient), rest};
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// Every pair of these: exact in every float type, and so are their remainders.
const Values kNumbers = {0.0, -0.0, 1, -1, 3, -3, 5, -5, 6, -6, 0.5, -0.5, 7.25, -7.25, 96, INFINITY, -INFINITY, NAN};

Array pairs(DType dtype, bool second) {
  Values all;
  for (double x : kNumbers)
    for (double y : kNumbers) all.push_back(second ? y : x);
  return copy_of(std::span<const double>(all), {all.size()}).astype(dtype);
}

Values numbers(const ir::Literal& literal) {
  Values all;
  for (std::int64_t i = 0; i < literal.type.size(); ++i) all.push_back(literal.at<double>(i));
  return all;
}

void expect_divided(DType dtype, const Values& quotient, const Values& rest) {
  const Values x = values(pairs(dtype, false)), y = values(pairs(dtype, true));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Division want = python_division(x[i], y[i]);
    const Values rounded = values(array({want.quotient, want.rest}).astype(dtype));
    EXPECT_TRUE(same(quotient[i], rounded[0])) << x[i] << " // " << y[i] << " is " << quotient[i] << ", not " << rounded[0];
    EXPECT_TRUE(same(rest[i], rounded[1])) << x[i] << " % " << y[i] << " is " << rest[i] << ", not " << rounded[1];
  }
}

TEST(Division, a_zero_remainder_has_the_sign_of_the_divisor) {
  EXPECT_FALSE(std::signbit(remainder(array(-6.0), 3.0).item<double>()));
  EXPECT_TRUE(std::signbit(remainder(array(5.0), -5.0).item<double>()));
  EXPECT_FALSE(std::signbit((array(-6.0f) % 3.0f).item<float>()));
  EXPECT_TRUE(std::signbit(fmod(array(-6.0), 3.0).item<double>()));
  EXPECT_TRUE(std::signbit(lax::rem(array(-6.0), 3.0).item<double>()));
  EXPECT_FALSE(std::signbit(lax::rem(array(5.0), -5.0).item<double>()));
}

TEST(Division, floats_of_arguments_and_of_constants_on_both_engines) {
  for (DType dtype : {f16, bf16, f32, f64}) {
    SCOPED_TRACE(name_of(dtype));
    const Array x = pairs(dtype, false), y = pairs(dtype, true);
    expect_divided(dtype, values(floor_divide(x, y)), values(remainder(x, y)));
    expect_divided(dtype, values(divmod(x, y).first), values(divmod(x, y).second));
    const auto folded = jit([=](Array zero) { return std::pair{floor_divide(x, y) + zero, remainder(x, y)}; });
    expect_divided(dtype, values(folded(array(-0.0).astype(dtype)).first), values(folded(array(-0.0).astype(dtype)).second));
    const auto traced = jit([=] { return std::pair{floor_divide(x, y).astype(f64), remainder(x, y).astype(f64)}; });
    const std::vector<ir::Literal> interpreted = interpreter::interpret(text::parse(traced.lower().text()), {});
    expect_divided(dtype, numbers(interpreted[0]), numbers(interpreted[1]));
  }
}

TEST(Division, integers_round_down_and_keep_the_divisors_sign) {
  for (DType dtype : {i8, i16, i32, i64}) {
    const Array x = array({6, -6, 6, -6, 7, -7, 7, -7, 0, -128}).astype(dtype);
    const Array y = array({3, 3, -3, -3, 2, 2, -2, -2, -5, -128}).astype(dtype);
    EXPECT_EQ(values(floor_divide(x, y)), (Values{2, -2, -2, 2, 3, -4, -4, 3, 0, 1}));
    EXPECT_EQ(values(x % y), (Values{0, 0, 0, 0, 1, 1, -1, -1, 0, 0}));
  }
  for (DType dtype : {u8, u16, u32, u64}) {
    const Array x = array({6, 7, 200}).astype(dtype), y = array({3, 2, 7}).astype(dtype);
    EXPECT_EQ(values(floor_divide(x, y)), (Values{2, 3, 28}));
    EXPECT_EQ(values(remainder(x, y)), (Values{0, 1, 4}));
  }
}

}  // namespace
}  // namespace weft
