// Sections 5 and 7 of the interface: functions with their options, and the programs that must compile as
// written.
#include <cmath>

#include "tests/contract/contract.h"

namespace contract {
namespace {

using namespace weft;

TEST(Programs, OptionsAreAnAxisAListOrNamed) {
  const Array x = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(values(sum(x)), (Values{276}));
  EXPECT_EQ(sum(x, 0).shape(), (Shape{3, 4}));
  EXPECT_EQ(values(sum(x, {0, 2})), (Values{60, 92, 124}));
  EXPECT_EQ(sum(x, {.axis = {0, 2}, .keepdims = true}).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(sum(x, -1).shape(), (Shape{2, 3}));
  EXPECT_DOUBLE_EQ(values(var(array({1.0, 3.0}), {.ddof = 1}))[0], 2);
}

TEST(Programs, MembersOfTheCommonOnes) {
  const Array x = array<float>({{1, 2}, {3, 6}});
  EXPECT_EQ(values(x.sum(0)), (Values{4, 8}));
  EXPECT_EQ(values(x.T()), (Values{1, 3, 2, 6}));
  EXPECT_EQ(x.reshape({4}).shape(), (Shape{4}));
  EXPECT_EQ(x.astype(i32).dtype(), i32);
  EXPECT_EQ(values(x.mean()), (Values{3}));
  EXPECT_EQ(values(x.max()), (Values{6}));
  EXPECT_EQ(values(x.min(1)), (Values{1, 3}));
  EXPECT_EQ(values(x.argmax()), (Values{3}));
  EXPECT_EQ(values(x.prod({.axis = 0, .keepdims = true})), (Values{3, 12}));
}

TEST(Programs, LaxHasTheNamesOfStablehlo) {
  const Array x = arange(10);
  EXPECT_EQ(values(lax::dynamic_slice(x, {array(8)}, {3})), (Values{7, 8, 9}));
  EXPECT_EQ(values(lax::bitcast_convert_type(array(1.f), i32)), (Values{0x3f800000}));
  EXPECT_EQ(values(lax::slice(x, {1}, {8}, {3})), (Values{1, 4, 7}));
  EXPECT_EQ(values(lax::reduce_precision(array(1.2345678f), 8, 7)), (Values{1.234375}));
}

// Program (b), as its author wrote it.
auto program_b() {
  auto min_energy = jit([](Array x) {
    Array energies = vmap([](Array a) { return a * a; }, 0)(x);
    Array idx = argmin(energies, 0);
    return std::pair{idx, energies(idx)};
  });
  return min_energy;
}

// The same as one custom reduction of two operands.
auto program_b_by_hand() {
  auto min_and_argmin = jit([](Array x) {
    auto body = [](std::pair<Array, Array> a, std::pair<Array, Array> b) {
      Array a_nan = isnan(a.first), b_nan = isnan(b.first);
      Array smaller = (a_nan & ~b_nan) | (~b_nan & (a.first < b.first));
      Array same = (a_nan & b_nan) | (a.first == b.first);
      Array keep = smaller | (same & (a.second < b.second));
      return std::pair{where(keep, a.first, b.first), where(keep, a.second, b.second)};
    };
    return reduce(std::pair{x, arange(x.shape(0), i32)}, std::pair{array(INFINITY), array(0)}, body, {0});
  });
  return min_and_argmin;
}

TEST(Programs, TheSmallestEnergyAndWhereItIs) {
  auto min_energy = program_b();
  const auto [idx, energy] = min_energy(array({3.f, -1.f, 2.f, 1.f}));
  EXPECT_EQ(values(idx), (Values{1}));
  EXPECT_EQ(values(energy), (Values{1}));
  const auto [first_nan, nan] = min_energy(array({3.f, NAN, 0.f}));
  EXPECT_EQ(values(first_nan), (Values{1}));
  EXPECT_TRUE(std::isnan(nan.item<float>()));
}

TEST(Programs, OnAMillionValuesItIsOnePass) {
  const Array x = sin(arange(1000003.0)) + 1.5;
  const std::span<const float> data = x.data<float>();
  std::size_t best = 0;
  for (std::size_t i = 1; i < data.size(); ++i)
    if (data[i] * data[i] < data[best] * data[best]) best = i;
  const Compiled c = program_b().lower(x).compile();
  const auto [idx, energy] = c(x);
  EXPECT_EQ(static_cast<std::size_t>(idx.item<std::int32_t>()), best);
  EXPECT_EQ(energy.item<float>(), data[best] * data[best]);
  EXPECT_LT(c.memory().temporary_bytes, x.nbytes() / 100) << "the energies are stored";
}

TEST(Programs, TheCustomReductionOfTwoOperands) {
  auto min_and_argmin = program_b_by_hand();
  const auto [least, index] = min_and_argmin(array({3.f, -1.f, 2.f, -1.f}));
  EXPECT_EQ(values(least), (Values{-1}));
  EXPECT_EQ(values(index), (Values{1}));
  const auto [nan, first_nan] = min_and_argmin(array({3.f, -1.f, NAN, NAN, -5.f}));
  EXPECT_TRUE(std::isnan(nan.item<float>()));
  EXPECT_EQ(values(first_nan), (Values{2}));
}

TEST(Programs, ACapturedConcreteArrayIsAConstantWhenSmallAndAnArgumentWhenLarge) {
  const Array small = array({1.f, 2.f}), large = full({100000}, array(3.f));
  const auto with_small = jit([=](Array x) { return x + small; });
  const auto with_large = jit([=](Array x) { return x * large; });
  EXPECT_EQ(values(with_small(array(1.f))), (Values{2, 3}));
  EXPECT_NE(with_small.lower(array(1.f)).text().find("stablehlo.constant"), std::string::npos);
  EXPECT_EQ(values(with_large(array(2.f)))[99999], 6);
  EXPECT_LT(with_large.lower(array(2.f)).text().size(), 10000u);
}

}  // namespace
}  // namespace contract
