// Sorting, searching and counting, with values from NumPy and JAX.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::expect_near;
using testing::Values;
using testing::values;

const double kNaN = NAN;
const Array kFew = array({3.f, 1.f, 2.f, 1.f});
const Array kMatrix = array({{3, 1, 2}, {0, 5, 4}});

TEST(Sort, AlongAnAxis) {
  EXPECT_EQ(values(sort(kFew)), (Values{1, 1, 2, 3}));
  EXPECT_EQ(values(sort(kMatrix)), (Values{1, 2, 3, 0, 4, 5}));
  EXPECT_EQ(values(sort(kMatrix, 0)), (Values{0, 1, 2, 3, 5, 4}));
  EXPECT_EQ(values(sort(kMatrix, -1, {.descending = true})), (Values{3, 2, 1, 5, 4, 0}));
  EXPECT_EQ(sort(array({true, false, true})).dtype(), b1);
  EXPECT_EQ(values(sort(array({true, false, true}))), (Values{0, 1, 1}));
  EXPECT_EQ(sort(zeros({0, 3}), 0).shape(), (Shape{0, 3}));
}

TEST(Sort, NaNIsLastAndZerosAreEqual) {
  const Array x = array<double>({2, NAN, -0.0, 4096, 0, -4096, -NAN});
  expect_near(sort(x), {-4096, 0, 0, 2, 4096, kNaN, kNaN}, 0);
  EXPECT_EQ(values(argsort(x)), (Values{5, 2, 4, 0, 3, 1, 6}));
  EXPECT_EQ(values(argsort(x, 0, {.descending = true})), (Values{1, 6, 3, 0, 2, 4, 5}));
  for (const DType dtype : {f16, bf16, f32, f64}) {
    SCOPED_TRACE(name_of(dtype));
    expect_near(sort(x.astype(dtype), 0, {.descending = true}), {kNaN, kNaN, 4096, 2, 0, 0, -4096}, 0);
  }
}

TEST(Argsort, KeepsEqualElementsInOrder) {
  EXPECT_EQ(values(argsort(kFew)), (Values{1, 3, 2, 0}));
  EXPECT_EQ(argsort(kFew).dtype(), i32);
  EXPECT_EQ(values(argsort(kFew, -1, {.descending = true})), (Values{0, 2, 1, 3}));
  EXPECT_EQ(values(argsort(kMatrix, 0)), (Values{1, 0, 0, 0, 1, 1}));
  const Array many = remainder(arange(5000) * 7919, 10);
  EXPECT_EQ(values(take(many, argsort(many))), values(sort(many)));
}

TEST(Sort, InsideProgramsAndUnderVmap) {
  const auto f = jit([](Array x) {
    return std::tuple{sort(x * 2), argsort(x + 1), sum(sort(x)(slice(_, 2)))};
  });
  const auto [doubled, order, two] = f(kFew);
  EXPECT_EQ(values(doubled), (Values{2, 2, 4, 6}));
  EXPECT_EQ(values(order), (Values{1, 3, 2, 0}));
  EXPECT_EQ(values(two), (Values{2}));
  EXPECT_EQ(values(vmap([](Array row) { return sort(row); })(kMatrix)), values(sort(kMatrix)));
  EXPECT_EQ(
      values(vmap([](Array column) { return argsort(column); }, {.in_axes = {1}, .out_axes = 1})(kMatrix)),
      values(argsort(kMatrix, 0)));
}

TEST(Sort, RefusesWhatHasNoOrder) {
  expect_message<IndexError>([] { sort(array(1)); }, {"sort", "axis -1"});
  expect_message<IndexError>([] { argsort(kFew, 1); }, {"argsort", "axis 1"});
  expect_message<ShapeError>([] { top_k(kFew, 5); }, {"top_k", "k = 5", "f32[4]"});
  expect_message<ShapeError>([] { top_k(array(1), 0); }, {"top_k"});
  expect_message<TypeError>([] { lax::sort({kFew}, 0, true, 2); }, {"sort", "2 keys", "1 operands"});
  expect_message<ShapeError>([] { lax::sort({kFew, kMatrix}, 0); }, {"sort", "f32[4]", "i32[2,3]"});
  expect_message<TypeError>([] { lexsort({}); }, {"lexsort", "no key"});
}

