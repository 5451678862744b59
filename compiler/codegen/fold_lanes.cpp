// Element i of a chunk belongs to virtual lane i mod L; lanes are folded pairwise at the end of a block, l
// with l + L/2.
#include "compiler/codegen/fold_lanes.h"

#include <algorithm>

#include "compiler/codegen/find_winner.h"

namespace weft::codegen {
namespace {

using lower::AxisKind;

constexpr std::size_t kShortBody = 24;  // instructions: longer ones are not repeated for a tail

std::int64_t steps_of_a_row(const FoldContext& c) {
  const auto step = static_cast<std::int64_t>(c.schedule.virtual_lanes);
  return (c.schedule.inner + step - 1) / step;
}

class LaneFolder {
 public:
  explicit LaneFolder(FoldContext& context)
      : c_(context), b_(context.builder), body_(context.emitter, context.buffers, context.kernel.body) {
    registers_ = std::max(1u, c_.schedule.virtual_lanes / c_.lanes);
    if (tail_length() != 0 && !has_short_tail())
      tail_ = c_.stack(static_cast<std::int64_t>(registers_ * c_.lanes * c_.slots * 8));
  }

  // The states of all tracks over a part of the reduced domain, folded to one element.
  States fold(const Point& at, llvm::Value* block, const Range& range) {
    Values carried;
    for (const State& state : c_.start(block, c_.lanes))
      for (unsigned r = 0; r < registers_; ++r) append(carried, state);
    const auto row = [&](llvm::Value* number, const Values& current) {
      return fold_row(at, range, number, current);
    };
    if (c_.schedule.outer == 1)
      carried = row(c_.constant(0), carried);
    else
      carried = emit_loop(c_.emitter, range.first_row, range.last_row, 1, carried, row);
    return fold_registers(carried);
  }

 private:
  // What is left of the last chunk after its full steps.
  std::int64_t tail_length() const { return c_.schedule.inner % c_.schedule.virtual_lanes; }
  // Every row ends in it, and it costs little to spell out.
  bool has_short_tail() const {
    return c_.schedule.chunks == 1 &&
           (c_.kernel.body.size() <= kShortBody || c_.schedule.inner < c_.schedule.virtual_lanes);
  }
  static void append(Values& values, const State& state) {
    values.insert(values.end(), state.begin(), state.end());
  }

  // Carried values are ordered by track, then register, then part of the state.
  State state_of(const Values& carried, std::size_t track, unsigned r) const {
    std::size_t start = 0;
    for (std::size_t t = 0; t < track; ++t) start += c_.tracks[t].slots() * registers_;
    const std::size_t slots = c_.tracks[track].slots();
    const auto first = carried.begin() + static_cast<std::ptrdiff_t>(start + r * slots);
    return State(first, first + static_cast<std::ptrdiff_t>(slots));
  }
  void replace(Values& carried, std::size_t track, unsigned r, const State& state) const {
    std::size_t start = 0;
    for (std::size_t t = 0; t < track; ++t) start += c_.tracks[t].slots() * registers_;
    std::copy(state.begin(), state.end(),
              carried.begin() + static_cast<std::ptrdiff_t>(start + r * state.size()));
  }

  void emit_point(Point& point) {
    if (c_.lanes == 1)
      body_.emit_uniform(point);
    else
      body_.emit_varying(point);
    for (const lower::Store& store : c_.kernel.stores) body_.store(store, point);
  }

  State take(std::size_t track, const State& state, const Point& point, llvm::Value* step) {
    const State fresh = c_.tracks[track].take(state, body_, point, step);
    return point.mask ? c_.tracks[track].keep_masked(point.mask, fresh, state) : fresh;
  }

  Values fold_row(const Point& at, const Range& range, llvm::Value* number, const Values& carried) {
    Point point = at;
    place_row(c_, point, number);
    llvm::Value*& index = point.index.back();
    index = range.first;
    if (c_.lanes > 1) body_.emit_uniform(point);
    const auto step = static_cast<std::int64_t>(c_.schedule.virtual_lanes);
    llvm::Value* length = b_.CreateSub(range.last, range.first);
    llvm::Value* whole = b_.CreateAdd(range.first, b_.CreateAnd(length, c_.constant(-step)));
    if (c_.schedule.inner < step) whole = range.first;
    Values result =
        c_.schedule.inner < step
            ? carried
            : emit_loop(c_.emitter, range.first, whole, step, carried,
                        [&](llvm::Value* i, const Values& now) {
                          Values next = now;
                          llvm::Value* step_number = step_of(number, range, i);
                          for (unsigned r = 0; r < registers_; ++r) {
                            index = b_.CreateAdd(i, c_.constant(static_cast<std::int64_t>(r * c_.lanes)));
                            emit_point(point);
                            for (std::size_t t = 0; t < c_.tracks.size(); ++t)
                              replace(next, t, r, take(t, state_of(next, t, r), point, step_number));
                          }
                          return next;
                        });
    if (tail_length() == 0) return result;
    if (has_short_tail()) return fold_short_tail(point, whole, step_of(number, range, whole), result);
    return fold_tail(point, whole, range.last, step_of(number, range, whole), result);
  }

  // Steps are numbered through the rows of a block.
  llvm::Value* step_of(llvm::Value* row, const Range& range, llvm::Value* i) {
    const auto step = static_cast<std::int64_t>(c_.schedule.virtual_lanes);
    llvm::Value* before = b_.CreateMul(row, c_.constant(steps_of_a_row(c_)));
    return b_.CreateAdd(before, b_.CreateUDiv(b_.CreateSub(i, range.first), c_.constant(step)));
  }

