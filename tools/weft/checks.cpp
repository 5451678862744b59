// Operands of checks become results of the program; the checks themselves run on the values.
#include "tools/weft/checks.h"

#include <algorithm>
#include <string_view>

#include <weft/error.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/rewrite/rewrite.h"

namespace weft::tool {
namespace {

bool is_check(const ir::Node& node) {
  if (node.op != ir::Op::custom_call || node.operands.size() < 2 || !node.results.empty()) return false;
  constexpr std::string_view kTargets[] = {"check.expect_eq", "check.expect_close", "check.expect_almost_eq"};
  return std::find(std::begin(kTargets), std::end(kTargets),
                   ir::attributes_of<ir::CustomCallAttributes>(node).target) != std::end(kTargets);
}

void inline_calls(ir::Graph& graph) {
  const CompileOptions options;
  rewrite::Ledger ledger;
  rewrite::Context context{options, ledger};
  graph = rewrite::find_pass("inline_calls")->run(graph, context);
}

}  // namespace

SplitProgram split_checks(Program& program) {
  inline_calls(program.graph);
  SplitProgram split;
  split.without_checks = program.graph;
  ir::Region& body = split.without_checks.region(program.graph.entry().body);
  split.result_count = body.results.size();
  std::vector<ir::NodeId> rest;
  for (const ir::NodeId id : body.nodes) {
    const ir::Node& node = program.graph.node(id);
    if (!is_check(node)) {
      rest.push_back(id);
      continue;
    }
    split.checks.push_back({id, body.results.size(), node.operands.size()});
    body.results.insert(body.results.end(), node.operands.begin(), node.operands.end());
  }
  body.nodes = std::move(rest);
  return split;
}

std::vector<std::string> failed_checks(const Program& program, const SplitProgram& split,
                                       std::span<const ir::Literal> results) {
  std::vector<std::string> messages;
  for (const Check& check : split.checks) {
    const auto operands = results.subspan(check.first_operand, check.operand_count);
    try {
      interpreter::evaluate_node(program.graph, check.node, {operands.begin(), operands.end()});
    } catch (const ExecutionError& error) {
      const ir::LocationId location = program.graph.node(check.node).location;
      std::string message = error.what();
      const std::string suffix = ", at " + program.graph.location(location).to_string();
      if (message.ends_with(suffix)) message.resize(message.size() - suffix.size());
      messages.push_back(message_at(program, program.graph.location(location), message));
    }
  }
  return messages;
}

}  // namespace weft::tool
