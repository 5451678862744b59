// Rows and operations that work on the bits of floats.
#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {

FloatFormat format_of(DType type) {
  if (type == f16) return {5, 10};
  if (type == bf16) return {8, 7};
  if (type == f32) return {8, 23};
  return {11, 52};
}

llvm::Value* format_bits(Emitter& emitter, DType type, llvm::Value* x) {
  if (is_half(type)) return half_to_bits(emitter, type, x);
  return emitter.builder.CreateBitCast(x, emitter.integer_type(x->getType()));
}

llvm::Value* from_format_bits(Emitter& emitter, DType type, llvm::Value* bits) {
  if (is_half(type)) return half_from_bits(emitter, type, bits);
  auto& builder = emitter.builder;
  llvm::Type* element = type == f32 ? builder.getFloatTy() : builder.getDoubleTy();
  return builder.CreateBitCast(bits, emitter.with_element(bits->getType(), element));
}

// The numbers of a format in order of magnitude have consecutive bits, across exponents and up to infinity.
llvm::Value* emit_next_after(const Call& call) {
  auto& builder = call.builder();
  Emitter& emitter = call.emitter;
  llvm::Value* bits = format_bits(emitter, call.type, call.x);
  llvm::Type* integers = bits->getType();
  llvm::Value* toward = format_bits(emitter, call.type, call.y);
  llvm::Value* zero = llvm::Constant::getNullValue(call.registers());
  llvm::Value* rises = builder.CreateFCmpOLT(call.x, call.y);
  llvm::Value* is_negative = builder.CreateICmpSLT(bits, emitter.integer(integers, 0));
  llvm::Value* grows = builder.CreateXor(rises, is_negative);
  llvm::Value* step =
      builder.CreateSelect(grows, emitter.integer(integers, 1), emitter.integer(integers, ~0ull));
  llvm::Value* next = builder.CreateAdd(bits, step);
  const auto sign_mask = llvm::APInt::getSignMask(integers->getScalarSizeInBits());
  llvm::Value* sign = builder.CreateAnd(toward, llvm::ConstantInt::get(integers, sign_mask));
  llvm::Value* least = builder.CreateOr(sign, emitter.integer(integers, 1));
  next = builder.CreateSelect(builder.CreateFCmpOEQ(call.x, zero), least, next);
  next = builder.CreateSelect(builder.CreateFCmpOEQ(call.x, call.y), toward, next);
  llvm::Value* value = from_format_bits(emitter, call.type, next);
  llvm::Value* is_nan = builder.CreateFCmpUNO(call.x, call.y);
  return builder.CreateSelect(is_nan, llvm::ConstantFP::getNaN(call.registers()), value);
}

namespace {

// A format with fewer bits, seen from the integers of the format that holds it.
struct Narrowing {
  Emitter& emitter;
  llvm::Type* integers;
  FloatFormat format;
  std::uint64_t field(std::uint64_t value) const { return value << format.mantissa_bits; }
  std::uint64_t infinity() const { return field((1ull << format.exponent_bits) - 1); }
  llvm::Value* constant(std::uint64_t value) const { return emitter.integer(integers, value); }
};

llvm::Value* narrow_mantissa(const Narrowing& to, llvm::Value* magnitude, int mantissa_bits) {
  const int dropped = to.format.mantissa_bits - mantissa_bits;
  if (dropped <= 0) return magnitude;
  auto& builder = to.emitter.builder;
  const std::uint64_t unit = 1ull << dropped;
  llvm::Value* shifted = builder.CreateLShr(magnitude, static_cast<std::uint64_t>(dropped));
  llvm::Value* odd = builder.CreateAnd(shifted, to.constant(1));
  llvm::Value* sum = builder.CreateAdd(builder.CreateAdd(magnitude, to.constant(unit / 2 - 1)), odd);
  return builder.CreateAnd(sum, to.constant(~(unit - 1)));
}

// What is too large becomes infinite, what is below the least normal number becomes zero.
llvm::Value* narrow_exponent(const Narrowing& to, llvm::Value* magnitude, int exponent_bits) {
  if (exponent_bits >= to.format.exponent_bits) return magnitude;
  auto& builder = to.emitter.builder;
  const std::uint64_t bias = (1ull << (to.format.exponent_bits - 1)) - 1;
  const std::uint64_t narrow_bias = (1ull << (exponent_bits - 1)) - 1;
  llvm::Value* too_large = builder.CreateICmpUGE(magnitude, to.constant(to.field(bias + narrow_bias + 1)));
  llvm::Value* too_small = builder.CreateICmpULT(magnitude, to.constant(to.field(bias - narrow_bias + 1)));
  magnitude = builder.CreateSelect(too_large, to.constant(to.infinity()), magnitude);
  return builder.CreateSelect(too_small, to.constant(0), magnitude);
}

}  // namespace

// A format without mantissa bits has no NaN: there it becomes infinity.
llvm::Value* reduce_precision(Emitter& emitter, const ir::ReducePrecisionAttributes& attributes, DType type,
                              llvm::Value* x) {
  auto& builder = emitter.builder;
  llvm::Value* bits = format_bits(emitter, type, x);
  llvm::Type* integers = bits->getType();
  const Narrowing to{emitter, integers, format_of(type)};
  const auto sign_mask = llvm::APInt::getSignMask(integers->getScalarSizeInBits());
  llvm::Value* sign = builder.CreateAnd(bits, llvm::ConstantInt::get(integers, sign_mask));
  llvm::Value* magnitude = builder.CreateAnd(bits, llvm::ConstantInt::get(integers, ~sign_mask));
  llvm::Value* result = narrow_mantissa(to, magnitude, attributes.mantissa_bits);
  result = narrow_exponent(to, result, attributes.exponent_bits);
  llvm::Value* nan = attributes.mantissa_bits > 0 ? magnitude : to.constant(to.infinity());
  result = builder.CreateSelect(builder.CreateFCmpUNO(x, x), nan, result);
  return from_format_bits(emitter, type, builder.CreateOr(result, sign));
}

}  // namespace weft::codegen::elements
