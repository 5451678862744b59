// Verify, generate an object, load it; names are made unique so that modules do not see each other.
#include "compiler/link/link.h"

#include <atomic>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <weft/error.h>

#include "compiler/link/guard.h"
#include "compiler/link/machine.h"
#include "compiler/link/session.h"

namespace weft::link {
namespace {

void verify(llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    throw CompileError("link: invalid LLVM IR in " + module.getName().str() + ": " + text);
}

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

// Code generation consumes IR, so the text comes from a copy.
std::string assembly_of(const llvm::Module& module, llvm::TargetMachine& machine) {
  auto copy = llvm::CloneModule(module);
  try {
    return emit_assembly(*copy, machine);
  } catch (const FatalError&) {
    abandon(copy.release());
    throw;
  }
}

// Only the entry stays visible, under a name that nothing else has.
std::string isolate(llvm::Module& module, const std::string& entry_name) {
  llvm::Function* entry = module.getFunction(entry_name);
  if (!entry || entry->isDeclaration()) throw CompileError("link: the module does not define " + entry_name);
  for (llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage())
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
  static std::atomic<std::uint64_t> count = 0;
  entry->setLinkage(llvm::GlobalValue::ExternalLinkage);
  entry->setName("weft." + std::to_string(count++) + "." + entry_name);
  return entry->getName().str();
}

// What a fatal error leaves behind is neither used nor destroyed.
void abandon_all(NativeModule& module) {
  abandon(module.module.release());
  abandon(module.context.release());
  abandon_machines();
  abandon_session();
}

Linked generate(NativeModule& native, const codegen::Target& target, const std::string& entry_name,
                const LinkOptions& options) {
  llvm::Module& module = *native.module;
  Linked linked;
  verify(module);
  llvm::TargetMachine& machine = machine_for(target, options.quick);
  if (options.keep_text) {
    linked.llvm_ir = print(module);
    linked.assembly = assembly_of(module, machine);
  }
  const std::string entry = isolate(module, entry_name);
  LoadedCode loaded = load_object(emit_object(module, machine), entry);
  linked.entry = loaded.entry;
  linked.code = std::move(loaded.code);
  return linked;
}

}  // namespace

NativeModule::NativeModule(const std::string& name, const codegen::Target& target)
    : context(std::make_unique<llvm::LLVMContext>()), module(std::make_unique<llvm::Module>(name, *context)) {
  llvm::TargetMachine& machine = machine_for(target, false);
#if LLVM_VERSION_MAJOR >= 21
  module->setTargetTriple(machine.getTargetTriple());
#else
  module->setTargetTriple(machine.getTargetTriple().str());
#endif
  module->setDataLayout(machine.createDataLayout());
}
NativeModule::~NativeModule() = default;
NativeModule::NativeModule(NativeModule&&) noexcept = default;

Linked link(NativeModule module, const codegen::Target& target, const std::string& entry_name,
            const LinkOptions& options) {
  const FatalErrorGuard guard;
  try {
    return generate(module, target, entry_name, options);
  } catch (const FatalError& error) {
    abandon_all(module);
    throw CompileError(std::string("code generation: ") + error.what());
  }
}

}  // namespace weft::link
