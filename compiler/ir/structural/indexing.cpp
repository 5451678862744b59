// Reading at computed positions: dynamic_slice and gather. Start indices are clamped so that every box lies
// inside.
#include <algorithm>

#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

// --- dynamic_slice ---

TypeAnswer dynamic_slice_types(const TypeQuery& query) {
  if (query.operands.empty()) return wrong_structure("S1", "takes an array and its start indices");
  const Type& operand = query.operands[0];
  const Dims& sizes = std::get<DynamicSliceAttributes>(query.attributes).sizes;
  const auto rank = static_cast<std::size_t>(operand.shape.rank());
  if (query.operands.size() != rank + 1)
    return wrong_structure(
        "C2", fmt::format("{} start indices for {}", query.operands.size() - 1, operand.to_string()));
  if (sizes.size() != rank)
    return wrong_shape("C2", fmt::format("{} sizes for {}", sizes.size(), operand.to_string()));
  for (std::size_t i = 1; i < query.operands.size(); ++i) {
    const Type& start = query.operands[i];
    if (start.shape.rank() != 0 || !is_integer(start.dtype))
      return wrong_type("C3",
                        fmt::format("start index {} is {}, not an integer scalar", i - 1, start.to_string()));
    if (start != query.operands[1]) return wrong_type("C3", "start indices differ in type");
  }
  for (std::size_t dim = 0; dim < rank; ++dim)
    if (sizes[dim] < 0 || sizes[dim] > operand.shape[static_cast<int>(dim)])
      return wrong_shape(
          "C4", fmt::format("size {} does not fit dimension {} of {}", sizes[dim], dim, operand.to_string()));
  return TypeAnswer::of({Shape(std::span<const std::int64_t>(sizes)), operand.dtype});
}

std::vector<Literal> dynamic_slice_value(const Evaluation& evaluation) {
  const Literal& operand = evaluation.operands[0];
  const Dims& sizes = attributes_of<DynamicSliceAttributes>(evaluation.node).sizes;
  Position start;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim)
    start.push_back(clamped(index_value(evaluation.operands[dim + 1], 0),
                            operand.type.shape[static_cast<int>(dim)], sizes[dim]));
  return {moved(evaluation.graph.type(evaluation.node.results[0]), operand, [&](const Position& position) {
    Position from = position;
    for (std::size_t dim = 0; dim < from.size(); ++dim) from[dim] += start[dim];
    return from;
  })};
}

// One index vector an element of the batch: [batch, dimensions], put together by choosing along the last
// dimension.
ValueId index_vectors(const Batching& batching) {
  const std::size_t count = batching.node.operands.size() - 1;
  const Shape shape{batching.size, count};
  const ValueId component = batching.to.iota(DType::i64, shape, 1);
  ValueId result = batching.to.broadcast(batching.batched(1), shape, {0});
  for (std::size_t i = 1; i < count; ++i) {
    const ValueId here = batching.to.compare(Direction::EQ, component,
                                             batching.to.splat(DType::i64, shape, static_cast<double>(i)));
    result = batching.to.select(here, batching.to.broadcast(batching.batched(i + 1), shape, {0}), result);
  }
  return result;
}

std::vector<Batched> dynamic_slice_batch(const Batching& batching) {
  const Dims& sizes = attributes_of<DynamicSliceAttributes>(batching.node).sizes;
  if (sizes.empty()) return {batching.operands[0]};  // of a scalar there is one box
  const bool varying_starts = std::any_of(batching.operands.begin() + 1, batching.operands.end(),
                                          [](const Batched& start) { return start.is_batched; });
  if (!varying_starts) {
    std::vector<ValueId> operands{batching.operands[0].value};
    operands.push_back(batching.to.scalar(batching.unbatched_type(1).dtype, 0));
    for (std::size_t i = 1; i < batching.operands.size(); ++i) operands.push_back(batching.operands[i].value);
    return {batched_result(batching.to.op(Op::dynamic_slice, operands,
                                          DynamicSliceAttributes{with_batch(sizes, batching.size)}))};
  }
  GatherAttributes gather;
  const bool batched_operand = batching.operands[0].is_batched;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    gather.offset_dims.push_back(static_cast<std::int64_t>(dim) + 1);
    gather.start_index_map.push_back(static_cast<std::int64_t>(dim) + (batched_operand ? 1 : 0));
  }
  gather.index_vector_dim = 1;
  gather.slice_sizes = batched_operand ? with_batch(sizes, std::min<std::int64_t>(batching.size, 1)) : sizes;
  if (batched_operand) gather.operand_batching_dims = gather.start_indices_batching_dims = {0};
  return {batched_result(
      batching.to.op(Op::gather, {batching.operands[0].value, index_vectors(batching)}, gather))};
}

