// The few operations that are more than one instruction.
#include "compiler/codegen/math/lanes.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace weft::codegen::math {

namespace {

Lanes intrinsic(llvm::Intrinsic::ID id, Lanes x) { return {x.emitter(), x.builder().CreateUnaryIntrinsic(id, x.value())}; }

// Adding it to a small whole number leaves that number in the lowest bits of the mantissa.
double magic(Lanes x) { return x.is_f32() ? 0x1.8p23 : 0x1.8p52; }

// vscalefps and vscalefpd do what scale() says in one instruction, on full registers of AVX-512.
bool has_scalef(Lanes x) {
  return x.emitter().target.isa == Isa::avx512 && x.type()->isVectorTy() &&
         x.type()->getPrimitiveSizeInBits().getFixedValue() == 512;
}

Lanes scalef(Lanes p, Lanes n) {
  auto& builder = p.builder();
  const auto id = p.is_f32() ? llvm::Intrinsic::x86_avx512_mask_scalef_ps_512 : llvm::Intrinsic::x86_avx512_mask_scalef_pd_512;
  const unsigned lanes = p.emitter().lanes(p.type());
  llvm::Value* all = llvm::Constant::getAllOnesValue(builder.getIntNTy(lanes));
  constexpr int kCurrentRounding = 4;
  return {p.emitter(), builder.CreateIntrinsic(id, {}, {p.value(), n.value(), p.value(), all, builder.getInt32(kCurrentRounding)})};
}

}  // namespace

Lanes fma(Lanes a, Lanes b, Lanes c) { return {a.emitter(), a.emitter().fma(a.value(), b.value(), c.value())}; }

Lanes select(Mask mask, Lanes on_true, Lanes on_false) {
  return {on_true.emitter(), on_true.builder().CreateSelect(mask.value, on_true.value(), on_false.value())};
}

Mask is_nan(Lanes x) { return {&x.emitter(), x.builder().CreateFCmpUNO(x.value(), x.value())}; }
Lanes abs(Lanes x) { return intrinsic(llvm::Intrinsic::fabs, x); }
Lanes sqrt(Lanes x) { return intrinsic(llvm::Intrinsic::sqrt, x); }
Lanes round(Lanes x) { return intrinsic(llvm::Intrinsic::roundeven, x); }
Lanes floor(Lanes x) { return intrinsic(llvm::Intrinsic::floor, x); }
Lanes copysign(Lanes magnitude, Lanes sign) {
  return {magnitude.emitter(),
          magnitude.builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude.value(), sign.value())};
}

Lanes polynomial(Lanes x, std::initializer_list<double> coefficients) {
  auto coefficient = std::rbegin(coefficients);
  Lanes sum = x.like(*coefficient++);
  for (; coefficient != std::rend(coefficients); ++coefficient) sum = fma(sum, x, x.like(*coefficient));
  return sum;
}

llvm::Value* bits(Lanes x) { return x.builder().CreateBitCast(x.value(), x.emitter().integer_type(x.type())); }
Lanes from_bits(Lanes like, llvm::Value* bits) { return {like.emitter(), like.builder().CreateBitCast(bits, like.type())}; }
llvm::Value* bits_constant(Lanes like, std::uint64_t value) {
  return llvm::ConstantInt::get(like.emitter().integer_type(like.type()), value);
}
int mantissa_bits(Lanes x) { return x.is_f32() ? 23 : 52; }

Lanes power_of_two(Lanes n) {
  auto& builder = n.builder();
  const std::uint64_t bias = n.is_f32() ? 127 : 1023;
  llvm::Value* exponent = builder.CreateAdd(bits(n + magic(n)), bits_constant(n, bias));
  return from_bits(n, builder.CreateShl(exponent, static_cast<std::uint64_t>(mantissa_bits(n))));
}

Lanes scale(Lanes p, Lanes n) {
  if (has_scalef(p)) return scalef(p, n);
  const Lanes half = round(n * 0.5);
  return p * power_of_two(half) * power_of_two(n - half);
}

Lanes from_integer(Lanes like, llvm::Value* integer) {
  auto& builder = like.builder();
  if (like.is_f32()) return {like.emitter(), builder.CreateSIToFP(integer, like.type())};
  // AVX2 has no conversion from 64-bit integers.
  llvm::Value* offset = bits(like.like(magic(like)));
  return from_bits(like, builder.CreateAdd(integer, offset)) - magic(like);
}

Lanes where_rare(Mask mask, Lanes usual, const std::function<Lanes()>& rare) {
  auto& builder = usual.builder();
  const unsigned lanes = usual.emitter().lanes(usual.type());
  llvm::Value* any = mask.value;
  if (lanes > 1) any = builder.CreateIsNotNull(builder.CreateBitCast(mask.value, builder.getIntNTy(lanes)));
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* taken = llvm::BasicBlock::Create(builder.getContext(), "rare", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(builder.getContext(), "usual", function);
  builder.CreateCondBr(any, taken, after);
  builder.SetInsertPoint(taken);
  const Lanes chosen = select(mask, rare(), usual);
  llvm::BasicBlock* end = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  llvm::PHINode* result = builder.CreatePHI(usual.type(), 2);
  result->addIncoming(usual.value(), before);
  result->addIncoming(chosen.value(), end);
  return {usual.emitter(), result};
}

}  // namespace weft::codegen::math
