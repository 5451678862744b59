// Accumulators of the standard reductions: how a kind's state starts, takes an element, and ends.
#pragma once

#include "compiler/codegen/emitter.h"
#include "compiler/codegen/elements.h"
#include "compiler/ir/reductions.h"

namespace weft::codegen {

// The state of one standard reduction, a few registers of the same lane count. Minimum and maximum of floats keep the
// extreme by the plain machine instruction, whether a NaN was seen, and the bits of all elements (their sign decides
// between zeros): together exactly the IEEE-754 result, at the speed of the plain instruction.
struct AccumulatorKind {
  ir::ReductionKind kind;
  DType type;
  bool keeps_zero_sign = true;      // false for keys of selections, where -0 equals +0
  bool is_float_extreme() const;
  DType working_type() const;       // f16 and bf16 accumulate in f32
  std::size_t registers() const;    // 1; a float extreme takes 2, or 3 with the sign of zero
};

using State = std::vector<llvm::Value*>;

State empty_state(Emitter& emitter, const AccumulatorKind& kind, unsigned lanes);
State take_element(Emitter& emitter, const AccumulatorKind& kind, const State& state, llvm::Value* element);
// One element for each of some states. The flag of a NaN is then kept for every second state alone: one comparison
// tells of two elements. Lanes outside a mask (null: none are) keep the old state.
std::vector<State> take_elements(Emitter& emitter, const AccumulatorKind& kind, const std::vector<State>& states,
                                 const std::vector<llvm::Value*>& elements, const std::vector<llvm::Value*>& masks);
// The extreme of elements, of which there is at least one, by the plain machine instruction; the element of an empty
// state where a mask leaves one out.
llvm::Value* extreme_of(Emitter& emitter, const AccumulatorKind& kind, const std::vector<llvm::Value*>& elements);
// In which lanes some element is a NaN.
llvm::Value* nan_lanes(Emitter& emitter, const std::vector<llvm::Value*>& elements);
// The flag of a state, all ones or none a lane, after these elements.
llvm::Value* with_nan_flag(Emitter& emitter, llvm::Value* flag, const std::vector<llvm::Value*>& elements);
State combine_states(Emitter& emitter, const AccumulatorKind& kind, const State& a, const State& b);
// Lanes outside the mask keep the old state.
State keep_masked(Emitter& emitter, llvm::Value* mask, const State& fresh, const State& old);
// Lanes folded pairwise: lane l with lane l + half, until one is left.
State fold_lanes(Emitter& emitter, const AccumulatorKind& kind, State state, unsigned lanes);
// The value in register form of `kind.type`.
llvm::Value* final_value(Emitter& emitter, const AccumulatorKind& kind, const State& state);

}  // namespace weft::codegen
