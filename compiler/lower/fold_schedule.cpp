// Unit-stride reductions get lanes along the reduced axis; those with a contiguous free axis go down it row
// by row.
#include "compiler/lower/fold_schedule.h"

#include <algorithm>

#include "compiler/lower/cost.h"

namespace weft::lower {
namespace {

constexpr std::int64_t kBlockElements = 4096;  // of a block with lanes
constexpr std::int64_t kBlockRows = 1024;      // of a block that ascends
constexpr std::int64_t kTile = 512;            // columns whose states stay in the first-level cache
constexpr std::int64_t kRowsTogether = 4;      // a state is loaded and stored once for so many rows
constexpr std::int64_t kManyRows = 64;         // looking up four of them at the end is little against these
constexpr std::int64_t kFewElements = 16;      // reduced domains that lanes would not fill

constexpr std::int64_t kShortRow = 64;  // a row that lanes fill at most once

constexpr std::size_t kLongBody = 24;  // instructions

bool is_half_or_float(DType type) { return is_floating(type); }

// Registers a lane of the state takes: a float extreme keeps value, bits and a NaN flag.
std::size_t registers_of(DType type, ir::ReductionKind kind) {
  const bool extreme = kind == ir::ReductionKind::minimum || kind == ir::ReductionKind::maximum;
  return is_half_or_float(type) && extreme ? 3 : 1;
}

std::size_t working_size(DType type) { return is_half(type) ? 4 : size_of(type); }

std::int64_t product(const std::vector<Axis>& axes, AxisKind kind) {
  std::int64_t points = 1;
  for (const Axis& axis : axes)
    if (axis.kind == kind) points *= axis.extent;
  return points;
}

// How often an access of the body walks an axis by `step`, against how often it jumps.
struct Walk {
  int contiguous = 0, strided = 0;
};
Walk walk_of(const Kernel& kernel, std::size_t axis) {
  Walk walk;
  const auto count = [&](const Access& access) {
    const std::int64_t stride = axis < access.strides.size() ? access.strides[axis] : 0;
    if (stride == 1 || stride == -1)
      ++walk.contiguous;
    else if (stride != 0)
      ++walk.strided;
  };
  for (const Inst& inst : kernel.body)
    if (inst.kind == Inst::Kind::load) count(inst.access);
  for (const Store& store : kernel.stores) count(store.access);
  return walk;
}

bool is_costly(const Kernel& kernel) {
  int cost = 0;
  for (const Inst& inst : kernel.body) {
    if (inst.kind == Inst::Kind::fma) ++cost;
    if (inst.kind == Inst::Kind::element) cost += is_cheap(inst.op) ? 1 : 12;
  }
  return cost > 24;
}

unsigned choose_lanes(const Kernel& kernel) {
  std::size_t bytes = 0, width = 1;
  for (const Reduction& reduction : kernel.reductions) {
    const FoldMethod method = method_of(kernel, reduction, Order::lanes);
    if (method == FoldMethod::in_order) return 1;
    for (std::size_t i = 0; i < reduction.types.size(); ++i) {
      const bool is_key = method == FoldMethod::selection && i == reduction.reducer.selection->key;
      if (method == FoldMethod::selection && !is_key) continue;
      const std::size_t registers = is_key
                                        ? (is_half_or_float(reduction.types[i]) ? 2 : 1)
                                        : registers_of(reduction.types[i], *reduction.reducer.components[i]);
      bytes += registers * working_size(reduction.types[i]);
      width = std::max(width, working_size(reduction.types[i]));
    }
  }
  // 12 registers of 32 bytes hold the state on AVX2.
  unsigned lanes = 64;
  while (lanes > 8 && lanes * bytes > 12 * 32) lanes /= 2;
  if (is_costly(kernel)) lanes = std::min(lanes, width >= 8 ? 8u : 16u);
  return lanes;
}

void cut_lanes(FoldSchedule& schedule, const Kernel& kernel) {
  const auto last = kernel.axes.size() - 1;
  schedule.order = Order::lanes;
  schedule.inner = kernel.axes[last].extent;
  schedule.outer = schedule.inner == 0 ? 0 : product(kernel.axes, AxisKind::reduction) / schedule.inner;
  schedule.virtual_lanes = choose_lanes(kernel);
  schedule.vector_axis = schedule.virtual_lanes == 1 ? -1 : static_cast<int>(last);
  schedule.chunk = std::min(schedule.inner, kBlockElements);
  if (schedule.inner == 0 || schedule.outer == 0) return;
  schedule.chunks = (schedule.inner + schedule.chunk - 1) / schedule.chunk;
  schedule.rows = std::min(schedule.outer, std::max<std::int64_t>(1, kBlockElements / schedule.inner));
  schedule.blocks = schedule.chunks * ((schedule.outer + schedule.rows - 1) / schedule.rows);
  // One search in a million elements is free; one in every short row is not.
  const bool finds_last =
      std::any_of(kernel.reductions.begin(), kernel.reductions.end(), [&](const Reduction& reduction) {
        return method_of(kernel, reduction, Order::lanes) == FoldMethod::selection && takes_last(reduction);
      });
  schedule.notes_steps =
      schedule.virtual_lanes > 1 && schedule.blocks == 1 && schedule.points > 1 && !finds_last;
}

void cut_ascending(FoldSchedule& schedule, const Kernel& kernel, std::size_t axis) {
  schedule.order = Order::ascending;
  schedule.vector_axis = static_cast<int>(axis);
  schedule.outer = product(kernel.axes, AxisKind::reduction);
  schedule.rows = std::min(std::max<std::int64_t>(schedule.outer, 1), kBlockRows);
  schedule.blocks = std::max<std::int64_t>(1, (schedule.outer + schedule.rows - 1) / schedule.rows);
  schedule.tile = std::min(kernel.axes[axis].extent, kTile);
  schedule.rows_together =
      schedule.has_long_body ? 1 : std::clamp<std::int64_t>(schedule.outer, 1, kRowsTogether);
  schedule.notes_groups = schedule.rows_together > 1 && schedule.outer >= kManyRows;
}

// The parallel axis that vectors may go down: one that some access walks contiguously, else the last.
int free_axis(const Kernel& kernel) {
  int best = -1;
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (kernel.axes[axis].kind != AxisKind::parallel) continue;
    if (best < 0 ||
        walk_of(kernel, axis).contiguous >= walk_of(kernel, static_cast<std::size_t>(best)).contiguous)
      best = static_cast<int>(axis);
  }
  return best;
}

bool ascends(const Inst& position, const std::vector<Axis>& axes) {
  if (position.kind != Inst::Kind::position || !position.access.terms.empty()) return false;
  std::int64_t below = 0;  // the most that faster axes add
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const std::int64_t stride = position.access.strides[axis];
    if (axes[axis].kind == AxisKind::parallel) {
      if (stride != 0) return false;
      continue;
    }
    if (axes[axis].extent > 1 && stride <= below) return false;
    below += stride * (axes[axis].extent - 1);
  }
  const std::int64_t top = position.access.offset + below;
  const int bits = static_cast<int>(8 * size_of(position.type)) - (is_signed(position.type) ? 1 : 0);
  return is_integer(position.type) && position.access.offset >= 0 &&
         (bits >= 63 || top < (std::int64_t{1} << bits));
}

