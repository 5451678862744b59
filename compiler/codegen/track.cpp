// The three methods side by side; each function says what it means for each of them.
#include "compiler/codegen/track.h"

#include <algorithm>

namespace weft::codegen {

using lower::FoldMethod;
using Registers = std::vector<llvm::Value*>;

Track::Track(Emitter& emitter, const lower::Kernel& kernel, const lower::Reduction& reduction,
             const lower::FoldSchedule& schedule)
    : emitter_(emitter), reduction_(reduction), method_(lower::method_of(kernel, reduction, schedule.order)) {
  if (method_ == FoldMethod::standard)
    for (std::size_t i = 0; i < reduction.types.size(); ++i)
      kinds_.push_back({*reduction.reducer.components[i], reduction.types[i]});
  if (method_ == FoldMethod::selection) {
    const auto kind = selection().is_minimum ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
    kinds_.push_back({kind, reduction.types[selection().key], false});
    keeps_position_ = schedule.order == lower::Order::ascending;
    notes_step_ = schedule.notes_steps;
    position_type_ = notes_step_ || schedule.outer <= INT32_MAX ? DType::i32 : DType::i64;
  }
}

unsigned Track::lanes_of(const State& state) const { return emitter_.lanes(state[0]->getType()); }

State Track::start(unsigned lanes, const Registers& inits, llvm::Value* is_first_block) const {
  auto& builder = emitter_.builder;
  State state;
  if (method_ == FoldMethod::in_order) {
    state = inits;
    state.push_back(is_first_block);
    if (lanes > 1)
      for (llvm::Value*& part : state) part = builder.CreateVectorSplat(lanes, part);
    return state;
  }
  for (const AccumulatorKind& kind : kinds_) {
    State part = empty_state(emitter_, kind, lanes);
    if (keeps_position_) part.resize(1);
    state.insert(state.end(), part.begin(), part.end());
  }
  if (keeps_position_ || notes_step_)
    state.push_back(llvm::Constant::getNullValue(register_type(builder.getContext(), position_type_, lanes)));
  return state;
}

// By the order of numbers alone: a NaN is neither better nor worse.
llvm::Value* Track::plainly_better(llvm::Value* key, llvm::Value* best) const {
  auto& builder = emitter_.builder;
  if (!is_floating(kinds_[0].type)) return key_is_better(key, best);
  return selection().is_minimum ? builder.CreateFCmpOLT(key, best) : builder.CreateFCmpOGT(key, best);
}

// A NaN beats every number and stays.
llvm::Value* Track::key_is_better(llvm::Value* key, llvm::Value* best) const {
  auto& builder = emitter_.builder;
  const DType type = kinds_[0].type;
  const bool minimum = selection().is_minimum;
  if (is_floating(type)) {
    llvm::Value* better = minimum ? builder.CreateFCmpULT(key, best) : builder.CreateFCmpUGT(key, best);
    return builder.CreateAnd(better, builder.CreateFCmpORD(best, best));
  }
  if (is_signed(type)) return minimum ? builder.CreateICmpSLT(key, best) : builder.CreateICmpSGT(key, best);
  return minimum ? builder.CreateICmpULT(key, best) : builder.CreateICmpUGT(key, best);
}

Registers Track::elements(const BodyEmitter& body, const Point& point) const {
  Registers elements;
  for (lower::InstId operand : reduction_.operands) elements.push_back(body.value(operand, point, point.lanes > 1));
  return elements;
}

State Track::take(const State& state, const BodyEmitter& body, const Point& point, llvm::Value* position) const {
  if (keeps_position_) return combine(state, of_element(body, point, position));
  return take_step({state}, {elements(body, point)}, {nullptr}, position)[0];
}

std::vector<State> Track::take_step(const std::vector<State>& states, const std::vector<Registers>& elements,
                                    const std::vector<llvm::Value*>& masks, llvm::Value* step) const {
  auto& builder = emitter_.builder;
  std::vector<State> result = states;
  if (method_ == FoldMethod::in_order) {
    for (std::size_t r = 0; r < elements.size(); ++r) {
      const State& old = states[r];
      const Registers applied = apply(Registers(old.begin(), old.end() - 1), elements[r]);
      for (std::size_t i = 0; i < applied.size(); ++i)
        result[r][i] = builder.CreateSelect(old.back(), applied[i], elements[r][i]);
      result[r].back() = llvm::Constant::getAllOnesValue(old.back()->getType());
      if (masks[r]) result[r] = keep_masked(emitter_, masks[r], result[r], old);
    }
    return result;
  }
  const auto operand = [&](std::size_t i) {
    Registers values;
    for (const Registers& element : elements) values.push_back(element[i]);
    return values;
  };
  if (notes_step_) return {note_step(states[0], operand(selection().key), masks, step)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(next), last = first + static_cast<std::ptrdiff_t>(kinds_[i].registers());
    std::vector<State> parts;
    for (const State& state : states) parts.emplace_back(state.begin() + first, state.begin() + last);
    parts = take_elements(emitter_, kinds_[i], parts, operand(method_ == FoldMethod::selection ? selection().key : i), masks);
    for (std::size_t r = 0; r < result.size(); ++r) std::copy(parts[r].begin(), parts[r].end(), result[r].begin() + first);
    next += kinds_[i].registers();
  }
  return result;
}

// The whole step counts as one element: which of its elements won is looked up at the end.
State Track::note_step(const State& state, const Registers& keys, const std::vector<llvm::Value*>& masks,
                       llvm::Value* step) const {
  auto& builder = emitter_.builder;
  const AccumulatorKind& kind = kinds_[0];
  const unsigned lanes = lanes_of(state);
  Registers values = keys;
  for (std::size_t r = 0; r < values.size(); ++r)
    if (masks[r]) values[r] = builder.CreateSelect(masks[r], values[r], empty_state(emitter_, kind, lanes)[0]);
  llvm::Value* extreme = extreme_of(emitter_, kind, values);
  llvm::Value* better = plainly_better(extreme, state[0]);
  State result{builder.CreateSelect(better, extreme, state[0])};
  if (kind.is_float_extreme()) result.push_back(with_nan_flag(emitter_, state[1], values));
  result.push_back(builder.CreateSelect(better, splat(step, position_type_, lanes), state.back()));
  return result;
}

llvm::Value* Track::splat(llvm::Value* position, DType type, unsigned lanes) const {
  auto& builder = emitter_.builder;
  position = builder.CreateTrunc(position, register_type(builder.getContext(), type, 1));
  return lanes > 1 ? builder.CreateVectorSplat(lanes, position) : position;
}

State Track::of_element(const BodyEmitter& body, const Point& point, llvm::Value* position) const {
  return {body.value(reduction_.operands[selection().key], point, point.lanes > 1),
          splat(position, position_type_, point.lanes)};
}

State Track::take_group(const State& state, const Registers& keys, llvm::Value* group) const {
  auto& builder = emitter_.builder;
  llvm::Value* extreme = extreme_of(emitter_, kinds_[0], keys);
  if (kinds_[0].is_float_extreme()) {
    extreme = builder.CreateSelect(nan_lanes(emitter_, keys), llvm::ConstantFP::getNaN(extreme->getType()), extreme);
  }
  return combine(state, {extreme, splat(group, position_type_, lanes_of(state))});
}

llvm::Value* Track::has_key(const State& state, llvm::Value* key) const {
  auto& builder = emitter_.builder;
  if (!is_floating(kinds_[0].type)) return builder.CreateICmpEQ(key, state[0]);
  llvm::Value* both_nan = builder.CreateAnd(builder.CreateFCmpUNO(key, key), builder.CreateFCmpUNO(state[0], state[0]));
  return builder.CreateOr(both_nan, builder.CreateFCmpOEQ(key, state[0]));
}

State Track::combine(const State& earlier, const State& later) const {
  auto& builder = emitter_.builder;
  State result;
  if (method_ == FoldMethod::in_order) {
    const Registers applied = apply(Registers(earlier.begin(), earlier.end() - 1), Registers(later.begin(), later.end() - 1));
    for (std::size_t i = 0; i < applied.size(); ++i) {
      llvm::Value* value = builder.CreateSelect(later.back(), applied[i], earlier[i]);
      result.push_back(builder.CreateSelect(earlier.back(), value, later[i]));
    }
    result.push_back(builder.CreateOr(earlier.back(), later.back()));
    return result;
  }
  if (keeps_position_) {
    llvm::Value* better = key_is_better(later[0], earlier[0]);
    return {builder.CreateSelect(better, later[0], earlier[0]), builder.CreateSelect(better, later[1], earlier[1])};
  }
  std::size_t next = 0;
  for (const AccumulatorKind& kind : kinds_) {
    const auto first = static_cast<std::ptrdiff_t>(next), last = static_cast<std::ptrdiff_t>(next + kind.registers());
    const State part = combine_states(emitter_, kind, State(earlier.begin() + first, earlier.begin() + last),
                                      State(later.begin() + first, later.begin() + last));
    result.insert(result.end(), part.begin(), part.end());
    next += kind.registers();
  }
  return result;
}

State Track::fold_registers(std::vector<State> registers, unsigned lanes) const {
  if (notes_step_) return fold_steps(registers[0], lanes);
  for (std::size_t half = registers.size() / 2; half > 0; half /= 2)
    for (std::size_t r = 0; r < half; ++r) registers[r] = combine(registers[r], registers[r + half]);
  return fold_lanes(registers[0], lanes);
}

State Track::fold_lanes(State state, unsigned lanes) const {
  if (lanes == 1) return state;
  State result;
  std::size_t next = 0;
  for (const AccumulatorKind& kind : kinds_) {
    const State part = codegen::fold_lanes(
        emitter_, kind,
        State(state.begin() + static_cast<std::ptrdiff_t>(next),
              state.begin() + static_cast<std::ptrdiff_t>(next + kind.registers())),
        lanes);
    result.insert(result.end(), part.begin(), part.end());
    next += kind.registers();
  }
  return result;
}

// The extreme of all lanes, and the first step that has it.
State Track::fold_steps(const State& state, unsigned lanes) const {
  auto& builder = emitter_.builder;
  const AccumulatorKind& key = kinds_[0];
  const AccumulatorKind least{ir::ReductionKind::minimum, position_type_};
  State extreme = codegen::fold_lanes(emitter_, key, State(state.begin(), state.end() - 1), lanes);
  llvm::Value* best = builder.CreateVectorSplat(lanes, extreme[0]);
  llvm::Value* is_best =
      is_floating(key.type) ? builder.CreateFCmpOEQ(state[0], best) : builder.CreateICmpEQ(state[0], best);
  const State steps{builder.CreateSelect(is_best, state.back(), empty_state(emitter_, least, lanes)[0])};
  extreme.push_back(codegen::fold_lanes(emitter_, least, steps, lanes)[0]);
  return extreme;
}

llvm::Value* Track::saw_nan(const State& state) const {
  if (!is_floating(kinds_[0].type)) return nullptr;
  return emitter_.builder.CreateICmpNE(state[1], llvm::Constant::getNullValue(state[1]->getType()));
}

std::size_t Track::slots() const {
  if (method_ == FoldMethod::in_order) return reduction_.types.size() + 1;
  if (keeps_position_) return 2;
  std::size_t count = 0;
  for (const AccumulatorKind& kind : kinds_) count += kind.registers();
  return count + (notes_step_ ? 1 : 0);
}

// Registers of the state as they are in memory: booleans as bytes, floats as they are.
DType Track::register_dtype(std::size_t index) const {
  const auto bits_type = [](DType type) { return size_of(type) == 8 ? DType::i64 : DType::i32; };
  if (method_ == FoldMethod::in_order) {
    if (index == reduction_.types.size()) return DType::b1;
    const DType type = reduction_.types[index];
    return is_half(type) ? DType::f32 : type;
  }
  if (keeps_position_) return index == 0 ? kinds_[0].working_type() : position_type_;
  for (const AccumulatorKind& kind : kinds_) {
    if (index < kind.registers()) return index == 0 ? kind.working_type() : bits_type(kind.working_type());
    index -= kind.registers();
  }
  return position_type_;
}

void Track::save(const State& state, llvm::Value* slot, std::int64_t register_distance) const {
  auto& builder = emitter_.builder;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto distance = static_cast<std::uint64_t>(8 * register_distance * static_cast<std::int64_t>(i));
    llvm::Value* pointer = builder.CreateGEP(builder.getInt8Ty(), slot, builder.getInt64(distance));
    builder.CreateAlignedStore(to_memory(emitter_, register_dtype(i), state[i]), pointer, llvm::Align(8));
  }
}

