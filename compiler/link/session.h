// The JIT of this process: takes objects, gives addresses, and unmaps an object when nobody needs it.
#pragma once

#include <memory>
#include <string>

#include <llvm/Support/MemoryBuffer.h>

namespace weft::link {

struct LoadedCode {
  void* entry = nullptr;
  std::shared_ptr<const void> code;
};

// Links the object and looks up `entry`, which no other loaded object may define. Throws CompileError;
// FatalError means that the JIT was abandoned.
LoadedCode load_object(std::unique_ptr<llvm::MemoryBuffer> object, const std::string& entry);
// The next object goes to a new JIT; loaded code stays valid.
void abandon_session();

}  // namespace weft::link
