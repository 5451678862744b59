// Expands the column `value` of ops.def: every row for each element type that it accepts.
#include "compiler/interpreter/elementwise.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/interpreter/element_values.h"

namespace weft::interpreter {
namespace {

using ir::Literal;

template <class R>
void put(Literal& literal, std::int64_t flat, R value) {
  std::memcpy(literal.buffer.data() + flat * static_cast<std::int64_t>(sizeof(R)), &value, sizeof(R));
}

template <class T, int arity, class Function>
void apply_each(const Function& function, std::span<const Literal> operands, Literal& result) {
  static_assert(arity == 1 || arity == 2);
  const std::int64_t size = result.type.size();
  for (std::int64_t i = 0; i < size; ++i) {
    if constexpr (arity == 1)
      put(result, i, function(operands[0].at<T>(i)));
    else
      put(result, i, function(operands[0].at<T>(i), operands[1].at<T>(i)));
  }
}

constexpr bool is_among(unsigned kinds, DTypeKind kind) {
  switch (kind) {
    case DTypeKind::boolean:
      return (kinds & ir::B) != 0;
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return (kinds & ir::I) != 0;
    case DTypeKind::floating:
      return (kinds & ir::F) != 0;
    case DTypeKind::complex:
      return false;
  }
  return false;
}

// The value's template is only instantiated for the kinds that its row accepts.
template <unsigned kinds, int arity, class Function>
void apply(DType dtype, const Function& function, std::span<const Literal> operands, Literal& result) {
  switch (dtype) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy)   \
  case DType::name:                                       \
    if constexpr (is_among(kinds, DTypeKind::kind)) {     \
      apply_each<cpp, arity>(function, operands, result); \
      return;                                             \
    }                                                     \
    break;
#include <weft/types.def>
#undef TYPE
  }
  throw InternalError(fmt::format("interpreter: elements {} are not accepted", name_of(dtype)));
}

}  // namespace

Literal elementwise_value(ir::Op op, std::span<const Literal> operands, const ir::Type& type) {
  using ir::B, ir::C, ir::F, ir::I;
  Literal result{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  const DType dtype = operands[0].type.dtype;
  switch (op) {
#define ELEMENTWISE(name, text, arity, accepts, rule, value, emission, derivative, summary) \
  case ir::Op::name:                                                                        \
    apply<(accepts), arity>(                                                                \
        dtype, [](auto... x) { return values::value(x...); }, operands, result);            \
    return result;
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
#define STRUCTURAL(name, ...) case ir::Op::name:
#include "compiler/ir/structural.def"
#undef STRUCTURAL
    break;
  }
  throw InternalError(fmt::format("interpreter: {} is not elementwise", ir::info_of(op).text));
}

}  // namespace weft::interpreter
