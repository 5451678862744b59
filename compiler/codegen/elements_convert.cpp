// Conversions between element types, each rounded once.
#include <cmath>

#include "compiler/codegen/elements_rows.h"

namespace weft::codegen::elements {
namespace {

// Where rounding to f32 first would round twice: the float next to x whose last bit is odd, unless x is a
// float itself. Every later rounding to fewer bits comes out as if it were from x.
llvm::Value* double_to_odd_float(Emitter& emitter, llvm::Value* x) {
  auto& builder = emitter.builder;
  llvm::Type* floats = emitter.with_element(x->getType(), builder.getFloatTy());
  llvm::Value* nearest = builder.CreateFPTrunc(x, floats);
  llvm::Value* back = builder.CreateFPExt(nearest, x->getType());
  const auto magnitude = [&](llvm::Value* v) {
    return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
  };
  llvm::Type* integers = emitter.integer_type(floats);
  const auto as_integer = [&](llvm::Value* condition) { return builder.CreateZExt(condition, integers); };
  llvm::Value* was_raised = as_integer(builder.CreateFCmpOGT(magnitude(back), magnitude(x)));
  llvm::Value* is_inexact = as_integer(builder.CreateFCmpONE(back, x));
  llvm::Value* bits = builder.CreateBitCast(nearest, integers);
  bits = builder.CreateOr(builder.CreateSub(bits, was_raised), is_inexact);
  return builder.CreateBitCast(bits, floats);
}

// The same for an integer on its way to a float of `precision` bits: as many of its low bits as that float
// cannot hold are merged into the next one, where the integer is large enough to lose any.
llvm::Value* fit_precision(Emitter& emitter, DType from, llvm::Value* x, unsigned precision) {
  auto& builder = emitter.builder;
  const auto constant = [&](std::uint64_t value) { return emitter.integer(x->getType(), value); };
  const std::uint64_t next = std::uint64_t{1} << (8 * size_of(from) - precision), low = next - 1;
  llvm::Value* lost = builder.CreateICmpNE(builder.CreateAnd(x, constant(low)), constant(0));
  llvm::Value* kept = builder.CreateAnd(x, constant(~low));
  llvm::Value* odd = builder.CreateOr(kept, builder.CreateSelect(lost, constant(next), constant(0)));
  llvm::Value* magnitude =
      is_signed(from) ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, builder.getFalse()) : x;
  return builder.CreateSelect(builder.CreateICmpUGE(magnitude, constant(1ull << precision)), odd, x);
}

llvm::Value* integer_to_float(Emitter& emitter, DType from, llvm::Value* x, llvm::Type* floats) {
  return is_signed(from) ? emitter.builder.CreateSIToFP(x, floats) : emitter.builder.CreateUIToFP(x, floats);
}

llvm::Value* integer_to_half(Emitter& emitter, DType from, DType half, llvm::Value* x) {
  auto& builder = emitter.builder;
  llvm::Type* floats = emitter.with_element(x->getType(), builder.getFloatTy());
  // Integers that f32 rounds are infinite in f16.
  if (half == f16 || size_of(from) <= 2)
    return round_to_half(emitter, half, integer_to_float(emitter, from, x, floats));
  // Of 32 bits the merged ones lie far below the last of the half's eight.
  if (size_of(from) == 4)
    return round_to_half(emitter, half,
                         integer_to_float(emitter, from, fit_precision(emitter, from, x, 24), floats));
  x = fit_precision(emitter, from, x, 53);
  llvm::Type* doubles = emitter.with_element(x->getType(), builder.getDoubleTy());
  return round_to_half(emitter, half,
                       double_to_odd_float(emitter, integer_to_float(emitter, from, x, doubles)));
}

llvm::Value* float_to_float(Emitter& emitter, DType from, DType to, llvm::Value* x) {
  auto& builder = emitter.builder;
  if (is_half(to)) return round_to_half(emitter, to, from == f64 ? double_to_odd_float(emitter, x) : x);
  if (to == f64 && from != f64)
    return builder.CreateFPExt(x, emitter.with_element(x->getType(), builder.getDoubleTy()));
  if (to == f32 && from == f64)
    return builder.CreateFPTrunc(x, emitter.with_element(x->getType(), builder.getFloatTy()));
  return x;
}

// Truncates; beyond the integer's range the nearest end of it, 0 for NaN. The operand is clamped before the
// conversion, whose result would be poison otherwise.
llvm::Value* float_to_integer(Emitter& emitter, DType from, DType to, llvm::Value* x) {
  auto& builder = emitter.builder;
  llvm::Type* floats = x->getType();
  const int bits = static_cast<int>(8 * size_of(to));
  const int value_bits = is_signed(to) ? bits - 1 : bits;
  const int precision = from == f64 ? 53 : 24;
  const double end = std::ldexp(1.0, value_bits);  // the first float too large
  const double last = end - std::ldexp(1.0, std::max(0, value_bits - precision));
  llvm::Value* least = emitter.number(floats, is_signed(to) ? -end : 0.0);
  llvm::Value* most = emitter.number(floats, last);
  llvm::Value* clamped = builder.CreateSelect(builder.CreateFCmpOGT(x, least), x, least);
  clamped = builder.CreateSelect(builder.CreateFCmpOLT(clamped, most), clamped, most);
  llvm::Type* integers = emitter.with_element(floats, builder.getIntNTy(static_cast<unsigned>(bits)));
  llvm::Type* converted =
      emitter.with_element(floats, builder.getIntNTy(static_cast<unsigned>(std::max(bits, 32))));
  const bool is_signed_conversion = is_signed(to) || bits < 32;
  llvm::Value* result = is_signed_conversion ? builder.CreateFPToSI(clamped, converted)
                                             : builder.CreateFPToUI(clamped, converted);
  result = builder.CreateTrunc(result, integers);
  if (value_bits > precision) {
    const auto width = static_cast<unsigned>(bits);
    const auto largest =
        is_signed(to) ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width);
    llvm::Value* too_large = builder.CreateFCmpOGE(x, emitter.number(floats, end));
    result = builder.CreateSelect(too_large, llvm::ConstantInt::get(integers, largest), result);
  }
  if (!is_signed(to)) return result;  // NaN was clamped to 0
  return builder.CreateSelect(builder.CreateFCmpUNO(x, x), llvm::Constant::getNullValue(integers), result);
}

