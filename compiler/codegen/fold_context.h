// What the emitters of the two orders of reduction share. Private to codegen's fold_*.cpp.
#pragma once

#include <deque>

#include "compiler/codegen/loops.h"
#include "compiler/codegen/track.h"

namespace weft::codegen {

using States = std::vector<State>;  // one a track

struct FoldContext {
  FoldContext(Emitter& emitter, const lower::Kernel& kernel, const lower::FoldSchedule& schedule,
              const BufferPointers& buffers);

  Emitter& emitter;
  llvm::IRBuilder<>& builder;
  const lower::Kernel& kernel;
  const lower::FoldSchedule& schedule;
  const BufferPointers& buffers;
  std::deque<Track> tracks;
  std::vector<std::vector<llvm::Value*>> inits;  // of each track, scalars
  std::size_t slots = 0;                         // of all tracks
  unsigned lanes = 1;                            // of a register

  llvm::Value* constant(std::int64_t value) { return builder.getInt64(static_cast<std::uint64_t>(value)); }
  llvm::Value* smaller(llvm::Value* a, std::int64_t b);
  std::vector<std::size_t> axes_of(lower::AxisKind kind) const;
  std::vector<std::int64_t> extents_of(const std::vector<std::size_t>& axes) const;
  llvm::Value* stack(std::int64_t bytes);  // in the entry block of the function
  // The states of all tracks before the first element of `block`.
  States start(llvm::Value* block, unsigned lanes) const;

  // The results of every reduction at `point` go through the epilogue into memory. For selections `locate` moves the
  // point (scalar or a vector a lane) to the winner, and gives its key if that is known.
  using Locate = std::function<llvm::Value*(std::size_t track, Point& point)>;
  void write_results(const States& states, const Point& point, const Locate& locate);

 private:
  Values elements_at(const Track& track, const Point& winner, llvm::Value* key);
};

}  // namespace weft::codegen