State Track::load(llvm::Value* slot, std::int64_t register_distance, unsigned lanes) const {
  auto& builder = emitter_.builder;
  State state;
  for (std::size_t i = 0; i < slots(); ++i) {
    const auto distance = static_cast<std::uint64_t>(8 * register_distance * static_cast<std::int64_t>(i));
    llvm::Value* pointer = builder.CreateGEP(builder.getInt8Ty(), slot, builder.getInt64(distance));
    llvm::Type* type = memory_type(builder.getContext(), register_dtype(i), lanes);
    state.push_back(to_register(emitter_, register_dtype(i), builder.CreateAlignedLoad(type, pointer, llvm::Align(8))));
  }
  return state;
}

Registers Track::apply(const Registers& accumulators, const Registers& elements) const {
  const BufferPointers none;
  BodyEmitter combine(emitter_, none, reduction_.combine);
  Point point;
  point.lanes = emitter_.lanes(elements[0]->getType());
  const std::size_t count = elements.size();
  for (std::size_t i = 0; i < count; ++i) {
    combine.set(static_cast<lower::InstId>(i), accumulators[i]);
    combine.set(static_cast<lower::InstId>(count + i), elements[i]);
  }
  combine.emit_all(point);
  Registers results;
  for (lower::InstId id : reduction_.combined) results.push_back(combine.value(id, point, point.lanes > 1));
  return results;
}

