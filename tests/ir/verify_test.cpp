// The verifier: each numbered rule is broken once, and legal graphs have no fault.
#include <gtest/gtest.h>

#include <weft/error.h>

#include "tests/ir/program.h"

namespace weft::ir {
namespace {

const Type kF32{Shape{}, DType::f32};

std::string message(const Graph& graph) {
  const auto finding = find_fault(graph);
  return finding ? finding->message : "";
}

struct Negation : Program {
  ValueId x = argument(Shape{}, DType::f32);
  ValueId y = builder.op(Op::negate, {x});
  NodeId node = graph.value(y).node;
  Negation() { returns({y}); }
};

TEST(Verify, LegalGraphsHaveNoFault) {
  EXPECT_EQ(message(Negation().graph), "");
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32);
  program.returns({program.builder.reduce(x, program.builder.scalar(DType::f32, 0), {0}, Op::add)});
  EXPECT_EQ(message(program.graph), "");
  verify(program.graph, "building");
}

TEST(Verify, NamesThePassBefore) {
  Negation program;
  program.graph.node(program.node).op = Op::popcnt;
  try {
    verify(program.graph, "fuse");
    FAIL() << "no fault found";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("verify after fuse: V3: stablehlo.popcnt"), std::string::npos)
        << error.what();
  }
}

TEST(Verify, V1FunctionsAreThereAndDiffer) {
  EXPECT_EQ(message(Graph()), "V1: graph: has no function");
  Graph graph;
  graph.add_function("f", true);
  graph.add_function("f", false);
  EXPECT_EQ(message(graph), "V1: graph: two functions are called @f");
}

TEST(Verify, V2OperandsComeFirst) {
  Negation program;
  const ValueId z = program.builder.op(Op::negate, {program.y});
  program.graph.node(program.node).operands = {z};
  EXPECT_EQ(message(program.graph), "V2: stablehlo.negate: reads %2, which is not defined before it");
}

TEST(Verify, V2ValuesOfRegionsStayInside) {
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32);
  const ValueId sum = program.builder.reduce(x, program.builder.scalar(DType::f32, 0), {0}, Op::add);
  const RegionId body = program.graph.node(program.graph.value(sum).node).regions[0];
  const ValueId inner = program.graph.region(body).arguments[0];
  const NodeId outside =
      program.graph.add_node(program.body, Op::negate, {inner}, NoAttributes{}, {kF32}, {}, 0);
  EXPECT_EQ(message(program.graph),
            "V2: stablehlo.negate: reads %" + std::to_string(inner) + ", which is not defined before it");
  program.graph.node(outside).operands = {sum};
  EXPECT_EQ(message(program.graph), "");
}

TEST(Verify, V2RegionsDoNotSeeTheirOwnNodesResults) {
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32);
  const ValueId sum = program.builder.reduce(x, program.builder.scalar(DType::f32, 0), {0}, Op::add);
  const RegionId body = program.graph.node(program.graph.value(sum).node).regions[0];
  program.graph.node(program.graph.region(body).nodes[0]).operands[1] = sum;
  EXPECT_EQ(message(program.graph),
            "V2: stablehlo.add: reads %" + std::to_string(sum) + ", which is not defined before it");
}

TEST(Verify, V2RegionsSeeValuesAround) {
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32), scale = program.argument(Shape{}, DType::f32);
  const ValueId sum = program.builder.reduce(x, program.builder.scalar(DType::f32, 0), {0}, Op::add);
  const RegionId body = program.graph.node(program.graph.value(sum).node).regions[0];
  program.graph.node(program.graph.region(body).nodes[0]).operands[1] = scale;
  EXPECT_EQ(message(program.graph), "");
}

TEST(Verify, V3ResultsHaveTheTypesOfTheRule) {
  Negation program;
  program.graph.node(program.node).op = Op::is_finite;
  EXPECT_EQ(message(program.graph), "V3: stablehlo.is_finite: results should be b1[], are f32[]");
  program.graph.node(program.node).op = Op::add;
  EXPECT_EQ(message(program.graph), "V3: stablehlo.add: takes 2 operands, got 1 (E1)");
  program.graph.node(program.node).op = Op::call;
  EXPECT_EQ(message(program.graph), "V3: func.call: has the attributes of another operation (E5)");
}

TEST(Verify, V4ResultsOfRegionsAreVisible) {
  Negation program;
  const RegionId other = program.graph.add_function("f", false).body;
  program.graph.region(other).results = {program.x};
  EXPECT_EQ(message(program.graph), "V4: graph: the region's result %0 is not visible there");
}

