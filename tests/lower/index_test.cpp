// Reading at computed positions: the operand is computed where it is read, never as a whole.
#include <gtest/gtest.h>

#include "compiler/interpreter/interpreter.h"
#include "tests/lower/run_plan.h"

namespace weft {
namespace {

using ir::Builder;
using ir::Literal;
using ir::Op;
using ir::ValueId;

Literal ramp(const Shape& shape, DType dtype) {
  Literal literal{{shape, dtype}, runtime::Buffer::allocate(static_cast<std::size_t>(shape.size()) * size_of(dtype)), false};
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    if (dtype == DType::f32) reinterpret_cast<float*>(literal.buffer.data())[i] = static_cast<float>((i * 7) % 13) - 3.5f;
    if (dtype == DType::i32) reinterpret_cast<std::int32_t*>(literal.buffer.data())[i] = static_cast<std::int32_t>((i * 5) % 9) - 2;
  }
  return literal;
}

struct Program {
  ir::Graph graph;
  ir::RegionId region;
  Program() : region(graph.add_function("main", true).body) {}
  Builder builder() { return Builder(graph, region); }
  ValueId argument(const Shape& shape, DType dtype) { return graph.add_argument(region, {shape, dtype}); }
  void returns(std::vector<ValueId> results) { graph.region(region).results = std::move(results); }
};

void expect_as_interpreted(const ir::Graph& graph, const std::vector<Literal>& arguments, std::size_t kernels) {
  ir::verify(graph, "test");
  const lower::Plan plan = lower::lower(graph);
  EXPECT_EQ(plan.kernels.size(), kernels) << print(plan);
  EXPECT_EQ(plan.arena_bytes, 0) << print(plan);
  const auto want = interpreter::interpret(graph, arguments);
  for (const std::string& target : test::targets()) EXPECT_EQ(test::run_plan(plan, arguments, target), want) << target << print(plan);
}

TEST(Index, a_dynamic_slice_of_computed_values_computes_only_what_it_reads) {
  for (std::int32_t start : {-5, 0, 3, 7, 100}) {
    Program p;
    Builder b = p.builder();
    const ValueId x = p.argument({10, 6}, DType::f32), i = p.argument(Shape{}, DType::i32);
    const ValueId y = b.op(Op::multiply, {x, b.op(Op::add, {x, b.splat(DType::f32, {10, 6}, 1)})});
    const ValueId shifted = b.op(Op::add, {y, b.iota(DType::f32, {10, 6}, 0)});
    p.returns({b.op(Op::dynamic_slice, {b.transpose(shifted, {1, 0}), b.scalar(DType::i32, 1), i}, ir::DynamicSliceAttributes{{4, 3}})});
    expect_as_interpreted(p.graph, {ramp({10, 6}, DType::f32), Literal::scalar_integer(DType::i32, start)}, 1);
  }
}

TEST(Index, a_gather_of_computed_rows) {
  Program p;
  Builder b = p.builder();
  const ValueId x = p.argument({50, 7}, DType::f32), rows = p.argument(Shape{9}, DType::i32);
  ir::GatherAttributes g;
  g.offset_dims = {1};
  g.collapsed_slice_dims = {0};
  g.start_index_map = {0};
  g.index_vector_dim = 1;
  g.slice_sizes = {1, 7};
  const ValueId square = b.op(Op::multiply, {x, x});
  p.returns({b.op(Op::gather, {b.reverse(square, {1}), rows}, g)});
  expect_as_interpreted(p.graph, {ramp({50, 7}, DType::f32), ramp(Shape{9}, DType::i32)}, 1);
}

}  // namespace
}  // namespace weft
