// Rows that integers, floats and sometimes booleans share.
#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

bool on_booleans(const Call& call) { return call.type == b1; }
bool on_floats(const Call& call) { return is_floating(call.type); }

}  // namespace

llvm::Value* emit_abs(const Call& call) {
  auto& builder = call.builder();
  if (on_floats(call)) return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, call.x);
  if (is_unsigned(call.type)) return call.x;
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, call.x, builder.getFalse());
}

llvm::Value* emit_add(const Call& call) {
  if (on_floats(call)) return rounded(call, call.builder().CreateFAdd(call.x, call.y));
  if (on_booleans(call)) return call.builder().CreateOr(call.x, call.y);
  return call.builder().CreateAdd(call.x, call.y);
}

llvm::Value* emit_subtract(const Call& call) {
  if (on_floats(call)) return rounded(call, call.builder().CreateFSub(call.x, call.y));
  return call.builder().CreateSub(call.x, call.y);
}

llvm::Value* emit_multiply(const Call& call) {
  if (on_floats(call)) return rounded(call, call.builder().CreateFMul(call.x, call.y));
  if (on_booleans(call)) return call.builder().CreateAnd(call.x, call.y);
  return call.builder().CreateMul(call.x, call.y);
}

llvm::Value* emit_square(const Call& call) {
  Call product = call;
  product.y = call.x;
  return emit_multiply(product);
}

llvm::Value* emit_divide(const Call& call) {
  if (on_floats(call)) return rounded(call, call.builder().CreateFDiv(call.x, call.y));
  return integer_divide(call);
}

llvm::Value* emit_negate(const Call& call) {
  return on_floats(call) ? call.builder().CreateFNeg(call.x) : call.builder().CreateNeg(call.x);
}

llvm::Value* emit_maximum(const Call& call) { return extreme(call.emitter, true, call.type, call.x, call.y); }
llvm::Value* emit_minimum(const Call& call) {
  return extreme(call.emitter, false, call.type, call.x, call.y);
}

llvm::Value* emit_sign(const Call& call) {
  auto& builder = call.builder();
  llvm::Value* zero = llvm::Constant::getNullValue(call.registers());
  if (on_floats(call)) {
    llvm::Value* one = call.emitter.number(call.registers(), 1.0);
    llvm::Value* unit = builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, one, call.x);
    return builder.CreateSelect(builder.CreateFCmpONE(call.x, zero), unit, call.x);
  }
  llvm::Value* is_nonzero = builder.CreateZExt(builder.CreateICmpNE(call.x, zero), call.registers());
  if (is_unsigned(call.type)) return is_nonzero;
  const auto last_bit = static_cast<std::uint64_t>(call.registers()->getScalarSizeInBits() - 1);
  return builder.CreateOr(builder.CreateAShr(call.x, last_bit), is_nonzero);
}

}  // namespace weft::codegen::elements
