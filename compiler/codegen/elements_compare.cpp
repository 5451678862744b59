// Comparisons and what is made of them: minimum and maximum with IEEE-754's rules for NaN and zeros.
#include <llvm/IR/IntrinsicsX86.h>

#include <weft/error.h>

#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

using Predicate = llvm::CmpInst::Predicate;

struct Predicates {
  Predicate on_floats, on_signed, on_unsigned;
};

Predicates predicates_of(ir::Direction direction) {
  using P = llvm::CmpInst;
  switch (direction) {
    case ir::Direction::EQ:
      return {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ};
    case ir::Direction::NE:
      return {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE};
    case ir::Direction::GE:
      return {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE};
    case ir::Direction::GT:
      return {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT};
    case ir::Direction::LE:
      return {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE};
    case ir::Direction::LT:
      return {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT};
  }
  throw InternalError("compare: unknown direction");
}

// Signed integers in the order -NaN, -inf, …, -0, +0, …, +inf, +NaN.
llvm::Value* total_order_key(Emitter& emitter, llvm::Value* x) {
  auto& builder = emitter.builder;
  llvm::Value* bits = builder.CreateBitCast(x, emitter.integer_type(x->getType()));
  llvm::Value* sign = builder.CreateAShr(bits, std::uint64_t{bits->getType()->getScalarSizeInBits() - 1});
  return builder.CreateXor(bits, builder.CreateLShr(sign, 1));
}

// VRANGE orders the zeros already, and a NaN is replaced by the caller.
llvm::Value* range_instruction(Emitter& emitter, bool is_maximum, llvm::Value* x, llvm::Value* y) {
  auto& builder = emitter.builder;
  const bool is_double = x->getType()->getScalarType()->isDoubleTy();
  const unsigned in_128 = is_double ? 2 : 4, lanes = emitter.lanes(x->getType());
  const unsigned piece = lanes > 2 * in_128 ? 4 * in_128 : lanes > in_128 ? 2 * in_128 : in_128;
  return in_pieces(emitter, piece, {x, y}, [&](llvm::ArrayRef<llvm::Value*> part) -> llvm::Value* {
    llvm::Value* passed = llvm::Constant::getNullValue(part[0]->getType());
    llvm::Value* all = builder.getIntN(std::max(piece, 8u), (1u << piece) - 1);
    llvm::Value* function = builder.getInt32(is_maximum ? 5 : 4);  // with the sign of the result
    if (piece == 4 * in_128) {
      const auto id = is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_512
                                : llvm::Intrinsic::x86_avx512_mask_range_ps_512;
      llvm::Value* current_rounding = builder.getInt32(4);
      return builder.CreateIntrinsic(id, {}, {part[0], part[1], function, passed, all, current_rounding});
    }
    const auto id = piece == in_128 ? (is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_128
                                                 : llvm::Intrinsic::x86_avx512_mask_range_ps_128)
                                    : (is_double ? llvm::Intrinsic::x86_avx512_mask_range_pd_256
                                                 : llvm::Intrinsic::x86_avx512_mask_range_ps_256);
    return builder.CreateIntrinsic(id, {}, {part[0], part[1], function, passed, all});
  });
}

// MINPS and MAXPS give their second operand for two zeros: both orders together hold both zeros' signs.
llvm::Value* both_orders(Emitter& emitter, bool is_maximum, llvm::Value* x, llvm::Value* y) {
  auto& builder = emitter.builder;
  llvm::Type* bits = emitter.integer_type(x->getType());
  const auto pick = [&](llvm::Value* a, llvm::Value* b) {
    llvm::Value* wins = is_maximum ? builder.CreateFCmpOGT(a, b) : builder.CreateFCmpOLT(a, b);
    return builder.CreateBitCast(builder.CreateSelect(wins, a, b), bits);
  };
  llvm::Value* merged =
      is_maximum ? builder.CreateAnd(pick(x, y), pick(y, x)) : builder.CreateOr(pick(x, y), pick(y, x));
  return builder.CreateBitCast(merged, x->getType());
}

}  // namespace

llvm::Value* compare(Emitter& emitter, const ir::CompareAttributes& attributes, DType type, llvm::Value* x,
                     llvm::Value* y) {
  auto& builder = emitter.builder;
  const Predicates predicates = predicates_of(attributes.direction);
  if (!is_floating(type))
    return builder.CreateICmp(is_signed(type) ? predicates.on_signed : predicates.on_unsigned, x, y);
  if (attributes.kind != ir::CompareKind::TOTALORDER) return builder.CreateFCmp(predicates.on_floats, x, y);
  return builder.CreateICmp(predicates.on_signed, total_order_key(emitter, x), total_order_key(emitter, y));
}

llvm::Value* extreme(Emitter& emitter, bool is_maximum, DType type, llvm::Value* x, llvm::Value* y) {
  auto& builder = emitter.builder;
  if (type == b1) return is_maximum ? builder.CreateOr(x, y) : builder.CreateAnd(x, y);
  if (!is_floating(type)) {
    const auto id = is_signed(type) ? (is_maximum ? llvm::Intrinsic::smax : llvm::Intrinsic::smin)
                                    : (is_maximum ? llvm::Intrinsic::umax : llvm::Intrinsic::umin);
    return builder.CreateBinaryIntrinsic(id, x, y);
  }
  llvm::Value* ordered = emitter.target.isa == Isa::avx512 ? range_instruction(emitter, is_maximum, x, y)
                                                           : both_orders(emitter, is_maximum, x, y);
  return builder.CreateSelect(builder.CreateFCmpUNO(x, y), llvm::ConstantFP::getNaN(x->getType()), ordered);
}

}  // namespace weft::codegen::elements
