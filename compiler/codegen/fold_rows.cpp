// The states of a tile of columns stay in the first-level cache while rows stream by, a few rows at a time.
#include "compiler/codegen/fold_rows.h"

#include <algorithm>

namespace weft::codegen {
namespace {

using lower::AxisKind;


// One tile of columns at one point of the other parallel axes.
struct Tile {
  Point point;                   // without the vector axis and the reduced axes
  llvm::Value* outer = nullptr;  // flat point of the other parallel axes
  llvm::Value* first = nullptr;
  llvm::Value* last = nullptr;
};

class RowFolder {
 public:
  explicit RowFolder(FoldContext& context)
      : c_(context), b_(context.builder), axis_(static_cast<std::size_t>(context.schedule.vector_axis)) {
    extent_ = c_.kernel.axes[axis_].extent;
    const auto room = (c_.schedule.tile + c_.lanes - 1) / c_.lanes * c_.lanes;
    distance_ = room;
    states_ = c_.stack(room * static_cast<std::int64_t>(c_.slots) * 8);
    together_ = c_.schedule.rows_together;
  }

  std::int64_t tiles() const { return (extent_ + c_.schedule.tile - 1) / c_.schedule.tile; }

  Tile tile_of(llvm::Value* item) {
    Tile tile;
    llvm::Value* number = b_.CreateURem(item, c_.constant(tiles()));
    tile.outer = b_.CreateUDiv(item, c_.constant(tiles()));
    tile.first = b_.CreateMul(number, c_.constant(c_.schedule.tile));
    tile.last = c_.smaller(b_.CreateAdd(tile.first, c_.constant(c_.schedule.tile)), extent_);
    tile.point.vector_axis = c_.schedule.vector_axis;
    tile.point.lanes = c_.lanes;
    tile.point.index.assign(c_.kernel.axes.size(), c_.constant(0));
    std::vector<std::size_t> axes;
    for (std::size_t axis : c_.axes_of(AxisKind::parallel))
      if (axis != axis_) axes.push_back(axis);
    const Values index = split_index(c_.emitter, tile.outer, c_.extents_of(axes));
    for (std::size_t i = 0; i < axes.size(); ++i) tile.point.index[axes[i]] = index[i];
    return tile;
  }

  // Leaves the states of the rows [first_row, last_row) in the stack.
  void fold(const Tile& tile, llvm::Value* block, llvm::Value* first_row, llvm::Value* last_row) {
    each_vector(tile, [&](Point& point) { save(c_.start(block, c_.lanes), stack_slot(tile, point)); });
    llvm::Value* rows = b_.CreateSub(last_row, first_row);
    llvm::Value* whole = b_.CreateSub(last_row, b_.CreateURem(rows, c_.constant(together_)));
    fold_rows(tile, first_row, whole, together_);
    if (together_ > 1) fold_rows(tile, whole, last_row, 1);
  }

  States load_stack(const Tile& tile, const Point& point) { return load(stack_slot(tile, point), distance_); }

  // Calls body for every vector of the tile, the last one masked.
  void each_vector(const Tile& tile, const std::function<void(Point&)>& body) {
    Point point = tile.point;
    const auto lanes = static_cast<std::int64_t>(c_.lanes);
    llvm::Value* length = b_.CreateSub(tile.last, tile.first);
    llvm::Value* whole = b_.CreateAdd(tile.first, b_.CreateAnd(length, c_.constant(-lanes)));
    if (extent_ >= lanes) {
      emit_loop(c_.emitter, tile.first, whole, lanes, {}, [&](llvm::Value* i, const Values&) -> Values {
        point.index[axis_] = i;
        body(point);
        return {};
      });
    }
    if (extent_ % lanes == 0) return;
    emit_if(c_.emitter, b_.CreateICmpSLT(whole, tile.last), [&] {
      point.index[axis_] = whole;
      point.mask = lane_mask(c_.emitter, b_.CreateSub(tile.last, whole), c_.lanes);
      body(point);
    });
  }

  // The partial state of a block of rows: [block][slot][outer point][column].
  llvm::Value* partial(const Tile& tile, const Point& point, llvm::Value* block) {
    llvm::Value* number = b_.CreateMul(block, c_.constant(partial_distance() * static_cast<std::int64_t>(c_.slots)));
    number = b_.CreateAdd(number, b_.CreateMul(tile.outer, c_.constant(c_.schedule.padded_extent(c_.kernel))));
    number = b_.CreateAdd(number, point.index[axis_]);
    return b_.CreateGEP(b_.getInt64Ty(), c_.buffers.pointer[c_.kernel.scratch], number);
  }
  std::int64_t partial_distance() const {
    return c_.schedule.parallel_outer(c_.kernel) * c_.schedule.padded_extent(c_.kernel);
  }

