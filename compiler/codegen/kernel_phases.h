// What running a kernel takes: one or two passes over work items, each of which can be a function or inlined.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/codegen/body.h"

namespace weft::codegen {

struct KernelPhase {
  std::string name;
  std::int64_t items = 0;
  bool parallel = false;  // there is enough work to share it between threads
  // Emits the items [begin, end) at the builder's position.
  std::function<void(const BufferPointers&, llvm::Value* begin, llvm::Value* end)> emit;
};
// None for a kernel without points.
std::vector<KernelPhase> phases_of(Emitter& emitter, const lower::Kernel& kernel);

// The buffers that a kernel touches, each once.
std::vector<lower::BufferId> buffers_of(const lower::Kernel& kernel);

}  // namespace weft::codegen
