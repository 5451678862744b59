// Machine code of a module, by a target machine that each thread keeps for itself.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/codegen/target.h"

namespace weft::link {

// This thread's target machine; building one costs as much as a small kernel.
llvm::TargetMachine& machine_for(const codegen::Target& target, bool quick);
// After a fatal error: the next request of this thread builds new ones.
void abandon_machines();

// Code generation consumes the module's IR. Throws FatalError, or CompileError for what LLVM reports as an
// error.
std::unique_ptr<llvm::MemoryBuffer> emit_object(llvm::Module& module, llvm::TargetMachine& machine);
std::string emit_assembly(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace weft::link
