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
