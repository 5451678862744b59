// Maps have one phase; folds a second one where a point has several blocks.
#include "compiler/codegen/kernel_phases.h"

#include <algorithm>

#include "compiler/codegen/fold_kernel.h"
#include "compiler/codegen/map_kernel.h"
#include "compiler/lower/cost.h"

namespace weft::codegen {

std::vector<KernelPhase> phases_of(Emitter& emitter, const lower::Kernel& kernel) {
  const bool parallel = lower::serial_nanoseconds(kernel) > lower::kParallelNanoseconds;
  Emitter* const to = &emitter;
  const lower::Kernel* const of = &kernel;
  std::vector<KernelPhase> phases;
  if (kernel.reductions.empty()) {
    const MapSchedule schedule = schedule_map(kernel, emitter.target);
    phases.push_back({kernel.name, schedule.blocks, parallel && schedule.blocks > 1,
                      [=](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
                        emit_map(*to, *of, schedule, buffers, begin, end);
                      }});
  } else {
    const lower::FoldSchedule schedule = lower::schedule_fold(kernel);
    const FoldItems items = fold_items(kernel, schedule);
    phases.push_back({kernel.name, items.block_items, parallel && items.block_items > 1,
                      [=](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
                        emit_fold_blocks(*to, *of, schedule, buffers, begin, end);
                      }});
    phases.push_back({kernel.name + "_finish", items.finish_items, parallel && items.finish_items > 1,
                      [=](const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
                        emit_fold_finish(*to, *of, schedule, buffers, begin, end);
                      }});
  }
  if (phases[0].items == 0) return {};
  std::erase_if(phases, [](const KernelPhase& phase) { return phase.items == 0; });
  return phases;
}

std::vector<lower::BufferId> buffers_of(const lower::Kernel& kernel) {
  std::vector<lower::BufferId> buffers;
  lower::for_each_buffer(kernel, [&](lower::BufferId buffer) { buffers.push_back(buffer); });
  std::sort(buffers.begin(), buffers.end());
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  return buffers;
}

}  // namespace weft::codegen
