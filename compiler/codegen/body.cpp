// Loads by the stride of their access, positions as base plus lane numbers, everything else through
// elements.h.
#include "compiler/codegen/body.h"

#include <algorithm>
#include <numeric>

#include "compiler/codegen/loops.h"

namespace weft::codegen {

using lower::Inst;

namespace {

llvm::Constant* lane_numbers(llvm::IRBuilder<>& builder, unsigned lanes, std::int64_t stride) {
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(builder.getInt64(static_cast<std::uint64_t>(static_cast<std::int64_t>(lane) * stride)));
  return llvm::ConstantVector::get(numbers);
}

llvm::Value* reversed(llvm::IRBuilder<>& builder, llvm::Value* vector, unsigned lanes) {
  std::vector<int> order(lanes);
  std::iota(order.rbegin(), order.rend(), 0);
  return builder.CreateShuffleVector(vector, order);
}

// Set from outside: arguments of a reduction's body, results of reductions.
bool is_given(const Inst& inst) {
  return inst.kind == Inst::Kind::argument || inst.kind == Inst::Kind::result;
}

llvm::Align element_alignment(DType type) { return llvm::Align(size_of(type)); }

}  // namespace

llvm::Value* lane_mask(Emitter& emitter, llvm::Value* remaining, unsigned lanes) {
  auto& builder = emitter.builder;
  llvm::Value* limit = builder.CreateVectorSplat(lanes, builder.CreateTrunc(remaining, builder.getInt32Ty()));
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane) numbers.push_back(builder.getInt32(lane));
  return builder.CreateICmpSLT(llvm::ConstantVector::get(numbers), limit);
}

std::int64_t BodyEmitter::vector_stride(const lower::Access& access, const Point& point) const {
  if (point.vector_axis < 0 || access.strides.empty()) return 0;
  return access.strides[static_cast<std::size_t>(point.vector_axis)];
}

void BodyEmitter::find_varying(const Point& point) {
  if (varying_.size() == insts_.size()) return;
  varying_.assign(insts_.size(), false);
  const auto differs_between_lanes = [&](const lower::Access& access) {
    for (std::size_t axis = 0; axis < access.strides.size(); ++axis)
      if (access.strides[axis] != 0 && point.index[axis]->getType()->isVectorTy()) return true;
    return vector_stride(access, point) != 0;
  };
  for (std::size_t id = 0; id < insts_.size(); ++id) {
    const Inst& inst = insts_[id];
    bool varies = is_given(inst) && point.lanes > 1;
    if (inst.kind == Inst::Kind::load || inst.kind == Inst::Kind::position)
      varies = differs_between_lanes(inst.access);
    for (const auto& term : inst.access.terms) varies = varies || varying_[term.value];
    for (lower::InstId operand : inst.operands) varies = varies || varying_[operand];
    varying_[id] = varies;
  }
}

void BodyEmitter::restrict_to(const std::vector<lower::InstId>& roots) {
  needed_.assign(insts_.size(), false);
  for (lower::InstId root : roots) needed_[root] = true;
  for (std::size_t id = insts_.size(); id-- > 0;) {
    if (!needed_[id]) continue;
    for (lower::InstId operand : insts_[id].operands) needed_[operand] = true;
    for (const auto& term : insts_[id].access.terms) needed_[term.value] = true;
  }
}

void BodyEmitter::emit_uniform(const Point& point) {
  find_varying(point);
  for (std::size_t id = 0; id < insts_.size(); ++id)
    if (needed_[id] && !varying_[id] && !is_given(insts_[id])) values_[id] = emit(insts_[id], point, false);
}

void BodyEmitter::emit_varying(const Point& point) {
  for (std::size_t id = 0; id < insts_.size(); ++id)
    if (needed_[id] && varying_[id] && !is_set_[id] && !is_given(insts_[id]))
      values_[id] = emit(insts_[id], point, point.lanes > 1);
}

void BodyEmitter::emit_all(const Point& point) {
  for (std::size_t id = 0; id < insts_.size(); ++id)
    if (needed_[id] && !is_given(insts_[id])) values_[id] = emit(insts_[id], point, point.lanes > 1);
}

