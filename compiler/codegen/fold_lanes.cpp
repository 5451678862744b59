// Element i of a chunk belongs to virtual lane i mod L; lanes are folded pairwise at the end of a block, l
// with l + L/2.
#include "compiler/codegen/fold_lanes.h"

#include <algorithm>

#include "compiler/codegen/find_winner.h"

namespace weft::codegen {
namespace {

using lower::AxisKind;

std::int64_t steps_of_a_row(const FoldContext& c) {
  const auto step = static_cast<std::int64_t>(c.schedule.virtual_lanes);
  return (c.schedule.inner + step - 1) / step;
}

using Lanes = std::vector<std::vector<State>>;  // the states of each track, a register each

class LaneFolder {
 public:
  explicit LaneFolder(FoldContext& context)
      : c_(context), b_(context.builder), body_(context.emitter, context.buffers, context.kernel.body) {
    registers_ = std::max(1u, c_.schedule.virtual_lanes / c_.lanes);
    if (tail_length() != 0 && !is_masked() && !has_short_tail())
      tail_ = c_.stack(static_cast<std::int64_t>(registers_ * c_.lanes * c_.slots * 8));
  }

  // The states of all tracks over a part of the reduced domain, folded to one element.
  States fold(const Point& at, llvm::Value* block, const Range& range) {
    const States start = c_.start(block, c_.lanes);
    Lanes lanes;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t)
      lanes.emplace_back(c_.tracks[t].registers(registers_), start[t]);
    const auto row = [&](llvm::Value* number, const Values& current) {
      return flat(fold_row(at, range, number, nested(current)));
    };
    Values carried = flat(lanes);
    if (c_.schedule.outer == 1)
      carried = row(c_.constant(0), carried);
    else
      carried = emit_loop(c_.emitter, range.first_row, range.last_row, 1, carried, row);
    States states;
    lanes = nested(carried);
    for (std::size_t t = 0; t < c_.tracks.size(); ++t)
      states.push_back(c_.tracks[t].fold_registers(std::move(lanes[t]), c_.lanes));
    return states;
  }

 private:
  using Mask = std::function<llvm::Value*(unsigned r)>;  // null: all lanes

  // What is left of the last chunk after its full steps.
  std::int64_t tail_length() const { return c_.schedule.inner % c_.schedule.virtual_lanes; }
  // Every row ends in it, and it costs little to spell out.
  bool has_short_tail() const {
    return c_.schedule.chunks == 1 && (!c_.schedule.has_long_body || c_.schedule.inner < c_.schedule.virtual_lanes);
  }
  // A long body is spelt out once: its steps are all masked, where masks cost next to nothing.
  bool is_masked() const {
    return c_.schedule.has_long_body && c_.lanes > 1 && c_.emitter.target.isa == Isa::avx512 && tail_length() != 0;
  }

  // Carried values are ordered by track, then register, then part of the state.
  static Values flat(const Lanes& lanes) {
    Values values;
    for (const std::vector<State>& states : lanes)
      for (const State& state : states) values.insert(values.end(), state.begin(), state.end());
    return values;
  }
  Lanes nested(const Values& values) const {
    Lanes lanes;
    auto next = values.begin();
    for (const Track& track : c_.tracks) {
      lanes.emplace_back();
      for (unsigned r = 0; r < track.registers(registers_); ++r, next += static_cast<std::ptrdiff_t>(track.slots()))
        lanes.back().emplace_back(next, next + static_cast<std::ptrdiff_t>(track.slots()));
    }
    return lanes;
  }

  void emit_point(Point& point) {
    if (c_.lanes == 1)
      body_.emit_uniform(point);
    else
      body_.emit_varying(point);
    for (const lower::Store& store : c_.kernel.stores) body_.store(store, point);
  }

  // `count` registers of elements from `i` on.
  void take(Lanes& lanes, Point& point, llvm::Value* i, unsigned count, const Mask& mask, llvm::Value* step) {
    std::vector<std::vector<Values>> elements(c_.tracks.size());
    Values masks;
    for (unsigned r = 0; r < count; ++r) {
      point.index.back() = b_.CreateAdd(i, c_.constant(static_cast<std::int64_t>(r * c_.lanes)));
      point.mask = mask ? mask(r) : nullptr;
      emit_point(point);
      masks.push_back(point.mask);
      for (std::size_t t = 0; t < c_.tracks.size(); ++t)
        elements[t].push_back(c_.tracks[t].elements(body_, point));
    }
    point.mask = nullptr;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t)
      lanes[t] = c_.tracks[t].take_step(lanes[t], elements[t], masks, step);
  }

