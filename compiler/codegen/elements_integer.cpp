// Rows on integers. No operand, however odd, reaches an instruction that traps or whose result LLVM leaves
// open.
#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

llvm::Value* constant(const Call& call, std::uint64_t value) {
  return call.emitter.integer(call.registers(), value);
}

unsigned width(const Call& call) { return call.registers()->getScalarSizeInBits(); }

// Neither 0 nor -1: both are put right after the division.
llvm::Value* safe_divisor(const Call& call) {
  auto& builder = call.builder();
  llvm::Value* refused = builder.CreateICmpEQ(call.y, constant(call, 0));
  if (is_signed(call.type))
    refused = builder.CreateOr(
        refused, builder.CreateICmpEQ(call.y, llvm::Constant::getAllOnesValue(call.registers())));
  return builder.CreateSelect(refused, constant(call, 1), call.y);
}

// x86 has no vector division of integers. A float with over twice the bits has room to tell a quotient from
// the integer next to it, so that truncating the rounded quotient is exact: f32 for 8 and 16 bits, f64
// for 32.
llvm::Value* divide_as_floats(const Call& call, llvm::Value* divisor) {
  auto& builder = call.builder();
  const bool is_narrow = width(call) <= 16;
  llvm::Type* floats =
      call.emitter.with_element(call.registers(), is_narrow ? builder.getFloatTy() : builder.getDoubleTy());
  llvm::Type* integers = call.emitter.with_element(call.registers(), builder.getInt32Ty());
  if (is_signed(call.type)) {
    llvm::Value* quotient =
        builder.CreateFDiv(builder.CreateSIToFP(call.x, floats), builder.CreateSIToFP(divisor, floats));
    return builder.CreateTrunc(builder.CreateFPToSI(quotient, integers), call.registers());
  }
  llvm::Value* quotient =
      builder.CreateFDiv(builder.CreateUIToFP(call.x, floats), builder.CreateUIToFP(divisor, floats));
  llvm::Value* result =
      is_narrow ? builder.CreateFPToSI(quotient, integers) : builder.CreateFPToUI(quotient, integers);
  return builder.CreateTrunc(result, call.registers());
}

