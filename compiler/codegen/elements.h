// Emission of elementwise operations on registers, scalar or vector, and of the conversions between memory and registers.
#pragma once

#include <span>

#include "compiler/codegen/emitter.h"
#include "compiler/ir/ir.h"

namespace weft::codegen {

// The value of an elementwise operation, or of compare, select, clamp, convert, reduce_precision and bitcast_convert
// (equal widths), on operands in registers. `operand_types` and `result` say the element types; results of f16 and
// bf16 are rounded to the format by integer arithmetic. Every lane is independent: the bits of a lane depend neither on the
// number of lanes nor on the other lanes, and are equal on avx2 and avx512.
llvm::Value* emit_element(Emitter& emitter, ir::Op op, const ir::Attributes& attributes,
                          std::span<const DType> operand_types, DType result, std::span<llvm::Value* const> operands);

llvm::Type* register_type(llvm::LLVMContext& context, DType dtype, unsigned lanes);
llvm::Type* memory_type(llvm::LLVMContext& context, DType dtype, unsigned lanes);  // b1 -> i8, halves -> i16
llvm::Value* to_register(Emitter& emitter, DType dtype, llvm::Value* loaded);
llvm::Value* to_memory(Emitter& emitter, DType dtype, llvm::Value* value);

}  // namespace weft::codegen
