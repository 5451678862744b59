// Inside elements: one emission function for each row of ops.def, and what they share.
#pragma once

#include <functional>

#include "compiler/codegen/elements.h"

namespace weft::codegen::elements {

// One elementwise operation on registers. `type` is the element type of the operands, `result` of the value.
struct Call {
  Emitter& emitter;
  DType type;
  DType result;
  llvm::Value* x;
  llvm::Value* y;  // null for one operand
  llvm::IRBuilder<>& builder() const { return emitter.builder; }
  llvm::Type* registers() const { return x->getType(); }
  unsigned lanes() const { return emitter.lanes(x->getType()); }
};

// The emission column of ops.def.
#define ELEMENTWISE(name, text, arity, accepts, result, value, emission, ...) \
  llvm::Value* emit_##emission(const Call& call);
#include "compiler/ir/ops.def"
#undef ELEMENTWISE

// elements_compare.cpp
llvm::Value* compare(Emitter& emitter, const ir::CompareAttributes& attributes, DType type, llvm::Value* x,
                     llvm::Value* y);
llvm::Value* extreme(Emitter& emitter, bool is_maximum, DType type, llvm::Value* x, llvm::Value* y);

// elements_convert.cpp
llvm::Value* convert(Emitter& emitter, DType from, DType to, llvm::Value* x);
llvm::Value* bitcast_convert(Emitter& emitter, DType from, DType to, llvm::Value* x);

// elements_half.cpp: a float register rounded to f16 or bf16 (still a float), and such a value from and to its bits.
llvm::Value* round_to_half(Emitter& emitter, DType half, llvm::Value* x);
llvm::Value* half_from_bits(Emitter& emitter, DType half, llvm::Value* bits);
llvm::Value* half_to_bits(Emitter& emitter, DType half, llvm::Value* x);
// The result of arithmetic in f32, rounded if the operation's result is a half.
inline llvm::Value* rounded(const Call& call, llvm::Value* value) {
  return is_half(call.result) ? round_to_half(call.emitter, call.result, value) : value;
}

// elements_precision.cpp
llvm::Value* reduce_precision(Emitter& emitter, const ir::ReducePrecisionAttributes& attributes, DType type,
                              llvm::Value* x);

// elements_integer.cpp
llvm::Value* integer_quotient(const Call& call);   // any value where y is 0
llvm::Value* integer_divide(const Call& call);
llvm::Value* integer_remainder(const Call& call);
llvm::Value* integer_power(const Call& call);

// elements_bits.cpp: floats as the integers of their format; halves are 16 bits wide there.
llvm::Value* format_bits(Emitter& emitter, DType type, llvm::Value* x);
llvm::Value* from_format_bits(Emitter& emitter, DType type, llvm::Value* bits);
struct FloatFormat {
  int exponent_bits, mantissa_bits;
};
FloatFormat format_of(DType type);

// elements_pieces.cpp: applies `function`, which works on vectors of exactly `piece` lanes, to operands of any number of
// lanes: a scalar is lane 0 of a piece, longer vectors are cut, missing lanes hold anything.
llvm::Value* in_pieces(Emitter& emitter, unsigned piece, llvm::ArrayRef<llvm::Value*> operands,
                       llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> function);

}  // namespace weft::codegen::elements
