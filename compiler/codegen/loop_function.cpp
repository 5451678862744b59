// Arrays that only small kernels touch are local to the function, and become registers afterwards (clean_up.h);
// a next value takes its place by exchange of pointers, or by copy where it is small.
#include "compiler/codegen/loop_function.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <llvm/IR/Module.h>

#include "compiler/codegen/elements.h"
#include "compiler/codegen/host_call.h"
#include "compiler/codegen/kernel_phases.h"
#include "compiler/codegen/loops.h"
#include "compiler/codegen/small_kernel.h"
#include "compiler/lower/steps.h"

namespace weft::codegen {
namespace {

using lower::BufferId;
using lower::Loop;
using lower::Plan;
using lower::PlanBuffer;
using lower::Step;

constexpr std::int64_t kLargestLocal = 1024;  // bytes of an array that is local
constexpr std::int64_t kLargestCopy = 512;    // bytes of a next value that is copied instead of exchanged
// Instructions of a kernel inside of the loop's own code: LLVM takes longer than linear time for one function.
constexpr std::size_t kLongestInside = 256;

bool is_long(const lower::Kernel& kernel) { return kernel.body.size() > kLongestInside; }

class LoopFunction {
 public:
  LoopFunction(Emitter& emitter, const Plan& plan, llvm::Function* function, const PlanFunctions& functions,
               const std::function<bool(BufferId)>& is_seen_outside)
      : emitter_(emitter),
        builder_(emitter.builder),
        plan_(plan),
        function_(function),
        functions_(functions),
        is_seen_outside_(is_seen_outside) {
    pointers_.pointer.resize(plan.buffers.size(), nullptr);
  }

  void emit(const Step& step) {
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(builder_.getContext(), "entry", function_);
    builder_.SetInsertPoint(entry);
    const std::vector<Step> steps{step};
    find_locals(steps);
    place_buffers();
    emit_steps(steps);
    for (BufferId buffer : locals_in_order_)
      if (is_written_outside(buffer)) copy(outside_.at(buffer), pointers_.pointer[buffer], plan_.buffers[buffer].type);
    builder_.CreateRet(builder_.getInt32(0));
  }

 private:
  bool is_written_outside(BufferId buffer) const {
    const PlanBuffer::Kind kind = plan_.buffers[buffer].kind;
    return outside_.contains(buffer) && (kind == PlanBuffer::Kind::temporary || kind == PlanBuffer::Kind::result);
  }

  // Local: small, and touched by small kernels and the loops themselves alone.
  void find_locals(const std::vector<Step>& steps) {
    std::unordered_set<BufferId> touched, shared;
    lower::for_each_step(plan_, steps, [&](const Step& each) {
      const bool is_whole = each.kind == Step::Kind::call ||
                            (each.kind == Step::Kind::kernel && !is_unrolled(plan_.kernels[each.index]));
      lower::for_each_own_buffer(plan_, each, [&](BufferId buffer) {
        if (touched.insert(buffer).second) touched_.push_back(buffer);
        if (is_whole) shared.insert(buffer);
      });
      if (each.kind == Step::Kind::loop)
        for (const Loop::Next& next : plan_.loops[each.index].nexts) exchanged_.insert({next.current, next.next});
    });
    for (BufferId buffer : touched_) {
      const std::int64_t bytes = plan_.buffers[buffer].type.nbytes();
      if (bytes > 0 && bytes <= kLargestLocal && !shared.contains(buffer)) locals_.insert(buffer);
    }
  }

