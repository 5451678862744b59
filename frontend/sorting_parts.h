// Sort operations on arrays of the current trace.
#pragma once

#include "frontend/record.h"

namespace weft::frontend {

struct SortOrder {
  std::size_t keys = 1;  // how many of the operands
  bool is_descending = false;
  bool is_stable = true;
};
// Operands of one shape ordered together along an axis.
std::vector<Array> sort_by(std::span<const Array> operands, int axis, const SortOrder& order);

// Positions along an axis, in the dtype that holds them: i32 or i64.
Array positions_along(const Shape& shape, int axis);

}  // namespace weft::frontend
