// symbol(descriptor, arrays, threads, function) -> status.
#include "compiler/codegen/host_call.h"

#include <llvm/IR/Module.h>

namespace weft::codegen {

// runtime::SortLess: the elements at two positions of the operands, compared.
llvm::Function* emit_callback(Emitter& emitter, const lower::HostCall& call) {
  if (!call.less) return nullptr;
  const lower::ScalarFunction& less = *call.less;
  auto& builder = emitter.builder;
  llvm::LLVMContext& context = builder.getContext();
  auto* type = llvm::FunctionType::get(builder.getInt8Ty(),
                                       {builder.getPtrTy(), builder.getInt64Ty(), builder.getInt64Ty()}, false);
  llvm::Function* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, "sort_less", emitter.module);
  add_target_attributes(function, emitter.target);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  const BufferPointers none;
  BodyEmitter body(emitter, none, less.insts);
  for (lower::InstId id = 0; id < less.insts.size(); ++id) {
    const lower::Inst& inst = less.insts[id];
    if (inst.kind != lower::Inst::Kind::argument) continue;
    llvm::Value* slot =
        builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), function->getArg(0), inst.reduction_result / 2);
    llvm::Value* array = builder.CreateAlignedLoad(builder.getPtrTy(), slot, llvm::Align(8));
    llvm::Type* element = memory_type(context, inst.type, 1);
    llvm::Value* place = builder.CreateGEP(element, array, function->getArg(1 + inst.reduction_result % 2));
    llvm::Value* loaded = builder.CreateAlignedLoad(element, place, llvm::Align(size_of(inst.type)));
    body.set(id, to_register(emitter, inst.type, loaded));
  }
  const Point point;
  body.emit_all(point);
  builder.CreateRet(builder.CreateZExt(body.value(less.result, point, false), builder.getInt8Ty()));
  return function;
}

llvm::Value* emit_host_call(Emitter& emitter, const lower::HostCall& call, const BufferPointers& pointers,
                            llvm::Value* slots, llvm::Value* threads, llvm::Function* callback) {
  auto& builder = emitter.builder;
  llvm::Type* pointer = builder.getPtrTy();
  std::size_t number = 0;
  for (const auto* buffers : {&call.operands, &call.results})
    for (lower::BufferId buffer : *buffers)
      builder.CreateStore(pointers.pointer[buffer], builder.CreateConstInBoundsGEP1_64(pointer, slots, number++));
  auto* type = llvm::FunctionType::get(builder.getInt32Ty(), {pointer, pointer, builder.getInt32Ty(), pointer}, false);
  llvm::Value* function = callback ? static_cast<llvm::Value*>(callback)
                                   : llvm::ConstantPointerNull::get(builder.getPtrTy());
  return builder.CreateCall(emitter.module.getOrInsertFunction(call.symbol, type),
                            {pointers.pointer[call.descriptor], slots, threads, function});
}

void return_failure(Emitter& emitter, llvm::Value* status) {
  auto& builder = emitter.builder;
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* failed = llvm::BasicBlock::Create(builder.getContext(), "failed", function);
  auto* next = llvm::BasicBlock::Create(builder.getContext(), "next", function);
  builder.CreateCondBr(builder.CreateICmpEQ(status, builder.getInt32(0)), next, failed);
  builder.SetInsertPoint(failed);
  builder.CreateRet(status);
  builder.SetInsertPoint(next);
}

void add_target_attributes(llvm::Function* function, const Target& target) {
  function->addFnAttr("target-cpu", target.cpu);
  function->addFnAttr("target-features", target.features);
  function->addFnAttr("prefer-vector-width", std::to_string(8 * target.vector_bytes));
  function->addFnAttr(llvm::Attribute::NoUnwind);
}

}  // namespace weft::codegen