  Lanes fold_row(const Point& at, const Range& range, llvm::Value* number, Lanes lanes) {
    Point point = at;
    place_row(c_, point, number);
    point.index.back() = range.first;
    if (c_.lanes > 1) body_.emit_uniform(point);
    const auto step = static_cast<std::int64_t>(c_.schedule.virtual_lanes);
    llvm::Value* length = b_.CreateSub(range.last, range.first);
    llvm::Value* whole = b_.CreateAdd(range.first, b_.CreateAnd(length, c_.constant(-step)));
    if (c_.schedule.inner < step) whole = range.first;
    if (is_masked() || c_.schedule.inner >= step) {
      llvm::Value* end = is_masked() ? range.last : whole;
      const auto one_step = [&](llvm::Value* i, const Values& now) {
        Lanes next = nested(now);
        Mask mask;
        if (is_masked()) mask = [&](unsigned r) { return mask_from(i, r, range.last); };
        take(next, point, i, registers_, mask, step_of(number, range, i));
        return flat(next);
      };
      lanes = nested(emit_loop(c_.emitter, range.first, end, step, flat(lanes), one_step));
    }
    if (tail_length() == 0 || is_masked()) return lanes;
    if (has_short_tail()) return fold_short_tail(point, whole, step_of(number, range, whole), std::move(lanes));
    return fold_tail(point, whole, range.last, step_of(number, range, whole), lanes);
  }

  llvm::Value* mask_from(llvm::Value* i, unsigned r, llvm::Value* last) {
    llvm::Value* first = b_.CreateAdd(i, c_.constant(static_cast<std::int64_t>(r * c_.lanes)));
    return lane_mask(c_.emitter, b_.CreateSub(last, first), c_.lanes);
  }

  // Steps are numbered through the rows of a block.
  llvm::Value* step_of(llvm::Value* row, const Range& range, llvm::Value* i) {
    const auto step = static_cast<std::int64_t>(c_.schedule.virtual_lanes);
    llvm::Value* before = b_.CreateMul(row, c_.constant(steps_of_a_row(c_)));
    return b_.CreateAdd(before, b_.CreateUDiv(b_.CreateSub(i, range.first), c_.constant(step)));
  }

  // A tail of known length: straight code.
  Lanes fold_short_tail(Point& point, llvm::Value* first, llvm::Value* step, Lanes lanes) {
    const auto width = static_cast<std::int64_t>(c_.lanes);
    const auto count = static_cast<unsigned>((tail_length() + width - 1) / width);
    const Mask mask = [&](unsigned r) -> llvm::Value* {
      const std::int64_t left = tail_length() - static_cast<std::int64_t>(r) * width;
      return left < width ? lane_mask(c_.emitter, c_.constant(left), c_.lanes) : nullptr;
    };
    take(lanes, point, first, count, mask, step);
    return lanes;
  }

  llvm::Value* tail_slot(llvm::Value* r, std::size_t track) {
    std::size_t before = 0;
    for (std::size_t t = 0; t < track; ++t) before += c_.tracks[t].slots();
    const auto lanes = static_cast<std::int64_t>(c_.lanes);
    llvm::Value* offset = c_.constant(static_cast<std::int64_t>(before) * lanes * 8);
    if (c_.tracks[track].registers(registers_) > 1)
      offset = b_.CreateAdd(offset, b_.CreateMul(r, c_.constant(static_cast<std::int64_t>(c_.slots) * lanes * 8)));
    return b_.CreateGEP(b_.getInt8Ty(), tail_, offset);
  }

