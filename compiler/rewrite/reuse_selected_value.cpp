// reuse_selected_value: an array read at the place that its own argmin or argmax found is the extreme value,
// which the reduction has at hand; so the array need not be in memory, nor be computed again at that place.
//   before  %v, %i = reduce(%x, iota) by the smaller %x, ties to the smaller index     %y = dynamic_slice %x,
//   %i after   %v, %i = the same reduce, %v chosen together with %i                      %y = reshape %v
//   needs   canonicalize (an index that is never negative), merge_equal_nodes (one %x)
//   keeps   every output bit for bit: NaN payloads and the sign of zero are those of the element at %i
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "compiler/ir/reductions.h"
#include "compiler/rewrite/known_values.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

using ir::Op;

constexpr std::size_t kMaxBodyNodes = 64;

// A reduction that finds the place of its key's extreme along one dimension.
struct PlaceFinder {
  ir::NodeId reduce = ir::kNone;
  std::size_t key = 0, place = 0;  // which operand is compared, which one is the position
  std::int64_t dimension = 0;
  bool chooses_together = false;  // the body picks the key by the very predicate that picks the position
};

const ir::Node* producer(const ir::Graph& graph, ir::ValueId value) {
  const ir::NodeId id = graph.value(value).node;
  return id == ir::kNone ? nullptr : &graph.node(id);
}

// The select that picks the accumulator's or the element's component `index` for the body's result.
const ir::Node* chooser_of(const ir::Graph& graph, const ir::Node& reduce, std::size_t index) {
  const ir::Region& body = graph.region(reduce.regions[0]);
  const ir::Node* select = producer(graph, body.results[index]);
  if (!select || select->op != Op::select) return nullptr;
  const ir::ValueId accumulator = body.arguments[index],
                    element = body.arguments[reduce.results.size() + index];
  const bool keeps = select->operands[1] == accumulator && select->operands[2] == element;
  const bool takes = select->operands[1] == element && select->operands[2] == accumulator;
  return keeps || takes ? select : nullptr;
}

bool keeps_when_true(const ir::Graph& graph, const ir::Node& reduce, const ir::Node& chooser,
                     std::size_t index) {
  return chooser.operands[1] == graph.region(reduce.regions[0]).arguments[index];
}

// An init value that is kept is no better than any element: then all elements are it, wherever one looks.
bool starts_from_identity(const ir::Graph& graph, const ir::Node& reduce, const ir::Selection& selection) {
  const ir::ValueId init = reduce.operands[reduce.results.size() + selection.key];
  const ir::Literal* literal = ir::constant_value(graph, init);
  if (!literal) return false;
  const auto kind = selection.is_minimum ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
  return literal->materialized() == ir::identity_of(kind, literal->type.dtype).materialized();
}

bool counts_along(const ir::Graph& graph, ir::ValueId value, std::int64_t dimension) {
  const ir::Node* node = producer(graph, value);
  return node && node->op == Op::iota &&
         ir::attributes_of<ir::IotaAttributes>(*node).dimension == dimension &&
         range_of(graph, value).has_value();  // the last position is a number of that type
}

std::optional<PlaceFinder> place_finder(const ir::Graph& graph, ir::NodeId id, std::size_t place) {
  const ir::Node& reduce = graph.node(id);
  const ir::Dims& dims = ir::attributes_of<ir::ReduceAttributes>(reduce).dimensions;
  if (dims.size() != 1 || graph.type(reduce.operands[0]).shape[static_cast<int>(dims[0])] == 0)
    return std::nullopt;
  if (graph.region(reduce.regions[0]).nodes.size() > kMaxBodyNodes) return std::nullopt;
  if (!counts_along(graph, reduce.operands[place], dims[0])) return std::nullopt;
  const auto selection = ir::classify_reducer(graph, reduce.regions[0]).selection;
  if (!selection || selection->nan == ir::Selection::Nan::other || selection->key == place)
    return std::nullopt;
  if (!starts_from_identity(graph, reduce, *selection)) return std::nullopt;
  const ir::Node* place_chooser = chooser_of(graph, reduce, place);
  if (!place_chooser) return std::nullopt;
  PlaceFinder finder{id, selection->key, place, dims[0], false};
  const ir::Node* key_chooser = chooser_of(graph, reduce, selection->key);
  finder.chooses_together = key_chooser && key_chooser->operands[0] == place_chooser->operands[0] &&
                            keeps_when_true(graph, reduce, *key_chooser, selection->key) ==
                                keeps_when_true(graph, reduce, *place_chooser, place);
  return finder;
}

bool adds_only_unit_dimensions(const ir::Graph& graph, const ir::Node& node) {
  if (node.op != Op::broadcast_in_dim ||
      graph.type(node.results[0]).size() != graph.type(node.operands[0]).size())
    return false;
  const ir::Dims& dims = ir::attributes_of<ir::BroadcastAttributes>(node).dimensions;
  return std::is_sorted(dims.begin(), dims.end());
}

