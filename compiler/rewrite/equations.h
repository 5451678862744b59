// Equations of canonicalize: each looks at one operation about to be added and may give something equal in
// its place.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/ir/build.h"

namespace weft::rewrite {

// An operation with one result that has not been added yet; operands are values of the new graph.
struct Candidate {
  ir::Op op;
  std::vector<ir::ValueId> operands;
  ir::Attributes attributes;
  ir::Type type;
};
// What is equal: a value that is there already, or another operation (looked at again).
using Equal = std::variant<ir::ValueId, Candidate>;

struct Scene {
  ir::Builder& builder;  // may add constants and broadcasts of them
  const ir::Graph& graph() const { return builder.graph(); }
  const ir::Type& type(ir::ValueId value) const { return builder.graph().type(value); }
  // The operation behind a value if it is an `op`, else null.
  const ir::Node* made_by(ir::ValueId value, ir::Op op) const;
};

struct Equation {
  std::string_view name;
  std::optional<Equal> (*apply)(const Scene& scene, const Candidate& candidate);
};
// By what they are about; each list is one file.
std::span<const Equation> movement_equations();
std::span<const Equation> arithmetic_equations();
std::span<const Equation> choice_equations();

Candidate with_operands(Candidate candidate, std::vector<ir::ValueId> operands);
// The value itself if it has the type wanted (so that no equation changes a type).
std::optional<Equal> same_value(const Scene& scene, const Candidate& candidate, ir::ValueId value);
std::optional<Equal> integer_constant(const Candidate& candidate,
                                      std::int64_t element);  // a splat of the type

}  // namespace weft::rewrite
