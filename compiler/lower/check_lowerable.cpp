// Walks the entry function and the regions in it.
#include "compiler/lower/check_lowerable.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/fuse/fuse.h"
#include "compiler/ir/debug_print.h"

namespace weft::lower {
namespace {

[[noreturn]] void refuse(const ir::Graph& graph, const ir::Node& node, const std::string& what) {
  const ir::SourceLine& where = graph.location(node.location);
  throw CompileError(fmt::format("compile: {} cannot be compiled", what), where.file,
                     static_cast<int>(where.line), static_cast<int>(where.column));
}

// The body of a reduction is code on elements: nothing in it may need an array in memory.
void check_in_reduction(const ir::Graph& graph, const ir::Node& node) {
  const std::string name(ir::info_of(node.op).text);
  const auto refuse_there = [&](const std::string& what) {
    refuse(graph, node, name + what + " in the body of a reduction");
  };
  if (node.op == ir::Op::reduce || node.op == ir::Op::concatenate || node.op == ir::Op::pad ||
      node.op == ir::Op::dynamic_update_slice)
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
  std::vector<ir::RegionId> regions{graph.entry().body};
  while (!regions.empty()) {
    const ir::Region& region = graph.region(regions.back());
    regions.pop_back();
    for (const ir::NodeId id : region.nodes) {
      const ir::Node& node = graph.node(id);
      check_node(graph, node);
      if (region.parent != ir::kNone) check_in_reduction(graph, node);
      regions.insert(regions.end(), node.regions.begin(), node.regions.end());
    }
  }
}

}  // namespace weft::lower
