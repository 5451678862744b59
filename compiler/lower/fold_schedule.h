// The order of a reducing kernel: which axis vectors run along, and how the reduced domain is cut into blocks.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

// All of it follows from graph, shape and dtype, never from target or threads, so that the bits of a result depend on
// neither. A block folds a fixed part of the reduced domain; the blocks of a point are then combined pairwise.
struct FoldSchedule {
  Order order = Order::lanes;
  // Vectors run along this axis: the last reduced one (lanes) or a parallel one (ascending); -1: one element at a time.
  int vector_axis = -1;
  unsigned virtual_lanes = 1;   // lanes: how many elements of the vector axis are folded side by side
  std::int64_t points = 1;      // of the parallel axes
  std::int64_t outer = 1;       // lanes: points of the reduced axes but the vector axis. ascending: of all reduced axes
  std::int64_t inner = 1;       // lanes: extent of the vector axis. ascending: 1
  std::int64_t rows = 1;        // of `outer` a block
  std::int64_t chunk = 1;       // of `inner` a block
  std::int64_t chunks = 1;      // a row
  std::int64_t blocks = 1;      // a point
  bool notes_steps = false;     // lanes: selections note in which step a lane's winner came, instead of searching it
  bool has_long_body = false;   // its code is big: emitted as few times as can be
  // ascending: rows that are folded together before they meet the state; of a selection such a group may be noted, and
  // the row looked up at the end.
  std::int64_t rows_together = 1;
  bool notes_groups = false;
  std::int64_t tile = 1;        // ascending: elements of the vector axis a work item

  // ascending: points of the parallel axes but the vector axis, and the vector axis with room for a last full vector
  std::int64_t parallel_outer(const Kernel& kernel) const;
  std::int64_t padded_extent(const Kernel& kernel) const;
};
FoldSchedule schedule_fold(const Kernel& kernel);

// How a reduction of the kernel is carried out.
enum class FoldMethod : std::uint8_t {
  standard,   // every component by its kind
  selection,  // fold the key, then find the position that has it
  in_order,   // apply the body from left to right
};
FoldMethod method_of(const Kernel& kernel, const Reduction& reduction, Order order);
// Selections: of equal keys the last wins, not the first.
bool takes_last(const Reduction& reduction);
// Selections: a NaN does not simply win, so that an input with one must be folded in order.
bool depends_on_nan_order(const Reduction& reduction);

// What the partial states of all blocks take: [point][block][slot] with lanes, [block][slot][point] when ascending,
// 8 bytes a slot. Zero when every point has one block.
std::int64_t scratch_bytes(const Kernel& kernel, const FoldSchedule& schedule);

// Registers of 8 bytes that the partial state of all reductions takes, a block and point.
std::int64_t state_slots(const Kernel& kernel, Order order);

}  // namespace weft::lower
