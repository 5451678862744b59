// Emission of kernels without reductions: every point of the nest is independent.
#pragma once

#include "compiler/codegen/body.h"

namespace weft::codegen {

// The axis that vectors run along and how many elements of it one block of work has.
struct MapSchedule {
  int vector_axis = -1;         // -1: a nest without axes
  unsigned lanes = 1;
  std::int64_t chunk = 1;       // elements of the vector axis a block
  // Loads whose neighbours lie along this axis are read in squares of lanes x lanes and transposed in registers; -1: none.
  int tile_axis = -1;
  std::int64_t blocks = 1;      // of the whole nest, flat
};
// Lanes of a full register of the element width that is most common in the body.
unsigned choose_lanes(const lower::Kernel& kernel, const Target& target);
MapSchedule schedule_map(const lower::Kernel& kernel, const Target& target);

// Emits the blocks [begin, end) of the kernel at the builder's position.
void emit_map(Emitter& emitter, const lower::Kernel& kernel, const MapSchedule& schedule,
              const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end);

}  // namespace weft::codegen
