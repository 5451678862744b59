// Values that public array compilers got wrong: NaN, zeros, integers, conversions, order of folds.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/interpreter/program.h"

namespace weft::interpreter {
namespace {

using ir::Direction;
using ir::Literal;
using ir::Op;

const float kNan = std::nanf(""), kInf = HUGE_VALF;

// argmin or argmax as NumPy defines them: the first NaN wins, else the first extreme element.
std::int32_t arg_extreme(Direction better, const std::vector<float>& elements) {
  Program program;
  ir::Builder& b = program.builder;
  const Shape shape{elements.size()};
  const ir::ValueId x = program.argument(shape, f32), index = b.iota(i32, shape, 0);
  const ir::ValueId start = b.scalar(f32, better == Direction::LT ? HUGE_VAL : -HUGE_VAL);
  const ir::ValueId last = b.scalar(i32, 2147483647);
  const ir::RegionId body = program.graph.add_region();
  const auto argument = [&](DType dtype) { return program.graph.add_argument(body, {Shape{}, dtype}); };
  const ir::ValueId key = argument(f32), at = argument(i32), other = argument(f32), other_at = argument(i32);
  ir::Builder in(program.graph, body);
  const ir::ValueId wins =
      in.op(Op::or_, {in.compare(better, key, other), in.compare(Direction::NE, key, key)});
  const ir::ValueId other_is_nan = in.compare(Direction::NE, other, other);
  const ir::ValueId key_is_nan = in.compare(Direction::NE, key, key);
  const ir::ValueId same =
      in.op(Op::or_, {in.compare(Direction::EQ, key, other), in.op(Op::and_, {key_is_nan, other_is_nan})});
  const ir::ValueId earlier = in.op(Op::and_, {same, in.compare(Direction::LT, at, other_at)});
  const ir::ValueId strictly = in.op(Op::and_, {wins, in.op(Op::not_, {same})});
  program.graph.region(body).results = {in.select(wins, key, other),
                                        in.select(in.op(Op::or_, {strictly, earlier}), at, other_at)};
  const ir::NodeId reduce =
      b.node(Op::reduce, {x, index, start, last}, ir::ReduceAttributes{{0}}, {}, {body});
  program.returns({program.graph.node(reduce).results[1]});
  return program.run({literal(shape, elements)})[0].at<std::int32_t>(0);
}

TEST(Semantics, FirstNanWinsArgminAndArgmax) {
  EXPECT_EQ(arg_extreme(Direction::GT, {0, 1, kNan}), 2);
  EXPECT_EQ(arg_extreme(Direction::LT, {0, kNan, -5}), 1);
  EXPECT_EQ(arg_extreme(Direction::GT, {kNan, kNan, kNan}), 0);
  EXPECT_EQ(arg_extreme(Direction::GT, {-1, -0.0f, 1.401298464324817e-45f}), 2);
  EXPECT_EQ(arg_extreme(Direction::LT, {0, 1.1754944e-38f, -1.401298464324817e-45f, 0, 459367}), 2);
}

template <class T>
Literal reduced(Op body, double init, const std::vector<T>& elements) {
  Program program;
  const ir::ValueId x = program.argument(Shape{elements.size()}, dtype_of<T>());
  program.returns({program.builder.reduce(x, program.builder.scalar(dtype_of<T>(), init), {0}, body)});
  return program.run({literal(Shape{elements.size()}, elements)})[0];
}

TEST(Semantics, ReductionsPropagateNanAndOrderZeros) {
  EXPECT_TRUE(std::isnan(reduced<float>(Op::maximum, -HUGE_VAL, {kNan, 1}).at<float>(0)));
  EXPECT_TRUE(std::isnan(reduced<float>(Op::minimum, HUGE_VAL, {1, kNan}).at<float>(0)));
  EXPECT_TRUE(std::signbit(reduced<float>(Op::minimum, HUGE_VAL, {0.0f, -0.0f}).at<float>(0)));
  EXPECT_FALSE(std::signbit(reduced<float>(Op::maximum, -HUGE_VAL, {-0.0f, 0.0f}).at<float>(0)));
}

TEST(Semantics, ReductionsOfNothingAreTheInitValue) {
  EXPECT_EQ(reduced<float>(Op::add, 7, {}).at<float>(0), 7);
  EXPECT_EQ(reduced<std::int32_t>(Op::multiply, 3, {}).at<std::int32_t>(0), 3);
}

TEST(Semantics, SumsOfHalvesAreAccumulatedWider) {
  const auto sum16 = reduced<float16>(Op::add, 0, std::vector<float16>(20000, float16(1.0f)));
  EXPECT_EQ(static_cast<float>(sum16.at<float16>(0)), 20000);
  const auto sum_brain = reduced<bfloat16>(Op::add, 0, std::vector<bfloat16>(70000, bfloat16(1.0f)));
  EXPECT_EQ(static_cast<float>(sum_brain.at<bfloat16>(0)), 70144);
}

TEST(Semantics, FoldsGoInOrder) {
  const auto quotient = reduced<std::int32_t>(Op::divide, 10000, {2, 2, 2, 2});
  EXPECT_EQ(quotient.at<std::int32_t>(0), 625);
  EXPECT_EQ(reduced<std::int32_t>(Op::subtract, 1, {2, 3}).at<std::int32_t>(0), -4);
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& elements) {
  Program program;
  const ir::ValueId x = program.argument(Shape{elements.size()}, dtype_of<From>());
  program.returns({program.builder.convert(x, dtype_of<To>())});
  return elements_of<To>(program.run({literal(Shape{elements.size()}, elements)})[0]);
}

TEST(Semantics, FloatToIntegerTruncatesAndSaturates) {
  const std::vector<float> x = {-20, -0.9f, 300, kNan, kInf, -kInf, 2147483648.0f, -2147483904.0f};
  EXPECT_EQ(converted<std::uint8_t>(x), (std::vector<std::uint8_t>{0, 0, 255, 0, 255, 0, 255, 0}));
  EXPECT_EQ(converted<std::int8_t>(x), (std::vector<std::int8_t>{-20, 0, 127, 0, 127, -128, 127, -128}));
  EXPECT_EQ(converted<std::int32_t>(x),
            (std::vector<std::int32_t>{-20, 0, 300, 0, 2147483647, INT32_MIN, 2147483647, INT32_MIN}));
  EXPECT_EQ(converted<std::uint32_t>(x),
            (std::vector<std::uint32_t>{0, 0, 300, 0, 4294967295u, 0, 2147483648u, 0}));
}

TEST(Semantics, AnythingButZeroIsTrue) {
  EXPECT_EQ(converted<bool>(std::vector<float>{0.5f, 0, kNan, -0.0f}),
            (std::vector<bool>{true, false, true, false}));
}

TEST(Semantics, AnAllTrueSplatSumsToItsLength) {
  Program program;
  ir::Builder& b = program.builder;
  const ir::ValueId all = b.splat(b1, Shape{32}, 1);
  program.returns({b.reduce(b.convert(all, i32), b.scalar(i32, 0), {0}, Op::add)});
  EXPECT_EQ(program.run()[0].at<std::int32_t>(0), 32);
}

TEST(Semantics, BrainFloatsAreRoundedOnceToNearest) {
  EXPECT_EQ(static_cast<double>(converted<bfloat16>(std::vector<double>{0.2691408770292272})[0]), 0.26953125);
  EXPECT_TRUE(std::isnan(
      static_cast<float>(converted<bfloat16>(std::vector<float>{std::bit_cast<float>(0x7F800001)})[0])));
  EXPECT_EQ(converted<double>(converted<bfloat16>(std::vector<double>{0x1p-133}))[0], 0x1p-133);
}

TEST(Semantics, UnsignedStartIndicesAreNotNegative) {
  Program program;
  ir::Builder& b = program.builder;
  const ir::ValueId start = program.argument(Shape{}, u8);
  program.returns(
      {b.op(Op::dynamic_slice, {b.iota(i32, Shape{200}, 0), start}, ir::DynamicSliceAttributes{{1}})});
  EXPECT_EQ(program.run({literal<std::uint8_t>(Shape{}, {128})})[0].at<std::int32_t>(0), 128);
  EXPECT_EQ(program.run({literal<std::uint8_t>(Shape{}, {255})})[0].at<std::int32_t>(0), 199);
}

TEST(Semantics, MovementThroughDimensionsOfOne) {
  Program program;
  ir::Builder& b = program.builder;
  const ir::ValueId x = b.reshape(b.iota(f32, Shape{6}, 0), Shape{3, 1, 2});
  program.returns({b.reshape(b.transpose(x, {1, 2, 0}), Shape{1, 6})});
  EXPECT_EQ(elements_of<float>(program.run()[0]), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST(Semantics, ReverseOfASlice) {
  Program program;
  ir::Builder& b = program.builder;
  const ir::ValueId x = b.reshape(b.iota(i32, Shape{16}, 0), Shape{2, 4, 2});
  program.returns({b.reverse(b.slice(x, {0, 1, 0}, {2, 3, 2}, {1, 1, 1}), {1})});
  EXPECT_EQ(elements_of<std::int32_t>(program.run()[0]),
            (std::vector<std::int32_t>{4, 5, 2, 3, 12, 13, 10, 11}));
}

}  // namespace
}  // namespace weft::interpreter
