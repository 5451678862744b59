// A loop or branch of the plan as one function: its kernels are spelt out in it, its small arrays are local.
#pragma once

#include <functional>

#include "compiler/codegen/emitter.h"
#include "compiler/lower/nest.h"

namespace weft::codegen {

// What the emitter of a plan offers to the functions of its loops.
struct PlanFunctions {
  // The pointer to a buffer, from the frame of the program.
  std::function<llvm::Value*(llvm::Value* frame, lower::BufferId)> pointer;
  // A function (frame, begin, end) whose frame holds the pointers of `buffers` alone, in order.
  using Body = std::function<void(const std::vector<llvm::Value*>& pointers, llvm::Value* begin, llvm::Value* end)>;
  std::function<llvm::Function*(const std::string& name, std::size_t buffers, const Body&)> outline;
};

// Fills `function`, (frame, threads) -> status, with one step of the plan. `is_seen_outside` says of a buffer whether other
// steps of the program touch it.
void emit_loop_function(Emitter& emitter, const lower::Plan& plan, const lower::Step& step, llvm::Function* function,
                        const PlanFunctions& functions, const std::function<bool(lower::BufferId)>& is_seen_outside);

}  // namespace weft::codegen
