// Section 1 of the interface: what arrays are made of, what they tell, how they print and how they are
// indexed.
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>

#include <unistd.h>

#include <weft/fmt.h>

#include "tests/contract/contract.h"

namespace contract {
namespace {

using namespace weft;

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::string(name) + std::to_string(::getpid()))).string();
}

TEST(Arrays, AUserMayWriteUsingForADtype) {
  using weft::f32;
  EXPECT_EQ(zeros({1}).dtype(), f32);
  EXPECT_EQ(weft::i64, DType::i64);
  for (DType dtype : {b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64})
    EXPECT_EQ(zeros({2}, dtype).dtype(), dtype);
}

TEST(Arrays, AShapeTakesAnyIntegralExtents) {
  const std::vector<int> v(198);
  const Shape shape = {v.size(), 8}, ecg = {192, 334L};
  EXPECT_EQ(shape, (Shape{198, 8u}));
  EXPECT_NE(shape, ecg);
  std::int64_t product = 1;
  for (std::int64_t extent : shape) product *= extent;
  EXPECT_EQ(product, 198 * 8);
  std::ostringstream out;
  out << shape;
  EXPECT_EQ(out.str(), "[198,8]");
  EXPECT_EQ(Shape(std::vector<std::int64_t>(32, 1)).rank(), 32);
  EXPECT_THROW(Shape(std::vector<std::int64_t>(33, 1)), ShapeError);
  EXPECT_THROW((Shape{-1}), ShapeError);
}

TEST(Arrays, AnArrayIsOnePointer) {
  static_assert(sizeof(Array) == sizeof(void*));
  const Array x = array({1.f, 2.f}), same = x;
  EXPECT_EQ(x.data<float>().data(), same.data<float>().data());
}

TEST(Arrays, DefaultDtypes) {
  EXPECT_EQ(zeros({2}).dtype(), f32);
  EXPECT_EQ(ones({2}).dtype(), f32);
  EXPECT_EQ(full({2}, 1.5).dtype(), f32);
  EXPECT_EQ(linspace(0, 1, 3).dtype(), f32);
  EXPECT_EQ(arange(4).dtype(), i32);
  EXPECT_EQ(argmin(array({2.f, 1.f})).dtype(), i32);
  EXPECT_EQ(array({1, 2}).dtype(), i32);
  EXPECT_EQ(array({1.0, 2.0}).dtype(), f64);
  EXPECT_EQ(array({1.f, 2.f}).dtype(), f32);
}

TEST(Arrays, ArgminOfAnExtentBeyond32BitsIs64BitsWide) {
  const auto least = jit([](Array x) { return argmin(x, 0); });
  const std::string text = least.lower(ShapeDtype{{std::int64_t{1} << 31}, i8}).text();
  EXPECT_NE(text.find("-> tensor<i64>"), std::string::npos) << text;
}

TEST(Arrays, FromNestedListsToRankFour) {
  EXPECT_EQ(array<double>({1, 2.5}).dtype(), f64);
  EXPECT_EQ(values(array<double>({{1, 2}, {3, 4}})), (Values{1, 2, 3, 4}));
  EXPECT_EQ(array({{{1, 2}}, {{3, 4}}}).shape(), (Shape{2, 1, 2}));
  EXPECT_EQ(array<float>({{{{1}, {2}}}, {{{3}, {4}}}}).shape(), (Shape{2, 1, 2, 1}));
}

TEST(Arrays, AScalarIsWeaklyTyped) {
  const Array x = 3.0;
  EXPECT_EQ(x.ndim(), 0);
  const Array y = array({1.f, 2.f});
  EXPECT_EQ((2.0 * y).dtype(), f32);
  EXPECT_EQ((x * y).dtype(), f32);
  EXPECT_EQ(values(2.0 * y), (Values{2, 4}));
}

TEST(Arrays, CopyAndViewOfMemory) {
  const auto memory = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const std::span<const float> span(*memory);
  const Array copied = copy_of(span, {2, 2});
  EXPECT_NE(copied.data<float>().data(), memory->data());
  {
    const Array view = view_of(span, {4}, memory);
    EXPECT_EQ(view.data<float>().data(), memory->data());
    EXPECT_EQ(memory.use_count(), 2);
  }
  EXPECT_EQ(memory.use_count(), 1);
}

