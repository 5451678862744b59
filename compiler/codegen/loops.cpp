// Loops are emitted bottom-tested behind a guard, so that their bodies dominate nothing by accident.
#include "compiler/codegen/loops.h"

namespace weft::codegen {

Values emit_loop(Emitter& emitter, llvm::Value* begin, llvm::Value* end, std::int64_t step, const Values& carried,
                 const std::function<Values(llvm::Value*, const Values&)>& body) {
  auto& builder = emitter.builder;
  llvm::LLVMContext& context = builder.getContext();
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(context, "loop", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after", function);
  builder.CreateCondBr(builder.CreateICmpSLT(begin, end), loop, after);

  builder.SetInsertPoint(loop);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2, "i");
  index->addIncoming(begin, before);
  std::vector<llvm::PHINode*> phis;
  Values current;
  for (llvm::Value* value : carried) {
    phis.push_back(builder.CreatePHI(value->getType(), 2));
    phis.back()->addIncoming(value, before);
    current.push_back(phis.back());
  }
  const Values next = body(index, current);
  llvm::Value* following = builder.CreateNSWAdd(index, builder.getInt64(static_cast<std::uint64_t>(step)));
  llvm::BasicBlock* latch = builder.GetInsertBlock();
  index->addIncoming(following, latch);
  for (std::size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(next[i], latch);
  builder.CreateCondBr(builder.CreateICmpSLT(following, end), loop, after);

  builder.SetInsertPoint(after);
  Values result;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    llvm::PHINode* phi = builder.CreatePHI(carried[i]->getType(), 2);
    phi->addIncoming(carried[i], before);
    phi->addIncoming(next[i], latch);
    result.push_back(phi);
  }
  return result;
}

void emit_if(Emitter& emitter, llvm::Value* condition, const std::function<void()>& then) {
  auto& builder = emitter.builder;
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::BasicBlock* taken = llvm::BasicBlock::Create(builder.getContext(), "then", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(builder.getContext(), "after", function);
  builder.CreateCondBr(condition, taken, after);
  builder.SetInsertPoint(taken);
  then();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

Values split_index(Emitter& emitter, llvm::Value* flat, const std::vector<std::int64_t>& extents) {
  auto& builder = emitter.builder;
  Values result(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 1;) {
    llvm::Value* extent = builder.getInt64(static_cast<std::uint64_t>(extents[axis]));
    result[axis] = builder.CreateURem(flat, extent);
    flat = builder.CreateUDiv(flat, extent);
  }
  if (!extents.empty()) result[0] = flat;
  return result;
}

}  // namespace weft::codegen
