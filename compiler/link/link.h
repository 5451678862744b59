// link: LLVM IR -> machine code in this process. The only owner of ORC, target machines and LLVM's error handlers.
#pragma once

#include <memory>
#include <string>

#include "compiler/codegen/target.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::link {

// A module under construction with the context it lives in (leaked if the backend fails in it).
struct NativeModule {
  NativeModule(const std::string& name, const codegen::Target& target);
  ~NativeModule();
  NativeModule(NativeModule&&) noexcept;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;  // triple and data layout set
};

struct LinkOptions {
  bool quick = false;     // code generation at O0
  bool keep_text = false;  // fill Linked::assembly
};
struct Linked {
  void* entry = nullptr;                // address of `entry_name`
  std::shared_ptr<const void> code;     // unmaps the code when the last copy goes
  std::string llvm_ir, assembly;        // when asked
};
// Verifies, generates code (no IR passes; LSR off), links. Throws CompileError; after a fatal error in LLVM the JIT is
// abandoned and the next call builds a new one. Safe from many threads: one TargetMachine per thread and target.
Linked link(NativeModule module, const codegen::Target& target, const std::string& entry_name, const LinkOptions& options);

}  // namespace weft::link
