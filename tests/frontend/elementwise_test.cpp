// Elementwise functions: values, promotion of operands, and errors that name the user's line.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::expect_near;
using testing::Values;
using testing::values;

const double kNan = std::nan("");
const double kInf = INFINITY;

TEST(Elementwise, OperatorsBroadcastAndPromote) {
  const Array x = array({1.f, 2.f, 3.f});
  EXPECT_EQ((2.0 * x).dtype(), f32);
  EXPECT_EQ((x + array({1, 2, 3})).dtype(), f32);
  EXPECT_EQ((x + array({1.0})).dtype(), f64);
  EXPECT_EQ((array({1, 2}) * 0.5).dtype(), f32);
  EXPECT_EQ((array({1, 2}) / 2).dtype(), f32);
  EXPECT_EQ((array({true}) + 1).dtype(), i32);
  EXPECT_EQ(values(2.0 * x - 1), (Values{1, 3, 5}));
  EXPECT_EQ(values(x(_, newaxis) + x), (Values{2, 3, 4, 3, 4, 5, 4, 5, 6}));
  EXPECT_EQ(values(-x), (Values{-1, -2, -3}));
  EXPECT_EQ(values(x > 1.5), (Values{0, 1, 1}));
  EXPECT_EQ(values(!(x > 1.5)), (Values{1, 0, 0}));
  EXPECT_EQ(values(1 / x == 0.5), (Values{0, 1, 0}));
  Array y = x;
  y += 1;
  y *= 2;
  EXPECT_EQ(values(y), (Values{4, 6, 8}));
  EXPECT_EQ(values(x), (Values{1, 2, 3}));
}

TEST(Elementwise, AWeakScalarKeepsItsPrecisionUntilItMeetsADtype) {
  const Array tenth = 0.1;
  EXPECT_EQ((tenth * array({1.0})).item<double>(), 0.1);
  EXPECT_EQ((tenth * array({1.f})).item<float>(), 0.1f);
  EXPECT_TRUE((tenth * 2).is_weak());
  EXPECT_FALSE((tenth * array(2.f)).is_weak());
}

TEST(Elementwise, DivisionAndRemainderFollowPython) {
  const Array a = array({7, -7, 7, -7}), b = array({2, 2, -2, -2});
  EXPECT_EQ(values(floor_divide(a, b)), (Values{3, -4, -4, 3}));
  EXPECT_EQ(values(a % b), (Values{1, 1, -1, -1}));
  EXPECT_EQ(values(fmod(a, b)), (Values{1, -1, 1, -1}));
  EXPECT_EQ(values(lax::div(a, b)), (Values{3, -3, -3, 3}));
  EXPECT_EQ(values(floor_divide(array({1.0}), 0.1)), (Values{9}));
  EXPECT_EQ(values(floor_divide(array({7.0, -7.0}), 2)), (Values{3, -4}));
  EXPECT_EQ(values(array({5.5, -5.5}) % 3), (Values{2.5, 0.5}));
}

TEST(Elementwise, Powers) {
  EXPECT_EQ(values(pow(array({2.f, -3.f}), 3)), (Values{8, -27}));
  EXPECT_EQ(values(pow(array({2.0, 4.0}), -1)), (Values{0.5, 0.25}));
  EXPECT_EQ(values(pow(array({2, 3}), 5)), (Values{32, 243}));
  EXPECT_EQ(values(pow(array({2, 3}), 0)), (Values{1, 1}));
}

TEST(Elementwise, SpecialValues) {
  EXPECT_EQ(values(isnan(array({kNan, 1.0}))), (Values{1, 0}));
  EXPECT_EQ(values(isfinite(array({kNan, 1.0, kInf, -kInf}))), (Values{0, 1, 0, 0}));
  EXPECT_EQ(values(isinf(array({1, 2}))), (Values{0, 0}));
  EXPECT_EQ(values(isfinite(array({1, 2}))), (Values{1, 1}));
  EXPECT_EQ(values(signbit(array({-0.0, 0.0, -1.0}))), (Values{1, 0, 1}));
  EXPECT_EQ(values(nan_to_num(array({kNan, 2.0}))), (Values{0, 2}));
  expect_near(maximum(array({kNan, 1.0}), 0.5), {kNan, 1}, 0);
  expect_near(fmax(array({kNan, 1.0}), 0.5), {0.5, 1}, 0);
  EXPECT_EQ(values(copysign(array({1.0, 2.0}), array({-0.0, 1.0}))), (Values{-1, 2}));
  EXPECT_EQ(values(heaviside(array({-1.0, 0.0, 3.0}), 0.5)), (Values{0, 0.5, 1}));
  const Values sides = values(hypot(array({3e200, kInf}), array({4e200, kNan})));
  EXPECT_NEAR(sides[0] / 5e200, 1, 1e-15);
  EXPECT_EQ(sides[1], kInf);
}

