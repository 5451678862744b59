// Builder: appends checked operations to a region of a Graph; type rules answer what an operation's results are.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::ir {

// Why an operation is not legal. `rule` is the number in verify.cpp ("C3"), `text` reads after "add: ".
struct Fault {
  enum class Kind : std::uint8_t { type, shape, index, structure } kind = Kind::structure;
  std::string rule;
  std::string text;
};

// A question to a type rule. `declared` holds the result types where operands do not determine them (reshape,
// convert, bitcast_convert, iota, broadcast_in_dim, constant, custom_call), or may be empty.
struct TypeQuery {
  const Graph& graph;
  Op op;
  std::vector<Type> operands;
  const Attributes& attributes;
  std::span<const RegionId> regions;
  std::vector<Type> declared;
};
struct TypeAnswer {
  std::vector<Type> types;
  std::optional<Fault> fault;
  static TypeAnswer of(Type type);
  static TypeAnswer wrong(Fault::Kind kind, std::string rule, std::string text);
};
TypeAnswer infer_types(const TypeQuery& query);  // elementwise by the table, structural by its rules

class Builder {
 public:
  Builder(Graph& graph, RegionId region, LocationId location = 0) : graph_(graph), region_(region), location_(location) {}

  Graph& graph() { return graph_; }
  RegionId region() const { return region_; }
  void set_location(LocationId location) { location_ = location; }
  void set_region(RegionId region) { region_ = region; }
  const Type& type(ValueId value) const { return graph_.type(value); }

  // Throws InternalError with the fault if the operation is not legal: callers with users check infer_types first.
  NodeId node(Op op, std::vector<ValueId> operands, Attributes attributes = NoAttributes{},
              std::vector<Type> declared = {}, std::vector<RegionId> regions = {});
  // The first result of a node.
  ValueId op(Op op, std::vector<ValueId> operands, Attributes attributes = NoAttributes{},
             std::vector<Type> declared = {}, std::vector<RegionId> regions = {});

  // The usual ones by name.
  ValueId constant(Literal literal);
  ValueId scalar(DType dtype, double value);
  ValueId splat(DType dtype, const Shape& shape, double value);
  ValueId iota(DType dtype, const Shape& shape, std::int64_t dimension);
  ValueId broadcast(ValueId operand, const Shape& shape, Dims dimensions);
  ValueId broadcast_scalar(ValueId scalar, const Shape& shape) { return broadcast(scalar, shape, {}); }
  ValueId reshape(ValueId operand, const Shape& shape);
  ValueId transpose(ValueId operand, Dims permutation);
  ValueId reverse(ValueId operand, Dims dimensions);
  ValueId concatenate(std::vector<ValueId> operands, std::int64_t dimension);
  ValueId pad(ValueId operand, ValueId value, PadAttributes padding);
  ValueId slice(ValueId operand, Dims start, Dims limit, Dims stride);
  ValueId windows(ValueId operand, Dims sizes, Dims strides, Dims dilations);
  ValueId convert(ValueId operand, DType dtype);  // the operand itself when it has that dtype
  ValueId compare(Direction direction, ValueId a, ValueId b);  // the kind by the operands' dtype
  ValueId compare(Direction direction, ValueId a, ValueId b, CompareKind kind);
  ValueId select(ValueId predicate, ValueId on_true, ValueId on_false);
  // A reduction with the one-operation body `body` (add, multiply, minimum, maximum, and_, or_, xor_).
  ValueId reduce(ValueId operand, ValueId init, Dims dimensions, Op body);
  std::vector<ValueId> call(const std::string& callee, std::vector<ValueId> operands);

 private:
  Graph& graph_;
  RegionId region_;
  LocationId location_;
};

CompareKind default_compare_kind(DType dtype);
// What products are summed in whose sum has this type.
inline DType accumulation_dtype(DType result) { return is_half(result) ? DType::f32 : result; }
// The dimensions of a dot_general's operand that are neither batching nor contracting.
Dims free_dims(int rank, const Dims& batching, const Dims& contracting);
// How many windows of `size` elements, `dilation` apart, lie in `extent` elements, one every `stride`.
std::int64_t window_count(std::int64_t extent, std::int64_t size, std::int64_t stride, std::int64_t dilation);

// Copies the nodes of `source` (a region of `from`) to the end of the builder's region, regions inside included.
// `map` holds the new value of every outer value used (and the region's arguments); gives the new results.
// Called functions are not copied: see import_function. Iterative in the number of nodes.
std::vector<ValueId> inline_region(Builder& into, const Graph& from, RegionId source,
                                   std::vector<ValueId>& map /* indexed by from's ValueId, kNone if absent */);

// Verifier: throws InternalError (or returns the first fault with the node) for an illegal graph; rules in verify.cpp.
struct Finding {
  Fault fault;
  NodeId node = kNone;
  std::string message;  // "V3: stablehlo.add: …"
};
std::optional<Finding> find_fault(const Graph& graph);
void verify(const Graph& graph, std::string_view after);  // InternalError "verify V3 after <after>: …"

}  // namespace weft::ir
