// The driver calls kernels in the plan's order; those with enough work go through the worker pool.
#include "compiler/codegen/codegen.h"

#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/codegen/fold_kernel.h"
#include "compiler/codegen/map_kernel.h"
#include "compiler/lower/cost.h"

namespace weft::codegen {
namespace {

using lower::Kernel;
using lower::Plan;
using lower::PlanBuffer;

class PlanEmitter {
 public:
  PlanEmitter(llvm::Module& module, const Plan& plan, const Target& target)
      : module_(module),
        plan_(plan),
        target_(target),
        builder_(module.getContext()),
        emitter_{builder_, module, target} {}

  void run() {
    auto* entry_type =
        llvm::FunctionType::get(builder_.getInt32Ty(), {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
    llvm::Function* entry =
        llvm::Function::Create(entry_type, llvm::Function::ExternalLinkage, kEntryName, module_);
    std::vector<Phase> phases;
    auto host = plan_.calls.begin();
    const auto add_calls_before = [&](std::size_t kernel) {
      for (; host != plan_.calls.end() && host->position == kernel; ++host)
        phases.push_back({.host = &*host});
    };
    for (std::size_t kernel = 0; kernel < plan_.kernels.size(); ++kernel) {
      add_calls_before(kernel);
      emit_kernel(plan_.kernels[kernel], phases);
    }
    add_calls_before(plan_.kernels.size());
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", entry));
    for (const Phase& phase : phases) call(phase, entry);
    builder_.CreateRet(builder_.getInt32(0));
    add_attributes(entry);
  }

 private:
  // A function of this module over its items, or one of the host.
  struct Phase {
    llvm::Function* function = nullptr;
    std::int64_t items = 0;
    bool parallel = false;
    const lower::HostCall* host = nullptr;
  };
  using Body = std::function<void(const BufferPointers&, llvm::Value* begin, llvm::Value* end)>;

  void add_attributes(llvm::Function* function) {
    function->addFnAttr("target-cpu", target_.cpu);
    function->addFnAttr("target-features", target_.features);
    function->addFnAttr("prefer-vector-width", std::to_string(8 * target_.vector_bytes));
    function->addFnAttr(llvm::Attribute::NoUnwind);
  }

  void emit_kernel(const Kernel& kernel, std::vector<Phase>& phases) {
    const double nanoseconds = lower::serial_nanoseconds(kernel);
    const bool parallel = nanoseconds > lower::kParallelNanoseconds;
    if (kernel.reductions.empty()) {
      const MapSchedule schedule = schedule_map(kernel, target_);
      if (schedule.blocks == 0) return;
      auto* function = emit_function(
          kernel.name, [&](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
            emit_map(emitter_, kernel, schedule, buffers, begin, end);
          });
      phases.push_back({.function = function, .items = schedule.blocks, .parallel = parallel});
      return;
    }
    const lower::FoldSchedule schedule = lower::schedule_fold(kernel);
    const FoldItems items = fold_items(kernel, schedule);
    if (items.block_items == 0) return;
    auto* blocks =
        emit_function(kernel.name, [&](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
          emit_fold_blocks(emitter_, kernel, schedule, buffers, begin, end);
        });
    phases.push_back({.function = blocks, .items = items.block_items, .parallel = parallel});
    if (items.finish_items == 0) return;
    auto* finish = emit_function(kernel.name + "_finish",
                                 [&](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
                                   emit_fold_finish(emitter_, kernel, schedule, buffers, begin, end);
                                 });
    phases.push_back(
        {.function = finish, .items = items.finish_items, .parallel = parallel && items.finish_items > 1});
  }

  llvm::Function* emit_function(const std::string& name, const Body& body) {
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getInt64Ty()}, false);
    llvm::Function* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module_);
    add_attributes(function);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    body(load_pointers(function->getArg(0)), function->getArg(1), function->getArg(2));
    builder_.CreateRetVoid();
    return function;
  }

  // The frame of runtime/executable.h: arguments, results, constants, arena.
  std::size_t slot_of(const PlanBuffer& buffer) const {
    const auto index = static_cast<std::size_t>(buffer.index);
    const std::size_t results = plan_.arguments.size(), constants = results + plan_.results.size();
    switch (buffer.kind) {
      case PlanBuffer::Kind::argument:
        return index;
      case PlanBuffer::Kind::result:
        return results + index;
      case PlanBuffer::Kind::constant:
        return constants + index;
      case PlanBuffer::Kind::temporary:
        return constants + plan_.constants.size();
    }
    return 0;
  }

  // Loads that a kernel does not use are dropped by instruction selection.
  BufferPointers load_pointers(llvm::Value* frame) {
    BufferPointers buffers;
    for (const PlanBuffer& buffer : plan_.buffers) buffers.pointer.push_back(load_pointer(frame, buffer));
    return buffers;
  }
  llvm::Value* load_pointer(llvm::Value* frame, const PlanBuffer& buffer) {
    llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), frame, slot_of(buffer));
    llvm::Value* pointer = builder_.CreateAlignedLoad(builder_.getPtrTy(), slot, llvm::Align(8));
    if (buffer.kind != PlanBuffer::Kind::temporary) return pointer;
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), pointer,
                                               static_cast<std::uint64_t>(buffer.arena_offset));
  }

  void call(const Phase& phase, llvm::Function* entry) {
    if (phase.host) return call_host(*phase.host, entry->getArg(0));
    llvm::Value* items = builder_.getInt64(static_cast<std::uint64_t>(phase.items));
    if (!phase.parallel || phase.items == 1) {
      builder_.CreateCall(phase.function, {entry->getArg(0), builder_.getInt64(0), items});
      return;
    }
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(),
        {builder_.getInt64Ty(), builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getPtrTy()}, false);
    llvm::FunctionCallee pool = module_.getOrInsertFunction("weft_parallel_for", type);
    builder_.CreateCall(pool, {items, entry->getArg(1), phase.function, entry->getArg(0)});
  }

  void call_host(const lower::HostCall& call, llvm::Value* frame) {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Value* operands = builder_.CreateAlloca(pointer, builder_.getInt64(call.operands.size()));
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      builder_.CreateStore(load_pointer(frame, plan_.buffers[call.operands[i]]),
                           builder_.CreateConstInBoundsGEP1_64(pointer, operands, i));
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
    builder_.CreateCall(module_.getOrInsertFunction(call.symbol, type),
                        {load_pointer(frame, plan_.buffers[call.descriptor]), operands});
  }

  llvm::Module& module_;
  const Plan& plan_;
  const Target& target_;
  llvm::IRBuilder<> builder_;
  Emitter emitter_;
};

}  // namespace

void emit_plan(llvm::Module& module, const Plan& plan, const Target& target) {
  PlanEmitter(module, plan, target).run();
}

}  // namespace weft::codegen
