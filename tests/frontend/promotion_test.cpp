// The lattice of promotion, strong and weak.
#include "frontend/promotion.h"

#include <gtest/gtest.h>

namespace weft::frontend {
namespace {

TEST(Promotion, StrongPairs) {
  const struct {
    DType a, b, result;
  } table[] = {
      {b1, b1, b1},    {b1, u8, u8},      {u8, i8, i16},   {u16, i8, i32},   {u32, i32, i64},
      {u64, i64, f32}, {i64, u8, i64},    {i64, f16, f16}, {f16, bf16, f32}, {bf16, f32, f32},
      {f32, f64, f64}, {u64, bf16, bf16}, {f32, c64, c64}, {f64, c64, c128}, {i64, c64, c64},
  };
  for (const auto& row : table) {
    EXPECT_EQ(promote(row.a, row.b), row.result) << row.a << " with " << row.b;
    EXPECT_EQ(promote(row.b, row.a), row.result) << row.b << " with " << row.a;
  }
}

TEST(Promotion, AWeakScalarTakesTheDtypeOfAStrongOperandOfItsKindOrAHigherOne) {
  const struct {
    DType weak, strong, result;
    bool result_is_weak;
  } table[] = {
      {f64, f32, f32, false}, {f64, bf16, bf16, false}, {f32, f64, f64, false},
      {i32, u8, u8, false},   {i64, i32, i32, false},   {i32, f16, f16, false},
      {f64, i32, f32, true},  {f64, b1, f32, true},     {i64, b1, i32, true},
  };
  for (const auto& row : table) {
    const Promoted p = promote(Promoted{row.weak, true}, Promoted{row.strong, false});
    EXPECT_EQ(p.dtype, row.result) << row.weak << " with " << row.strong;
    EXPECT_EQ(p.is_weak, row.result_is_weak) << row.weak << " with " << row.strong;
  }
  EXPECT_EQ(promote(Promoted{i32, true}, Promoted{f64, true}).dtype, f64);
}

TEST(Array, HoldsANumberWeakly) {
  Array x = 3.5;
  EXPECT_EQ(x.dtype(), f64);
  EXPECT_TRUE(x.is_weak());
  EXPECT_EQ(x.ndim(), 0);
  EXPECT_EQ(x.item<double>(), 3.5);
  EXPECT_THROW(x.item<float>(), TypeError);
  EXPECT_THROW(Array().shape(), TypeError);
  EXPECT_THROW(x.shape(0), IndexError);
}

}  // namespace
}  // namespace weft::frontend
