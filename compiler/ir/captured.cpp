// One walk over the regions: what is read there and not defined there.
#include "compiler/ir/captured.h"

#include <unordered_set>

namespace weft::ir {

std::vector<ValueId> captured_values(const Graph& graph, std::span<const RegionId> regions) {
  std::unordered_set<ValueId> known;
  std::vector<ValueId> read, captured;
  std::vector<RegionId> stack(regions.rbegin(), regions.rend());
  while (!stack.empty()) {
    const Region& region = graph.region(stack.back());
    stack.pop_back();
    known.insert(region.arguments.begin(), region.arguments.end());
    for (const NodeId id : region.nodes) {
      const Node& node = graph.node(id);
      known.insert(node.results.begin(), node.results.end());
      read.insert(read.end(), node.operands.begin(), node.operands.end());
      stack.insert(stack.end(), node.regions.begin(), node.regions.end());
    }
    read.insert(read.end(), region.results.begin(), region.results.end());
  }
  for (const ValueId value : read)
    if (known.insert(value).second) captured.push_back(value);
  return captured;
}

}  // namespace weft::ir
