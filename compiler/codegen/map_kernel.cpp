// Outer axes are walked flat; the vector axis in full vectors, then one masked vector.
#include "compiler/codegen/map_kernel.h"

#include <algorithm>

#include "compiler/codegen/loops.h"
#include "compiler/codegen/transpose_square.h"

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

// Vectors along the vector axis would gather it; along `tile` it is contiguous.
bool is_transposed(const Inst& inst, std::size_t vector_axis, std::size_t tile) {
  if (inst.kind != Inst::Kind::load || inst.type == DType::b1 || !inst.access.terms.empty()) return false;
  return inst.access.strides[tile] == 1 && std::abs(inst.access.strides[vector_axis]) > kLargestSortedStride;
}

int find_tile_axis(const Kernel& kernel, std::size_t vector_axis, unsigned lanes) {
  if (kernel.axes[vector_axis].extent < lanes) return -1;
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (axis == vector_axis || kernel.axes[axis].extent < lanes) continue;
    for (const Inst& inst : kernel.body)
      if (is_transposed(inst, vector_axis, axis)) return static_cast<int>(axis);
  }
  return -1;
}

}  // namespace

unsigned choose_lanes(const Kernel& kernel, const Target& target) {
  std::size_t count[9] = {};
  for (const Inst& inst : kernel.body) {
    if (inst.kind == Inst::Kind::literal || inst.type == DType::b1) continue;
    ++count[is_half(inst.type) ? 4 : size_of(inst.type)];
  }
  const bool has_only_booleans =
      std::all_of(std::begin(count), std::end(count), [](std::size_t n) { return n == 0; });
  std::size_t width = has_only_booleans ? 1 : 4;
  for (std::size_t candidate : {1, 2, 4, 8})
    if (count[candidate] > count[width] ||
        (candidate > width && count[candidate] == count[width] && count[width]))
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
  if (points == 0) {
    schedule.blocks = 0;
    return schedule;
  }
  schedule.tile_axis = find_tile_axis(kernel, static_cast<std::size_t>(schedule.vector_axis), schedule.lanes);
  if (schedule.tile_axis >= 0) {
    const std::int64_t rows = kernel.axes[static_cast<std::size_t>(schedule.tile_axis)].extent,
                       lanes = schedule.lanes;
    schedule.chunk = std::min(extent, kChunk / lanes);
    points = points / rows * ((rows + lanes - 1) / lanes);
  }
  schedule.blocks = points / extent * ((extent + schedule.chunk - 1) / schedule.chunk);
  return schedule;
}

namespace {

class MapEmitter {
 public:
  MapEmitter(Emitter& emitter, const Kernel& kernel, const MapSchedule& schedule,
             const BufferPointers& buffers)
      : emitter_(emitter),
        builder_(emitter.builder),
        kernel_(kernel),
        schedule_(schedule),
        body_(emitter, buffers, kernel.body),
        lanes_(schedule.lanes) {
    point_.vector_axis = schedule.vector_axis;
    point_.lanes = schedule.lanes;
    if (schedule.tile_axis < 0) return;
    for (std::size_t id = 0; id < kernel.body.size(); ++id)
      if (is_transposed(kernel.body[id], vector_axis(), tile_axis()))
        transposed_.push_back(static_cast<lower::InstId>(id));
  }

  void emit_single_point() {
    point_.lanes = 1;
    body_.emit_uniform(point_);
    emit_point();
  }

  void emit_blocks(llvm::Value* begin, llvm::Value* end) {
    std::vector<std::int64_t> extents;  // of the outer axes, then of the tiles, then of the chunks
    for (std::size_t axis = 0; axis < kernel_.axes.size(); ++axis)
      if (is_outer(axis)) extents.push_back(kernel_.axes[axis].extent);
    if (schedule_.tile_axis >= 0) extents.push_back((extent_of(tile_axis()) + lanes_ - 1) / lanes_);
    extents.push_back((extent_of(vector_axis()) + schedule_.chunk - 1) / schedule_.chunk);
    emit_loop(emitter_, begin, end, 1, {}, [&](llvm::Value* block, const Values&) -> Values {
      const Values position = split_index(emitter_, block, extents);
      point_.index.assign(kernel_.axes.size(), nullptr);
      for (std::size_t axis = 0, next = 0; axis < kernel_.axes.size(); ++axis)
        if (is_outer(axis)) point_.index[axis] = position[next++];
      const Range chunk = range_of(position.back(), schedule_.chunk, extent_of(vector_axis()));
      if (schedule_.tile_axis < 0)
        emit_row(chunk.first, chunk);
      else
        emit_tiles(range_of(position[position.size() - 2], lanes_, extent_of(tile_axis())), chunk);
      return {};
    });
  }

 private:
  struct Range {
    llvm::Value *first, *last;
  };

