// Shape and DType: construction, limits, copies and text.
#include <weft/error.h>
#include <weft/shape.h>

#include <gtest/gtest.h>

#include <complex>
#include <sstream>
#include <utility>
#include <vector>

namespace {

using weft::DType;
using weft::Shape;
using weft::ShapeDtype;

TEST(Shape, prints_its_extents) {
  EXPECT_EQ(Shape({3, 4}).to_string(), "[3,4]");
  EXPECT_EQ(Shape().to_string(), "[]");
  EXPECT_EQ((ShapeDtype{Shape{3, 4}, DType::f32}).to_string(), "f32[3,4]");
  std::ostringstream out;
  out << Shape{7} << weft::DType::bf16;
  EXPECT_EQ(out.str(), "[7]bf16");
}

TEST(Shape, size_is_the_product) {
  EXPECT_EQ(Shape().size(), 1);
  EXPECT_EQ(Shape({3, 0, 4}).size(), 0);
  EXPECT_EQ((ShapeDtype{Shape{3, 4}, DType::c128}).nbytes(), 192);
}

TEST(Shape, copies_and_moves_keep_long_shapes) {
  const std::vector<std::int64_t> extents = {1, 2, 3, 4, 5, 6, 7, 8};
  Shape shape{std::span<const std::int64_t>(extents)};
  Shape copy = shape;
  EXPECT_EQ(copy, shape);
  Shape moved = std::move(copy);
  EXPECT_EQ(moved, shape);
  moved = Shape{2};
  EXPECT_EQ(moved, Shape{2});
  moved = shape;
  Shape& self = moved;
  moved = self;
  EXPECT_EQ(moved.to_string(), "[1,2,3,4,5,6,7,8]");
  EXPECT_FALSE(moved == Shape({1, 2}));
}

TEST(Shape, refuses_what_cannot_be) {
  EXPECT_THROW(Shape({-1}), weft::ShapeError);
  EXPECT_THROW((Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}), weft::ShapeError);
  EXPECT_THROW((Shape{0, std::int64_t{1} << 40, std::int64_t{1} << 40}), weft::ShapeError);
  const std::vector<std::int64_t> ones(33, 1);
  EXPECT_THROW((Shape{std::span<const std::int64_t>(ones)}), weft::ShapeError);
  EXPECT_EQ((Shape{std::span<const std::int64_t>(ones).first(32)}).rank(), 32);
}

TEST(DType, tables_agree_with_the_names) {
  for (int i = 0; i < weft::kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(weft::dtype_from_stablehlo(weft::stablehlo_name(dtype)), dtype);
  }
  EXPECT_FALSE(weft::dtype_from_stablehlo("f80"));
  EXPECT_EQ(weft::name_of(DType::c64), "c64");
  EXPECT_EQ(weft::stablehlo_name(DType::u8), "ui8");
  EXPECT_EQ(weft::numpy_name(DType::b1), "bool");
  EXPECT_EQ(weft::size_of(DType::c128), sizeof(std::complex<double>));
  EXPECT_TRUE(weft::is_signed(DType::i8) && weft::is_unsigned(DType::u8) && weft::is_half(DType::bf16));
}

}  // namespace
