// Indices are constants, so that every access is at a constant place of its array.
#include "compiler/codegen/small_kernel.h"

#include <algorithm>

#include "compiler/codegen/fold_context.h"
#include "compiler/codegen/map_kernel.h"

namespace weft::codegen {
namespace {

using lower::AxisKind;
using lower::Kernel;

constexpr std::int64_t kMostPoints = 64;
constexpr std::int64_t kMostInstructions = 3000;  // of all points

std::int64_t points_of(const Kernel& kernel) {
  std::int64_t points = 1;
  for (const lower::Axis& axis : kernel.axes) points *= axis.extent;
  return points;
}

// Calls visit(index) for every point of the axes of a kind in row-major order.
template <class Visit>
void for_each_point(const Kernel& kernel, AxisKind kind, std::vector<std::int64_t> index, const Visit& visit) {
  std::vector<std::size_t> axes;
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (kernel.axes[axis].kind != kind) continue;
    axes.push_back(axis);
    count *= kernel.axes[axis].extent;
  }
  for (std::int64_t flat = 0; flat < count; ++flat) {
    std::int64_t rest = flat;
    for (std::size_t i = axes.size(); i-- > 0;) {
      index[axes[i]] = rest % kernel.axes[axes[i]].extent;
      rest /= kernel.axes[axes[i]].extent;
    }
    visit(index);
  }
}

Point scalar_point(llvm::IRBuilder<>& builder, const std::vector<std::int64_t>& index) {
  Point point;
  for (std::int64_t value : index) point.index.push_back(builder.getInt64(static_cast<std::uint64_t>(value)));
  return point;
}

void emit_body(BodyEmitter& body, const Kernel& kernel, const Point& point) {
  body.emit_uniform(point);
  for (const lower::Store& store : kernel.stores) body.store(store, point);
}

// Element i of a row belongs to lane i mod L; without lanes there is one.
class SmallFold {
 public:
  SmallFold(FoldContext& context) : c_(context) {}

  void emit() {
    const std::vector<std::int64_t> origin(c_.kernel.axes.size(), 0);
    for_each_point(c_.kernel, AxisKind::parallel, origin,
                   [&](const std::vector<std::int64_t>& at) { emit_point(at); });
  }

 private:
  void emit_point(const std::vector<std::int64_t>& at) {
    const std::size_t lanes = c_.schedule.order == lower::Order::lanes ? c_.schedule.virtual_lanes : 1;
    const States start = c_.start(c_.constant(0), 1);
    std::vector<std::vector<State>> states;
    for (const State& state : start) states.emplace_back(lanes, state);
    for_each_point(c_.kernel, AxisKind::reduction, at, [&](const std::vector<std::int64_t>& index) {
      const std::size_t lane = lanes == 1 ? 0 : static_cast<std::size_t>(index.back()) % lanes;
      const Point point = scalar_point(c_.builder, index);
      BodyEmitter body(c_.emitter, c_.buffers, c_.kernel.body);
      emit_body(body, c_.kernel, point);
      for (std::size_t t = 0; t < c_.tracks.size(); ++t)
        states[t][lane] = c_.tracks[t].take(states[t][lane], body, point, c_.constant(0));
    });
    States folded;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t)
      folded.push_back(c_.tracks[t].fold_registers(std::move(states[t]), 1));
    c_.write_results(folded, scalar_point(c_.builder, at), {});
  }

  FoldContext& c_;
};

bool has_simple_folds(const Kernel& kernel) {
  const lower::FoldSchedule schedule = lower::schedule_fold(kernel);
  if (schedule.blocks != 1) return false;
  return std::all_of(kernel.reductions.begin(), kernel.reductions.end(), [&](const lower::Reduction& reduction) {
    return lower::method_of(kernel, reduction, schedule.order) != lower::FoldMethod::selection;
  });
}

}  // namespace

bool is_small(const Kernel& kernel, const Target& target) {
  const std::int64_t points = points_of(kernel);
  const auto instructions = static_cast<std::int64_t>(kernel.body.size() + kernel.epilogue.size() + 1);
  if (points == 0 || points > kMostPoints || points * instructions > kMostInstructions) return false;
  if (!kernel.reductions.empty()) return has_simple_folds(kernel);
  const MapSchedule schedule = schedule_map(kernel, target);
  // Full vectors do more at once.
  return schedule.vector_axis < 0 ||
         kernel.axes[static_cast<std::size_t>(schedule.vector_axis)].extent < static_cast<std::int64_t>(schedule.lanes);
}

void emit_small(Emitter& emitter, const Kernel& kernel, const BufferPointers& buffers) {
  if (!kernel.reductions.empty()) {
    const lower::FoldSchedule schedule = lower::schedule_fold(kernel);
    FoldContext context(emitter, kernel, schedule, buffers);
    context.lanes = 1;
    SmallFold(context).emit();
    return;
  }
  const std::vector<std::int64_t> origin(kernel.axes.size(), 0);
  for_each_point(kernel, AxisKind::parallel, origin, [&](const std::vector<std::int64_t>& index) {
    BodyEmitter body(emitter, buffers, kernel.body);
    emit_body(body, kernel, scalar_point(emitter.builder, index));
  });
}

}  // namespace weft::codegen