  std::size_t vector_axis() const { return static_cast<std::size_t>(schedule_.vector_axis); }
  std::size_t tile_axis() const { return static_cast<std::size_t>(schedule_.tile_axis); }
  bool is_outer(std::size_t axis) const {
    return static_cast<int>(axis) != schedule_.vector_axis && static_cast<int>(axis) != schedule_.tile_axis;
  }
  std::int64_t extent_of(std::size_t axis) const { return kernel_.axes[axis].extent; }
  llvm::Value* constant(std::int64_t value) const {
    return builder_.getInt64(static_cast<std::uint64_t>(value));
  }

  Range range_of(llvm::Value* number, std::int64_t length, std::int64_t extent) const {
    llvm::Value* first = builder_.CreateMul(number, constant(length));
    llvm::Value* last = builder_.CreateAdd(first, constant(length));
    return {first,
            builder_.CreateSelect(builder_.CreateICmpSLT(last, constant(extent)), last, constant(extent))};
  }
  // The end of the full vectors of a range.
  llvm::Value* whole_of(const Range& range) const {
    llvm::Value* length = builder_.CreateSub(range.last, range.first);
    return builder_.CreateAdd(range.first, builder_.CreateAnd(length, constant(-lanes_)));
  }

  void emit_point() {
    body_.emit_varying(point_);
    for (const auto& store : kernel_.stores) body_.store(store, point_);
  }

  // The vectors of `chunk` from `from` on, the last one masked.
  void emit_row(llvm::Value* from, const Range& chunk) {
    point_.index[vector_axis()] = chunk.first;
    body_.emit_uniform(point_);
    llvm::Value* whole = whole_of(chunk);
    emit_loop(emitter_, from, whole, lanes_, {}, [&](llvm::Value* i, const Values&) -> Values {
      point_.index[vector_axis()] = i;
      emit_point();
      return {};
    });
    if (extent_of(vector_axis()) % lanes_ == 0) return;
    emit_if(emitter_, builder_.CreateICmpSLT(whole, chunk.last), [&] {
      point_.index[vector_axis()] = whole;
      point_.mask = lane_mask(emitter_, builder_.CreateSub(chunk.last, whole), schedule_.lanes);
      emit_point();
      point_.mask = nullptr;
    });
  }

  // Squares where there are as many rows as lanes; what is left over row by row.
  void emit_tiles(const Range& rows, const Range& chunk) {
    llvm::Value* is_full = builder_.CreateICmpEQ(builder_.CreateSub(rows.last, rows.first), constant(lanes_));
    llvm::Value* squares_end = builder_.CreateSelect(is_full, whole_of(chunk), chunk.first);
    emit_loop(emitter_, chunk.first, squares_end, lanes_, {}, [&](llvm::Value* i, const Values&) -> Values {
      emit_square(rows.first, i);
      return {};
    });
    emit_loop(emitter_, rows.first, rows.last, 1, {}, [&](llvm::Value* row, const Values&) -> Values {
      point_.index[tile_axis()] = row;
      emit_row(squares_end, chunk);
      return {};
    });
  }

  void emit_square(llvm::Value* first_row, llvm::Value* first_column) {
    std::vector<llvm::Value*> squares;
    for (lower::InstId id : transposed_) squares.push_back(load_square(id, first_row, first_column));
    emit_loop(emitter_, constant(0), constant(lanes_), 1, {}, [&](llvm::Value* row, const Values&) -> Values {
      point_.index[tile_axis()] = builder_.CreateAdd(first_row, row);
      point_.index[vector_axis()] = first_column;
      body_.emit_uniform(point_);
      for (std::size_t k = 0; k < transposed_.size(); ++k) {
        llvm::Type* type = row_type(transposed_[k]);
        body_.replace(transposed_[k], builder_.CreateLoad(type, builder_.CreateGEP(type, squares[k], row)));
      }
      emit_point();
      for (lower::InstId id : transposed_) body_.replace(id, nullptr);
      return {};
    });
  }

  llvm::Type* row_type(lower::InstId id) {
    return register_type(builder_.getContext(), body_.type(id), schedule_.lanes);
  }
  // The load's columns, read along the tile axis, are transposed and laid down row by row.
  llvm::Value* load_square(lower::InstId id, llvm::Value* first_row, llvm::Value* first_column) {
    Point along_tile = point_;
    along_tile.vector_axis = schedule_.tile_axis;
    along_tile.index[tile_axis()] = first_row;
    return transpose_square(emitter_, row_type(id), [&](llvm::Value* lane) {
      along_tile.index[vector_axis()] = builder_.CreateAdd(first_column, lane);
      return body_.load(id, along_tile);
    });
  }

  Emitter& emitter_;
  llvm::IRBuilder<>& builder_;
  const Kernel& kernel_;
  const MapSchedule& schedule_;
  BodyEmitter body_;
  Point point_;
  std::int64_t lanes_;
  std::vector<lower::InstId> transposed_;
};

}  // namespace

void emit_map(Emitter& emitter, const Kernel& kernel, const MapSchedule& schedule,
              const BufferPointers& buffers, llvm::Value* begin, llvm::Value* end) {
  MapEmitter map(emitter, kernel, schedule, buffers);
  if (schedule.vector_axis < 0)
    map.emit_single_point();
  else
    map.emit_blocks(begin, end);
}

}  // namespace weft::codegen
