// Type rules of operations that move, index, fold or call: what they accept, and what they say when not.
#include <gtest/gtest.h>

#include "tests/ir/program.h"

namespace weft::ir {
namespace {

const Type kF32{Shape{}, DType::f32}, kI32{Shape{}, DType::i32}, kF64{Shape{}, DType::f64};
const Type kRow{Shape{3}, DType::f32}, kGrid{Shape{3, 4}, DType::f32};

TEST(BroadcastTypes, MapDimensions) {
  const auto broadcast = [](Type from, Type to, Dims dims) {
    return answer(Op::broadcast_in_dim, {from}, BroadcastAttributes{std::move(dims)}, {to});
  };
  EXPECT_EQ(broadcast(kRow, kGrid, {0}), "f32[3,4]");
  EXPECT_EQ(broadcast(kF32, kGrid, {}), "f32[3,4]");
  EXPECT_EQ(broadcast({Shape{1, 4}, DType::f32}, kGrid, {0, 1}), "f32[3,4]");
  EXPECT_EQ(broadcast(kRow, kGrid, {1}),
            "C5: f32[3] does not broadcast to f32[3,4]: dimension 0 has extent 3, the result's 4");
  EXPECT_EQ(broadcast(kRow, kGrid, {}), "C2: 0 dimensions given for f32[3]");
  EXPECT_EQ(broadcast(kRow, kGrid, {2}), "C3: dimension 2 is out of range for rank 2");
  EXPECT_EQ(broadcast({Shape{3, 3}, DType::f32}, {Shape{3, 3}, DType::f32}, {1, 1}),
            "C3: dimension 1 is named twice");
  EXPECT_EQ(broadcast(kRow, {Shape{3}, DType::i32}, {0}), "C1: f32[3] cannot become i32[3]");
}

TEST(ReshapeTypes, KeepTheNumberOfElements) {
  EXPECT_EQ(answer(Op::reshape, {kGrid}, NoAttributes{}, {{Shape{2, 6}, DType::f32}}), "f32[2,6]");
  EXPECT_EQ(answer(Op::reshape, {kGrid}, NoAttributes{}, {kRow}),
            "C2: f32[3,4] has 12 elements, f32[3] has 3");
}

TEST(TransposeTypes, NeedAPermutation) {
  EXPECT_EQ(answer(Op::transpose, {kGrid}, TransposeAttributes{{1, 0}}), "f32[4,3]");
  EXPECT_EQ(answer(Op::transpose, {kGrid}, TransposeAttributes{{0}}),
            "C2: a permutation of 1 dimensions for f32[3,4]");
  EXPECT_EQ(answer(Op::transpose, {kGrid}, TransposeAttributes{{0, 0}}), "C2: dimension 0 is named twice");
}

TEST(ReverseTypes, NeedDimensions) {
  EXPECT_EQ(answer(Op::reverse, {kGrid}, ReverseAttributes{{1}}), "f32[3,4]");
  EXPECT_EQ(answer(Op::reverse, {kGrid}, ReverseAttributes{{2}}),
            "C2: dimension 2 is out of range for rank 2");
}

TEST(DotTypes, PairDimensions) {
  const Type tall{Shape{4, 5}, DType::f32}, batch{Shape{3, 4, 5}, DType::f32};
  const auto dot = [](Type a, Type b, DotAttributes attributes, std::vector<Type> declared = {}) {
    return answer(Op::dot_general, {a, b}, attributes, std::move(declared));
  };
  EXPECT_EQ(dot(kGrid, tall, {{}, {}, {1}, {0}}), "f32[3,5]");
  EXPECT_EQ(dot(kGrid, batch, {{0}, {0}, {1}, {1}}), "f32[3,5]");
  EXPECT_EQ(dot(kGrid, tall, {}), "f32[3,4,4,5]");
  EXPECT_EQ(dot(kGrid, kGrid, {{}, {}, {0, 1}, {0, 1}}, {kF64}), "f64[]");
  EXPECT_EQ(dot(kGrid, kGrid, {{}, {}, {0, 1}, {0, 1}}, {kI32}),
            "T2: products of f32 cannot be summed as i32");
  EXPECT_EQ(dot(kGrid, kGrid, {{}, {}, {0}, {0}}, {kF64}), "T3: gives f64[4,4], declared is f64[]");
  EXPECT_EQ(dot(kF32, kI32, {}), "T1: f32[] and i32[] differ in element type");
  EXPECT_EQ(dot(kGrid, tall, {{0}, {}, {1}, {0}}),
            "C1: 1 batching dimensions of the left operand, 0 of the right one");
  EXPECT_EQ(dot(kGrid, tall, {{}, {}, {1}, {}}),
            "C2: 1 contracting dimensions of the left operand, 0 of the right one");
  EXPECT_EQ(dot(kGrid, tall, {{1}, {0}, {1}, {1}}), "C3: dimension 1 is named twice");
  EXPECT_EQ(dot(kGrid, tall, {{}, {}, {1}, {2}}), "C4: dimension 2 is out of range for rank 2");
  EXPECT_EQ(dot(kGrid, tall, {{0}, {0}, {}, {}}),
            "C9: batching dimensions 0 of f32[3,4] and 0 of f32[4,5] differ: 3 and 4");
  EXPECT_EQ(dot(kGrid, tall, {{}, {}, {1}, {1}}),
            "C10: contracting dimensions 1 of f32[3,4] and 1 of f32[4,5] differ: 4 and 5");
}

TEST(ConvolutionTypes, CountWindows) {
  const Type image{Shape{2, 4, 9}, DType::f32}, kernel{Shape{6, 4, 3}, DType::f32};
  const ConvolutionAttributes plain{{1}, {0}, {0}, {1}, {1}, {0}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 1};
  const auto conv = [&](auto&& change, Type right) {
    ConvolutionAttributes attributes = plain;
    change(attributes);
    return answer(Op::convolution, {image, right}, attributes);
  };
  const auto none = [](ConvolutionAttributes&) {};
  EXPECT_EQ(conv(none, kernel), "f32[2,6,7]");
  EXPECT_EQ(conv([](auto& c) { c.strides = {2}, c.low = {1}, c.high = {-2}; }, kernel), "f32[2,6,3]");
  EXPECT_EQ(conv([](auto& c) { c.lhs_dilations = {2}, c.rhs_dilations = {4}; }, kernel), "f32[2,6,9]");
  EXPECT_EQ(conv([](auto& c) { c.rhs_dilations = {5}; }, kernel), "f32[2,6,0]");
  EXPECT_EQ(conv(none, {Shape{6, 2, 3}, DType::f32}), "C14: 4 features in 1 groups, the kernel takes 2");
  EXPECT_EQ(conv([](auto& c) { c.feature_groups = 2; }, {Shape{6, 2, 3}, DType::f32}), "f32[2,6,7]");
  EXPECT_EQ(conv([](auto& c) { c.batch_groups = 2; }, kernel), "f32[1,6,7]");
  EXPECT_EQ(conv([](auto& c) { c.batch_groups = 3; }, kernel),
            "C10: a batch of 2 does not divide into 3 groups");
  EXPECT_EQ(conv([](auto& c) { c.batch_groups = 2, c.feature_groups = 2; }, kernel),
            "C23: 2 feature groups and 2 batch groups: one must be 1");
  EXPECT_EQ(conv([](auto& c) { c.batch_groups = 2; }, {Shape{5, 4, 3}, DType::f32}),
            "C15: 5 output features do not divide into 2 groups");
  EXPECT_EQ(conv([](auto& c) { c.strides = {0}; }, kernel), "C3: stride or dilation 0 is not positive");
  EXPECT_EQ(conv([](auto& c) { c.low = {}; }, kernel), "C2: 0 entries for 1 spatial dimensions");
  EXPECT_EQ(conv([](auto& c) { c.low = {-10}; }, kernel),
            "C25: spatial dimension 0 of f32[2,4,9] has no extent when padded by -10 and 0");
  EXPECT_EQ(conv(
                [](auto& c) {
                  c.result_dims = {0, 0, 2};
                },
                kernel),
            "C13: of the result: dimension 0 is named twice");
  EXPECT_EQ(conv(none, kGrid), "C1: f32[2,4,9] and f32[3,4] must have one rank, of at least 2");
}

TEST(WindowsTypes, CountWindows) {
  const auto windows = [](Dims sizes, Dims strides, Dims dilations) {
    return answer(Op::windows, {kGrid},
                  WindowsAttributes{std::move(sizes), std::move(strides), std::move(dilations)});
  };
  EXPECT_EQ(windows({2, 1}, {1, 1}, {1, 1}), "f32[2,4,2,1]");
  EXPECT_EQ(windows({2, 2}, {2, 1}, {2, 3}), "f32[1,1,2,2]");
  EXPECT_EQ(windows({4, 2}, {1, 1}, {1, 1}), "f32[0,3,4,2]");
  EXPECT_EQ(windows({2}, {1}, {1}), "C1: sizes, strides and dilations must have 2 entries each");
  EXPECT_EQ(windows({0, 1}, {1, 1}, {1, 1}), "C3: size 0, stride 1 or dilation 1 is not positive");
}

TEST(ConcatenateTypes, AgreeButAlongTheDimension) {
  const Type wide{Shape{3, 2}, DType::f32}, tall{Shape{1, 4}, DType::f32};
  EXPECT_EQ(answer(Op::concatenate, {kGrid, wide}, ConcatenateAttributes{1}), "f32[3,6]");
  EXPECT_EQ(answer(Op::concatenate, {kGrid, tall, kGrid}, ConcatenateAttributes{0}), "f32[7,4]");
  EXPECT_EQ(answer(Op::concatenate, {}, ConcatenateAttributes{0}), "C5: needs at least one operand");
  EXPECT_EQ(answer(Op::concatenate, {kGrid, wide}, ConcatenateAttributes{0}),
            "C2: f32[3,4] and f32[3,2] differ in more than dimension 0");
  EXPECT_EQ(answer(Op::concatenate, {kGrid, kRow}, ConcatenateAttributes{0}),
            "C2: f32[3,4] and " + kRow.to_string() + " differ in more than dimension 0");
  EXPECT_EQ(answer(Op::concatenate, {kGrid}, ConcatenateAttributes{2}),
            "C4: dimension 2 is out of range for f32[3,4]");
  EXPECT_EQ(answer(Op::concatenate, {kGrid, {Shape{3, 4}, DType::i32}}, ConcatenateAttributes{0}),
            "C1: f32[3,4] and i32[3,4] differ in element type");
}

TEST(PadTypes, CountWhatIsAdded) {
  const auto padded = [](std::int64_t low, std::int64_t high, std::int64_t interior) {
    return answer(Op::pad, {{Shape{5}, DType::f32}, kF32}, PadAttributes{{low}, {high}, {interior}});
  };
  EXPECT_EQ(padded(1, 2, 0), "f32[8]");
  EXPECT_EQ(padded(0, 0, 2), "f32[13]");
  EXPECT_EQ(padded(-2, -3, 0), "f32[0]");
  EXPECT_EQ(padded(-2, -4, 0), "C4: dimension 0 of f32[5] has no extent when padded by -2 and -4");
  EXPECT_EQ(padded(INT64_MAX, 1, 0),
            "C4: dimension 0 of f32[5] has no extent when padded by 9223372036854775807 and 1");
  EXPECT_EQ(padded(0, 0, -1), "C3: interior padding -1 is negative");
  EXPECT_EQ(answer(Op::pad, {kGrid, kF32}, PadAttributes{{0}, {0}, {0}}),
            "C2: low, high and interior must have 2 entries each");
  EXPECT_EQ(answer(Op::pad, {kGrid, kGrid}, PadAttributes{{0, 0}, {0, 0}, {0, 0}}),
            "C1: f32[3,4] is padded with f32[3,4]");
}

TEST(DynamicUpdateSliceTypes, TakeAnUpdateThatFits) {
  const Type box{Shape{2, 4}, DType::f32}, tall{Shape{4, 1}, DType::f32};
  EXPECT_EQ(answer(Op::dynamic_update_slice, {kGrid, box, kI32, kI32}, {}), "f32[3,4]");
  EXPECT_EQ(answer(Op::dynamic_update_slice, {kGrid, tall, kI32, kI32}, {}),
            "C6: the update f32[4,1] does not fit dimension 0 of f32[3,4]");
  EXPECT_EQ(answer(Op::dynamic_update_slice, {kGrid, kRow, kI32, kI32}, {}),
            "C2: f32[3,4] cannot be updated with f32[3]");
  EXPECT_EQ(answer(Op::dynamic_update_slice, {kGrid, box, kI32}, {}), "C4: 1 start indices for f32[3,4]");
  EXPECT_EQ(answer(Op::dynamic_update_slice, {kGrid, box, kI32, kF32}, {}),
            "C5: start index 1 is f32[], not an integer scalar");
}

TEST(SliceTypes, LieInsideAndCountSteps) {
  const auto slice = [](std::int64_t start, std::int64_t limit, std::int64_t stride) {
    return answer(Op::slice, {kRow}, SliceAttributes{{start}, {limit}, {stride}});
  };
  EXPECT_EQ(slice(0, 3, 2), "f32[2]");
  EXPECT_EQ(slice(1, 1, 1), "f32[0]");
  EXPECT_EQ(slice(0, 3, INT64_MAX), "f32[1]");
  EXPECT_EQ(slice(0, 4, 1), "C3: 0:4 does not lie in dimension 0 of f32[3]");
  EXPECT_EQ(slice(2, 1, 1), "C3: 2:1 does not lie in dimension 0 of f32[3]");
  EXPECT_EQ(slice(0, 3, 0), "C4: stride 0 is not positive");
  EXPECT_EQ(answer(Op::slice, {kRow}, SliceAttributes{{0, 0}, {1}, {1}}),
            "C2: start, limit and stride must have 1 entries each");
}

TEST(DynamicSliceTypes, TakeOneIntegerScalarADimension) {
  const auto slice = [](std::vector<Type> operands, Dims sizes) {
    return answer(Op::dynamic_slice, std::move(operands), DynamicSliceAttributes{std::move(sizes)});
  };
  EXPECT_EQ(slice({kGrid, kI32, kI32}, {1, 4}), "f32[1,4]");
  EXPECT_EQ(slice({kF32}, {}), "f32[]");
  EXPECT_EQ(slice({kGrid, kI32}, {1, 4}), "C2: 1 start indices for f32[3,4]");
  EXPECT_EQ(slice({kGrid, kI32, kF32}, {1, 4}), "C3: start index 1 is f32[], not an integer scalar");
  EXPECT_EQ(slice({kGrid, kI32, {Shape{}, DType::i64}}, {1, 4}), "C3: start indices differ in type");
  EXPECT_EQ(slice({kGrid, kI32, kI32}, {4, 4}), "C4: size 4 does not fit dimension 0 of f32[3,4]");
  EXPECT_EQ(slice({kGrid, kI32, kI32}, {1}), "C2: 1 sizes for f32[3,4]");
}

GatherAttributes rows_of_grid() {
  GatherAttributes gather;
  gather.offset_dims = {1};
  gather.collapsed_slice_dims = {0};
  gather.start_index_map = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, 4};
  return gather;
}
std::string gather_answer(const GatherAttributes& gather, Type operand = kGrid,
                          Type indices = {Shape{5, 1}, DType::i32}) {
  return answer(Op::gather, {operand, indices}, gather);
}

TEST(GatherTypes, BatchAndOffsetDimensionsMakeTheResult) {
  EXPECT_EQ(gather_answer(rows_of_grid()), "f32[5,4]");
  GatherAttributes first = rows_of_grid();
  first.offset_dims = {0};
  EXPECT_EQ(gather_answer(first), "f32[4,5]");
  GatherAttributes implicit = rows_of_grid();
  EXPECT_EQ(gather_answer(implicit, kGrid, {Shape{5}, DType::u8}), "f32[5,4]");
}

TEST(GatherTypes, SayWhatIsWrong) {
  EXPECT_EQ(gather_answer(rows_of_grid(), kGrid, {Shape{5, 1}, DType::f32}),
            "I2: indices are f32[5,1], not integers");
  EXPECT_EQ(gather_answer(rows_of_grid(), kGrid, {Shape{5, 2}, DType::i32}),
            "C3: start_index_map has 1 entries, index vectors 2");
  GatherAttributes gather = rows_of_grid();
  gather.index_vector_dim = 3;
  EXPECT_EQ(gather_answer(gather), "C2: index_vector_dim 3 is out of range for i32[5,1]");
  gather = rows_of_grid();
  gather.collapsed_slice_dims = {};
  EXPECT_EQ(gather_answer(gather),
            "C1: offset, collapsed and batching dimensions are 1 in all, f32[3,4] has rank 2");
  gather = rows_of_grid();
  gather.slice_sizes = {2, 4};
  EXPECT_EQ(gather_answer(gather), "C9: slice size 2 of a collapsed dimension");
  gather.slice_sizes = {0, 4};
  EXPECT_EQ(gather_answer(gather), "C9: slice size 0 of the collapsed dimension 0");
  gather.slice_sizes = {1, 5};
  EXPECT_EQ(gather_answer(gather), "C21: slice size 5 does not fit dimension 1 of f32[3,4]");
  gather = rows_of_grid();
  gather.offset_dims = {2};
  EXPECT_EQ(gather_answer(gather), "C4: offset dimension 2 is out of range for rank 2");
  gather = rows_of_grid();
  gather.start_index_map = {-1};
  EXPECT_EQ(gather_answer(gather), "C8: indexed dimension -1 is out of range for rank 2");
}

TEST(GatherTypes, BatchingDimensionsPairUp) {
  GatherAttributes gather;
  gather.offset_dims = {1};
  gather.operand_batching_dims = gather.start_indices_batching_dims = {0};
  gather.start_index_map = {1};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, 2};
  EXPECT_EQ(gather_answer(gather, kGrid, {Shape{3, 1}, DType::i32}), "f32[3,2]");
  EXPECT_EQ(gather_answer(gather), "C18: operand and index batching dimensions differ in extent");
  gather.start_indices_batching_dims = {1};
  EXPECT_EQ(gather_answer(gather), "C15: index batching dimension 1 is that of the index vectors");
  gather.start_indices_batching_dims = {};
  EXPECT_EQ(gather_answer(gather), "C16: operand and index batching dimensions differ in number");
  gather.start_index_map = {0};
  EXPECT_EQ(gather_answer(gather), "C8: operand dimension 0 is named twice");
}

