// Walks the entry function and the regions in it.
#include "compiler/lower/check_lowerable.h"

#include <fmt/format.h>

#include <weft/error.h>

namespace weft::lower {
namespace {

[[noreturn]] void refuse(const ir::Graph& graph, const ir::Node& node, const std::string& what) {
  const std::string where = graph.location(node.location).to_string();
  const bool is_known = !graph.location(node.location).file.empty();
  throw CompileError(fmt::format("compile: {} cannot be compiled{}", what, is_known ? ", at " + where : ""));
}

void check_node(const ir::Graph& graph, const ir::Node& node, bool is_in_reduction) {
  const std::string name(ir::info_of(node.op).text);
  if (node.op == ir::Op::custom_call)
    refuse(graph, node,
           fmt::format("{} @{}", name, ir::attributes_of<ir::CustomCallAttributes>(node).target));
  if (node.op == ir::Op::call) refuse(graph, node, name + " that is not inlined");
  if (is_in_reduction && node.op == ir::Op::reduce) refuse(graph, node, name + " in the body of a reduction");
}

}  // namespace

void check_is_lowerable(const ir::Graph& graph) {
  std::vector<ir::RegionId> regions{graph.entry().body};
  while (!regions.empty()) {
    const ir::Region& region = graph.region(regions.back());
    regions.pop_back();
    for (const ir::NodeId id : region.nodes) {
      const ir::Node& node = graph.node(id);
      check_node(graph, node, region.parent != ir::kNone);
      regions.insert(regions.end(), node.regions.begin(), node.regions.end());
    }
  }
}

}  // namespace weft::lower
