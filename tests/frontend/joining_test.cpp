// Joining, splitting and padding, with values from NumPy.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

const Array kRow = array({1.f, 2.f, 3.f}), kOther = array({4.f, 5.f});
const Array kMatrix = arange(6).reshape({2, 3});

TEST(Concatenate, JoinsAlongAnAxis) {
  EXPECT_EQ(values(concatenate({kRow, kOther})), (Values{1, 2, 3, 4, 5}));
  EXPECT_EQ(values(concatenate({kMatrix, kMatrix}, 0)), (Values{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values(concatenate({kMatrix, kMatrix + 10}, -1)),
            (Values{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15}));
  EXPECT_EQ(values(concatenate({kRow})), (Values{1, 2, 3}));
  EXPECT_EQ(concatenate({zeros({0}), kRow, zeros({0})}).shape(), (Shape{3}));
}

TEST(Concatenate, PromotesDtypes) {
  EXPECT_EQ(concatenate({array({1, 2}), array({0.5f})}).dtype(), f32);
  EXPECT_EQ(concatenate({array({true}), array({2})}).dtype(), i32);
}

TEST(Concatenate, OfComputedValuesInsideAProgram) {
  const auto f = jit([](Array x, Array y) {
    const Array both = concatenate({x * 2, y.T(), flip(x)}, 1);
    return std::tuple{both, sum(both), sum(both, 0), both(_, slice(_, _, -2))};
  });
  const Array x = arange(4).reshape({2, 2}), y = arange(6).reshape({3, 2});
  const auto [both, total, columns, backwards] = f(x, y);
  EXPECT_EQ(values(both), (Values{0, 2, 0, 2, 4, 3, 2, 4, 6, 1, 3, 5, 1, 0}));
  EXPECT_EQ(values(total), (Values{33}));
  EXPECT_EQ(values(columns), (Values{4, 8, 1, 5, 9, 4, 2}));
  EXPECT_EQ(values(backwards), (Values{2, 4, 0, 0, 0, 5, 1, 4}));
}

TEST(Concatenate, UnderVmap) {
  const auto rows = vmap([](Array row, Array same) { return concatenate({row, same, row}); }, {0, none});
  EXPECT_EQ(values(rows(kMatrix, array({9}))), (Values{0, 1, 2, 9, 0, 1, 2, 3, 4, 5, 9, 3, 4, 5}));
  const auto columns = vmap([](Array column) { return stack({column, column * 2}); }, 1);
  EXPECT_EQ(columns(kMatrix).shape(), (Shape{3, 2, 2}));
  EXPECT_EQ(values(columns(kMatrix)), (Values{0, 3, 0, 6, 1, 4, 2, 8, 2, 5, 4, 10}));
}

TEST(Concatenate, RefusesWhatDoesNotFit) {
  expect_message<ShapeError>([] { concatenate({kRow, kMatrix}); }, {"concatenate", "f32[3]", "f32[2,3]"});
  expect_message<ShapeError>(
      [] {
        concatenate({kMatrix, zeros({2, 4})});
      },
      {"concatenate", "[2,3]", "[2,4]", "dimension 0"});
  expect_message<ShapeError>([] { concatenate({array(1), array(2)}); }, {"concatenate", "stack"});
  expect_message<TypeError>([] { concatenate({}); }, {"concatenate", "no array"});
  expect_message<IndexError>([] { concatenate({kRow}, 1); }, {"concatenate", "axis 1"});
}

TEST(Stack, MakesANewAxis) {
  EXPECT_EQ(stack({kRow, kRow, kRow, kRow}).shape(), (Shape{4, 3}));
  EXPECT_EQ(values(stack({kRow, kRow + 10}, -1)), (Values{1, 11, 2, 12, 3, 13}));
  EXPECT_EQ(values(stack({array(1), array(2)})), (Values{1, 2}));
  expect_message<ShapeError>([] { stack({kRow, kOther}); }, {"stack", "f32[3]", "f32[2]"});
}

TEST(Stack, OfRowsColumnsAndDepth) {
  EXPECT_EQ(vstack({kRow, kRow}).shape(), (Shape{2, 3}));
  EXPECT_EQ(hstack({kRow, kOther}).shape(), (Shape{5}));
  EXPECT_EQ(hstack({kMatrix, kMatrix}).shape(), (Shape{2, 6}));
  EXPECT_EQ(dstack({kRow, kRow}).shape(), (Shape{1, 3, 2}));
  EXPECT_EQ(values(column_stack({kRow, kRow * 2})), (Values{1, 2, 2, 4, 3, 6}));
  EXPECT_EQ(values(append(kMatrix, array({7, 8}))), (Values{0, 1, 2, 3, 4, 5, 7, 8}));
  EXPECT_EQ(values(append(kMatrix, array({{7, 8, 9}}), 0)), (Values{0, 1, 2, 3, 4, 5, 7, 8, 9}));
}

TEST(Split, IntoEqualPartsOrAtPositions) {
  const std::vector<Array> halves = split(arange(6), 2);
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_EQ(values(halves[1]), (Values{3, 4, 5}));
  const std::vector<Array> parts = split(arange(6), {2, 3, -1});
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(values(parts[2]), (Values{3, 4}));
  EXPECT_EQ(values(split(kMatrix, 3, 1)[2]), (Values{2, 5}));
  const std::vector<Array> uneven = array_split(arange(7), 3);
  EXPECT_EQ(values(uneven[0]), (Values{0, 1, 2}));
  EXPECT_EQ(values(uneven[2]), (Values{5, 6}));
  EXPECT_EQ(values(hsplit(kMatrix, 3)[1]), (Values{1, 4}));
  EXPECT_EQ(values(vsplit(kMatrix, 2)[1]), (Values{3, 4, 5}));
  EXPECT_EQ(values(unstack(kMatrix)[1]), (Values{3, 4, 5}));
  expect_message<ShapeError>([] { split(arange(7), 3); }, {"split", "i32[7]", "3 equal parts"});
}

TEST(Pad, HasNumPysModes) {
  const Array x = array({1.f, 2.f, 4.f});
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::edge})), (Values{1, 1, 1, 2, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::edge})),
            (Values{1, 1, 1, 1, 1, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::reflect})), (Values{4, 2, 1, 2, 4, 2}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::reflect})),
            (Values{2, 1, 2, 4, 2, 1, 2, 4, 2, 1, 2, 4, 2, 1, 2}));
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::symmetric})), (Values{2, 1, 1, 2, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::symmetric})),
            (Values{2, 4, 4, 2, 1, 1, 2, 4, 4, 2, 1, 1, 2, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::wrap})), (Values{2, 4, 1, 2, 4, 1}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::wrap})),
            (Values{2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1}));
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::maximum})), (Values{4, 4, 1, 2, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::maximum})),
            (Values{4, 4, 4, 4, 4, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(values(pad(x, std::pair{2, 1}, {.mode = PadMode::minimum})), (Values{1, 1, 1, 2, 4, 1}));
  EXPECT_EQ(values(pad(x, std::pair{5, 7}, {.mode = PadMode::minimum})),
            (Values{1, 1, 1, 1, 1, 1, 2, 4, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(pad(array({1.f, 2.f, 3.f}), std::pair{2, 1}, {.mode = PadMode::mean})),
            (Values{2, 2, 1, 2, 3, 2}));
  EXPECT_EQ(values(pad(array({1.f, 2.f, 3.f}), std::pair{5, 7}, {.mode = PadMode::mean})),
            (Values{2, 2, 2, 2, 2, 1, 2, 3, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(values(pad(x, std::pair{2, 4}, {.mode = PadMode::linear_ramp})),
            (Values{0, 0.5, 1, 2, 4, 3, 2, 1, 0}));
  EXPECT_EQ(values(pad(array({1, 2, 7}), 3, {.mode = PadMode::mean})), (Values{3, 3, 3, 1, 2, 7, 3, 3, 3}));
  EXPECT_EQ(values(pad(x, 2, {.mode = PadMode::maximum, .stat_length = 2})), (Values{2, 2, 1, 2, 4, 4, 4}));
  EXPECT_EQ(values(pad(array({4, 9}), 3, {.mode = PadMode::linear_ramp, .end_values = 1})),
            (Values{1, 2, 3, 4, 9, 6, 3, 1}));
}

TEST(Pad, OfSeveralAxes) {
  EXPECT_EQ(values(pad(kMatrix, {{1, 0}, {0, 2}}, {.constant_values = 7})),
            (Values{7, 7, 7, 7, 7, 0, 1, 2, 7, 7, 3, 4, 5, 7, 7}));
  EXPECT_EQ(values(pad(kMatrix, 1)), (Values{0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 5, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(
      values(pad(kMatrix, {{1, 2}, {2, 1}}, {.mode = PadMode::reflect})),
      (Values{5, 4, 3, 4, 5, 4, 2, 1, 0, 1, 2, 1, 5, 4, 3, 4, 5, 4, 2, 1, 0, 1, 2, 1, 5, 4, 3, 4, 5, 4}));
  EXPECT_EQ(
      values(pad(kMatrix, {{1, 2}, {2, 1}}, {.mode = PadMode::wrap})),
      (Values{4, 5, 3, 4, 5, 3, 1, 2, 0, 1, 2, 0, 4, 5, 3, 4, 5, 3, 1, 2, 0, 1, 2, 0, 4, 5, 3, 4, 5, 3}));
  EXPECT_EQ(
      values(pad(kMatrix, {{1, 2}, {2, 1}}, {.mode = PadMode::edge})),
      (Values{0, 0, 0, 1, 2, 2, 0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 5, 5, 3, 3, 3, 4, 5, 5, 3, 3, 3, 4, 5, 5}));
}

TEST(DynamicUpdateSlice, ReplacesABox) {
  const Array box = array({{8, 9}});
  EXPECT_EQ(values(lax::dynamic_update_slice(kMatrix, box, {1, 0})), (Values{0, 1, 2, 8, 9, 5}));
  EXPECT_EQ(values(lax::dynamic_update_slice(kMatrix, box, {7, 7})), (Values{0, 1, 2, 3, 8, 9}))
      << "starts are clamped";
  EXPECT_EQ(values(lax::dynamic_update_index_in_dim(kMatrix, array({7, 8}), 1, 1)),
            (Values{0, 7, 2, 3, 8, 5}));
  EXPECT_EQ(values(lax::dynamic_update_slice(array(1), array(2), {})), (Values{2}));
  const auto f = jit([](Array x, Array i) {
    const Array y = lax::dynamic_update_slice(x * 2, x(0, slice(0, 1)).reshape({1, 1}) + 40, {i, sum(i)});
    return std::pair{y, sum(y)};
  });
  const auto [y, total] = f(kMatrix, array(1));
  EXPECT_EQ(values(y), (Values{0, 2, 4, 6, 40, 10}));
  EXPECT_EQ(values(total), (Values{62}));
}

TEST(DynamicUpdateSlice, UnderVmap) {
  const auto at_own_place = vmap([](Array row, Array i) {
    return lax::dynamic_update_slice(row, array({9, 9}), {i});
  });
  EXPECT_EQ(values(at_own_place(kMatrix, array({0, 5}))), (Values{9, 9, 2, 3, 9, 9}));
  const auto at_one_place = vmap(
      [](Array row, Array i) { return lax::dynamic_update_slice(row, row(slice(0, 1)), {i}); }, {0, none});
  EXPECT_EQ(values(at_one_place(kMatrix, array(2))), (Values{0, 1, 0, 3, 4, 3}));
}

TEST(DynamicUpdateSlice, RefusesWhatDoesNotFit) {
  expect_message<ShapeError>(
      [] {
        lax::dynamic_update_slice(kMatrix, zeros({3, 1}, i32), {0, 0});
      },
      {"dynamic_update_slice", "i32[3,1]", "dimension 0", "i32[2,3]"});
  expect_message<TypeError>(
      [] {
        lax::dynamic_update_slice(kMatrix, array({1}), {0, 0});
      },
      {"dynamic_update_slice", "i32[1]"});
}

TEST(Pad, WithNegativeAndInteriorPadding) {
  EXPECT_EQ(values(lax::pad(arange(4), 9, {{-1, 2, 1}})), (Values{9, 1, 9, 2, 9, 3, 9, 9}));
  EXPECT_EQ(values(lax::pad(arange(4), 9, {{0, -2, 0}})), (Values{0, 1}));
  EXPECT_EQ(values(lax::pad(arange(4), 9, {{-3, -1, 0}})), (Values{}));
  EXPECT_EQ(values(lax::pad(zeros({0}), 9, {{2, 1, 3}})), (Values{9, 9, 9}));
  EXPECT_EQ(values(lax::pad(kMatrix, -1, {{1, 0, 0}, {0, 1, 1}})),
            (Values{-1, -1, -1, -1, -1, -1, 0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1}));
}

TEST(Pad, UnderVmapWithItsOwnValue) {
  const auto f = vmap([](Array row, Array value) {
    return pad(row, std::pair{1, 2}, {.constant_values = value});
  });
  EXPECT_EQ(values(f(kMatrix, array({7, 8}))), (Values{7, 0, 1, 2, 7, 7, 8, 3, 4, 5, 8, 8}));
}

TEST(Pad, RefusesWhatCannotBe) {
  expect_message<ShapeError>([] { pad(kRow, -1); }, {"pad", "-1"});
  expect_message<ShapeError>([] { pad(kRow, {{1, 1}, {1, 1}}); }, {"pad", "2 pairs", "f32[3]"});
  expect_message<ShapeError>([] { pad(zeros({0}), 1, {.mode = PadMode::edge}); },
                             {"pad", "f32[0]", "no element"});
  expect_message<ShapeError>([] { lax::pad(kRow, 0, {{-4, 0, 0}}); }, {"pad", "dimension 0", "f32[3]"});
}

}  // namespace
}  // namespace weft