llvm::Value* BodyEmitter::value(lower::InstId id, const Point& point, bool as_vector) const {
  llvm::Value* value = values_[id];
  if (as_vector && point.lanes > 1 && !value->getType()->isVectorTy())
    return emitter_.builder.CreateVectorSplat(point.lanes, value);
  return value;
}

llvm::Value* BodyEmitter::emit(const Inst& inst, const Point& point, bool vector) {
  if (inst.kind == Inst::Kind::load) return emit_load(inst, point, vector);
  if (inst.kind == Inst::Kind::position) return emit_position(inst, point, vector);
  if (inst.kind == Inst::Kind::literal) return emit_literal(inst);
  std::vector<llvm::Value*> operands;
  std::vector<DType> types;
  for (lower::InstId operand : inst.operands) {
    operands.push_back(value(operand, point, vector));
    types.push_back(insts_[operand].type);
  }
  if (inst.kind == Inst::Kind::fma) return emit_fma(inst.op, operands);
  return emit_element(emitter_, inst.op, inst.attributes, types, inst.type, operands);
}

llvm::Value* BodyEmitter::emit_fma(ir::Op op, const std::vector<llvm::Value*>& operands) {
  auto& builder = emitter_.builder;
  llvm::Value* factor = op == ir::Op::negate ? builder.CreateFNeg(operands[0]) : operands[0];
  llvm::Value* addend = op == ir::Op::subtract ? builder.CreateFNeg(operands[2]) : operands[2];
  return emitter_.fma(factor, operands[1], addend);
}

llvm::Value* BodyEmitter::emit_literal(const Inst& inst) {
  auto& builder = emitter_.builder;
  llvm::Type* memory = memory_type(builder.getContext(), inst.type, 1);
  const auto bits = static_cast<unsigned>(8 * size_of(inst.type));
  llvm::Value* value = llvm::ConstantInt::get(builder.getContext(), llvm::APInt(bits, inst.literal));
  if (!memory->isIntegerTy()) value = builder.CreateBitCast(value, memory);
  return to_register(emitter_, inst.type, value);
}

// The part of an offset that all lanes share, and the part of axes whose index differs between lanes.
llvm::Value* BodyEmitter::scalar_offset(const lower::Access& access, const Point& point) {
  auto& builder = emitter_.builder;
  llvm::Value* offset = builder.getInt64(static_cast<std::uint64_t>(access.offset));
  for (std::size_t axis = 0; axis < access.strides.size(); ++axis) {
    if (access.strides[axis] == 0 || point.index[axis]->getType()->isVectorTy()) continue;
    llvm::Value* stride = builder.getInt64(static_cast<std::uint64_t>(access.strides[axis]));
    offset = builder.CreateAdd(offset, builder.CreateMul(point.index[axis], stride));
  }
  for (const auto& term : access.terms) {
    if (values_[term.value]->getType()->isVectorTy()) continue;
    llvm::Value* stride = builder.getInt64(static_cast<std::uint64_t>(term.stride));
    offset = builder.CreateAdd(offset, builder.CreateMul(values_[term.value], stride));
  }
  return offset;
}

llvm::Value* BodyEmitter::vector_offset(const lower::Access& access, const Point& point) {
  auto& builder = emitter_.builder;
  llvm::Value* offset = nullptr;
  const auto add = [&](llvm::Value* index, std::int64_t stride) {
    llvm::Value* part = builder.CreateMul(
        index, builder.CreateVectorSplat(point.lanes, builder.getInt64(static_cast<std::uint64_t>(stride))));
    offset = offset ? builder.CreateAdd(offset, part) : part;
  };
  for (std::size_t axis = 0; axis < access.strides.size(); ++axis)
    if (access.strides[axis] != 0 && point.index[axis]->getType()->isVectorTy())
      add(point.index[axis], access.strides[axis]);
  for (const auto& term : access.terms)
    if (values_[term.value]->getType()->isVectorTy()) add(values_[term.value], term.stride);
  return offset;
}

