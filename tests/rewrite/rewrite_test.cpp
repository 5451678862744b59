// What holds for all rewrites: nothing overflows or explodes, options are obeyed, the ledger tells what
// happened.
#include "compiler/rewrite/rewrite.h"

#include <gtest/gtest.h>

#include <weft/error.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/build.h"
#include "compiler/ir/reductions.h"
#include "tests/rewrite/arguments.h"

namespace weft::rewrite {
namespace {

using ir::Builder;
using ir::Graph;
using ir::Op;
using ir::RegionId;
using ir::ValueId;

struct Optimized {
  Graph graph;
  Ledger ledger;
};

Optimized optimized(const Graph& graph, CompileOptions options = {}) {
  Optimized result;
  options.verify_each = true;
  Context context{options, result.ledger};
  result.graph = optimize(graph, context);
  return result;
}

Graph chain(std::size_t length) {
  Graph graph;
  const RegionId body = graph.add_function("main", true).body;
  ValueId value = graph.add_argument(body, {{4}, DType::i32});
  Builder builder(graph, body);
  builder.set_location(graph.add_location({"model.cpp", 12, 3}));
  for (std::size_t i = 0; i < length; ++i) value = builder.op(i % 2 == 0 ? Op::abs : Op::negate, {value});
  graph.region(body).results = {value};
  return graph;
}

TEST(RewriteTest, chain_of_100000_operations_is_walked_without_a_stack) {
  const Optimized result = optimized(chain(100'000));
  EXPECT_EQ(result.graph.node_count(), 2u);
}

TEST(RewriteTest, calls_that_double_at_every_level_are_refused) {
  Graph graph;
  for (int level = 0; level < 64; ++level) {
    const RegionId body = graph.add_function("f" + std::to_string(level), level == 63).body;
    ValueId value = graph.add_argument(body, {{4}, DType::f32});
    Builder builder(graph, body);
    for (int repeat = 0; repeat < 2; ++repeat)
      value = level == 0 ? builder.op(Op::sine, {value})
                         : builder.call("f" + std::to_string(level - 1), {value})[0];
    graph.region(body).results = {value};
  }
  EXPECT_THROW(optimized(graph), CompileError);
}

TEST(RewriteTest, disabled_pass_does_not_run) {
  CompileOptions options;
  options.disabled_passes = {"canonicalize"};
  const Optimized result = optimized(chain(4), options);
  EXPECT_EQ(result.ledger.count("canonicalize"), 0u);
  EXPECT_EQ(result.graph.node_count(), 4u);
}

TEST(RewriteTest, unknown_pass_is_the_users_error) {
  CompileOptions options;
  options.disabled_passes = {"canonicalise"};
  EXPECT_THROW(optimized(chain(4), options), UserError);
}

TEST(RewriteTest, without_optimisation_only_required_passes_run) {
  CompileOptions options;
  options.opt_level = 0;
  const Optimized result = optimized(chain(4), options);
  EXPECT_EQ(result.graph.node_count(), 4u);
  std::vector<std::string> names;
  for (const PassRun& run : result.ledger.runs()) names.push_back(run.pass);
  const std::vector<std::string> required = {"inline_calls", "lift_captured_values", "expand_scatter", "expand_convolution", "expand_dot_general"};
  EXPECT_EQ(names, required);
}

TEST(RewriteTest, ledger_names_the_users_line) {
  const Optimized result = optimized(chain(4));
  ASSERT_FALSE(result.ledger.firings().empty());
  const Firing& firing = result.ledger.firings()[0];
  EXPECT_EQ(firing.rule, "abs_of_negate");
  ASSERT_EQ(firing.where.size(), 1u);
  EXPECT_EQ(firing.where[0].to_string(), "model.cpp:12");
  EXPECT_NE(result.ledger.to_string().find("[exact] at model.cpp:12"), std::string::npos);
}

// x[argmin x] where the body chooses the value by another predicate than the place, as frontends write it.
Graph value_at_argmin(bool keeps_value, std::int64_t extent) {
  Graph graph;
  const RegionId body = graph.add_function("main", true).body;
  const ir::Type element{{}, DType::f32}, place{{}, DType::i32};
  const ValueId x = graph.add_argument(body, {{extent}, DType::f32});
  Builder builder(graph, body);
  const RegionId region = graph.add_region();
  std::vector<ValueId> a;
  for (const ir::Type& type : {element, place, element, place}) a.push_back(graph.add_argument(region, type));
  Builder inside(graph, region);
  const ValueId keeps = inside.op(Op::or_, {inside.compare(ir::Direction::LT, a[0], a[2]),
                                            inside.compare(ir::Direction::NE, a[0], a[0])});
  const ValueId earlier = inside.op(Op::and_, {inside.compare(ir::Direction::EQ, a[0], a[2]),
                                               inside.compare(ir::Direction::LT, a[1], a[3])});
  graph.region(region).results = {inside.select(keeps, a[0], a[2]),
                                  inside.select(inside.op(Op::or_, {keeps, earlier}), a[1], a[3])};
  const ir::NodeId reduce =
      builder.node(Op::reduce,
                   {x, builder.iota(DType::i32, {extent}, 0),
                    builder.constant(ir::identity_of(ir::ReductionKind::minimum, DType::f32)),
                    builder.scalar(DType::i32, 0)},
                   ir::ReduceAttributes{{0}}, {}, {region});
  const std::vector<ValueId> found = graph.node(reduce).results;
  const ValueId at = builder.op(Op::dynamic_slice, {x, found[1]}, ir::DynamicSliceAttributes{{1}});
  graph.region(body).results = {found[1], builder.reshape(at, {})};
  if (keeps_value) graph.region(body).results.push_back(found[0]);
  return graph;
}

TEST(RewriteTest, value_at_argmin_has_the_sign_of_zero_of_its_place) {
  const Graph graph = value_at_argmin(false, 5);
  const Optimized result = optimized(graph);
  EXPECT_EQ(result.ledger.count("select_by_argmin"), 1u);
  const float infinity = HUGE_VALF, nan = std::nanf("");
  for (const std::vector<float>& x :
       std::vector<std::vector<float>>{{1, 0.0f, -0.0f, 2, -0.0f},
                                       {1, -0.0f, 0.0f, 2, 0.0f},
                                       {infinity, infinity, infinity, infinity, infinity},
                                       {3, nan, -5, nan, -infinity},
                                       {4, 3, 2, 1, 0}}) {
    const ir::Literal argument{{{5}, DType::f32}, runtime::Buffer::copy_of(x.data(), 20), false};
    const auto want = interpreter::interpret(graph, {argument}),
               got = interpreter::interpret(result.graph, {argument});
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_TRUE(same_bits(got[i], want[i])) << "x[0] = " << x[0] << ", result " << i;
  }
}

TEST(RewriteTest, value_that_somebody_reads_is_not_chosen_anew) {
  EXPECT_EQ(optimized(value_at_argmin(true, 5)).ledger.count("select_by_argmin"), 0u);
}

}  // namespace
}  // namespace weft::rewrite
