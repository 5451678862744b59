// A branch that is rarely taken around two plain loops.
#include "compiler/codegen/refold.h"

#include "compiler/codegen/find_winner.h"

namespace weft::codegen {
namespace {

Values left_fold(FoldContext& c, std::size_t track, Point point, const Values& inits) {
  const std::vector<lower::InstId>& operands = c.tracks[track].reduction().operands;
  point.vector_axis = -1;
  point.lanes = 1;
  const auto along_row = [&](llvm::Value* i, const Values& accumulators) -> Values {
    point.index.back() = i;
    BodyEmitter body(c.emitter, c.buffers, c.kernel.body);
    body.restrict_to(operands);
    body.emit_uniform(point);
    Values elements;
    for (lower::InstId operand : operands) elements.push_back(body.value(operand, point, false));
    return c.tracks[track].apply(accumulators, elements);
  };
  const auto down_rows = [&](llvm::Value* row, const Values& accumulators) -> Values {
    place_row(c, point, row);
    return emit_loop(c.emitter, c.constant(0), c.constant(c.schedule.inner), 1, accumulators, along_row);
  };
  return emit_loop(c.emitter, c.constant(0), c.constant(c.schedule.outer), 1, inits, down_rows);
}

}  // namespace

Values unless_nan(FoldContext& c, std::size_t track, const Point& at, const Values& inits, llvm::Value* saw_nan,
                  const Values& chosen) {
  auto& b = c.builder;
  llvm::Function* function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock *before = b.GetInsertBlock(),
                   *again = llvm::BasicBlock::Create(b.getContext(), "fold_again", function),
                   *after = llvm::BasicBlock::Create(b.getContext(), "folded", function);
  b.CreateCondBr(saw_nan, again, after);
  b.SetInsertPoint(again);
  const Values folded = left_fold(c, track, at, inits);
  llvm::BasicBlock* end = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  Values results;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    llvm::PHINode* phi = b.CreatePHI(chosen[i]->getType(), 2);
    phi->addIncoming(chosen[i], before);
    phi->addIncoming(folded[i], end);
    results.push_back(phi);
  }
  return results;
}

}  // namespace weft::codegen
