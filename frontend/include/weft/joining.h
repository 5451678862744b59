// Arrays put together from others, and taken apart.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include <weft/array.h>

namespace weft {

// One after another along an existing axis; the dtypes promote, the other extents must agree (ShapeError).
Array concatenate(const std::vector<Array>& arrays, int axis = 0, Location where = Location::current());
// Arrays of one shape along a new axis.
Array stack(const std::vector<Array>& arrays, int axis = 0, Location where = Location::current());
Array vstack(const std::vector<Array>& arrays,
             Location where = Location::current());  // rows; vectors become rows
Array hstack(const std::vector<Array>& arrays,
             Location where = Location::current());  // along axis 1; vectors along 0
Array dstack(const std::vector<Array>& arrays, Location where = Location::current());  // along axis 2
Array column_stack(const std::vector<Array>& arrays,
                   Location where = Location::current());  // vectors become columns
Array append(const Operand& x, const Operand& values,
             const Axes& axis = {});  // without an axis both are raveled

// `sections` equal parts (ShapeError when they do not come out even), or parts that begin at the given
// positions.
std::vector<Array> split(const Operand& x, std::int64_t sections, int axis = 0);
std::vector<Array> split(const Operand& x, std::initializer_list<std::int64_t> positions, int axis = 0);
std::vector<Array> array_split(const Operand& x, std::int64_t sections,
                               int axis = 0);  // the first parts may be one longer
std::vector<Array> vsplit(const Operand& x, std::int64_t sections);
std::vector<Array> hsplit(const Operand& x, std::int64_t sections);
std::vector<Array> unstack(const Operand& x, int axis = 0);  // one array an element of the axis

// NumPy's modes of padding.
enum class PadMode : std::uint8_t {
  constant,     // constant_values
  edge,         // the nearest element
  reflect,      // mirrored at the first and last element
  symmetric,    // mirrored at the edges, which repeats the first and last element
  wrap,         // as if the array repeated
  linear_ramp,  // from the edge to end_values
  maximum,      // of the elements along the axis, or the nearest stat_length of them; mean and minimum too
  mean,
  minimum,
  empty,  // zeros
};
struct PadOptions {
  PadMode mode = PadMode::constant;
  Array constant_values = 0;
  Array end_values = 0;
  std::int64_t stat_length = -1;  // all
};
// How many elements come before and behind along each axis: one number, one pair, or a pair an axis.
struct PadWidths {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  template <std::integral T>
  PadWidths(T both) : pairs{{static_cast<std::int64_t>(both), static_cast<std::int64_t>(both)}} {}
  template <std::integral T, std::integral U>
  PadWidths(T before, U behind)
      : pairs{{static_cast<std::int64_t>(before), static_cast<std::int64_t>(behind)}} {}
  template <std::integral T, std::integral U>
  PadWidths(std::pair<T, U> all) : PadWidths(all.first, all.second) {}
  PadWidths(std::initializer_list<std::pair<std::int64_t, std::int64_t>> each) : pairs(each) {}
};
Array pad(const Operand& x, const PadWidths& widths, const PadOptions& options = {});

namespace lax {

Array concatenate(const std::vector<Array>& operands, int dimension, Location where = Location::current());
// Low, high and interior padding of every dimension; negative low and high take elements away.
struct PaddingConfig {
  std::int64_t low = 0, high = 0, interior = 0;
};
Array pad(const Operand& operand, const Operand& padding_value, const std::vector<PaddingConfig>& config);

}  // namespace lax
}  // namespace weft
