// Small things that several structural rules need: positions of elements, checks of dimension lists.
#pragma once

#include <cstring>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/error.h>

#include "compiler/ir/structural/rules.h"

namespace weft::ir {

using Position = std::vector<std::int64_t>;  // one index a dimension

// Walks all positions of a shape in row-major order.
template <class Visit>
void for_each_position(const Shape& shape, const Visit& visit) {
  Position position(static_cast<std::size_t>(shape.rank()), 0);
  const std::int64_t size = shape.size();
  for (std::int64_t flat = 0; flat < size; ++flat) {
    visit(position, flat);
    for (int dim = shape.rank() - 1; dim >= 0; --dim) {
      auto& index = position[static_cast<std::size_t>(dim)];
      if (++index < shape[dim]) break;
      index = 0;
    }
  }
}

inline std::int64_t flat_index(const Shape& shape, const Position& position) {
  std::int64_t flat = 0;
  for (int dim = 0; dim < shape.rank(); ++dim)
    flat = flat * shape[dim] + position[static_cast<std::size_t>(dim)];
  return flat;
}

inline Literal uninitialized(const Type& type) {
  return {type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
}

// A literal of `type` whose element at each position is the operand's at source(position).
template <class Source>
Literal moved(const Type& type, const Literal& operand, const Source& source) {
  Literal result = uninitialized(type);
  const std::size_t size = size_of(type.dtype);
  for_each_position(type.shape, [&](const Position& position, std::int64_t flat) {
    const std::int64_t from = flat_index(operand.type.shape, source(position));
    std::memcpy(result.buffer.data() + static_cast<std::size_t>(flat) * size,
                operand.buffer.data() + static_cast<std::size_t>(from) * size, size);
  });
  return result;
}

// Dimensions must be in [0, rank) and differ; sorted where the operation wants it.
inline std::optional<std::string> fault_of_dims(const Dims& dims, int rank, const char* what,
                                                bool sorted = false) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= rank)
      return fmt::format("{} {} is out of range for rank {}", what, dims[i], rank);
    for (std::size_t j = 0; j < i; ++j)
      if (dims[j] == dims[i]) return fmt::format("{} {} is named twice", what, dims[i]);
    if (sorted && i > 0 && dims[i] < dims[i - 1])
      return fmt::format("{}s [{}] are not ascending", what, fmt::join(dims, ", "));
  }
  return std::nullopt;
}

inline bool contains(const Dims& dims, std::int64_t dim) {
  for (std::int64_t each : dims)
    if (each == dim) return true;
  return false;
}

inline Dims shifted(const Dims& dims) {
  Dims result = dims;
  for (std::int64_t& dim : result) ++dim;
  return result;
}
inline Dims with_batch(Dims dims, std::int64_t first) {
  dims.insert(dims.begin(), first);
  return dims;
}
inline Shape with_batch(const Shape& shape, std::int64_t size) {
  std::vector<std::int64_t> extents{size};
  extents.insert(extents.end(), shape.begin(), shape.end());
  return Shape(std::span<const std::int64_t>(extents));
}

inline TypeAnswer wrong_shape(std::string rule, std::string text) {
  return TypeAnswer::wrong(Fault::Kind::shape, std::move(rule), std::move(text));
}
inline TypeAnswer wrong_type(std::string rule, std::string text) {
  return TypeAnswer::wrong(Fault::Kind::type, std::move(rule), std::move(text));
}
inline TypeAnswer wrong_structure(std::string rule, std::string text) {
  return TypeAnswer::wrong(Fault::Kind::structure, std::move(rule), std::move(text));
}
inline std::optional<TypeAnswer> expects(const TypeQuery& query, std::size_t operands,
                                         bool declared = false) {
  if (query.operands.size() != operands)
    return wrong_structure("S1", fmt::format("takes {} operands, got {}", operands, query.operands.size()));
  if (declared && query.declared.size() != 1)
    return wrong_structure("S2", "needs exactly one declared result type");
  return std::nullopt;
}
// The node's only region as it is, for a body that works on elements.
RegionId unbatched_body(const Batching& batching);
inline Batched batched_result(ValueId value) { return {value, true}; }

}  // namespace weft::ir
