// Sorting at run time, from compiled programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <weft/shape.h>

namespace weft::runtime {

// By what elements are ordered where all keys before it are equal.
struct SortKey {
  enum class Order : std::uint8_t {
    number,  // as < says: -0 equals +0, NaN is neither before nor behind anything. Only as the only key
    total,   // -NaN < -inf < … < -0 < +0 < … < +NaN
  };
  std::int64_t operand = 0;
  Order order = Order::total;
  bool is_descending = false;
  bool joins_zeros = false, joins_nans = false;  // -0 counts as +0; every NaN as the last one
  bool operator==(const SortKey&) const = default;
};

// Along one dimension of operands of one shape. Without keys, the program's own comparator decides.
struct Sort {
  Shape shape;
  std::int64_t dimension = 0;
  std::vector<DType> operands;
  std::vector<SortKey> keys;
};

// As the bytes that weft_sort takes.
std::vector<std::byte> encode(const Sort& what);

// Is element `left` of the operands before element `right`? Both count elements from the operands'
// beginnings.
using SortLess = std::uint8_t (*)(const std::byte* const* operands, std::int64_t left, std::int64_t right);

}  // namespace weft::runtime

// Called by compiled code; never throws. `arrays` are the operands, then as many results. Equal elements keep
// their order; of a comparator that is no order, the result is what merging runs of 1, 2, 4 … gives. Not 0
// when there is no memory.
extern "C" std::int32_t weft_sort(const std::byte* descriptor, std::byte* const* arrays, std::int32_t threads,
                                  weft::runtime::SortLess less);
