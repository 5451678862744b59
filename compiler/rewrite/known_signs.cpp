// Follows the sign bit of floats through operations: which values are never -0.
#include <cmath>

#include "compiler/rewrite/known_values.h"

namespace weft::rewrite {
namespace {

using ir::Op;

constexpr int kMaxDepth = 12;  // of the operations followed

// What is known of every element that is not NaN.
enum class Sign { any, never_minus_zero, never_minus };

Sign weaker(Sign a, Sign b) { return a < b ? a : b; }

Sign sign_of_constant(const ir::Graph& graph, ir::ValueId value) {
  if (is_float_splat(graph, value, 0.0)) return Sign::never_minus;
  const auto number = float_splat(graph, value);
  if (!number || *number == 0) return Sign::any;
  return *number > 0 ? Sign::never_minus : Sign::never_minus_zero;
}

Sign sign_at(const ir::Graph& graph, ir::ValueId value, int depth);

Sign sign_of_node(const ir::Graph& graph, const ir::Node& node, int depth) {
  const auto operand = [&](std::size_t i) { return sign_at(graph, node.operands[i], depth); };
  switch (static_cast<int>(node.op)) {
    case static_cast<int>(Op::constant):
      return sign_of_constant(graph, node.results[0]);
    case static_cast<int>(Op::abs):
    case static_cast<int>(Op::exponential):
    case static_cast<int>(Op::logistic):
      return Sign::never_minus;
    case static_cast<int>(Op::sqrt):
    case static_cast<int>(Op::broadcast_in_dim):
    case static_cast<int>(Op::reshape):
    case static_cast<int>(Op::transpose):
    case static_cast<int>(Op::reverse):
    case static_cast<int>(Op::slice):
    case static_cast<int>(Op::windows):
    case static_cast<int>(Op::dynamic_slice):
    case static_cast<int>(Op::gather):
      return operand(0);
    case static_cast<int>(Op::convert):
      return is_floating(graph.type(node.operands[0]).dtype)
                 ? (operand(0) == Sign::never_minus ? Sign::never_minus
                                                    : Sign::any)  // a small one rounds to -0
                 : Sign::never_minus_zero;
    case static_cast<int>(Op::multiply):
      if (node.operands[0] == node.operands[1]) return Sign::never_minus;
      return weaker(operand(0), operand(1)) == Sign::never_minus ? Sign::never_minus : Sign::any;
    case static_cast<int>(Op::divide):
      return weaker(operand(0), operand(1)) == Sign::never_minus ? Sign::never_minus : Sign::any;
    case static_cast<int>(Op::add): {  // -0 only from two of them
      const Sign a = operand(0), b = operand(1);
      if (a == Sign::never_minus && b == Sign::never_minus) return Sign::never_minus;
      return a != Sign::any || b != Sign::any ? Sign::never_minus_zero : Sign::any;
    }
    case static_cast<int>(Op::subtract):  // -0 only from -0 - +0
      return operand(0) == Sign::any ? Sign::any : Sign::never_minus_zero;
    case static_cast<int>(Op::select):
      return weaker(operand(1), operand(2));
    case static_cast<int>(Op::minimum):
    case static_cast<int>(Op::maximum):
      return weaker(operand(0), operand(1));
    default:
      return Sign::any;
  }
}

Sign sign_at(const ir::Graph& graph, ir::ValueId value, int depth) {
  const ir::NodeId id = graph.value(value).node;
  if (depth == 0 || id == ir::kNone) return Sign::any;
  return sign_of_node(graph, graph.node(id), depth - 1);
}

}  // namespace

bool is_never_minus_zero(const ir::Graph& graph, ir::ValueId value) {
  return !is_floating(graph.type(value).dtype) || sign_at(graph, value, kMaxDepth) != Sign::any;
}

}  // namespace weft::rewrite