llvm::Value* double_width_product(const Call& call) {
  auto& builder = call.builder();
  llvm::Type* wide = call.emitter.with_element(call.registers(), builder.getIntNTy(2 * width(call)));
  const auto widen = [&](llvm::Value* value) {
    return is_signed(call.type) ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  return builder.CreateMul(widen(call.x), widen(call.y));
}

// The high half of a 64-bit product from four of 32 bits, which exist as vectors.
llvm::Value* high_half_of_64(const Call& call) {
  auto& builder = call.builder();
  const auto low = [&](llvm::Value* value) { return builder.CreateAnd(value, constant(call, 0xffffffff)); };
  const auto high = [&](llvm::Value* value) { return builder.CreateLShr(value, 32); };
  llvm::Value* first = builder.CreateMul(low(call.x), low(call.y));
  llvm::Value* second = builder.CreateAdd(builder.CreateMul(high(call.x), low(call.y)), high(first));
  llvm::Value* third = builder.CreateAdd(builder.CreateMul(low(call.x), high(call.y)), low(second));
  llvm::Value* result = builder.CreateMul(high(call.x), high(call.y));
  result = builder.CreateAdd(result, builder.CreateAdd(high(second), high(third)));
  if (!is_signed(call.type)) return result;
  const auto if_negative = [&](llvm::Value* sign, llvm::Value* amount) {
    return builder.CreateAnd(builder.CreateAShr(sign, 63), amount);
  };
  result = builder.CreateSub(result, if_negative(call.x, call.y));
  return builder.CreateSub(result, if_negative(call.y, call.x));
}

llvm::Value* in_range(const Call& call) {
  return call.builder().CreateICmpULT(call.y, constant(call, width(call)));
}

// Whether any lane is not zero.
llvm::Value* any_bit(const Call& call, llvm::Value* value) {
  auto& builder = call.builder();
  if (value->getType()->isVectorTy()) value = builder.CreateOrReduce(value);
  return builder.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

// x to an unsigned exponent, squaring until no lane has exponent bits left.
llvm::Value* power_by_squaring(const Call& call, llvm::Value* exponent) {
  auto& builder = call.builder();
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(builder.getContext(), "power", function);
  llvm::BasicBlock* after = llvm::BasicBlock::Create(builder.getContext(), "power.done", function);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* product = builder.CreatePHI(call.registers(), 2);
  llvm::PHINode* square = builder.CreatePHI(call.registers(), 2);
  llvm::PHINode* rest = builder.CreatePHI(call.registers(), 2);
  product->addIncoming(constant(call, 1), before);
  square->addIncoming(call.x, before);
  rest->addIncoming(exponent, before);
  llvm::Value* is_odd = builder.CreateICmpNE(builder.CreateAnd(rest, constant(call, 1)), constant(call, 0));
  llvm::Value* next = builder.CreateSelect(is_odd, builder.CreateMul(product, square), product);
  llvm::Value* next_rest = builder.CreateLShr(rest, 1);
  product->addIncoming(next, loop);
  square->addIncoming(builder.CreateMul(square, square), loop);
  rest->addIncoming(next_rest, loop);
  builder.CreateCondBr(any_bit(call, next_rest), loop, after);
  builder.SetInsertPoint(after);
  llvm::PHINode* result = builder.CreatePHI(call.registers(), 1);
  result->addIncoming(next, loop);
  return result;
}

}  // namespace

llvm::Value* integer_quotient(const Call& call) {
  auto& builder = call.builder();
  llvm::Value* divisor = safe_divisor(call);
  // Divisions by constants become multiplications by themselves.
  const bool as_floats =
      call.registers()->isVectorTy() && width(call) <= 32 && !llvm::isa<llvm::Constant>(divisor);
  llvm::Value* quotient = as_floats              ? divide_as_floats(call, divisor)
                          : is_signed(call.type) ? builder.CreateSDiv(call.x, divisor)
                                                 : builder.CreateUDiv(call.x, divisor);
  if (!is_signed(call.type)) return quotient;
  llvm::Value* is_minus_one = builder.CreateICmpEQ(call.y, llvm::Constant::getAllOnesValue(call.registers()));
  return builder.CreateSelect(is_minus_one, builder.CreateNeg(call.x), quotient);
}

llvm::Value* integer_divide(const Call& call) {
  auto& builder = call.builder();
  llvm::Value* by_zero = builder.CreateICmpEQ(call.y, constant(call, 0));
  return builder.CreateSelect(by_zero, llvm::Constant::getAllOnesValue(call.registers()),
                              integer_quotient(call));
}

// A divisor of zero takes nothing away.
llvm::Value* integer_remainder(const Call& call) {
  auto& builder = call.builder();
  return builder.CreateSub(call.x, builder.CreateMul(integer_quotient(call), call.y));
}

llvm::Value* integer_power(const Call& call) {
  auto& builder = call.builder();
  if (!is_signed(call.type)) return power_by_squaring(call, call.y);
  llvm::Value* is_negative = builder.CreateICmpSLT(call.y, constant(call, 0));
  llvm::Value* exponent = builder.CreateSelect(is_negative, constant(call, 0), call.y);
  llvm::Value* power = power_by_squaring(call, exponent);
  llvm::Value* minus_one = llvm::Constant::getAllOnesValue(call.registers());
  llvm::Value* is_odd = builder.CreateICmpNE(builder.CreateAnd(call.y, constant(call, 1)), constant(call, 0));
  llvm::Value* inverse =
      builder.CreateSelect(builder.CreateICmpEQ(call.x, minus_one),
                           builder.CreateSelect(is_odd, minus_one, constant(call, 1)), constant(call, 0));
  inverse = builder.CreateSelect(builder.CreateICmpEQ(call.x, constant(call, 1)), constant(call, 1), inverse);
  return builder.CreateSelect(is_negative, inverse, power);
}

llvm::Value* emit_popcnt(const Call& call) {
  return call.builder().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, call.x);
}

llvm::Value* emit_count_leading_zeros(const Call& call) {
  auto& builder = call.builder();
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, call.x, builder.getFalse());
}

llvm::Value* emit_mulhi(const Call& call) {
  auto& builder = call.builder();
  if (width(call) == 64 && call.registers()->isVectorTy()) return high_half_of_64(call);
  return builder.CreateTrunc(builder.CreateLShr(double_width_product(call), width(call)), call.registers());
}

// The shift of a lane out of range is poison, but such a lane takes the other value.
llvm::Value* emit_shift_left(const Call& call) {
  auto& builder = call.builder();
  return builder.CreateSelect(in_range(call), builder.CreateShl(call.x, call.y), constant(call, 0));
}

llvm::Value* emit_shift_right_logical(const Call& call) {
  auto& builder = call.builder();
  return builder.CreateSelect(in_range(call), builder.CreateLShr(call.x, call.y), constant(call, 0));
}

llvm::Value* emit_shift_right_arithmetic(const Call& call) {
  auto& builder = call.builder();
  llvm::Value* amount = builder.CreateSelect(in_range(call), call.y, constant(call, width(call) - 1));
  return builder.CreateAShr(call.x, amount);
}

llvm::Value* emit_and(const Call& call) { return call.builder().CreateAnd(call.x, call.y); }
llvm::Value* emit_or(const Call& call) { return call.builder().CreateOr(call.x, call.y); }
llvm::Value* emit_xor(const Call& call) { return call.builder().CreateXor(call.x, call.y); }
llvm::Value* emit_not(const Call& call) { return call.builder().CreateNot(call.x); }

}  // namespace weft::codegen::elements
