// Calls of the runtime's functions on whole arrays.
#pragma once

#include "compiler/codegen/body.h"

namespace weft::codegen {

// The function that a call takes along (of a sort: its comparison), or null. Changes the builder's position.
llvm::Function* emit_callback(Emitter& emitter, const lower::HostCall& call);

// Emits the call on arrays that lie at `pointers`, with `slots` as room for their addresses; gives its status.
llvm::Value* emit_host_call(Emitter& emitter, const lower::HostCall& call, const BufferPointers& pointers,
                            llvm::Value* slots, llvm::Value* threads, llvm::Function* callback);

// If the status is not 0, the function returns it.
void return_failure(Emitter& emitter, llvm::Value* status);

// Function attributes that all code of the target has.
void add_target_attributes(llvm::Function* function, const Target& target);

}  // namespace weft::codegen