// Sums of products: the free axis is walked as well as the reduced one, or this one only in short rows.
bool free_is_smoother(const Kernel& kernel, std::size_t free, std::size_t last) {
  const Walk down = walk_of(kernel, free), along = walk_of(kernel, last);
  if (down.contiguous == 0 || down.strided > 0 || kernel.axes[free].extent < kFewElements) return false;
  return kernel.axes[last].extent < kShortRow || (down.contiguous >= along.contiguous && along.strided > 0);
}

}  // namespace

bool takes_last(const Reduction& reduction) {
  const ir::Selection::Tie tie = reduction.reducer.selection->tie;
  return tie == ir::Selection::Tie::last || tie == ir::Selection::Tie::larger_payload;
}

bool depends_on_nan_order(const Reduction& reduction) {
  const ir::Selection& selection = *reduction.reducer.selection;
  if (!is_floating(reduction.types[selection.key])) return false;
  return selection.nan != ir::Selection::Nan::wins || takes_last(reduction);
}

FoldMethod method_of(const Kernel& kernel, const Reduction& reduction, Order order) {
  if (reduction.reducer.all_standard()) return FoldMethod::standard;
  if (!reduction.reducer.selection) return FoldMethod::in_order;
  // Down a free axis the body is applied to whole vectors: as fast, and right for every selection.
  if (order == Order::ascending && (depends_on_nan_order(reduction) || takes_last(reduction)))
    return FoldMethod::in_order;
  const ir::Selection& selection = *reduction.reducer.selection;
  const bool by_payload = selection.tie == ir::Selection::Tie::smaller_payload ||
                          selection.tie == ir::Selection::Tie::larger_payload;
  if (by_payload && !ascends(kernel.body[reduction.operands[selection.tie_payload]], kernel.axes))
    return FoldMethod::in_order;
  return FoldMethod::selection;
}

