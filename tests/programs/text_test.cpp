// A program read back from its text is the same program: printed again it is the same text, and compiled it
// gives the same bits. (That the text of every swept program survives is asked where they are compiled.)
#include <gtest/gtest.h>

#include "compiler/text/text.h"
#include "compiler/transform/batch.h"
#include "tests/programs/bodies.h"
#include "tests/programs/movements.h"
#include "tests/programs/random_chains.h"

namespace weft::sweep {
namespace {

using ir::Op;
using ir::ValueId;

void expect_same_when_read_back(const ir::Graph& graph, Values kind, std::uint32_t seed) {
  const std::string text = text::print(graph);
  const ir::Graph back = text::parse(text);
  EXPECT_EQ(text::print(back), text);
  const auto arguments = arguments_of(graph, seed, kind);
  const Setting setting{targets()[seed % targets().size()], 1 + static_cast<int>(seed % 2)};
  const Outcome want = run(graph, arguments, setting), got = run(back, arguments, setting);
  EXPECT_EQ(got.kernels, want.kernels);
  ASSERT_EQ(got.results.size(), want.results.size());
  for (std::size_t k = 0; k < want.results.size(); ++k)
    EXPECT_EQ(difference(got.results[k], want.results[k]), "") << "result " << k << " of\n" << text;
}

TEST(ReadBack, random_chains_are_the_same) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_when_read_back(Chains(seed).program.graph, Values::special, seed);
  }
}

TEST(ReadBack, movements_are_the_same) {
  for (const Movement& movement : movements())
    for (int rank = 0; rank < 5; ++rank) {
      SCOPED_TRACE(testing::Message() << movement.name << " rank " << rank);
      Random random(static_cast<std::uint32_t>(rank) + 3);
      Program program;
      ValueId x =
          program.argument({shape_of_rank(rank, random), kRealTypes[below(random, std::size(kRealTypes))]});
      for (int step = 0; step < 3; ++step) {
        x = elementwise_step(program.builder, movement.apply(program.builder, x, random), random);
        program.returns(x);
      }
      expect_same_when_read_back(program.graph, Values::special, static_cast<std::uint32_t>(rank));
    }
}

class ReadBackOf : public testing::TestWithParam<DType> {};

TEST_P(ReadBackOf, elementwise_rows_with_constants_are_the_same) {
  Program program;
  const ir::Type type{{2, 9}, GetParam()};
  const ValueId x = program.argument(type);
  const ValueId constant = program.builder.constant(values(type, 4, Values::special));
  for (Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op) || !ir::accepts(op, GetParam())) continue;
    program.returns(
        program.builder.op(op, ir::info_of(op).arity == 1 ? std::vector{x} : std::vector{x, constant}));
  }
  expect_same_when_read_back(program.graph, Values::special, 1);
}

TEST_P(ReadBackOf, reductions_are_the_same) {
  const ir::Type type{{6, 21}, GetParam()};
  for (const InOrder& row : in_order_bodies()) {
    if (GetParam() == DType::b1 && row.name != std::string_view("last")) continue;
    Program program;
    for (ValueId result : reduce_in_order(program, row, type, {1})) program.returns(result);
    expect_same_when_read_back(program.graph, Values::special, 2);
  }
  for (const Spelling& row : spellings()) {
    Program program;
    ir::Builder& b = program.builder;
    const ValueId key = program.argument(type), init = program.argument({Shape{}, GetParam()});
    for (ValueId result : reduce_by(b, {key, b.iota(DType::i64, type.shape, 0)},
                                    {init, b.scalar(DType::i64, 0)}, {0}, selection(row)))
      program.returns(result);
    expect_same_when_read_back(program.graph, Values::special, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(sweep, ReadBackOf, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

TEST(ReadBack, called_and_mapped_functions_are_the_same) {
  Program program;
  ir::Graph& graph = program.graph;
  const ir::RegionId inner = graph.add_function("inner function", false).body;
  ir::Builder b(graph, inner);
  const ValueId a = graph.add_argument(inner, {{5, 8}, DType::f32});
  graph.region(inner).results = {b.op(Op::sine, {a}), b.reduce(a, b.scalar(DType::f32, 0), {0}, Op::add)};
  const auto first = program.builder.call("inner function", {program.argument({{5, 8}, DType::f32})});
  const auto second = program.builder.call("inner function", {first[0]});
  for (ValueId value : {first[1], second[0], second[1]}) program.returns(value);
  expect_same_when_read_back(graph, Values::ordinary, 4);
  expect_same_when_read_back(transform::batch(graph, {{1}, {0, 1, 1}, 3}), Values::ordinary, 5);
}

}  // namespace
}  // namespace weft::sweep
