// Every structural operation over ranks 0 to 5, alone and in chains with elementwise operations, against the
// interpreter: equal bits.
#include <gtest/gtest.h>

#include "tests/programs/movements.h"

namespace weft::sweep {
namespace {

using ir::ValueId;

constexpr DType kDtypes[] = {DType::f32, DType::u8,  DType::f16, DType::i64,
                             DType::b1,  DType::f64, DType::i16, DType::bf16};

class Structural : public testing::TestWithParam<int> {};

// Each between two elementwise steps, so that index maps are composed with computed operands; all in one
// program.
TEST_P(Structural, operations_are_as_interpreted) {
  const int rank = GetParam();
  for (const Movement& movement : movements())
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << movement.name << " rank " << rank << " seed " << seed);
      Random random(seed * 31 + static_cast<std::uint32_t>(rank));
      Program program;
      for (DType dtype : {kDtypes[seed], kDtypes[seed + 4]}) {
        const ValueId x = program.argument({shape_of_rank(rank, random), dtype});
        program.returns(movement.apply(program.builder, x, random));
        const ValueId before = elementwise_step(program.builder, x, random);
        program.returns(
            elementwise_step(program.builder, movement.apply(program.builder, before, random), random));
      }
      expect_same(program.graph, arguments_of(program.graph, seed, Values::special));
    }
}

TEST_P(Structural, chains_are_as_interpreted) {
  const auto rows = movements();
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "rank " << GetParam() << " seed " << seed);
    Random random(seed * 131 + static_cast<std::uint32_t>(GetParam()));
    Program program;
    ValueId x =
        program.argument({shape_of_rank(GetParam(), random), kDtypes[below(random, std::size(kDtypes))]});
    for (std::int64_t steps = 2 + below(random, 6); steps > 0; --steps) {
      x = rows[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(rows.size())))].apply(
          program.builder, x, random);
      if (random() % 2 == 0) x = elementwise_step(program.builder, x, random);
      if (random() % 4 == 0) program.returns(x);
    }
    program.returns(x);
    const std::string target = targets()[seed % targets().size()];
    expect_same(program.graph, arguments_of(program.graph, seed, Values::special),
                {target, 1 + static_cast<int>(seed % 3)});
  }
}

// Large enough that loads across the vectors' axis are read in squares, with rows and columns left over; and
// strides up to and beyond those that are sorted from whole vectors.
TEST(LargeStrides, transposed_loads_are_as_interpreted) {
  const Shape shapes[] = {{16, 16}, {17, 33}, {64, 64}, {70, 130}, {3, 40, 50}, {200, 5}, {1, 300}};
  for (const Shape& shape : shapes)
    for (DType dtype :
         {DType::f32, DType::f64, DType::i8, DType::u16, DType::i64, DType::f16, DType::bf16, DType::b1}) {
      SCOPED_TRACE(testing::Message() << shape << " " << name_of(dtype));
      Program program;
      ir::Builder& b = program.builder;
      const ValueId x = program.argument({shape, dtype}), y = program.argument({shape, dtype});
      ir::Dims swapped{1, 0};
      if (shape.rank() == 3) swapped = {0, 2, 1};
      const ValueId turned = b.transpose(x, swapped);
      program.returns(turned);
      if (shape.rank() == 2 && shape[0] == shape[1]) program.returns(b.op(ir::Op::maximum, {turned, y}));
      // Two transposed loads of different widths.
      const ValueId below = b.transpose(b.compare(ir::Direction::LT, x, y), swapped);
      program.returns(b.select(below, turned, b.transpose(y, swapped)));
      for (const std::string& target : targets())
        expect_same(program.graph, arguments_of(program.graph, 3, Values::special), {target, 2});
    }
}

TEST(LargeStrides, strided_loads_are_as_interpreted) {
  for (std::int64_t stride : {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 40})
    for (DType dtype : {DType::f32, DType::f64, DType::i8, DType::u16, DType::bf16, DType::b1}) {
      SCOPED_TRACE(testing::Message() << "stride " << stride << " " << name_of(dtype));
      Program program;
      ir::Builder& b = program.builder;
      const ValueId x = program.argument({Shape{stride * 150 - stride + 1}, dtype});
      const std::int64_t size = b.type(x).size();
      const ValueId part = b.slice(x, {0}, {size}, {stride});
      program.returns(part);
      program.returns(b.reverse(part, {0}));
      program.returns(
          b.slice(b.reverse(x, {0}), {size - 1 - (size - 1) / stride * stride}, {size}, {stride}));
      for (const std::string& target : targets())
        expect_same(program.graph, arguments_of(program.graph, 5, Values::special), {target, 1});
    }
}

INSTANTIATE_TEST_SUITE_P(ranks, Structural, testing::Range(0, 6));

}  // namespace
}  // namespace weft::sweep
