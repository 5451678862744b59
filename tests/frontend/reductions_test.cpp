// Reductions: axes in every spelling, empty arrays, NaN, and the position of extrema.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::expect_near;
using testing::Values;
using testing::values;

const double kNan = std::nan("");

Array counting(const Shape& shape) { return arange(shape.size()).reshape(shape).astype(f32); }

TEST(Reductions, AxesInEverySpelling) {
  const Array x = counting({2, 3});
  EXPECT_EQ(values(sum(x)), (Values{15}));
  EXPECT_EQ(values(sum(x, 0)), (Values{3, 5, 7}));
  EXPECT_EQ(values(sum(x, -1)), (Values{3, 12}));
  EXPECT_EQ(values(sum(x, {0, 1})), (Values{15}));
  EXPECT_EQ(values(sum(x, {1})), (Values{3, 12}));
  EXPECT_EQ(values(sum(x, {.axis = {0, 1}})), (Values{15}));
  EXPECT_EQ(sum(x, {.axis = 1, .keepdims = true}).shape(), (Shape{2, 1}));
  EXPECT_EQ(sum(x, {.keepdims = true}).shape(), (Shape{1, 1}));
  EXPECT_EQ(values(x.max(1)), (Values{2, 5}));
  EXPECT_EQ(values(x.mean()), (Values{2.5}));
  expect_message<IndexError>([&] { sum(x, 2); }, {"sum", "axis 2", "reductions_test.cpp"});
  expect_message<IndexError>([&] { sum(x, {0, 0}); }, {"twice"});
}

TEST(Reductions, DtypesOfResults) {
  EXPECT_EQ(sum(array({true, true, false})).item<std::int32_t>(), 2);
  EXPECT_EQ(mean(array({1, 2})).dtype(), f32);
  EXPECT_EQ(values(mean(array({1, 2}))), (Values{1.5}));
  EXPECT_EQ(any(array({0, 1})).dtype(), b1);
  EXPECT_EQ(count_nonzero(array({0.f, 2.f, 3.f})).item<std::int32_t>(), 2);
  EXPECT_EQ(max(array({3, 9, 2})).item<std::int32_t>(), 9);
}

TEST(Reductions, EmptyArrays) {
  const Array x = zeros({2, 0});
  EXPECT_EQ(values(sum(x, 1)), (Values{0, 0}));
  EXPECT_EQ(values(prod(x, 1)), (Values{1, 1}));
  EXPECT_EQ(max(x, 0).shape(), (Shape{0}));
  expect_message<ShapeError>([&] { max(x, 1); }, {"max", "f32[2,0]"});
  expect_message<ShapeError>([&] { argmin(x, 1); }, {"argmin"});
}

TEST(Reductions, PositionsOfExtrema) {
  const Array x = array({3.f, 1.f, 2.f, 1.f});
  EXPECT_EQ(argmin(x).item<std::int32_t>(), 1);
  EXPECT_EQ(argmax(x).item<std::int32_t>(), 0);
  EXPECT_EQ(argmax(array({0.0, 1.0, kNan})).item<std::int32_t>(), 2);
  EXPECT_EQ(argmin(array({0.0, kNan, -5.0})).item<std::int32_t>(), 1);
  EXPECT_EQ(argmax(array({kNan, kNan})).item<std::int32_t>(), 0);
  EXPECT_EQ(values(argmin(array({{3, 1}, {0, 2}}), 1)), (Values{1, 0}));
  EXPECT_EQ(values(argmin(array({{3, 1}, {0, 2}}))), (Values{2}));
  EXPECT_EQ(argmax(counting({2, 3}), {.axis = 1, .keepdims = true}).shape(), (Shape{2, 1}));
}

TEST(Reductions, MomentsAndNan) {
  const Array x = array({1.0, 2.0, 4.0});
  expect_near(var(x), {14.0 / 9}, 1e-15);
  expect_near(var(x, {.ddof = 1}), {7.0 / 3}, 1e-15);
  expect_near(weft::std(x, 0), {std::sqrt(14.0 / 9)}, 1e-15);
  expect_near(average(x, array({1.0, 1.0, 2.0})), {11.0 / 4}, 1e-15);
  const Array holes = array({1.0, kNan, 3.0});
  expect_near(sum(holes), {kNan}, 0);
  expect_near(nansum(holes), {4}, 0);
  expect_near(nanmean(holes), {2}, 0);
  expect_near(nanmax(holes), {3}, 0);
  expect_near(nanmin(array({kNan, kNan})), {kNan}, 0);
  expect_near(ptp(x), {3}, 0);
}

TEST(Reductions, WithABodyOfTheUsers) {
  const auto smaller = [](std::pair<Array, Array> a, std::pair<Array, Array> b) {
    const Array keep = (a.first < b.first) | (a.first != a.first);
    const Array tie = (a.first == b.first) & (a.second < b.second);
    return std::pair{where(keep, a.first, b.first), where(keep | tie, a.second, b.second)};
  };
  const Array x = array({3.f, 1.f, 2.f, 1.f});
  const auto [value, index] =
      reduce(std::pair{x, arange(4)}, std::pair{array(INFINITY), array(0)}, smaller, {0});
  EXPECT_EQ(value.item<float>(), 1);
  EXPECT_EQ(index.item<std::int32_t>(), 1);
  const Array last = reduce(x, 0, [](Array, Array b) { return b; }, {0});
  EXPECT_EQ(last.item<float>(), 1);
  expect_message<TypeError>([&] { reduce(x, 0, [](Array a, Array b) { return a < b; }, {0}); },
                            {"reduce", "b1[]"});
  expect_message<ShapeError>([&] { reduce(x, x, [](Array a, Array b) { return a + b; }, {0}); },
                             {"f32[4]", "scalar"});
}

TEST(Reductions, ABodyMayUseScalarsFromOutside) {
  const auto f = jit([](Array x, Array low) {
    return reduce(x, -INFINITY, [low](Array a, Array b) { return maximum(maximum(a, b), low); }, {0});
  });
  EXPECT_EQ(values(f(array({1.f, 5.f, 3.f}), 2.f)), (Values{5}));
  EXPECT_EQ(values(f(array({1.f, 0.f}), 2.f)), (Values{2}));
  const auto whole =
      jit([](Array x) { return reduce(x, 0, [x](Array a, Array b) { return a + b * x(0); }, {0}); });
  expect_message<TypeError>([&] { whole(array({1.f})); }, {"reduce", "f32[1]", "only scalars"});
  const auto nested = [](Array a, Array b) { return a + sum(b.reshape({1})); };
  expect_message<TypeError>([&] { reduce(array({1.f}), 0, nested, {0}); },
                            {"reduce", "only scalar operations"});
}

}  // namespace
}  // namespace weft