  // A tail of known length: straight code.
  Values fold_short_tail(Point& point, llvm::Value* first, llvm::Value* step, const Values& carried) {
    Values next = carried;
    const auto lanes = static_cast<std::int64_t>(c_.lanes);
    unsigned r = 0;
    for (std::int64_t done = 0; done < tail_length(); done += lanes, ++r) {
      point.index.back() = b_.CreateAdd(first, c_.constant(done));
      const std::int64_t left = tail_length() - done;
      point.mask = left < lanes ? lane_mask(c_.emitter, c_.constant(left), c_.lanes) : nullptr;
      emit_point(point);
      for (std::size_t t = 0; t < c_.tracks.size(); ++t)
        replace(next, t, r, take(t, state_of(next, t, r), point, step));
    }
    point.mask = nullptr;
    return next;
  }

  llvm::Value* tail_slot(llvm::Value* r, std::size_t track) {
    std::size_t before = 0;
    for (std::size_t t = 0; t < track; ++t) before += c_.tracks[t].slots();
    const auto lanes = static_cast<std::int64_t>(c_.lanes);
    llvm::Value* offset = b_.CreateMul(r, c_.constant(static_cast<std::int64_t>(c_.slots) * lanes * 8));
    offset = b_.CreateAdd(offset, c_.constant(static_cast<std::int64_t>(before) * lanes * 8));
    return b_.CreateGEP(b_.getInt8Ty(), tail_, offset);
  }

  // What is left of a chunk: one masked vector at a time, on accumulators that wait in memory meanwhile.
  Values fold_tail(Point point, llvm::Value* first, llvm::Value* last, llvm::Value* step,
                   const Values& carried) {
    const auto lanes = static_cast<std::int64_t>(c_.lanes);
    for (unsigned r = 0; r < registers_; ++r)
      for (std::size_t t = 0; t < c_.tracks.size(); ++t)
        c_.tracks[t].save(state_of(carried, t, r), tail_slot(c_.constant(r), t), lanes);
    emit_loop(c_.emitter, first, last, lanes, {}, [&](llvm::Value* i, const Values&) -> Values {
      llvm::Value* r = b_.CreateUDiv(b_.CreateSub(i, first), c_.constant(lanes));
      point.index.back() = i;
      if (c_.lanes > 1) point.mask = lane_mask(c_.emitter, b_.CreateSub(last, i), c_.lanes);
      emit_point(point);
      for (std::size_t t = 0; t < c_.tracks.size(); ++t) {
        const State old = c_.tracks[t].load(tail_slot(r, t), lanes, c_.lanes);
        c_.tracks[t].save(take(t, old, point, step), tail_slot(r, t), lanes);
      }
      return {};
    });
    Values result;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t)
      for (unsigned r = 0; r < registers_; ++r)
        append(result, c_.tracks[t].load(tail_slot(c_.constant(r), t), lanes, c_.lanes));
    return result;
  }

  States fold_registers(const Values& carried) const {
    States states;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t) {
      std::vector<State> parts;
      for (unsigned r = 0; r < registers_; ++r) parts.push_back(state_of(carried, t, r));
      if (c_.tracks[t].notes_step()) {
        states.push_back(c_.tracks[t].fold_steps(parts, c_.lanes));
        continue;
      }
      for (std::size_t half = parts.size() / 2; half > 0; half /= 2)
        for (std::size_t r = 0; r < half; ++r) parts[r] = c_.tracks[t].combine(parts[r], parts[r + half]);
      states.push_back(c_.tracks[t].fold_lanes(parts[0], c_.lanes));
    }
    return states;
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

// Where a noted winner stands; a NaN was not noted and is searched.
Found locate_step(FoldContext& c, std::size_t track, const State& state, const Point& at,
                  const Range& range) {
  auto& b = c.builder;
  const std::int64_t row_length = steps_of_a_row(c) * static_cast<std::int64_t>(c.schedule.virtual_lanes);
  llvm::Value* position = b.CreateZExt(state.back(), b.getInt64Ty());
  const Found noted{b.CreateUDiv(position, c.constant(row_length)),
                    b.CreateURem(position, c.constant(row_length))};
  llvm::Value* saw_nan = c.tracks[track].saw_nan(state);
  if (!saw_nan) return noted;
  llvm::Function* function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock *before = b.GetInsertBlock(),
                   *search = llvm::BasicBlock::Create(b.getContext(), "find_nan", function),
                   *after = llvm::BasicBlock::Create(b.getContext(), "located", function);
  b.CreateCondBr(saw_nan, search, after);
  b.SetInsertPoint(search);
  const Found searched = find_winner(c, track, state, at, range);
  llvm::BasicBlock* found = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  const auto either = [&](llvm::Value* a, llvm::Value* other) {
    llvm::PHINode* phi = b.CreatePHI(b.getInt64Ty(), 2);
    phi->addIncoming(a, before);
    phi->addIncoming(other, found);
    return phi;
  };
  llvm::Value* row = either(noted.row, searched.row);
  return {row, either(noted.index, searched.index)};
}

// Results are scalars: no axis is a vector any more.
void write_point(FoldContext& c, const States& states, const Point& at,
                 const std::vector<llvm::Value*>& blocks) {
  Point scalar = at;
  scalar.vector_axis = -1;
  scalar.lanes = 1;
  c.write_results(states, scalar, [&](std::size_t track, Point& winner) {
    const Range range = range_of_block(c, blocks[track]);
    const Found found = c.tracks[track].notes_step() ? locate_step(c, track, states[track], at, range)
                                                     : find_winner(c, track, states[track], at, range);
    place_row(c, winner, found.row);
    winner.index.back() = found.index;
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
