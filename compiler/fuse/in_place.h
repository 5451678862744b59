// in_place: which results may take the memory of an operand.
#pragma once

#include <vector>

#include "compiler/fuse/fuse.h"

namespace weft::fuse {

struct InPlace {
  // (result, operand) in order: updates and loops that write over the operand.
  std::vector<std::pair<ir::ValueId, ir::ValueId>> updates;
  // Computed and stored before an operand of theirs is written over.
  std::vector<ir::ValueId> kept;
};

//   before  %1 = dynamic_update_slice %0, %u, %i  (%0 copied, then a box of it written)     after  the box alone
// An operand is written over when it is no argument or literal, nothing reads it afterwards (order: what
// updates comes last), and it is a carried value only if the loop carries the last update on. Values that read
// it and are needed later are kept in memory; so is the new box when it reads other elements than it replaces.
InPlace find_updates(const ir::Graph& graph, ir::RegionId region, const std::vector<ir::NodeId>& order);

}  // namespace weft::fuse