  void save(const States& states, llvm::Value* slot) { save(states, slot, distance_); }
  void save(const States& states, llvm::Value* slot, std::int64_t distance) {
    each_track(slot, distance, [&](std::size_t t, llvm::Value* at) { c_.tracks[t].save(states[t], at, distance); });
  }
  States load(llvm::Value* slot, std::int64_t distance) {
    States states(c_.tracks.size());
    each_track(slot, distance,
               [&](std::size_t t, llvm::Value* at) { states[t] = c_.tracks[t].load(at, distance, c_.lanes); });
    return states;
  }

  // Selections know their winner's row, or the group of rows that it is in, a vector of them: one a column.
  void write(const Tile&, const Point& point, const States& states) {
    c_.write_results(states, point, [&](std::size_t track, Point& winner) {
      llvm::Value* row = states[track].back();
      llvm::Type* wide = register_type(b_.getContext(), DType::i64, c_.emitter.lanes(row->getType()));
      row = b_.CreateZExt(row, wide);
      if (c_.schedule.notes_groups) row = row_in_group(track, winner, states[track], row);
      place_rows(winner, row);
      return nullptr;
    });
  }

 private:
  void each_track(llvm::Value* slot, std::int64_t distance, const std::function<void(std::size_t, llvm::Value*)>& visit) {
    std::size_t before = 0;
    for (std::size_t t = 0; t < c_.tracks.size(); ++t) {
      const std::int64_t offset = static_cast<std::int64_t>(before) * distance * 8;
      visit(t, b_.CreateGEP(b_.getInt8Ty(), slot, c_.constant(offset)));
      before += c_.tracks[t].slots();
    }
  }

  // Choosing among a few rows first keeps the chain through the state short; a choice may associate as it likes.
  static State pairwise(const Track& track, std::vector<State> states) {
    while (states.size() > 1) {
      std::vector<State> half;
      for (std::size_t i = 0; i + 1 < states.size(); i += 2) half.push_back(track.combine(states[i], states[i + 1]));
      if (states.size() % 2 == 1) half.push_back(states.back());
      states = std::move(half);
    }
    return states[0];
  }

  void place_rows(Point& point, llvm::Value* row) {
    const auto axes = c_.axes_of(AxisKind::reduction);
    const Values index = split_vector(row, c_.extents_of(axes));
    for (std::size_t i = 0; i < axes.size(); ++i) point.index[axes[i]] = index[i];
  }

  // The first row of a group whose key is the state's.
  llvm::Value* row_in_group(std::size_t track, Point point, const State& state, llvm::Value* group) {
    const lower::Reduction& reduction = c_.tracks[track].reduction();
    const lower::InstId key = reduction.operands[reduction.reducer.selection->key];
    const auto constant = [&](std::int64_t value) -> llvm::Value* {
      return c_.lanes > 1 ? b_.CreateVectorSplat(c_.lanes, c_.constant(value)) : c_.constant(value);
    };
    llvm::Value* first = b_.CreateMul(group, constant(together_));
    llvm::Value* found = first;
    for (std::int64_t r = together_; r-- > 0;) {
      llvm::Value* row = b_.CreateAdd(first, constant(r));
      llvm::Value* past = b_.CreateICmpSGE(row, constant(c_.schedule.outer));
      row = b_.CreateSelect(past, constant(c_.schedule.outer - 1), row);
      place_rows(point, row);
      BodyEmitter body(c_.emitter, c_.buffers, c_.kernel.body);
      body.restrict_to({key});
      body.emit_uniform(point);
      body.emit_varying(point);
      llvm::Value* hit = c_.tracks[track].has_key(state, body.value(key, point, c_.lanes > 1));
      found = b_.CreateSelect(hit, row, found);
    }
    return found;
  }

  llvm::Value* stack_slot(const Tile& tile, const Point& point) {
    return b_.CreateGEP(b_.getInt64Ty(), states_, b_.CreateSub(point.index[axis_], tile.first));
  }

  Values split_vector(llvm::Value* flat, const std::vector<std::int64_t>& extents) {
    if (c_.lanes == 1) return split_index(c_.emitter, flat, extents);
    Values result(extents.size());
    const auto all = [&](std::int64_t value) { return b_.CreateVectorSplat(c_.lanes, c_.constant(value)); };
    for (std::size_t axis = extents.size(); axis-- > 1;) {
      result[axis] = b_.CreateURem(flat, all(extents[axis]));
      flat = b_.CreateUDiv(flat, all(extents[axis]));
    }
    if (!extents.empty()) result[0] = flat;
    return result;
  }

