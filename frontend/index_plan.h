// An index of the user's, axis by axis: what reading x(…) and updating x.at(…) have in common.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <weft/index.h>

#include "frontend/record.h"

namespace weft::frontend {

// What happens to one axis of the indexed array, or a new axis. Axes are in the array's order.
struct AxisIndex {
  enum class Kind : std::uint8_t { range, integer, array, newaxis } kind = Kind::range;
  std::int64_t start = 0, stop = 0, step = 1;  // of a range: already within bounds, in reading order
  int operand = -1;                            // of an array: which operand
};

struct Plan {
  std::vector<AxisIndex> entries;
  bool is_scattered = false;  // index arrays with something between them: their axes come first
};

// The user's indices for x; index arrays are appended to `operands`. IndexError, TypeError.
Plan make_plan(const Array& x, std::span<const Index> indices, std::vector<Array>& operands);
std::string static_bytes(const Plan& plan);
std::int64_t extent_of(const AxisIndex& e);
std::vector<AxisIndex> axis_entries(const Plan& plan);  // those that use an axis of the array, in its order

// The ranges and integers alone: integers leave an axis of extent 1, index arrays the whole axis.
Array slice_statically(const Array& x, const Plan& plan);
// Negative values wrap once; the result is i32, or i64 for long axes. What lies beyond the axis stays beyond, at `extent`
// or more, or below 0.
Array wrapped(const Array& index, std::int64_t extent);
DType common_index_dtype(const std::vector<Array>& indices);
// Several index arrays as one array of index vectors; a single one as it is.
Array index_vectors(std::vector<Array> indices, const Shape& shape);
// Drops the axes of integers, adds the new ones, and puts those of the index arrays where NumPy does.
Shape final_shape(const Plan& plan, const Shape& batch);
// How many axes that stay come before those of the index arrays.
int place_of_batch(const Plan& plan);

}  // namespace weft::frontend
