// The elementwise functions that are one operation, and the operators.
#include <weft/elementwise.h>

#include "frontend/elementwise.h"

namespace weft {
namespace frontend {

Promoted promote_in(Domain domain, std::span<const Array> operands) {
  const Promoted p = promote(operands);
  return domain == Domain::inexact ? to_inexact(p) : p;
}

std::vector<Array> settle_scalars(std::span<const Operand* const> operands, Domain domain) {
  std::vector<Array> values;
  for (const Operand* x : operands) values.push_back(x->value);
  const Promoted p = promote_in(domain, values);
  if (p.is_weak) return values;
  for (Array& x : values)
    if (x.is_weak() && is_concrete(x)) x = as_weak(convert_to(x, p.dtype), false);
  return values;
}

Array elementwise(const char* function, Domain domain, std::initializer_list<const Operand*> operands,
                  const ApplyBody& body, bool keeps_weakness) {
  const Location& where = (*operands.begin())->loc;
  const Call call(function, where);
  const std::vector<Array> settled = settle_scalars(std::span(operands.begin(), operands.size()), domain);
  return apply(function, where, settled, {}, [&](std::span<const Array> in) {
    const Promoted p = promote_in(domain, in);
    const Array result = body(broadcast_all(in, p.dtype));
    return keeps_weakness ? as_weak(result, p.is_weak) : result;
  });
}

Array as_predicate(const Array& x) {
  return type_of(x).dtype == b1 ? x : compare(ir::Direction::NE, x, splat_like(x, 0));
}

namespace {

Array one_operation(const char* function, Domain domain, ir::Op op, const Operand& x) {
  return elementwise(function, domain, {&x}, [&](std::span<const Array> in) {
    const bool is_whole = domain == Domain::rounding && !is_floating(type_of(in[0]).dtype);
    return is_whole ? in[0] : record(op, in);
  });
}

Array one_operation(const char* function, Domain domain, ir::Op op, const Operand& x, const Operand& y) {
  return elementwise(function, domain, {&x, &y}, [&](std::span<const Array> in) { return record(op, in); });
}

Array comparison(const char* function, ir::Direction direction, const Operand& x, const Operand& y) {
  return elementwise(
      function, Domain::same, {&x, &y},
      [&](std::span<const Array> in) { return compare(direction, in[0], in[1]); }, false);
}

Array logical(const char* function, ir::Op op, const Operand& x, const Operand& y) {
  return elementwise(
      function, Domain::same, {&x, &y},
      [&](std::span<const Array> in) {
        return record(op, {as_predicate(in[0]), as_predicate(in[1])});
      },
      false);
}

}  // namespace
}  // namespace frontend

using frontend::Domain;

#define UNARY(name, domain, op, ...) \
  Array name(const Operand& x) { return frontend::one_operation(#name, Domain::domain, ir::Op::op, x); }
#define BINARY(name, domain, op, ...)                                        \
  Array name(const Operand& x, const Operand& y) {                           \
    return frontend::one_operation(#name, Domain::domain, ir::Op::op, x, y); \
  }
#define COMPARE(name, direction, ...)                                   \
  Array name(const Operand& x, const Operand& y) {                      \
    return frontend::comparison(#name, ir::Direction::direction, x, y); \
  }
#define PREDICATE(name, op, ...) \
  Array name(const Operand& x, const Operand& y) { return frontend::logical(#name, ir::Op::op, x, y); }
#define ALIAS1(name, of) \
  Array name(const Operand& x) { return of(x); }
#define ALIAS2(name, of) \
  Array name(const Operand& x, const Operand& y) { return of(x, y); }
#include <weft/functions.def>

#define BINARY_OPERATOR(symbol, function) \
  Array operator symbol(const Operand& a, const Operand& b) { return function(a, b); }
#define ASSIGNING_OPERATOR(symbol, function) \
  Array& operator symbol(Array& a, const Operand& b) { return a = function(Operand(a, b.loc), b); }
BINARY_OPERATOR(+, add)
BINARY_OPERATOR(-, subtract)
BINARY_OPERATOR(*, multiply)
BINARY_OPERATOR(/, divide)
BINARY_OPERATOR(%, remainder)
BINARY_OPERATOR(&, bitwise_and)
BINARY_OPERATOR(|, bitwise_or)
BINARY_OPERATOR(^, bitwise_xor)
BINARY_OPERATOR(<<, left_shift)
BINARY_OPERATOR(>>, right_shift)
BINARY_OPERATOR(==, equal)
BINARY_OPERATOR(!=, not_equal)
BINARY_OPERATOR(<, less)
BINARY_OPERATOR(<=, less_equal)
BINARY_OPERATOR(>, greater)
BINARY_OPERATOR(>=, greater_equal)
ASSIGNING_OPERATOR(+=, add)
ASSIGNING_OPERATOR(-=, subtract)
ASSIGNING_OPERATOR(*=, multiply)
ASSIGNING_OPERATOR(/=, divide)
ASSIGNING_OPERATOR(%=, remainder)
ASSIGNING_OPERATOR(&=, bitwise_and)
ASSIGNING_OPERATOR(|=, bitwise_or)
ASSIGNING_OPERATOR(^=, bitwise_xor)

Array operator-(const Operand& a) { return negative(a); }
Array operator+(const Operand& a) { return positive(a); }
Array operator~(const Operand& a) { return bitwise_not(a); }
// No place for a line of its own: it has that of its operand.
Array operator!(const Array& a) {
  return logical_not(Operand(a, a.is_empty_handle() ? Location() : frontend::state_of(a).where));
}

}  // namespace weft
