// f16 and bf16 by integer arithmetic, or by the F16C instructions that do exactly the same; never by fptrunc,
// which LLVM turns into library calls or, on some CPUs, into instructions that flush subnormals.
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

constexpr std::uint64_t kMagnitude = 0x7fffffff, kSign = 0x80000000, kInfinity = 0x7f800000;
constexpr std::uint64_t kLeastNormalF16 = 113u << 23;  // 2^-14 as f32
constexpr std::uint64_t kOverflowF16 = 143u << 23;     // 2^16, which no f16 reaches

struct FloatBits {
  Emitter& emitter;
  llvm::Type* floats;
  llvm::Type* integers;
  llvm::Value* all;
  llvm::Value* magnitude;

  FloatBits(Emitter& e, llvm::Value* x) : emitter(e), floats(x->getType()), integers(e.integer_type(floats)) {
    all = e.builder.CreateBitCast(x, integers);
    magnitude = e.builder.CreateAnd(all, constant(kMagnitude));
  }
  llvm::Value* constant(std::uint64_t value) const { return emitter.integer(integers, value); }
  llvm::Value* sign() const { return emitter.builder.CreateAnd(all, constant(kSign)); }
  llvm::Value* is_nan() const { return emitter.builder.CreateICmpUGT(magnitude, constant(kInfinity)); }
  llvm::Value* as_float(llvm::Value* bits) const { return emitter.builder.CreateBitCast(bits, floats); }
  llvm::Value* as_integer(llvm::Value* value) const { return emitter.builder.CreateBitCast(value, integers); }
};

// Drops `dropped` low bits, to nearest even. A carry moves into the exponent, as it should.
llvm::Value* drop_bits(const FloatBits& bits, llvm::Value* value, unsigned dropped) {
  auto& builder = bits.emitter.builder;
  llvm::Value* odd = builder.CreateAnd(builder.CreateLShr(value, dropped), bits.constant(1));
  llvm::Value* below_half = bits.constant((std::uint64_t{1} << (dropped - 1)) - 1);
  llvm::Value* sum = builder.CreateAdd(builder.CreateAdd(value, below_half), odd);
  return builder.CreateAnd(sum, bits.constant(~((std::uint64_t{1} << dropped) - 1)));
}

llvm::Value* quiet_nan(const FloatBits& bits, llvm::Value* value, unsigned dropped) {
  auto& builder = bits.emitter.builder;
  llvm::Value* kept = builder.CreateAnd(value, bits.constant(~((std::uint64_t{1} << dropped) - 1)));
  return builder.CreateOr(kept, bits.constant(0x7fc00000));
}

// The sign stays where it is: only a NaN could carry into it.
llvm::Value* round_to_bf16(Emitter& emitter, llvm::Value* x) {
  auto& builder = emitter.builder;
  const FloatBits bits(emitter, x);
  llvm::Value* is_nan = builder.CreateFCmpUNO(x, x);
  return bits.as_float(
      builder.CreateSelect(is_nan, quiet_nan(bits, bits.all, 16), drop_bits(bits, bits.all, 16)));
}

// The magnitude plus 1/2, whose unit in the last place is that of f16's subnormals: the addition rounds to
// them.
llvm::Value* plus_half(const FloatBits& bits) {
  llvm::Value* magnitude = bits.as_float(bits.magnitude);
  return bits.emitter.builder.CreateFAdd(magnitude, bits.emitter.number(bits.floats, 0.5));
}

llvm::Value* round_to_f16_by_integers(Emitter& emitter, llvm::Value* x) {
  auto& builder = emitter.builder;
  const FloatBits bits(emitter, x);
  llvm::Value* result = drop_bits(bits, bits.magnitude, 13);
  llvm::Value* overflows = builder.CreateICmpUGE(result, bits.constant(kOverflowF16));
  result = builder.CreateSelect(overflows, bits.constant(kInfinity), result);
  llvm::Value* small = builder.CreateFSub(plus_half(bits), emitter.number(bits.floats, 0.5));
  llvm::Value* is_small = builder.CreateICmpULT(bits.magnitude, bits.constant(kLeastNormalF16));
  result = builder.CreateSelect(is_small, bits.as_integer(small), result);
  result = builder.CreateSelect(bits.is_nan(), quiet_nan(bits, bits.magnitude, 13), result);
  return bits.as_float(builder.CreateOr(result, bits.sign()));
}

// The bits of a float that is an f16 exactly.
llvm::Value* f16_bits_by_integers(Emitter& emitter, llvm::Value* x) {
  auto& builder = emitter.builder;
  const FloatBits bits(emitter, x);
  llvm::Value* result = builder.CreateLShr(builder.CreateSub(bits.magnitude, bits.constant(112u << 23)), 13);
  llvm::Value* small = builder.CreateSub(bits.as_integer(plus_half(bits)), bits.constant(0x3f000000));
  llvm::Value* is_small = builder.CreateICmpULT(bits.magnitude, bits.constant(kLeastNormalF16));
  result = builder.CreateSelect(is_small, small, result);
  llvm::Value* payload = builder.CreateAnd(builder.CreateLShr(bits.magnitude, 13), bits.constant(0x3ff));
  llvm::Value* is_special = builder.CreateICmpUGE(bits.magnitude, bits.constant(kInfinity));
  result = builder.CreateSelect(is_special, builder.CreateOr(payload, bits.constant(0x7c00)), result);
  result = builder.CreateOr(result, builder.CreateLShr(bits.sign(), 16));
  return builder.CreateTrunc(result, emitter.with_element(bits.floats, builder.getInt16Ty()));
}

