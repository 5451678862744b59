// sort: along a dimension, all operands in the order that a comparator of their elements gives.
#include <algorithm>
#include <numeric>

#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

// --- types ---

// Arguments: of each operand the left element, then the right one.
std::optional<TypeAnswer> comparator_fault(const TypeQuery& query) {
  if (query.regions.size() != 1) return wrong_structure("C5", "needs one region, its comparator");
  const Region& body = query.graph.region(query.regions[0]);
  const std::size_t count = query.operands.size();
  if (body.arguments.size() != 2 * count || body.results.size() != 1)
    return wrong_structure(
        "C5", fmt::format("the comparator takes {} arguments and gives {} results, needs {} and 1",
                          body.arguments.size(), body.results.size(), 2 * count));
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const Type element{Shape{}, query.operands[i / 2].dtype};
    const Type& type = query.graph.type(body.arguments[i]);
    if (type != element)
      return wrong_type("C5", fmt::format("the comparator has {} where the elements are {}", type.to_string(),
                                          element.to_string()));
  }
  const Type& answer = query.graph.type(body.results[0]);
  if (answer != Type{Shape{}, DType::b1})
    return wrong_type("C5", fmt::format("the comparator gives {}, not a truth", answer.to_string()));
  return std::nullopt;
}

TypeAnswer sort_types(const TypeQuery& query) {
  if (query.operands.empty()) return wrong_structure("C1", "needs at least one operand");
  const Type& first = query.operands[0];
  for (const Type& operand : query.operands)
    if (operand.shape != first.shape)
      return wrong_shape(
          "C2", fmt::format("operands {} and {} differ in shape", first.to_string(), operand.to_string()));
  const std::int64_t dimension = std::get<SortAttributes>(query.attributes).dimension;
  if (dimension < 0 || dimension >= first.shape.rank())
    return wrong_shape("C4",
                       fmt::format("dimension {} is out of range for {}", dimension, first.to_string()));
  if (auto fault = comparator_fault(query)) return *fault;
  TypeAnswer answer;
  answer.types = query.operands;
  return answer;
}

// --- reference value ---

// Runs of 1, 2, 4 … are merged; the right one goes first only where it is less. Every engine does so: even a
// comparator that is no order has one answer.
template <class Less>
std::vector<std::int64_t> merge_sorted(std::int64_t count, const Less& less) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count)), merged(order.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = order.size();
  for (std::size_t width = 1; width < size; width *= 2) {
    for (std::size_t low = 0; low < size; low += 2 * width) {
      const std::size_t middle = std::min(low + width, size), high = std::min(low + 2 * width, size);
      std::size_t left = low, right = middle;
      for (std::size_t k = low; k < high; ++k) {
        const bool takes_right = left == middle || (right < high && less(order[right], order[left]));
        merged[k] = order[takes_right ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
  return order;
}

std::vector<Literal> sort_value(const Evaluation& evaluation) {
  const auto dimension = static_cast<std::size_t>(attributes_of<SortAttributes>(evaluation.node).dimension);
  const Shape& shape = evaluation.operands[0].type.shape;
  const std::int64_t extent = shape[static_cast<int>(dimension)];
  std::vector<Literal> results;
  for (ValueId result : evaluation.node.results)
    results.push_back(uninitialized(evaluation.graph.type(result)));
  for_each_position(shape, [&](const Position& position, std::int64_t) {
    if (position[dimension] != 0) return;  // the first element stands for its line
    const auto flat_at = [&](std::int64_t index) {
      Position at = position;
      at[dimension] = index;
      return flat_index(shape, at);
    };
    const auto order = merge_sorted(extent, [&](std::int64_t left, std::int64_t right) {
      std::vector<Literal> arguments;
      for (const Literal& operand : evaluation.operands)
        for (std::int64_t index : {left, right}) arguments.push_back(element_of(operand, flat_at(index)));
      return evaluation.region(0, std::move(arguments))[0].at<bool>(0);
    });
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::size_t size = size_of(results[i].type.dtype);
      for (std::int64_t index = 0; index < extent; ++index)
        std::memcpy(results[i].buffer.data() + static_cast<std::size_t>(flat_at(index)) * size,
                    evaluation.operands[i].buffer.data() +
                        static_cast<std::size_t>(flat_at(order[static_cast<std::size_t>(index)])) * size,
                    size);
    }
  });
  return results;
}

// --- batching ---

std::vector<Batched> sort_batch(const Batching& batching) {
  SortAttributes sort = attributes_of<SortAttributes>(batching.node);
  ++sort.dimension;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < batching.operands.size(); ++i) operands.push_back(batching.batched(i));
  const NodeId node = batching.to.node(Op::sort, std::move(operands), sort, {}, {unbatched_body(batching)});
  std::vector<Batched> results;
  for (ValueId result : batching.to.graph().node(node).results) results.push_back(batched_result(result));
  return results;
}

}  // namespace

namespace rules {
const StructuralRules& sort() {
  static const StructuralRules rules{sort_types, sort_value, sort_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
