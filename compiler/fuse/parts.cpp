// Boxes do not overlap, except where elements are padded apart: there the value is written first, everywhere.
#include "compiler/fuse/parts.h"

#include <algorithm>

namespace weft::fuse {

bool is_assembled(const ir::Graph& graph, ir::ValueId value) {
  const ir::NodeId node = graph.value(value).node;
  if (node == ir::kNone) return false;
  const ir::Op op = graph.node(node).op;
  return op == ir::Op::concatenate || op == ir::Op::pad || op == ir::Op::dynamic_update_slice ||
         ir::is_control_flow(op);
}

namespace {

using ir::Dims;

Shape shape_of(const Dims& extents) { return Shape(std::span<const std::int64_t>(extents)); }

std::vector<PartInDomain> parts_of_concatenate(const ir::Graph& graph, const ir::Node& node) {
  const auto dimension =
      static_cast<std::size_t>(ir::attributes_of<ir::ConcatenateAttributes>(node).dimension);
  std::vector<PartInDomain> parts;
  std::int64_t start = 0;
  for (ir::ValueId operand : node.operands) {
    const Shape& shape = graph.type(operand).shape;
    const auto rank = static_cast<std::size_t>(shape.rank());
    Part part{operand, node.results[0], Dims(rank, 0), Dims(rank, 0), Dims(rank, 1)};
    part.start[dimension] = start;
    start += shape[static_cast<int>(dimension)];
    parts.push_back({std::move(part), shape});
  }
  return parts;
}

// Along one dimension: which elements of the operand stay, and where.
struct Kept {
  std::int64_t first = 0, count = 0, start = 0, stride = 1;
};
Kept kept_along(std::int64_t extent, std::int64_t padded, std::int64_t low, std::int64_t interior) {
  Kept kept;
  kept.stride = interior + 1;
  if (low < 0) kept.first = (-low + kept.stride - 1) / kept.stride;
  const std::int64_t room = padded - 1 - low;
  const std::int64_t last = room < 0 ? -1 : std::min(extent - 1, room / kept.stride);
  kept.count = std::max<std::int64_t>(last - kept.first + 1, 0);
  kept.start = low + kept.first * kept.stride;
  return kept;
}

std::vector<PartInDomain> parts_of_pad(const ir::Graph& graph, const ir::Node& node) {
  const auto& pad = ir::attributes_of<ir::PadAttributes>(node);
  const Shape &operand = graph.type(node.operands[0]).shape, &result = graph.type(node.results[0]).shape;
  const auto rank = static_cast<std::size_t>(result.rank());
  Part elements{node.operands[0], node.results[0], {}, {}, {}};
  Dims counts, whole(result.begin(), result.end());
  bool is_apart = false;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    const int d = static_cast<int>(dim);
    const Kept kept = kept_along(operand[d], result[d], pad.low[dim], pad.interior[dim]);
    elements.from.push_back(kept.first);
    elements.start.push_back(kept.start);
    elements.stride.push_back(kept.stride);
    counts.push_back(kept.count);
    is_apart = is_apart || (kept.stride > 1 && kept.count > 1);
  }
  std::vector<PartInDomain> parts;
  const auto fill = [&](Dims start, const Dims& extents) {
    Part part{node.operands[1], node.results[0], Dims(rank, 0), std::move(start), Dims(rank, 1)};
    parts.push_back({std::move(part), shape_of(extents)});
  };
  const bool is_empty = std::find(counts.begin(), counts.end(), 0) != counts.end();
  if (is_empty || is_apart) {
    fill(Dims(rank, 0), whole);
    if (!is_empty) parts.push_back({std::move(elements), shape_of(counts), true});
    return parts;
  }
  // Before and behind the elements along each dimension, within their range along the dimensions before it.
  Dims start(rank, 0), extents = whole;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    const std::int64_t first = elements.start[dim], behind = first + counts[dim];
    Dims box_start = start, box = extents;
    box[dim] = first;
    if (first > 0) fill(box_start, box);
    box_start[dim] = behind;
    box[dim] = whole[dim] - behind;
    if (box[dim] > 0) fill(box_start, box);
    start[dim] = first;
    extents[dim] = counts[dim];
  }
  parts.push_back({std::move(elements), shape_of(counts)});
  return parts;
}

std::vector<PartInDomain> parts_of_update(const ir::Graph& graph, const ir::Node& node) {
  const auto rank = static_cast<std::size_t>(graph.type(node.results[0]).shape.rank());
  const auto whole = [&](std::size_t operand) {
    return Part{node.operands[operand], node.results[0], Dims(rank, 0), Dims(rank, 0), Dims(rank, 1)};
  };
  Part update = whole(1);
  update.starts.assign(node.operands.begin() + 2, node.operands.end());
  return {{whole(0), graph.type(node.operands[0]).shape},
          {std::move(update), graph.type(node.operands[1]).shape, true}};
}

}  // namespace

std::vector<PartInDomain> parts_of(const ir::Graph& graph, const ir::Node& node) {
  if (node.op == ir::Op::concatenate) return parts_of_concatenate(graph, node);
  return node.op == ir::Op::pad ? parts_of_pad(graph, node) : parts_of_update(graph, node);
}

}  // namespace weft::fuse
