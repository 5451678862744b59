// One hash for all attribute structs, from their fields in order.
#include "compiler/ir/attributes.h"

#include <functional>

namespace weft::ir {
namespace {

struct Hash {
  std::size_t seed = 0;
  void add(std::size_t value) { seed = (seed ^ value) * 0x9e3779b97f4a7c15ull + (seed >> 29); }
  void add(const Dims& dims) {
    add(dims.size());
    for (std::int64_t dim : dims) add(static_cast<std::size_t>(dim));
  }
  void add(const std::string& text) { add(std::hash<std::string>()(text)); }

  void operator()(const NoAttributes&) {}
  void operator()(const ConstantAttributes& a) { add(a.value.hash()); }
  void operator()(const IotaAttributes& a) { add(static_cast<std::size_t>(a.dimension)); }
  void operator()(const BroadcastAttributes& a) { add(a.dimensions); }
  void operator()(const TransposeAttributes& a) { add(a.permutation); }
  void operator()(const ReverseAttributes& a) { add(a.dimensions); }
  void operator()(const SliceAttributes& a) {
    add(a.start);
    add(a.limit);
    add(a.stride);
  }
  void operator()(const ConcatenateAttributes& a) { add(static_cast<std::size_t>(a.dimension)); }
  void operator()(const PadAttributes& a) {
    add(a.low);
    add(a.high);
    add(a.interior);
  }
  void operator()(const DynamicSliceAttributes& a) { add(a.sizes); }
  void operator()(const GatherAttributes& a) {
    for (const Dims* dims : {&a.offset_dims, &a.collapsed_slice_dims, &a.operand_batching_dims,
                             &a.start_indices_batching_dims, &a.start_index_map, &a.slice_sizes})
      add(*dims);
    add(static_cast<std::size_t>(a.index_vector_dim));
  }
  void operator()(const ReducePrecisionAttributes& a) {
    add(static_cast<std::size_t>(a.exponent_bits));
    add(static_cast<std::size_t>(a.mantissa_bits));
  }
  void operator()(const CompareAttributes& a) {
    add(static_cast<std::size_t>(a.direction));
    add(static_cast<std::size_t>(a.kind));
  }
  void operator()(const ReduceAttributes& a) { add(a.dimensions); }
  void operator()(const ScanAttributes& a) {
    add(static_cast<std::size_t>(a.carries));
    add(static_cast<std::size_t>(a.length));
    add(static_cast<std::size_t>(a.reverse));
  }
  void operator()(const DotAttributes& a) {
    for (const Dims* dims : {&a.lhs_batching, &a.rhs_batching, &a.lhs_contracting, &a.rhs_contracting})
      add(*dims);
  }
  void operator()(const ConvolutionAttributes& a) {
    for (const Dims* dims : {&a.strides, &a.low, &a.high, &a.lhs_dilations, &a.rhs_dilations, &a.reversed,
                             &a.lhs_dims, &a.rhs_dims, &a.result_dims})
      add(*dims);
    add(static_cast<std::size_t>(a.feature_groups));
    add(static_cast<std::size_t>(a.batch_groups));
  }
  void operator()(const WindowsAttributes& a) {
    for (const Dims* dims : {&a.sizes, &a.strides, &a.dilations}) add(*dims);
  }
  void operator()(const SortAttributes& a) {
    add(static_cast<std::size_t>(a.dimension));
    add(static_cast<std::size_t>(a.is_stable));
  }
  void operator()(const ScatterAttributes& a) {
    for (const Dims* dims : {&a.update_window_dims, &a.inserted_window_dims, &a.input_batching_dims,
                             &a.scatter_indices_batching_dims, &a.scatter_dims_to_operand_dims})
      add(*dims);
    add(static_cast<std::size_t>(a.index_vector_dim));
    add(static_cast<std::size_t>(a.indices_are_sorted) + 2 * static_cast<std::size_t>(a.unique_indices));
  }
  void operator()(const CallAttributes& a) { add(a.callee); }
  void operator()(const CustomCallAttributes& a) {
    add(a.target);
    add(static_cast<std::size_t>(a.has_side_effect));
    add(a.backend_config);
  }
};

}  // namespace

std::size_t hash_of(const Attributes& attributes) {
  Hash hash;
  hash.add(attributes.index());
  std::visit(hash, attributes);
  return hash.seed;
}

}  // namespace weft::ir
