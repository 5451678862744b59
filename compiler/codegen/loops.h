// Small helpers to emit loops in SSA form.
#pragma once

#include <functional>
#include <vector>

#include "compiler/codegen/emitter.h"

namespace weft::codegen {

using Values = std::vector<llvm::Value*>;

// for (i = begin; i < end; i += step) carried = body(i, carried); gives the carried values after the loop.
Values emit_loop(Emitter& emitter, llvm::Value* begin, llvm::Value* end, std::int64_t step, const Values& carried,
                 const std::function<Values(llvm::Value* i, const Values& carried)>& body);

// if (condition) then(); both paths continue after it.
void emit_if(Emitter& emitter, llvm::Value* condition, const std::function<void()>& then);

// The row-major index of every extent for a flat position.
Values split_index(Emitter& emitter, llvm::Value* flat, const std::vector<std::int64_t>& extents);

}  // namespace weft::codegen
