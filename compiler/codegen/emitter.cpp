// Shorthands over IRBuilder that treat a scalar as one lane.
#include "compiler/codegen/emitter.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace weft::codegen {

llvm::Value* Emitter::number(llvm::Type* like, double value) { return llvm::ConstantFP::get(like, value); }

llvm::Value* Emitter::integer(llvm::Type* like, std::uint64_t value) {
  const unsigned width = like->getScalarSizeInBits();
  const llvm::APInt wide(64, value);
  return llvm::ConstantInt::get(like, width <= 64 ? wide.trunc(width) : wide.zext(width));
}

// Without the instruction the intrinsic becomes a call of the C function, which rounds once as well.
llvm::Value* Emitter::fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

llvm::Type* Emitter::integer_type(llvm::Type* like) {
  return with_element(like, builder.getIntNTy(like->getScalarSizeInBits()));
}

llvm::Type* Emitter::with_element(llvm::Type* like, llvm::Type* element) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like))
    return llvm::FixedVectorType::get(element, vector->getNumElements());
  return element;
}

unsigned Emitter::lanes(llvm::Type* type) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getNumElements();
  return 1;
}

llvm::Value* Emitter::splat(llvm::Value* scalar, unsigned lanes) {
  return lanes > 1 ? builder.CreateVectorSplat(lanes, scalar) : scalar;
}

llvm::Value* Emitter::call_lanes(const std::string& symbol, llvm::ArrayRef<llvm::Value*> operands,
                                 llvm::Type* result) {
  llvm::SmallVector<llvm::Type*, 4> parameters;
  for (llvm::Value* operand : operands) parameters.push_back(operand->getType()->getScalarType());
  auto callee =
      module.getOrInsertFunction(symbol, llvm::FunctionType::get(result->getScalarType(), parameters, false));
  if (!result->isVectorTy()) return builder.CreateCall(callee, operands);
  llvm::Value* vector = llvm::PoisonValue::get(result);
  for (unsigned lane = 0; lane < lanes(result); ++lane) {
    llvm::SmallVector<llvm::Value*, 4> scalars;
    for (llvm::Value* operand : operands)
      scalars.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, lane)
                                                         : operand);
    vector = builder.CreateInsertElement(vector, builder.CreateCall(callee, scalars), lane);
  }
  return vector;
}

}  // namespace weft::codegen