// --- gather ---

bool is_offset_dim(const GatherAttributes& gather, std::int64_t operand_dim) {
  return !contains(gather.collapsed_slice_dims, operand_dim) &&
         !contains(gather.operand_batching_dims, operand_dim);
}

struct DimList {
  const Dims* dims;
  const char* what;
  int limit;
  bool is_sorted;
};

std::optional<TypeAnswer> gather_fault(const TypeQuery& query) {
  const Type &operand = query.operands[0], &indices = query.operands[1];
  const auto& g = std::get<GatherAttributes>(query.attributes);
  const int rank = operand.shape.rank(), indices_rank = indices.shape.rank();
  if (!is_integer(indices.dtype))
    return wrong_type("I2", fmt::format("indices are {}, not integers", indices.to_string()));
  if (g.index_vector_dim < 0 || g.index_vector_dim > indices_rank)
    return wrong_shape("C2", fmt::format("index_vector_dim {} is out of range for {}", g.index_vector_dim,
                                         indices.to_string()));
  const std::int64_t vector =
      g.index_vector_dim == indices_rank ? 1 : indices.shape[static_cast<int>(g.index_vector_dim)];
  if (static_cast<std::int64_t>(g.start_index_map.size()) != vector)
    return wrong_shape("C3", fmt::format("start_index_map has {} entries, index vectors {}",
                                         g.start_index_map.size(), vector));
  const std::size_t dims =
      g.offset_dims.size() + g.collapsed_slice_dims.size() + g.operand_batching_dims.size();
  if (static_cast<int>(dims) != rank)
    return wrong_shape(
        "C1", fmt::format("offset, collapsed and batching dimensions are {} in all, {} has rank {}", dims,
                          operand.to_string(), rank));
  for (const auto& [list, what, limit, is_sorted] :
       {DimList{&g.collapsed_slice_dims, "collapsed dimension", rank, true},
        DimList{&g.operand_batching_dims, "operand batching dimension", rank, true},
        DimList{&g.start_index_map, "indexed dimension", rank, false},
        DimList{&g.start_indices_batching_dims, "index batching dimension", indices_rank, false}})
    if (auto fault = fault_of_dims(*list, limit, what, is_sorted)) return wrong_shape("C8", *fault);
  for (std::int64_t dim : g.operand_batching_dims)
    if (contains(g.collapsed_slice_dims, dim) || contains(g.start_index_map, dim))
      return wrong_shape("C8", fmt::format("operand dimension {} is named twice", dim));
  if (contains(g.start_indices_batching_dims, g.index_vector_dim))
    return wrong_shape(
        "C15", fmt::format("index batching dimension {} is that of the index vectors", g.index_vector_dim));
  if (g.operand_batching_dims.size() != g.start_indices_batching_dims.size())
    return wrong_shape("C16", "operand and index batching dimensions differ in number");
  for (std::size_t i = 0; i < g.operand_batching_dims.size(); ++i)
    if (operand.shape[static_cast<int>(g.operand_batching_dims[i])] !=
        indices.shape[static_cast<int>(g.start_indices_batching_dims[i])])
      return wrong_shape("C18", "operand and index batching dimensions differ in extent");
  if (static_cast<int>(g.slice_sizes.size()) != rank)
    return wrong_shape("C20",
                       fmt::format("{} slice sizes for {}", g.slice_sizes.size(), operand.to_string()));
  for (int dim = 0; dim < rank; ++dim) {
    const std::int64_t size = g.slice_sizes[static_cast<std::size_t>(dim)];
    if (size < 0 || size > operand.shape[dim])
      return wrong_shape("C21", fmt::format("slice size {} does not fit dimension {} of {}", size, dim,
                                            operand.to_string()));
    if (!is_offset_dim(g, dim) && size > 1)
      return wrong_shape("C9", fmt::format("slice size {} of a collapsed dimension", size));
  }
  return std::nullopt;
}

