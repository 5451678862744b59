// A float minimum is kept in three parts; everything else is one register and the kind's own operation.
#include "compiler/codegen/accumulator.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace weft::codegen {

bool AccumulatorKind::is_float_extreme() const {
  return is_floating(type) && (kind == ir::ReductionKind::minimum || kind == ir::ReductionKind::maximum);
}
DType AccumulatorKind::working_type() const { return is_half(type) ? DType::f32 : type; }
std::size_t AccumulatorKind::registers() const { return !is_float_extreme() ? 1 : keeps_zero_sign ? 3 : 2; }

namespace {

bool is_minimum(const AccumulatorKind& kind) { return kind.kind == ir::ReductionKind::minimum; }

llvm::Value* element(Emitter& emitter, ir::Op op, DType type, llvm::Value* a, llvm::Value* b) {
  const DType types[] = {type, type};
  llvm::Value* const operands[] = {a, b};
  return emit_element(emitter, op, ir::NoAttributes{}, types, type, operands);
}

// The smaller (larger) by one machine instruction; the second operand when they are equal or not comparable.
llvm::Value* plain_extreme(Emitter& emitter, const AccumulatorKind& kind, llvm::Value* a, llvm::Value* b) {
  auto& builder = emitter.builder;
  llvm::Value* wins = is_minimum(kind) ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  return builder.CreateSelect(wins, a, b);
}

llvm::Value* all_ones_if(Emitter& emitter, llvm::Value* condition, llvm::Type* type) {
  return emitter.builder.CreateSExt(condition, type);
}

llvm::Value* bits_of(Emitter& emitter, llvm::Value* value) {
  return emitter.builder.CreateBitCast(value, emitter.integer_type(value->getType()));
}

llvm::Value* merge_bits(Emitter& emitter, const AccumulatorKind& kind, llvm::Value* a, llvm::Value* b) {
  return is_minimum(kind) ? emitter.builder.CreateOr(a, b) : emitter.builder.CreateAnd(a, b);
}

}  // namespace

State empty_state(Emitter& emitter, const AccumulatorKind& kind, unsigned lanes) {
  auto& builder = emitter.builder;
  const DType type = kind.working_type();
  llvm::Type* registers = register_type(builder.getContext(), type, lanes);
  if (kind.is_float_extreme()) {
    llvm::Type* bits = emitter.integer_type(registers);
    llvm::Value* none = llvm::ConstantFP::getInfinity(registers, !is_minimum(kind));
    llvm::Value* sign = is_minimum(kind) ? llvm::Constant::getNullValue(bits) : llvm::Constant::getAllOnesValue(bits);
    State state{none, llvm::Constant::getNullValue(bits)};
    if (kind.keeps_zero_sign) state.push_back(sign);
    return state;
  }
  const ir::Literal identity = ir::identity_of(kind.kind, type);
  std::uint64_t raw = 0;
  std::memcpy(&raw, identity.buffer.data(), size_of(type));
  const auto width = static_cast<unsigned>(8 * size_of(type));
  llvm::Value* value = llvm::ConstantInt::get(builder.getContext(), llvm::APInt(width, raw));
  llvm::Type* memory = memory_type(builder.getContext(), type, 1);
  if (!memory->isIntegerTy()) value = builder.CreateBitCast(value, memory);
  value = to_register(emitter, type, value);
  return {lanes > 1 ? builder.CreateVectorSplat(lanes, value) : value};
}

State take_element(Emitter& emitter, const AccumulatorKind& kind, const State& state, llvm::Value* value) {
  auto& builder = emitter.builder;
  if (!kind.is_float_extreme())
    return {element(emitter, ir::info_of(kind.kind).combine, kind.working_type(), state[0], value)};
  llvm::Value* bits = bits_of(emitter, value);
  llvm::Value* nan = all_ones_if(emitter, builder.CreateFCmpUNO(value, value), bits->getType());
  State result{plain_extreme(emitter, kind, value, state[0]), builder.CreateOr(state[1], nan)};
  if (kind.keeps_zero_sign) result.push_back(merge_bits(emitter, kind, state[2], bits));
  return result;
}

llvm::Value* nan_lanes(Emitter& emitter, const std::vector<llvm::Value*>& elements) {
  auto& builder = emitter.builder;
  llvm::Value* any = nullptr;
  for (std::size_t i = 0; i < elements.size(); i += 2) {
    llvm::Value* pair = builder.CreateFCmpUNO(elements[i], elements[std::min(i + 1, elements.size() - 1)]);
    any = any ? builder.CreateOr(any, pair) : pair;
  }
  return any;
}

llvm::Value* with_nan_flag(Emitter& emitter, llvm::Value* flag, const std::vector<llvm::Value*>& elements) {
  return emitter.builder.CreateOr(flag, all_ones_if(emitter, nan_lanes(emitter, elements), flag->getType()));
}

