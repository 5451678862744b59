// Walks a function node by node; elementwise values by the table, structural ones by their rules.
#include "compiler/interpreter/interpreter.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/interpreter/element_values.h"
#include "compiler/ir/structural/rules.h"

namespace weft::interpreter {
namespace {

using ir::Literal;

constexpr int kDeepestCall = 256;

// --- elementwise --------------------------------------------------------------------------------------------------

Literal empty_of(const ir::Type& type) {
  return {type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
}

template <class R>
void put(Literal& literal, std::int64_t flat, R value) {
  std::memcpy(literal.buffer.data() + flat * static_cast<std::int64_t>(sizeof(R)), &value, sizeof(R));
}

template <class T, int arity, class Function>
void apply_each(const Function& function, std::span<const Literal> operands, Literal& result) {
  for (std::int64_t i = 0; i < result.type.size(); ++i) {
    if constexpr (arity == 1) put(result, i, function(operands[0].at<T>(i)));
    else put(result, i, function(operands[0].at<T>(i), operands[1].at<T>(i)));
  }
}

// Instantiates a row's value for the kinds that it accepts.
template <unsigned kinds, int arity, class Function>
void apply(DType dtype, const Function& function, std::span<const Literal> operands, Literal& result) {
  switch (dtype) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy)                                                           \
  case DType::name:                                                                                               \
    if constexpr ((DTypeKind::kind == DTypeKind::boolean && (kinds & ir::B) != 0) ||                              \
                  ((DTypeKind::kind == DTypeKind::signed_integer || DTypeKind::kind == DTypeKind::unsigned_integer) && \
                   (kinds & ir::I) != 0) ||                                                                       \
                  (DTypeKind::kind == DTypeKind::floating && (kinds & ir::F) != 0)) {                             \
      apply_each<cpp, arity>(function, operands, result);                                                         \
      return;                                                                                                     \
    }                                                                                                             \
    break;
#include <weft/types.def>
#undef TYPE
  }
  throw InternalError(fmt::format("interpreter: {} is not accepted", name_of(dtype)));
}

Literal elementwise_value(ir::Op op, std::span<const Literal> operands, const ir::Type& type) {
  using namespace ir;
  Literal result = empty_of(type);
  const DType dtype = operands[0].type.dtype;
  switch (op) {
#define ELEMENTWISE(name, text, arity, accepts, rule, value, emission, derivative, summary)               \
  case Op::name:                                                                                          \
    apply<(accepts), arity>(dtype, [](auto... x) { return values::value(x...); }, operands, result);      \
    break;
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
#define STRUCTURAL(name, ...) case Op::name:
#include "compiler/ir/structural.def"
#undef STRUCTURAL
    throw InternalError("interpreter: a structural operation is not elementwise");
  }
  return result;
}

// --- walking --------------------------------------------------------------------------------------------------------

class Walker {
 public:
  explicit Walker(const ir::Graph& graph) : graph_(graph) {}

  std::vector<Literal> call(std::string_view name, std::vector<Literal> arguments) {
    const ir::Function* function = graph_.find_function(name);
    if (!function) throw ExecutionError(fmt::format("interpret: there is no function @{}", name));
    if (depth_ == kDeepestCall) throw ExecutionError(fmt::format("interpret: calls nest deeper than {}", kDeepestCall));
    ++depth_;
    std::vector<Literal> results = run(function->body, std::move(arguments));
    --depth_;
    return results;
  }

  std::vector<Literal> node(const ir::Node& node, std::span<const Literal> operands) {
    if (ir::is_elementwise(node.op)) return {elementwise_value(node.op, operands, graph_.type(node.results[0]))};
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
    for (std::size_t i = 0; i < arguments.size(); ++i) values_[region.arguments[i]] = arguments[i].materialized();
    for (ir::NodeId node_id : region.nodes) {
      const ir::Node& each = graph_.node(node_id);
      std::vector<Literal> operands;
      for (ir::ValueId operand : each.operands) operands.push_back(values_.at(operand));
      std::vector<Literal> results = node(each, operands);
      for (std::size_t i = 0; i < results.size(); ++i) values_[each.results[i]] = std::move(results[i]);
    }
    std::vector<Literal> results;
    for (ir::ValueId result : region.results) results.push_back(values_.at(result));
    return results;
  }

  const ir::Graph& graph_;
  std::unordered_map<ir::ValueId, Literal> values_;
  int depth_ = 0;
};

void check_arguments(const ir::Graph& graph, const ir::Function& function, const std::vector<Literal>& arguments) {
  const auto& wanted = graph.region(function.body).arguments;
  if (arguments.size() != wanted.size())
    throw TypeError(fmt::format("interpret: @{} takes {} arguments, got {}", function.name, wanted.size(), arguments.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (arguments[i].type != graph.type(wanted[i]))
      throw TypeError(fmt::format("interpret: argument {} of @{} is {}, got {}", i, function.name,
                                  graph.type(wanted[i]).to_string(), arguments[i].type.to_string()));
}

}  // namespace

std::vector<Literal> interpret(const ir::Graph& graph, std::string_view name, std::vector<Literal> arguments) {
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
  return Walker(graph).node(graph.node(node), operands);
}

bool is_exact(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  const bool on_floats = !node.operands.empty() && is_floating(graph.type(node.operands[0]).dtype);
  if (node.op == ir::Op::call || node.op == ir::Op::custom_call) return false;
  if (node.op == ir::Op::reduce) {
    for (ir::ValueId operand : node.operands)
      if (is_floating(graph.type(operand).dtype)) return false;
    return true;
  }
  if (!ir::is_elementwise(node.op) || !on_floats) return true;
  using enum ir::Op;
  constexpr ir::Op kRounded[] = {abs,   add,   subtract, multiply, divide, negate, sign,   square,  maximum,
                                 minimum, ceil, floor,   round_nearest_afz, round_nearest_even, is_finite, is_inf,
                                 is_pos_inf, is_neg_inf, next_after, sqrt};
  return std::find(std::begin(kRounded), std::end(kRounded), node.op) != std::end(kRounded);
}

}  // namespace weft::interpreter
