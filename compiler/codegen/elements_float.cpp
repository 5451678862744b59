// Rows on floats that machines have instructions for.
#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

llvm::Value* intrinsic(const Call& call, llvm::Intrinsic::ID id) {
  return call.builder().CreateUnaryIntrinsic(id, call.x);
}

llvm::Value* infinity(const Call& call, bool is_negative = false) {
  return llvm::ConstantFP::getInfinity(call.registers(), is_negative);
}

}  // namespace

llvm::Value* emit_ceil(const Call& call) { return intrinsic(call, llvm::Intrinsic::ceil); }
llvm::Value* emit_floor(const Call& call) { return intrinsic(call, llvm::Intrinsic::floor); }
llvm::Value* emit_round_nearest_afz(const Call& call) { return intrinsic(call, llvm::Intrinsic::round); }
llvm::Value* emit_round_nearest_even(const Call& call) { return intrinsic(call, llvm::Intrinsic::roundeven); }
llvm::Value* emit_sqrt(const Call& call) { return rounded(call, intrinsic(call, llvm::Intrinsic::sqrt)); }

llvm::Value* emit_is_finite(const Call& call) {
  return call.builder().CreateFCmpOLT(intrinsic(call, llvm::Intrinsic::fabs), infinity(call));
}

llvm::Value* emit_is_inf(const Call& call) {
  return call.builder().CreateFCmpOEQ(intrinsic(call, llvm::Intrinsic::fabs), infinity(call));
}

llvm::Value* emit_is_pos_inf(const Call& call) {
  return call.builder().CreateFCmpOEQ(call.x, infinity(call));
}
llvm::Value* emit_is_neg_inf(const Call& call) {
  return call.builder().CreateFCmpOEQ(call.x, infinity(call, true));
}

}  // namespace weft::codegen::elements