RegionId reducer(Graph& graph, std::initializer_list<Type> arguments, std::size_t results) {
  const RegionId region = graph.add_region();
  for (const Type& type : arguments) graph.add_argument(region, type);
  for (std::size_t i = 0; i < results; ++i)
    graph.region(region).results.push_back(graph.region(region).arguments[i]);
  return region;
}

TEST(ReduceTypes, DropTheReducedDimensions) {
  Graph graph;
  const RegionId one = reducer(graph, {kF32, kF32}, 1), two = reducer(graph, {kF32, kI32, kF32, kI32}, 2);
  const Type places{Shape{3, 4}, DType::i32};
  EXPECT_EQ(answer(graph, Op::reduce, {kGrid, kF32}, ReduceAttributes{{0}}, {}, {one}), "f32[4]");
  EXPECT_EQ(answer(graph, Op::reduce, {kGrid, kF32}, ReduceAttributes{{0, 1}}, {}, {one}), "f32[]");
  EXPECT_EQ(answer(graph, Op::reduce, {kGrid, kF32}, ReduceAttributes{}, {}, {one}), "f32[3,4]");
  EXPECT_EQ(answer(graph, Op::reduce, {kGrid, places, kF32, kI32}, ReduceAttributes{{1}}, {}, {two}),
            "f32[3] i32[3]");
}