  void fold_rows(const Tile& tile, llvm::Value* first_row, llvm::Value* last_row, std::int64_t together) {
    emit_loop(c_.emitter, first_row, last_row, together, {}, [&](llvm::Value* row, const Values&) -> Values {
      llvm::Value* group = b_.CreateUDiv(row, c_.constant(together_));
      std::deque<BodyEmitter> bodies;
      std::vector<Point> points;
      Values numbers;
      const auto axes = c_.axes_of(AxisKind::reduction);
      for (std::int64_t r = 0; r < together; ++r) {
        numbers.push_back(b_.CreateAdd(row, c_.constant(r)));
        Point point = tile.point;
        const Values index = split_index(c_.emitter, numbers.back(), c_.extents_of(axes));
        for (std::size_t i = 0; i < axes.size(); ++i) point.index[axes[i]] = index[i];
        point.index[axis_] = tile.first;
        bodies.emplace_back(c_.emitter, c_.buffers, c_.kernel.body);
        if (c_.lanes > 1) bodies.back().emit_uniform(point);
        points.push_back(point);
      }
      each_vector(tile, [&](Point& at) {
        States states = load_stack(tile, at);
        std::vector<std::vector<State>> alone(c_.tracks.size());
        std::vector<Values> keys(c_.tracks.size());
        for (std::size_t r = 0; r < bodies.size(); ++r) {
          points[r].index[axis_] = at.index[axis_];
          points[r].mask = at.mask;
          if (c_.lanes > 1)
            bodies[r].emit_varying(points[r]);
          else
            bodies[r].emit_uniform(points[r]);
          for (const lower::Store& store : c_.kernel.stores) bodies[r].store(store, points[r]);
          for (std::size_t t = 0; t < c_.tracks.size(); ++t) {
            if (c_.schedule.notes_groups && c_.tracks[t].keeps_position())
              keys[t].push_back(c_.tracks[t].elements(bodies[r], points[r])[c_.tracks[t].key()]);
            else if (c_.tracks[t].keeps_position())
              alone[t].push_back(c_.tracks[t].of_element(bodies[r], points[r], numbers[r]));
            else
              states[t] = c_.tracks[t].take(states[t], bodies[r], points[r], numbers[r]);
          }
        }
        for (std::size_t t = 0; t < c_.tracks.size(); ++t) {
          if (!alone[t].empty()) states[t] = c_.tracks[t].combine(states[t], pairwise(c_.tracks[t], alone[t]));
          if (!keys[t].empty()) states[t] = c_.tracks[t].take_group(states[t], keys[t], group);
        }
        save(states, stack_slot(tile, at));
      });
      return {};
    });
  }

  FoldContext& c_;
  llvm::IRBuilder<>& b_;
  std::size_t axis_;
  std::int64_t extent_ = 1;
  std::int64_t together_ = 1;
  std::int64_t distance_ = 1;  // of registers in the stack, in slots
  llvm::Value* states_ = nullptr;
};

}  // namespace

void emit_row_blocks(FoldContext& c, llvm::Value* begin, llvm::Value* end) {
  auto& b = c.builder;
  RowFolder folder(c);
  emit_loop(c.emitter, begin, end, 1, {}, [&](llvm::Value* item, const Values&) -> Values {
    llvm::Value* block = b.CreateURem(item, c.constant(c.schedule.blocks));
    const Tile tile = folder.tile_of(b.CreateUDiv(item, c.constant(c.schedule.blocks)));
    llvm::Value* first_row = b.CreateMul(block, c.constant(c.schedule.rows));
    llvm::Value* last_row = c.smaller(b.CreateAdd(first_row, c.constant(c.schedule.rows)), c.schedule.outer);
    folder.fold(tile, block, first_row, last_row);
    folder.each_vector(tile, [&](Point& point) {
      const States states = folder.load_stack(tile, point);
      if (c.schedule.blocks == 1)
        folder.write(tile, point, states);
      else
        folder.save(states, folder.partial(tile, point, block), folder.partial_distance());
    });
    return {};
  });
}

// Blocks of rows pairwise, neighbours first.
void emit_row_finish(FoldContext& c, llvm::Value* begin, llvm::Value* end) {
  auto& b = c.builder;
  RowFolder folder(c);
  const std::int64_t distance = folder.partial_distance();
  emit_loop(c.emitter, begin, end, 1, {}, [&](llvm::Value* item, const Values&) -> Values {
    const Tile tile = folder.tile_of(item);
    folder.each_vector(tile, [&](Point& point) {
      for (std::int64_t step = 1; step < c.schedule.blocks; step *= 2) {
        const std::int64_t pairs = (c.schedule.blocks - step + 2 * step - 1) / (2 * step);
        emit_loop(c.emitter, c.constant(0), c.constant(pairs), 1, {}, [&](llvm::Value* pair, const Values&) -> Values {
          llvm::Value* left = b.CreateMul(pair, c.constant(2 * step));
          llvm::Value* slot = folder.partial(tile, point, left);
          const States earlier = folder.load(slot, distance);
          const States later = folder.load(folder.partial(tile, point, b.CreateAdd(left, c.constant(step))), distance);
          States combined;
          for (std::size_t t = 0; t < c.tracks.size(); ++t)
            combined.push_back(c.tracks[t].combine(earlier[t], later[t]));
          folder.save(combined, slot, distance);
          return {};
        });
      }
      folder.write(tile, point, folder.load(folder.partial(tile, point, c.constant(0)), distance));
    });
    return {};
  });
}

}  // namespace weft::codegen
