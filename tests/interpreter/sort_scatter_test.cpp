// sort and scatter: their values written out by hand, their text, and their batching against a loop.
#include <gtest/gtest.h>

#include "compiler/text/text.h"
#include "compiler/transform/batch.h"
#include "tests/interpreter/program.h"

namespace weft::interpreter {
namespace {

using ir::Literal;

std::vector<Literal> run(const std::string& body, std::vector<Literal> arguments) {
  const ir::Graph graph = text::parse(body, "p.mlir");
  EXPECT_EQ(text::print(text::parse(text::print(graph))), text::print(graph));
  return interpret(graph, std::move(arguments));
}

const char* const kSort = R"(
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = DIMENSION : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
})";

std::string with(std::string text, const std::string& word, const std::string& value) {
  return text.replace(text.find(word), word.size(), value);
}

TEST(Sort, orders_operands_together_and_keeps_equal_ones) {
  const std::vector<Literal> arguments{literal<float>(Shape{2, 3}, {3, 1, 3, 2, 2, 0}),
                                       literal<std::int32_t>(Shape{2, 3}, {0, 1, 2, 3, 4, 5})};
  for (const char* last : {"1", "-1"}) {
    const auto rows = run(with(kSort, "DIMENSION", last), arguments);
    EXPECT_EQ(elements_of<float>(rows[0]), (std::vector<float>{1, 3, 3, 0, 2, 2}));
    EXPECT_EQ(elements_of<std::int32_t>(rows[1]), (std::vector<std::int32_t>{1, 0, 2, 5, 3, 4}));
  }
  const auto columns = run(with(kSort, "DIMENSION", "0"), arguments);
  EXPECT_EQ(elements_of<float>(columns[0]), (std::vector<float>{2, 1, 0, 3, 2, 3}));
  EXPECT_EQ(elements_of<std::int32_t>(columns[1]), (std::vector<std::int32_t>{3, 1, 5, 0, 4, 2}));
}

std::string scatter(const std::string& input, const std::string& indices, const std::string& updates,
                    const std::string& numbers, const std::string& type = "f32") {
  const auto tensor = [](const std::string& shape, const std::string& element) {
    return "tensor<" + shape + "x" + element + ">";
  };
  const std::string in = tensor(input, type), at = tensor(indices, "i32"), by = tensor(updates, type);
  return "func.func @main(%x: " + in + ", %i: " + at + ", %u: " + by + ") -> " + in +
         " {\n  %0 = \"stablehlo.scatter\"" +
         "(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<" + numbers +
         ">, indices_are_sorted = false, unique_indices = false}> ({\n  ^bb0(%a: tensor<" + type +
         ">, %b: tensor<" + type + ">):\n    %1 = stablehlo.add %a, %b : tensor<" + type +
         ">\n    stablehlo.return %1 : tensor<" + type + ">\n  }) : (" + in + ", " + at + ", " + by +
         ") -> " + in + "\n  return %0 : " + in + "\n}";
}

TEST(Scatter, adds_elements_and_drops_those_outside) {
  const auto result =
      run(scatter("4", "5x1", "5",
                  "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"),
          {row<float>({0, 10, 20, 30}), literal<std::int32_t>(Shape{5, 1}, {1, 1, -1, 4, 3}),
           row<float>({1, 2, 4, 8, 16})});
  EXPECT_EQ(elements_of<float>(result[0]), (std::vector<float>{0, 13, 20, 46}));
}

TEST(Scatter, of_windows_drops_element_by_element) {
  const auto result =
      run(scatter("3x3", "2x2", "2x2x2",
                  "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1"),
          {literal<float>(Shape{3, 3}, std::vector<float>(9, 0)),
           literal<std::int32_t>(Shape{2, 2}, {0, 1, 2, -1}),
           literal<float>(Shape{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
  // The first box begins at row 1, column 0; the second at row -1, column 2.
  EXPECT_EQ(elements_of<float>(result[0]), (std::vector<float>{0, 0, 7, 1, 2, 0, 3, 4, 0}));
}

TEST(Scatter, of_paired_batches) {
  const auto result = run(
      scatter("2x3", "2x2", "2x2",
              "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
              "scatter_dims_to_operand_dims = [1], index_vector_dim = 2"),
      {literal<float>(Shape{2, 3}, {0, 0, 0, 0, 0, 0}), literal<std::int32_t>(Shape{2, 2}, {0, 2, 1, 1}),
       literal<float>(Shape{2, 2}, {1, 2, 4, 8})});
  EXPECT_EQ(elements_of<float>(result[0]), (std::vector<float>{1, 0, 2, 0, 12, 0}));
}

Literal part(const Literal& whole, std::int64_t index) {
  const std::vector<std::int64_t> rest(whole.type.shape.begin() + 1, whole.type.shape.end());
  const ir::Type type{Shape(std::span<const std::int64_t>(rest)), whole.type.dtype};
  const auto bytes = static_cast<std::size_t>(type.nbytes());
  return {type,
          runtime::Buffer::copy_of(whole.buffer.data() + static_cast<std::size_t>(index) * bytes, bytes),
          false};
}

Literal numbers(const ir::Type& type, std::uint32_t seed) {
  Literal result{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  for (std::int64_t i = 0; i < type.size(); ++i) {
    seed = seed * 1664525 + 1013904223;
    const auto number = static_cast<std::int32_t>(seed >> 28) % 5 - 1;
    const auto value = static_cast<float>(number);
    std::memcpy(result.buffer.data() + 4 * i,
                type.dtype == DType::i32 ? static_cast<const void*>(&number) : &value, 4);
  }
  return result;
}

TEST(Scatter, batched_is_the_loop) {
  const std::string programs[] = {
      scatter("4x2", "3x1", "3x2",
              "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
              "index_vector_dim = 1"),
      scatter("3x3", "2x2", "2x2x2",
              "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1"),
      scatter("2x3", "2x2", "2x2",
              "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
              "scatter_dims_to_operand_dims = [1], index_vector_dim = 2")};
  for (const std::string& program : programs)
    for (unsigned mapped = 1; mapped < 8; ++mapped) {
      SCOPED_TRACE(program + std::to_string(mapped));
      const ir::Graph graph = text::parse(program);
      transform::BatchSpec spec{{}, {0}, 3};
      for (unsigned i = 0; i < 3; ++i)
        spec.argument_axes.push_back((mapped >> i & 1) != 0 ? 0 : transform::kNotBatched);
      const ir::Graph batched = transform::batch(graph, spec);
      ir::verify(batched, "batching");
      std::vector<Literal> arguments;
      for (ir::ValueId value : batched.region(batched.entry().body).arguments)
        arguments.push_back(numbers(batched.type(value), 7 + static_cast<std::uint32_t>(arguments.size())));
      const Literal all = interpret(batched, arguments)[0];
      for (std::int64_t index = 0; index < 3; ++index) {
        std::vector<Literal> single;
        for (unsigned i = 0; i < 3; ++i)
          single.push_back((mapped >> i & 1) != 0 ? part(arguments[i], index) : arguments[i]);
        EXPECT_EQ(elements_of<float>(part(all, index)), elements_of<float>(interpret(graph, single)[0]));
      }
    }
}

}  // namespace
}  // namespace weft::interpreter
