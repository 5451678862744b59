// What "batched" means, as a check: every slice of the results is the function of the slices of the
// arguments.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/build.h"
#include "compiler/transform/batch.h"

namespace weft::transform {

// @main of a graph, with a builder at its end.
struct Program {
  ir::Graph graph;
  ir::RegionId body;
  ir::Builder builder;

  Program() : body(graph.add_function("main", true).body), builder(graph, body) {}
  ir::ValueId argument(const Shape& shape, DType dtype) { return graph.add_argument(body, {shape, dtype}); }
  void returns(std::vector<ir::ValueId> results) { graph.region(body).results = std::move(results); }
};

inline Shape inserted(const Shape& shape, std::int64_t axis, std::int64_t extent) {
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  extents.insert(extents.begin() + axis, extent);
  return Shape(std::span<const std::int64_t>(extents));
}

// Small numbers of both signs, all distinct enough to show a wrong place; booleans are 0 and 1.
inline ir::Literal numbers(const ir::Type& type, std::uint32_t seed) {
  ir::Literal literal{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  std::uint32_t state = seed * 2654435761u + 1;
  const std::size_t size = size_of(type.dtype);
  for (std::int64_t i = 0; i < type.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    const int number = static_cast<int>((state >> 20) % 13) - 4;
    const ir::Literal element = ir::Literal::scalar(type.dtype, type.dtype == b1 ? (number & 1) : number);
    std::memcpy(literal.buffer.data() + static_cast<std::size_t>(i) * size, element.buffer.data(), size);
  }
  return literal;
}

// The part of a literal at one index of an axis.
inline ir::Literal part(const ir::Literal& whole, std::int64_t axis, std::int64_t index) {
  std::vector<std::int64_t> extents(whole.type.shape.begin(), whole.type.shape.end());
  std::int64_t inner = static_cast<std::int64_t>(size_of(whole.type.dtype)), outer = 1;
  for (std::size_t i = 0; i < extents.size(); ++i)
    (static_cast<std::int64_t>(i) < axis ? outer : inner) *=
        static_cast<std::int64_t>(i) == axis ? 1 : extents[i];
  const std::int64_t count = extents[static_cast<std::size_t>(axis)];
  extents.erase(extents.begin() + axis);
  const ir::Type type{Shape(std::span<const std::int64_t>(extents)), whole.type.dtype};
  ir::Literal result{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  for (std::int64_t i = 0; i < outer; ++i)
    std::memcpy(result.buffer.data() + i * inner, whole.buffer.data() + (i * count + index) * inner,
                static_cast<std::size_t>(inner));
  return result;
}

// Runs the batched program and, for each index, the program itself on slices; compares all bits.
inline void expect_slices_agree(const ir::Graph& graph, const BatchSpec& spec) {
  const ir::Graph batched = batch(graph, spec);
  ir::verify(batched, "batch");
  std::vector<ir::Literal> arguments;
  const auto& parameters = graph.region(graph.entry().body).arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ir::Type type = graph.type(parameters[i]);
    if (spec.argument_axes[i] != kNotBatched)
      type.shape = inserted(type.shape, spec.argument_axes[i], spec.size);
    arguments.push_back(numbers(type, static_cast<std::uint32_t>(i) + 1));
  }
  const std::vector<ir::Literal> results = interpreter::interpret(batched, arguments);
  for (std::int64_t index = 0; index < spec.size; ++index) {
    std::vector<ir::Literal> slices;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      slices.push_back(spec.argument_axes[i] == kNotBatched
                           ? arguments[i]
                           : part(arguments[i], spec.argument_axes[i], index));
    const std::vector<ir::Literal> wanted = interpreter::interpret(graph, slices);
    ASSERT_EQ(results.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool is_whole = spec.result_axes[i] == kNotBatched;
      EXPECT_TRUE((is_whole ? results[i] : part(results[i], spec.result_axes[i], index)) == wanted[i])
          << "result " << i << " at index " << index;
    }
  }
}

// All ways to map the arguments but none, along the first and the last axis; results along theirs likewise.
inline void expect_batches(const ir::Graph& graph) {
  const ir::Region& body = graph.region(graph.entry().body);
  const auto last_axis = [&](ir::ValueId value, bool last) {
    return last ? static_cast<std::int64_t>(graph.type(value).shape.rank()) : 0;
  };
  for (std::size_t mapped = 1; mapped < std::size_t{1} << body.arguments.size(); ++mapped)
    for (const bool last : {false, true}) {
      BatchSpec spec{{}, {}, 3};
      for (std::size_t i = 0; i < body.arguments.size(); ++i)
        spec.argument_axes.push_back((mapped >> i & 1) != 0 ? last_axis(body.arguments[i], last)
                                                            : kNotBatched);
      for (const ir::ValueId result : body.results) spec.result_axes.push_back(last_axis(result, last));
      SCOPED_TRACE(::testing::Message() << "mapped " << mapped << (last ? ", last axes" : ", first axes"));
      expect_slices_agree(graph, spec);
    }
}

}  // namespace weft::transform
