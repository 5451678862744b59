// docs/promotion.md is what the library answers for every pair of dtypes.
#include <sstream>

#include <weft/weft.h>

#include "frontend/promotion.h"
#include "tests/docs/committed.h"

namespace weft::frontend {
namespace {

using testing::expect_committed;

const char* const kIntroduction = R"(# Type promotion

Operands of different dtypes meet in one dtype, as in `jax.numpy`: the smallest step up that can hold the kind of
both. Nothing widens f32 to f64 unless an operand is f64, and an integer beside a float takes the float's dtype,
however wide the integer is. Where this differs from NumPy: `i32 + f32` is f32, and `u64 + i64` is f32.

This page is written by the library itself (target `weft_docs`); a test compares it with what the library does.

## Arrays

)";
const char* const kScalars = R"(
## Numbers

A C++ number beside an array, as in `2.0 * x`, is weakly typed: it takes the dtype of the array where its kind
(boolean, integer, float) is not above the array's, whatever its own width. Where it is above, the result is i32 or
f32, and is itself still weak: it gives way to the next array it meets. `array(2.0)` is strongly typed, an f64.

)";
const char* const kFloats = R"(
## Functions of floats

Functions that give fractions (`exp`, `sqrt`, `divide`, `mean` and their like) take integers and booleans as:

)";

constexpr DType kDTypes[] = {b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128};

std::string table_of_arrays() {
  std::ostringstream out;
  out << "| |";
  for (DType b : kDTypes) out << " **" << b << "** |";
  out << "\n|---|";
  for ([[maybe_unused]] DType b : kDTypes) out << "---|";
  for (DType a : kDTypes) {
    out << "\n| **" << a << "** |";
    for (DType b : kDTypes) out << " " << promote(a, b) << " |";
  }
  out << "\n";
  return out.str();
}

std::string result_of(Promoted number, DType array) {
  const Promoted result = promote(number, Promoted{array, false});
  return std::string(name_of(result.dtype)) + (result.is_weak ? ", weak" : "");
}

std::string table_of_numbers() {
  std::ostringstream out;
  out << "| array | `true` | `2` | `2.0f`, `2.0` |\n|---|---|---|---|\n";
  for (DType array : kDTypes) {
    EXPECT_EQ(result_of({f32, true}, array), result_of({f64, true}, array)) << array;
    out << "| **" << array << "** | " << result_of({b1, true}, array) << " | "
        << result_of({i32, true}, array) << " | " << result_of({f64, true}, array) << " |\n";
  }
  return out.str();
}

std::string table_of_floats() {
  std::ostringstream out;
  out << "| dtype | becomes |\n|---|---|\n";
  for (DType dtype : kDTypes) out << "| **" << dtype << "** | " << to_inexact({dtype, false}).dtype << " |\n";
  return out.str();
}

TEST(PromotionPage, IsWhatTheLibraryAnswers) {
  expect_committed("promotion.md", kIntroduction + table_of_arrays() + kScalars + table_of_numbers() +
                                       kFloats + table_of_floats());
}

// The page speaks of `promote`; a user sees operations.
TEST(PromotionPage, OperationsFollowTheTables) {
  for (DType a : kDTypes) {
    if (is_complex(a)) continue;
    const Array x = ones({1}, a);
    EXPECT_EQ(maximum(x, true).dtype(), promote(Promoted{b1, true}, {a, false}).dtype) << a;
    EXPECT_EQ((x * 2).dtype(), promote(Promoted{i32, true}, {a, false}).dtype) << a;
    EXPECT_EQ((x * 2.0).dtype(), promote(Promoted{f64, true}, {a, false}).dtype) << a;
    EXPECT_EQ(exp(x).dtype(), to_inexact({a, false}).dtype) << a;
    for (DType b : kDTypes) {
      if (!is_complex(b)) {
        EXPECT_EQ((x * ones({1}, b)).dtype(), promote(a, b)) << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace weft::frontend