TEST(Arrays, FilesOfNumpy) {
  const std::string npy = temporary("weft_contract.npy"), npz = temporary("weft_contract.npz");
  save_npy(npy, array({{1.5, 2.5}}));
  EXPECT_EQ(values(load_npy(npy)), (Values{1.5, 2.5}));
  save_npz(npz, {{"a", array({1, 2})}, {"b", array(3.f)}});
  std::map<std::string, Array> both = load_npz(npz);
  EXPECT_EQ(values(both["a"]), (Values{1, 2}));
  EXPECT_EQ(both["b"].dtype(), f32);
  std::filesystem::remove(npy);
  std::filesystem::remove(npz);
}

TEST(Arrays, Constructors) {
  const Array x = array({1.f, 2.f});
  EXPECT_EQ(values(zeros({2})), (Values{0, 0}));
  EXPECT_EQ(values(ones({2}, i8)), (Values{1, 1}));
  EXPECT_EQ(values(full({2}, 7)), (Values{7, 7}));
  EXPECT_EQ(empty({2, 3}).shape(), (Shape{2, 3}));
  EXPECT_EQ(values(eye(2)), (Values{1, 0, 0, 1}));
  EXPECT_EQ(values(arange(1, 7, 2)), (Values{1, 3, 5}));
  EXPECT_EQ(values(linspace(0, 1, 3)), (Values{0, 0.5, 1}));
  EXPECT_EQ(values(logspace(0, 2, 3)), (Values{1, 10, 100}));
  EXPECT_EQ(values(tri(2, 2)), (Values{1, 0, 1, 1}));
  EXPECT_EQ(values(zeros_like(x)), (Values{0, 0}));
  EXPECT_EQ(values(ones_like(x)), (Values{1, 1}));
  EXPECT_EQ(values(full_like(x, 5)), (Values{5, 5}));
  EXPECT_EQ(values(meshgrid({arange(2), arange(2)})[0]), (Values{0, 1, 0, 1}));
  EXPECT_EQ(values(diag(x)), (Values{1, 0, 0, 2}));
}

TEST(Arrays, QueriesAreKnownWhileTracing) {
  const auto f = jit([](Array x) {
    EXPECT_EQ(x.shape(), (Shape{2, 3}));
    EXPECT_EQ(x.shape(-1), 3);
    EXPECT_EQ(x.ndim(), 2);
    EXPECT_EQ(x.size(), 6);
    EXPECT_EQ(x.dtype(), f32);
    EXPECT_EQ(x.nbytes(), 24);
    return x;
  });
  f(zeros({2, 3}));
}

TEST(Arrays, ReadingNeedsTheDtypesOwnType) {
  const Array x = array({{1.f, 2.f}, {3.f, 4.f}});
  EXPECT_EQ(x(0, 1).item<float>(), 2.f);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
  const std::span<const float> data = x.data<float>();
  EXPECT_EQ(data[2], 3.f);
  EXPECT_EQ(x.at<float>(1, 1), 4.f);
  EXPECT_EQ(x.T().data<float>()[1], 3.f);
  EXPECT_THROW(x.data<double>(), TypeError);
  EXPECT_THROW(x.to_vector<int>(), TypeError);
  EXPECT_THROW(x.item<float>(), UserError);
}

TEST(Arrays, ReadingATracedValueNamesTheLineThatComputedTheCondition) {
  std::string line;
  const auto f = jit([&](Array x) {
    line = next_line();
    const Array positive = x > 0;
    if (positive) return x;
    return -x;
  });
  expect_message<TraceError>([&] { f(array(1.f)); }, {"cond", "where", "static"});
  expect_message<TraceError>([&] { f(array(1.f)); }, {line});
}

TEST(Arrays, ReadingATracedValueNamesTheLineThatReadIt) {
  std::string line;
  const auto item = jit([&](Array x) {
    line = next_line();
    return Array(x(0).item<float>());
  });
  expect_message<TraceError>([&] { item(zeros({3})); }, {"f32[]", "static"});
  expect_message<TraceError>([&] { item(zeros({3})); }, {line});
  const auto data = jit([&](Array x) {
    line = next_line();
    return Array(x.data<float>()[0]);
  });
  EXPECT_THROW(data(zeros({3})), TraceError);
  expect_message<TraceError>([&] { data(zeros({3})); }, {"f32[3]", line});
}