TEST(TopK, GivesValuesAndPositions) {
  const auto [largest, where] = top_k(array<float>({1, 4, NAN, 4, 2}), 3);
  expect_near(largest, {kNaN, 4, 4}, 0);
  EXPECT_EQ(values(where), (Values{2, 1, 3}));
  EXPECT_EQ(where.dtype(), i32);
  const auto rows = jit([](Array x) { return top_k(x, 2); });
  EXPECT_EQ(values(rows(kMatrix).first), (Values{3, 2, 5, 4}));
  EXPECT_EQ(values(rows(kMatrix).second), (Values{0, 2, 1, 2}));
  EXPECT_EQ(top_k(kMatrix, 0).first.shape(), (Shape{2, 0}));
}

TEST(LaxSort, OrdersOperandsTogether) {
  const Array first = array({2, 1, 2, 1}), second = array({0.5f, 2.f, -1.f, 1.f}), place = arange(4);
  const auto by_first = lax::sort({first, second, place});
  EXPECT_EQ(values(by_first[1]), (Values{2, 1, 0.5, -1}));
  EXPECT_EQ(values(lax::sort(first)), (Values{1, 1, 2, 2}));
  EXPECT_EQ(values(lax::sort({first}, 0)[0]), (Values{1, 1, 2, 2}));
  const auto by_both = lax::sort({first, second, place}, 0, true, 2);
  EXPECT_EQ(values(by_both[0]), (Values{1, 1, 2, 2}));
  EXPECT_EQ(values(by_both[1]), (Values{1, 2, -1, 0.5}));
  EXPECT_EQ(values(by_both[2]), (Values{3, 1, 2, 0}));
  EXPECT_EQ(values(lexsort({second, first})), (Values{3, 1, 2, 0}));
  EXPECT_EQ(values(lexsort({first, second})), (Values{2, 0, 3, 1}));
  EXPECT_EQ(values(lax::sort_key_val(second, first).second), (Values{2, 2, 1, 1}));
}

TEST(Median, OfOddAndEvenNumbers) {
  EXPECT_EQ(values(median(kFew)), (Values{1.5}));
  EXPECT_EQ(values(median(kMatrix)), (Values{2.5}));
  EXPECT_EQ(median(kMatrix).dtype(), f32);
  EXPECT_EQ(values(median(kMatrix, 0)), (Values{1.5, 3, 3}));
  EXPECT_EQ(values(median(kMatrix, 1)), (Values{2, 4}));
  EXPECT_EQ(median(kMatrix, {.axis = 1, .keepdims = true}).shape(), (Shape{2, 1}));
  EXPECT_EQ(median(kMatrix, {.keepdims = true}).shape(), (Shape{1, 1}));
  const Array cube = arange(24).reshape({2, 3, 4});
  EXPECT_EQ(values(median(cube, {0, 2})), (Values{7.5, 11.5, 15.5}));
  expect_near(median(array<double>({1, NAN, 3})), {kNaN}, 0);
  expect_near(median(zeros({0})), {kNaN}, 0);
  EXPECT_EQ(values(vmap([](Array row) { return median(row); })(kMatrix)), (Values{2, 4}));
}

TEST(Searchsorted, CountsWhatIsLess) {
  const Array sorted = array<float>({1, 2, 2, 4, NAN}), v = array<float>({0, 1, 2, 3, 5, NAN});
  EXPECT_EQ(values(searchsorted(sorted, v)), (Values{0, 0, 1, 3, 4, 4}));
  EXPECT_EQ(values(searchsorted(sorted, v, {.side = Side::right})), (Values{0, 1, 3, 3, 4, 5}));
  EXPECT_EQ(searchsorted(sorted, v).dtype(), i32);
  EXPECT_EQ(values(searchsorted(array({1, 3}), 2)), (Values{1}));
  EXPECT_EQ(values(searchsorted(zeros({0}), v)), (Values{0, 0, 0, 0, 0, 0}));
  for (const int n : {1, 2, 3, 7, 8, 9, 100}) {
    const Array x = arange(n), wanted = arange(-2, n + 2);
    EXPECT_EQ(values(searchsorted(x, wanted)), values(clip(wanted, 0, n))) << n;
    EXPECT_EQ(values(searchsorted(x, wanted, {.side = Side::right})), values(clip(wanted + 1, 0, n))) << n;
  }
  expect_message<ShapeError>([] { searchsorted(kMatrix, 1); }, {"searchsorted", "i32[2,3]", "no vector"});
}

