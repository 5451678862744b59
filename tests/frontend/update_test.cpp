// x.at(…): every kind of index and of update, beside a loop over the elements that x(…) names.
#include <functional>

#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

// The positions in x, flat, that an index names, in the order of x(…).
template <class Read>
Values places_of(const Shape& shape, const Read& read) {
  const Array numbers = arange(0, shape.size(), i32).reshape(shape);
  return values(read(numbers));
}

struct Kind {
  const char* name;
  Array (*update)(const IndexedArray&, const Array&);
  double (*want)(double, double);
};
const Kind kKinds[] = {
    {"set", [](const IndexedArray& a, const Array& v) { return a.set(v); }, [](double, double v) { return v; }},
    {"add", [](const IndexedArray& a, const Array& v) { return a.add(v); }, [](double x, double v) { return x + v; }},
    {"subtract", [](const IndexedArray& a, const Array& v) { return a.subtract(v); }, [](double x, double v) { return x - v; }},
    {"multiply", [](const IndexedArray& a, const Array& v) { return a.multiply(v); }, [](double x, double v) { return x * v; }},
    {"divide", [](const IndexedArray& a, const Array& v) { return a.divide(v); }, [](double x, double v) { return x / v; }},
    {"min", [](const IndexedArray& a, const Array& v) { return a.min(v); }, [](double x, double v) { return std::min(x, v); }},
    {"max", [](const IndexedArray& a, const Array& v) { return a.max(v); }, [](double x, double v) { return std::max(x, v); }},
};

// Eager, jitted, and under vmap with the array, the value or both mapped. Values are powers of two: exact in any order.
template <class... I>
void check_index(const Shape& shape, int line, const I&... index) {
  SCOPED_TRACE(line);
  const Array x = (arange(0, shape.size(), f32) + 1).reshape(shape);
  const Values places = places_of(shape, [&](const Array& numbers) { return numbers(index...); });
  const Shape read = x(index...).shape();
  const Array v = exp2(floor(fmod(arange(0, read.size(), f32), 5) - 2)).reshape(read);
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(kind.name);
    Values want = values(x);
    const Values updates = values(v);
    for (std::size_t i = 0; i < places.size(); ++i) {
      double& element = want[static_cast<std::size_t>(places[i])];
      element = kind.want(element, updates[i]);
    }
    const auto update = [=](Array a, Array b) { return kind.update(a.at(index...), b); };
    EXPECT_EQ(values(update(x, v)), want);
    EXPECT_EQ(values(jit(update)(x, v)), want);
    const Array xs = stack({x, x + 1}), vs = stack({v, v * 2});
    const Array both = vmap(update)(xs, vs), left = vmap(update, {0, none})(xs, v), right = vmap(update, {none, 0})(x, vs);
    EXPECT_EQ(values(both(0)), want);
    EXPECT_EQ(values(both(1)), values(update(x + 1, v * 2)));
    EXPECT_EQ(values(left(1)), values(update(x + 1, v)));
    EXPECT_EQ(values(right(1)), values(update(x, v * 2)));
  }
}

TEST(Update, OfIntegersAndRanges) {
  check_index({5}, __LINE__, 2);
  check_index({5}, __LINE__, -1);
  check_index({5}, __LINE__, slice(1, 4));
  check_index({5}, __LINE__, slice(3, 0, -1));
  check_index({5}, __LINE__, slice(_, _, 2));
  check_index({7}, __LINE__, slice(6, 0, -3));
  check_index({7}, __LINE__, slice(3, 3));
  check_index({3, 4}, __LINE__, _, 1);
  check_index({3, 4}, __LINE__, 1);
  check_index({3, 4}, __LINE__, slice(0, 2), slice(1, _));
  check_index({3, 4}, __LINE__, slice(_, _, 2), slice(_, _, -1));
  check_index({3, 4}, __LINE__, 2, slice(3, _, -2));
  check_index({3, 4, 2}, __LINE__, ellipsis, 0);
  check_index({3, 4, 2}, __LINE__, 1, newaxis, slice(1, 3));
  check_index({3, 4, 2}, __LINE__, _, slice(_, _, 3), -1);
  check_index({3, 4}, __LINE__, _);
  check_index({2, 0, 3}, __LINE__, 1);
}

