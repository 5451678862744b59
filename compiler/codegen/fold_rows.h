// Reductions down a free axis: vectors lie along it, rows of the reduced domain are taken one after another.
#pragma once

#include "compiler/codegen/fold_context.h"

namespace weft::codegen {

void emit_row_blocks(FoldContext& context, llvm::Value* begin, llvm::Value* end);
void emit_row_finish(FoldContext& context, llvm::Value* begin, llvm::Value* end);

}  // namespace weft::codegen