TEST(Bincount, CountsIntegers) {
  const Array x = array({1, 3, 1, 0, -5});
  EXPECT_EQ(values(bincount(x)), (Values{2, 2, 0, 1}));
  EXPECT_EQ(bincount(x).dtype(), i32);
  EXPECT_EQ(values(bincount(x, {.minlength = 6})), (Values{2, 2, 0, 1, 0, 0}));
  EXPECT_EQ(values(bincount(x, {.length = 2})), (Values{2, 2}));
  EXPECT_EQ(values(bincount(x, {.weights = array({1.f, 2.f, 4.f, 8.f, 16.f}), .length = 4})),
            (Values{24, 5, 0, 2}));
  EXPECT_EQ(values(jit([](Array v) { return bincount(v, {.length = 3}); })(x)), (Values{2, 2, 0}));
  EXPECT_EQ(bincount(zeros({0}, i32)).shape(), (Shape{0}));
  expect_message<TypeError>([] { bincount(kFew); }, {"bincount", "f32[4]", "no integers"});
  expect_message<TypeError>([] { jit([](Array v) { return bincount(v); })(array({1})); },
                            {"bincount", ".length"});
}

TEST(Histogram, OfEqualBins) {
  const Array x = array<float>({0, 0.5f, 1, 1.5f, 2, 4, NAN, -1});
  const auto [counts, edges] = histogram(x, 4, {.range = {{0, 4}}});
  EXPECT_EQ(values(counts), (Values{2, 2, 1, 1}));
  EXPECT_EQ(values(edges), (Values{0, 1, 2, 3, 4}));
  EXPECT_EQ(counts.dtype(), f32);
  const auto [of_all, their_edges] = histogram(array({1, 2, 1}), 3);
  EXPECT_EQ(values(of_all), (Values{2, 0, 1}));
  expect_near(their_edges, {1, 4.0 / 3, 5.0 / 3, 2}, 1e-6);
  EXPECT_EQ(values(histogram(array({5, 5}), 2).first), (Values{0, 2}));
  EXPECT_EQ(values(histogram(array({5, 5}), 2).second), (Values{4.5, 5, 5.5}));
  EXPECT_EQ(
      values(histogram(array({0, 1, 3}), 2, {.range = {{0, 4}}, .weights = array({1.f, 10.f, 100.f})}).first),
      (Values{11, 100}));
  EXPECT_EQ(values(histogram(array({0, 1, 3, 3}), 2, {.range = {{0, 4}}, .density = true}).first),
            (Values{0.25, 0.25}));
  EXPECT_EQ(values(histogram(zeros({0}), 2).first), (Values{0, 0}));
  expect_message<ShapeError>([] { histogram(kFew, 0); }, {"histogram", "0 bins"});
}

TEST(Gcd, OfIntegersOfAnySign) {
  const Array a = array({12, -18, 0, 0, 7, 21}), b = array({18, 12, 5, 0, -7, 6});
  EXPECT_EQ(values(gcd(a, b)), (Values{6, 6, 5, 0, 7, 3}));
  EXPECT_EQ(values(lcm(a, b)), (Values{36, 36, 0, 0, 7, 42}));
  EXPECT_EQ(gcd(a, 4).dtype(), i32);
  EXPECT_EQ(values(gcd(a, 4)), (Values{4, 2, 4, 4, 1, 1}));
  EXPECT_EQ(values(gcd(array<std::int8_t>({-128, 89, -128}), array<std::int8_t>({96, 55, 0}))),
            (Values{32, 1, -128}));
  // Neighbours among Fibonacci's numbers take the most steps.
  EXPECT_EQ(values(gcd(array<std::uint8_t>({233}), array<std::uint8_t>({144}))), (Values{1}));
  EXPECT_EQ(values(gcd(array<std::int32_t>({1836311903}), array<std::int32_t>({1134903170}))), (Values{1}));
  EXPECT_EQ(values(gcd(array<std::uint32_t>({2971215073}), array<std::uint32_t>({1836311903}))), (Values{1}));
  EXPECT_EQ(values(gcd(array<std::uint64_t>({12200160415121876738u}),
                       array<std::uint64_t>({7540113804746346429u}))),
            (Values{1}));
  expect_message<TypeError>([] { gcd(kFew, 2); }, {"gcd", "f32", "integers"});
}

TEST(Diff, OfNeighbours) {
  EXPECT_EQ(values(diff(array({1, 2, 4, 7, 0}))), (Values{1, 2, 3, -7}));
  EXPECT_EQ(values(diff(array({1, 2, 4, 7, 0}), 2)), (Values{1, 1, -10}));
  EXPECT_EQ(values(diff(kMatrix, 1, 0)), (Values{-3, 4, 2}));
  EXPECT_EQ(values(diff(array({true, false, false}))), (Values{1, 0}));
  EXPECT_EQ(diff(array({1}), 3).shape(), (Shape{0}));
  EXPECT_EQ(values(diff(array({1, 5}), 0)), (Values{1, 5}));
  expect_message<IndexError>([] { diff(array(1)); }, {"diff", "axis -1"});
}

}  // namespace
}  // namespace weft
