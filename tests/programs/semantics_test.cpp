// Values that other compilers got wrong, element by element: on arguments, on constants that fold, and on a
// mixture, in the vector body and in the tail, on every target and without rewrites.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Direction;
using ir::Op;
using ir::ValueId;

constexpr std::int64_t kSizes[] = {1, 3, 8, 17, 1000};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Elements {
  DType dtype;
  std::vector<double> values;
};
using Function = std::function<ValueId(Builder&, const std::vector<ValueId>&)>;

Function of(Op op) {
  return [op](Builder& b, const std::vector<ValueId>& x) { return b.op(op, x); };
}
Function to(DType dtype) {
  return [dtype](Builder& b, const std::vector<ValueId>& x) { return b.convert(x[0], dtype); };
}

// Each operand is a constant where its bit is set, else an argument.
void check_path(const std::vector<ir::Literal>& operands, std::size_t constants, const Function& function,
                const ir::Literal& want, const Setting& setting, std::uint64_t ulps) {
  Program program;
  std::vector<ValueId> inputs;
  std::vector<ir::Literal> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_constant = (constants >> i & 1) != 0;
    if (!is_constant) arguments.push_back(operands[i]);
    inputs.push_back(is_constant ? program.builder.constant(operands[i])
                                 : program.argument(operands[i].type));
  }
  program.returns(function(program.builder, inputs));
  const Outcome got = run(program.graph, arguments, setting);
  EXPECT_EQ(difference(got.results[0], want, ulps), "")
      << want.type.to_string() << " with constants " << constants << " on " << setting.target << " at level "
      << setting.opt_level;
}

// The elements are repeated to each size. `ulps` 0: the very bits, NaN like NaN.
void expect(const std::vector<Elements>& operands, const Function& function, const Elements& want,
            std::uint64_t ulps = 0) {
  const auto settings = [] {
    std::vector<Setting> all{{targets()[0], 1, 0}};
    for (const std::string& target : targets()) all.push_back({target, 2});
    return all;
  }();
  for (std::int64_t size : kSizes) {
    std::vector<ir::Literal> literals;
    for (const Elements& operand : operands)
      literals.push_back(literal_of(operand.dtype, Shape{size}, operand.values));
    const ir::Literal result = literal_of(want.dtype, Shape{size}, want.values);
    for (const Setting& setting : settings)
      for (std::size_t constants = 0; constants < std::size_t{1} << operands.size(); ++constants)
        check_path(literals, constants, function, result, setting, ulps);
  }
}

// --- NaN, signed zero, subnormals ---

TEST(Semantics, nan_wins_in_maximum_and_minimum_and_zeros_are_ordered) {
  for (DType dtype : kFloatTypes) {
    expect({{dtype, {kNan, 1, -0.0, 0.0, 2}}, {dtype, {1, kNan, 0.0, -0.0, 3}}}, of(Op::maximum),
           {dtype, {kNan, kNan, 0.0, 0.0, 3}});
    expect({{dtype, {kNan, 1, -0.0, 0.0, 2}}, {dtype, {1, kNan, 0.0, -0.0, 3}}}, of(Op::minimum),
           {dtype, {kNan, kNan, -0.0, -0.0, 2}});
  }
}

TEST(Semantics, nan_is_seen) {
  const Function is_nan_of_quotient = [](Builder& b, const std::vector<ValueId>& x) {
    const ValueId quotient = b.op(Op::divide, {x[0], x[0]});
    return b.compare(Direction::NE, quotient, quotient);
  };
  const Function is_itself = [](Builder& b, const std::vector<ValueId>& x) {
    return b.compare(Direction::EQ, x[0], x[0]);
  };
  for (DType dtype : kFloatTypes) {
    expect({{dtype, {0, 1, kInf, kNan}}}, is_nan_of_quotient, {DType::b1, {1, 0, 1, 1}});
    expect({{dtype, {kNan, 1, kInf}}}, is_itself, {DType::b1, {0, 1, 1}});
    expect({{dtype, {kNan, kInf, -kInf, 1}}}, of(Op::is_finite), {DType::b1, {0, 0, 0, 1}});
    expect({{dtype, {kNan, -0.0, 0.0, -3}}}, of(Op::sign), {dtype, {kNan, -0.0, 0.0, -1}});
    expect({{dtype, {kNan, 2, -0.0}}}, of(Op::negate), {dtype, {kNan, -2, 0.0}});
  }
}

