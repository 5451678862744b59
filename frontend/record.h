// Recording single operations on arrays of the current trace; faults become errors with the user's line.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "frontend/trace.h"

namespace weft::frontend {

// One operation with one result. Operands already have the types that the operation wants.
Array record(ir::Op op, std::span<const Array> operands, ir::Attributes attributes = ir::NoAttributes{},
             std::vector<ir::Type> declared = {}, std::vector<ir::RegionId> regions = {});
inline Array record(ir::Op op, std::initializer_list<Array> operands,
                    ir::Attributes attributes = ir::NoAttributes{}, std::vector<ir::Type> declared = {}) {
  return record(op, std::span(operands.begin(), operands.size()), std::move(attributes), std::move(declared));
}
std::vector<Array> record_all(ir::Op op, std::span<const Array> operands, ir::Attributes attributes,
                              std::vector<ir::RegionId> regions);

Array as_weak(const Array& x, bool is_weak);  // the same value, weakly typed or not

// The value in another dtype. A concrete scalar converts here; a weak integer that does not fit throws
// TypeError.
Array convert_to(const Array& x, DType dtype);
Array splat(DType dtype, const Shape& shape, double value);
Array splat_like(const Array& x, double value);
Array record_iota(DType dtype, const Shape& shape, int axis);
Array broadcast_in_dim(const Array& x, const Shape& shape, ir::Dims dimensions);
Array broadcast_trailing(const Array& x,
                         const Shape& shape);  // NumPy's rule; ShapeError when it does not apply
Array reshape_to(const Array& x, const Shape& shape);
Array compare(ir::Direction direction, const Array& a, const Array& b);
Array select(const Array& predicate, const Array& on_true, const Array& on_false);

// The common shape of operands by NumPy's rule, or ShapeError naming the operands.
Shape broadcast_shapes_of(std::span<const Array> operands);
// All operands in one dtype and shape.
std::vector<Array> broadcast_all(std::span<const Array> operands, DType dtype);

// A user's axis, counted from the end when negative; IndexError when there is none such.
int normalize_axis(std::int64_t axis, int rank);
// Ascending, without repetition; all of them when the user named none.
std::vector<int> normalize_axes(const Axes& axes, int rank);

std::string describe(std::span<const Array> operands);  // "f32[3] and f32[4]"

}  // namespace weft::frontend
