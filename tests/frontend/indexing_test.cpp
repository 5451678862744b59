// Indexing as NumPy's: slices, integers, new axes, and index arrays that wrap once and are then clamped.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

Array counting(const Shape& shape) { return arange(shape.size()).reshape(shape); }

TEST(Indexing, SlicesAndIntegers) {
  const Array x = counting({3, 4});
  EXPECT_EQ(values(x(1)), (Values{4, 5, 6, 7}));
  EXPECT_EQ(values(x(-1, 2)), (Values{10}));
  EXPECT_EQ(x(-1, 2).ndim(), 0);
  EXPECT_EQ(values(x(_, 1)), (Values{1, 5, 9}));
  EXPECT_EQ(values(x(slice(1, _), slice(_, -2))), (Values{4, 5, 8, 9}));
  EXPECT_EQ(values(x(ellipsis, 0)), (Values{0, 4, 8}));
  EXPECT_EQ(x(newaxis, _, newaxis, 0).shape(), (Shape{1, 3, 1}));
  EXPECT_EQ(x(ellipsis, slice(_, -19), newaxis).shape(), (Shape{3, 0, 1}));
  EXPECT_EQ(x.at<std::int32_t>(2, 3), 11);
}

TEST(Indexing, Steps) {
  const Array x = counting({10});
  EXPECT_EQ(values(x(slice(1, 8, 3))), (Values{1, 4, 7}));
  EXPECT_EQ(values(x(slice(9, _, -2))), (Values{9, 7, 5, 3, 1}));
  EXPECT_EQ(values(x(slice(_, _, -3))), (Values{9, 6, 3, 0}));
  EXPECT_EQ(values(x(slice(2, 8, -1))), (Values{}));
  EXPECT_EQ(values(x(slice(-3, 1, -2))), (Values{7, 5, 3}));
  EXPECT_EQ(values(x(slice(_, 100, 100))), (Values{0}));
  EXPECT_EQ(values(x(slice(INT64_MIN, INT64_MAX, INT64_MAX))), (Values{0}));
  EXPECT_EQ(values(x(slice(INT64_MAX, INT64_MIN, INT64_MIN))), (Values{9}));
  EXPECT_EQ(values(zeros({0})(slice(_, _, -1))), (Values{}));
  expect_message<IndexError>([&] { x(slice(0, 5, 0)); }, {"step", "indexing_test.cpp"});
}

TEST(Indexing, ScalarArraysWrapOnceThenClamp) {
  const Array x = counting({3, 4});
  EXPECT_EQ(values(x(array(1), array(2))), (Values{6}));
  EXPECT_EQ(values(x(array(-1))), (Values{8, 9, 10, 11}));
  EXPECT_EQ(values(x(array(100))), (Values{8, 9, 10, 11}));
  EXPECT_EQ(values(x(array(-100))), (Values{0, 1, 2, 3}));
  EXPECT_EQ(values(x(_, array(std::int64_t{-5000000000}))), (Values{0, 4, 8}));
  EXPECT_EQ(values(x(_, array(std::uint64_t{1} << 63))), (Values{3, 7, 11}));
  const Array wide = arange(200);
  EXPECT_EQ(wide(array(std::uint8_t{128})).item<std::int32_t>(), 128);
  EXPECT_EQ(wide(array(std::int8_t{-1})).item<std::int32_t>(), 199);
}

TEST(Indexing, IndexArraysGather) {
  const Array x = counting({3, 4});
  EXPECT_EQ(values(x(array({2, 0, -1}))), (Values{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(values(x(_, array({3, 0}))), (Values{3, 0, 7, 4, 11, 8}));
  EXPECT_EQ(values(x(array({0, 2}), array({1, 3}))), (Values{1, 11}));
  EXPECT_EQ(values(x(array({{0}, {2}}), array({1, 3}))), (Values{1, 3, 9, 11}));
  EXPECT_EQ(values(x(1, array({3, 0}))), (Values{7, 4}));
  EXPECT_EQ(values(x(array({100, -100}), 0)), (Values{8, 0}));
  EXPECT_EQ(values(x(array({0, 1}), slice(_, _, -2))), (Values{3, 1, 7, 5}));
}

TEST(Indexing, AxesOfIndexArraysGoWhereNumpyPutsThem) {
  const Array x = counting({2, 3, 4, 5});
  const Array i = array({0, 1}), j = array({1, 0});
  EXPECT_EQ(x(_, i, j).shape(), (Shape{2, 2, 5}));
  EXPECT_EQ(x(_, i, _, j).shape(), (Shape{2, 2, 4}));
  EXPECT_EQ(x(0, _, i).shape(), (Shape{2, 3, 5}));
  EXPECT_EQ(x(_, 0, i).shape(), (Shape{2, 2, 5}));
  EXPECT_EQ(x(i, newaxis, j).shape(), (Shape{2, 1, 4, 5}));
  EXPECT_EQ(x(_, newaxis, i, 0).shape(), (Shape{2, 1, 2, 5}));
  EXPECT_EQ(values(x(_, i, j, 0)), (Values{5, 20, 65, 80}));
  EXPECT_EQ(values(x(1, 2, i, _)(_, 0)), (Values{100, 105}));
  EXPECT_EQ(values(x(0, _, i, 0)), (Values{0, 20, 40, 5, 25, 45}));
}

TEST(Indexing, Refusals) {
  const Array x = counting({3, 4});
  const std::string line = "indexing_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto fourth = [](const Array& a) { return a(3); };
  expect_message<IndexError>([&] { fourth(x); }, {"index: 3 is outside axis 0 of i32[3,4]", line});
  expect_message<IndexError>([&] { x(0, -5); }, {"-5", "axis 1"});
  expect_message<IndexError>([&] { x(0, 0, 0); }, {"3 indices"});
  expect_message<IndexError>([&] { x(ellipsis, ellipsis); }, {"ellipsis"});
  expect_message<TypeError>([&] { x(x > 1); }, {"b1[3,4]", "where"});
  expect_message<TypeError>([&] { x(array({1.f})); }, {"f32[1]", "not integers"});
  expect_message<ShapeError>([&] { x(array({1, 2}), array({1, 2, 0})); }, {"i32[2]", "i32[3]"});
}

TEST(Indexing, TakeRollAndDiagonals) {
  const Array x = counting({2, 3});
  EXPECT_EQ(values(take(x, array({5, 0}))), (Values{5, 0}));
  EXPECT_EQ(values(take(x, array({2, 0}), 1)), (Values{2, 0, 5, 3}));
  EXPECT_EQ(values(take_along_axis(x, array({{2}, {0}}), 1)), (Values{2, 3}));
  EXPECT_EQ(values(roll(x, 1)), (Values{5, 0, 1, 2, 3, 4}));
  EXPECT_EQ(values(roll(x, -1, 1)), (Values{1, 2, 0, 4, 5, 3}));
  EXPECT_EQ(values(diagonal(x)), (Values{0, 4}));
  EXPECT_EQ(values(trace(x)), (Values{4}));
  EXPECT_EQ(values(diag(array({1, 2}))), (Values{1, 0, 0, 2}));
}

}  // namespace
}  // namespace weft