TEST(Semantics, subnormals_are_numbers) {
  const double least32 = 0x1p-149, least64 = std::numeric_limits<double>::denorm_min();
  for (const auto& [dtype, least] : {std::pair{DType::f32, least32},
                                     {DType::f64, least64},
                                     {DType::f16, 0x1p-24},
                                     {DType::bf16, 0x1p-133}}) {
    expect({{dtype, {0, least, -least}}, {dtype, {least, 0, 0}}},
           [](Builder& b, const auto& x) { return b.compare(Direction::LT, x[0], x[1]); },
           {DType::b1, {1, 0, 1}});
    expect({{dtype, {least, -least}}, {dtype, {least, least}}}, of(Op::add), {dtype, {2 * least, 0}});
    expect({{dtype, {4 * least, least}}, {dtype, {0.5, 2}}}, of(Op::multiply),
           {dtype, {2 * least, 2 * least}});
  }
  expect({{DType::f32, {0x1p-126}}}, to(DType::f64), {DType::f64, {0x1p-126}});
  expect({{DType::f64, {0x1p-130, 0x1.8p-149}}}, to(DType::f32), {DType::f32, {0x1p-130, 0x1p-148}});
}

// --- integers ---

struct Limits {
  DType dtype;
  double low;
};
constexpr Limits kSigned[] = {
    {DType::i8, -0x1p7}, {DType::i16, -0x1p15}, {DType::i32, -0x1p31}, {DType::i64, -0x1p63}};

TEST(Semantics, division_of_integers_never_traps) {
  for (const auto& [dtype, low] : kSigned) {
    const std::vector<Elements> operands{{dtype, {7, low, low, -7, 7}}, {dtype, {0, -1, 0, 2, -2}}};
    expect(operands, of(Op::divide), {dtype, {-1, low, -1, -3, -3}});
    expect(operands, of(Op::remainder), {dtype, {7, 0, low, -1, 1}});
    expect({{dtype, {low, 5}}}, of(Op::negate), {dtype, {low, -5}});
    expect({{dtype, {low, -5}}}, of(Op::abs), {dtype, {low, 5}});
  }
  for (DType dtype : {DType::u8, DType::u16, DType::u32}) {
    const double ones = std::exp2(8.0 * static_cast<double>(size_of(dtype))) - 1;
    const std::vector<Elements> operands{{dtype, {7, ones, 0, 9}}, {dtype, {0, 2, 0, 4}}};
    expect(operands, of(Op::divide), {dtype, {ones, (ones - 1) / 2, ones, 2}});
    expect(operands, of(Op::remainder), {dtype, {7, 1, 0, 1}});
  }
}

TEST(Semantics, shifts_beyond_the_width_shift_everything_out) {
  for (const auto& [dtype, low] : kSigned) {
    const double width = 8.0 * static_cast<double>(size_of(dtype));
    const std::vector<Elements> operands{{dtype, {1, 1, -8, -8, 1, 3, -8}},
                                         {dtype, {width, width + 1, width + 8, width - 1, -1, 1, low}}};
    expect(operands, of(Op::shift_left), {dtype, {0, 0, 0, 0, 0, 6, 0}});
    expect(operands, of(Op::shift_right_arithmetic), {dtype, {0, 0, -1, -1, 0, 1, -1}});
    expect(operands, of(Op::shift_right_logical), {dtype, {0, 0, 0, 1, 0, 1, 0}});
  }
  expect({{DType::u8, {3, 3, 255, 255}}, {DType::u8, {7, 8, 200, 7}}}, of(Op::shift_left),
         {DType::u8, {128, 0, 0, 128}});
  expect({{DType::u8, {3, 255, 255, 128}}, {DType::u8, {7, 8, 200, 7}}}, of(Op::shift_right_arithmetic),
         {DType::u8, {0, 255, 255, 255}});
}

TEST(Semantics, powers_of_integers_wrap_and_negative_exponents_give_zero) {
  expect({{DType::i32, {0, 3, 2, -1, 0, 1, -1, 2, 2}}, {DType::i32, {64, 41, -1, -3, 0, -5, -4, 31, 32}}},
         of(Op::power), {DType::i32, {0, 2069870691, 0, -1, 1, 1, 1, -2147483648.0, 0}});
  expect({{DType::u8, {2, 3, 255}}, {DType::u8, {7, 5, 2}}}, of(Op::power), {DType::u8, {128, 243, 1}});
}

