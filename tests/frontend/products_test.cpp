// dot, matmul, einsum and convolutions by the rules of NumPy and SciPy, with values worked out by hand.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using signal::ConvolveMode;
using testing::expect_message;
using testing::expect_near;
using testing::Values;
using testing::values;

const Array kRow = array({1.f, 2.f, 3.f});
const Array kMatrix = arange(6, f32).reshape({2, 3});
const Array kTall = arange(12, f32).reshape({3, 4});
const Array kStack = arange(24, f32).reshape({2, 3, 4});

TEST(Dot, FollowsNumPysRules) {
  EXPECT_EQ(values(dot(kRow, kRow)), (Values{14}));
  EXPECT_EQ(values(dot(kMatrix, kRow)), (Values{8, 26}));
  EXPECT_EQ(values(dot(kMatrix, kTall)), (Values{20, 23, 26, 29, 56, 68, 80, 92}));
  EXPECT_EQ(values(dot(kRow, kStack)), (Values{32, 38, 44, 50, 104, 110, 116, 122}));
  EXPECT_EQ(dot(kMatrix, kStack).shape(), (Shape{2, 2, 4}));
  EXPECT_EQ(values(dot(kMatrix, kStack)),
            (Values{20, 23, 26, 29, 56, 59, 62, 65, 56, 68, 80, 92, 200, 212, 224, 236}));
  EXPECT_EQ(values(dot(2, kRow)), (Values{2, 4, 6}));
  EXPECT_EQ(values(dot(zeros({0}), zeros({0}))), (Values{0}));
}

TEST(Dot, PromotesDtypes) {
  EXPECT_EQ(dot(array({1, 2}), array({0.5f, 1.f})).dtype(), f32);
  EXPECT_EQ(dot(array({1, 2}), array({3, 4})).dtype(), i32);
  EXPECT_EQ(dot(kRow.astype(f16), kRow.astype(f16)).dtype(), f16);
  EXPECT_EQ(dot(kRow.astype(f16), kRow.astype(bf16)).dtype(), f32);
  EXPECT_EQ(dot(kRow.astype(f64), kRow).dtype(), f64);
  EXPECT_EQ(values(dot(array<std::int8_t>({100, 100}), array<std::int8_t>({1, 1}))), (Values{-56}))
      << "integers wrap";
  EXPECT_EQ(values(dot(array({true, false}), array({true, true}))), (Values{1}));
}

TEST(Dot, OfHalvesIsSummedInF32) {
  const Array many = ones({4096}, f16);
  EXPECT_EQ(values(dot(many, many)), (Values{4096})) << "a sum in f16 would stop at 2048";
  const Array small = full({4096}, 0.01, bf16);
  const double term = values(small)[0] * values(small)[0];
  EXPECT_NEAR(values(dot(small, small))[0], 4096 * term, 4096 * term / 256);
}

TEST(Dot, RefusesWhatDoesNotFit) {
  expect_message<ShapeError>([] { dot(kRow, kTall.T()); }, {"dot", "f32[3]", "f32[4,3]", "3 and 4"});
  expect_message<ShapeError>([] { dot(kMatrix, kMatrix); },
                             {"dot", "f32[2,3]", "3 and 2", "products_test.cpp"});
}

TEST(Inner, TakesTheLastAxes) {
  EXPECT_EQ(values(inner(kMatrix, kRow)), (Values{8, 26}));
  EXPECT_EQ(values(inner(kMatrix, kMatrix + 1)), (Values{8, 17, 26, 62}));
  EXPECT_EQ(values(inner(kRow, 3)), (Values{3, 6, 9}));
  expect_message<ShapeError>([] { inner(kMatrix, kTall); }, {"inner", "3 and 4"});
}

TEST(OuterAndVdot, FlattenTheirOperands) {
  EXPECT_EQ(values(outer(kRow, array({10.f, 20.f}))), (Values{10, 20, 20, 40, 30, 60}));
  EXPECT_EQ(outer(kMatrix, kTall).shape(), (Shape{6, 12}));
  EXPECT_EQ(values(outer(2, 3)), (Values{6}));
  EXPECT_EQ(values(vdot(kMatrix, kMatrix)), (Values{55}));
  EXPECT_EQ(values(vdot(kMatrix, arange(6))), (Values{55}));
  expect_message<ShapeError>([] { vdot(kMatrix, kRow); }, {"vdot", "6 and 3"});
}

