// The walk over the old graph: a stack of regions of our own, so that no depth of nesting overflows the
// machine's.
#include "compiler/rewrite/rebuild.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/text/text.h"

namespace weft::rewrite {
namespace {

// Texts of firings past this many a pass are left out: the ledger is for people.
constexpr std::size_t kTextsPerPass = 256;

}  // namespace

Cost cost_of(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  Cost cost;
  for (ir::ValueId result : node.results) {
    cost.bytes += graph.type(result).nbytes();
    if (ir::is_elementwise(node.op)) cost.flops += graph.type(result).size();
  }
  if (node.op == ir::Op::reduce)
    for (std::size_t i = 0; i < node.results.size(); ++i) cost.flops += graph.type(node.operands[i]).size();
  return cost;
}

Rebuild::Rebuild(const ir::Graph& from, Context& context, std::string_view pass)
    : from_(from), context_(context), pass_(pass), builder_(to_, 0), map_(from.value_count(), ir::kNone) {
  to_.name = from.name;
}

ir::Graph Rebuild::run(const Visit& visit) {
  for (const ir::Function& function : from_.functions) build_function(function, visit);
  return std::move(to_);
}

ir::Graph Rebuild::run_entry(const Visit& visit) {
  build_function(from_.entry(), visit);
  return std::move(to_);
}

void Rebuild::build_function(const ir::Function& function, const Visit& visit) {
  const ir::RegionId body = to_.add_function(function.name, function.is_public).body;
  for (ir::ValueId argument : from_.region(function.body).arguments)
    map_[argument] = to_.add_argument(body, from_.type(argument));
  stack_.push_back({function.body, body});
  walk(visit);
}

ir::ValueId Rebuild::mapped(ir::ValueId old) const {
  if (map_[old] == ir::kNone) throw InternalError(fmt::format("{}: a value that is read was dropped", pass_));
  return map_[old];
}

std::vector<ir::ValueId> Rebuild::mapped(const std::vector<ir::ValueId>& old) const {
  std::vector<ir::ValueId> now;
  now.reserve(old.size());
  for (ir::ValueId value : old) now.push_back(mapped(value));
  return now;
}

void Rebuild::walk(const Visit& visit) {
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    const ir::Region& region = from_.region(frame.from);
    if (frame.next == region.nodes.size()) {
      const Frame done = frame;
      stack_.pop_back();
      leave(done);
      continue;
    }
    const ir::NodeId id = region.nodes[frame.next++];
    const ir::RegionId place = frame.to;
    builder_.set_region(place);
    builder_.set_location(to_.add_location(from_.location(from_.node(id).location)));
    if (!visit(id)) copy(id, place);
  }
}

void Rebuild::leave(const Frame& frame) {
  const std::vector<ir::ValueId> results = mapped(from_.region(frame.from).results);
  if (frame.call == ir::kNone) {
    to_.region(frame.to).results = results;
    return;
  }
  const std::vector<ir::ValueId>& call_results = from_.node(frame.call).results;
  for (std::size_t i = 0; i < results.size(); ++i) replace(call_results[i], results[i]);
}

void Rebuild::copy(ir::NodeId id, ir::RegionId region) {
  const ir::Node& node = from_.node(id);
  std::vector<ir::Type> types;
  for (ir::ValueId result : node.results) types.push_back(from_.type(result));
  std::vector<ir::RegionId> children;
  for (ir::RegionId child : node.regions) {
    children.push_back(to_.add_region());
    for (ir::ValueId argument : from_.region(child).arguments)
      map_[argument] = to_.add_argument(children.back(), from_.type(argument));
  }
  const ir::LocationId location = to_.add_location(from_.location(node.location));
  const ir::NodeId now = to_.add_node(region, node.op, mapped(node.operands), node.attributes,
                                      std::move(types), children, location);
  for (std::size_t i = 0; i < node.results.size(); ++i) replace(node.results[i], to_.node(now).results[i]);
  for (std::size_t i = 0; i < children.size(); ++i) stack_.push_back({node.regions[i], children[i]});
}

void Rebuild::inline_call(ir::NodeId call, ir::RegionId body) {
  const std::vector<ir::ValueId> operands = mapped(from_.node(call).operands);
  const std::vector<ir::ValueId>& arguments = from_.region(body).arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) replace(arguments[i], operands[i]);
  stack_.push_back({body, stack_.back().to, 0, call});
}

bool Rebuild::still_prints() { return printed_++ < kTextsPerPass; }

std::string Rebuild::text_of(ir::ValueId now) {
  if (printed_ > kTextsPerPass) return {};
  const ir::NodeId node = to_.value(now).node;
  if (node == ir::kNone) return fmt::format("argument {}", to_.value(now).index);
  return text::print_node(to_, node);
}

void Rebuild::record(std::string rule, const std::vector<ir::NodeId>& nodes, ir::NodeId before,
                     std::string after, Cost saved) {
  Firing firing;
  firing.pass = pass_;
  firing.rule = std::move(rule);
  for (ir::NodeId node : nodes) firing.where.push_back(from_.location(from_.node(node).location));
  if (still_prints()) firing.before = text::print_node(from_, before);
  firing.after = std::move(after);
  firing.flops_saved = saved.flops;
  firing.bytes_saved = saved.bytes;
  context_.ledger.record(std::move(firing));
}

void Rebuild::record_replaced(std::string rule, const std::vector<ir::NodeId>& nodes, ir::ValueId now,
                              Cost saved) {
  record(std::move(rule), nodes, nodes.front(), text_of(now), saved);
}

}  // namespace weft::rewrite
