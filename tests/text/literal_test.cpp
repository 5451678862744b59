// dense<…>: all forms, exact rounding, what is refused, and that printing reads back to the same bits.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <weft/error.h>

#include "compiler/text/parse_literal.h"
#include "compiler/text/print_literal.h"

namespace weft::text {
namespace {

ir::Literal read(const std::string& text) {
  const SourceText source(text, "t");
  Reader reader(source);
  ir::Literal literal = read_literal(reader);
  EXPECT_TRUE(reader.at(TokenKind::end)) << text;
  return literal;
}

std::uint16_t half_bits(const std::string& decimal, const char* dtype) {
  return read("dense<" + decimal + "> : tensor<" + dtype + ">").at<std::uint16_t>(0);
}

TEST(Literal, splats_lists_and_nothing) {
  const ir::Literal splat = read("dense<7> : tensor<2x3xi32>");
  EXPECT_TRUE(splat.is_splat);
  EXPECT_EQ(splat.at<std::int32_t>(5), 7);
  const ir::Literal list = read("dense<[[1, -2], [3, 0xFFFFFFFF]]> : tensor<2x2xi32>");
  EXPECT_FALSE(list.is_splat);
  EXPECT_EQ(list.at<std::int32_t>(1), -2);
  EXPECT_EQ(list.at<std::int32_t>(3), -1);
  for (const char* text : {"dense<> : tensor<0xf32>", "dense<[]> : tensor<0x3xf32>",
                           "dense<[[], []]> : tensor<2x0xi1>", "dense<\"0x\"> : tensor<0xi64>"}) {
    const ir::Literal empty = read(text);
    EXPECT_EQ(empty.type.size(), 0) << text;
    EXPECT_FALSE(empty.is_splat);
  }
  EXPECT_TRUE(read("dense<1.0> : tensor<0xf32>").is_splat);
  EXPECT_TRUE(read("dense<[true, false, 1]> : tensor<3xi1>").at<bool>(2));
}

TEST(Literal, integers_at_the_ends_of_their_range) {
  EXPECT_EQ(read("dense<[-128, 127, 255]> : tensor<3xi8>").at<std::int8_t>(2), -1);
  EXPECT_EQ(read("dense<-9223372036854775808> : tensor<i64>").at<std::int64_t>(0),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read("dense<18446744073709551615> : tensor<ui64>").at<std::uint64_t>(0), ~std::uint64_t{0});
  for (const char* text : {"dense<256> : tensor<i8>", "dense<-129> : tensor<i8>", "dense<-1> : tensor<ui8>",
                           "dense<18446744073709551616> : tensor<ui64>", "dense<0x1FFFF> : tensor<ui16>"})
    EXPECT_THROW(read(text), ParseError) << text;
}

TEST(Literal, floats_by_decimal_and_by_bits) {
  EXPECT_EQ(read("dense<-1.5e-03> : tensor<f32>").at<float>(0), -1.5e-3f);
  EXPECT_TRUE(std::signbit(read("dense<-0.0> : tensor<f64>").at<double>(0)));
  EXPECT_EQ(read("dense<0x7F800000> : tensor<f32>").at<float>(0), HUGE_VALF);
  EXPECT_EQ(read("dense<0x7FF0000000000001> : tensor<f64>").at<std::uint64_t>(0), 0x7FF0000000000001u);
  EXPECT_EQ(read("dense<0xFC00> : tensor<f16>").at<std::uint16_t>(0), 0xFC00);
  EXPECT_EQ(read("dense<1.0e-400> : tensor<f64>").at<double>(0), 0);
  EXPECT_EQ(read("dense<4.9e-324> : tensor<f64>").at<double>(0), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read("dense<1.0e-99999999999999999999> : tensor<f32>").at<float>(0), 0);
  for (const char* text :
       {"dense<1.0e+39> : tensor<f32>", "dense<1.0e+400> : tensor<f64>", "dense<65520.0> : tensor<f16>",
        "dense<1.0e+99999999999999999999> : tensor<f32>", "dense<3.4e+38> : tensor<f16>",
        "dense<-3.4028235e38> : tensor<bf16>", "dense<1> : tensor<f32>", "dense<-0x3F80> : tensor<bf16>",
        "dense<1e10> : tensor<f32>", "dense<true> : tensor<f32>"})
    EXPECT_THROW(read(text), ParseError) << text;
}

TEST(Literal, halves_round_once_from_the_decimal) {
  EXPECT_EQ(half_bits("7.695310e-01", "bf16"), 0x3F45);
  EXPECT_EQ(half_bits("1.0", "f16"), 0x3C00);
  EXPECT_EQ(half_bits("65519.999", "f16"), 0x7BFF);
  // 1 + 2^-11 lies halfway; the digit that decides is far beyond what f64 holds.
  EXPECT_EQ(half_bits("1.00048828125", "f16"), 0x3C00);
  EXPECT_EQ(half_bits("1.000488281250000000000000000001", "f16"), 0x3C01);
  EXPECT_EQ(half_bits("1.00146484375", "f16"), 0x3C02);
  EXPECT_EQ(half_bits("1.001464843749999999999999999999", "f16"), 0x3C01);
  EXPECT_EQ(half_bits("1.00390625", "bf16"), 0x3F80);
  EXPECT_EQ(half_bits("1.003906250000000000000000000001", "bf16"), 0x3F81);
  EXPECT_EQ(half_bits("-1.003906250000000000000000000001", "bf16"), 0xBF81);
  // Half of the least subnormal, and a bit more.
  EXPECT_EQ(half_bits("2.98023223876953125e-08", "f16"), 0x0000);
  EXPECT_EQ(half_bits("2.980232238769531250000000000001e-08", "f16"), 0x0001);
  EXPECT_EQ(half_bits("0.0000000298023223876953125000000001", "f16"), 0x0001);
}

TEST(Literal, complex_numbers) {
  const ir::Literal literal = read("dense<[(1.0, -2.0), (0x7FC00000, 0.5)]> : tensor<2xcomplex<f32>>");
  EXPECT_EQ(literal.at<complex64>(0), (complex64{1, -2}));
  EXPECT_TRUE(std::isnan(literal.at<complex64>(1).real));
  EXPECT_TRUE(read("dense<(1.0, 2.0)> : tensor<4xcomplex<f64>>").is_splat);
  EXPECT_THROW(read("dense<1.0> : tensor<complex<f32>>"), ParseError);
}

TEST(Literal, raw_bytes) {
  EXPECT_EQ(read("dense<\"0x0000803F00000040\"> : tensor<2xf32>").at<float>(1), 2);
  EXPECT_FALSE(read("dense<\"0x0000803F00000040\"> : tensor<2xf32>").is_splat);
  EXPECT_TRUE(read("dense<\"0x0000803f\"> : tensor<9xf32>").is_splat);
  EXPECT_TRUE(read("dense<\"0x000100\"> : tensor<3xi1>").at<bool>(1));
  for (const char* text :
       {"dense<\"0x00000080\"> : tensor<2xi8>", "dense<\"0x0\"> : tensor<i8>", "dense<\"00\"> : tensor<i8>",
        "dense<\"0xG0\"> : tensor<i8>", "dense<\"0x02\"> : tensor<i1>"})
    EXPECT_THROW(read(text), ParseError) << text;
}

struct Wrong {
  const char* text;
  int column;
};
TEST(Literal, errors_stand_where_the_fault_is) {
  for (const Wrong& wrong :
       {Wrong{"dense<[1, 2]> : tensor<3xi32>", 7}, Wrong{"dense<[1, 2, 3, 4]> : tensor<3xi32>", 17},
        Wrong{"dense<[[1, 2], [3]]> : tensor<2x2xi32>", 16}, Wrong{"dense<[1]> : tensor<i32>", 7},
        Wrong{"dense<> : tensor<2xi32>", 7}, Wrong{"dense<[1, x]> : tensor<2xi32>", 11},
        Wrong{"dense<[1, 2.0]> : tensor<2xi32>", 11}, Wrong{"dense<1 : tensor<i32>", 9},
        Wrong{"dense<[1, 300]> : tensor<2xi8>", 11}, Wrong{"dense<\"0x0Z\"> : tensor<i8>", 11},
        Wrong{"dense<1> : tensor<?xi8>", 19}, Wrong{"dense<1> : tensor<4xi4>", 21},
        Wrong{"dense<[1, [2]]> : tensor<2xi8>", 11}, Wrong{"dense<1> : i8", 12},
        Wrong{"dense<1> : tensor<9223372036854775807x9xi8>", 12},
        Wrong{"dense<1> : tensor<9223372036854775808xi8>", 19},
        Wrong{"dense<1> : tensor<1000000000x1000000000xi8>", 12}}) {
    try {
      read(wrong.text);
      ADD_FAILURE() << wrong.text << " is accepted";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.column(), wrong.column) << error.what();
    }
  }
}

TEST(Literal, printed_as_mlir_prints) {
  const auto printed = [](const std::string& payload, const char* type) {
    return print_literal(read("dense<" + payload + "> : tensor<" + type + ">"));
  };
  EXPECT_EQ(printed("1.0", "f32"), "dense<1.000000e+00> : tensor<f32>");
  EXPECT_EQ(printed("-0.0", "f64"), "dense<-0.000000e+00> : tensor<f64>");
  EXPECT_EQ(printed("0.1", "f32"), "dense<1.000000e-01> : tensor<f32>");
  EXPECT_EQ(printed("0.1", "f64"), "dense<1.000000e-01> : tensor<f64>");
  EXPECT_EQ(printed("0.333333333", "f32"), "dense<0.333333343> : tensor<f32>");
  EXPECT_EQ(printed("3.14159265358979", "f64"), "dense<3.14159265358979> : tensor<f64>");
  EXPECT_EQ(printed("3.40282347e+38", "f32"), "dense<3.40282347E+38> : tensor<f32>");
  EXPECT_EQ(printed("1.17549435e-38", "f32"), "dense<1.17549435E-38> : tensor<f32>");
  EXPECT_EQ(printed("16777216.0", "f32"), "dense<0x4B800000> : tensor<f32>");
  EXPECT_EQ(printed("7.695310e-01", "bf16"), "dense<7.695310e-01> : tensor<bf16>");
  EXPECT_EQ(printed("0xFF800000", "f32"), "dense<0xFF800000> : tensor<f32>");
  EXPECT_EQ(printed("[[1, 2], [3, 4]]", "2x2xi8"), "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>");
  EXPECT_EQ(printed("true", "5xi1"), "dense<true> : tensor<5xi1>");
  EXPECT_EQ(printed("(1.0, 0.5)", "complex<f32>"),
            "dense<(1.000000e+00,5.000000e-01)> : tensor<complex<f32>>");
  EXPECT_EQ(printed("", "0xf32"), "dense<> : tensor<0xf32>");
}

// Random bits of every type, as scalars, lists and raw bytes.
TEST(Literal, printing_reads_back_to_the_same_bits) {
  std::mt19937_64 random(7);
  for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
    for (std::int64_t count : {1, 7, 100, 101, 500}) {
      const ir::Type type{Shape{count}, static_cast<DType>(dtype)};
      runtime::Buffer buffer = runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes()));
      for (std::int64_t i = 0; i < type.nbytes(); ++i)
        buffer.data()[i] = static_cast<std::byte>(type.dtype == DType::b1 ? random() & 1 : random());
      const ir::Literal literal{type, buffer, false};
      EXPECT_TRUE(read(print_literal(literal)) == literal) << print_literal(literal);
      const ir::Literal splat = ir::Literal::splat(type.dtype, type.shape, buffer.data());
      EXPECT_TRUE(read(print_literal(splat)) == splat) << print_literal(splat);
    }
  }
}

// Every 16-bit float, and floats of all magnitudes.
TEST(Literal, all_halves_read_back) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto element = static_cast<std::uint16_t>(bits);
      const ir::Literal literal = ir::Literal::splat(dtype, Shape{}, &element);
      const std::string text = print_literal(literal);
      ASSERT_TRUE(read(text) == literal) << text;
    }
  }
}

}  // namespace
}  // namespace weft::text
