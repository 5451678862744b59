// Copying functions between graphs: nested jits become private functions, batched graphs are inlined.
#include <fmt/format.h>

#include "frontend/program.h"

namespace weft::frontend {
namespace {

using Names = std::unordered_map<std::string, std::string>;

// Gives the calls of a region, and of all regions inside, their new names.
void rename_calls(ir::Graph& graph, ir::RegionId region, std::size_t first_node, const Names& names) {
  std::vector<std::pair<ir::RegionId, std::size_t>> pending{{region, first_node}};
  while (!pending.empty()) {
    const auto [current, start] = pending.back();
    pending.pop_back();
    for (std::size_t i = start; i < graph.region(current).nodes.size(); ++i) {
      ir::Node& node = graph.node(graph.region(current).nodes[i]);
      for (const ir::RegionId inner : node.regions) pending.emplace_back(inner, 0);
      if (node.op != ir::Op::call) continue;
      std::string& callee = std::get<ir::CallAttributes>(node.attributes).callee;
      if (const auto name = names.find(callee); name != names.end()) callee = name->second;
    }
  }
}

std::string unused_name(const ir::Graph& graph) {
  std::size_t number = graph.functions.size();
  std::string name;
  do name = fmt::format("f{}", number++);
  while (graph.find_function(name));
  return name;
}

// Copies a function of another graph; its calls keep the names that they had there.
ir::Function copy_function(ir::Graph& into, const ir::Graph& from, const ir::Function& function) {
  const ir::Function copy = into.add_function(unused_name(into), false);
  ir::Builder builder(into, copy.body);
  std::vector<ir::ValueId> map(from.value_count(), ir::kNone);
  for (const ir::ValueId argument : from.region(function.body).arguments)
    map[argument] = into.add_argument(copy.body, from.type(argument));
  std::vector<ir::ValueId> results = ir::inline_region(builder, from, function.body, map);
  into.region(copy.body).results = std::move(results);
  return copy;
}

}  // namespace

std::vector<ir::ValueId> inline_entry(ir::Builder& into, const ir::Graph& graph,
                                      std::span<const ir::ValueId> arguments) {
  Names names;
  std::vector<ir::RegionId> copies;
  const ir::Function& entry = graph.entry();
  for (const ir::Function& function : graph.functions) {
    if (function.body == entry.body) continue;
    const ir::Function copy = copy_function(into.graph(), graph, function);
    names.emplace(function.name, copy.name);
    copies.push_back(copy.body);
  }
  for (const ir::RegionId body : copies) rename_calls(into.graph(), body, 0, names);
  std::vector<ir::ValueId> map(graph.value_count(), ir::kNone);
  const std::vector<ir::ValueId>& parameters = graph.region(entry.body).arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i) map[parameters[i]] = arguments[i];
  const std::size_t first_node = into.graph().region(into.region()).nodes.size();
  std::vector<ir::ValueId> results = ir::inline_region(into, graph, entry.body, map);
  rename_calls(into.graph(), into.region(), first_node, names);
  return results;
}

const std::string& Trace::import(const std::shared_ptr<TracedProgram>& program) {
  for (const auto& [name, known] : callees_)
    if (known == program) return name;
  Names names;
  for (const auto& [name, callee] : program->callees) names.emplace(name, import(callee));
  const ir::Function copy = copy_function(graph_, program->graph, program->graph.entry());
  rename_calls(graph_, copy.body, 0, names);
  return callees_.emplace_back(copy.name, program).first;
}

}  // namespace weft::frontend