  // What is left of a chunk: one masked vector at a time, on accumulators that wait in memory meanwhile.
  Lanes fold_tail(Point point, llvm::Value* first, llvm::Value* last, llvm::Value* step, const Lanes& lanes) {
    const auto width = static_cast<std::int64_t>(c_.lanes);
    for (std::size_t t = 0; t < lanes.size(); ++t)
      for (std::size_t r = 0; r < lanes[t].size(); ++r)
        c_.tracks[t].save(lanes[t][r], tail_slot(c_.constant(static_cast<std::int64_t>(r)), t), width);
    emit_loop(c_.emitter, first, last, width, {}, [&](llvm::Value* i, const Values&) -> Values {
      llvm::Value* r = b_.CreateUDiv(b_.CreateSub(i, first), c_.constant(width));
      Lanes here;
      for (std::size_t t = 0; t < lanes.size(); ++t)
        here.push_back({c_.tracks[t].load(tail_slot(r, t), width, c_.lanes)});
      Mask mask;
      if (c_.lanes > 1) mask = [&](unsigned) { return mask_from(i, 0, last); };
      take(here, point, i, 1, mask, step);
      for (std::size_t t = 0; t < lanes.size(); ++t) c_.tracks[t].save(here[t][0], tail_slot(r, t), width);
      return {};
    });
    Lanes result = lanes;
    for (std::size_t t = 0; t < lanes.size(); ++t)
      for (std::size_t r = 0; r < lanes[t].size(); ++r)
        result[t][r] = c_.tracks[t].load(tail_slot(c_.constant(static_cast<std::int64_t>(r)), t), width, c_.lanes);
    return result;
  }

  FoldContext& c_;
  llvm::IRBuilder<>& b_;
  BodyEmitter body_;
  unsigned registers_ = 1;
  llvm::Value* tail_ = nullptr;
};

// The part of the reduced domain that a block covers.
Range range_of_block(FoldContext& c, llvm::Value* block) {
  auto& b = c.builder;
  llvm::Value* chunks = c.constant(c.schedule.chunks);
  llvm::Value* group = b.CreateUDiv(block, chunks);
  llvm::Value* chunk = b.CreateURem(block, chunks);
  Range range;
  range.first_row = b.CreateMul(group, c.constant(c.schedule.rows));
  range.last_row = c.smaller(b.CreateAdd(range.first_row, c.constant(c.schedule.rows)), c.schedule.outer);
  range.first = b.CreateMul(chunk, c.constant(c.schedule.chunk));
  range.last = c.smaller(b.CreateAdd(range.first, c.constant(c.schedule.chunk)), c.schedule.inner);
  return range;
}

// The parallel axes placed for a flat point; reduced ones at their start.
Point point_of(FoldContext& c, llvm::Value* flat) {
  Point point;
  point.vector_axis = c.schedule.vector_axis;
  point.lanes = c.lanes;
  point.index.assign(c.kernel.axes.size(), c.constant(0));
  const auto axes = c.axes_of(AxisKind::parallel);
  const Values index = split_index(c.emitter, flat, c.extents_of(axes));
  for (std::size_t i = 0; i < axes.size(); ++i) point.index[axes[i]] = index[i];
  return point;
}

// The step that was noted, as a range; of a NaN nothing was noted, and it may be anywhere.
Range noted_range(FoldContext& c, std::size_t track, const State& state, const Range& all) {
  auto& b = c.builder;
  const auto step = static_cast<std::int64_t>(c.schedule.virtual_lanes);
  llvm::Value* number = b.CreateZExt(state.back(), b.getInt64Ty());
  llvm::Value* steps = c.constant(steps_of_a_row(c));
  Range range;
  range.first_row = b.CreateUDiv(number, steps);
  range.last_row = b.CreateAdd(range.first_row, c.constant(1));
  range.first = b.CreateMul(b.CreateURem(number, steps), c.constant(step));
  range.last = c.smaller(b.CreateAdd(range.first, c.constant(step)), c.schedule.inner);
  llvm::Value* saw_nan = c.tracks[track].saw_nan(state);
  if (!saw_nan) return range;
  for (auto part : {&Range::first_row, &Range::last_row, &Range::first, &Range::last})
    range.*part = b.CreateSelect(saw_nan, all.*part, range.*part);
  return range;
}

// Results are scalars: no axis is a vector any more.
void write_point(FoldContext& c, const States& states, const Point& at,
                 const std::vector<llvm::Value*>& blocks) {
  Point scalar = at;
  scalar.vector_axis = -1;
  scalar.lanes = 1;
  c.write_results(states, scalar, [&](std::size_t track, Point& winner) {
    Range range = range_of_block(c, blocks[track]);
    if (c.tracks[track].notes_step()) range = noted_range(c, track, states[track], range);
    const Found found = find_winner(c, track, states[track], at, range);
    place_row(c, winner, found.row);
    winner.index.back() = found.index;
    return found.key;
  });
}

