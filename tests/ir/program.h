// A function under construction, for tests of the graph's rules.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/build.h"

namespace weft::ir {

// @main of a graph, with a builder at its end.
struct Program {
  Graph graph;
  RegionId body;
  Builder builder;

  Program() : body(graph.add_function("main", true).body), builder(graph, body) {}
  ValueId argument(const Shape& shape, DType dtype) { return graph.add_argument(body, {shape, dtype}); }
  void returns(std::vector<ValueId> results) { graph.region(body).results = std::move(results); }
};

// What a type rule says: the result types, or "rule: text" of the fault.
inline std::string answer(const Graph& graph, Op op, std::vector<Type> operands,
                          const Attributes& attributes = {}, std::vector<Type> declared = {},
                          const std::vector<RegionId>& regions = {}) {
  const TypeAnswer said =
      infer_types({graph, op, std::move(operands), attributes, regions, std::move(declared)});
  if (said.fault) return said.fault->rule + ": " + said.fault->text;
  std::string text;
  for (const Type& type : said.types) text += (text.empty() ? "" : " ") + type.to_string();
  return text;
}
inline std::string answer(Op op, std::vector<Type> operands, const Attributes& attributes = {},
                          std::vector<Type> declared = {}) {
  return answer(Graph(), op, std::move(operands), attributes, std::move(declared));
}

}  // namespace weft::ir
