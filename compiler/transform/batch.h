// batch (vmap): a function of one element becomes a function of a batch. Graph -> Graph that means something else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::transform {

inline constexpr std::int64_t kNotBatched = INT64_MIN;

struct BatchSpec {
  std::vector<std::int64_t> argument_axes;  // position of the mapped axis in the new argument, or kNotBatched
  std::vector<std::int64_t> result_axes;    // where the mapped axis goes in each result (>= 0), or kNotBatched: must not vary
  std::int64_t size = 0;                    // extent of the mapped axis
};
// The entry's arguments gain the mapped axis where the spec says so, and so do all results. A result that does not
// depend on a batched argument is broadcast. `varying`, if not null, receives which results depended on one.
ir::Graph batch(const ir::Graph& graph, const BatchSpec& spec, std::vector<bool>* varying = nullptr);

}  // namespace weft::transform