llvm::Value* partial(FoldContext& c, llvm::Value* point, llvm::Value* block, std::size_t track) {
  auto& b = c.builder;
  std::size_t before = 0;
  for (std::size_t t = 0; t < track; ++t) before += c.tracks[t].slots();
  llvm::Value* number = b.CreateAdd(b.CreateMul(point, c.constant(c.schedule.blocks)), block);
  llvm::Value* offset = b.CreateMul(number, c.constant(static_cast<std::int64_t>(c.slots) * 8));
  offset = b.CreateAdd(offset, c.constant(static_cast<std::int64_t>(before) * 8));
  return b.CreateGEP(b.getInt8Ty(), c.buffers.pointer[c.kernel.scratch], offset);
}

// The best block of a selection: of equal ones the first, whose winner comes first.
std::pair<State, llvm::Value*> best_block(FoldContext& c, std::size_t track, llvm::Value* point) {
  auto& b = c.builder;
  const Track& t = c.tracks[track];
  Values carried = t.load(partial(c, point, c.constant(0), track), 1, 1);
  carried.push_back(c.constant(0));
  const Values best = emit_loop(c.emitter, c.constant(1), c.constant(c.schedule.blocks), 1, carried,
                                [&](llvm::Value* block, const Values& now) {
                                  const State state(now.begin(), now.end() - 1);
                                  const State other = t.load(partial(c, point, block, track), 1, 1);
                                  llvm::Value* better = t.is_better(other, state);
                                  Values next;
                                  for (std::size_t i = 0; i < state.size(); ++i)
                                    next.push_back(b.CreateSelect(better, other[i], state[i]));
                                  next.push_back(b.CreateSelect(better, block, now.back()));
                                  return next;
                                });
  return {State(best.begin(), best.end() - 1), best.back()};
}

// Blocks pairwise: neighbours first, so that errors of long sums grow with the logarithm of their number.
State pairwise(FoldContext& c, std::size_t track, llvm::Value* point) {
  auto& b = c.builder;
  const Track& t = c.tracks[track];
  for (std::int64_t distance = 1; distance < c.schedule.blocks; distance *= 2) {
    const std::int64_t pairs = (c.schedule.blocks - distance + 2 * distance - 1) / (2 * distance);
    emit_loop(c.emitter, c.constant(0), c.constant(pairs), 1, {},
              [&](llvm::Value* pair, const Values&) -> Values {
                llvm::Value* left = b.CreateMul(pair, c.constant(2 * distance));
                llvm::Value* slot = partial(c, point, left, track);
                llvm::Value* right = partial(c, point, b.CreateAdd(left, c.constant(distance)), track);
                t.save(t.combine(t.load(slot, 1, 1), t.load(right, 1, 1)), slot, 1);
                return {};
              });
  }
  return t.load(partial(c, point, c.constant(0), track), 1, 1);
}

}  // namespace

void emit_lane_blocks(FoldContext& c, llvm::Value* begin, llvm::Value* end) {
  auto& b = c.builder;
  LaneFolder folder(c);
  emit_loop(c.emitter, begin, end, 1, {}, [&](llvm::Value* item, const Values&) -> Values {
    llvm::Value* flat = b.CreateUDiv(item, c.constant(c.schedule.blocks));
    llvm::Value* block = b.CreateURem(item, c.constant(c.schedule.blocks));
    const Point at = point_of(c, flat);
    const bool is_empty = c.schedule.outer == 0 || c.schedule.inner == 0;
    const States states = is_empty ? c.start(block, 1) : folder.fold(at, block, range_of_block(c, block));
    if (c.schedule.blocks == 1) {
      write_point(c, states, at, std::vector<llvm::Value*>(c.tracks.size(), block));
    } else {
      for (std::size_t t = 0; t < c.tracks.size(); ++t)
        c.tracks[t].save(states[t], partial(c, flat, block, t), 1);
    }
    return {};
  });
}

void emit_lane_finish(FoldContext& c, llvm::Value* begin, llvm::Value* end) {
  emit_loop(c.emitter, begin, end, 1, {}, [&](llvm::Value* flat, const Values&) -> Values {
    States states;
    std::vector<llvm::Value*> blocks;
    for (std::size_t t = 0; t < c.tracks.size(); ++t) {
      if (c.tracks[t].method() == lower::FoldMethod::selection) {
        auto [state, block] = best_block(c, t, flat);
        states.push_back(std::move(state));
        blocks.push_back(block);
      } else {
        states.push_back(pairwise(c, t, flat));
        blocks.push_back(c.constant(0));
      }
    }
    write_point(c, states, point_of(c, flat), blocks);
    return {};
  });
}

}  // namespace weft::codegen
