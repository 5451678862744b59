// The walk itself: functions, calls, regions, arguments, depth, and every row of the table.
#include <gtest/gtest.h>

#include <algorithm>

#include <weft/error.h>

#include "tests/interpreter/program.h"

namespace weft::interpreter {
namespace {

using ir::Literal;
using ir::Op;

TEST(Interpreter, RunsTheNodesOfAFunction) {
  Program program;
  const ir::ValueId x = program.argument(Shape{3}, f32), y = program.argument(Shape{3}, f32);
  const ir::ValueId sum = program.builder.op(Op::add, {x, y});
  program.returns({program.builder.op(Op::multiply, {sum, program.builder.splat(f32, Shape{3}, 2)}), x, x});
  const auto results = program.run({row({1.0f, 2.0f, 3.0f}), row({10.0f, 20.0f, 30.0f})});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(elements_of<float>(results[0]), (std::vector<float>{22, 44, 66}));
  EXPECT_EQ(elements_of<float>(results[2]), (std::vector<float>{1, 2, 3}));
}

TEST(Interpreter, ResultsAreNeverSplats) {
  Program program;
  const ir::ValueId x = program.argument(Shape{3}, i32);
  program.returns({x, program.builder.splat(i32, Shape{2}, 5)});
  const std::int32_t seven = 7;
  const auto results = program.run({Literal::splat(i32, Shape{3}, &seven)});
  EXPECT_FALSE(results[0].is_splat || results[1].is_splat);
  EXPECT_EQ(elements_of<std::int32_t>(results[0]), (std::vector<std::int32_t>{7, 7, 7}));
  EXPECT_EQ(elements_of<std::int32_t>(results[1]), (std::vector<std::int32_t>{5, 5}));
}

TEST(Interpreter, ArgumentsAreChecked) {
  Program program;
  program.returns({program.argument(Shape{3}, f32)});
  EXPECT_THROW(program.run({}), TypeError);
  EXPECT_THROW(program.run({row({1.0f, 2.0f})}), TypeError);
  EXPECT_THROW(program.run({row({1, 2, 3})}), TypeError);
  EXPECT_THROW(interpret(program.graph, "absent", {}), ExecutionError);
}

TEST(Interpreter, CallsOtherFunctions) {
  Program program;
  const ir::RegionId twice = scalar_function(program.graph, "twice_and_itself");
  ir::Builder inside(program.graph, twice);
  const ir::ValueId x = program.graph.region(twice).arguments[0];
  program.graph.region(twice).results = {inside.op(Op::add, {x, x}), x};
  const ir::ValueId argument = program.argument(Shape{}, f32);
  const auto once = program.builder.call("twice_and_itself", {argument});
  const auto again = program.builder.call("twice_and_itself", {once[0]});
  program.returns({again[0], again[1], once[1]});
  const auto results = program.run({literal<float>(Shape{}, {3})});
  EXPECT_EQ(results[0].at<float>(0), 12);
  EXPECT_EQ(results[1].at<float>(0), 6);
  EXPECT_EQ(results[2].at<float>(0), 3);
  EXPECT_EQ(interpret(program.graph, "twice_and_itself", {literal<float>(Shape{}, {1})})[0].at<float>(0), 2);
}

// @f0 returns its argument plus 1, each @f<i> calls the one before.
ir::Graph nested_calls(int depth) {
  ir::Graph graph;
  for (int i = 0; i < depth; ++i) {
    const ir::RegionId region = scalar_function(graph, i + 1 == depth ? "main" : "f" + std::to_string(i));
    ir::Builder builder(graph, region);
    const ir::ValueId x = graph.region(region).arguments[0];
    graph.region(region).results = i == 0 ? std::vector{builder.op(Op::add, {x, builder.scalar(f32, 1)})}
                                          : builder.call("f" + std::to_string(i - 1), {x});
  }
  return graph;
}

TEST(Interpreter, DeepCallsRunUpToALimitThatThrows) {
  EXPECT_EQ(interpret(nested_calls(900), {literal<float>(Shape{}, {1})})[0].at<float>(0), 2);
  EXPECT_THROW(interpret(nested_calls(1100), {literal<float>(Shape{}, {1})}), ExecutionError);
}

TEST(Interpreter, RecursionEndsAtTheLimit) {
  ir::Graph graph;
  const ir::RegionId region = scalar_function(graph, "main");
  const ir::ValueId x = graph.region(region).arguments[0];
  const ir::NodeId call =
      graph.add_node(region, Op::call, {x}, ir::CallAttributes{"main"}, {{Shape{}, f32}}, {}, 0);
  graph.region(region).results = graph.node(call).results;
  EXPECT_THROW(interpret(graph, {literal<float>(Shape{}, {1})}), ExecutionError);
}

TEST(Interpreter, ALongChainNeedsNoStackAndOneBuffer) {
  Program program;
  ir::ValueId x = program.argument(Shape{1000}, f64);
  const ir::ValueId argument = x;
  for (int i = 0; i < 20000; ++i) x = program.builder.op(Op::negate, {x});
  program.returns({x, argument});
  const auto before = runtime::pool_statistics().bytes_held;
  const auto results = program.run({literal(Shape{1000}, std::vector<double>(1000, 3.0))});
  EXPECT_EQ(results[0].at<double>(999), 3);
  EXPECT_LT(runtime::pool_statistics().bytes_held - before, std::size_t{16} << 20);
}

TEST(Interpreter, BodiesReadValuesAroundThem) {
  Program program;
  const ir::ValueId x = program.argument(Shape{4}, f32), offset = program.argument(Shape{}, f32);
  const ir::ValueId init = program.builder.scalar(f32, 0);
  const ir::RegionId body = program.graph.add_region();
  const ir::ValueId a = program.graph.add_argument(body, {Shape{}, f32});
  const ir::ValueId b = program.graph.add_argument(body, {Shape{}, f32});
  ir::Builder inside(program.graph, body);
  program.graph.region(body).results = {inside.op(Op::add, {inside.op(Op::add, {a, b}), offset})};
  program.returns({program.builder.op(Op::reduce, {x, init}, ir::ReduceAttributes{{0}}, {}, {body})});
  const auto results = program.run({row({1.0f, 2.0f, 3.0f, 4.0f}), literal<float>(Shape{}, {100})});
  EXPECT_EQ(results[0].at<float>(0), 410);
}

Literal arbitrary(const ir::Type& type) {
  Literal literal{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  auto* bytes = reinterpret_cast<unsigned char*>(literal.buffer.data());
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < type.nbytes(); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = static_cast<unsigned char>(type.dtype == b1 ? (state >> 30) & 1 : state >> 24);
  }
  return literal;
}

TEST(Interpreter, EveryRowHasAValueForEveryTypeThatItAccepts) {
  for (const Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    for (int number = 0; number < kDTypeCount; ++number) {
      const auto dtype = static_cast<DType>(number);
      if (!ir::accepts(op, dtype)) continue;
      Program program;
      std::vector<ir::ValueId> operands;
      std::vector<Literal> arguments;
      for (int i = 0; i < ir::info_of(op).arity; ++i) {
        operands.push_back(program.argument(Shape{7}, dtype));
        arguments.push_back(arbitrary({Shape{7}, dtype}));
      }
      program.returns({program.builder.op(op, operands)});
      const auto results = program.run(arguments);
      EXPECT_EQ(results[0].type.shape, Shape{7}) << ir::info_of(op).text;
    }
  }
}

TEST(Interpreter, OneNodeByItself) {
  Program program;
  const ir::ValueId x = program.argument(Shape{2}, i32);
  const ir::ValueId sum = program.builder.op(Op::add, {x, x});
  const std::int32_t four = 4;
  const auto results = evaluate_node(program.graph, program.graph.value(sum).node,
                                     {Literal::splat(i32, Shape{2}, &four), row({1, 2})});
  EXPECT_EQ(elements_of<std::int32_t>(results[0]), (std::vector<std::int32_t>{5, 6}));
}

TEST(IsExact, TranscendentalsAndFloatReductionsAreNot) {
  Program program;
  const ir::ValueId x = program.argument(Shape{4}, f32), n = program.argument(Shape{4}, i32);
  ir::Builder& b = program.builder;
  const auto exact = [&](ir::ValueId value) {
    return is_exact(program.graph, program.graph.value(value).node);
  };
  EXPECT_TRUE(exact(b.op(Op::add, {x, x})));
  EXPECT_TRUE(exact(b.op(Op::sqrt, {x})));
  EXPECT_TRUE(exact(b.op(Op::power, {n, n})));
  EXPECT_TRUE(exact(b.convert(x, i32)));
  EXPECT_TRUE(exact(b.compare(ir::Direction::LT, x, x)));
  EXPECT_TRUE(exact(b.reduce(n, b.scalar(i32, 0), {0}, Op::add)));
  EXPECT_TRUE(exact(b.iota(f32, Shape{3}, 0)));
  EXPECT_FALSE(exact(b.op(Op::sine, {x})));
  EXPECT_FALSE(exact(b.op(Op::power, {x, x})));
  EXPECT_FALSE(exact(b.op(Op::rsqrt, {x})));
  EXPECT_FALSE(exact(b.reduce(x, b.scalar(f32, 0), {0}, Op::add)));
}

}  // namespace
}  // namespace weft::interpreter