llvm::Value* Track::needs_order(const State& state, const Registers& inits) const {
  if (!lower::depends_on_nan_order(reduction_)) return nullptr;
  llvm::Value* start = inits[selection().key];
  return emitter_.builder.CreateOr(saw_nan(state), emitter_.builder.CreateFCmpUNO(start, start));
}

Registers Track::results(const State& state, const Registers& inits) const {
  Registers results;
  if (method_ == FoldMethod::in_order) return Registers(state.begin(), state.end() - 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const State part(state.begin() + static_cast<std::ptrdiff_t>(next),
                     state.begin() + static_cast<std::ptrdiff_t>(next + kinds_[i].registers()));
    results.push_back(final_value(emitter_, kinds_[i], take_element(emitter_, kinds_[i], part, inits[i])));
    next += kinds_[i].registers();
  }
  return results;
}

llvm::Value* Track::is_winner(const State& state, llvm::Value* key) const {
  auto& builder = emitter_.builder;
  const auto like_key = [&](llvm::Value* value) {
    const unsigned lanes = emitter_.lanes(key->getType());
    return lanes > 1 ? builder.CreateVectorSplat(lanes, value) : value;
  };
  if (!is_floating(kinds_[0].type)) return builder.CreateICmpEQ(key, like_key(state[0]));
  return builder.CreateSelect(like_key(saw_nan(state)), builder.CreateFCmpUNO(key, key),
                              builder.CreateFCmpOEQ(key, like_key(state[0])));
}

llvm::Value* Track::is_better(const State& later, const State& earlier) const {
  auto& builder = emitter_.builder;
  if (takes_last()) return builder.CreateNot(plainly_better(earlier[0], later[0]));
  if (!is_floating(kinds_[0].type)) return key_is_better(later[0], earlier[0]);
  llvm::Value* better = plainly_better(later[0], earlier[0]);
  return builder.CreateAnd(builder.CreateOr(saw_nan(later), better), builder.CreateNot(saw_nan(earlier)));
}

}  // namespace weft::codegen
