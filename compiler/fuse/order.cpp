// Kahn's algorithm; of the nodes that are ready, one that updates nothing goes first.
#include "compiler/fuse/order.h"

#include <queue>
#include <unordered_map>

#include "compiler/ir/captured.h"

namespace weft::fuse {

std::vector<ir::ValueId> reads_of(const ir::Graph& graph, const ir::Node& node) {
  std::vector<ir::ValueId> reads = node.operands;
  if (!ir::is_control_flow(node.op)) return reads;
  const std::vector<ir::ValueId> captured = ir::captured_values(graph, node.regions);
  reads.insert(reads.end(), captured.begin(), captured.end());
  return reads;
}

bool may_update(const ir::Graph&, const ir::Node& node) {
  return node.op == ir::Op::dynamic_update_slice || node.op == ir::Op::while_ || node.op == ir::Op::scan;
}

bool has_calls(const ir::Graph& graph, const ir::Node& node) {
  const auto is_call = [](const ir::Node& each) { return each.op == ir::Op::custom_call; };
  return is_call(node) || (ir::is_control_flow(node.op) && ir::any_node_inside(graph, node.regions, is_call));
}

std::vector<ir::NodeId> updates_last(const ir::Graph& graph, ir::RegionId region) {
  const std::vector<ir::NodeId>& nodes = graph.region(region).nodes;
  std::unordered_map<ir::NodeId, std::size_t> index;
  for (std::size_t i = 0; i < nodes.size(); ++i) index.emplace(nodes[i], i);
  std::vector<std::vector<std::size_t>> waiting(nodes.size());  // what needs the node
  std::vector<std::size_t> needs(nodes.size(), 0);
  const auto wait = [&](std::size_t reader, std::size_t producer) {
    waiting[producer].push_back(reader);
    ++needs[reader];
  };
  std::size_t last_call = nodes.size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ir::Node& node = graph.node(nodes[i]);
    for (ir::ValueId value : reads_of(graph, node)) {
      const auto producer = index.find(graph.value(value).node);
      if (producer != index.end()) wait(i, producer->second);
    }
    if (!has_calls(graph, node)) continue;
    if (last_call != nodes.size()) wait(i, last_call);
    last_call = i;
  }
  using Place = std::pair<bool, std::size_t>;  // updates come last, then the program's order
  std::priority_queue<Place, std::vector<Place>, std::greater<>> ready;
  const auto add = [&](std::size_t i) { ready.push({may_update(graph, graph.node(nodes[i])), i}); };
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (needs[i] == 0) add(i);
  std::vector<ir::NodeId> order;
  while (!ready.empty()) {
    const std::size_t next = ready.top().second;
    ready.pop();
    order.push_back(nodes[next]);
    for (std::size_t reader : waiting[next])
      if (--needs[reader] == 0) add(reader);
  }
  return order;
}

}  // namespace weft::fuse
