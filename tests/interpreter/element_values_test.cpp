// Reference values of integers, bits, and of the order and special values of floats.
#include <gtest/gtest.h>

#include <bit>

#include "compiler/interpreter/element_values.h"

namespace weft::interpreter {
namespace {

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using namespace values;

template <class T>
class IntegerValues : public ::testing::Test {};
using Integers = ::testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(IntegerValues, Integers);

TYPED_TEST(IntegerValues, ArithmeticWraps) {
  using T = TypeParam;
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max(), one{1};
  EXPECT_EQ(add(most, one), least);
  EXPECT_EQ(subtract(least, one), most);
  EXPECT_EQ(multiply(most, T{2}), static_cast<T>(-2));
  EXPECT_EQ(multiply(most, most), T{1});
  EXPECT_EQ(values::negate(least), least);
  EXPECT_EQ(values::abs(least), least);
  EXPECT_EQ(square(most), T{1});
}

TYPED_TEST(IntegerValues, DivisionNeverTraps) {
  using T = TypeParam;
  const T least = std::numeric_limits<T>::min(), all_ones = static_cast<T>(-1);
  EXPECT_EQ(divide(T{7}, T{0}), all_ones);
  EXPECT_EQ(values::remainder(T{7}, T{0}), T{7});
  EXPECT_EQ(divide(T{7}, T{2}), T{3});
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(divide(least, T{-1}), least);
    EXPECT_EQ(values::remainder(least, T{-1}), T{0});
    EXPECT_EQ(divide(T{-7}, T{2}), T{-3});
    EXPECT_EQ(values::remainder(T{-7}, T{2}), T{-1});
    EXPECT_EQ(values::remainder(T{7}, T{-2}), T{1});
  }
}

TYPED_TEST(IntegerValues, ShiftsOutOfRangeAreDefined) {
  using T = TypeParam;
  const T width = static_cast<T>(8 * sizeof(T)), top = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  const T all_ones = static_cast<T>(-1), negative = static_cast<T>(-1);
  EXPECT_EQ(shift_left(T{1}, width), T{0});
  EXPECT_EQ(shift_left(T{1}, negative), T{0});
  EXPECT_EQ(shift_left(T{3}, static_cast<T>(width - 1)), top);
  EXPECT_EQ(shift_right_logical(top, static_cast<T>(width - 1)), T{1});
  EXPECT_EQ(shift_right_logical(all_ones, width), T{0});
  EXPECT_EQ(shift_right_arithmetic(top, width), all_ones);
  EXPECT_EQ(shift_right_arithmetic(top, static_cast<T>(width - 1)), all_ones);
  EXPECT_EQ(shift_right_arithmetic(T{64}, static_cast<T>(width + 1)), T{0});
  EXPECT_EQ(shift_right_arithmetic(top, negative), all_ones);
}

TYPED_TEST(IntegerValues, BitsAreCounted) {
  using T = TypeParam;
  const T width = static_cast<T>(8 * sizeof(T)), all_ones = static_cast<T>(-1);
  EXPECT_EQ(popcnt(all_ones), width);
  EXPECT_EQ(popcnt(T{0}), T{0});
  EXPECT_EQ(count_leading_zeros(T{0}), width);
  EXPECT_EQ(count_leading_zeros(T{1}), static_cast<T>(width - 1));
  EXPECT_EQ(bit_not(T{0}), all_ones);
  EXPECT_EQ(bit_xor(T{5}, T{3}), T{6});
}

TYPED_TEST(IntegerValues, HighHalfOfProducts) {
  using T = TypeParam;
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  EXPECT_EQ(mulhi(most, T{2}), std::is_signed_v<T> ? T{0} : T{1});
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(mulhi(least, T{2}), T{-1});
    EXPECT_EQ(mulhi(least, least), static_cast<T>(T{1} << (8 * sizeof(T) - 2)));
  } else {
    EXPECT_EQ(mulhi(most, most), static_cast<T>(most - 1));
  }
}

TEST(ElementValues, IntegerPowers) {
  EXPECT_EQ(power<int32_t>(0, 64), 0);
  EXPECT_EQ(power<int32_t>(3, 41), 2069870691);
  EXPECT_EQ(power<int32_t>(2, -1), 0);
  EXPECT_EQ(power<int32_t>(-1, -3), -1);
  EXPECT_EQ(power<int32_t>(-1, -4), 1);
  EXPECT_EQ(power<int32_t>(1, -4), 1);
  EXPECT_EQ(power<int32_t>(0, 0), 1);
  EXPECT_EQ(power<int32_t>(0, -1), 0);
  EXPECT_EQ(power<int8_t>(-128, 3), 0);
  EXPECT_EQ(power<uint8_t>(3, 255), static_cast<uint8_t>(171));
  EXPECT_EQ(power<uint64_t>(10, 19), 10000000000000000000ull);
}

TEST(ElementValues, BooleansAreLogical) {
  EXPECT_TRUE(add(true, true));
  EXPECT_TRUE(add(true, false));
  EXPECT_FALSE(multiply(true, false));
  EXPECT_TRUE(maximum(true, false));
  EXPECT_FALSE(minimum(true, false));
  EXPECT_FALSE(bit_not(true));
  EXPECT_FALSE(bit_xor(true, true));
}

