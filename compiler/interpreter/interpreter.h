// The oracle: a plain, slow, obviously right evaluator of a Graph. Shares no code with lowering or code generation.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::interpreter {

// Runs the entry function. Arguments have the entry's types (checked: TypeError). Results are never splats.
std::vector<ir::Literal> interpret(const ir::Graph& graph, std::vector<ir::Literal> arguments);
std::vector<ir::Literal> interpret(const ir::Graph& graph, std::string_view function, std::vector<ir::Literal> arguments);

// One node on given operands; used by constant folding for operations whose value is exact in every engine.
std::vector<ir::Literal> evaluate_node(const ir::Graph& graph, ir::NodeId node, std::vector<ir::Literal> operands);
// True when compiled code must give the same bits as the interpreter: integer, comparison, data movement and
// correctly rounded operations, and every function of f16 and bf16; false for other transcendental functions and
// float reductions.
bool is_exact(const ir::Graph& graph, ir::NodeId node);

}  // namespace weft::interpreter