TypeAnswer gather_types(const TypeQuery& query) {
  if (auto fault = expects(query, 2)) return *fault;
  if (auto fault = gather_fault(query)) return *fault;
  const Type &operand = query.operands[0], &indices = query.operands[1];
  const auto& g = std::get<GatherAttributes>(query.attributes);
  std::vector<std::int64_t> batch, window;
  for (int dim = 0; dim < indices.shape.rank(); ++dim)
    if (dim != g.index_vector_dim) batch.push_back(indices.shape[dim]);
  for (int dim = 0; dim < operand.shape.rank(); ++dim)
    if (is_offset_dim(g, dim)) window.push_back(g.slice_sizes[static_cast<std::size_t>(dim)]);
  const auto rank = static_cast<int>(batch.size() + window.size());
  if (auto fault = fault_of_dims(g.offset_dims, rank, "offset dimension", true))
    return wrong_shape("C4", *fault);
  std::vector<std::int64_t> extents;
  for (std::int64_t dim = 0, b = 0, w = 0; dim < rank; ++dim)
    extents.push_back(contains(g.offset_dims, dim) ? window[static_cast<std::size_t>(w++)]
                                                   : batch[static_cast<std::size_t>(b++)]);
  Type result{Shape(std::span<const std::int64_t>(extents)), operand.dtype};
  // A box without extent in a dimension that the result leaves out has no element to give.
  for (int dim = 0; dim < operand.shape.rank() && result.size() > 0; ++dim)
    if (!is_offset_dim(g, dim) && g.slice_sizes[static_cast<std::size_t>(dim)] == 0)
      return wrong_shape("C9", fmt::format("slice size 0 of the collapsed dimension {}", dim));
  return TypeAnswer::of(std::move(result));
}

std::vector<Literal> gather_value(const Evaluation& evaluation) {
  const Literal &operand = evaluation.operands[0], &indices = evaluation.operands[1];
  const auto& g = attributes_of<GatherAttributes>(evaluation.node);
  const int rank = operand.type.shape.rank(), indices_rank = indices.type.shape.rank();
  return {moved(evaluation.graph.type(evaluation.node.results[0]), operand, [&](const Position& position) {
    Position batch, offset;
    for (std::size_t dim = 0; dim < position.size(); ++dim)
      (contains(g.offset_dims, static_cast<std::int64_t>(dim)) ? offset : batch).push_back(position[dim]);
    // The index vector of this point of the batch, and where in the operand it puts the box.
    Position at(static_cast<std::size_t>(rank), 0), index;
    std::size_t next = 0;
    for (int dim = 0; dim < indices_rank; ++dim)
      index.push_back(dim == g.index_vector_dim ? 0 : batch[next++]);
    for (std::size_t i = 0; i < g.start_index_map.size(); ++i) {
      if (g.index_vector_dim < indices_rank)
        index[static_cast<std::size_t>(g.index_vector_dim)] = static_cast<std::int64_t>(i);
      const auto dim = static_cast<std::size_t>(g.start_index_map[i]);
      at[dim] = clamped(index_value(indices, flat_index(indices.type.shape, index)),
                        operand.type.shape[static_cast<int>(dim)], g.slice_sizes[dim]);
    }
    for (std::size_t i = 0; i < g.operand_batching_dims.size(); ++i)
      at[static_cast<std::size_t>(g.operand_batching_dims[i])] =
          index[static_cast<std::size_t>(g.start_indices_batching_dims[i])];
    next = 0;
    for (int dim = 0; dim < rank; ++dim)
      if (is_offset_dim(g, dim)) at[static_cast<std::size_t>(dim)] += offset[next++];
    return at;
  })};
}

std::vector<Batched> gather_batch(const Batching& batching) {
  GatherAttributes g = attributes_of<GatherAttributes>(batching.node);
  const bool operand = batching.operands[0].is_batched, indices = batching.operands[1].is_batched;
  if (operand) {
    for (Dims* dims : {&g.collapsed_slice_dims, &g.operand_batching_dims, &g.start_index_map})
      *dims = shifted(*dims);
    g.slice_sizes =
        with_batch(g.slice_sizes, indices ? std::min<std::int64_t>(batching.size, 1) : batching.size);
  }
  if (indices) {
    g.start_indices_batching_dims = shifted(g.start_indices_batching_dims);
    ++g.index_vector_dim;
  }
  g.offset_dims = shifted(g.offset_dims);
  if (operand && indices) {
    g.operand_batching_dims = with_batch(g.operand_batching_dims, 0);
    g.start_indices_batching_dims = with_batch(g.start_indices_batching_dims, 0);
  } else if (operand) {
    g.offset_dims = with_batch(g.offset_dims, 0);  // the batch is one more dimension of the box
  }
  return {batched_result(
      batching.to.op(Op::gather, {batching.operands[0].value, batching.operands[1].value}, g))};
}

}  // namespace

namespace rules {
const StructuralRules& dynamic_slice() {
  static const StructuralRules rules{dynamic_slice_types, dynamic_slice_value, dynamic_slice_batch};
  return rules;
}
const StructuralRules& gather() {
  static const StructuralRules rules{gather_types, gather_value, gather_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
