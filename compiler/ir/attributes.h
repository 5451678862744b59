// What a node carries besides its operands: one plain struct an operation, compared and hashed generically.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/literal.h"

namespace weft::ir {

using Dims = std::vector<std::int64_t>;

enum class Direction : std::uint8_t { EQ, NE, GE, GT, LE, LT };
enum class CompareKind : std::uint8_t { SIGNED, UNSIGNED, FLOAT, TOTALORDER };

struct NoAttributes {
  bool operator==(const NoAttributes&) const = default;
};
struct ConstantAttributes {
  Literal value;
  bool operator==(const ConstantAttributes&) const = default;
};
struct IotaAttributes {
  std::int64_t dimension = 0;
  bool operator==(const IotaAttributes&) const = default;
};
struct BroadcastAttributes {
  Dims dimensions;  // result dimension of each operand dimension
  bool operator==(const BroadcastAttributes&) const = default;
};
struct TransposeAttributes {
  Dims permutation;
  bool operator==(const TransposeAttributes&) const = default;
};
struct ReverseAttributes {
  Dims dimensions;
  bool operator==(const ReverseAttributes&) const = default;
};
struct SliceAttributes {
  Dims start, limit, stride;
  bool operator==(const SliceAttributes&) const = default;
};
struct ConcatenateAttributes {
  std::int64_t dimension = 0;
  bool operator==(const ConcatenateAttributes&) const = default;
};
struct PadAttributes {
  Dims low, high, interior;
  bool operator==(const PadAttributes&) const = default;
};
struct DynamicSliceAttributes {
  Dims sizes;
  bool operator==(const DynamicSliceAttributes&) const = default;
};
struct GatherAttributes {
  Dims offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map;
  std::int64_t index_vector_dim = 0;
  Dims slice_sizes;
  bool indices_are_sorted = false;
  bool operator==(const GatherAttributes&) const = default;
};
struct ReducePrecisionAttributes {
  std::int32_t exponent_bits = 8, mantissa_bits = 23;
  bool operator==(const ReducePrecisionAttributes&) const = default;
};
struct CompareAttributes {
  Direction direction = Direction::EQ;
  CompareKind kind = CompareKind::FLOAT;
  bool operator==(const CompareAttributes&) const = default;
};
struct ReduceAttributes {
  Dims dimensions;  // ascending
  bool operator==(const ReduceAttributes&) const = default;
};
struct CallAttributes {
  std::string callee;
  bool operator==(const CallAttributes&) const = default;
};
struct CustomCallAttributes {
  std::string target;
  bool has_side_effect = false;
  std::string backend_config = {};
  bool operator==(const CustomCallAttributes&) const = default;
};

using Attributes = std::variant<NoAttributes, ConstantAttributes, IotaAttributes, BroadcastAttributes,
                                TransposeAttributes, ReverseAttributes, SliceAttributes, ConcatenateAttributes, PadAttributes,
                                DynamicSliceAttributes, GatherAttributes, ReducePrecisionAttributes,
                                CompareAttributes, ReduceAttributes, CallAttributes, CustomCallAttributes>;

std::size_t hash_of(const Attributes& attributes);

}  // namespace weft::ir