TEST(Matmul, BroadcastsAllButTheLastAxes) {
  EXPECT_EQ(values(matmul(kMatrix, kTall)), (Values{20, 23, 26, 29, 56, 68, 80, 92}));
  EXPECT_EQ(values(matmul(kRow, kTall)), (Values{32, 38, 44, 50}));
  EXPECT_EQ(values(matmul(kMatrix, kRow)), (Values{8, 26}));
  EXPECT_EQ(values(matmul(kMatrix, kStack)),
            (Values{20, 23, 26, 29, 56, 68, 80, 92, 56, 59, 62, 65, 200, 212, 224, 236}));
  EXPECT_EQ(values(matmul(kRow, kStack)), (Values{32, 38, 44, 50, 104, 110, 116, 122}));
  EXPECT_EQ(values(matmul(kStack, array({1.f, 0.f, 0.f, -1.f}))), (Values{-3, -3, -3, -3, -3, -3}));
  EXPECT_EQ(matmul(zeros({5, 1, 2, 3}), zeros({4, 3, 7})).shape(), (Shape{5, 4, 2, 7}));
  EXPECT_EQ(matmul(kStack, zeros({4, 5})).shape(), (Shape{2, 3, 5}));
  const Array batched = matmul(kStack, kStack.transpose({0, 2, 1}));
  EXPECT_EQ(values(batched), (Values{14, 38, 62, 38, 126, 214, 62, 214, 366, 734, 950, 1166, 950, 1230, 1510,
                                     1166, 1510, 1854}));
  expect_message<ShapeError>([] { matmul(kRow, 2); }, {"matmul", "f32[3]", "scalar"});
  expect_message<ShapeError>(
      [] {
        matmul(zeros({2, 2, 3}), zeros({3, 3, 2}));
      },
      {"matmul", "f32[2,2,3]", "f32[3,3,2]", "do not broadcast"});
}

TEST(Tensordot, TakesNumbersOrListsOfAxes) {
  EXPECT_EQ(values(tensordot(kMatrix, kMatrix)), (Values{55}));
  EXPECT_EQ(values(tensordot(kMatrix, kTall, 1)), (Values{20, 23, 26, 29, 56, 68, 80, 92}));
  EXPECT_EQ(tensordot(kMatrix, kTall, 0).shape(), (Shape{2, 3, 3, 4}));
  EXPECT_EQ(values(tensordot(kStack, kMatrix, {{0, 1}, {0, 1}})), (Values{220, 235, 250, 265}));
  EXPECT_EQ(values(tensordot(kStack, kMatrix, {{1, 0}, {-1, 0}})), (Values{220, 235, 250, 265}));
  EXPECT_EQ(values(tensordot(kMatrix, kTall, {{1}, {0}})), values(dot(kMatrix, kTall)));
  expect_message<ShapeError>([] { tensordot(kRow, kRow, 2); }, {"tensordot", "2 axes", "f32[3]"});
  expect_message<IndexError>([] { tensordot(kRow, kRow, {{1}, {0}}); }, {"tensordot", "axis 1"});
}

TEST(Einsum, OfOneOperand) {
  const Array square = arange(9, f32).reshape({3, 3});
  EXPECT_EQ(values(einsum("ii", square)), (Values{12}));
  EXPECT_EQ(values(einsum("ii->i", square)), (Values{0, 4, 8}));
  EXPECT_EQ(values(einsum("ij->ji", kMatrix)), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(einsum("ba", kMatrix)), (Values{0, 3, 1, 4, 2, 5}))
      << "the output is in alphabetical order";
  EXPECT_EQ(values(einsum("ij->i", kMatrix)), (Values{3, 12}));
  EXPECT_EQ(values(einsum("ij->", kMatrix)), (Values{15}));
  EXPECT_EQ(values(einsum("...j->j...", kMatrix)), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(einsum("iij->ji", arange(8, f32).reshape({2, 2, 2}))), (Values{0, 6, 1, 7}));
  EXPECT_EQ(values(einsum("iii", arange(8, f32).reshape({2, 2, 2}))), (Values{7}));
}

