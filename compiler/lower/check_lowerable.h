// Which graphs can be compiled: everything that lowering has no answer to is told here, with the user's line.
#pragma once

#include "compiler/ir/ir.h"

namespace weft::lower {

// Throws CompileError for the first operation of the entry function that cannot be lowered.
void check_is_lowerable(const ir::Graph& graph);

}  // namespace weft::lower
