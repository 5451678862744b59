// Leaving the function: call of another one, and custom_call of something outside the graph.
#include "compiler/ir/debug_print.h"
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
  const auto& call = std::get<CustomCallAttributes>(query.attributes);
  if (call.target == kDebugPrint) {
    const DebugPrintAnswer print = debug_print_of(call, query.operands);
    if (!print.what) return wrong_structure("P1", print.fault);
    if (!query.declared.empty()) return wrong_structure("P2", "@weft.debug_print has no results");
    if (!call.has_side_effect) return wrong_structure("P3", "@weft.debug_print needs has_side_effect = true");
  }
  TypeAnswer answer;
  answer.types = query.declared;
  return answer;
}

std::vector<Literal> custom_call_value(const Evaluation& evaluation) {
  if (is_debug_print(evaluation.node)) {
    std::vector<const std::byte*> operands;
    for (const Literal& operand : evaluation.operands) operands.push_back(operand.buffer.data());
    runtime::print(debug_print_of(evaluation.graph, evaluation.node), operands);
    return {};
  }
  throw ExecutionError(fmt::format("custom_call: target @{} is not known",
                                   attributes_of<CustomCallAttributes>(evaluation.node).target));
}

// Printing prints once for each element of the batch.
std::vector<Batched> debug_print_batch(const Batching& batching) {
  const runtime::DebugPrint what = debug_print_of(batching.from, batching.node);
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < batching.operands.size(); ++i) operands.push_back(batching.batched(i));
  batching.to.node(Op::custom_call, operands, debug_print_attributes(what.batch_rank + 1, what.format));
  return {};
}

std::vector<Batched> custom_call_batch(const Batching& batching) {
  if (is_debug_print(batching.node)) return debug_print_batch(batching);
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
