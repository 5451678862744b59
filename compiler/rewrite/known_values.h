// What is known about a value without running the program: splat elements, ranges of integers, signs of floats.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/ir.h"

namespace weft::rewrite {

// The element of a constant whose elements are all equal; integers and b1 by value (u64 past 2^63 wraps).
std::optional<std::int64_t> integer_splat(const ir::Graph& graph, ir::ValueId value);
std::optional<double> float_splat(const ir::Graph& graph, ir::ValueId value);
// A float splat of exactly this number, told apart by the sign of zero.
bool is_float_splat(const ir::Graph& graph, ir::ValueId value, double number);

// Bounds, both inclusive, of every element of an integer value.
struct Range {
  std::int64_t low = 0, high = 0;
};
std::optional<Range> range_of(const ir::Graph& graph, ir::ValueId value);
std::optional<Range> range_of(DType dtype);  // of all values of an integer dtype; u64 has none

// Can no element be -0 (in known_signs.cpp)?
bool is_never_minus_zero(const ir::Graph& graph, ir::ValueId value);

}  // namespace weft::rewrite
