// Whole programs under batch: calls, nesting, axes, what does not vary, and what is refused.
#include "tests/transform/batch_helpers.h"

#include <weft/error.h>

namespace weft::transform {
namespace {

using ir::Op;
using ir::ValueId;

// @scale(a, b) = (a * b, b): its second result varies only with b.
void add_scale(ir::Graph& graph) {
  const ir::RegionId region = graph.add_function("scale", false).body;
  const ValueId a = graph.add_argument(region, {Shape{2}, f32}),
                b = graph.add_argument(region, {Shape{2}, f32});
  ir::Builder builder(graph, region);
  graph.region(region).results = {builder.op(Op::multiply, {a, b}), b};
}

TEST(Batch, CalleesAreBatchedOncePerCombination) {
  Program program;
  add_scale(program.graph);
  const ValueId x = program.argument(Shape{2}, f32), y = program.argument(Shape{2}, f32);
  const auto both = program.builder.call("scale", {x, y}), again = program.builder.call("scale", {x, y});
  const auto first = program.builder.call("scale", {x, again[1]}),
             none = program.builder.call("scale", {y, y});
  program.returns({both[0], again[0], first[0], first[1], none[0]});
  expect_batches(program.graph);

  std::vector<bool> varying;
  const ir::Graph batched = batch(program.graph, {{0, kNotBatched}, {0, 0, 0, 0, 0}, 3}, &varying);
  EXPECT_EQ(varying, (std::vector<bool>{true, true, true, false, false}));
  EXPECT_EQ(batched.functions.size(), 3u);  // main, scale, and scale with its first argument batched
  EXPECT_NE(batched.find_function("scale"), nullptr);
}

TEST(Batch, NamesOfVersionsDoNotCollide) {
  Program program;
  add_scale(program.graph);
  const ir::RegionId region = program.graph.add_function("scale_batched", false).body;
  const ValueId a = program.graph.add_argument(region, {Shape{2}, f32});
  program.graph.region(region).results = {ir::Builder(program.graph, region).op(Op::negate, {a})};
  const ValueId x = program.argument(Shape{2}, f32), y = program.argument(Shape{2}, f32);
  program.returns({program.builder.call("scale", {x, y})[0], program.builder.call("scale_batched", {y})[0]});
  expect_batches(program.graph);
}

// The body of a reduction that is a call, as logsumexp's combination in some programs.
TEST(Batch, BodiesThatCallBringTheirFunctionsAlong) {
  Program program;
  ir::Graph& graph = program.graph;
  const ir::Type element{Shape{}, f32};
  const ir::RegionId combine = graph.add_function("combine", false).body;
  const ValueId a = graph.add_argument(combine, element), b = graph.add_argument(combine, element);
  graph.region(combine).results = {ir::Builder(graph, combine).op(Op::maximum, {a, b})};
  const ir::RegionId body = graph.add_region();
  const ValueId p = graph.add_argument(body, element), q = graph.add_argument(body, element);
  graph.region(body).results = ir::Builder(graph, body).call("combine", {p, q});
  const ValueId x = program.argument(Shape{4}, f32), init = program.builder.scalar(f32, -100);
  program.returns({program.builder.op(Op::reduce, {x, init}, ir::ReduceAttributes{{0}}, {}, {body})});
  expect_batches(program.graph);
}

TEST(Batch, NestsInItself) {
  Program program;
  const ValueId x = program.argument(Shape{2}, f32), y = program.argument(Shape{2}, f32);
  add_scale(program.graph);
  const auto scaled = program.builder.call("scale", {x, y});
  program.returns({program.builder.op(Op::add, {scaled[0], x}),
                   program.builder.reduce(scaled[0], program.builder.scalar(f32, 0), {0}, Op::add)});
  for (const std::int64_t inner_x : {kNotBatched, std::int64_t{0}, std::int64_t{1}}) {
    const ir::Graph inner = batch(program.graph, {{inner_x, 0}, {1, 0}, 3});
    ir::verify(inner, "the inner batch");
    expect_batches(inner);
    const ir::Graph middle = batch(inner, {{0, 1}, {0, 0}, 2});
    expect_slices_agree(middle, {{kNotBatched, 2}, {1, 1}, 2});
  }
}

TEST(Batch, AxesAnywhere) {
  Program program;
  const ValueId x = program.argument(Shape{2, 3}, f32);
  program.returns({program.builder.transpose(x, {1, 0}), x});
  for (std::int64_t in = 0; in <= 2; ++in)
    for (std::int64_t out = 0; out <= 2; ++out) expect_slices_agree(program.graph, {{in}, {out, 2 - out}, 4});
}

TEST(Batch, WhatDoesNotVaryNeedsNoAxis) {
  Program program;
  const ValueId x = program.argument(Shape{2}, f32), y = program.argument(Shape{2}, f32);
  program.returns({program.builder.op(Op::add, {x, x}), program.builder.op(Op::negate, {y})});
  expect_slices_agree(program.graph, {{0, kNotBatched}, {0, kNotBatched}, 3});
  EXPECT_THROW(batch(program.graph, {{0, kNotBatched}, {kNotBatched, 0}, 3}), TypeError);
}

TEST(Batch, BatchesOfNoneAndOfOne) {
  Program program;
  const ValueId x = program.argument(Shape{2}, f32);
  program.returns({program.builder.reduce(x, program.builder.scalar(f32, 1), {0}, Op::add)});
  expect_slices_agree(program.graph, {{0}, {0}, 1});
  const ir::Graph empty = batch(program.graph, {{1}, {0}, 0});
  ir::verify(empty, "batch");
  EXPECT_EQ(empty.type(empty.region(empty.entry().body).results[0]).shape, Shape{0});
}

TEST(Batch, WrongSpecsAreRefused) {
  Program program;
  const ValueId x = program.argument(Shape{2}, f32);
  program.returns({x});
  EXPECT_THROW(batch(program.graph, {{2}, {0}, 3}), IndexError);
  EXPECT_THROW(batch(program.graph, {{-1}, {0}, 3}), IndexError);
  EXPECT_THROW(batch(program.graph, {{0}, {2}, 3}), IndexError);
  EXPECT_THROW(batch(program.graph, {{0}, {0, 0}, 3}), InternalError);
  EXPECT_THROW(batch(program.graph, {{0}, {0}, -3}), ShapeError);
}

TEST(Batch, ABodyMayReadMappedValuesAroundIt) {
  Program program;
  const ir::Type element{Shape{}, f32};
  const ValueId x = program.argument(Shape{4}, f32), offset = program.argument(Shape{}, f32);
  const ir::RegionId body = program.graph.add_region();
  const ValueId a = program.graph.add_argument(body, element), b = program.graph.add_argument(body, element);
  ir::Builder inside(program.graph, body);
  program.graph.region(body).results = {inside.op(Op::minimum, {inside.op(Op::maximum, {a, b}), offset})};
  const ValueId init = program.builder.scalar(f32, 0);
  program.returns({program.builder.op(Op::reduce, {x, init}, ir::ReduceAttributes{{0}}, {}, {body})});
  for (std::int64_t x_axis : {std::int64_t{0}, kNotBatched})
    for (std::int64_t offset_axis : {std::int64_t{0}, kNotBatched})
      expect_slices_agree(program.graph, {{x_axis, offset_axis}, {0}, 3});
}

TEST(Batch, ABodyThatReadsAnArrayAroundItIsRefused) {
  Program program;
  const ValueId x = program.argument(Shape{4}, f32), table = program.argument(Shape{4}, f32);
  const ir::RegionId body = program.graph.add_region();
  const ValueId a = program.graph.add_argument(body, {Shape{}, f32}), b = program.graph.add_argument(body, {Shape{}, f32});
  ir::Builder inside(program.graph, body);
  const ValueId total = inside.reduce(table, inside.scalar(f32, 0), {0}, Op::add);
  program.graph.region(body).results = {inside.op(Op::add, {inside.op(Op::maximum, {a, b}), total})};
  program.returns({program.builder.op(Op::reduce, {x, program.builder.scalar(f32, 0)}, ir::ReduceAttributes{{0}}, {}, {body})});
  EXPECT_THROW(batch(program.graph, {{0, 0}, {0}, 3}), CompileError);
}

TEST(Batch, RecursionIsRefused) {
  Program program;
  const ValueId x = program.argument(Shape{}, f32);
  const ir::NodeId call = program.graph.add_node(program.body, Op::call, {x}, ir::CallAttributes{"main"},
                                                 {{Shape{}, f32}}, {}, 0);
  program.returns(program.graph.node(call).results);
  EXPECT_THROW(batch(program.graph, {{0}, {0}, 3}), InternalError);
}

TEST(Batch, DeepCallsAndLongChainsNeedNoStack) {
  ir::Graph graph;
  constexpr int kDepth = 5000;
  for (int i = 0; i < kDepth; ++i) {
    const ir::RegionId region =
        graph.add_function(i + 1 == kDepth ? "main" : "f" + std::to_string(i), false).body;
    ir::Builder builder(graph, region);
    const ValueId x = graph.add_argument(region, {Shape{}, f32});
    const ValueId next = i == 0 ? x : builder.call("f" + std::to_string(i - 1), {x})[0];
    graph.region(region).results = {builder.op(Op::negate, {next})};
  }
  EXPECT_EQ(batch(graph, {{0}, {0}, 3}).functions.size(), static_cast<std::size_t>(kDepth));

  Program program;
  ValueId x = program.argument(Shape{2}, f32);
  for (int i = 0; i < 100000; ++i) x = program.builder.op(Op::sine, {x});
  program.returns({x});
  EXPECT_GE(batch(program.graph, {{0}, {0}, 3}).node_count(), 100000u);
}

TEST(Batch, OperationsKeepTheirSourceLines) {
  Program program;
  program.builder.set_location(program.graph.add_location({"model.cpp", 12, 5}));
  program.returns({program.builder.op(Op::negate, {program.argument(Shape{2}, f32)})});
  const ir::Graph batched = batch(program.graph, {{0}, {0}, 3});
  const ir::NodeId node = batched.region(batched.entry().body).nodes[0];
  EXPECT_EQ(batched.location(batched.node(node).location).to_string(), "model.cpp:12");
}

}  // namespace
}  // namespace weft::transform