TEST(Semantics, booleans_add_as_or_and_multiply_as_and) {
  const std::vector<Elements> operands{{DType::b1, {0, 0, 1, 1}}, {DType::b1, {0, 1, 0, 1}}};
  expect(operands, of(Op::add), {DType::b1, {0, 1, 1, 1}});
  expect(operands, of(Op::multiply), {DType::b1, {0, 0, 0, 1}});
  expect(operands, of(Op::maximum), {DType::b1, {0, 1, 1, 1}});
  expect({{DType::b1, {1, 0}}}, to(DType::i32), {DType::i32, {1, 0}});
  expect({{DType::b1, {1, 0}}}, to(DType::bf16), {DType::bf16, {1, 0}});
}

// A constant moved through a division with a negative divisor would change the value.
TEST(Semantics, floor_division_of_a_product_is_exact) {
  const Function function = [](Builder& b, const std::vector<ValueId>& x) {
    const ir::Type& type = b.type(x[0]);
    const ValueId sum = b.op(Op::add, {b.splat(type.dtype, type.shape, -73), x[0]});
    const ValueId product = b.op(Op::multiply, {b.splat(type.dtype, type.shape, -67 * 120), sum});
    return b.op(Op::divide, {product, b.splat(type.dtype, type.shape, 69)});
  };
  expect({{DType::i32, {-85}}}, function, {DType::i32, {18410}});
}

// --- conversions ---

TEST(Semantics, floats_out_of_range_saturate_and_nan_is_zero) {
  const Elements x{DType::f32, {-20, -0.9, 300, kNan, kInf, -kInf, 2147483648.0, -2147483904.0}};
  expect({x}, to(DType::u8), {DType::u8, {0, 0, 255, 0, 255, 0, 255, 0}});
  expect({x}, to(DType::i8), {DType::i8, {-20, 0, 127, 0, 127, -128, 127, -128}});
  expect({x}, to(DType::i16), {DType::i16, {-20, 0, 300, 0, 32767, -32768, 32767, -32768}});
  expect({x}, to(DType::u16), {DType::u16, {0, 0, 300, 0, 65535, 0, 65535, 0}});
  expect({x}, to(DType::i32),
         {DType::i32, {-20, 0, 300, 0, 2147483647, -2147483648.0, 2147483647, -2147483648.0}});
  expect({x}, to(DType::u32), {DType::u32, {0, 0, 300, 0, 4294967295.0, 0, 2147483648.0, 0}});
  expect({{DType::f64, {-20, kNan, -kInf, -1e300, 0x1p62}}}, to(DType::i64),
         {DType::i64, {-20, 0, -0x1p63, -0x1p63, 0x1p62}});
  expect({{DType::f64, {-20, kNan, -kInf, 0x1p63, 1.9}}}, to(DType::u64), {DType::u64, {0, 0, 0, 0x1p63, 1}});
  for (DType half : {DType::f16, DType::bf16})
    expect({{half, {-20, -0.5, 300, kNan, kInf, -kInf}}}, to(DType::i8),
           {DType::i8, {-20, 0, 127, 0, 127, -128}});
  expect({{DType::f32, {0, -0.0, kNan, 0.25}}}, to(DType::b1), {DType::b1, {0, 0, 1, 1}});
}

TEST(Semantics, the_greatest_integers_saturate) {
  const Function saturated = [](Builder& b, const std::vector<ValueId>& x) {
    const ValueId wide = b.convert(x[0], DType::i64);
    return b.op(Op::not_, {b.op(Op::xor_, {wide, b.splat(DType::i64, b.type(wide).shape, -0x1p63)})});
  };  // the greatest i64 becomes 0
  expect({{DType::f64, {1e300, kInf, 0x1p63}}}, saturated, {DType::i64, {0, 0, 0}});
  const Function all_ones = [](Builder& b, const std::vector<ValueId>& x) {
    return b.op(Op::not_, {b.convert(x[0], DType::u64)});
  };
  expect({{DType::f64, {1e300, kInf, 0x1p64}}}, all_ones, {DType::u64, {0, 0, 0}});
}