TEST(Elementwise, RoundingKeepsIntegers) {
  EXPECT_EQ(floor(array({1, 2})).dtype(), i32);
  EXPECT_EQ(values(floor(array({-0.5, 1.5}))), (Values{-1, 1}));
  EXPECT_EQ(values(trunc(array({-1.5, 1.5}))), (Values{-1, 1}));
  EXPECT_EQ(values(round(array({0.5, 1.5, 2.5}))), (Values{0, 2, 2}));
}

TEST(Elementwise, ChoosingAndComparing) {
  const Array x = array({1.0, -2.0, 3.0});
  EXPECT_EQ(values(where(x > 0, x, 0.0)), (Values{1, 0, 3}));
  EXPECT_EQ(values(clip(x, -1, 2)), (Values{1, -1, 2}));
  EXPECT_EQ(values(isclose(x, x + 1e-9)), (Values{1, 1, 1}));
  EXPECT_TRUE(bool(allclose(x, x)));
  EXPECT_TRUE(bool(array_equal(x, x)));
  EXPECT_FALSE(bool(array_equal(x, array({1.0}))));
  EXPECT_EQ(values(select({x > 2, x > 0}, {array(10.0), array(20.0)}, -1)), (Values{20, -1, 10}));
  EXPECT_EQ(values(lax::select_n(array({-5, 1, 9}), {array(0), array(1), array(2)})), (Values{0, 1, 2}));
  EXPECT_EQ(values(lax::select_n(array({true, false}), {array(0), array(1)})), (Values{1, 0}));
  EXPECT_EQ(values(lax::integer_pow(x, 3)), (Values{1, -8, 27}));
  EXPECT_EQ(values(logical_and(x > 0, array({true, true, false}))), (Values{1, 0, 0}));
  EXPECT_EQ(values(logical_xor(array({0, 2, 0}), array({3, 1, 0}))), (Values{1, 0, 0}));
}

TEST(Elementwise, BitsAndConversions) {
  EXPECT_EQ(values(array({6}) & 3), (Values{2}));
  EXPECT_EQ(values(array({6}) | 3), (Values{7}));
  EXPECT_EQ(values(array({6}) ^ 3), (Values{5}));
  EXPECT_EQ(values(~array({6})), (Values{-7}));
  EXPECT_EQ(values(array({-8, 8}) >> 1), (Values{-4, 4}));
  EXPECT_EQ(values(array({1, 3}) << 2), (Values{4, 12}));
  EXPECT_EQ(array({1.7f, -1.7f}).astype(i32).to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, -1}));
  EXPECT_EQ(bitcast_convert_type(array({1.f}), u32).to_vector<std::uint32_t>()[0], 0x3f800000u);
}

TEST(Elementwise, ErrorsSayWhatWasAskedAndWhere) {
  const std::string line = "elementwise_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto add = [](const Array& a, const Array& b) { return a + b; };
  expect_message<ShapeError>([&] { add(array({1.f, 2.f}), zeros({3})); }, {"add", "f32[2]", "f32[3]", line});
  expect_message<TypeError>([] { (void)(array({1.f}) & array({2.f})); },
                            {"bitwise_and", "elementwise_test.cpp"});
  const std::uint8_t bytes[] = {1, 2};
  const Array small = copy_of(std::span<const std::uint8_t>(bytes), {2});
  expect_message<TypeError>([&] { (void)(small + 300); }, {"add", "300", "u8"});
  EXPECT_EQ((small + 5).dtype(), u8);
}

}  // namespace
}  // namespace weft
