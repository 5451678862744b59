// Kernels of a few points, spelt out point by point on scalars: in loops their arrays then live in registers.
#pragma once

#include "compiler/codegen/body.h"

namespace weft::codegen {

bool is_small(const lower::Kernel& kernel, const Target& target);

// The whole kernel at the builder's position; reductions in the same order as fold_kernel.h, so with the same bits.
void emit_small(Emitter& emitter, const lower::Kernel& kernel, const BufferPointers& buffers);

}  // namespace weft::codegen
