// Emission of kernels that reduce: blocks of the reduced domain first, then, where a point has several, their results.
#pragma once

#include "compiler/codegen/track.h"

namespace weft::codegen {

// Work items of the two phases; finish_items is 0 when the first phase already writes the results.
struct FoldItems {
  std::int64_t block_items = 0;
  std::int64_t finish_items = 0;
};
FoldItems fold_items(const lower::Kernel& kernel, const lower::FoldSchedule& schedule);

void emit_fold_blocks(Emitter& emitter, const lower::Kernel& kernel, const lower::FoldSchedule& schedule,
                      const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end);
void emit_fold_finish(Emitter& emitter, const lower::Kernel& kernel, const lower::FoldSchedule& schedule,
                      const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end);

}  // namespace weft::codegen
