// order: in which order the operations of a region are looked at, and what each of them reads.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace weft::fuse {

// The operands of a node, and what its regions read from around them.
std::vector<ir::ValueId> reads_of(const ir::Graph& graph, const ir::Node& node);

// The node may write over its operand number i, to give its result number i: an update, or a loop.
bool may_update(const ir::Graph& graph, const ir::Node& node);

// The program prints, or calls something, in the node or inside of it: such nodes keep their order.
bool has_calls(const ir::Graph& graph, const ir::Node& node);

//   before  %1 = dynamic_update_slice %0, …   %2 = sine %0     after  %2 = sine %0   %1 = dynamic_update_slice %0, …
// An order in which producers come first and what may update its operand comes as late as it can, so that the
// readers of the old value are done.
std::vector<ir::NodeId> updates_last(const ir::Graph& graph, ir::RegionId region);

}  // namespace weft::fuse