TEST(Arrays, AnUpperBoundBeyond32BitsMakesArange64BitsWide) {
  DType dtype = f32;
  jit([&dtype](Array x) {
    dtype = arange(std::int64_t{1} << 31).dtype();
    return x;
  }).lower(zeros({1}));
  EXPECT_EQ(dtype, i64);
}

TEST(Arrays, HalfPrecisionElements) {
  EXPECT_EQ(array({float16(1.5f)}).dtype(), f16);
  EXPECT_EQ(static_cast<float>((array(bfloat16(2.f)) * 1.5).item<bfloat16>()), 3.f);
}

TEST(Arrays, PrintingAValueAndATracedValue) {
  std::ostringstream out;
  out << array({{1, 2}, {3, 4}});
  EXPECT_EQ(out.str(), "[[1 2]\n [3 4]]");
  EXPECT_EQ(fmt::format("{}", array({{1, 2}, {3, 4}})), out.str());
  std::ostringstream cut;
  cut << arange(2000);
  EXPECT_EQ(cut.str(), "[   0    1    2 ... 1997 1998 1999]");
  std::ostringstream traced;
  jit([&](Array x) {
    traced << x;
    return x;
  })(zeros({2, 3}));
  EXPECT_NE(traced.str().find("f32[2,3]"), std::string::npos) << traced.str();
}

TEST(Arrays, DebugPrintPrintsFromCompiledCode) {
  const auto f = jit([](Array x) {
    debug_print("x = {}", x);
    return x;
  });
  testing::internal::CaptureStdout();
  f(array({1, 2}));
  f(array({3, 4}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x = [1 2]\nx = [3 4]\n");
}

TEST(Arrays, ReshapeTakesOneExtentOfMinusOne) {
  EXPECT_EQ(zeros({4, 3}).reshape({2, -1}).shape(), (Shape{2, 6}));
  EXPECT_THROW(zeros({4}).reshape({-1, -1}), ShapeError);
}

TEST(Arrays, EqualityGivesAnArray) {
  const Array same = array({1, 2}) == array({1, 3});
  EXPECT_EQ(same.dtype(), b1);
  EXPECT_EQ(values(same), (Values{1, 0}));
}

TEST(Arrays, OperationsOnConcreteArraysRunAtOnce) {
  const Array y = exp(array({0.f, 1.f})) + 1;
  EXPECT_FALSE(y.is_traced());
  EXPECT_FLOAT_EQ(y.data<float>()[1], std::exp(1.f) + 1);
}

TEST(Arrays, NoImplicitWideningOfF32ToF64) {
  EXPECT_EQ((array({1.f}) * 3.14).dtype(), f32);
  EXPECT_EQ((array({1.f}) + array({1})).dtype(), f32);
  EXPECT_EQ((array({1}) + 0.5).dtype(), f32);
  EXPECT_EQ((array({1.f}) + array({1.0})).dtype(), f64);
}

TEST(Arrays, IndexingWithSlicesIntegersAndNewAxes) {
  const Array x = arange(12).reshape({3, 4});
  EXPECT_EQ(values(x(1)), (Values{4, 5, 6, 7}));
  EXPECT_EQ(values(x(_, 1)), (Values{1, 5, 9}));
  EXPECT_EQ(values(x(-1, -1)), (Values{11}));
  EXPECT_EQ(x(ellipsis, slice(_, -1), newaxis).shape(), (Shape{3, 3, 1}));
  EXPECT_EQ(values(arange(12)(slice(9, _, -2))), (Values{9, 7, 5, 3, 1}));
  EXPECT_EQ(arange(20)(slice(_, -19)).size(), 1);
  EXPECT_THROW(x(3), IndexError);
  EXPECT_THROW(jit([](Array y) { return y(5); })(x), IndexError);
}

TEST(Arrays, AnIndexArrayWrapsOnceThenIsClamped) {
  const Array x = array({10, 20, 30});
  EXPECT_EQ(values(x(array({-1, 5, -7, 1}))), (Values{30, 30, 10, 20}));
  EXPECT_THROW(jit([](Array y) { return y(y > 10); })(x), UserError);
}

}  // namespace
}  // namespace contract
