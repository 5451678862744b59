// Chooses between the two orders; what a work item is follows from the schedule.
#include "compiler/codegen/fold_kernel.h"

#include "compiler/codegen/fold_lanes.h"
#include "compiler/codegen/fold_rows.h"

namespace weft::codegen {

using lower::FoldSchedule;
using lower::Kernel;
using lower::Order;

FoldItems fold_items(const Kernel& kernel, const FoldSchedule& schedule) {
  std::int64_t points = schedule.points;
  if (schedule.order == Order::ascending) {
    const std::int64_t extent = kernel.axes[static_cast<std::size_t>(schedule.vector_axis)].extent;
    points = extent == 0 ? 0 : schedule.parallel_outer(kernel) * ((extent + schedule.tile - 1) / schedule.tile);
  }
  return {points * schedule.blocks, schedule.blocks > 1 ? points : 0};
}

void emit_fold_blocks(Emitter& emitter, const Kernel& kernel, const FoldSchedule& schedule,
                      const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
  FoldContext context(emitter, kernel, schedule, buffers);
  if (schedule.order == Order::lanes)
    emit_lane_blocks(context, begin, end);
  else
    emit_row_blocks(context, begin, end);
}

void emit_fold_finish(Emitter& emitter, const Kernel& kernel, const FoldSchedule& schedule,
                      const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
  FoldContext context(emitter, kernel, schedule, buffers);
  if (schedule.order == Order::lanes)
    emit_lane_finish(context, begin, end);
  else
    emit_row_finish(context, begin, end);
}

}  // namespace weft::codegen
