// inline_calls: a call becomes the operations of the function it names; only the entry function remains.
//   before  %1 = func.call @square(%0)          after  %1 = stablehlo.multiply %0, %0
//   needs   a verified graph (calls do not recurse)   keeps  every output bit for bit
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

// A chain of functions that each call the next twice doubles with every link.
constexpr std::int64_t kMaxOperations = 10'000'000;

struct Contents {
  std::int64_t nodes = 0;
  std::vector<std::string> callees;  // one entry a call
};

Contents contents_of(const ir::Graph& graph, ir::RegionId body) {
  Contents contents;
  std::vector<ir::RegionId> stack{body};
  while (!stack.empty()) {
    const ir::Region& region = graph.region(stack.back());
    stack.pop_back();
    for (ir::NodeId id : region.nodes) {
      const ir::Node& node = graph.node(id);
      ++contents.nodes;
      if (node.op == ir::Op::call)
        contents.callees.push_back(ir::attributes_of<ir::CallAttributes>(node).callee);
      stack.insert(stack.end(), node.regions.begin(), node.regions.end());
    }
  }
  return contents;
}

// How many operations the entry has after inlining: callees are sized before their callers, on a stack of our
// own.
std::int64_t inlined_size(const ir::Graph& graph) {
  std::unordered_map<std::string, Contents> contents;
  for (const ir::Function& function : graph.functions)
    contents[function.name] = contents_of(graph, function.body);
  std::unordered_map<std::string, std::int64_t> sizes;
  std::vector<std::string> stack{graph.entry().name};
  while (!stack.empty()) {
    const std::string name = stack.back();
    const Contents& here = contents[name];
    const auto unsized = std::find_if(here.callees.begin(), here.callees.end(),
                                      [&](const std::string& callee) { return !sizes.contains(callee); });
    if (unsized != here.callees.end()) {
      stack.push_back(*unsized);
      continue;
    }
    std::int64_t size = here.nodes;
    for (const std::string& callee : here.callees) size = std::min(size + sizes[callee], kMaxOperations + 1);
    sizes[name] = size;
    stack.pop_back();
  }
  return sizes[graph.entry().name];
}

}  // namespace

ir::Graph inline_calls(const ir::Graph& graph, Context& context) {
  if (inlined_size(graph) > kMaxOperations)
    throw CompileError(fmt::format("compile: @{} has more than {} operations once its calls are inlined",
                                   graph.entry().name, kMaxOperations));
  Rebuild rebuild(graph, context, "inline_calls");
  return rebuild.run_entry([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.op != ir::Op::call) return false;
    const ir::Function* callee = graph.find_function(ir::attributes_of<ir::CallAttributes>(node).callee);
    rebuild.record("inline", {id}, id, {}, {});
    rebuild.inline_call(id, callee->body);
    return true;
  });
}

}  // namespace weft::rewrite