  void place_buffers() {
    std::unordered_set<BufferId> moving;
    for (const auto& [current, next] : exchanged_)
      if (is_exchanged(current, next)) moving.insert({current, next});
    for (BufferId buffer : touched_) {
      const ir::Type& type = plan_.buffers[buffer].type;
      if (!locals_.contains(buffer)) {
        pointers_.pointer[buffer] = functions_.pointer(function_->getArg(0), buffer);
        if (!moving.contains(buffer)) continue;
        variables_[buffer] = local(builder_.getPtrTy(), 1);
        builder_.CreateStore(pointers_.pointer[buffer], variables_[buffer]);
        continue;
      }
      llvm::Type* element = memory_type(builder_.getContext(), type.dtype, 1);
      pointers_.pointer[buffer] = local(element, type.size());
      locals_in_order_.push_back(buffer);
      if (!is_seen_outside_(buffer)) continue;
      outside_[buffer] = functions_.pointer(function_->getArg(0), buffer);
      copy(pointers_.pointer[buffer], outside_[buffer], type);
    }
  }

  llvm::Value* local(llvm::Type* element, std::int64_t count) {
    llvm::BasicBlock& entry = function_->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    llvm::AllocaInst* memory =
        at_entry.CreateAlloca(count == 1 ? element : llvm::ArrayType::get(element, static_cast<std::uint64_t>(count)));
    memory->setAlignment(llvm::Align(64));
    return memory;
  }

  void copy(llvm::Value* to, llvm::Value* from, const ir::Type& type) {
    llvm::Type* element = memory_type(builder_.getContext(), type.dtype, 1);
    for (std::int64_t i = 0; i < type.size(); ++i) {
      const auto place = static_cast<std::uint64_t>(i);
      llvm::Value* value = builder_.CreateLoad(element, builder_.CreateConstGEP1_64(element, from, place));
      builder_.CreateStore(value, builder_.CreateConstGEP1_64(element, to, place));
    }
  }
  void copy_bytes(llvm::Value* to, llvm::Value* from, std::int64_t bytes) {
    builder_.CreateMemCpy(to, llvm::Align(64), from, llvm::Align(64), static_cast<std::uint64_t>(bytes));
  }

  // The pointers as they are now.
  const BufferPointers& pointers() {
    for (const auto& [buffer, variable] : variables_)
      pointers_.pointer[buffer] = builder_.CreateLoad(builder_.getPtrTy(), variable);
    return pointers_;
  }

  void emit_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      switch (step.kind) {
        case Step::Kind::kernel:
          emit_kernel(plan_.kernels[step.index]);
          break;
        case Step::Kind::call:
          emit_call(plan_.calls[step.index]);
          break;
        case Step::Kind::loop:
          emit_loop_step(plan_.loops[step.index]);
          break;
        case Step::Kind::branch:
          emit_branch(plan_.branches[step.index]);
          break;
      }
    }
  }

  bool is_unrolled(const lower::Kernel& kernel) const { return !is_long(kernel) && is_small(kernel, emitter_.target); }

  void emit_kernel(const lower::Kernel& kernel) {
    if (is_unrolled(kernel)) return emit_small(emitter_, kernel, pointers());
    for (const KernelPhase& phase : phases_of(emitter_, kernel)) {
      if (phase.parallel || is_long(kernel))
        call_outlined(kernel, phase);
      else
        phase.emit(pointers(), builder_.getInt64(0), builder_.getInt64(static_cast<std::uint64_t>(phase.items)));
    }
  }

