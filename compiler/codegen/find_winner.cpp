// The first: loops with an early way out, emitted as blocks, since the helpers of loops.h have none. The last: plain
// loops that keep the latest hit.
#include "compiler/codegen/find_winner.h"

#include <algorithm>

#include <llvm/IR/Intrinsics.h>

namespace weft::codegen {

void place_row(FoldContext& c, Point& point, llvm::Value* row) {
  auto axes = c.axes_of(lower::AxisKind::reduction);
  axes.pop_back();  // the inner one
  const Values index = split_index(c.emitter, row, c.extents_of(axes));
  for (std::size_t i = 0; i < axes.size(); ++i) point.index[axes[i]] = index[i];
}

namespace {

// The search as blocks: rows; in a row full steps of several registers, then single masked registers.
class Search {
 public:
  Search(FoldContext& context, std::size_t track, const State& state, const Point& at, const Range& range)
      : c_(context), b_(context.builder), track_(context.tracks[track]), state_(state), point_(at), range_(range),
        body_(context.emitter, context.buffers, context.kernel.body) {
    key_ = track_.reduction().operands[track_.reduction().reducer.selection->key];
    body_.restrict_to({key_});
  }

  Found run() {
    llvm::BasicBlock* before = b_.GetInsertBlock();
    b_.CreateBr(row_loop_);
    b_.SetInsertPoint(row_loop_);
    row_ = b_.CreatePHI(b_.getInt64Ty(), 2, "row");
    row_->addIncoming(range_.first_row, before);
    place_row(c_, point_, row_);
    point_.index.back() = range_.first;
    if (c_.lanes > 1) body_.emit_uniform(point_);
    open_after();
    llvm::Value* rest = full_steps(range_.first);
    single_steps(rest);
    close_row();
    b_.SetInsertPoint(after_);
    llvm::Value* lane = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, found_hits_, b_.getFalse());
    llvm::Value* key = found_key_;
    if (key && c_.lanes > 1) key = b_.CreateExtractElement(key, lane);
    return {row_, b_.CreateAdd(found_at_, lane), key};
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }

  void open_after() {
    llvm::IRBuilder<> at(after_);
    found_at_ = at.CreatePHI(at.getInt64Ty(), 3, "at");
    found_hits_ = at.CreatePHI(at.getInt64Ty(), 3, "hits");
  }
  // The key of a long body is kept, so that it need not be spelt out once more.
  void note_key(llvm::Value* key) {
    if (!c_.schedule.has_long_body) return;
    if (!found_key_) found_key_ = llvm::IRBuilder<>(after_, after_->begin()).CreatePHI(key->getType(), 2, "key");
    found_key_->addIncoming(key, b_.GetInsertBlock());
  }
  void leave(llvm::Value* at, llvm::Value* hits, llvm::BasicBlock* otherwise) {
    found_at_->addIncoming(at, b_.GetInsertBlock());
    found_hits_->addIncoming(hits, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpNE(hits, c_.constant(0)), after_, otherwise);
  }

  // One bit a lane of the register at `i`, as i64.
  llvm::Value* hits_at(llvm::Value* i, bool masked) {
    point_.index.back() = i;
    point_.mask = masked && c_.lanes > 1 ? lane_mask(c_.emitter, b_.CreateSub(range_.last, i), c_.lanes) : nullptr;
    if (c_.lanes > 1)
      body_.emit_varying(point_);
    else
      body_.emit_uniform(point_);
    key_register_ = body_.value(key_, point_, c_.lanes > 1);
    llvm::Value* hits = track_.is_winner(state_, key_register_);
    if (point_.mask) hits = b_.CreateAnd(hits, point_.mask);
    if (c_.lanes > 1) hits = b_.CreateBitCast(hits, b_.getIntNTy(c_.lanes));
    return b_.CreateZExt(hits, b_.getInt64Ty());
  }

  // for (; i + step <= last; i += step): leaves where the single steps go on.
  llvm::Value* full_steps(llvm::Value* first) {
    const auto step = static_cast<std::int64_t>(std::max(c_.lanes, c_.schedule.virtual_lanes));
    if (c_.schedule.inner < step || c_.schedule.has_long_body) return first;
    llvm::BasicBlock *before = b_.GetInsertBlock(), *header = block("find_steps"), *test = block("find_step"),
                     *next = block("find_next_step"), *done = block("find_rest");
    b_.CreateBr(header);
    b_.SetInsertPoint(header);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2, "i");
    i->addIncoming(first, before);
    llvm::Value* following = b_.CreateAdd(i, c_.constant(step));
    b_.CreateCondBr(b_.CreateICmpSLE(following, range_.last), test, done);
    b_.SetInsertPoint(test);
    llvm::Value* hits = hits_at(i, false);
    for (std::int64_t lane = c_.lanes; lane < step; lane += c_.lanes) {
      llvm::Value* more = hits_at(b_.CreateAdd(i, c_.constant(lane)), false);
      hits = b_.CreateOr(hits, b_.CreateShl(more, static_cast<std::uint64_t>(lane)));
    }
    leave(i, hits, next);
    b_.SetInsertPoint(next);
    i->addIncoming(following, next);
    b_.CreateBr(header);
    b_.SetInsertPoint(done);
    return i;
  }

