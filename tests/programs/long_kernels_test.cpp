// Bodies of thousands of operations are cut into kernels of bounded size, and give what they gave whole.
#include <cmath>

#include <gtest/gtest.h>

#include "compiler/lower/nest.h"
#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Op;
using ir::ValueId;

// How the steps of a long body hang together.
enum class Form : std::uint8_t { chain, many_constants, wide, many_results, booleans };

ValueId step(ir::Builder& b, Op op, ValueId x, ValueId y) { return b.op(op, {x, y}); }

std::vector<ValueId> long_body(ir::Builder& b, Form form, int count, ValueId x, ValueId y) {
  const ir::Type type = b.type(x);
  std::vector<ValueId> results;
  ValueId sum = x;
  std::vector<ValueId> wide;
  for (int i = 0; i < count; ++i) {
    const ValueId constant = b.splat(type.dtype, type.shape, 0.001 * i - 0.2);
    switch (form) {
      case Form::chain:
        sum = step(b, Op::add, step(b, Op::multiply, sum, y), i % 2 ? x : y);
        break;
      case Form::many_constants:
        sum = step(b, Op::add, sum, step(b, Op::multiply, x, constant));
        break;
      case Form::wide:
        wide.push_back(step(b, Op::multiply, x, constant));
        if (i + 1 == count)
          for (std::size_t k = 0; k < wide.size(); ++k) sum = step(b, Op::add, step(b, Op::multiply, sum, y), wide[k]);
        break;
      case Form::many_results:
        sum = step(b, Op::add, step(b, Op::multiply, sum, y), x);
        if (i % 10 == 0) results.push_back(sum);
        break;
      case Form::booleans:
        sum = b.select(b.op(Op::and_, {b.compare(ir::Direction::LT, sum, constant), b.compare(ir::Direction::GT, x, y)}),
                       step(b, Op::add, sum, x), step(b, Op::multiply, sum, y));
        break;
    }
  }
  results.push_back(sum);
  return results;
}

TEST(LongKernels, give_what_the_interpreter_gives) {
  for (Form form : {Form::chain, Form::many_constants, Form::wide, Form::many_results, Form::booleans})
    for (const Shape& extents : {Shape{}, Shape{1}, Shape{37}, Shape{5, 40}}) {
      Program program;
      const ir::Type type{extents, f32};
      const ValueId x = program.argument(type), y = program.argument(type);
      for (ValueId result : long_body(program.builder, form, 1500, x, y)) program.returns(result);
      const int kernels = expect_same(program.graph, arguments_of(program.graph, 3, Values::near_one));
      EXPECT_GE(kernels, 3) << static_cast<int>(form) << " " << extents;
    }
}

TEST(LongKernels, are_no_longer_than_a_bound) {
  for (Form form : {Form::chain, Form::many_constants, Form::wide, Form::many_results, Form::booleans}) {
    Program program;
    const ir::Type type{Shape{1000}, f32};
    const ValueId x = program.argument(type), y = program.argument(type);
    for (ValueId result : long_body(program.builder, form, 4000, x, y)) program.returns(result);
    const lower::Plan plan = lower::lower(program.graph);
    for (const lower::Kernel& kernel : plan.kernels) EXPECT_LE(kernel.body.size(), 1200u) << static_cast<int>(form);
    EXPECT_LE(plan.arena_bytes, 4'000'000) << static_cast<int>(form);  // few values are handed on at a time
  }
}

TEST(LongKernels, end_in_a_reduction) {
  Program program;
  const ir::Type type{Shape{300, 20}, f32};
  const ValueId x = program.argument(type), y = program.argument(type);
  ir::Builder& b = program.builder;
  const ValueId value = long_body(b, Form::chain, 800, x, y).back();
  program.returns(b.reduce(value, b.scalar(f32, -INFINITY), {0}, Op::maximum));
  program.returns(b.reduce(value, b.scalar(f32, INFINITY), {1}, Op::minimum));
  expect_same(program.graph, arguments_of(program.graph, 4, Values::near_one));
  expect_same_everywhere(program.graph, arguments_of(program.graph, 4, Values::near_one));
}

TEST(LongKernels, read_at_computed_positions) {
  Program program;
  const ValueId x = program.argument({Shape{64}, f32}), i = program.argument({Shape{}, i32});
  ir::Builder& b = program.builder;
  ValueId value = b.op(Op::dynamic_slice, {x, i}, ir::DynamicSliceAttributes{{20}});
  const ValueId start = value;
  for (int k = 0; k < 1500; ++k) value = b.op(Op::add, {b.op(Op::multiply, {value, start}), start});
  program.returns(b.op(Op::subtract, {value, b.op(Op::dynamic_slice, {x, b.op(Op::add, {i, i})}, ir::DynamicSliceAttributes{{20}})}));
  expect_same(program.graph, {values({Shape{64}, f32}, 1, Values::near_one), ir::Literal::scalar_integer(i32, 17)});
}

// The carried array is read all along a body that also writes it.
TEST(LongKernels, update_carried_values_of_loops) {
  for (const Shape& extents : {Shape{}, Shape{3}, Shape{200}}) {
    Program program;
    const ir::Type type{extents, f32};
    const ValueId x = program.argument(type), y = program.argument(type);
    ir::Builder& b = program.builder;
    ir::Graph& graph = program.graph;
    const ir::RegionId body = graph.add_region();
    graph.add_argument(body, {Shape{}, i64});
    const ValueId carried = graph.add_argument(body, type), other = graph.add_argument(body, type);
    ir::Builder inside(graph, body);
    const ValueId next = long_body(inside, Form::chain, 900, carried, other).back();
    graph.region(body).results = {inside.op(Op::subtract, {next, carried}), inside.op(Op::add, {other, next})};
    ir::ScanAttributes scan;
    scan.carries = 2;
    scan.length = 3;
    for (ValueId result : graph.node(b.node(Op::scan, {x, y}, scan, {}, {body})).results) program.returns(result);
    const ir::Literal small = values(type, 6, Values::near_one);
    expect_same(program.graph, {small, literal_of(f32, extents, std::vector<double>(static_cast<std::size_t>(type.size()), 0.25))});
  }
}

}  // namespace
}  // namespace weft::sweep
