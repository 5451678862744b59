// Two nested loops with an early way out, emitted as blocks: rows, then vectors of a row.
#include "compiler/codegen/find_first.h"

#include <llvm/IR/Intrinsics.h>

namespace weft::codegen {

void place_row(FoldContext& c, Point& point, llvm::Value* row) {
  auto axes = c.axes_of(lower::AxisKind::reduction);
  axes.pop_back();  // the inner one
  const Values index = split_index(c.emitter, row, c.extents_of(axes));
  for (std::size_t i = 0; i < axes.size(); ++i) point.index[axes[i]] = index[i];
}

namespace {

// The lane of the first set bit, or -1 (as i64).
llvm::Value* first_lane(FoldContext& c, llvm::Value* hits, unsigned lanes) {
  auto& b = c.builder;
  if (lanes == 1) return b.CreateSelect(hits, c.constant(0), c.constant(-1));
  llvm::Type* bits = b.getIntNTy(lanes);
  llvm::Value* mask = b.CreateZExt(b.CreateBitCast(hits, bits), b.getInt64Ty());
  llvm::Value* lane = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, b.getFalse());
  return b.CreateSelect(b.CreateICmpEQ(mask, c.constant(0)), c.constant(-1), lane);
}

}  // namespace

void find_first(FoldContext& c, std::size_t track, const State& state, const Point& at, const Range& range,
                Point& winner) {
  auto& b = c.builder;
  llvm::LLVMContext& context = b.getContext();
  llvm::Function* function = b.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, function); };
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock *row_loop = block("find_row"), *vector_loop = block("find_vector"), *next_vector = block("find_next"),
                   *next_row = block("find_next_row"), *after = block("found");
  const lower::InstId key_inst = c.tracks[track].reduction().operands[c.tracks[track].reduction().reducer.selection->key];
  BodyEmitter body(c.emitter, c.buffers, c.kernel.body);
  body.restrict_to({key_inst});
  b.CreateBr(row_loop);

  b.SetInsertPoint(row_loop);
  llvm::PHINode* row = b.CreatePHI(b.getInt64Ty(), 2, "row");
  row->addIncoming(range.first_row, before);
  Point point = at;
  place_row(c, point, row);
  point.index.back() = range.first;
  if (c.lanes > 1) body.emit_uniform(point);
  llvm::BasicBlock* row_ready = b.GetInsertBlock();
  b.CreateBr(vector_loop);

  b.SetInsertPoint(vector_loop);
  llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2, "i");
  i->addIncoming(range.first, row_ready);
  point.index.back() = i;
  llvm::Value* hits = nullptr;
  if (c.lanes > 1) {
    point.mask = lane_mask(c.emitter, b.CreateSub(range.last, i), c.lanes);
    body.emit_varying(point);
    hits = b.CreateAnd(c.tracks[track].is_winner(state, body.value(key_inst, point, true)), point.mask);
  } else {
    body.emit_uniform(point);
    hits = c.tracks[track].is_winner(state, body.value(key_inst, point, false));
  }
  llvm::Value* lane = first_lane(c, hits, c.lanes);
  llvm::BasicBlock* tested = b.GetInsertBlock();
  b.CreateCondBr(b.CreateICmpSGE(lane, c.constant(0)), after, next_vector);

  b.SetInsertPoint(next_vector);
  llvm::Value* following = b.CreateAdd(i, c.constant(static_cast<std::int64_t>(c.lanes)));
  i->addIncoming(following, next_vector);
  b.CreateCondBr(b.CreateICmpSLT(following, range.last), vector_loop, next_row);

  b.SetInsertPoint(next_row);
  llvm::Value* following_row = b.CreateAdd(row, c.constant(1));
  row->addIncoming(following_row, next_row);
  b.CreateCondBr(b.CreateICmpSLT(following_row, range.last_row), row_loop, after);

  b.SetInsertPoint(after);
  llvm::PHINode* found_lane = b.CreatePHI(b.getInt64Ty(), 2, "lane");
  found_lane->addIncoming(lane, tested);
  found_lane->addIncoming(c.constant(0), next_row);
  place_row(c, winner, row);
  winner.index.back() = b.CreateAdd(i, found_lane);
}

}  // namespace weft::codegen
