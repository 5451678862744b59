// Walks a function node by node: elementwise values by the table, structural ones by their rules.
#include "compiler/interpreter/interpreter.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/interpreter/checks.h"
#include "compiler/interpreter/elementwise.h"
#include "compiler/ir/structural/rules.h"

namespace weft::interpreter {
namespace {

using ir::Literal;

// Calls use the native stack.
constexpr int kDeepestCall = 1000;

// For each node of a region, the region's own values that nothing reads after it. Regions inside read as
// their node does.
std::vector<std::vector<ir::ValueId>> last_uses(const ir::Graph& graph, ir::RegionId id) {
  const ir::Region& region = graph.region(id);
  std::unordered_map<ir::ValueId, std::size_t> last;
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    for (ir::ValueId result : graph.node(region.nodes[i]).results) last[result] = i;
    std::vector<ir::NodeId> stack{region.nodes[i]};
    const auto read = [&](ir::ValueId value) {
      if (graph.value(value).region == id) last[value] = i;
    };
    while (!stack.empty()) {
      const ir::Node& node = graph.node(stack.back());
      stack.pop_back();
      std::for_each(node.operands.begin(), node.operands.end(), read);
      for (ir::RegionId child : node.regions) {
        const ir::Region& inner = graph.region(child);
        std::for_each(inner.results.begin(), inner.results.end(), read);
        stack.insert(stack.end(), inner.nodes.begin(), inner.nodes.end());
      }
    }
  }
  for (ir::ValueId result : region.results) last.erase(result);
  std::vector<std::vector<ir::ValueId>> uses(region.nodes.size());
  for (const auto& [value, node] : last) uses[node].push_back(value);
  return uses;
}

class Walker {
 public:
  explicit Walker(const ir::Graph& graph) : graph_(graph) {}

  std::vector<Literal> call(std::string_view name, std::vector<Literal> arguments) {
    const ir::Function* function = graph_.find_function(name);
    if (!function) throw ExecutionError(fmt::format("interpret: there is no function @{}", name));
    if (depth_ == kDeepestCall)
      throw ExecutionError(
          fmt::format("interpret: calls nest deeper than {}, the last one of @{}", kDeepestCall, name));
    ++depth_;
    std::vector<Literal> results = run(function->body, std::move(arguments));
    --depth_;
    return results;
  }

  std::vector<Literal> value(const ir::Node& node, std::span<const Literal> operands) {
    if (ir::is_elementwise(node.op))
      return {elementwise_value(node.op, operands, graph_.type(node.results[0]))};
    if (node.op == ir::Op::custom_call)
      if (const auto& target = ir::attributes_of<ir::CustomCallAttributes>(node).target; is_check(target))
        return run_check(target, operands,
                         node.location == 0 ? "" : graph_.location(node.location).to_string());
    ir::Evaluation evaluation{graph_, node, operands, {}, {}};
    evaluation.region = [&](std::size_t index, std::vector<Literal> arguments) {
      return run(node.regions[index], std::move(arguments));
    };
    evaluation.function = [&](const std::string& callee, std::vector<Literal> arguments) {
      return call(callee, std::move(arguments));
    };
    return ir::rules_of(node.op).value(evaluation);
  }

 private:
  std::vector<Literal> run(ir::RegionId id, std::vector<Literal> arguments) {
    const ir::Region& region = graph_.region(id);
    const auto& last = last_uses_of(id);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      values_[region.arguments[i]] =
          arguments[i].is_splat ? arguments[i].materialized() : std::move(arguments[i]);
    std::vector<Literal> operands;
    for (std::size_t i = 0; i < region.nodes.size(); ++i) {
      const ir::Node& node = graph_.node(region.nodes[i]);
      operands.clear();
      for (ir::ValueId operand : node.operands) operands.push_back(values_.at(operand));
      std::vector<Literal> results = value(node, operands);
      if (results.size() != node.results.size())
        throw ExecutionError(fmt::format("interpret: {} gives {} results, {} are declared",
                                         ir::info_of(node.op).text, results.size(), node.results.size()));
      for (std::size_t k = 0; k < results.size(); ++k) values_[node.results[k]] = std::move(results[k]);
      for (ir::ValueId dead : last[i]) values_[dead] = {};
    }
    std::vector<Literal> results;
    for (ir::ValueId result : region.results) results.push_back(values_.at(result));
    return results;
  }

  const std::vector<std::vector<ir::ValueId>>& last_uses_of(ir::RegionId id) {
    const auto found = last_uses_.find(id);
    return found != last_uses_.end() ? found->second
                                     : last_uses_.emplace(id, last_uses(graph_, id)).first->second;
  }

  const ir::Graph& graph_;
  // Of all functions and regions being run: no function runs inside itself in a legal graph.
  std::unordered_map<ir::ValueId, Literal> values_;
  std::unordered_map<ir::RegionId, std::vector<std::vector<ir::ValueId>>> last_uses_;
  int depth_ = 0;
};

void check_arguments(const ir::Graph& graph, const ir::Function& function,
                     const std::vector<Literal>& arguments) {
  const auto& wanted = graph.region(function.body).arguments;
  if (arguments.size() != wanted.size())
    throw TypeError(fmt::format("interpret: @{} takes {} arguments, got {}", function.name, wanted.size(),
                                arguments.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (arguments[i].type != graph.type(wanted[i]))
      throw TypeError(fmt::format("interpret: argument {} of @{} is {}, got {}", i, function.name,
                                  graph.type(wanted[i]).to_string(), arguments[i].type.to_string()));
}

}  // namespace

std::vector<Literal> interpret(const ir::Graph& graph, std::string_view name,
                               std::vector<Literal> arguments) {
  const ir::Function* function = graph.find_function(name);
  if (!function) throw ExecutionError(fmt::format("interpret: there is no function @{}", name));
  check_arguments(graph, *function, arguments);
  return Walker(graph).call(name, std::move(arguments));
}

std::vector<Literal> interpret(const ir::Graph& graph, std::vector<Literal> arguments) {
  return interpret(graph, graph.entry().name, std::move(arguments));
}

std::vector<Literal> evaluate_node(const ir::Graph& graph, ir::NodeId node, std::vector<Literal> operands) {
  for (Literal& operand : operands) operand = operand.materialized();
  return Walker(graph).value(graph.node(node), operands);
}

bool is_exact(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  if (node.op == ir::Op::call || node.op == ir::Op::custom_call) return false;
  const auto is_float = [&](ir::ValueId value) { return is_floating(graph.type(value).dtype); };
  const bool on_floats = std::any_of(node.operands.begin(), node.operands.end(), is_float);
  if (!on_floats) return true;
  if (!ir::is_elementwise(node.op))
    return node.op != ir::Op::reduce && node.op != ir::Op::scatter && node.op != ir::Op::dot_general &&
           node.op != ir::Op::convolution;
  if (is_half(graph.type(node.operands[0]).dtype)) return true;  // every function of halves is rounded to the nearest one
  using enum ir::Op;
  constexpr ir::Op kCorrectlyRounded[] = {abs,
                                          add,
                                          ceil,
                                          divide,
                                          floor,
                                          is_finite,
                                          is_inf,
                                          is_neg_inf,
                                          is_pos_inf,
                                          maximum,
                                          sign,
                                          sqrt,
                                          minimum,
                                          multiply,
                                          round_nearest_afz,
                                          round_nearest_even,
                                          negate,
                                          next_after,
                                          square,
                                          subtract};
  return std::find(std::begin(kCorrectlyRounded), std::end(kCorrectlyRounded), node.op) !=
         std::end(kCorrectlyRounded);
}

}  // namespace weft::interpreter