TEST(Update, AtAScalarPosition) {
  for (int i : {0, 2, 4, -1, -5}) {
    check_index({5}, __LINE__, array(i));
    check_index({5, 3}, __LINE__, array(i), slice(1, _));
    check_index({3, 5}, __LINE__, _, array(i));
    check_index({3, 5}, __LINE__, slice(_, _, 2), array(i));
  }
  const Array x = array({1.f, 2.f, 3.f});
  for (int i : {3, -4, 100, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(values(x.at(array(i)).set(9)), (Values{1, 2, 3})) << i;
    EXPECT_EQ(values(x.at(array(i)).set(9, {.mode = IndexMode::clip})), i > 0 ? (Values{1, 2, 9}) : (Values{9, 2, 3})) << i;
  }
  EXPECT_EQ(values(x.at(array<std::uint8_t>(200)).set(9)), (Values{1, 2, 3}));
  EXPECT_EQ(values(x.at(array<std::uint64_t>(~std::uint64_t{0})).set(9)), (Values{1, 2, 3}));
}

TEST(Update, OfIndexArrays) {
  const Array some = array({3, 0, -1}), twice = array({1, 1, 0, 1}), square = array({{0, 1}, {2, 0}});
  check_index({5}, __LINE__, some);
  check_index({5}, __LINE__, twice);
  check_index({5}, __LINE__, square);
  check_index({5, 3}, __LINE__, some);
  check_index({5, 3}, __LINE__, twice, slice(1, _));
  check_index({3, 5}, __LINE__, _, some);
  check_index({3, 5}, __LINE__, slice(_, _, -2), twice);
  check_index({4, 5}, __LINE__, array({0, 3, 0}), array({1, 4, 1}));
  check_index({4, 5, 2}, __LINE__, array({0, 3, 0}), _, array({1, 0, 1}));
  check_index({4, 5, 2}, __LINE__, _, array({0, 3, 0}), array({1, 0, 1}));
  check_index({4, 5, 2}, __LINE__, 1, array({{0}, {3}}), array({1, 0}));
  check_index({4, 5}, __LINE__, newaxis, array({2, 2}), newaxis);
  check_index({5}, __LINE__, zeros({0}, i32));
}

TEST(Update, IndicesOutsideAreDroppedUnlessTheModeSaysOtherwise) {
  const Array x = array({1.f, 2.f, 3.f});
  for (DType dtype : {i8, i16, i32, i64}) {
    const Array i = array({0, 3, -4, 2, 100, -100}).astype(dtype);
    EXPECT_EQ(values(x.at(i).add(10)), (Values{11, 2, 13}));
    EXPECT_EQ(values(x.at(i).add(10, {.mode = IndexMode::clip})), (Values{31, 2, 33}));
    EXPECT_EQ(values(x.at(i).add(10, {.mode = IndexMode::fill})), (Values{11, 2, 13}));
  }
  for (DType dtype : {u8, u16, u32, u64}) EXPECT_EQ(values(x.at(array({0, 200, 2}).astype(dtype)).set(9)), (Values{9, 2, 9}));
  EXPECT_EQ(values(x.at(array<std::uint64_t>({~std::uint64_t{0}, 1})).set(9)), (Values{1, 9, 3}));
  EXPECT_EQ(values(x.at(array<std::int64_t>({INT64_MIN, INT64_MAX, 1})).set(9)), (Values{1, 9, 3}));
  // src.at[[0, 1]].add(…) with the batch on axis 2.
  const Array src = zeros({2, 3, 4});
  const auto add = [](Array s, Array b) { return s.at(array({0, 1})).add(array({1.f, 2.f, 3.f}) * (b + 1)); };
  const Array all = vmap(add, {.in_axes = {2, 0}})(src, arange(4));
  for (int b = 0; b < 4; ++b) EXPECT_EQ(values(all(b, 1)), (Values{1. * (b + 1), 2. * (b + 1), 3. * (b + 1)}));
}

TEST(Update, TheLastOfSeveralValuesStays) {
  EXPECT_EQ(values(zeros({3}).at(array({1, 1, 2, 1})).set(array({1, 2, 3, 4}))), (Values{0, 4, 3}));
  EXPECT_EQ(values(bincount(array({1, 1, 2, 1}), {.length = 4})), (Values{0, 3, 1, 0}));
}

TEST(Update, ValuesBroadcastAndTakeTheDtype) {
  const Array x = zeros({2, 3});
  EXPECT_EQ(values(x.at(_, 1).set(5)), (Values{0, 5, 0, 0, 5, 0}));
  EXPECT_EQ(values(x.at(1).set(array({1, 2, 3}))), (Values{0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(values(x.at(_, slice(0, 2)).set(array({{1.0}, {2.0}}))), (Values{1, 1, 0, 2, 2, 0}));
  EXPECT_EQ(x.at(0).set(array({1.0})).dtype(), f32);
  EXPECT_EQ(arange(3).at(0).set(7).dtype(), i32);
  expect_message<TypeError>([] { arange(3).at(0).set(0.5); }, {"at.set", "astype", "update_test.cpp"});
  expect_message<ShapeError>([] { zeros({3}).at(slice(0, 2)).set(array({1, 2, 3})); }, {"at.set", "update_test.cpp"});
  expect_message<IndexError>([] { zeros({3}).at(3).set(1); }, {"outside axis 0", "update_test.cpp"});
}

TEST(Update, NothingIsMutated) {
  const Array x = array({1.f, 2.f});
  const Array y = x.at(0).set(9);
  EXPECT_EQ(values(x), (Values{1, 2}));
  EXPECT_EQ(values(y), (Values{9, 2}));
  EXPECT_EQ(x.at<float>(1), 2.f);  // reading, by the element's type
}

TEST(Update, GetAndApply) {
  const Array x = array({1.f, 2.f, 3.f});
  EXPECT_EQ(values(x.at(slice(1, _)).get()), (Values{2, 3}));
  EXPECT_EQ(values(x.at(slice(1, _)).apply([](Array v) { return v * v; })), (Values{1, 4, 9}));
  EXPECT_EQ(values(x.at(array({0, 5, -1})).get()), (Values{1, 3, 3}));
  EXPECT_EQ(values(x.at(array({0, 5, -1})).get({.mode = IndexMode::fill, .fill_value = -7})), (Values{1, -7, 3}));
  EXPECT_TRUE(std::isnan(values(x.at(array(9)).get({.mode = IndexMode::fill}))[0]));
  EXPECT_EQ(values(arange(3).at(array(9)).get({.mode = IndexMode::fill})), (Values{-2147483648.0}));
}

TEST(Update, InALoopIsDoneInPlace) {
  const auto fill = jit([](Array buffer) {
    return fori_loop(0, 1000, [](Array i, Array b) { return b.at(i).set(2 * i); }, buffer);
  });
  const auto compiled = fill.lower(zeros({1000}, i32)).compile();
  EXPECT_TRUE(compiled.explain().contains("update_in_place")) << compiled.explain();
  EXPECT_LT(compiled.memory().temporary_bytes, 1000);
  EXPECT_EQ(values(compiled(zeros({1000}, i32))), values(2 * arange(1000)));
}

}  // namespace
}  // namespace weft
