// The one function of this library that the rest of Weft calls: plan -> machine code.
#include "compiler/lower/backend.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "compiler/codegen/codegen.h"
#include "compiler/link/link.h"

namespace {

weft::lower::BackendResult compile(const weft::lower::BackendRequest& request) {
  const weft::codegen::Target target = weft::codegen::choose_target(request.target);
  weft::link::NativeModule native("weft", target);
  weft::codegen::emit_plan(*native.module, *request.plan, target);
  weft::link::LinkOptions options;
  options.quick = request.quick;
  options.keep_text = request.keep_text;
  weft::link::Linked linked =
      weft::link::link(std::move(native), target, weft::codegen::kEntryName, options);
  weft::lower::BackendResult result;
  result.entry = linked.entry;
  result.code = std::move(linked.code);
  result.target = target.name();
  result.llvm_ir = std::move(linked.llvm_ir);
  result.assembly = std::move(linked.assembly);
  return result;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) weft::lower::Backend weft_backend() { return compile; }