llvm::Value* BodyEmitter::emit_position(const Inst& inst, const Point& point, bool vector) {
  auto& builder = emitter_.builder;
  llvm::Value* position = scalar_offset(inst.access, point);
  if (vector)
    position = builder.CreateAdd(builder.CreateVectorSplat(point.lanes, position),
                                 lane_numbers(builder, point.lanes, vector_stride(inst.access, point)));
  if (llvm::Value* more = vector ? vector_offset(inst.access, point) : nullptr)
    position = builder.CreateAdd(position, more);
  constexpr DType from[] = {DType::i64};
  llvm::Value* const operands[] = {position};
  return emit_element(emitter_, ir::Op::convert, ir::NoAttributes{}, from, inst.type, operands);
}

// Elements a small stride apart: whole vectors that cover them are loaded and sorted, which costs less than
// to gather. No vector goes beyond the last element: it may be the last of its memory.
llvm::Value* BodyEmitter::load_strided(llvm::Type* type, llvm::Value* pointer, llvm::Align alignment,
                                       std::int64_t stride) {
  auto& builder = emitter_.builder;
  const auto lanes = static_cast<std::int64_t>(emitter_.lanes(type));
  const std::int64_t last_start = (lanes - 1) * stride + 1 - lanes;
  llvm::Value* sorted = nullptr;
  llvm::SmallVector<int, 64> from(static_cast<std::size_t>(lanes), -1);  // lanes of `sorted` that are set
  for (std::int64_t number = 0; number < stride; ++number) {
    const std::int64_t start = std::min(number * lanes, last_start);
    llvm::SmallVector<int, 64> picked = from;
    bool is_needed = false;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t position = lane * stride;
      if (position / lanes != number) continue;
      picked[static_cast<std::size_t>(lane)] = static_cast<int>(position - start + (sorted ? lanes : 0));
      from[static_cast<std::size_t>(lane)] = static_cast<int>(lane);
      is_needed = true;
    }
    if (!is_needed) continue;
    llvm::Value* place =
        builder.CreateConstGEP1_64(type->getScalarType(), pointer, static_cast<std::uint64_t>(start));
    llvm::Value* loaded = builder.CreateAlignedLoad(type, place, alignment);
    sorted = sorted ? builder.CreateShuffleVector(sorted, loaded, picked)
                    : builder.CreateShuffleVector(loaded, picked);
  }
  return sorted;
}

// CPUs gather nothing narrower than 32 bits, and LLVM would take every lane apart: a loop collects them in memory.
llvm::Value* BodyEmitter::gather_narrow(llvm::Type* type, llvm::Value* pointers, llvm::Align alignment, llvm::Value* mask) {
  auto& builder = emitter_.builder;
  const unsigned lanes = emitter_.lanes(type);
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::Value* from = at_entry.CreateAlloca(pointers->getType());
  llvm::Value* collected = at_entry.CreateAlloca(type);
  builder.CreateStore(pointers, from);
  builder.CreateStore(llvm::Constant::getNullValue(type), collected);
  llvm::Type* element = type->getScalarType();
  llvm::Value* bits = mask ? builder.CreateZExt(builder.CreateBitCast(mask, builder.getIntNTy(lanes)), builder.getInt64Ty()) : nullptr;
  const auto collect = [&](llvm::Value* lane) {
    llvm::Value* place = builder.CreateLoad(builder.getPtrTy(), builder.CreateGEP(builder.getPtrTy(), from, lane));
    builder.CreateStore(builder.CreateAlignedLoad(element, place, alignment), builder.CreateGEP(element, collected, lane));
  };
  const unsigned at_once = mask ? 1 : 8;
  emit_loop(emitter_, builder.getInt64(0), builder.getInt64(lanes), at_once, {}, [&](llvm::Value* lane, const Values&) -> Values {
    if (bits) {
      emit_if(emitter_, builder.CreateTrunc(builder.CreateLShr(bits, lane), builder.getInt1Ty()), [&] { collect(lane); });
      return {};
    }
    for (unsigned i = 0; i < at_once; ++i) collect(builder.CreateAdd(lane, builder.getInt64(i)));
    return {};
  });
  return builder.CreateLoad(type, collected);
}

