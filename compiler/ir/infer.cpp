// Type rules: elementwise operations by their row, structural ones by their rules.
#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/ir/structural/rules.h"

namespace weft::ir {
namespace {

std::string list_of(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + type.to_string();
  return text;
}

std::string kinds_text(unsigned kinds) {
  std::string text;
  const auto add = [&](unsigned kind, const char* name) {
    if ((kinds & kind) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  add(B, "b1");
  add(I, "integers");
  add(F, "floats");
  return text;
}

TypeAnswer infer_elementwise(const TypeQuery& query) {
  const OpInfo& info = info_of(query.op);
  if (static_cast<int>(query.operands.size()) != info.arity)
    return TypeAnswer::wrong(Fault::Kind::structure, "E1",
                             fmt::format("takes {} operands, got {}", info.arity, query.operands.size()));
  const Type& first = query.operands[0];
  for (const Type& type : query.operands) {
    if (type.dtype != first.dtype)
      return TypeAnswer::wrong(Fault::Kind::type, "E2",
                               fmt::format("operands differ in element type: {}", list_of(query.operands)));
    if (type.shape != first.shape)
      return TypeAnswer::wrong(Fault::Kind::shape, "E3",
                               fmt::format("operands differ in shape: {}", list_of(query.operands)));
  }
  if (!accepts(query.op, first.dtype))
    return TypeAnswer::wrong(
        Fault::Kind::type, "E4",
        fmt::format("{} is not accepted: takes {}", first.to_string(), kinds_text(info.accepts)));
  Type result = first;
  if (info.result == ResultRule::predicate) result.dtype = DType::b1;
  return TypeAnswer::of(std::move(result));
}

}  // namespace

TypeAnswer TypeAnswer::of(Type type) {
  TypeAnswer answer;
  answer.types.push_back(std::move(type));
  return answer;
}

TypeAnswer TypeAnswer::wrong(Fault::Kind kind, std::string rule, std::string text) {
  TypeAnswer answer;
  answer.fault = Fault{kind, std::move(rule), std::move(text)};
  return answer;
}

const StructuralRules& rules_of(Op op) {
  switch (op) {
#define STRUCTURAL(name, text, attributes, table, summary) \
  case Op::name:                                           \
    return rules::table();
#include "compiler/ir/structural.def"
#undef STRUCTURAL
#define ELEMENTWISE(name, ...) case Op::name:
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
    break;
  }
  throw InternalError(fmt::format("{} has no structural rules", info_of(op).text));
}

namespace {

// Does the node carry the attributes that its row says?
bool has_right_attributes(Op op, const Attributes& attributes) {
  switch (op) {
#define STRUCTURAL(name, text, struct_name, table, summary) \
  case Op::name:                                            \
    return std::holds_alternative<struct_name>(attributes);
#include "compiler/ir/structural.def"
#undef STRUCTURAL
#define ELEMENTWISE(name, ...) case Op::name:
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
    break;
  }
  return std::holds_alternative<NoAttributes>(attributes);
}

}  // namespace

TypeAnswer infer_types(const TypeQuery& query) {
  if (!has_right_attributes(query.op, query.attributes))
    return TypeAnswer::wrong(Fault::Kind::structure, "E5", "has the attributes of another operation");
  if (is_elementwise(query.op)) return infer_elementwise(query);
  return rules_of(query.op).types(query);
}

}  // namespace weft::ir