template <class T>
class FloatValues : public ::testing::Test {};
using Floats = ::testing::Types<float16, bfloat16, float, double>;
TYPED_TEST_SUITE(FloatValues, Floats);

template <class T>
bool is_nan(T x) {
  return std::isnan(static_cast<double>(x));
}
template <class T>
bool is_zero(T x, bool negative) {
  return static_cast<double>(x) == 0 && std::signbit(static_cast<double>(x)) == negative;
}

TYPED_TEST(FloatValues, MaximumAndMinimumPropagateNanAndOrderZeros) {
  using T = TypeParam;
  const T nan(std::nanf("")), one(1.0f), zero(0.0f), minus_zero(-0.0f);
  EXPECT_TRUE(is_nan(maximum(nan, one)) && is_nan(maximum(one, nan)));
  EXPECT_TRUE(is_nan(minimum(nan, one)) && is_nan(minimum(one, nan)));
  EXPECT_TRUE(is_zero(maximum(minus_zero, zero), false) && is_zero(maximum(zero, minus_zero), false));
  EXPECT_TRUE(is_zero(minimum(minus_zero, zero), true) && is_zero(minimum(zero, minus_zero), true));
  EXPECT_EQ(maximum(one, zero), one);
  EXPECT_EQ(minimum(one, zero), zero);
}

TYPED_TEST(FloatValues, SignsAndRoundings) {
  using T = TypeParam;
  const auto of = [](float x) { return T(x); };
  EXPECT_TRUE(is_zero(sign(of(-0.0f)), true));
  EXPECT_TRUE(is_nan(sign(of(std::nanf("")))));
  EXPECT_EQ(sign(of(-3.5f)), of(-1));
  EXPECT_TRUE(is_zero(values::negate(of(0.0f)), true));
  EXPECT_TRUE(is_zero(values::abs(of(-0.0f)), false));
  EXPECT_EQ(round_nearest_afz(of(2.5f)), of(3));
  EXPECT_EQ(round_nearest_afz(of(-2.5f)), of(-3));
  EXPECT_EQ(round_nearest_even(of(2.5f)), of(2));
  EXPECT_EQ(round_nearest_even(of(-3.5f)), of(-4));
  EXPECT_TRUE(is_zero(values::ceil(of(-0.5f)), true));
  EXPECT_EQ(values::floor(of(-0.5f)), of(-1));
  EXPECT_EQ(values::remainder(of(-5.5f), of(3)), of(-2.5f));
  EXPECT_TRUE(is_nan(values::remainder(of(1), of(0))));
}

TYPED_TEST(FloatValues, Classes) {
  using T = TypeParam;
  const T inf(HUGE_VALF), minus_inf(-HUGE_VALF), nan(std::nanf("")), one(1.0f);
  EXPECT_TRUE(is_finite(one) && !is_finite(inf) && !is_finite(nan));
  EXPECT_TRUE(is_inf(minus_inf) && !is_inf(nan));
  EXPECT_TRUE(is_pos_inf(inf) && !is_pos_inf(minus_inf));
  EXPECT_TRUE(is_neg_inf(minus_inf) && !is_neg_inf(inf));
}

TYPED_TEST(FloatValues, TheNextNumber) {
  using T = TypeParam;
  const T zero(0.0f), minus_zero(-0.0f), one(1.0f), inf(HUGE_VALF), nan(std::nanf(""));
  const T smallest = next_after(zero, one);
  EXPECT_GT(static_cast<double>(smallest), 0);
  EXPECT_TRUE(is_zero(next_after(smallest, minus_zero), false));
  EXPECT_EQ(next_after(next_after(one, inf), zero), one);
  EXPECT_LT(static_cast<double>(next_after(zero, values::negate(one))), 0);
  EXPECT_TRUE(std::isfinite(static_cast<double>(next_after(inf, zero))));
  EXPECT_EQ(next_after(next_after(inf, zero), inf), inf);
  EXPECT_TRUE(is_zero(next_after(zero, minus_zero), true));
  EXPECT_TRUE(is_nan(next_after(nan, one)) && is_nan(next_after(one, nan)));
}

TYPED_TEST(FloatValues, ArithmeticIsRoundedOnce) {
  using T = TypeParam;
  const T one(1.0f), three(3.0f), third = divide(one, three);
  if constexpr (Half<T>) {
    EXPECT_EQ(third.bits, (std::is_same_v<T, float16> ? 0x3555 : 0x3EAB));
  }
  EXPECT_TRUE(is_nan(divide(T(0.0f), T(0.0f))));
  EXPECT_EQ(values::sqrt(T(9.0f)), three);
  EXPECT_EQ(multiply(third, three), one);
  EXPECT_TRUE(is_nan(values::sqrt(T(-1.0f))));
}

TEST(ElementValues, CancellationStaysExact) {
  const float a = 1e20f, b = -1e20f, x = 1e10f;
  EXPECT_EQ(add(multiply(a, x), multiply(b, x)), 0.0f);
}

}  // namespace
}  // namespace weft::interpreter