llvm::Value* extreme_of(Emitter& emitter, const AccumulatorKind& kind, const std::vector<llvm::Value*>& elements) {
  std::vector<llvm::Value*> left = elements;
  while (left.size() > 1) {
    std::vector<llvm::Value*> half;
    for (std::size_t i = 0; i + 1 < left.size(); i += 2)
      half.push_back(kind.is_float_extreme()
                         ? plain_extreme(emitter, kind, left[i], left[i + 1])
                         : element(emitter, ir::info_of(kind.kind).combine, kind.working_type(), left[i], left[i + 1]));
    if (left.size() % 2 == 1) half.push_back(left.back());
    left = std::move(half);
  }
  return left[0];
}

std::vector<State> take_elements(Emitter& emitter, const AccumulatorKind& kind, const std::vector<State>& states,
                                 const std::vector<llvm::Value*>& elements, const std::vector<llvm::Value*>& masks) {
  auto& builder = emitter.builder;
  std::vector<State> result = states;
  for (std::size_t r = 0; r < elements.size(); ++r) {
    const State& old = states[r];
    if (!kind.is_float_extreme()) {
      result[r] = take_element(emitter, kind, old, elements[r]);
      if (masks[r]) result[r] = keep_masked(emitter, masks[r], result[r], old);
      continue;
    }
    // The element of an empty state changes nothing.
    const auto value_of = [&](std::size_t i) {
      if (!masks[i]) return elements[i];
      const unsigned lanes = emitter.lanes(elements[i]->getType());
      return builder.CreateSelect(masks[i], elements[i], empty_state(emitter, kind, lanes)[0]);
    };
    llvm::Value* value = value_of(r);
    result[r][0] = plain_extreme(emitter, kind, value, old[0]);
    if (kind.keeps_zero_sign) result[r][2] = merge_bits(emitter, kind, old[2], bits_of(emitter, value));
    if (r % 2 == 1) continue;
    std::vector<llvm::Value*> pair{value};
    if (r + 1 < elements.size()) pair.push_back(value_of(r + 1));
    result[r][1] = with_nan_flag(emitter, old[1], pair);
  }
  return result;
}

State combine_states(Emitter& emitter, const AccumulatorKind& kind, const State& a, const State& b) {
  if (!kind.is_float_extreme())
    return {element(emitter, ir::info_of(kind.kind).combine, kind.working_type(), a[0], b[0])};
  State result{plain_extreme(emitter, kind, a[0], b[0]), emitter.builder.CreateOr(a[1], b[1])};
  if (kind.keeps_zero_sign) result.push_back(merge_bits(emitter, kind, a[2], b[2]));
  return result;
}

State keep_masked(Emitter& emitter, llvm::Value* mask, const State& fresh, const State& old) {
  State result;
  for (std::size_t i = 0; i < fresh.size(); ++i)
    result.push_back(emitter.builder.CreateSelect(mask, fresh[i], old[i]));
  return result;
}

State fold_lanes(Emitter& emitter, const AccumulatorKind& kind, State state, unsigned lanes) {
  auto& builder = emitter.builder;
  for (; lanes > 1; lanes /= 2) {
    std::vector<int> low(lanes / 2), high(lanes / 2);
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), static_cast<int>(lanes / 2));
    State a, b;
    for (llvm::Value* part : state) {
      a.push_back(lanes == 2 ? builder.CreateExtractElement(part, std::uint64_t{0}) : builder.CreateShuffleVector(part, low));
      b.push_back(lanes == 2 ? builder.CreateExtractElement(part, std::uint64_t{1}) : builder.CreateShuffleVector(part, high));
    }
    state = combine_states(emitter, kind, a, b);
  }
  return state;
}

llvm::Value* final_value(Emitter& emitter, const AccumulatorKind& kind, const State& state) {
  auto& builder = emitter.builder;
  llvm::Value* value = state[0];
  if (kind.is_float_extreme()) {
    llvm::Type* type = value->getType();
    llvm::Type* bits = emitter.integer_type(type);
    const unsigned width = bits->getScalarSizeInBits();
    if (kind.keeps_zero_sign) {
      // An extreme of zero: every other element was on its far side, so one sign bit tells whether -0 (+0) was there.
      llvm::Value* sign = builder.CreateAnd(state[2], llvm::ConstantInt::get(bits, llvm::APInt::getSignMask(width)));
      llvm::Value* zero = builder.CreateBitCast(sign, type);
      value = builder.CreateSelect(builder.CreateFCmpOEQ(value, llvm::Constant::getNullValue(type)), zero, value);
    }
    llvm::Value* saw_nan = builder.CreateICmpNE(state[1], llvm::Constant::getNullValue(bits));
    value = builder.CreateSelect(saw_nan, llvm::ConstantFP::getNaN(type), value);
  }
  if (!is_half(kind.type)) return value;
  const DType from[] = {DType::f32};
  llvm::Value* const operands[] = {value};
  return emit_element(emitter, ir::Op::convert, ir::NoAttributes{}, from, kind.type, operands);
}

}  // namespace weft::codegen
