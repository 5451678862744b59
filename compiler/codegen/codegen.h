// codegen: plan -> LLVM IR. One function a kernel and phase, one driver that runs them all.
#pragma once

#include <string>

#include "compiler/codegen/target.h"
#include "compiler/lower/nest.h"

namespace llvm {
class Module;
}

namespace weft::codegen {

inline constexpr const char* kEntryName = "weft_entry";

// Fills `module` (triple and data layout set) with the entry `int32 weft_entry(void** buffers, int32 threads)` of
// runtime/executable.h.
void emit_plan(llvm::Module& module, const lower::Plan& plan, const Target& target);

}  // namespace weft::codegen
