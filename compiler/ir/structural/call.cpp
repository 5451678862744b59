// Leaving the function: call of another one, and custom_call of something outside the graph.
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

// --- call ---

TypeAnswer call_types(const TypeQuery& query) {
  const auto& callee = std::get<CallAttributes>(query.attributes).callee;
  const Function* function = query.graph.find_function(callee);
  if (!function) return wrong_structure("C1", fmt::format("there is no function @{}", callee));
  const Region& body = query.graph.region(function->body);
  if (query.operands.size() != body.arguments.size())
    return wrong_structure("C2", fmt::format("@{} takes {} arguments, got {}", callee, body.arguments.size(),
                                             query.operands.size()));
  for (std::size_t i = 0; i < body.arguments.size(); ++i)
    if (query.operands[i] != query.graph.type(body.arguments[i]))
      return wrong_type(
          "C2", fmt::format("argument {} of @{} is {}, got {}", i, callee,
                            query.graph.type(body.arguments[i]).to_string(), query.operands[i].to_string()));
  TypeAnswer answer;
  for (ValueId result : body.results) answer.types.push_back(query.graph.type(result));
  return answer;
}

std::vector<Literal> call_value(const Evaluation& evaluation) {
  return evaluation.function(attributes_of<CallAttributes>(evaluation.node).callee,
                             {evaluation.operands.begin(), evaluation.operands.end()});
}

std::vector<Batched> call_batch(const Batching& batching) {
  return batching.function(attributes_of<CallAttributes>(batching.node).callee, batching.operands);
}

// --- custom_call: results are what the text declares ---

TypeAnswer custom_call_types(const TypeQuery& query) {
  TypeAnswer answer;
  answer.types = query.declared;
  return answer;
}

std::vector<Literal> custom_call_value(const Evaluation& evaluation) {
  throw ExecutionError(fmt::format("custom_call: target @{} is not known",
                                   attributes_of<CustomCallAttributes>(evaluation.node).target));
}

std::vector<Batched> custom_call_batch(const Batching& batching) {
  throw TypeError(fmt::format("vmap: custom_call @{} has no batching rule",
                              attributes_of<CustomCallAttributes>(batching.node).target));
}

}  // namespace

namespace rules {
const StructuralRules& call() {
  static const StructuralRules rules{call_types, call_value, call_batch};
  return rules;
}
const StructuralRules& custom_call() {
  static const StructuralRules rules{custom_call_types, custom_call_value, custom_call_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
