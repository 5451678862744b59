// What batching rules share: giving an operand the batch axis that it lacks.
#include "compiler/ir/structural/support.h"

namespace weft::ir {

ValueId Batching::batched(std::size_t operand) const {
  if (operands[operand].is_batched) return operands[operand].value;
  const Shape& shape = to.type(operands[operand].value).shape;
  Dims dims;
  for (int dim = 0; dim < shape.rank(); ++dim) dims.push_back(dim + 1);
  return to.broadcast(operands[operand].value, with_batch(shape, size), std::move(dims));
}

}  // namespace weft::ir