// The value behind conversions that lose nothing and changes of shape that keep the order of elements.
ir::ValueId origin_of_index(const ir::Graph& graph, ir::ValueId value) {
  for (const ir::Node* node = producer(graph, value); node; node = producer(graph, value)) {
    const bool keeps_order = node->op == Op::reshape || adds_only_unit_dimensions(graph, *node);
    const bool keeps_values = node->op == Op::convert && is_integer(graph.type(node->operands[0]).dtype) &&
                              range_of(graph, value).has_value();
    if (!keeps_order && !keeps_values) break;
    value = node->operands[0];
  }
  return value;
}

// gather: one element a point of the batch, whose other coordinates are the point's own.
bool reads_one_element_a_row(const ir::Graph& graph, const ir::Node& gather, std::int64_t dimension) {
  const auto& g = ir::attributes_of<ir::GatherAttributes>(gather);
  const Shape &operand = graph.type(gather.operands[0]).shape,
              &indices = graph.type(gather.operands[1]).shape;
  if (g.start_index_map != ir::Dims{dimension}) return false;
  for (std::int64_t size : g.slice_sizes)
    if (size != 1) return false;
  ir::Dims others;
  for (int dim = 0; dim < operand.rank(); ++dim)
    if (dim != dimension) others.push_back(dim);
  if (g.operand_batching_dims != others ||
      !std::is_sorted(g.start_indices_batching_dims.begin(), g.start_indices_batching_dims.end()))
    return false;
  std::int64_t batch = 1;
  for (std::int64_t dim : g.start_indices_batching_dims) batch *= indices[static_cast<int>(dim)];
  return batch == indices.size();  // the remaining dimensions have extent 1
}

// Which reduction the operation reads again, if it does.
std::optional<PlaceFinder> find(const ir::Graph& graph, const ir::Node& node) {
  if (node.op != Op::gather && !(node.op == Op::dynamic_slice && node.operands.size() == 2))
    return std::nullopt;
  const ir::ValueId index = origin_of_index(graph, node.operands[1]);
  const ir::NodeId id = graph.value(index).node;
  if (id == ir::kNone || graph.node(id).op != Op::reduce) return std::nullopt;
  const auto finder = place_finder(graph, id, graph.value(index).index);
  if (!finder || graph.node(id).operands[finder->key] != node.operands[0]) return std::nullopt;
  if (node.op == Op::dynamic_slice)
    return ir::attributes_of<ir::DynamicSliceAttributes>(node).sizes == ir::Dims{1} ? finder : std::nullopt;
  return reads_one_element_a_row(graph, node, finder->dimension) ? finder : std::nullopt;
}

std::unordered_set<ir::ValueId> values_read(const ir::Graph& graph) {
  std::unordered_set<ir::ValueId> read;
  std::vector<ir::RegionId> stack;
  for (const ir::Function& function : graph.functions) stack.push_back(function.body);
  while (!stack.empty()) {
    const ir::Region& region = graph.region(stack.back());
    stack.pop_back();
    read.insert(region.results.begin(), region.results.end());
    for (ir::NodeId id : region.nodes) {
      const ir::Node& node = graph.node(id);
      read.insert(node.operands.begin(), node.operands.end());
      stack.insert(stack.end(), node.regions.begin(), node.regions.end());
    }
  }
  return read;
}

// The key's result of the body becomes the choice that the position's result makes.
void choose_together(ir::Graph& graph, ir::NodeId id, const PlaceFinder& finder) {
  const ir::Node& reduce = graph.node(id);
  const ir::RegionId region = reduce.regions[0];
  const ir::Node& chooser = *chooser_of(graph, reduce, finder.place);
  ir::ValueId on_true = graph.region(region).arguments[finder.key];
  ir::ValueId on_false = graph.region(region).arguments[reduce.results.size() + finder.key];
  if (!keeps_when_true(graph, reduce, chooser, finder.place)) std::swap(on_true, on_false);
  const ir::ValueId predicate = chooser.operands[0];
  ir::Builder builder(graph, region, chooser.location);
  const ir::ValueId chosen = builder.select(predicate, on_true, on_false);
  graph.region(region).results[finder.key] = chosen;
}

}  // namespace

ir::Graph reuse_selected_value(const ir::Graph& graph, Context& context) {
  const std::unordered_set<ir::ValueId> read = values_read(graph);
  std::unordered_map<ir::NodeId, PlaceFinder> changed;  // by the reduction
  Rebuild rebuild(graph, context, "reuse_selected_value");
  ir::Graph result = rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    const auto finder = find(graph, node);
    if (!finder) return false;
    const ir::ValueId value = graph.node(finder->reduce).results[finder->key];
    // Somebody else may want the extreme as the body now chooses it among equals: -0 and +0 are equal.
    if (!finder->chooses_together && read.contains(value)) return false;
    if (!finder->chooses_together) changed.emplace(finder->reduce, *finder);
    const ir::ValueId now = rebuild.here().reshape(rebuild.mapped(value), graph.type(node.results[0]).shape);
    rebuild.replace(node.results[0], now);
    rebuild.record_replaced("select_by_argmin", {id, finder->reduce}, now, cost_of(graph, id));
    return true;
  });
  for (const auto& [reduce, finder] : changed)
    choose_together(result, result.value(rebuild.mapped(graph.node(reduce).results[0])).node, finder);
  return result;
}

}  // namespace weft::rewrite
