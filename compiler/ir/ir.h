// Graph: the program as SSA operations on tensors, with StableHLO's names and meaning.
// Indices instead of pointers: a value, node or region is a number that its Graph understands.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/shape.h>

#include "compiler/ir/attributes.h"

namespace weft::ir {

using Type = ShapeDtype;
using ValueId = std::uint32_t;
using NodeId = std::uint32_t;
using RegionId = std::uint32_t;
using LocationId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class Op : std::uint16_t {
#define ELEMENTWISE(name, ...) name,
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
#define STRUCTURAL(name, ...) name,
#include "compiler/ir/structural.def"
#undef STRUCTURAL
};

// What the tables say about an operation.
enum Kinds : unsigned { B = 1, I = 2, F = 4, C = 8 };  // element types by kind, as in ops.def
enum class ResultRule : std::uint8_t { same, predicate, real };
struct OpInfo {
  std::string_view name;     // "add": without dialect, without a trailing underscore
  std::string_view text;     // "stablehlo.add"
  int arity;                 // of an elementwise operation; -1 for a structural one
  unsigned accepts;          // Kinds; 0 for a structural one
  ResultRule result;
  std::string_view derivative;
  std::string_view summary;
  bool is_elementwise() const { return arity >= 0; }
};
const OpInfo& info_of(Op op);
std::optional<Op> op_from_text(std::string_view text);  // "stablehlo.add"
std::span<const Op> all_ops();
bool accepts(Op op, DType dtype);  // by the row's kinds; complex only once it is supported
inline bool is_elementwise(Op op) { return info_of(op).is_elementwise(); }
// Its regions run as often as its operands say: while, scan, if, case.
inline bool is_control_flow(Op op) {
  return op == Op::while_ || op == Op::scan || op == Op::if_ || op == Op::case_;
}

// Where the user wrote an operation: file, line and column, and the function around it if known.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourceLine&) const = default;
  std::string to_string() const;  // "model.cpp:12"
};

struct Value {
  Type type;
  NodeId node = kNone;     // kNone: an argument of `region`
  RegionId region = kNone;
  std::uint32_t index = 0;  // which result of the node, or which argument of the region
};

struct Node {
  Op op;
  LocationId location = 0;
  RegionId parent = kNone;
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  std::vector<RegionId> regions;
  Attributes attributes;
};

// A list of nodes in an order in which every operand comes before its use. Values of enclosing regions are visible.
struct Region {
  NodeId parent = kNone;  // the node that owns it; kNone for the body of a function
  std::vector<ValueId> arguments;
  std::vector<NodeId> nodes;
  std::vector<ValueId> results;  // the operands of its terminator
};

struct Function {
  std::string name;
  RegionId body = kNone;
  bool is_public = false;
};

class Graph {
 public:
  Graph();
  Graph(Graph&&) = default;
  Graph& operator=(Graph&&) = default;
  Graph(const Graph&) = default;
  Graph& operator=(const Graph&) = default;

  std::string name;                 // of the module
  std::vector<Function> functions;

  const Value& value(ValueId id) const { return values_[id]; }
  const Type& type(ValueId id) const { return values_[id].type; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  Node& node(NodeId id) { return nodes_[id]; }
  const Region& region(RegionId id) const { return regions_[id]; }
  Region& region(RegionId id) { return regions_[id]; }
  const SourceLine& location(LocationId id) const { return locations_[id]; }
  std::size_t value_count() const { return values_.size(); }
  std::size_t node_count() const { return nodes_.size(); }
  std::size_t region_count() const { return regions_.size(); }

  const Function* find_function(std::string_view name) const;
  const Function& entry() const;  // @main, else the only public function, else the first

  RegionId add_region(NodeId parent = kNone);
  ValueId add_argument(RegionId region, Type type);
  Function& add_function(std::string name, bool is_public);  // with an empty body region
  // Appends without checking; Builder checks. The node's regions become its children.
  NodeId add_node(RegionId region, Op op, std::vector<ValueId> operands, Attributes attributes,
                  std::vector<Type> result_types, std::vector<RegionId> regions, LocationId location);
  LocationId add_location(const SourceLine& line);  // interned; 0 is "unknown"

 private:
  std::deque<Value> values_;
  std::deque<Node> nodes_;
  std::deque<Region> regions_;
  std::vector<SourceLine> locations_;
};

// The attributes of a node, of the struct its operation has.
template <class T>
const T& attributes_of(const Node& node) {
  return std::get<T>(node.attributes);
}
// The literal of a constant that produces `value`, or null.
const Literal* constant_value(const Graph& graph, ValueId value);

}  // namespace weft::ir
