// attach_epilogues: what is computed from the results of one group's reductions is computed at their end.
#pragma once

#include "compiler/fuse/fuse.h"

namespace weft::fuse {

//   before  group 0 { %1 = reduce sum %0 }  group 1 { %2 = divide %1, n }     after  group 0 { %1 = reduce …;
//   then %2 }
// Moves stored values into the epilogue of the group that they depend on, when they have its unreduced shape
// and read each of its results only at the same point. Results that nothing else reads leave memory. Keeps
// every bit.
void attach_epilogues(const ir::Graph& graph, ir::RegionId region, Values& values, Groups& groups);

}  // namespace weft::fuse