TEST(Einsum, OfSeveralOperands) {
  EXPECT_EQ(values(einsum("ij,jk->ik", kMatrix, kTall)), values(dot(kMatrix, kTall)));
  EXPECT_EQ(values(einsum("ij,jk", kMatrix, kTall)), values(dot(kMatrix, kTall)));
  EXPECT_EQ(values(einsum("ij,jk->ki", kMatrix, kTall)), (Values{20, 56, 23, 68, 26, 80, 29, 92}));
  EXPECT_EQ(values(einsum("i,i", kRow, kRow)), (Values{14}));
  EXPECT_EQ(values(einsum("i,j->ij", kRow, array({10, 20}))), (Values{10, 20, 20, 40, 30, 60}));
  EXPECT_EQ(values(einsum("bij,jk,k->bi", kStack, kTall.T(), kRow)),
            (Values{276, 932, 1588, 2244, 2900, 3556}));
  EXPECT_EQ(values(einsum("i,i,i->", kRow, kRow, kRow)), (Values{36}));
  EXPECT_EQ(values(einsum("...ij,...jk->...ik", kMatrix, kStack)), values(matmul(kMatrix, kStack)));
  EXPECT_EQ(values(einsum("...ij,...jk", kMatrix, kStack)), values(matmul(kMatrix, kStack)));
  EXPECT_EQ(values(einsum("ij,ij->i", kMatrix, kMatrix)), (Values{5, 50}));
  EXPECT_EQ(values(einsum("i, i -> i", {kRow, array({2.f, 2.f, 2.f})})), (Values{2, 4, 6}));
  EXPECT_EQ(values(einsum("ij,jj->i", kMatrix, arange(9, f32).reshape({3, 3}))), (Values{20, 56}));
  EXPECT_EQ(values(einsum("i,i->", array({3.f}), kRow)), (Values{18})) << "an extent of 1 repeats";
  EXPECT_EQ(values(einsum("ij,k->", kMatrix, kRow)), (Values{90}));
  EXPECT_EQ(values(einsum("i,->i", kRow, 2)), (Values{2, 4, 6}));
  EXPECT_EQ(einsum("i,i", array({1, 2}), array({1, 2})).dtype(), i32);
}

TEST(Einsum, RefusesWhatCannotBe) {
  expect_message<TypeError>([] { einsum("i,i", kRow); }, {"einsum", "2 operands", "there are 1"});
  expect_message<ShapeError>([] { einsum("ij", kRow); }, {"einsum", "ij", "f32[3]"});
  expect_message<ShapeError>([] { einsum("i,i", kRow, zeros({4})); }, {"einsum", "axis i", "3", "4"});
  expect_message<ShapeError>([] { einsum("ii", kMatrix); }, {"einsum", "f32[2,3]"});
  expect_message<TypeError>([] { einsum("i->j", kRow); }, {"einsum", "names j"});
  expect_message<TypeError>([] { einsum("i->ii", kRow); }, {"einsum", "i twice"});
  expect_message<TypeError>([] { einsum("i1", kMatrix); }, {"einsum", "'1'"});
  expect_message<TypeError>([] { einsum("...i->i", kMatrix); }, {"einsum", "lacks the ..."});
}

TEST(DotGeneral, HasItsDimensions) {
  const Array batched = lax::dot_general(
      kStack, kStack, {.lhs_contracting = {2}, .rhs_contracting = {2}, .lhs_batch = {0}, .rhs_batch = {0}});
  EXPECT_EQ(values(batched), values(matmul(kStack, kStack.transpose({0, 2, 1}))));
  const Array bytes = array<std::int8_t>({100, 100});
  EXPECT_EQ(
      values(lax::dot_general(
          bytes, bytes, {.lhs_contracting = {0}, .rhs_contracting = {0}, .preferred_element_type = i32})),
      (Values{20000}));
  expect_message<TypeError>(
      [] {
        lax::dot_general(kRow, kRow,
                         {.lhs_contracting = {0}, .rhs_contracting = {0}, .preferred_element_type = i32});
      },
      {"dot_general", "i32"});
}

TEST(Products, UnderJitAndVmap) {
  const auto f = jit([](Array x, Array y) { return dot(exp(x), y) + 1; });
  expect_near(f(zeros({2, 3}), kTall), {13, 16, 19, 22, 13, 16, 19, 22}, 1e-5);
  const auto rows = vmap([](Array row, Array matrix) { return dot(row, matrix); }, {0, none});
  EXPECT_EQ(values(rows(kMatrix, kTall)), values(dot(kMatrix, kTall)));
  const auto columns = vmap([](Array matrix, Array column) { return dot(matrix, column); }, {none, 1});
  EXPECT_EQ(values(columns(kMatrix, kTall)), (Values{20, 56, 23, 68, 26, 80, 29, 92}));
  const auto both = vmap([](Array a, Array b) { return einsum("i,j->ij", a, b); });
  EXPECT_EQ(values(both(kMatrix, array({{1, 2}, {3, 4}}))),
            (Values{0, 0, 1, 2, 2, 4, 9, 12, 12, 16, 15, 20}));
}