FoldSchedule schedule_fold(const Kernel& kernel) {
  FoldSchedule schedule;
  schedule.points = product(kernel.axes, AxisKind::parallel);
  schedule.has_long_body = is_costly(kernel) || kernel.body.size() > kLongBody;
  const int free = free_axis(kernel);
  const std::size_t last = kernel.axes.size() - 1;
  const std::int64_t reduced = product(kernel.axes, AxisKind::reduction);
  const Walk along = walk_of(kernel, last);
  const bool free_is_better =
      free >= 0 && kernel.axes[static_cast<std::size_t>(free)].extent > 1 &&
      (walk_of(kernel, static_cast<std::size_t>(free)).contiguous > along.contiguous ||
       reduced <= kFewElements ||
       (along.contiguous == 0 && kernel.axes[static_cast<std::size_t>(free)].extent >= kFewElements) ||
       free_is_smoother(kernel, static_cast<std::size_t>(free), last));
  if (free_is_better)
    cut_ascending(schedule, kernel, static_cast<std::size_t>(free));
  else
    cut_lanes(schedule, kernel);
  return schedule;
}

std::int64_t FoldSchedule::parallel_outer(const Kernel& kernel) const {
  if (vector_axis < 0 || order == Order::lanes) return points;
  const std::int64_t extent = kernel.axes[static_cast<std::size_t>(vector_axis)].extent;
  return extent == 0 ? 0 : points / extent;
}

std::int64_t FoldSchedule::padded_extent(const Kernel& kernel) const {
  return (kernel.axes[static_cast<std::size_t>(vector_axis)].extent + 63) / 64 * 64;
}

std::int64_t scratch_bytes(const Kernel& kernel, const FoldSchedule& schedule) {
  if (schedule.blocks <= 1) return 0;
  const std::int64_t points = schedule.order == Order::lanes
                                  ? schedule.points
                                  : schedule.parallel_outer(kernel) * schedule.padded_extent(kernel);
  return 8 * points * schedule.blocks * state_slots(kernel, schedule.order);
}

std::int64_t state_slots(const Kernel& kernel, Order order) {
  std::int64_t slots = 0;
  for (const Reduction& reduction : kernel.reductions) {
    switch (method_of(kernel, reduction, order)) {
      case FoldMethod::selection:
        slots += 3;
        break;  // key, NaN flag, position
      case FoldMethod::in_order:
        slots += static_cast<std::int64_t>(reduction.types.size()) + 1;
        break;
      case FoldMethod::standard:
        for (std::size_t i = 0; i < reduction.types.size(); ++i)
          slots +=
              static_cast<std::int64_t>(registers_of(reduction.types[i], *reduction.reducer.components[i]));
    }
  }
  return slots;
}

}  // namespace weft::lower
