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
// weft.scan: body(position, carries…, one element of each sequence…) -> carries…, one element of each result…
struct ScanAttributes {
  std::int64_t carries = 0;
  std::int64_t length = 0;  // the trip count; kDynamicLength: the last operand, an i64 scalar
  bool reverse = false;     // from the last position to the first
  bool operator==(const ScanAttributes&) const = default;
};
inline constexpr std::int64_t kDynamicLength = -1;
// Pairs of dimensions that both operands share in the result (batching) and that are summed over (contracting).
struct DotAttributes {
  Dims lhs_batching, rhs_batching, lhs_contracting, rhs_contracting;
  bool operator==(const DotAttributes&) const = default;
};
// One entry a spatial dimension; `reversed` holds 0 or 1. Dimensions are named in the order batch, feature, spatial …
// of the left operand and the result, and output feature, input feature, spatial … of the right one, the kernel.
struct ConvolutionAttributes {
  Dims strides, low, high, lhs_dilations, rhs_dilations, reversed;
  Dims lhs_dims, rhs_dims, result_dims;
  std::int64_t feature_groups = 1, batch_groups = 1;
  bool operator==(const ConvolutionAttributes&) const = default;
};
struct WindowsAttributes {
  Dims sizes, strides, dilations;  // one entry a dimension of the operand
  bool operator==(const WindowsAttributes&) const = default;
};
struct SortAttributes {
  std::int64_t dimension = 0;
  bool is_stable = false;  // sorting is always stable; kept for the text
  bool operator==(const SortAttributes&) const = default;
};
struct ScatterAttributes {
  Dims update_window_dims, inserted_window_dims, input_batching_dims, scatter_indices_batching_dims,
      scatter_dims_to_operand_dims;
  std::int64_t index_vector_dim = 0;
  bool indices_are_sorted = false, unique_indices = false;
  bool operator==(const ScatterAttributes&) const = default;
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
                                CompareAttributes, ReduceAttributes, SortAttributes, ScatterAttributes, DotAttributes,
                                ConvolutionAttributes, WindowsAttributes, ScanAttributes, CallAttributes,
                                CustomCallAttributes>;

std::size_t hash_of(const Attributes& attributes);

}  // namespace weft::ir