TEST(Convolve, HasSciPysModes) {
  const Array x = array({1.f, 2.f, 3.f, 4.f}), k = array({1.f, 0.f, -1.f});
  EXPECT_EQ(values(signal::convolve(x, k)), (Values{1, 2, 2, 2, -3, -4}));
  EXPECT_EQ(values(signal::convolve(x, k, ConvolveMode::same)), (Values{2, 2, 2, -3}));
  EXPECT_EQ(values(signal::convolve(x, k, ConvolveMode::valid)), (Values{2, 2}));
  EXPECT_EQ(values(signal::convolve(k, x)), (Values{1, 2, 2, 2, -3, -4})) << "it commutes";
  EXPECT_EQ(values(signal::convolve(k, x, ConvolveMode::valid)), (Values{2, 2}));
  EXPECT_EQ(values(signal::convolve(k, x, ConvolveMode::same)), (Values{2, 2, 2}))
      << "as long as the first one";
  EXPECT_EQ(values(signal::convolve(x, array({1.f, 2.f}), ConvolveMode::same)), (Values{1, 4, 7, 10}));
  EXPECT_EQ(values(signal::convolve(array({1.f, 2.f}), x, ConvolveMode::same)), (Values{4, 7}));
  EXPECT_EQ(values(signal::convolve(x, array({2.f}))), (Values{2, 4, 6, 8}));
}

TEST(Convolve, OfIntegersStaysExact) {
  const Array sum = signal::convolve(array({1, 2, 3}), array({4, 5}));
  EXPECT_EQ(sum.dtype(), i32);
  EXPECT_EQ(values(sum), (Values{4, 13, 22, 15}));
  EXPECT_EQ(signal::convolve(array({1, 2}), kRow).dtype(), f32);
  EXPECT_EQ(signal::convolve(kRow.astype(f16), kRow.astype(f16)).dtype(), f16);
}

TEST(Convolve, OfMatrices) {
  const Array x = arange(12, f32).reshape({3, 4}), k = array({{1.f, 2.f}, {0.f, -1.f}});
  EXPECT_EQ(values(signal::convolve2d(x, k)),
            (Values{0, 1, 4, 7, 6, 4, 13, 15, 17, 11, 8, 21, 23, 25, 15, 0, -8, -9, -10, -11}));
  EXPECT_EQ(values(signal::convolve(x, k, ConvolveMode::valid)), (Values{13, 15, 17, 21, 23, 25}));
  EXPECT_EQ(values(signal::convolve2d(x, k, ConvolveMode::same)),
            (Values{0, 1, 4, 7, 4, 13, 15, 17, 8, 21, 23, 25}));
  EXPECT_EQ(values(signal::correlate2d(x, k, ConvolveMode::valid)), (Values{-3, -1, 1, 5, 7, 9}));
  expect_message<ShapeError>([] { signal::convolve2d(kRow, kRow); }, {"convolve2d", "f32[3]", "matrices"});
}

TEST(Correlate, IsConvolutionWithTheReversed) {
  const Array x = array({1.f, 2.f, 3.f, 4.f}), k = array({1.f, 0.f, -2.f});
  EXPECT_EQ(values(signal::correlate(x, k)), (Values{-2, -4, -5, -6, 3, 4}));
  EXPECT_EQ(values(signal::correlate(k, x)), (Values{4, 3, -6, -5, -4, -2}));
  EXPECT_EQ(values(signal::correlate(x, k, ConvolveMode::same)), (Values{-4, -5, -6, 3}));
  EXPECT_EQ(values(signal::correlate(x, k, ConvolveMode::valid)), (Values{-5, -6}));
  EXPECT_EQ(values(signal::correlate(k, x, ConvolveMode::valid)), (Values{-6, -5}));
}

TEST(Convolve, RefusesWhatDoesNotFit) {
  expect_message<ShapeError>([] { signal::convolve(kRow, kMatrix); }, {"convolve", "f32[3]", "f32[2,3]"});
  expect_message<ShapeError>([] { signal::convolve(kRow, zeros({0})); }, {"convolve", "no elements"});
  expect_message<ShapeError>(
      [] {
        signal::convolve(zeros({2, 3}), zeros({3, 2}), ConvolveMode::valid);
      },
      {"convolve", "[2,3]", "[3,2]", "inside"});
}

