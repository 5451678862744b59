// Sorting, searching in what is sorted, and counting.
#pragma once

#include <utility>
#include <vector>

#include <weft/array.h>

namespace weft {

// Floats are ordered as numbers: -0 equals 0, and NaN comes last (first in descending order).
struct SortOptions {
  bool descending = false;
  bool stable = true;  // equal elements keep their order; sorting is stable in any case
};
Array sort(const Operand& x, int axis = -1, SortOptions options = {});
// The positions from which sort takes its elements: i32, or i64 along axes of more than 2^31 - 1 elements.
Array argsort(const Operand& x, int axis = -1, SortOptions options = {});
// The order by the last of the keys, where that is equal by the one before, and so on.
Array lexsort(const std::vector<Array>& keys, int axis = -1, Location where = Location::current());
// The k largest elements along the last axis in descending order, and their positions. NaN is the largest.
std::pair<Array, Array> top_k(const Operand& x, std::int64_t k);

// The middle element, or the mean of the middle two, as a float; NaN where there is one, or no element.
Array median(const Operand& x, const ReduceOptions& options = {});
template <AxesLike A>
Array median(const Operand& x, const A& axes) {
  return median(x, ReduceOptions{.axis = axes});
}

enum class Side : std::uint8_t { left, right };
struct SearchOptions {
  Side side = Side::left;
};
// For each value how many elements of the ascending vector `sorted` are less; with Side::right, not greater.
Array searchsorted(const Operand& sorted, const Operand& values, SearchOptions options = {});

struct BincountOptions {
  Array weights = {};  // of the shape of x: what each element counts; without them 1
  std::int64_t minlength = 0;
  std::int64_t length = -1;  // of the result; -1: one more than the largest element, which must then be known
};
// How often each integer from 0 on occurs in the vector x. Negative ones count as 0; those beyond `length`
// are left out.
Array bincount(const Operand& x, const BincountOptions& options = {});

struct HistogramRange {
  double low = 0, high = 0;
};
struct HistogramOptions {
  std::vector<HistogramRange> range = {};  // one, or none for that of the elements
  Array weights = {};
  bool density = false;  // divided by their sum and by the widths
};
// How many elements lie in each of `bins` equal intervals, as floats, and the bins + 1 edges. The last
// interval has both its ends; what lies outside is not counted.
std::pair<Array, Array> histogram(const Operand& x, std::int64_t bins = 10,
                                  const HistogramOptions& options = {});

// x[i + 1] - x[i] along an axis, n times; of b1 whether they differ.
Array diff(const Operand& x, int n = 1, int axis = -1);

namespace lax {

// The operands ordered together, by the first `num_keys` of them.
std::vector<Array> sort(const std::vector<Array>& operands, int dimension = -1, bool is_stable = true,
                        int num_keys = 1, Location where = Location::current());
template <std::same_as<Array> A>  // not of {x}, which is a list of one
Array sort(const A& operand, int dimension = -1, Location where = Location::current()) {
  return weft::sort(Operand(operand, where), dimension);
}
std::pair<Array, Array> sort_key_val(const Operand& keys, const Operand& values, int dimension = -1);
using weft::top_k;

}  // namespace lax
}  // namespace weft
