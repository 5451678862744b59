// Reductions over axes: sum(x), sum(x, 0), sum(x, {0, 2}), sum(x, {.axis = 1, .keepdims = true}).
#pragma once

#include <weft/array.h>

namespace weft {

#define WEFT_REDUCTION(name)                                       \
  Array name(const Operand& x, const ReduceOptions& options = {}); \
  template <AxesLike A>                                            \
  Array name(const Operand& x, const A& axes) {                    \
    return name(x, ReduceOptions{.axis = axes});                   \
  }
WEFT_REDUCTION(sum)  // b1 counts as i32; f16 and bf16 accumulate in f32
WEFT_REDUCTION(prod)
WEFT_REDUCTION(min)  // NaN wins
WEFT_REDUCTION(max)
WEFT_REDUCTION(amin)
WEFT_REDUCTION(amax)
WEFT_REDUCTION(any)
WEFT_REDUCTION(all)
WEFT_REDUCTION(mean)
WEFT_REDUCTION(ptp)  // max - min
WEFT_REDUCTION(count_nonzero)
WEFT_REDUCTION(argmin)  // of one axis, or of the flattened array; the first among equals; NaN wins
WEFT_REDUCTION(argmax)
WEFT_REDUCTION(nansum)  // as if the NaN were not there
WEFT_REDUCTION(nanprod)
WEFT_REDUCTION(nanmin)
WEFT_REDUCTION(nanmax)
WEFT_REDUCTION(nanmean)
WEFT_REDUCTION(logsumexp)
#undef WEFT_REDUCTION

#define WEFT_VARIANCE(name)                                          \
  Array name(const Operand& x, const VarianceOptions& options = {}); \
  template <AxesLike A>                                              \
  Array name(const Operand& x, const A& axes) {                      \
    return name(x, VarianceOptions{.axis = axes});                   \
  }
WEFT_VARIANCE(var)
WEFT_VARIANCE(std)
#undef WEFT_VARIANCE

struct AverageOptions {
  Axes axis = {};
  bool keepdims = false;
};
// Weighted by `weights`, of the shape of x or broadcasting to it.
Array average(const Operand& x, const Operand& weights, const AverageOptions& options = {});

}  // namespace weft