TEST(Convolve, UnderVmapIsOneConvolution) {
  const auto columns = vmap(
      [](Array x) {
        return signal::convolve(array({1.f, 1.f}), x);
      },
      {.in_axes = {1}, .out_axes = 1});
  EXPECT_EQ(values(columns(kMatrix)), (Values{0, 1, 2, 3, 5, 7, 3, 4, 5}));
  const auto kernels = vmap([](Array k) { return signal::convolve(array({1.f, 2.f, 3.f}), k); });
  EXPECT_EQ(values(kernels(array({{1.f, 1.f}, {0.f, 2.f}}))), (Values{1, 3, 5, 3, 0, 2, 4, 6}));
  const auto both = vmap([](Array x, Array k) { return signal::convolve(x, k); });
  EXPECT_EQ(values(both(kMatrix, array({{1.f, 1.f}, {0.f, 2.f}}))), (Values{0, 1, 3, 2, 0, 6, 8, 10}));
}

TEST(Conv, SlidesTheKernelOverImages) {
  const Array x = arange(16, f32).reshape({1, 1, 4, 4}),
              k = array({{1.f, 0.f}, {0.f, -1.f}}).reshape({1, 1, 2, 2});
  EXPECT_EQ(values(lax::conv(x, k, {1, 1}, lax::Padding::valid)),
            (Values{-5, -5, -5, -5, -5, -5, -5, -5, -5}));
  EXPECT_EQ(values(lax::conv(x, k, {2, 2}, lax::Padding::same)), (Values{-5, -5, -5, -5}));
  EXPECT_EQ(values(lax::conv(x, k, {1, 1}, lax::Padding::same)),
            (Values{-5, -5, -5, 3, -5, -5, -5, 7, -5, -5, -5, 11, 12, 13, 14, 15}));
  EXPECT_EQ(values(lax::conv(x, k, {1, 1}, lax::Padding::same_lower)),
            (Values{0, -1, -2, -3, -4, -5, -5, -5, -8, -5, -5, -5, -12, -5, -5, -5}));
}

TEST(Conv, HasItsOptions) {
  const Array x = arange(8, f32).reshape({1, 4, 2}), k = array({1.f, 10.f, 2.f, 20.f}).reshape({2, 2, 1});
  const Array mixed =
      lax::conv_general_dilated(x, k, {1}, {{1, 0}}, {.dimension_numbers = {"NWC", "WIO", "NWC"}});
  EXPECT_EQ(mixed.shape(), (Shape{1, 4, 1}));
  EXPECT_EQ(values(mixed), (Values{20, 74, 140, 206}));
  const Array line = array({1.f, 2.f, 3.f}).reshape({1, 1, 3}), ones2 = ones({1, 1, 2});
  EXPECT_EQ(values(lax::conv_general_dilated(line, ones2, {1}, {{1, 1}}, {.lhs_dilation = {2}})),
            (Values{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(values(lax::conv_general_dilated(line, ones2, {1}, {{1, 1}}, {.rhs_dilation = {2}})),
            (Values{2, 4, 2}));
  EXPECT_EQ(values(lax::conv_general_dilated(line, ones2, {1}, {{-1, 0}})), (Values{5}));
  const Array two = arange(6, f32).reshape({1, 2, 3});
  const Array depthwise = lax::conv_general_dilated(two, array({1.f, 1.f, 1.f, -1.f}).reshape({2, 1, 2}), {1},
                                                    lax::Padding::valid, {.feature_group_count = 2});
  EXPECT_EQ(values(depthwise), (Values{1, 3, -1, -1}));
  const Array grouped = lax::conv_general_dilated(arange(6, f32).reshape({2, 1, 3}),
                                                  array({1.f, 1.f, 1.f, -1.f}).reshape({2, 1, 2}), {1},
                                                  lax::Padding::valid, {.batch_group_count = 2});
  EXPECT_EQ(values(grouped), (Values{1, 3, -1, -1}));
  EXPECT_EQ(lax::conv_general_dilated(line.astype(f16), ones2.astype(f16), {1}, lax::Padding::valid,
                                      {.preferred_element_type = f32})
                .dtype(),
            f32);
}

TEST(Conv, RefusesWhatCannotBe) {
  expect_message<ShapeError>([] { lax::conv(kRow, kRow, {}, lax::Padding::valid); }, {"conv", "f32[3]"});
  expect_message<ShapeError>(
      [] {
        lax::conv(zeros({1, 2, 5}), zeros({1, 3, 2}), {1}, lax::Padding::valid);
      },
      {"conv", "2 features", "takes 3"});
  expect_message<TypeError>(
      [] {
        lax::conv_general_dilated(zeros({1, 2, 5}), zeros({1, 2, 2}), {1}, lax::Padding::valid,
                                  {.dimension_numbers = {"NCX", "OIY", "NCX"}});
      },
      {"OIY", "X"});
}

}  // namespace
}  // namespace weft
