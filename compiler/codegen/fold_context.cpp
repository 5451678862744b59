// Set-up of a reducing kernel, and its end: winners are evaluated, inits applied, the epilogue run.
#include "compiler/codegen/fold_context.h"

#include <algorithm>

#include "compiler/codegen/map_kernel.h"
#include "compiler/codegen/refold.h"

namespace weft::codegen {

FoldContext::FoldContext(Emitter& emitter, const lower::Kernel& kernel, const lower::FoldSchedule& schedule,
                         const BufferPointers& buffers)
    : emitter(emitter), builder(emitter.builder), kernel(kernel), schedule(schedule), buffers(buffers) {
  BodyEmitter setup(emitter, buffers, kernel.setup);
  Point nowhere;
  nowhere.index.assign(kernel.axes.size(), constant(0));
  setup.emit_uniform(nowhere);
  for (const lower::Reduction& reduction : kernel.reductions) {
    tracks.emplace_back(emitter, kernel, reduction, schedule);
    slots += tracks.back().slots();
    inits.emplace_back();
    for (lower::InstId init : reduction.inits) inits.back().push_back(setup.value(init, nowhere, false));
  }
  lanes = schedule.vector_axis < 0 ? 1 : choose_lanes(kernel, emitter.target);
  if (schedule.order == lower::Order::lanes) lanes = std::min(lanes, schedule.virtual_lanes);
}

llvm::Value* FoldContext::smaller(llvm::Value* a, std::int64_t b) {
  return builder.CreateSelect(builder.CreateICmpSLT(a, constant(b)), a, constant(b));
}

std::vector<std::size_t> FoldContext::axes_of(lower::AxisKind kind) const {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis)
    if (kernel.axes[axis].kind == kind) axes.push_back(axis);
  return axes;
}

std::vector<std::int64_t> FoldContext::extents_of(const std::vector<std::size_t>& axes) const {
  std::vector<std::int64_t> extents;
  for (std::size_t axis : axes) extents.push_back(kernel.axes[axis].extent);
  return extents;
}

llvm::Value* FoldContext::stack(std::int64_t bytes) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::AllocaInst* memory =
      at_entry.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), static_cast<std::uint64_t>(bytes)));
  memory->setAlignment(llvm::Align(64));
  return memory;
}

States FoldContext::start(llvm::Value* block, unsigned lanes) const {
  llvm::Value* is_first = schedule.blocks <= 1
                              ? static_cast<llvm::Value*>(builder.getTrue())
                              : builder.CreateICmpEQ(block, llvm::Constant::getNullValue(block->getType()));
  States states;
  for (std::size_t t = 0; t < tracks.size(); ++t)
    states.push_back(tracks[t].start(lanes, inits[t], is_first));
  return states;
}

// The operands of a selection at its winner, whose key may be known.
Values FoldContext::elements_at(const Track& track, const Point& winner, llvm::Value* key) {
  const std::size_t key_operand = track.reduction().reducer.selection->key;
  std::vector<lower::InstId> wanted = track.reduction().operands;
  if (key) wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(key_operand));
  BodyEmitter body(emitter, buffers, kernel.body);
  body.restrict_to(wanted);
  body.emit_uniform(winner);
  body.emit_varying(winner);
  Values elements;
  for (lower::InstId operand : wanted) elements.push_back(body.value(operand, winner, winner.lanes > 1));
  if (key) elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(key_operand), key);
  return elements;
}

void FoldContext::write_results(const States& states, const Point& point, const Locate& locate) {
  BodyEmitter epilogue(emitter, buffers, kernel.epilogue);
  const bool vector = point.lanes > 1;
  for (std::size_t number = 0; number < tracks.size(); ++number) {
    const Track& track = tracks[number];
    std::vector<llvm::Value*> starts = inits[number];
    if (vector)
      for (llvm::Value*& init : starts) init = builder.CreateVectorSplat(point.lanes, init);
    std::vector<llvm::Value*> results;
    if (track.method() != lower::FoldMethod::selection) {
      results = track.results(states[number], starts);
    } else if (schedule.outer == 0) {
      results = starts;
    } else {
      Point winner = point;
      llvm::Value* key = locate(number, winner);
      const std::vector<llvm::Value*> elements = elements_at(track, winner, key);
      results = track.apply(starts, elements);
      if (llvm::Value* in_order = track.needs_order(states[number], starts))
        results = unless_nan(*this, number, point, starts, in_order, results);
    }
    for (lower::InstId id = 0; id < kernel.epilogue.size(); ++id) {
      const lower::Inst& inst = kernel.epilogue[id];
      if (inst.kind == lower::Inst::Kind::result && inst.reduction == number)
        epilogue.set(id, results[inst.reduction_result]);
    }
  }
  epilogue.emit_uniform(point);
  epilogue.emit_varying(point);
  for (const lower::Store& store : kernel.epilogue_stores) epilogue.store(store, point);
}

}  // namespace weft::codegen
