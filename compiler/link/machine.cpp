// No pass of ours runs on the IR: kernels are emitted as they should be, only instruction selection follows.
#include "compiler/link/machine.h"

#include <map>
#include <mutex>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <weft/error.h>

#include "compiler/link/guard.h"

namespace weft::link {
namespace {

using MachineKey = std::pair<codegen::Isa, bool>;
thread_local std::map<MachineKey, std::unique_ptr<llvm::TargetMachine>> machines;

void initialize_llvm() {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Loop strength reduction takes a fifth of the time and gives kernels with explicit vectors nothing.
    auto& options = llvm::cl::getRegisteredOptions();
    if (const auto found = options.find("disable-lsr"); found != options.end())
      static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(true);
  });
}

std::unique_ptr<llvm::TargetMachine> new_machine(const codegen::Target& target, bool quick) {
  initialize_llvm();
  const std::string name = llvm::sys::getProcessTriple();
#if LLVM_VERSION_MAJOR >= 22
  const llvm::Triple triple(name);
#else
  const std::string& triple = name;
#endif
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found) throw CompileError("link: no code generator for " + name + ": " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  const auto level = quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(
      found->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                 llvm::CodeModel::Small, level, /*JIT=*/true));
  if (!machine) throw CompileError("link: cannot generate code for " + target.cpu);
  return machine;
}

// The default handler ends the process on an error; ours keeps the text. Remarks are dropped.
class KeepErrors : public llvm::DiagnosticHandler {
 public:
  explicit KeepErrors(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    stream << '\n';
    return true;
  }

 private:
  std::string& errors_;
};

void emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::raw_pwrite_stream& out,
          llvm::CodeGenFileType type) {
  std::string errors;
  module.getContext().setDiagnosticHandler(std::make_unique<KeepErrors>(errors));
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  if (machine.addPassesToEmitFile(*passes, out, nullptr, type))
    throw CompileError("link: this target cannot emit such a file");
  try {
    passes->run(module);
  } catch (const FatalError&) {
    abandon(passes.release());
    module.getContext().setDiagnosticHandler(nullptr);
    throw;
  }
  module.getContext().setDiagnosticHandler(nullptr);
  if (!errors.empty()) throw CompileError("code generation: " + errors);
}

}  // namespace

llvm::TargetMachine& machine_for(const codegen::Target& target, bool quick) {
  auto& machine = machines[{target.isa, quick}];
  if (!machine) machine = new_machine(target, quick);
  return *machine;
}

void abandon_machines() {
  for (auto& [key, machine] : machines) abandon(machine.release());
  machines.clear();
}

std::unique_ptr<llvm::MemoryBuffer> emit_object(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  emit(module, machine, out, llvm::CodeGenFileType::ObjectFile);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), module.getName(),
                                                         /*RequiresNullTerminator=*/false);
}

std::string emit_assembly(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  emit(module, machine, out, llvm::CodeGenFileType::AssemblyFile);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace weft::link
