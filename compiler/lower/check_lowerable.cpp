// Walks the entry function and the regions in it.
#include "compiler/lower/check_lowerable.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/fuse/fuse.h"
#include "compiler/ir/debug_print.h"

namespace weft::lower {
namespace {

constexpr int kDeepestRegion = 500;  // lowering uses the native stack

[[noreturn]] void refuse(const ir::Graph& graph, const ir::Node& node, const std::string& what) {
  const ir::SourceLine& where = graph.location(node.location);
  throw CompileError(fmt::format("compile: {} cannot be compiled", what), where.file,
                     static_cast<int>(where.line), static_cast<int>(where.column));
}

// The body of a reduction or sort is code on elements: nothing in it may need an array in memory.
void check_in_body(const ir::Graph& graph, const ir::Node& node) {
  const std::string name(ir::info_of(node.op).text);
  const auto refuse_there = [&](const std::string& what) {
    const ir::NodeId owner = graph.region(node.parent).parent;
    const bool is_sort = graph.node(owner).op == ir::Op::sort;
    refuse(graph, node, fmt::format("{}{} in the body of a {}", name, what, is_sort ? "sort" : "reduction"));
  };
  if (!node.regions.empty() || (!node.results.empty() && fuse::is_assembled(graph, node.results[0])))
    refuse_there("");
  if (node.op == ir::Op::custom_call)
    refuse_there(" @" + ir::attributes_of<ir::CustomCallAttributes>(node).target);
  if (node.results.empty()) return;
  const ir::Type& type = graph.type(node.results[0]);
  if (node.op == ir::Op::constant && fuse::is_leaf(graph, node.results[0]))
    refuse_there(fmt::format(" of {} different elements", type.size()));
  if (node.operands.empty()) return;
  const ir::Type& operand = graph.type(node.operands[0]);
  const bool reshapes = node.op == ir::Op::reshape && !fuse::reshape_is_affine(operand.shape, type.shape);
  const bool regroups = node.op == ir::Op::bitcast_convert && size_of(operand.dtype) != size_of(type.dtype);
  if (reshapes || regroups)
    refuse_there(fmt::format(" from {} to {}", operand.to_string(), type.to_string()));
}

void check_node(const ir::Graph& graph, const ir::Node& node) {
  const std::string name(ir::info_of(node.op).text);
  if (node.op == ir::Op::custom_call && !ir::is_debug_print(node))
    refuse(graph, node,
           fmt::format("{} @{}", name, ir::attributes_of<ir::CustomCallAttributes>(node).target));
  if (node.op == ir::Op::scatter) refuse(graph, node, name);
  if (node.op == ir::Op::call) refuse(graph, node, name + " that is not inlined");
  for (const std::vector<ir::ValueId>* values : {&node.operands, &node.results}) {
    for (const ir::ValueId value : *values) {
      const bool is_computed = !node.operands.empty() || !fuse::is_leaf(graph, value);
      if (is_complex(graph.type(value).dtype) && is_computed)
        refuse(graph, node, name + " of " + graph.type(value).to_string());
    }
  }
}

}  // namespace

void check_is_lowerable(const ir::Graph& graph) {
  struct Open {
    ir::RegionId region;
    bool is_in_body;
    int depth;
  };
  std::vector<Open> regions{{graph.entry().body, false, 0}};
  while (!regions.empty()) {
    const Open open = regions.back();
    regions.pop_back();
    for (const ir::NodeId id : graph.region(open.region).nodes) {
      const ir::Node& node = graph.node(id);
      check_node(graph, node);
      if (open.is_in_body) check_in_body(graph, node);
      if (open.depth == kDeepestRegion) refuse(graph, node, "what is nested deeper than 500 regions");
      const bool is_body = open.is_in_body || !ir::is_control_flow(node.op);
      for (const ir::RegionId region : node.regions) regions.push_back({region, is_body, open.depth + 1});
    }
  }
}

}  // namespace weft::lower
