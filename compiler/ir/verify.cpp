// The rules of a legal graph, by number; errors and tests cite them.
//   V1  the graph has an entry function, and names of functions differ
//   V2  an operand is defined before its use, in the same region or one around it
//   V3  results have the types that the operation's type rule gives
//   V4  a region's results are values visible at its end
//   V5  calls name a function of the graph with matching arguments, and do not recurse
//   V6  every value, node and region that is listed exists, is listed once, and belongs to what lists it
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <weft/error.h>

#include "compiler/ir/build.h"

namespace weft::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph)
      : graph_(graph),
        visible_(graph.value_count(), false),
        seen_nodes_(graph.node_count(), false),
        seen_regions_(graph.region_count(), false) {}

  std::optional<Finding> run() {
    if (auto finding = check_functions()) return finding;
    for (const Function& function : graph_.functions)
      if (auto finding = check_numbers(function.body)) return finding;
    for (const Function& function : graph_.functions)
      if (auto finding = check_body(function.body)) return finding;
    return check_recursion();
  }

 private:
  Finding wrong(const char* rule, NodeId node, std::string text) const {
    Finding finding{{Fault::Kind::structure, rule, text}, node, {}};
    const std::string subject = node == kNone ? "graph" : std::string(info_of(graph_.node(node).op).text);
    finding.message = fmt::format("{}: {}: {}", rule, subject, text);
    return finding;
  }

  std::optional<Finding> check_functions() const {
    if (graph_.functions.empty()) return wrong("V1", kNone, "has no function");
    std::unordered_set<std::string> names;
    for (const Function& function : graph_.functions)
      if (!names.insert(function.name).second)
        return wrong("V1", kNone, "two functions are called @" + function.name);
    return std::nullopt;
  }

  // After this no number of the graph is out of range, and regions form a tree.
  std::optional<Finding> check_numbers(RegionId body) {
    std::vector<std::pair<RegionId, NodeId>> stack{{body, kNone}};
    while (!stack.empty()) {
      const auto [id, parent] = stack.back();
      stack.pop_back();
      if (id >= graph_.region_count())
        return wrong("V6", parent, fmt::format("region {} does not exist", id));
      if (seen_regions_[id]) return wrong("V6", parent, fmt::format("region {} is listed twice", id));
      seen_regions_[id] = true;
      const Region& region = graph_.region(id);
      if (region.parent != parent)
        return wrong("V6", parent, fmt::format("region {} has another parent", id));
      if (!owns(region.arguments, kNone, id))
        return wrong("V6", parent, "a region lists an argument that is not its own");
      if (!exist(region.results)) return wrong("V6", parent, "a region's result does not exist");
      for (NodeId node : region.nodes) {
        if (auto finding = check_numbers_of(node, id)) return finding;
        for (RegionId child : graph_.node(node).regions) stack.push_back({child, node});
      }
    }
    return std::nullopt;
  }

  std::optional<Finding> check_numbers_of(NodeId id, RegionId region) {
    const NodeId parent = graph_.region(region).parent;
    if (id >= graph_.node_count()) return wrong("V6", parent, fmt::format("node {} does not exist", id));
    if (seen_nodes_[id]) return wrong("V6", id, "is listed twice");
    seen_nodes_[id] = true;
    const Node& node = graph_.node(id);
    if (node.parent != region) return wrong("V6", id, "belongs to another region");
    if (!exist(node.operands)) return wrong("V6", id, "reads a value that does not exist");
    if (!owns(node.results, id, region)) return wrong("V6", id, "lists a result that is not its own");
    return std::nullopt;
  }

  bool exist(const std::vector<ValueId>& values) const {
    return std::all_of(values.begin(), values.end(),
                       [&](ValueId value) { return value < graph_.value_count(); });
  }

  bool owns(const std::vector<ValueId>& values, NodeId node, RegionId region) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= graph_.value_count()) return false;
      const Value& value = graph_.value(values[i]);
      if (value.node != node || value.region != region || value.index != i) return false;
    }
    return true;
  }

  struct Open {
    RegionId region;
    std::size_t next = 0;
    bool is_entered = false;
  };

  // Iterative: regions nest as deep as the input says.
  std::optional<Finding> check_body(RegionId body) {
    std::vector<Open> stack{{body}};
    while (!stack.empty()) {
      Open& open = stack.back();
      const Region& region = graph_.region(open.region);
      if (!open.is_entered) show(region.arguments, true);
      open.is_entered = true;
      // A node's results are there once its regions are closed: these do not see them.
      if (open.next > 0) show(graph_.node(region.nodes[open.next - 1]).results, true);
      if (open.next == region.nodes.size()) {
        if (auto finding = close(region)) return finding;
        stack.pop_back();
        continue;
      }
      const NodeId id = region.nodes[open.next++];
      if (auto finding = check_node(id)) return finding;
      for (RegionId child : graph_.node(id).regions) stack.push_back({child});
    }
    return std::nullopt;
  }

  void show(const std::vector<ValueId>& values, bool is_visible) {
    for (ValueId value : values) visible_[value] = is_visible;
  }

  std::optional<Finding> close(const Region& region) {
    for (ValueId result : region.results)
      if (!visible_[result])
        return wrong("V4", region.parent,
                     fmt::format("the region's result %{} is not visible there", result));
    show(region.arguments, false);
    for (NodeId node : region.nodes) show(graph_.node(node).results, false);
    return std::nullopt;
  }

  std::optional<Finding> check_node(NodeId id) const {
    const Node& node = graph_.node(id);
    std::vector<Type> operands, results;
    for (ValueId operand : node.operands) {
      if (!visible_[operand])
        return wrong("V2", id, fmt::format("reads %{}, which is not defined before it", operand));
      operands.push_back(graph_.type(operand));
    }
    for (ValueId result : node.results) results.push_back(graph_.type(result));
    if (node.op == Op::call && std::holds_alternative<CallAttributes>(node.attributes))
      return check_call(id, operands, results);
    TypeAnswer answer =
        infer_types({graph_, node.op, std::move(operands), node.attributes, node.regions, results});
    if (answer.fault) {
      Finding finding = wrong("V3", id, fmt::format("{} ({})", answer.fault->text, answer.fault->rule));
      finding.fault.kind = answer.fault->kind;
      return finding;
    }
    if (answer.types == results) return std::nullopt;
    std::string text = "results should be";
    for (const Type& type : answer.types) text += " " + type.to_string();
    text += ", are";
    for (const Type& type : results) text += " " + type.to_string();
    return wrong("V3", id, text);
  }

  std::optional<Finding> check_call(NodeId id, const std::vector<Type>& operands,
                                    const std::vector<Type>& results) const {
    const auto& callee = attributes_of<CallAttributes>(graph_.node(id)).callee;
    const Function* function = graph_.find_function(callee);
    if (!function) return wrong("V5", id, "calls @" + callee + ", which is not there");
    const Region& body = graph_.region(function->body);
    const auto types_of = [&](const std::vector<ValueId>& values) {
      std::vector<Type> types;
      for (ValueId value : values) types.push_back(graph_.type(value));
      return types;
    };
    if (types_of(body.arguments) != operands)
      return wrong("V5", id, "operands do not match the arguments of @" + callee);
    if (types_of(body.results) != results) return wrong("V5", id, "results do not match those of @" + callee);
    return std::nullopt;
  }

  // Colours of a depth-first walk over calls, on a stack of our own.
  std::optional<Finding> check_recursion() const {
    std::unordered_map<std::string, std::vector<std::string>> callees;
    for (const Function& function : graph_.functions) callees[function.name] = calls_in(function.body);
    std::unordered_map<std::string, int> state;  // 1: on the path, 2: done
    for (const Function& function : graph_.functions) {
      std::vector<std::pair<std::string, std::size_t>> path{{function.name, 0}};
      while (!path.empty()) {
        auto& [name, next] = path.back();
        state[name] = state[name] == 2 ? 2 : 1;
        if (state[name] == 2 || next == callees[name].size()) {
          state[name] = 2;
          path.pop_back();
          continue;
        }
        const std::string callee = callees[name][next++];
        if (state[callee] == 1) return wrong("V5", kNone, "@" + callee + " calls itself");
        if (state[callee] == 0) path.push_back({callee, 0});
      }
    }
    return std::nullopt;
  }

  std::vector<std::string> calls_in(RegionId body) const {
    std::vector<std::string> callees;
    std::vector<RegionId> stack{body};
    while (!stack.empty()) {
      const Region& region = graph_.region(stack.back());
      stack.pop_back();
      for (NodeId id : region.nodes) {
        const Node& node = graph_.node(id);
        if (node.op == Op::call) callees.push_back(attributes_of<CallAttributes>(node).callee);
        stack.insert(stack.end(), node.regions.begin(), node.regions.end());
      }
    }
    return callees;
  }

  const Graph& graph_;
  std::vector<bool> visible_, seen_nodes_, seen_regions_;
};

}  // namespace

std::optional<Finding> find_fault(const Graph& graph) { return Verifier(graph).run(); }

void verify(const Graph& graph, std::string_view after) {
  if (const auto finding = find_fault(graph))
    throw InternalError(fmt::format("verify after {}: {}", after, finding->message));
}

}  // namespace weft::ir
