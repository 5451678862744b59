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

INSTANTIATE_TEST_SUITE_P(ranks, Structural, testing::Range(0, 6));

}  // namespace
}  // namespace weft::sweep
