// What batching rules share: giving an operand the batch axis that it lacks.
#include <weft/error.h>

#include "compiler/ir/structural/support.h"

namespace weft::ir {

ValueId Batching::batched(std::size_t operand) const {
  return batched(operands[operand], to);
}

ValueId Batching::batched(const Batched& value, Builder& into) const {
  if (value.is_batched) return value.value;
  const Shape shape = into.type(value.value).shape;
  Dims dims;
  for (int dim = 0; dim < shape.rank(); ++dim) dims.push_back(dim + 1);
  return into.broadcast(value.value, with_batch(shape, size), std::move(dims));
}

RegionId unbatched_body(const Batching& batching) {
  Graph& graph = batching.to.graph();
  const RegionId region = graph.add_region();
  std::vector<Batched> arguments;
  for (ValueId argument : batching.from.region(batching.node.regions[0]).arguments)
    arguments.push_back({graph.add_argument(region, batching.from.type(argument)), false});
  std::vector<ValueId> results;
  for (const Batched& result : batching.inline_body(region, 0, arguments)) {
    if (result.is_batched) throw TypeError("vmap: the body of an operation reads a mapped value from around it");
    results.push_back(result.value);
  }
  graph.region(region).results = std::move(results);
  return region;
}

}  // namespace weft::ir
