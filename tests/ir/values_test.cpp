// Reference values and batching of structural operations at their corners.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include <weft/error.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/transform/batch.h"
#include "tests/ir/program.h"

namespace weft::ir {
namespace {

template <class T>
Literal array(const Shape& shape, const std::vector<T>& elements) {
  return {
      {shape, dtype_of<T>()}, runtime::Buffer::copy_of(elements.data(), elements.size() * sizeof(T)), false};
}
template <class T>
std::vector<T> elements(const Literal& literal) {
  std::vector<T> result;
  for (std::int64_t i = 0; i < literal.type.size(); ++i) result.push_back(literal.at<T>(i));
  return result;
}
std::vector<Literal> run(const Program& program, std::vector<Literal> arguments) {
  verify(program.graph, "building the test");
  return interpreter::interpret(program.graph, std::move(arguments));
}

float with_format(float value, int exponent_bits, int mantissa_bits) {
  Program program;
  const ValueId x = program.argument({}, DType::f32);
  program.returns({program.builder.op(Op::reduce_precision, {x},
                                      ReducePrecisionAttributes{exponent_bits, mantissa_bits})});
  return run(program, {array<float>({}, {value})})[0].at<float>(0);
}

TEST(ReducePrecision, RoundsToEvenAndLimitsTheExponent) {
  EXPECT_EQ(with_format(1.5f, 8, 0), 2);
  EXPECT_EQ(with_format(2.5f, 8, 1), 2);
  EXPECT_EQ(with_format(65520, 5, 10), HUGE_VALF);
  EXPECT_EQ(with_format(-65519, 5, 10), -65504);
  EXPECT_TRUE(std::signbit(with_format(-1e-6f, 5, 10)));
  EXPECT_EQ(with_format(-1e-6f, 5, 10), 0);
  EXPECT_EQ(with_format(std::numeric_limits<float>::max(), 8, 7), HUGE_VALF);
}

TEST(ReducePrecision, KeepsSubnormalsOfAFormatThatHasThem) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(with_format(tiny, 8, 23), tiny);
  EXPECT_EQ(with_format(tiny * 3, 8, 22), tiny * 4);
  EXPECT_EQ(with_format(tiny, 20, 60), tiny);
}

TEST(ReducePrecision, WithoutMantissaNanBecomesInfinite) {
  EXPECT_TRUE(std::isnan(with_format(NAN, 5, 2)));
  EXPECT_EQ(with_format(NAN, 5, 0), HUGE_VALF);
  EXPECT_EQ(with_format(HUGE_VALF, 3, 0), HUGE_VALF);
}

TEST(Bitcast, PacksBooleansLowestFirst) {
  Program program;
  const ValueId x = program.argument(Shape{2, 8}, DType::b1);
  const ValueId bytes = program.builder.op(Op::bitcast_convert, {x}, NoAttributes{}, {{Shape{2}, DType::u8}});
  const ValueId back =
      program.builder.op(Op::bitcast_convert, {bytes}, NoAttributes{}, {{Shape{2, 8}, DType::b1}});
  program.returns({bytes, back});
  const std::vector<std::uint8_t> bits{1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  const Literal argument{{Shape{2, 8}, DType::b1}, runtime::Buffer::copy_of(bits.data(), bits.size()), false};
  const auto results = run(program, {argument});
  EXPECT_EQ(elements<std::uint8_t>(results[0]), (std::vector<std::uint8_t>{5, 128}));
  EXPECT_TRUE(results[1] == argument);
}

TEST(Convert, SaturatesAndRoundsOnce) {
  Program program;
  const ValueId x = program.argument(Shape{4}, DType::f32), y = program.argument({}, DType::i64);
  program.returns({program.builder.convert(x, DType::i8), program.builder.convert(y, DType::bf16)});
  // 2^60 + 2^52 + 1 lies just above the middle of two bf16; through f64 it would become the middle itself.
  const auto results =
      run(program, {array<float>(Shape{4}, {NAN, 300, -300, -1.9f}),
                    array<std::int64_t>({}, {(std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1})});
  EXPECT_EQ(elements<std::int8_t>(results[0]), (std::vector<std::int8_t>{0, 127, -128, -1}));
  EXPECT_EQ(results[1].at<bfloat16>(0).bits, bfloat16(std::ldexp(1.0078125, 60)).bits);
}

TEST(DynamicSlice, ClampsItsStarts) {
  Program program;
  const ValueId x = program.argument(Shape{5}, DType::i32), at = program.argument({}, DType::u64);
  program.returns({program.builder.op(Op::dynamic_slice, {x, at}, DynamicSliceAttributes{{2}})});
  const Literal data = array<std::int32_t>(Shape{5}, {0, 1, 2, 3, 4});
  const auto at_start = [&](std::uint64_t start) {
    return elements<std::int32_t>(run(program, {data, array<std::uint64_t>({}, {start})})[0]);
  };
  EXPECT_EQ(at_start(1), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(at_start(4), (std::vector<std::int32_t>{3, 4}));
  EXPECT_EQ(at_start(UINT64_MAX), (std::vector<std::int32_t>{3, 4}));
}

TEST(Gather, ClampsEachBoxAndTakesBatchingDimensions) {
  Program program;
  const ValueId x = program.argument(Shape{2, 3}, DType::i32), at = program.argument(Shape{2, 1}, DType::i32);
  GatherAttributes gather;
  gather.offset_dims = {1};
  gather.operand_batching_dims = gather.start_indices_batching_dims = {0};
  gather.start_index_map = {1};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, 2};
  program.returns({program.builder.op(Op::gather, {x, at}, gather)});
  const auto results = run(program, {array<std::int32_t>(Shape{2, 3}, {0, 1, 2, 10, 11, 12}),
                                     array<std::int32_t>(Shape{2, 1}, {-7, 9})});
  EXPECT_EQ(elements<std::int32_t>(results[0]), (std::vector<std::int32_t>{0, 1, 11, 12}));
}

// The program over a leading axis of `size`, where `mapped` says which arguments have one.
Graph batched(const Program& program, std::vector<bool> mapped, std::int64_t size) {
  transform::BatchSpec spec{{}, {0}, size};
  for (bool is_mapped : mapped) spec.argument_axes.push_back(is_mapped ? 0 : transform::kNotBatched);
  Graph graph = transform::batch(program.graph, spec);
  verify(graph, "batch");
  return graph;
}

TEST(Batching, OfADynamicSliceOfAScalar) {
  Program program;
  const ValueId x = program.argument({}, DType::f32);
  program.returns({program.builder.op(Op::dynamic_slice, {x}, DynamicSliceAttributes{})});
  const auto results = interpreter::interpret(batched(program, {true}, 2), {array<float>(Shape{2}, {3, 4})});
  EXPECT_EQ(elements<float>(results[0]), (std::vector<float>{3, 4}));
}

TEST(Batching, OfNothingKeepsIndexingLegal) {
  Program program;
  const ValueId x = program.argument(Shape{5}, DType::f32), at = program.argument({}, DType::i32);
  program.returns({program.builder.op(Op::dynamic_slice, {x, at}, DynamicSliceAttributes{{2}})});
  const auto results = interpreter::interpret(
      batched(program, {true, true}, 0), {array<float>(Shape{0, 5}, {}), array<std::int32_t>(Shape{0}, {})});
  EXPECT_EQ(results[0].type, (Type{Shape{0, 2}, DType::f32}));
}

TEST(Batching, OfAnInitValueRoundsASumOfHalvesOnce) {
  Program program;
  const ValueId x = program.argument(Shape{2}, DType::f16), init = program.argument({}, DType::f16);
  program.returns({program.builder.reduce(x, init, {0}, Op::add)});
  const float16 half(0.5f), large(2048.0f), zero(-0.0f);
  const auto results = interpreter::interpret(
      batched(program, {true, true}, 2), {array<float16>(Shape{2, 2}, {float16(1.5f), large, zero, zero}),
                                          array<float16>(Shape{2}, {half, zero})});
  EXPECT_EQ(results[0].at<float16>(0).bits, float16(2050.0f).bits);
  EXPECT_EQ(results[0].at<float16>(1).bits, 0x8000);
}

// The body adds a value from around it, whatever the element.
TEST(Batching, OfABodyThatReadsAroundIt) {
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32), scale = program.argument({}, DType::f32);
  const ValueId sum = program.builder.reduce(x, program.builder.scalar(DType::f32, 0), {0}, Op::add);
  const RegionId body = program.graph.node(program.graph.value(sum).node).regions[0];
  program.graph.node(program.graph.region(body).nodes[0]).operands[1] = scale;
  program.returns({sum});
  const auto results = interpreter::interpret(batched(program, {true, false}, 2),
                                              {array<float>(Shape{2, 3}, {1, 2, 3, 4, 5, 6}), array<float>({}, {0.5f})});
  EXPECT_EQ(results[0].at<float>(0), 1.5f);
  EXPECT_EQ(results[0].at<float>(1), 1.5f);
}

}  // namespace
}  // namespace weft::ir
