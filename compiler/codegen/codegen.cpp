// The driver runs the plan's steps in order; kernels with enough work go through the worker pool.
#include "compiler/codegen/codegen.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/codegen/clean_up.h"
#include "compiler/codegen/host_call.h"
#include "compiler/codegen/kernel_phases.h"
#include "compiler/codegen/loop_function.h"
#include "compiler/lower/steps.h"

namespace weft::codegen {
namespace {

using lower::BufferId;
using lower::Kernel;
using lower::Plan;
using lower::PlanBuffer;
using lower::Step;

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
    add_target_attributes(entry, target_);
    count_users();
    std::vector<Phase> phases;
    for (const Step& step : plan_.steps) emit_step(step, phases);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", entry));
    for (const Phase& phase : phases) call(phase, entry);
    builder_.CreateRet(builder_.getInt32(0));
    // Not earlier: the emitter remembers values by their addresses.
    for (llvm::Function* function : loops_) clean_up(*function);
  }

 private:
  // A function of this module over its items, one that runs a loop, or one of the host, which may take a function.
  struct Phase {
    llvm::Function* function = nullptr;
    std::int64_t items = 0;
    bool parallel = false;
    bool is_loop = false;
    const lower::HostCall* host = nullptr;
  };

  // How many of the program's outer steps touch a buffer.
  void count_users() {
    users_.assign(plan_.buffers.size(), 0);
    std::vector<std::size_t> last(plan_.buffers.size(), SIZE_MAX);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      lower::for_each_touched(plan_, {plan_.steps[i]}, [&](BufferId buffer) {
        if (last[buffer] != i) ++users_[buffer];
        last[buffer] = i;
      });
  }

  void emit_step(const Step& step, std::vector<Phase>& phases) {
    switch (step.kind) {
      case Step::Kind::kernel:
        return emit_kernel(plan_.kernels[step.index], phases);
      case Step::Kind::call:
        return phases.push_back({.function = emit_callback(emitter_, plan_.calls[step.index]), .host = &plan_.calls[step.index]});
      case Step::Kind::loop:
      case Step::Kind::branch:
        return emit_loop(step, phases);
    }
  }

  void emit_kernel(const Kernel& kernel, std::vector<Phase>& phases) {
    const std::vector<BufferId> touched = buffers_of(kernel);
    for (const KernelPhase& phase : phases_of(emitter_, kernel)) {
      llvm::Function* function = begin_function(phase.name);
      BufferPointers buffers;
      buffers.pointer.resize(plan_.buffers.size(), nullptr);
      for (BufferId buffer : touched) buffers.pointer[buffer] = load_pointer(function->getArg(0), buffer);
      phase.emit(buffers, function->getArg(1), function->getArg(2));
      builder_.CreateRetVoid();
      phases.push_back({.function = function, .items = phase.items, .parallel = phase.parallel});
    }
  }

  // (frame, begin, end), at its entry.
  llvm::Function* begin_function(const std::string& name) {
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getInt64Ty()}, false);
    llvm::Function* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module_);
    add_target_attributes(function, target_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    return function;
  }

  void emit_loop(const Step& step, std::vector<Phase>& phases) {
    auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
    llvm::Function* function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                                      "loop_" + std::to_string(loops_.size()), module_);
    add_target_attributes(function, target_);
    PlanFunctions functions;
    functions.pointer = [&](llvm::Value* frame, BufferId buffer) { return load_pointer(frame, buffer); };
    functions.outline = [&](const std::string& name, std::size_t buffers, const PlanFunctions::Body& body) {
      llvm::Function* outlined = begin_function(name);
      std::vector<llvm::Value*> pointers;
      for (std::size_t i = 0; i < buffers; ++i) pointers.push_back(load_slot(outlined->getArg(0), i));
      body(pointers, outlined->getArg(1), outlined->getArg(2));
      builder_.CreateRetVoid();
      return outlined;
    };
    emit_loop_function(emitter_, plan_, step, function, functions, [&](BufferId buffer) {
      return plan_.buffers[buffer].kind != PlanBuffer::Kind::temporary || users_[buffer] > 1;
    });
    loops_.push_back(function);
    phases.push_back({.function = function, .is_loop = true});
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

  llvm::Value* load_slot(llvm::Value* frame, std::size_t number) {
    llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), frame, number);
    return builder_.CreateAlignedLoad(builder_.getPtrTy(), slot, llvm::Align(8));
  }
  llvm::Value* load_pointer(llvm::Value* frame, BufferId id) {
    const PlanBuffer& buffer = plan_.buffers[id];
    llvm::Value* pointer = load_slot(frame, slot_of(buffer));
    if (buffer.kind != PlanBuffer::Kind::temporary) return pointer;
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), pointer,
                                               static_cast<std::uint64_t>(buffer.arena_offset));
  }

  void call(const Phase& phase, llvm::Function* entry) {
    if (phase.host) return call_host(phase, entry);
    if (phase.is_loop)
      return return_failure(emitter_, builder_.CreateCall(phase.function, {entry->getArg(0), entry->getArg(1)}));
    llvm::Value* items = builder_.getInt64(static_cast<std::uint64_t>(phase.items));
    if (!phase.parallel) {
      builder_.CreateCall(phase.function, {entry->getArg(0), builder_.getInt64(0), items});
      return;
    }
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(),
        {builder_.getInt64Ty(), builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getPtrTy()}, false);
    llvm::FunctionCallee pool = module_.getOrInsertFunction("weft_parallel_for", type);
    builder_.CreateCall(pool, {items, entry->getArg(1), phase.function, entry->getArg(0)});
  }

  void call_host(const Phase& phase, llvm::Function* entry) {
    const lower::HostCall& call = *phase.host;
    BufferPointers pointers;
    pointers.pointer.resize(plan_.buffers.size(), nullptr);
    pointers.pointer[call.descriptor] = load_pointer(entry->getArg(0), call.descriptor);
    for (const auto* buffers : {&call.operands, &call.results})
      for (BufferId buffer : *buffers) pointers.pointer[buffer] = load_pointer(entry->getArg(0), buffer);
    llvm::Value* slots =
        builder_.CreateAlloca(builder_.getPtrTy(), builder_.getInt64(call.operands.size() + call.results.size()));
    return_failure(emitter_, emit_host_call(emitter_, call, pointers, slots, entry->getArg(1), phase.function));
  }

  llvm::Module& module_;
  const Plan& plan_;
  const Target& target_;
  llvm::IRBuilder<> builder_;
  Emitter emitter_;
  std::vector<std::size_t> users_;
  std::vector<llvm::Function*> loops_;
};

}  // namespace

void emit_plan(llvm::Module& module, const Plan& plan, const Target& target) {
  PlanEmitter(module, plan, target).run();
}

}  // namespace weft::codegen
