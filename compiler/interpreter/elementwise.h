// The value of an elementwise operation on whole literals, by its row of ops.def.
#pragma once

#include <span>

#include "compiler/ir/ir.h"

namespace weft::interpreter {

// `operands` are not splats and have the shape of `result`.
ir::Literal elementwise_value(ir::Op op, std::span<const ir::Literal> operands, const ir::Type& result);

}  // namespace weft::interpreter