TEST(Semantics, halves_round_once_to_nearest_even) {
  expect({{DType::f64, {0.2691408770292272, 0x1p-133, 1e40, -1e40, kNan}}}, to(DType::bf16),
         {DType::bf16, {0.26953125, 0x1p-133, kInf, -kInf, kNan}});
  // In two steps, by way of f32, the tie would be broken upward.
  expect({{DType::f64, {1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-8, 1 + 0x1.8p-7}}}, to(DType::bf16),
         {DType::bf16, {1 + 0x1p-7, 1, 1 + 0x1p-6}});
  expect({{DType::f64, {65504, 65519.999, 65520, 0x1p-25, 0x1.8p-24}}}, to(DType::f16),
         {DType::f16, {65504, 65504, kInf, 0, 0x1p-23}});
  const Function there_and_back = [](Builder& b, const std::vector<ValueId>& x) {
    return b.convert(b.convert(x[0], DType::bf16), DType::f64);
  };
  expect({{DType::f64, {0x1p-133, 3}}}, there_and_back, {DType::f64, {9.183549615799121e-41, 3}});
}

TEST(Semantics, a_nan_with_a_small_payload_stays_a_nan) {
  const Function narrow = [](Builder& b, const std::vector<ValueId>& x) {
    const ValueId nan = b.op(Op::bitcast_convert, x, ir::NoAttributes{}, {{b.type(x[0]).shape, DType::f32}});
    const ValueId half = b.convert(nan, DType::bf16);
    return b.compare(Direction::NE, half, half);
  };
  expect({{DType::u32, {0x7F800001, 0xFF800001, 0x7F800000}}}, narrow, {DType::b1, {1, 1, 0}});
}

// --- rewrites and numerics ---

TEST(Semantics, products_are_rounded_before_they_are_added) {
  const Function function = [](Builder& b, const std::vector<ValueId>& v) {
    return b.op(Op::add, {b.op(Op::multiply, {v[0], v[2]}), b.op(Op::multiply, {v[1], v[2]})});
  };
  for (DType dtype : {DType::f32, DType::f64})
    expect({{dtype, {1e20}}, {dtype, {-1e20}}, {dtype, {1e10}}}, function, {dtype, {0.0}});
}

TEST(Semantics, atan2_of_zeros) {
  constexpr double pi = 3.14159265358979323846;
  for (DType dtype : kFloatTypes)
    expect({{dtype, {0.0, 0.0, -0.0, -0.0}}, {dtype, {0.0, -0.0, 0.0, -0.0}}}, of(Op::atan2),
           {dtype, {0.0, pi, -0.0, -pi}});
  const Function computed_zero = [](Builder& b, const std::vector<ValueId>& x) {
    const ValueId is_set = b.compare(Direction::NE, x[0], b.splat(DType::i32, b.type(x[0]).shape, 0));
    const ValueId zero = b.convert(b.op(Op::xor_, {is_set, is_set}), DType::f32);
    return b.op(Op::atan2, {zero, zero});
  };
  expect({{DType::i32, {0, 1, 2, 3, 4}}}, computed_zero, {DType::f32, {0}});
}

TEST(Semantics, logarithm_and_exponential_near_their_edges) {
  expect({{DType::f64, {-0.4141892}}}, of(Op::log_plus_one), {DType::f64, {-0.5347584084320597}}, 2);
  expect({{DType::f64, {709.4361393}}}, of(Op::exponential), {DType::f64, {1.2711610022079778e308}}, 2);
  expect({{DType::f64, {710, -746, -kInf, kInf, kNan}}}, of(Op::exponential),
         {DType::f64, {kInf, 0, 0, kInf, kNan}});
}

TEST(Semantics, inverse_error_function_at_its_ends) {
  const double before_one = std::bit_cast<float>(0x3F7FFFFFu), there = std::bit_cast<float>(0x407547CBu);
  expect({{DType::f32, {before_one, -before_one}}}, of(Op::erf_inv), {DType::f32, {there, -there}}, 3);
  for (DType dtype : {DType::f32, DType::f64})
    expect({{dtype, {1, -1, 1.5, -1.5, kNan, 0.0, -0.0}}}, of(Op::erf_inv),
           {dtype, {kInf, -kInf, kNan, kNan, kNan, 0.0, -0.0}});
}

}  // namespace
}  // namespace weft::sweep