  void single_steps(llvm::Value* first) {
    llvm::BasicBlock *before = b_.GetInsertBlock(), *header = block("find_singles"), *test = block("find_single"),
                     *next = block("find_next_single");
    b_.CreateBr(header);
    b_.SetInsertPoint(header);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2, "i");
    i->addIncoming(first, before);
    b_.CreateCondBr(b_.CreateICmpSLT(i, range_.last), test, next_row_);
    b_.SetInsertPoint(test);
    llvm::Value* hits = hits_at(i, true);
    note_key(key_register_);
    leave(i, hits, next);
    b_.SetInsertPoint(next);
    i->addIncoming(b_.CreateAdd(i, c_.constant(static_cast<std::int64_t>(c_.lanes))), next);
    b_.CreateBr(header);
  }

  void close_row() {
    b_.SetInsertPoint(next_row_);
    llvm::Value* following = b_.CreateAdd(row_, c_.constant(1));
    row_->addIncoming(following, next_row_);
    found_at_->addIncoming(range_.first, next_row_);
    found_hits_->addIncoming(c_.constant(1), next_row_);
    if (found_key_) found_key_->addIncoming(llvm::Constant::getNullValue(found_key_->getType()), next_row_);
    b_.CreateCondBr(b_.CreateICmpSLT(following, range_.last_row), row_loop_, after_);
  }

  FoldContext& c_;
  llvm::IRBuilder<>& b_;
  const Track& track_;
  const State& state_;
  Point point_;
  const Range& range_;
  BodyEmitter body_;
  lower::InstId key_ = 0;
  llvm::BasicBlock* row_loop_ = block("find_row");
  llvm::BasicBlock* next_row_ = block("find_next_row");
  llvm::BasicBlock* after_ = block("found");
  llvm::PHINode* row_ = nullptr;
  llvm::PHINode* found_at_ = nullptr;
  llvm::PHINode* found_hits_ = nullptr;
  llvm::PHINode* found_key_ = nullptr;
  llvm::Value* key_register_ = nullptr;  // at the last point that was tested
};

// The latest register with a hit, by rows and registers.
Found find_last(FoldContext& c, std::size_t track_number, const State& state, Point point, const Range& range) {
  auto& b = c.builder;
  const Track& track = c.tracks[track_number];
  const lower::InstId key = track.reduction().operands[track.reduction().reducer.selection->key];
  BodyEmitter body(c.emitter, c.buffers, c.kernel.body);
  body.restrict_to({key});
  const auto hits_at = [&](llvm::Value* i) {
    point.index.back() = i;
    point.mask = c.lanes > 1 ? lane_mask(c.emitter, b.CreateSub(range.last, i), c.lanes) : nullptr;
    if (c.lanes > 1)
      body.emit_varying(point);
    else
      body.emit_uniform(point);
    llvm::Value* hits = track.is_winner(state, body.value(key, point, c.lanes > 1));
    if (point.mask) hits = b.CreateBitCast(b.CreateAnd(hits, point.mask), b.getIntNTy(c.lanes));
    return b.CreateZExt(hits, b.getInt64Ty());
  };
  const auto step = static_cast<std::int64_t>(c.lanes);
  const Values found = emit_loop(
      c.emitter, range.first_row, range.last_row, 1, {range.first_row, range.first, c.constant(1)},
      [&](llvm::Value* row, const Values& before) {
        place_row(c, point, row);
        point.index.back() = range.first;
        point.mask = nullptr;
        if (c.lanes > 1) body.emit_uniform(point);
        return emit_loop(c.emitter, range.first, range.last, step, before, [&](llvm::Value* i, const Values& latest) {
          llvm::Value* hits = hits_at(i);
          llvm::Value* is_hit = b.CreateICmpNE(hits, c.constant(0));
          return Values{b.CreateSelect(is_hit, row, latest[0]), b.CreateSelect(is_hit, i, latest[1]),
                        b.CreateSelect(is_hit, hits, latest[2])};
        });
      });
  llvm::Value* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, found[2], b.getFalse());
  return {found[0], b.CreateAdd(found[1], b.CreateSub(c.constant(63), zeros)), nullptr};
}

}  // namespace

Found find_winner(FoldContext& context, std::size_t track, const State& state, const Point& at, const Range& range) {
  if (context.tracks[track].takes_last()) return find_last(context, track, state, at, range);
  return Search(context, track, state, at, range).run();
}

}  // namespace weft::codegen