llvm::Value* to_boolean(Emitter& emitter, DType from, llvm::Value* x) {
  llvm::Value* zero = llvm::Constant::getNullValue(x->getType());
  return is_floating(from) ? emitter.builder.CreateFCmpUNE(x, zero) : emitter.builder.CreateICmpNE(x, zero);
}

}  // namespace

llvm::Value* convert(Emitter& emitter, DType from, DType to, llvm::Value* x) {
  auto& builder = emitter.builder;
  if (from == to) return x;
  if (to == b1) return to_boolean(emitter, from, x);
  llvm::Type* registers = register_type(builder.getContext(), to, 1);
  registers = emitter.with_element(x->getType(), registers);
  if (is_floating(from))
    return is_floating(to) ? float_to_float(emitter, from, to, x) : float_to_integer(emitter, from, to, x);
  if (from == b1)
    return is_floating(to) ? builder.CreateUIToFP(x, registers) : builder.CreateZExt(x, registers);
  if (!is_floating(to)) return builder.CreateIntCast(x, registers, is_signed(from));
  if (is_half(to)) return integer_to_half(emitter, from, to, x);
  return integer_to_float(emitter, from, x, registers);
}

llvm::Value* bitcast_convert(Emitter& emitter, DType from, DType to, llvm::Value* x) {
  llvm::Value* memory = to_memory(emitter, from, x);
  llvm::Type* type = memory_type(emitter.builder.getContext(), to, emitter.lanes(x->getType()));
  return to_register(emitter, to, emitter.builder.CreateBitCast(memory, type));
}

}  // namespace weft::codegen::elements