Graph calling(const std::string& caller, const std::string& callee) {
  Graph graph;
  const RegionId body = graph.add_function(caller, true).body;
  const ValueId x = graph.add_argument(body, kF32);
  const NodeId call = graph.add_node(body, Op::call, {x}, CallAttributes{callee}, {kF32}, {}, 0);
  graph.region(body).results = graph.node(call).results;
  return graph;
}

TEST(Verify, V5CallsFindTheirFunction) {
  EXPECT_EQ(message(calling("main", "f")), "V5: func.call: calls @f, which is not there");
  Graph graph = calling("main", "f");
  const RegionId body = graph.add_function("f", false).body;
  EXPECT_EQ(message(graph), "V5: func.call: operands do not match the arguments of @f");
  graph.add_argument(body, kF32);
  EXPECT_EQ(message(graph), "V5: func.call: results do not match those of @f");
  graph.region(body).results = graph.region(body).arguments;
  EXPECT_EQ(message(graph), "");
}

TEST(Verify, V5CallsDoNotRecurse) {
  EXPECT_EQ(message(calling("main", "main")), "V5: graph: @main calls itself");
  Graph graph = calling("main", "f");
  const RegionId body = graph.add_function("f", false).body;
  const ValueId x = graph.add_argument(body, kF32);
  const NodeId call = graph.add_node(body, Op::call, {x}, CallAttributes{"main"}, {kF32}, {}, 0);
  graph.region(body).results = graph.node(call).results;
  EXPECT_EQ(message(graph), "V5: graph: @main calls itself");
}

template <class Change>
std::string message_after(const Change& change) {
  Negation program;
  change(program);
  return message(program.graph);
}

TEST(Verify, V6NumbersExist) {
  EXPECT_EQ(message_after([](Negation& p) { p.graph.node(p.node).operands = {77}; }),
            "V6: stablehlo.negate: reads a value that does not exist");
  EXPECT_EQ(message_after([](Negation& p) { p.returns({kNone}); }),
            "V6: graph: a region's result does not exist");
  EXPECT_EQ(message_after([](Negation& p) { p.graph.region(p.body).nodes.push_back(5); }),
            "V6: graph: node 5 does not exist");
  EXPECT_EQ(message_after([](Negation& p) { p.graph.node(p.node).regions = {9}; }),
            "V6: stablehlo.negate: region 9 does not exist");
}

TEST(Verify, V6NothingIsListedTwice) {
  EXPECT_EQ(message_after([](Negation& p) { p.graph.region(p.body).nodes.push_back(p.node); }),
            "V6: stablehlo.negate: is listed twice");
  EXPECT_EQ(message_after([](Negation& p) {
              p.graph.functions.push_back({"f", p.body, false});
            }),
            "V6: graph: region 0 is listed twice");
  EXPECT_EQ(message_after([](Negation& p) { p.graph.node(p.node).regions = {p.body}; }),  // inside itself
            "V6: stablehlo.negate: region 0 is listed twice");
}

TEST(Verify, V6ResultsAreTheNodesOwn) {
  EXPECT_EQ(message_after([](Negation& p) { p.graph.node(p.node).results = {p.x}; }),
            "V6: stablehlo.negate: lists a result that is not its own");
}

TEST(Verify, DoesNotRecurseOverRegions) {
  Program program;
  const ValueId x = program.argument(Shape{2}, DType::f32), zero = program.builder.scalar(DType::f32, 0);
  RegionId region = program.body;
  for (int depth = 0; depth < 50000; ++depth) {
    const RegionId inner = program.graph.add_region();
    const ValueId first = program.graph.add_argument(inner, kF32);
    program.graph.add_argument(inner, kF32);
    program.graph.region(inner).results = {first};
    program.graph.add_node(region, Op::reduce, {x, zero}, ReduceAttributes{{0}}, {kF32}, {inner}, 0);
    region = inner;
  }
  EXPECT_EQ(message(program.graph), "");
}

TEST(Builder, RefusesWhatTheRuleRefuses) {
  Program program;
  const ValueId x = program.argument(Shape{3}, DType::f32), y = program.argument(Shape{4}, DType::f32);
  try {
    program.builder.op(Op::add, {x, y});
    FAIL() << "accepted";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("stablehlo.add: operands differ in shape: f32[3], f32[4] (E3)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace weft::ir
