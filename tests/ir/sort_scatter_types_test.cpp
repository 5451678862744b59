// Type rules of sort and scatter: what they accept, and what they say when not.
#include <gtest/gtest.h>

#include "tests/ir/program.h"

namespace weft::ir {
namespace {

const Type kF32{Shape{}, DType::f32}, kI32{Shape{}, DType::i32}, kB1{Shape{}, DType::b1};
const Type kRow{Shape{3}, DType::f32}, kGrid{Shape{3, 4}, DType::f32}, kPlaces{Shape{3, 4}, DType::i32};

// Arguments of these types; of the first of them, what the results should be.
RegionId body_of(Graph& graph, const std::vector<Type>& arguments, const std::vector<Type>& results) {
  const RegionId region = graph.add_region();
  for (const Type& type : arguments) graph.add_argument(region, type);
  Builder builder(graph, region);
  for (const Type& type : results) {
    const ValueId zero = builder.scalar(type.dtype, 0);
    graph.region(region).results.push_back(zero);
  }
  return region;
}

TEST(SortTypes, AreThoseOfTheOperands) {
  Graph graph;
  const RegionId one = body_of(graph, {kF32, kF32}, {kB1}),
                 two = body_of(graph, {kF32, kF32, kI32, kI32}, {kB1}),
                 wrong = body_of(graph, {kF32, kI32}, {kB1}), number = body_of(graph, {kF32, kF32}, {kI32});
  const auto sort = [&](std::vector<Type> operands, std::int64_t dimension, std::vector<RegionId> regions) {
    return answer(graph, Op::sort, std::move(operands), SortAttributes{dimension, true}, {}, regions);
  };
  EXPECT_EQ(sort({kGrid}, 1, {one}), "f32[3,4]");
  EXPECT_EQ(sort({kGrid, kPlaces}, 0, {two}), "f32[3,4] i32[3,4]");
  EXPECT_EQ(sort({}, 0, {one}), "C1: needs at least one operand");
  EXPECT_EQ(sort({kGrid, kRow}, 0, {two}), "C2: operands f32[3,4] and f32[3] differ in shape");
  EXPECT_EQ(sort({kGrid}, 2, {one}), "C4: dimension 2 is out of range for f32[3,4]");
  EXPECT_EQ(sort({kGrid}, -1, {one}), "C4: dimension -1 is out of range for f32[3,4]");
  EXPECT_EQ(sort({kF32}, 0, {one}), "C4: dimension 0 is out of range for f32[]");
  EXPECT_EQ(sort({kGrid}, 0, {}), "C5: needs one region, its comparator");
  EXPECT_EQ(sort({kGrid}, 0, {two}),
            "C5: the comparator takes 4 arguments and gives 1 results, needs 2 and 1");
  EXPECT_EQ(sort({kGrid}, 0, {wrong}), "C5: the comparator has i32[] where the elements are f32[]");
  EXPECT_EQ(sort({kGrid}, 0, {number}), "C5: the comparator gives i32[], not a truth");
}

// Rows of a grid by one index each.
ScatterAttributes rows() {
  ScatterAttributes scatter;
  scatter.update_window_dims = {1};
  scatter.inserted_window_dims = {0};
  scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 1;
  return scatter;
}

class ScatterTypes : public testing::Test {
 protected:
  std::string of(const ScatterAttributes& scatter, std::vector<Type> operands) {
    return answer(graph_, Op::scatter, std::move(operands), scatter, {}, {one_});
  }
  Graph graph_;
  const RegionId one_ = body_of(graph_, {kF32, kF32}, {kF32});
  const Type indices_{Shape{5, 1}, DType::i32}, updates_{Shape{5, 4}, DType::f32};
};

TEST_F(ScatterTypes, AreThoseOfTheInputs) {
  EXPECT_EQ(of(rows(), {kGrid, indices_, updates_}), "f32[3,4]");
  EXPECT_EQ(of(rows(), {kGrid, indices_, {Shape{5, 2}, DType::f32}}), "f32[3,4]");
  const RegionId two = body_of(graph_, {kF32, kI32, kF32, kI32}, {kF32, kI32});
  EXPECT_EQ(answer(graph_, Op::scatter, {kGrid, kPlaces, indices_, updates_, {Shape{5, 4}, DType::i32}},
                   rows(), {}, {two}),
            "f32[3,4] i32[3,4]");
}

TEST_F(ScatterTypes, SayWhatIsWrong) {
  const std::vector<Type> good{kGrid, indices_, updates_};
  EXPECT_EQ(of(rows(), {kGrid, indices_}), "C5: takes as many inputs as updates, at least one, and indices");
  EXPECT_EQ(of(rows(), {kGrid, indices_, {Shape{5, 4}, DType::i32}}),
            "C6: f32[3,4] is updated with i32[5,4]");
  EXPECT_EQ(of(rows(), {kGrid, {Shape{5, 1}, DType::f32}, updates_}),
            "I2: indices are f32[5,1], not integers");
  EXPECT_EQ(of(rows(), {kGrid, indices_, {Shape{6, 4}, DType::f32}}),
            "C4: updates f32[6,4] do not fit f32[3,4] at indices i32[5,1]");
  EXPECT_EQ(of(rows(), {kGrid, indices_, {Shape{5, 9}, DType::f32}}),
            "C4: updates f32[5,9] do not fit f32[3,4] at indices i32[5,1]");
  ScatterAttributes scatter = rows();
  scatter.index_vector_dim = 3;
  EXPECT_EQ(of(scatter, good), "C22: index_vector_dim 3 is out of range for i32[5,1]");
  scatter = rows();
  scatter.scatter_dims_to_operand_dims = {0, 1};
  EXPECT_EQ(of(scatter, good), "C19: scatter_dims_to_operand_dims has 2 entries, index vectors 1");
  scatter = rows();
  scatter.inserted_window_dims = {};
  EXPECT_EQ(of(scatter, good),
            "C2: window, inserted and batching dimensions are 1 in all, f32[3,4] has rank 2");
  scatter = rows();
  scatter.update_window_dims = {2};
  EXPECT_EQ(of(scatter, good), "C7: window dimension 2 is out of range for rank 2");
  scatter = rows();
  scatter.inserted_window_dims = {};
  scatter.input_batching_dims = {0};
  EXPECT_EQ(of(scatter, good), "C20: input dimension 0 is named twice");
  scatter.scatter_dims_to_operand_dims = {1};
  EXPECT_EQ(of(scatter, good), "C17: input and index batching dimensions differ in number");
  scatter.scatter_indices_batching_dims = {0};
  EXPECT_EQ(of(scatter, good), "C18: input and index batching dimensions differ in extent");
  scatter.scatter_indices_batching_dims = {1};
  EXPECT_EQ(of(scatter, good), "C16: index batching dimension 1 is that of the index vectors");
  EXPECT_EQ(answer(graph_, Op::scatter, good, rows(), {}, {}), "C23: needs one region, its body");
  const RegionId wide = body_of(graph_, {kF32, kF32}, {kI32});
  EXPECT_EQ(answer(graph_, Op::scatter, good, rows(), {}, {wide}),
            "C23: the body has i32[] where the elements are f32[]");
}

}  // namespace
}  // namespace weft::ir