llvm::Value* BodyEmitter::emit_load(const Inst& inst, const Point& point, bool vector) {
  auto& builder = emitter_.builder;
  llvm::LLVMContext& context = builder.getContext();
  llvm::Type* element = memory_type(context, inst.type, 1);
  llvm::Value* base = buffers_.pointer[inst.access.buffer];
  llvm::Value* offset = scalar_offset(inst.access, point);
  llvm::Value* lane_offset = vector ? vector_offset(inst.access, point) : nullptr;
  llvm::Value* pointer = builder.CreateGEP(element, base, offset);
  const llvm::Align alignment = element_alignment(inst.type);
  if (!vector)
    return to_register(emitter_, inst.type, builder.CreateAlignedLoad(element, pointer, alignment));

  llvm::Type* type = memory_type(context, inst.type, point.lanes);
  const std::int64_t stride = vector_stride(inst.access, point);
  llvm::Value* loaded = nullptr;
  if (!lane_offset && (stride == 1 || stride == -1)) {
    llvm::Value* mask = point.mask;
    if (stride == -1) {
      const auto back = static_cast<std::uint64_t>(-(static_cast<std::int64_t>(point.lanes) - 1));
      pointer = builder.CreateGEP(element, pointer, builder.getInt64(back));
      if (mask) mask = reversed(builder, mask, point.lanes);
    }
    loaded = mask ? static_cast<llvm::Value*>(builder.CreateMaskedLoad(type, pointer, alignment, mask,
                                                                       llvm::Constant::getNullValue(type)))
                  : builder.CreateAlignedLoad(type, pointer, alignment);
    if (stride == -1) loaded = reversed(builder, loaded, point.lanes);
  } else if (!lane_offset && !point.mask && stride != 0 && std::abs(stride) <= kLargestSortedStride) {
    if (stride < 0) {
      const auto last = (static_cast<std::int64_t>(point.lanes) - 1) * stride;
      pointer = builder.CreateGEP(element, pointer, builder.getInt64(static_cast<std::uint64_t>(last)));
    }
    loaded = load_strided(type, pointer, alignment, std::abs(stride));
    if (stride < 0) loaded = reversed(builder, loaded, point.lanes);
  } else {
    llvm::Value* lanes = lane_numbers(builder, point.lanes, stride);
    if (lane_offset) lanes = builder.CreateAdd(lanes, lane_offset);
    llvm::Value* pointers = builder.CreateGEP(element, pointer, lanes);
    llvm::Value* mask = point.mask;
    if (!mask)
      mask = llvm::ConstantInt::getTrue(llvm::FixedVectorType::get(builder.getInt1Ty(), point.lanes));
    const bool is_narrow = size_of(inst.type) < 4 && point.lanes >= (point.mask ? 16 : 64);
    loaded = is_narrow
                 ? gather_narrow(type, pointers, alignment, point.mask)
                 : builder.CreateMaskedGather(type, pointers, alignment, mask, llvm::Constant::getNullValue(type));
  }
  return to_register(emitter_, inst.type, loaded);
}

void BodyEmitter::store(const lower::Store& store, const Point& point) {
  auto& builder = emitter_.builder;
  const DType dtype = insts_[store.value].type;
  const std::int64_t stride = vector_stride(store.access, point);
  const bool vector = point.lanes > 1;
  llvm::Value* stored = to_memory(emitter_, dtype, value(store.value, point, vector));
  llvm::Type* element = memory_type(builder.getContext(), dtype, 1);
  llvm::Value* pointer =
      builder.CreateGEP(element, buffers_.pointer[store.access.buffer], scalar_offset(store.access, point));
  const llvm::Align alignment = element_alignment(dtype);
  if (!vector) {
    builder.CreateAlignedStore(stored, pointer, alignment);
  } else if (stride == 1) {
    if (point.mask)
      builder.CreateMaskedStore(stored, pointer, alignment, point.mask);
    else
      builder.CreateAlignedStore(stored, pointer, alignment);
  } else {
    llvm::Value* pointers = builder.CreateGEP(element, pointer, lane_numbers(builder, point.lanes, stride));
    builder.CreateMaskedScatter(stored, pointers, alignment, point.mask);
  }
}

}  // namespace weft::codegen
