// Track: the running state of one reduction of a kernel, whatever its method.
#pragma once

#include "compiler/codegen/accumulator.h"
#include "compiler/codegen/body.h"
#include "compiler/lower/fold_schedule.h"

namespace weft::codegen {

// A state is a short list of registers of equal lane count. By method:
//   standard   the accumulators of every component
//   selection  the key's extreme (and NaN flag); where vectors go down a free axis also the position of the winner;
//              with lanes and many short rows, instead, one register for all: the extreme, the NaN flag, and the
//              first step in which it came (NaN aside)
//   in_order   the k values so far, and whether there are any
// In one block, what goes in order is a left fold from the inits: body(body(init, x0), x1) …
class Track {
 public:
  Track(Emitter& emitter, const lower::Kernel& kernel, const lower::Reduction& reduction,
        const lower::FoldSchedule& schedule);

  lower::FoldMethod method() const { return method_; }
  bool keeps_position() const { return keeps_position_; }
  bool notes_step() const { return notes_step_; }
  bool takes_last() const { return lower::takes_last(reduction_); }
  // The state before the first element of a block. What goes in order starts from the inits in the first block.
  State start(unsigned lanes, const std::vector<llvm::Value*>& inits, llvm::Value* is_first_block) const;
  // The state after one more element (of every lane); `position` is its row in the reduced domain, or its step.
  State take(const State& state, const BodyEmitter& body, const Point& point, llvm::Value* position) const;
  // Selections that keep positions: the state of one element alone.
  State of_element(const BodyEmitter& body, const Point& point, llvm::Value* position) const;
  // Selections that keep positions: the state after a group of elements whose keys these are; the position is the group's.
  State take_group(const State& state, const std::vector<llvm::Value*>& keys, llvm::Value* group) const;
  State combine(const State& earlier, const State& later) const;
  // Lanes: the states after one step, in which register r takes element r (of each operand) where its mask says so; a
  // null mask says so everywhere.
  std::vector<State> take_step(const std::vector<State>& states, const std::vector<std::vector<llvm::Value*>>& elements,
                               const std::vector<llvm::Value*>& masks, llvm::Value* step) const;
  std::vector<llvm::Value*> elements(const BodyEmitter& body, const Point& point) const;
  // How many registers the state has where `registers` hold the elements of a step.
  unsigned registers(unsigned registers) const { return notes_step_ ? 1 : registers; }
  // Lanes: one element of all registers and their lanes.
  State fold_registers(std::vector<State> registers, unsigned lanes) const;
  llvm::Value* saw_nan(const State& state) const;  // null for integer keys

  // Partial states in memory: one slot of 8 bytes a register and lane; lanes lie `lane` apart.
  std::size_t slots() const;
  void save(const State& state, llvm::Value* slot, std::int64_t register_distance) const;
  State load(llvm::Value* slot, std::int64_t register_distance, unsigned lanes) const;

  // Results in register form from the finished state and the inits; not for selections.
  std::vector<llvm::Value*> results(const State& state, const std::vector<llvm::Value*>& inits) const;
  std::size_t key() const { return selection().key; }
  // Selections that keep positions: is this the key of the state (or a NaN, when that is one)?
  llvm::Value* has_key(const State& state, llvm::Value* key) const;
  // Selections: does the key of an element equal the winning key (or is it a NaN, when one was seen)?
  llvm::Value* is_winner(const State& state, llvm::Value* key) const;
  // Selections: does `later` win over `earlier`?
  llvm::Value* is_better(const State& later, const State& earlier) const;
  const lower::Reduction& reduction() const { return reduction_; }

  // The body.
  std::vector<llvm::Value*> apply(const std::vector<llvm::Value*>& accumulators,
                                  const std::vector<llvm::Value*>& elements) const;
  // Selections: must all be folded in order, since a NaN came and the body does not let it win? Null: never.
  llvm::Value* needs_order(const State& state, const std::vector<llvm::Value*>& inits) const;

 private:
  State note_step(const State& state, const std::vector<llvm::Value*>& keys, const std::vector<llvm::Value*>& masks,
                  llvm::Value* step) const;
  State fold_lanes(State state, unsigned lanes) const;
  State fold_steps(const State& state, unsigned lanes) const;
  llvm::Value* splat(llvm::Value* position, DType type, unsigned lanes) const;
  llvm::Value* plainly_better(llvm::Value* key, llvm::Value* best) const;
  llvm::Value* key_is_better(llvm::Value* key, llvm::Value* best) const;
  DType register_dtype(std::size_t index) const;
  unsigned lanes_of(const State& state) const;
  const ir::Selection& selection() const { return *reduction_.reducer.selection; }

  Emitter& emitter_;
  const lower::Reduction& reduction_;
  lower::FoldMethod method_;
  bool keeps_position_ = false;
  bool notes_step_ = false;
  DType position_type_ = DType::i64;    // of rows of the reduced domain
  std::vector<AccumulatorKind> kinds_;  // standard: of every component; selection: of the key
};

}  // namespace weft::codegen
