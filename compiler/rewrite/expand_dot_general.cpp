// expand_dot_general: a dot_general becomes a product over one domain [batch, lhs free, rhs free, contracted]
// and its sum.
//   before  %2 = dot_general %0, %1, contracting_dims = [1] x [0]
//   after   %2 = reduce add (multiply (broadcast_in_dim %0), (broadcast_in_dim %1)) across the last
//   dimensions keeps   every output bit for bit, as interpreted; 16-bit floats are summed in f32 and rounded
//   once
#include <weft/error.h>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

// Where dimensions of an operand lie in the domain: batching first, free ones from `free`, contracted from
// `contracted`.
ir::Dims places_of(int rank, const ir::Dims& batching, const ir::Dims& contracting, std::size_t free,
                   std::size_t contracted) {
  ir::Dims places(static_cast<std::size_t>(rank));
  const auto place = [&](const ir::Dims& dims, std::size_t first) {
    for (std::size_t i = 0; i < dims.size(); ++i)
      places[static_cast<std::size_t>(dims[i])] = static_cast<std::int64_t>(first + i);
  };
  place(batching, 0);
  place(ir::free_dims(rank, batching, contracting), free);
  place(contracting, contracted);
  return places;
}

ir::ValueId expanded(ir::Builder& b, ir::ValueId lhs, ir::ValueId rhs, const ir::DotAttributes& dot,
                     const ir::Type& result) {
  const Shape left = b.type(lhs).shape, right = b.type(rhs).shape;
  const auto kept = static_cast<std::size_t>(result.shape.rank());
  std::vector<std::int64_t> extents(result.shape.begin(), result.shape.end());
  for (std::int64_t dim : dot.lhs_contracting) extents.push_back(left[static_cast<int>(dim)]);
  if (extents.size() > static_cast<std::size_t>(kMaxRank))
    throw CompileError("compile: dot_general over more than 32 dimensions");
  const Shape domain{std::span<const std::int64_t>(extents)};

  const DType working = ir::accumulation_dtype(result.dtype);
  const std::size_t batches = dot.lhs_batching.size();
  const std::size_t left_free = static_cast<std::size_t>(left.rank()) - batches - dot.lhs_contracting.size();
  const ir::ValueId a =
      b.broadcast(b.convert(lhs, working), domain,
                  places_of(left.rank(), dot.lhs_batching, dot.lhs_contracting, batches, kept));
  const ir::ValueId c =
      b.broadcast(b.convert(rhs, working), domain,
                  places_of(right.rank(), dot.rhs_batching, dot.rhs_contracting, batches + left_free, kept));
  const ir::ValueId product = b.op(ir::Op::multiply, {a, c});
  if (dot.lhs_contracting.empty()) return b.convert(product, result.dtype);
  ir::Dims contracted;
  for (std::size_t dim = kept; dim < extents.size(); ++dim)
    contracted.push_back(static_cast<std::int64_t>(dim));
  const ir::ValueId zero = b.constant(ir::Literal::zeros(working, {}));
  return b.convert(b.reduce(product, zero, std::move(contracted), ir::Op::add), result.dtype);
}

}  // namespace

ir::Graph expand_dot_general(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "expand_dot_general");
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.op != ir::Op::dot_general) return false;
    const ir::ValueId now =
        expanded(rebuild.here(), rebuild.mapped(node.operands[0]), rebuild.mapped(node.operands[1]),
                 ir::attributes_of<ir::DotAttributes>(node), graph.type(node.results[0]));
    rebuild.replace(node.results[0], now);
    rebuild.record_replaced("expand", {id}, now, {});
    return true;
  });
}

}  // namespace weft::rewrite
