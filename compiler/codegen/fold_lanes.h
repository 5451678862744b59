// Reductions along the contiguous axis: a fixed number of virtual lanes, whatever the registers of the target hold.
#pragma once

#include "compiler/codegen/fold_context.h"

namespace weft::codegen {

void emit_lane_blocks(FoldContext& context, llvm::Value* begin, llvm::Value* end);
void emit_lane_finish(FoldContext& context, llvm::Value* begin, llvm::Value* end);

}  // namespace weft::codegen
