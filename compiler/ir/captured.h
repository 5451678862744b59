// What regions read from around them.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::ir {

// The values that the regions, or those inside them, read from outside; each once, in order of first use.
std::vector<ValueId> captured_values(const Graph& graph, std::span<const RegionId> regions);

// Is there an operation in the regions, at any depth, for which `matches` holds?
template <class Matches>
bool any_node_inside(const Graph& graph, std::span<const RegionId> regions, const Matches& matches) {
  std::vector<RegionId> stack(regions.begin(), regions.end());
  while (!stack.empty()) {
    const Region& region = graph.region(stack.back());
    stack.pop_back();
    for (const NodeId id : region.nodes) {
      const Node& node = graph.node(id);
      if (matches(node)) return true;
      stack.insert(stack.end(), node.regions.begin(), node.regions.end());
    }
  }
  return false;
}

}  // namespace weft::ir
