// From an operation to the function of its row; registers and memory.
#include "compiler/codegen/elements.h"

#include <weft/error.h>

#include "compiler/codegen/elements_rows.h"

namespace weft::codegen {
namespace {

llvm::Type* with_lanes(llvm::Type* type, unsigned lanes) {
  return lanes > 1 ? llvm::FixedVectorType::get(type, lanes) : type;
}

[[noreturn]] void refuse(DType dtype) {
  throw InternalError("elements: " + std::string(name_of(dtype)) + " is not held in registers");
}

llvm::Value* emit_row(ir::Op op, const elements::Call& call) {
  switch (op) {
#define ELEMENTWISE(name, text, arity, accepts, result, value, emission, ...) \
  case ir::Op::name:                                                          \
    return elements::emit_##emission(call);
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
#define STRUCTURAL(name, ...) case ir::Op::name:
#include "compiler/ir/structural.def"
#undef STRUCTURAL
    break;
  }
  throw InternalError("elements: " + std::string(ir::info_of(op).text) + " is not elementwise");
}

}  // namespace

llvm::Type* register_type(llvm::LLVMContext& context, DType dtype, unsigned lanes) {
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return with_lanes(llvm::Type::getInt1Ty(context), lanes);
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return with_lanes(llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * size_of(dtype))), lanes);
    case DTypeKind::floating:
      return with_lanes(dtype == f64 ? llvm::Type::getDoubleTy(context) : llvm::Type::getFloatTy(context),
                        lanes);
    case DTypeKind::complex:
      break;
  }
  refuse(dtype);
}

llvm::Type* memory_type(llvm::LLVMContext& context, DType dtype, unsigned lanes) {
  if (dtype == b1) return with_lanes(llvm::Type::getInt8Ty(context), lanes);
  if (is_half(dtype)) return with_lanes(llvm::Type::getInt16Ty(context), lanes);
  return register_type(context, dtype, lanes);
}

namespace {

// Booleans in memory are bytes that are 0 or 1, and logic on them needs no detour through single bits.
llvm::Value* truth_of_bytes(Emitter& emitter, llvm::Value* bytes) {
  llvm::Value* truth = emitter.builder.CreateICmpNE(bytes, llvm::Constant::getNullValue(bytes->getType()));
  emitter.bytes_of_truth[truth] = bytes;
  return truth;
}

// Null where an operand did not come from memory.
llvm::Value* logic_on_bytes(Emitter& emitter, ir::Op op, std::span<llvm::Value* const> operands) {
  auto& builder = emitter.builder;
  std::vector<llvm::Value*> bytes;
  for (llvm::Value* operand : operands) {
    const auto found = emitter.bytes_of_truth.find(operand);
    if (found == emitter.bytes_of_truth.end()) return nullptr;
    bytes.push_back(found->second);
  }
  switch (static_cast<int>(op)) {
    case static_cast<int>(ir::Op::and_):
    case static_cast<int>(ir::Op::multiply):
    case static_cast<int>(ir::Op::minimum):
      return truth_of_bytes(emitter, builder.CreateAnd(bytes[0], bytes[1]));
    case static_cast<int>(ir::Op::or_):
    case static_cast<int>(ir::Op::add):
    case static_cast<int>(ir::Op::maximum):
      return truth_of_bytes(emitter, builder.CreateOr(bytes[0], bytes[1]));
    case static_cast<int>(ir::Op::xor_):
      return truth_of_bytes(emitter, builder.CreateXor(bytes[0], bytes[1]));
    case static_cast<int>(ir::Op::not_):
      return truth_of_bytes(emitter, builder.CreateXor(bytes[0], emitter.integer(bytes[0]->getType(), 1)));
    default:
      return nullptr;
  }
}

}  // namespace

llvm::Value* to_register(Emitter& emitter, DType dtype, llvm::Value* loaded) {
  if (dtype == b1) return truth_of_bytes(emitter, loaded);
  return is_half(dtype) ? elements::half_from_bits(emitter, dtype, loaded) : loaded;
}

llvm::Value* to_memory(Emitter& emitter, DType dtype, llvm::Value* value) {
  if (dtype == b1) {
    if (const auto found = emitter.bytes_of_truth.find(value); found != emitter.bytes_of_truth.end()) return found->second;
    return emitter.builder.CreateZExt(value, emitter.with_element(value->getType(), emitter.builder.getInt8Ty()));
  }
  return is_half(dtype) ? elements::half_to_bits(emitter, dtype, value) : value;
}

llvm::Value* emit_element(Emitter& emitter, ir::Op op, const ir::Attributes& attributes,
                          std::span<const DType> operand_types, DType result,
                          std::span<llvm::Value* const> operands) {
  const DType type = operand_types[0];
  llvm::Value* const x = operands[0];
  if (type == b1)
    if (llvm::Value* truth = logic_on_bytes(emitter, op, operands)) return truth;
  if (op == ir::Op::compare)
    return elements::compare(emitter, std::get<ir::CompareAttributes>(attributes), type, x, operands[1]);
  if (op == ir::Op::select) return emitter.builder.CreateSelect(x, operands[1], operands[2]);
  if (op == ir::Op::clamp) {
    llvm::Value* raised = elements::extreme(emitter, true, result, operands[1], x);
    return elements::extreme(emitter, false, result, raised, operands[2]);
  }
  if (op == ir::Op::convert) return elements::convert(emitter, type, result, x);
  if (op == ir::Op::bitcast_convert) return elements::bitcast_convert(emitter, type, result, x);
  if (op == ir::Op::reduce_precision)
    return elements::reduce_precision(emitter, std::get<ir::ReducePrecisionAttributes>(attributes), type, x);
  llvm::Value* const y = operands.size() > 1 ? operands[1] : nullptr;
  return emit_row(op, {emitter, type, result, x, y});
}

}  // namespace weft::codegen
