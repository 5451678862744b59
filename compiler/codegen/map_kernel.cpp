// Outer axes are walked flat; the vector axis in full vectors, then one masked vector.
#include "compiler/codegen/map_kernel.h"

#include <algorithm>

#include "compiler/codegen/loops.h"

namespace weft::codegen {

using lower::Inst;
using lower::Kernel;

namespace {

constexpr std::int64_t kChunk = 4096;  // elements of the vector axis a block: 16 KiB of f32

// What one access costs when vectors run along `axis`: nothing repeated, one load, or a gather.
std::int64_t access_cost(const lower::Access& access, std::size_t axis) {
  const std::int64_t stride = axis < access.strides.size() ? access.strides[axis] : 0;
  if (stride == 0) return 0;
  return stride == 1 ? 1 : stride == -1 ? 2 : 8;
}

int cheapest_axis(const Kernel& kernel) {
  int best = -1;
  std::int64_t best_cost = 0;
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    std::int64_t cost = 0;
    for (const Inst& inst : kernel.body)
      if (inst.kind == Inst::Kind::load) cost += access_cost(inst.access, axis);
    for (const auto& store : kernel.stores) {
      const std::int64_t stride = store.access.strides[axis];
      cost += stride == 1 ? 1 : 12;  // a scatter costs more than a gather
    }
    // An axis shorter than a vector wastes lanes.
    if (kernel.axes[axis].extent < 16) cost = cost * 16 / std::max<std::int64_t>(kernel.axes[axis].extent, 1);
    if (best < 0 || cost <= best_cost) {
      best = static_cast<int>(axis);
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace

unsigned choose_lanes(const Kernel& kernel, const Target& target) {
  std::size_t count[9] = {};
  for (const Inst& inst : kernel.body) {
    if (inst.kind == Inst::Kind::literal || inst.type == DType::b1) continue;
    ++count[is_half(inst.type) ? 4 : size_of(inst.type)];
  }
  const bool has_only_booleans = std::all_of(std::begin(count), std::end(count), [](std::size_t n) { return n == 0; });
  std::size_t width = has_only_booleans ? 1 : 4;
  for (std::size_t candidate : {1, 2, 4, 8})
    if (count[candidate] > count[width] || (candidate > width && count[candidate] == count[width] && count[width]))
      width = candidate;
  return static_cast<unsigned>(static_cast<std::size_t>(target.vector_bytes) / width);
}

MapSchedule schedule_map(const Kernel& kernel, const Target& target) {
  MapSchedule schedule;
  schedule.vector_axis = cheapest_axis(kernel);
  if (schedule.vector_axis < 0) return schedule;
  const std::int64_t extent = kernel.axes[static_cast<std::size_t>(schedule.vector_axis)].extent;
  schedule.lanes = choose_lanes(kernel, target);
  schedule.chunk = std::min(extent, kChunk);
  std::int64_t points = 1;
  for (const auto& axis : kernel.axes) points *= axis.extent;
  schedule.blocks = points == 0 ? 0 : points / extent * ((extent + schedule.chunk - 1) / schedule.chunk);
  return schedule;
}

void emit_map(Emitter& emitter, const Kernel& kernel, const MapSchedule& schedule, const BufferPointers& buffers,
              llvm::Value* begin, llvm::Value* end) {
  auto& builder = emitter.builder;
  BodyEmitter body(emitter, buffers, kernel.body);
  const auto emit_point = [&](const Point& point) {
    body.emit_varying(point);
    for (const auto& store : kernel.stores) body.store(store, point);
  };
  if (schedule.vector_axis < 0) {
    Point point;
    body.emit_uniform(point);
    emit_point(point);
    return;
  }
  const auto vector_axis = static_cast<std::size_t>(schedule.vector_axis);
  const std::int64_t extent = kernel.axes[vector_axis].extent;
  std::vector<std::int64_t> extents;  // of the outer axes, then of the chunks
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis)
    if (axis != vector_axis) extents.push_back(kernel.axes[axis].extent);
  extents.push_back((extent + schedule.chunk - 1) / schedule.chunk);

  emit_loop(emitter, begin, end, 1, {}, [&](llvm::Value* block, const Values&) -> Values {
    const Values outer = split_index(emitter, block, extents);
    Point point;
    point.vector_axis = schedule.vector_axis;
    point.lanes = schedule.lanes;
    for (std::size_t axis = 0, next = 0; axis < kernel.axes.size(); ++axis)
      point.index.push_back(axis == vector_axis ? nullptr : outer[next++]);
    const auto constant = [&](std::int64_t value) { return builder.getInt64(static_cast<std::uint64_t>(value)); };
    llvm::Value* first = builder.CreateMul(outer.back(), constant(schedule.chunk));
    llvm::Value* last = builder.CreateAdd(first, constant(schedule.chunk));
    last = builder.CreateSelect(builder.CreateICmpSLT(last, constant(extent)), last, constant(extent));
    point.index[vector_axis] = first;
    body.emit_uniform(point);
    const auto lanes = static_cast<std::int64_t>(schedule.lanes);
    llvm::Value* length = builder.CreateSub(last, first);
    llvm::Value* whole = builder.CreateAdd(first, builder.CreateAnd(length, constant(-lanes)));
    emit_loop(emitter, first, whole, lanes, {}, [&](llvm::Value* i, const Values&) -> Values {
      point.index[vector_axis] = i;
      emit_point(point);
      return {};
    });
    if (extent % lanes != 0) {
      emit_if(emitter, builder.CreateICmpSLT(whole, last), [&] {
        point.index[vector_axis] = whole;
        point.mask = lane_mask(emitter, builder.CreateSub(last, whole), schedule.lanes);
        emit_point(point);
        point.mask = nullptr;
      });
    }
    return {};
  });
}

}  // namespace weft::codegen
