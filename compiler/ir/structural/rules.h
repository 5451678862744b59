// What a structural operation must say about itself: its type rule, its reference value, its batching rule.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compiler/ir/build.h"

namespace weft::ir {

// Reference evaluation: `operands` are never splats. `region(index, values)` runs one of the node's regions.
struct Evaluation {
  const Graph& graph;
  const Node& node;
  std::span<const Literal> operands;
  std::function<std::vector<Literal>(std::size_t, std::vector<Literal>)> region;
  std::function<std::vector<Literal>(const std::string&, std::vector<Literal>)> function;  // for call
};

// Batching: the mapped axis of a batched value is always its first; an unbatched value is the same for all.
struct Batched {
  ValueId value = kNone;
  bool is_batched = false;
};
struct Batching {
  Builder& to;              // the new graph; its location is set to the node's
  const Graph& from;
  const Node& node;
  std::span<const Batched> operands;
  std::int64_t size;        // of the mapped axis
  // The operations of a region of the node, batched, at the end of the region `into`; gives its results.
  std::function<std::vector<Batched>(RegionId into, std::size_t region, const std::vector<Batched>& arguments)>
      inline_body;
  std::function<std::vector<Batched>(const std::string& callee, std::span<const Batched>)> function;  // for call

  ValueId batched(std::size_t operand) const;  // the operand with a leading batch axis, broadcast if it has none
  ValueId batched(const Batched& value, Builder& into) const;
  const Type& unbatched_type(std::size_t operand) const { return from.type(node.operands[operand]); }
};

struct StructuralRules {
  TypeAnswer (*types)(const TypeQuery&);
  std::vector<Literal> (*value)(const Evaluation&);
  std::vector<Batched> (*batch)(const Batching&);  // called only when an operand, or a captured value, is batched
};

namespace rules {
#define STRUCTURAL(name, text, attributes, rules, summary) const StructuralRules& rules();
#include "compiler/ir/structural.def"
#undef STRUCTURAL
}  // namespace rules
const StructuralRules& rules_of(Op op);  // of a structural operation

}  // namespace weft::ir
