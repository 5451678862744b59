// Operations without operands: constant and iota.
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

// --- constant: the literal itself ---

TypeAnswer constant_types(const TypeQuery& query) {
  if (auto fault = expects(query, 0)) return *fault;
  const Literal& value = std::get<ConstantAttributes>(query.attributes).value;
  const std::size_t elements = value.is_splat ? 1 : static_cast<std::size_t>(value.type.size());
  if (!value.buffer || value.buffer.size() < elements * size_of(value.type.dtype))
    return wrong_structure("C1",
                           fmt::format("the literal has not all elements of {}", value.type.to_string()));
  return TypeAnswer::of(value.type);
}

std::vector<Literal> constant_value_of(const Evaluation& evaluation) {
  return {attributes_of<ConstantAttributes>(evaluation.node).value.materialized()};
}

// --- iota: result[i0, …] = i_dimension ---

TypeAnswer iota_types(const TypeQuery& query) {
  if (auto fault = expects(query, 0, true)) return *fault;
  const Type& type = query.declared[0];
  const auto dimension = std::get<IotaAttributes>(query.attributes).dimension;
  if (dimension < 0 || dimension >= type.shape.rank())
    return wrong_shape("C1", fmt::format("dimension {} is out of range for {}", dimension, type.to_string()));
  if (type.dtype == DType::b1 || is_complex(type.dtype))
    return wrong_type("C2", fmt::format("{} is not accepted: takes integers and floats", type.to_string()));
  return TypeAnswer::of(type);
}

template <class T>
T element_from(std::int64_t value) {
  if constexpr (std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>)
    return T(static_cast<double>(value));
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return T{};
}

std::vector<Literal> iota_value(const Evaluation& evaluation) {
  const Type& type = evaluation.graph.type(evaluation.node.results[0]);
  const auto dimension = static_cast<std::size_t>(attributes_of<IotaAttributes>(evaluation.node).dimension);
  Literal result = uninitialized(type);
  for_each_position(type.shape, [&](const Position& position, std::int64_t flat) {
    switch (type.dtype) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy)                                           \
  case DType::name: {                                                                             \
    const cpp element = element_from<cpp>(position[dimension]);                                   \
    std::memcpy(result.buffer.data() + flat * static_cast<std::int64_t>(bytes), &element, bytes); \
    break;                                                                                        \
  }
#include <weft/types.def>
#undef TYPE
    }
  });
  return {std::move(result)};
}

// Leaves have no operand that could be batched.
std::vector<Batched> leaf_batch(const Batching& batching) {
  throw InternalError(fmt::format("batch: {} has no operands", info_of(batching.node.op).text));
}

}  // namespace

namespace rules {
const StructuralRules& constant() {
  static const StructuralRules rules{constant_types, constant_value_of, leaf_batch};
  return rules;
}
const StructuralRules& iota() {
  static const StructuralRules rules{iota_types, iota_value, leaf_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
