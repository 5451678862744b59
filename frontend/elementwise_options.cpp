// Elementwise functions with options, several kinds of operands, or a dtype as parameter.
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include <weft/elementwise.h>
#include <weft/reductions.h>

#include "frontend/elementwise.h"
#include "frontend/statics.h"

namespace weft {
namespace {

using frontend::bytes_of;
using frontend::Domain;
using frontend::record;
using frontend::type_of;
using ir::Direction;
using ir::Op;
using In = std::span<const Array>;

constexpr std::int64_t kLargestUnrolledExponent = 64;

// A whole exponent that the user wrote as a C++ integer.
std::optional<std::int64_t> whole_exponent(const Array& y) {
  if (!y.is_weak() || !frontend::is_concrete(y) || !is_integer(y.dtype())) return std::nullopt;
  const auto value =
      static_cast<std::int64_t>(frontend::element_as_double(y.dtype(), frontend::state_of(y).buffer.data()));
  if (std::abs(value) > kLargestUnrolledExponent) return std::nullopt;
  return value;
}

Array repeated_product(const Array& x, std::int64_t exponent) {
  if (exponent == 0) return frontend::splat_like(x, 1);
  Array power = x, result;
  for (std::int64_t rest = std::abs(exponent); rest > 0; rest >>= 1) {
    if (rest & 1) result = result.is_empty_handle() ? power : record(Op::multiply, {result, power});
    if (rest > 1) power = record(Op::multiply, {power, power});
  }
  return exponent > 0 ? result : record(Op::divide, {frontend::splat_like(x, 1), result});
}

}  // namespace

Array power(const Operand& x, const Operand& y) {
  const frontend::Call call("power", x.loc);
  const auto exponent = whole_exponent(y.value);
  if (exponent && x.value.dtype() != b1 && (*exponent >= 0 || is_floating(x.value.dtype())))
    return frontend::apply("integer_power", x.loc, {&x.value, 1}, bytes_of(*exponent), [&](In in) {
      return frontend::as_weak(repeated_product(in[0], *exponent), in[0].is_weak());
    });
  return frontend::elementwise("power", Domain::same, {&x, &y}, [](In in) { return record(Op::power, in); });
}
Array pow(const Operand& x, const Operand& y) { return power(x, y); }

Array clip(const Operand& x, const Operand& low, const Operand& high) {
  return frontend::elementwise("clip", Domain::same, {&x, &low, &high}, [](In in) {
    return record(Op::minimum, {record(Op::maximum, {in[0], in[1]}), in[2]});
  });
}

Array where(const Operand& predicate, const Operand& on_true, const Operand& on_false) {
  const frontend::Call call("where", predicate.loc);
  const Operand* sides[] = {&on_true, &on_false};
  std::vector<Array> operands = frontend::settle_scalars(sides, Domain::same);
  operands.push_back(predicate.value);
  return frontend::apply("where", predicate.loc, operands, {}, [](In in) {
    const frontend::Promoted p = frontend::promote(in.first(2));
    const Shape shape = frontend::broadcast_shapes_of(in);
    const auto side = [&](const Array& x) {
      return frontend::broadcast_trailing(frontend::convert_to(x, p.dtype), shape);
    };
    const Array chosen = frontend::broadcast_trailing(frontend::as_predicate(in[2]), shape);
    return frontend::as_weak(frontend::select(chosen, side(in[0]), side(in[1])), p.is_weak);
  });
}

Array select(const std::vector<Array>& conditions, const std::vector<Array>& choices,
             const Operand& otherwise) {
  const frontend::Call call("select", otherwise.loc);
  if (conditions.size() != choices.size())
    frontend::fail_type(fmt::format("{} conditions for {} choices", conditions.size(), choices.size()));
  Array result = otherwise.value;
  for (std::size_t i = conditions.size(); i-- > 0;)
    result = where(Operand(conditions[i], otherwise.loc), choices[i], result);
  return result;
}

Array isclose(const Operand& x, const Operand& y, CloseOptions options) {
  const frontend::Call call("isclose", x.loc);
  const Operand* both[] = {&x, &y};
  const auto body = [&](In given) {
    const frontend::Promoted p = frontend::promote_in(Domain::inexact, given);
    const std::vector<Array> in = frontend::broadcast_all(given, p.dtype);
    const Array &a = in[0], &b = in[1];
    const Array distance = record(Op::abs, {record(Op::subtract, {a, b})});
    const Array relative =
        record(Op::multiply, {record(Op::abs, {b}), frontend::splat_like(b, options.rtol)});
    const Array bound = record(Op::add, {relative, frontend::splat_like(b, options.atol)});
    const Array finite = record(Op::is_finite, {b});
    Array close = record(Op::and_, {frontend::compare(Direction::LE, distance, bound), finite});
    close = record(Op::or_, {close, frontend::compare(Direction::EQ, a, b)});
    if (!options.equal_nan) return close;
    const Array both_nan =
        record(Op::and_, {frontend::compare(Direction::NE, a, a), frontend::compare(Direction::NE, b, b)});
    return record(Op::or_, {close, both_nan});
  };
  return frontend::apply("isclose", x.loc, frontend::settle_scalars(both, Domain::inexact),
                         bytes_of(options.rtol, options.atol, options.equal_nan), body);
}

Array allclose(const Operand& x, const Operand& y, CloseOptions options) {
  return all(isclose(x, y, options));
}

Array array_equal(const Operand& x, const Operand& y) {
  if (x.value.shape() != y.value.shape()) return Array(false);
  return all(Operand(equal(x, y), x.loc));
}

Array astype(const Operand& x, DType dtype) {
  return frontend::apply("astype", x.loc, {&x.value, 1}, bytes_of(dtype), [&](In in) {
    return frontend::as_weak(frontend::convert_to(frontend::as_weak(in[0], false), dtype), false);
  });
}

Array Array::astype(DType dtype, Location where) const { return weft::astype(Operand(*this, where), dtype); }

Array bitcast_convert_type(const Operand& x, DType dtype) {
  return frontend::apply("bitcast_convert_type", x.loc, {&x.value, 1}, bytes_of(dtype), [&](In in) {
    const ShapeDtype& from = type_of(in[0]);
    const std::int64_t old_bytes = static_cast<std::int64_t>(size_of(from.dtype));
    const std::int64_t new_bytes = static_cast<std::int64_t>(size_of(dtype));
    std::vector<std::int64_t> extents(from.shape.begin(), from.shape.end());
    if (new_bytes < old_bytes) extents.push_back(old_bytes / new_bytes);
    if (new_bytes > old_bytes) {
      if (extents.empty() || extents.back() != new_bytes / old_bytes)
        frontend::fail_shape(fmt::format("the last axis of {} must have {} elements to become {}",
                                         from.to_string(), new_bytes / old_bytes, name_of(dtype)));
      extents.pop_back();
    }
    return record(Op::bitcast_convert, {in[0]}, ir::NoAttributes{}, {{Shape(extents), dtype}});
  });
}

Array reduce_precision(const Operand& x, int exponent_bits, int mantissa_bits) {
  return frontend::apply(
      "reduce_precision", x.loc, {&x.value, 1}, bytes_of(exponent_bits, mantissa_bits), [&](In in) {
        return frontend::as_weak(record(Op::reduce_precision, {in[0]},
                                        ir::ReducePrecisionAttributes{exponent_bits, mantissa_bits}),
                                 in[0].is_weak());
      });
}

DType result_type(const Operand& x, const Operand& y) {
  const Array both[] = {x.value, y.value};
  return frontend::promote(both).dtype;
}

}  // namespace weft