TEST(ReduceTypes, SayWhatIsWrong) {
  Graph graph;
  const RegionId body = reducer(graph, {kF32, kF32}, 1), wide = reducer(graph, {kF64, kF64}, 1);
  const auto reduce = [&](std::vector<Type> operands, Dims dims, std::vector<RegionId> regions) {
    return answer(graph, Op::reduce, std::move(operands), ReduceAttributes{std::move(dims)}, {}, regions);
  };
  EXPECT_EQ(reduce({kGrid}, {0}, {body}), "I1: takes as many init values as operands, at least one");
  EXPECT_EQ(reduce({}, {}, {body}), "I1: takes as many init values as operands, at least one");
  EXPECT_EQ(reduce({kGrid, kRow}, {0}, {body}), "C3: the init value f32[3] is no scalar");
  EXPECT_EQ(reduce({kGrid, kF64}, {0}, {body}),
            "C2: the init value f64[] and f32[3,4] differ in element type");
  EXPECT_EQ(reduce({kGrid, kRow, kF32, kF32}, {0}, {body}),
            "C1: operands f32[3,4] and f32[3] differ in shape");
  EXPECT_EQ(reduce({kGrid, kF32}, {2}, {body}), "C4: dimension 2 is out of range for rank 2");
  EXPECT_EQ(reduce({kGrid, kF32}, {1, 0}, {body}), "C4: dimensions [1, 0] are not ascending");
  EXPECT_EQ(reduce({kGrid, kF32}, {0}, {}), "C6: needs one region, its body");
  EXPECT_EQ(reduce({kGrid, kF32}, {0}, {wide}), "C6: the body has f64[] where the elements are f32[]");
  EXPECT_EQ(reduce({kGrid, kGrid, kF32, kF32}, {0}, {body}),
            "C6: the body takes 2 arguments and gives 1 results, needs 4 and 2");
}

TEST(CallTypes, AreThoseOfTheFunction) {
  Program program;
  const RegionId callee = program.graph.add_function("f", false).body;
  program.graph.add_argument(callee, kRow);
  program.graph.region(callee).results = program.graph.region(callee).arguments;
  EXPECT_EQ(answer(program.graph, Op::call, {kRow}, CallAttributes{"f"}), "f32[3]");
  EXPECT_EQ(answer(program.graph, Op::call, {kRow}, CallAttributes{"g"}), "C1: there is no function @g");
  EXPECT_EQ(answer(program.graph, Op::call, {}, CallAttributes{"f"}), "C2: @f takes 1 arguments, got 0");
  EXPECT_EQ(answer(program.graph, Op::call, {kGrid}, CallAttributes{"f"}),
            "C2: argument 0 of @f is f32[3], got f32[3,4]");
}

TEST(CustomCallTypes, AreWhatIsDeclared) {
  EXPECT_EQ(answer(Op::custom_call, {kRow}, CustomCallAttributes{"t", false}, {kF32, kI32}), "f32[] i32[]");
}

}  // namespace
}  // namespace weft::ir
