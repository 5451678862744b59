// Creation and reshaping.
#include <filesystem>

#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::expect_near;
using testing::Values;
using testing::values;

TEST(Creation, DefaultDtypes) {
  EXPECT_EQ(zeros({2}).dtype(), f32);
  EXPECT_EQ(arange(3).dtype(), i32);
  EXPECT_EQ(arange(std::int64_t{3}).dtype(), i32);
  EXPECT_EQ(arange(3.0).dtype(), f32);
  EXPECT_EQ(arange(3, f64).dtype(), f64);
  EXPECT_EQ(array({1, 2}).dtype(), i32);
  EXPECT_EQ(array({1.0, 2.0}).dtype(), f64);
  EXPECT_EQ(array<double>({{1, 2}, {3, 4}}).shape(), (Shape{2, 2}));
  EXPECT_EQ(full({2}, 1.5).dtype(), f32);
  EXPECT_EQ(full({2}, 1).dtype(), i32);
  EXPECT_EQ(full({2}, array(1.5)).dtype(), f64);
  EXPECT_EQ(array({true, false}).dtype(), b1);
}

TEST(Creation, FromMemory) {
  const std::vector<float> memory{1, 2, 3, 4};
  EXPECT_EQ(values(copy_of(memory, {2, 2}).T()), (Values{1, 3, 2, 4}));
  EXPECT_EQ(view_of(memory, {4}, nullptr).data<float>().data(), memory.data());
  EXPECT_EQ(values(array(memory)), (Values{1, 2, 3, 4}));
  EXPECT_EQ(array({{{1, 2}}, {{3, 4}}}).shape(), (Shape{2, 1, 2}));
  expect_message<ShapeError>([&] { copy_of(memory, {3}); }, {"4 elements", "[3]"});
  expect_message<ShapeError>([] { array({{1, 2}, {3}}); }, {"lengths"});
}

TEST(Creation, Ranges) {
  EXPECT_EQ(values(arange(2, 9, 3)), (Values{2, 5, 8}));
  EXPECT_EQ(values(arange(3, 0, -1)), (Values{3, 2, 1}));
  EXPECT_EQ(values(arange(5, 2)), (Values{}));
  EXPECT_EQ(values(arange(0.0, 1.0, 0.25)), (Values{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(values(linspace(0, 1, 5)), (Values{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(values(linspace(0, 1, 4, {.endpoint = false})), (Values{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(values(linspace(3, 1, 1)), (Values{3}));
  expect_message<TypeError>([] { arange(0, 1, 0); }, {"arange", "step"});
  expect_message<ShapeError>([] { arange(INFINITY); }, {"arange"});
}

TEST(Creation, Matrices) {
  EXPECT_EQ(values(eye(2)), (Values{1, 0, 0, 1}));
  EXPECT_EQ(values(eye(2, 3, 1)), (Values{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(values(tri(2, 3)), (Values{1, 0, 0, 1, 1, 0}));
  const Array x = array({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  EXPECT_EQ(values(tril(x)), (Values{1, 0, 0, 4, 5, 0, 7, 8, 9}));
  EXPECT_EQ(values(triu(x, 1)), (Values{0, 2, 3, 0, 0, 6, 0, 0, 0}));
  EXPECT_EQ(values(meshgrid({arange(2), arange(3)})[1]), (Values{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(values(indices({2, 2})[0]), (Values{0, 0, 1, 1}));
  EXPECT_EQ(lax::broadcast(arange(2), {3}).shape(), (Shape{3, 2}));
  expect_message<ShapeError>([] { eye(-1); }, {"-1"});
}

TEST(Creation, Files) {
  const std::string path = (std::filesystem::temp_directory_path() / "weft_creation_test.npy").string();
  save_npy(path, array({{1.5, 2.5}}));
  EXPECT_EQ(values(load_npy(path)), (Values{1.5, 2.5}));
  EXPECT_EQ(load_npy(path).shape(), (Shape{1, 2}));
  std::filesystem::remove(path);
}

TEST(Shaping, ReshapeAndTranspose) {
  const Array x = arange(6);
  EXPECT_EQ(x.reshape({2, -1}).shape(), (Shape{2, 3}));
  EXPECT_EQ(reshape(x, -1).shape(), (Shape{6}));
  EXPECT_EQ(values(x.reshape({2, 3}).T()), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(transpose(zeros({2, 3, 4}), {2, 0, 1}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(moveaxis(zeros({2, 3, 4}), 0, -1).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(swapaxes(zeros({2, 3, 4}), 0, 2).shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(squeeze(zeros({1, 3, 1})).shape(), (Shape{3}));
  EXPECT_EQ(squeeze(zeros({1, 3, 1}), 0).shape(), (Shape{3, 1}));
  EXPECT_EQ(expand_dims(x, {0, 2}).shape(), (Shape{1, 6, 1}));
  expect_message<ShapeError>([&] { x.reshape({4, 2}); }, {"reshape", "i32[6]", "[4,2]", "creation_test.cpp"});
  expect_message<ShapeError>([&] { x.reshape({-1, -1}); }, {"at most one"});
  expect_message<ShapeError>([&] { x.reshape({-1, 4}); }, {"divide"});
  expect_message<IndexError>([&] { transpose(x, {0, 0}); }, {"twice"});
}

TEST(Shaping, RepeatingAndReversing) {
  EXPECT_EQ(values(repeat(array({1, 2}), 2)), (Values{1, 1, 2, 2}));
  EXPECT_EQ(values(tile(array({1, 2}), {2, 2})), (Values{1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(values(flip(array({{1, 2}, {3, 4}}))), (Values{4, 3, 2, 1}));
  EXPECT_EQ(values(flip(array({{1, 2}, {3, 4}}), 1)), (Values{2, 1, 4, 3}));
  EXPECT_EQ(values(broadcast_to(array({1, 2}), {2, 2})), (Values{1, 2, 1, 2}));
  expect_message<ShapeError>([] { broadcast_to(array({1, 2}), {3}); }, {"broadcast_to", "i32[2]", "[3]"});
}

}  // namespace
}  // namespace weft
