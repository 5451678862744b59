// A function under construction and literals from lists, for tests that run small graphs.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/build.h"

namespace weft::interpreter {

template <class T>
ir::Literal literal(const Shape& shape, const std::vector<T>& elements) {
  ir::Literal result{{shape, dtype_of<T>()}, runtime::Buffer::allocate(elements.size() * sizeof(T)), false};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const T element = elements[i];
    std::memcpy(result.buffer.data() + i * sizeof(T), &element, sizeof(T));
  }
  return result;
}
template <class T>
ir::Literal row(std::initializer_list<T> elements) {
  return literal(Shape{elements.size()}, std::vector<T>(elements));
}

template <class T>
std::vector<T> elements_of(const ir::Literal& literal) {
  std::vector<T> elements;
  for (std::int64_t i = 0; i < literal.type.size(); ++i) elements.push_back(literal.at<T>(i));
  return elements;
}

// @main of a graph, with a builder at its end.
struct Program {
  ir::Graph graph;
  ir::RegionId body;
  ir::Builder builder;

  Program() : body(graph.add_function("main", true).body), builder(graph, body) {}
  ir::ValueId argument(const Shape& shape, DType dtype) { return graph.add_argument(body, {shape, dtype}); }
  void returns(std::vector<ir::ValueId> results) { graph.region(body).results = std::move(results); }
  std::vector<ir::Literal> run(std::vector<ir::Literal> arguments = {}) const {
    ir::verify(graph, "building the test");
    return interpret(graph, std::move(arguments));
  }
};

// A function @name of one f32 scalar with an empty body.
inline ir::RegionId scalar_function(ir::Graph& graph, const std::string& name) {
  const ir::RegionId region = graph.add_function(name, false).body;
  graph.add_argument(region, {Shape{}, DType::f32});
  return region;
}

}  // namespace weft::interpreter
