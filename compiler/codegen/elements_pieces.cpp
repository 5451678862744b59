// For machine intrinsics, which exist for a few vector lengths only.
#include <numeric>

#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

// `count` lanes from `first` on; lanes past the end are undefined.
llvm::Value* cut(Emitter& emitter, llvm::Value* value, unsigned first, unsigned count) {
  auto& builder = emitter.builder;
  const unsigned lanes = emitter.lanes(value->getType());
  if (!value->getType()->isVectorTy()) {
    llvm::Type* type = llvm::FixedVectorType::get(value->getType(), count);
    return builder.CreateInsertElement(llvm::PoisonValue::get(type), value, std::uint64_t{0});
  }
  if (first == 0 && count == lanes) return value;
  std::vector<int> order(count);
  for (unsigned lane = 0; lane < count; ++lane)
    order[lane] = first + lane < lanes ? static_cast<int>(first + lane) : llvm::PoisonMaskElem;
  return builder.CreateShuffleVector(value, order);
}

// Two vectors of `piece` and up to `piece` lanes one after the other.
llvm::Value* join(Emitter& emitter, llvm::Value* low, llvm::Value* high) {
  const unsigned low_lanes = emitter.lanes(low->getType()), high_lanes = emitter.lanes(high->getType());
  llvm::Value* wide = cut(emitter, high, 0, low_lanes);
  std::vector<int> order(low_lanes + high_lanes);
  std::iota(order.begin(), order.end(), 0);
  return emitter.builder.CreateShuffleVector(low, wide, order);
}

}  // namespace

llvm::Value* in_pieces(Emitter& emitter, unsigned piece, llvm::ArrayRef<llvm::Value*> operands,
                       llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> function) {
  const unsigned lanes = emitter.lanes(operands[0]->getType());
  llvm::Value* result = nullptr;
  for (unsigned first = 0; first < lanes; first += piece) {
    llvm::SmallVector<llvm::Value*, 4> parts;
    for (llvm::Value* operand : operands) parts.push_back(cut(emitter, operand, first, piece));
    llvm::Value* part = function(parts);
    if (lanes == 1 && !operands[0]->getType()->isVectorTy())
      return emitter.builder.CreateExtractElement(part, std::uint64_t{0});
    part = cut(emitter, part, 0, std::min(piece, lanes - first));
    result = result ? join(emitter, result, part) : part;
  }
  return result;
}

}  // namespace weft::codegen::elements