llvm::Value* f16_from_bits_by_integers(Emitter& emitter, llvm::Value* half) {
  auto& builder = emitter.builder;
  llvm::Type* integers = emitter.with_element(half->getType(), builder.getInt32Ty());
  llvm::Type* floats = emitter.with_element(half->getType(), builder.getFloatTy());
  const auto constant = [&](std::uint64_t value) { return emitter.integer(integers, value); };
  llvm::Value* wide = builder.CreateZExt(half, integers);
  llvm::Value* magnitude = builder.CreateShl(builder.CreateAnd(wide, constant(0x7fff)), 13);
  llvm::Value* result = builder.CreateAdd(magnitude, constant(112u << 23));
  // As the instruction does it: a signaling NaN becomes quiet.
  llvm::Value* is_infinite = builder.CreateICmpEQ(magnitude, constant(31u << 23));
  llvm::Value* is_nan = builder.CreateICmpUGT(magnitude, constant(31u << 23));
  result = builder.CreateSelect(is_infinite, constant(kInfinity), result);
  result = builder.CreateSelect(is_nan, builder.CreateOr(magnitude, constant(0x7fc00000)), result);
  // A subnormal: its fraction stands behind 2^-14, which is then taken away.
  llvm::Value* least = builder.CreateBitCast(constant(kLeastNormalF16), floats);
  llvm::Value* behind =
      builder.CreateBitCast(builder.CreateAdd(magnitude, constant(kLeastNormalF16)), floats);
  llvm::Value* subnormal = builder.CreateBitCast(builder.CreateFSub(behind, least), integers);
  llvm::Value* is_subnormal = builder.CreateICmpULT(magnitude, constant(1u << 23));
  result = builder.CreateSelect(is_subnormal, subnormal, result);
  llvm::Value* sign = builder.CreateShl(builder.CreateAnd(wide, constant(0x8000)), 16);
  return builder.CreateBitCast(builder.CreateOr(result, sign), floats);
}

bool has_f16c(const Emitter& emitter) { return emitter.target.isa != Isa::sse2; }

// VCVTPS2PH, to nearest even whatever the CPU's mode.
llvm::Value* f16_bits_by_instruction(Emitter& emitter, llvm::Value* x) {
  const unsigned lanes = emitter.lanes(x->getType());
  const unsigned piece = lanes > 8 && emitter.target.isa == Isa::avx512 ? 16 : lanes > 4 ? 8 : 4;
  return in_pieces(emitter, piece, {x}, [&](llvm::ArrayRef<llvm::Value*> part) -> llvm::Value* {
    auto& builder = emitter.builder;
    llvm::Value* nearest = builder.getInt32(0);
    if (piece == 8)
      return builder.CreateIntrinsic(llvm::Intrinsic::x86_vcvtps2ph_256, {}, {part[0], nearest});
    if (piece == 4) {
      llvm::Value* eight =
          builder.CreateIntrinsic(llvm::Intrinsic::x86_vcvtps2ph_128, {}, {part[0], nearest});
      return builder.CreateShuffleVector(eight, {0, 1, 2, 3});
    }
    llvm::Value* none = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder.getInt16Ty(), 16));
    return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_vcvtps2ph_512, {},
                                   {part[0], nearest, none, builder.getInt16(0xffff)});
  });
}

llvm::Value* f16_from_bits_by_instruction(Emitter& emitter, llvm::Value* half) {
  auto& builder = emitter.builder;
  llvm::Value* value =
      builder.CreateBitCast(half, emitter.with_element(half->getType(), builder.getHalfTy()));
  return builder.CreateFPExt(value, emitter.with_element(half->getType(), builder.getFloatTy()));
}

}  // namespace

llvm::Value* round_to_half(Emitter& emitter, DType half, llvm::Value* x) {
  if (half == bf16) return round_to_bf16(emitter, x);
  if (!has_f16c(emitter)) return round_to_f16_by_integers(emitter, x);
  return f16_from_bits_by_instruction(emitter, f16_bits_by_instruction(emitter, x));
}

llvm::Value* half_from_bits(Emitter& emitter, DType half, llvm::Value* bits) {
  auto& builder = emitter.builder;
  if (half == f16)
    return has_f16c(emitter) ? f16_from_bits_by_instruction(emitter, bits)
                             : f16_from_bits_by_integers(emitter, bits);
  llvm::Type* integers = emitter.with_element(bits->getType(), builder.getInt32Ty());
  llvm::Value* wide = builder.CreateShl(builder.CreateZExt(bits, integers), 16);
  return builder.CreateBitCast(wide, emitter.with_element(bits->getType(), builder.getFloatTy()));
}

llvm::Value* half_to_bits(Emitter& emitter, DType half, llvm::Value* x) {
  auto& builder = emitter.builder;
  if (half == f16)
    return has_f16c(emitter) ? f16_bits_by_instruction(emitter, x) : f16_bits_by_integers(emitter, x);
  llvm::Value* wide = builder.CreateBitCast(x, emitter.integer_type(x->getType()));
  return builder.CreateTrunc(builder.CreateLShr(wide, 16),
                             emitter.with_element(x->getType(), builder.getInt16Ty()));
}

}  // namespace weft::codegen::elements
