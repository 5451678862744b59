// Emission of a nest's instructions at a point: scalars where nothing varies along the vector axis, vectors
// elsewhere.
#pragma once

#include <vector>

#include "compiler/codegen/elements.h"
#include "compiler/lower/nest.h"

namespace weft::codegen {

inline constexpr std::int64_t kLargestSortedStride = 16;  // loads further apart are gathered

// Where in the iteration space code is emitted. `index` holds an i64 for every axis; along `vector_axis` (-1:
// none) it is the index of lane 0 and lane l stands at index + l. The index of another axis may be a vector:
// each lane its own.
struct Point {
  std::vector<llvm::Value*> index;
  int vector_axis = -1;
  unsigned lanes = 1;
  llvm::Value* mask = nullptr;  // <lanes x i1> of lanes that exist; null when all do
};

// Pointers to the buffers of the plan, loaded once at the entry of a kernel.
struct BufferPointers {
  std::vector<llvm::Value*> pointer;  // by BufferId; null if the kernel does not touch it
};

class BodyEmitter {
 public:
  BodyEmitter(Emitter& emitter, const BufferPointers& buffers, const std::vector<lower::Inst>& insts)
      : emitter_(emitter),
        buffers_(buffers),
        insts_(insts),
        values_(insts.size(), nullptr),
        needed_(insts.size(), true),
        is_set_(insts.size(), false) {}
  // Only what these values are made of is emitted from now on.
  void restrict_to(const std::vector<lower::InstId>& roots);

  // Instructions that do not change along the vector axis; call before the inner loop, at its first point.
  void emit_uniform(const Point& point);
  // The others, at one point of the inner loop. Values of an earlier point are forgotten.
  void emit_varying(const Point& point);
  // All instructions at one point, each a vector of point.lanes; for the bodies of reductions.
  void emit_all(const Point& point);
  // A value in register form; `as_vector` splats a uniform one.
  llvm::Value* value(lower::InstId id, const Point& point, bool as_vector) const;
  void set(lower::InstId id, llvm::Value* value) { values_[id] = value; }
  // From now on the instruction has this value and is not emitted; without one it is emitted again.
  void replace(lower::InstId id, llvm::Value* value) {
    values_[id] = value;
    is_set_[id] = value != nullptr;
  }
  llvm::Value* load(lower::InstId id, const Point& point) { return emit_load(insts_[id], point, true); }
  DType type(lower::InstId id) const { return insts_[id].type; }
  void store(const lower::Store& store, const Point& point);

 private:
  void find_varying(const Point& point);
  llvm::Value* emit(const lower::Inst& inst, const Point& point, bool vector);
  llvm::Value* load_strided(llvm::Type* type, llvm::Value* pointer, llvm::Align alignment,
                            std::int64_t stride);
  llvm::Value* gather_narrow(llvm::Type* type, llvm::Value* pointers, llvm::Align alignment, llvm::Value* mask);
  llvm::Value* emit_load(const lower::Inst& inst, const Point& point, bool vector);
  llvm::Value* emit_position(const lower::Inst& inst, const Point& point, bool vector);
  llvm::Value* emit_fma(ir::Op op, const std::vector<llvm::Value*>& operands);
  llvm::Value* emit_literal(const lower::Inst& inst);
  llvm::Value* scalar_offset(const lower::Access& access, const Point& point);
  llvm::Value* vector_offset(const lower::Access& access, const Point& point);  // null when there is none
  std::int64_t vector_stride(const lower::Access& access, const Point& point) const;

  Emitter& emitter_;
  const BufferPointers& buffers_;
  const std::vector<lower::Inst>& insts_;
  std::vector<llvm::Value*> values_;
  std::vector<bool> needed_, is_set_;
  std::vector<bool> varying_;
};

// <lanes x i1>: lane l is set when l < remaining.
llvm::Value* lane_mask(Emitter& emitter, llvm::Value* remaining, unsigned lanes);

}  // namespace weft::codegen
