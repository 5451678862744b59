// Reduce operations on arrays of the current trace.
#pragma once

#include <weft/detail/function_ref.h>

#include "compiler/ir/reductions.h"
#include "frontend/record.h"

namespace weft::frontend {

// A standard reduction of some axes (ascending), which are gone from the result.
Array reduce_with(ir::ReductionKind kind, const Array& x, const std::vector<int>& axes);
// Position of the first minimum or maximum along one axis; a NaN counts as both. The axis is not empty.
Array position_of_extremum(const Array& x, int axis, bool is_minimum);
// The shape with extent 1 at the reduced axes.
Shape kept_shape(const Shape& shape, const std::vector<int>& axes);

// One reduce with a body recorded from accumulators and elements to new accumulators.
using ReduceBody = detail::FunctionRef<std::vector<Array>(std::span<const Array>, std::span<const Array>)>;
std::vector<Array> reduce_by(std::span<const Array> operands, std::span<const Array> inits,
                             const std::vector<int>& axes, const ReduceBody& body);

}  // namespace weft::frontend
