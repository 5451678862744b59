// The tables of operations, literals and attributes: names, hashes and equality.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <weft/error.h>

#include "tests/ir/program.h"

namespace weft::ir {
namespace {

TEST(OpTable, EveryNameIsFoundAgainAndNoneIsTwice) {
  std::set<std::string_view> texts;
  for (Op op : all_ops()) {
    EXPECT_EQ(op_from_text(info_of(op).text), op) << info_of(op).text;
    EXPECT_TRUE(texts.insert(info_of(op).text).second) << info_of(op).text;
  }
  EXPECT_EQ(op_from_text("stablehlo.frobnicate"), std::nullopt);
}

TEST(OpTable, NamesComeWithoutDialect) {
  EXPECT_EQ(info_of(Op::and_).name, "and");
  EXPECT_EQ(info_of(Op::erf_inv).name, "erf_inv");
  EXPECT_EQ(info_of(Op::call).name, "call");
  EXPECT_TRUE(is_elementwise(Op::power));
  EXPECT_FALSE(is_elementwise(Op::select));
}

TEST(OpTable, ComplexIsNotAcceptedYet) {
  for (Op op : all_ops()) EXPECT_FALSE(accepts(op, DType::c64)) << info_of(op).text;
}

TEST(Literals, ScalarsAreRoundedOrWrapped) {
  EXPECT_EQ(Literal::scalar(DType::u8, -1).at<std::uint8_t>(0), 255);
  EXPECT_EQ(Literal::scalar(DType::u64, 18446744073709549568.0).at<std::uint64_t>(0), 18446744073709549568u);
  EXPECT_EQ(Literal::scalar(DType::bf16, 1.00390625).at<bfloat16>(0).bits, 0x3f80);
  EXPECT_EQ(Literal::scalar_integer(DType::f16, 2049).at<float16>(0).bits, 0x6800);
  EXPECT_TRUE(Literal::scalar(DType::b1, 2).at<bool>(0));
  EXPECT_THROW(Literal::scalar(DType::i32, 1e300), InternalError);
}

TEST(Literals, AreComparedByBits) {
  const Literal zero = Literal::scalar(DType::f32, 0.0), minus = Literal::scalar(DType::f32, -0.0);
  EXPECT_FALSE(zero == minus);
  const Literal nan = Literal::scalar(DType::f32, NAN);
  EXPECT_TRUE(nan == nan);
  EXPECT_EQ(nan.hash(), Literal::scalar(DType::f32, NAN).hash());
  EXPECT_FALSE(Literal::zeros(DType::f32, Shape{2}) == Literal::zeros(DType::i32, Shape{2}));
}

TEST(Literals, SplatsBecomeWhole) {
  const std::int16_t seven = 7;
  const Literal whole = Literal::splat(DType::i16, Shape{2, 3}, &seven).materialized();
  EXPECT_FALSE(whole.is_splat);
  EXPECT_EQ(whole.buffer.size(), 12u);
  EXPECT_EQ(whole.at<std::int16_t>(5), 7);
}

TEST(AttributeHash, EqualOnesAgreeAndFieldsDoNotRunTogether) {
  EXPECT_EQ(hash_of(TransposeAttributes{{1, 0}}), hash_of(TransposeAttributes{{1, 0}}));
  EXPECT_NE(hash_of(TransposeAttributes{{1, 0}}), hash_of(TransposeAttributes{{0, 1}}));
  EXPECT_NE(hash_of(TransposeAttributes{{0}}), hash_of(ReverseAttributes{{0}}));
  EXPECT_NE(hash_of(SliceAttributes{{0, 1}, {}, {}}), hash_of(SliceAttributes{{0}, {1}, {}}));
}

TEST(Locations, AreShared) {
  Graph graph;
  const LocationId first = graph.add_location({"dir/model.cpp", 12, 3});
  EXPECT_EQ(graph.add_location({"dir/model.cpp", 12, 3}), first);
  EXPECT_NE(graph.add_location({"dir/model.cpp", 13, 3}), first);
  EXPECT_EQ(graph.location(first).to_string(), "model.cpp:12");
  EXPECT_EQ(graph.location(0).to_string(), "unknown");
}

TEST(Entry, IsMainElseTheOnlyPublicElseTheFirst) {
  Graph graph;
  EXPECT_THROW(graph.entry(), InternalError);
  graph.add_function("a", false);
  EXPECT_EQ(graph.entry().name, "a");
  graph.add_function("b", true);
  EXPECT_EQ(graph.entry().name, "b");
  graph.add_function("main", false);
  EXPECT_EQ(graph.entry().name, "main");
}

TEST(InlineRegion, CopiesNodesAndTheRegionsInside) {
  Program from;
  const ValueId x = from.argument(Shape{4}, DType::f32);
  const ValueId sum = from.builder.reduce(x, from.builder.scalar(DType::f32, 0), {0}, Op::add);
  from.returns({from.builder.op(Op::negate, {sum})});
  Program to;
  std::vector<ValueId> map(from.graph.value_count(), kNone);
  map[x] = to.argument(Shape{4}, DType::f32);
  to.returns(inline_region(to.builder, from.graph, from.body, map));
  EXPECT_EQ(find_fault(to.graph), std::nullopt);
  EXPECT_EQ(to.graph.node_count(), from.graph.node_count());
}

TEST(InlineRegion, WithoutAnArgumentsCounterpartIsRefused) {
  Program from, to;
  const ValueId x = from.argument(Shape{4}, DType::f32);
  from.returns({from.builder.op(Op::negate, {x})});
  std::vector<ValueId> map;
  EXPECT_THROW(inline_region(to.builder, from.graph, from.body, map), InternalError);
}

TEST(InlineRegion, DoesNotRecurseOverNodes) {
  Program from;
  ValueId x = from.argument(Shape{}, DType::f32);
  std::vector<ValueId> map(1, kNone);
  for (int i = 0; i < 100000; ++i) x = from.builder.op(Op::negate, {x});
  from.returns({x});
  Program to;
  map[0] = to.argument(Shape{}, DType::f32);
  to.returns(inline_region(to.builder, from.graph, from.body, map));
  EXPECT_EQ(to.graph.node_count(), 100000u);
  EXPECT_EQ(find_fault(to.graph), std::nullopt);
}

}  // namespace
}  // namespace weft::ir