  // The phase as a function of its own, whose work items threads share when it is parallel.
  void call_outlined(const lower::Kernel& kernel, const KernelPhase& phase) {
    const std::vector<BufferId> buffers = buffers_of(kernel);
    llvm::Value* frame = local(builder_.getPtrTy(), static_cast<std::int64_t>(std::max<std::size_t>(buffers.size(), 1)));
    const BufferPointers& now = pointers();
    for (std::size_t i = 0; i < buffers.size(); ++i)
      builder_.CreateStore(now.pointer[buffers[i]], builder_.CreateConstGEP1_64(builder_.getPtrTy(), frame, i));
    const llvm::IRBuilder<>::InsertPoint here = builder_.saveIP();
    llvm::Function* function = functions_.outline(
        phase.name, buffers.size(),
        [&](const std::vector<llvm::Value*>& inside, llvm::Value* begin, llvm::Value* end) {
          BufferPointers table;
          table.pointer.resize(plan_.buffers.size(), nullptr);
          for (std::size_t i = 0; i < buffers.size(); ++i) table.pointer[buffers[i]] = inside[i];
          phase.emit(table, begin, end);
        });
    builder_.restoreIP(here);
    llvm::Value* items = builder_.getInt64(static_cast<std::uint64_t>(phase.items));
    if (!phase.parallel) {
      builder_.CreateCall(function, {frame, builder_.getInt64(0), items});
      return;
    }
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(),
        {builder_.getInt64Ty(), builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getPtrTy()}, false);
    builder_.CreateCall(emitter_.module.getOrInsertFunction("weft_parallel_for", type),
                        {items, function_->getArg(1), function, frame});
  }

  void emit_call(const lower::HostCall& call) {
    const llvm::IRBuilder<>::InsertPoint here = builder_.saveIP();
    llvm::Function* callback = emit_callback(emitter_, call);
    builder_.restoreIP(here);
    const auto count = static_cast<std::int64_t>(call.operands.size() + call.results.size());
    llvm::Value* slots = local(builder_.getPtrTy(), std::max<std::int64_t>(count, 1));
    return_failure(emitter_, emit_host_call(emitter_, call, pointers(), slots, function_->getArg(1), callback));
  }

  // --- loops ---

  bool is_exchanged(BufferId current, BufferId next) const {
    return !locals_.contains(current) && !locals_.contains(next) &&
           plan_.buffers[current].type.nbytes() > kLargestCopy;
  }

  void advance(const Loop& loop) {
    for (const Loop::Next& next : loop.nexts) {
      const ir::Type& type = plan_.buffers[next.current].type;
      if (type.nbytes() == 0) continue;
      if (locals_.contains(next.current) || locals_.contains(next.next)) {
        const BufferPointers& now = pointers();
        copy(now.pointer[next.current], now.pointer[next.next], type);
      } else if (!is_exchanged(next.current, next.next)) {
        const BufferPointers& now = pointers();
        copy_bytes(now.pointer[next.current], now.pointer[next.next], type.nbytes());
      } else {
        llvm::Value *current = variables_.at(next.current), *other = variables_.at(next.next);
        llvm::Value* a = builder_.CreateLoad(builder_.getPtrTy(), current);
        llvm::Value* b = builder_.CreateLoad(builder_.getPtrTy(), other);
        builder_.CreateStore(b, current);
        builder_.CreateStore(a, other);
      }
    }
  }

  // Where values that are exchanged lie before a loop, and must lie after it.
  struct Home {
    Loop::Next next;
    llvm::Value *current, *other;
  };
  void emit_loop_step(const Loop& loop) {
    std::vector<Home> homes;
    for (const Loop::Next& next : loop.nexts)
      if (is_exchanged(next.current, next.next))
        homes.push_back({next, builder_.CreateLoad(builder_.getPtrTy(), variables_.at(next.current)),
                         builder_.CreateLoad(builder_.getPtrTy(), variables_.at(next.next))});
    if (loop.is_counted)
      emit_counted(loop);
    else
      emit_while(loop);
    for (const Home& home : homes) {
      llvm::Value* now = builder_.CreateLoad(builder_.getPtrTy(), variables_.at(home.next.current));
      emit_if(emitter_, builder_.CreateICmpNE(now, home.current), [&] {
        copy_bytes(home.current, now, plan_.buffers[home.next.current].type.nbytes());
        builder_.CreateStore(home.current, variables_.at(home.next.current));
        builder_.CreateStore(home.other, variables_.at(home.next.next));
      });
    }
  }

  void emit_counted(const Loop& loop) {
    llvm::Value* count = builder_.getInt64(static_cast<std::uint64_t>(loop.length));
    if (loop.count != ir::kNone) count = builder_.CreateLoad(builder_.getInt64Ty(), pointers().pointer[loop.count]);
    emit_loop(emitter_, builder_.getInt64(0), count, 1, {}, [&](llvm::Value* step, const Values&) -> Values {
      llvm::Value* position = step;
      if (loop.reverse) position = builder_.CreateSub(builder_.CreateSub(count, builder_.getInt64(1)), step);
      builder_.CreateStore(position, pointers().pointer[loop.position]);
      emit_steps(loop.body);
      advance(loop);
      return {};
    });
  }

  void emit_while(const Loop& loop) {
    llvm::LLVMContext& context = builder_.getContext();
    llvm::BasicBlock* test = llvm::BasicBlock::Create(context, "while", function_);
    llvm::BasicBlock* body = llvm::BasicBlock::Create(context, "do", function_);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "done", function_);
    builder_.CreateBr(test);
    builder_.SetInsertPoint(test);
    emit_steps(loop.condition);
    builder_.CreateCondBr(truth(loop.predicate), body, after);
    builder_.SetInsertPoint(body);
    emit_steps(loop.body);
    advance(loop);
    builder_.CreateBr(test);
    builder_.SetInsertPoint(after);
  }

  llvm::Value* truth(BufferId buffer) {
    llvm::Value* byte = builder_.CreateLoad(builder_.getInt8Ty(), pointers().pointer[buffer]);
    return builder_.CreateICmpNE(byte, builder_.getInt8(0));
  }

  void emit_branch(const lower::Branch& branch) {
    llvm::LLVMContext& context = builder_.getContext();
    std::vector<llvm::BasicBlock*> blocks;
    for (std::size_t i = 0; i < branch.branches.size(); ++i)
      blocks.push_back(llvm::BasicBlock::Create(context, "branch", function_));
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "joined", function_);
    if (plan_.buffers[branch.selector].type.dtype == DType::b1) {
      builder_.CreateCondBr(truth(branch.selector), blocks[0], blocks[1]);
    } else {
      llvm::Value* index = builder_.CreateLoad(builder_.getInt32Ty(), pointers().pointer[branch.selector]);
      llvm::SwitchInst* choice = builder_.CreateSwitch(index, blocks.back(), static_cast<unsigned>(blocks.size()));
      for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
        choice->addCase(builder_.getInt32(static_cast<std::uint32_t>(i)), blocks[i]);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      builder_.SetInsertPoint(blocks[i]);
      emit_steps(branch.branches[i]);
      builder_.CreateBr(after);
    }
    builder_.SetInsertPoint(after);
  }

  struct PairHash {
    std::size_t operator()(const std::pair<BufferId, BufferId>& pair) const {
      return (static_cast<std::size_t>(pair.first) << 32) ^ pair.second;
    }
  };

  Emitter& emitter_;
  llvm::IRBuilder<>& builder_;
  const Plan& plan_;
  llvm::Function* function_;
  const PlanFunctions& functions_;
  const std::function<bool(BufferId)>& is_seen_outside_;
  BufferPointers pointers_;
  std::vector<BufferId> touched_, locals_in_order_;
  std::unordered_set<BufferId> locals_;
  std::unordered_set<std::pair<BufferId, BufferId>, PairHash> exchanged_;
  std::unordered_map<BufferId, llvm::Value*> outside_;    // where a local array lies in the program's memory
  std::map<BufferId, llvm::Value*> variables_;            // pointers that change
};

}  // namespace

void emit_loop_function(Emitter& emitter, const Plan& plan, const Step& step, llvm::Function* function,
                        const PlanFunctions& functions, const std::function<bool(BufferId)>& is_seen_outside) {
  LoopFunction(emitter, plan, function, functions, is_seen_outside).emit(step);
}

}  // namespace weft::codegen
