// Elementwise functions composed of others: each records its parts under the user's line, or runs as one
// program.
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <weft/elementwise.h>

#include "frontend/elementwise.h"

namespace weft {
namespace {

using frontend::Domain;
using frontend::record;
using frontend::select;
using frontend::splat_like;
using frontend::type_of;
using ir::Direction;
using ir::Op;
using In = std::span<const Array>;

Array add_(const Array& x, const Array& y) { return record(Op::add, {x, y}); }
Array subtract_(const Array& x, const Array& y) { return record(Op::subtract, {x, y}); }
Array multiply_(const Array& x, const Array& y) { return record(Op::multiply, {x, y}); }
Array divide_(const Array& x, const Array& y) { return record(Op::divide, {x, y}); }
Array is(Direction direction, const Array& x, double y) {
  return frontend::compare(direction, x, splat_like(x, y));
}
Array nan(const Array& x) { return frontend::compare(Direction::NE, x, x); }
Array nothing(const Array& x) { return frontend::splat(b1, type_of(x).shape, 0); }
bool is_float(const Array& x) { return is_floating(type_of(x).dtype); }

Array sign_bit(const Array& x) {
  if (!is_float(x))
    return is_unsigned(type_of(x).dtype) || type_of(x).dtype == b1 ? nothing(x) : is(Direction::LT, x, 0);
  const std::size_t bytes = size_of(type_of(x).dtype);
  const DType bits = bytes == 2 ? i16 : bytes == 4 ? i32 : i64;
  return is(Direction::LT, record(Op::bitcast_convert, {x}, ir::NoAttributes{}, {{type_of(x).shape, bits}}),
            0);
}

Array float_predicate(const char* function, const Operand& x, Op op, bool of_integers = false) {
  return frontend::elementwise(
      function, Domain::same, {&x},
      [&](In in) {
        return is_float(in[0]) ? record(op, in) : frontend::splat(b1, type_of(in[0]).shape, of_integers);
      },
      false);
}

// f16 and bf16 by way of f32, rounded once.
template <class Compute>
Array in_full_precision(const Array& x, const Array& y, const Compute& compute) {
  const DType dtype = type_of(x).dtype;
  if (dtype != f16 && dtype != bf16) return compute(x, y);
  return frontend::convert_to(compute(frontend::convert_to(x, f32), frontend::convert_to(y, f32)), dtype);
}

// The remainder of C and that of Python lie on different sides of 0.
Array is_moved(const Array& rest, const Array& y) {
  const Array differ = record(Op::xor_, {is(Direction::LT, rest, 0), is(Direction::LT, y, 0)});
  return record(Op::and_, {is(Direction::NE, rest, 0), differ});
}

// The remainder of C, moved to the sign of the divisor, which a zero has too.
Array python_remainder(const Array& x, const Array& y) {
  const Array rest = record(Op::remainder, {x, y});
  if (is_unsigned(type_of(x).dtype)) return rest;
  const Array moved = select(is_moved(rest, y), add_(rest, y), rest);
  if (!is_float(x)) return moved;
  const Array zero = select(is(Direction::LT, y, 0), splat_like(x, -0.0), splat_like(x, 0));
  return select(is(Direction::EQ, rest, 0), zero, moved);
}

// From the exact remainder, so that 1 // 0.1 is 9 although 1 / 0.1 rounds to 10. A zero has the sign of x / y.
Array float_quotient(const Array& x, const Array& y) {
  const Array rest = record(Op::remainder, {x, y}), ratio = divide_(x, y);
  const Array quotient = divide_(subtract_(x, rest), y);
  const Array whole = record(Op::round_nearest_afz, {select(is_moved(rest, y), subtract_(quotient, splat_like(x, 1)), quotient)});
  const Array signed_whole = select(is(Direction::EQ, whole, 0), multiply_(ratio, splat_like(x, 0)), whole);
  return select(is(Direction::EQ, y, 0), ratio, signed_whole);
}

Array floor_quotient(const Array& x, const Array& y) {
  if (is_float(x)) return in_full_precision(x, y, float_quotient);
  const Array quotient = divide_(x, y);
  if (is_unsigned(type_of(x).dtype)) return quotient;
  return select(is_moved(record(Op::remainder, {x, y}), y), subtract_(quotient, splat_like(x, 1)), quotient);
}

// Magnitudes of any integers; that of the least one, too.
Array magnitude(const Array& x) {
  const DType dtype = type_of(x).dtype;
  if (!is_integer(dtype)) frontend::fail_type(fmt::format("{}: takes integers", type_of(x).to_string()));
  if (is_unsigned(dtype)) return x;
  const DType wanted = dtype == i8 ? u8 : dtype == i16 ? u16 : dtype == i32 ? u32 : u64;
  return record(Op::bitcast_convert, {record(Op::abs, {x})}, ir::NoAttributes{},
                {{type_of(x).shape, wanted}});
}

// Euclid's algorithm. Fewest steps make the most of Fibonacci's numbers: 1.45 a bit are enough.
Array common_divisor(Array a, Array b) {
  const auto bits = static_cast<int>(8 * size_of(type_of(a).dtype));
  for (int step = 0; step <= bits * 145 / 100; ++step) {
    const Array is_done = is(Direction::EQ, b, 0), rest = record(Op::remainder, {a, b});
    a = select(is_done, a, b);
    b = select(is_done, b, rest);
  }
  return a;
}

Array number_if_any(const char* function, Op op, const Operand& x, const Operand& y) {
  return frontend::elementwise(function, Domain::same, {&x, &y}, [&](In in) {
    const Array result = record(op, in);
    if (!is_float(in[0])) return result;
    return select(nan(in[0]), in[1], select(nan(in[1]), in[0], result));
  });
}

}  // namespace

#define COMPOSED_OF_ONE(name, domain, keeps_weakness, ...) \
  Array name(const Operand& x) {                           \
    return frontend::elementwise(                          \
        #name, Domain::domain, {&x},                       \
        [](In in) -> Array {                               \
          const Array& a = in[0];                          \
          __VA_ARGS__                                      \
        },                                                 \
        keeps_weakness);                                   \
  }
#define COMPOSED_OF_TWO(name, domain, ...)                                             \
  Array name(const Operand& x, const Operand& y) {                                     \
    return frontend::elementwise(#name, Domain::domain, {&x, &y}, [](In in) -> Array { \
      [[maybe_unused]] const Array &a = in[0], &b = in[1];                             \
      __VA_ARGS__                                                                      \
    });                                                                                \
  }

Array positive(const Operand& x) { return x.value; }
Array conj(const Operand& x) { return x.value; }
Array stop_gradient(const Operand& x) { return x.value; }

COMPOSED_OF_ONE(logical_not, same, false, return record(Op::not_, {frontend::as_predicate(a)});)
COMPOSED_OF_ONE(reciprocal, inexact, true, return divide_(splat_like(a, 1), a);)
COMPOSED_OF_ONE(fabs, inexact, true, return record(Op::abs, {a});)
COMPOSED_OF_ONE(isnan, same, false, return is_float(a) ? nan(a) : nothing(a);)
COMPOSED_OF_ONE(signbit, same, false, return sign_bit(a);)
COMPOSED_OF_ONE(deg2rad, inexact, true, return multiply_(a, splat_like(a, std::numbers::pi / 180));)
COMPOSED_OF_ONE(rad2deg, inexact, true, return multiply_(a, splat_like(a, 180 / std::numbers::pi));)
COMPOSED_OF_ONE(trunc, rounding, true, {
  if (!is_float(a)) return a;
  return select(is(Direction::LT, a, 0), record(Op::ceil, {a}), record(Op::floor, {a}));
})
COMPOSED_OF_ONE(sinc, inexact, true, {
  const Array is_zero = is(Direction::EQ, a, 0), one = splat_like(a, 1);
  const Array angle = multiply_(select(is_zero, one, a), splat_like(a, std::numbers::pi));
  return select(is_zero, one, divide_(record(Op::sine, {angle}), angle));
})
COMPOSED_OF_ONE(nan_to_num, same, true, {
  if (!is_float(a)) return a;
  const DType dtype = type_of(a).dtype;
  const double largest = dtype == f64   ? std::numeric_limits<double>::max()
                         : dtype == f16 ? 65504.0
                         : dtype == f32 ? std::numeric_limits<float>::max()
                                        : 3.3895313892515355e38;
  const Array finite = select(record(Op::is_pos_inf, {a}), splat_like(a, largest),
                              select(record(Op::is_neg_inf, {a}), splat_like(a, -largest), a));
  return select(nan(a), splat_like(a, 0), finite);
})
Array isinf(const Operand& x) { return float_predicate("isinf", x, Op::is_inf); }
Array isposinf(const Operand& x) { return float_predicate("isposinf", x, Op::is_pos_inf); }
Array isneginf(const Operand& x) { return float_predicate("isneginf", x, Op::is_neg_inf); }
Array isfinite(const Operand& x) { return float_predicate("isfinite", x, Op::is_finite, true); }

COMPOSED_OF_TWO(right_shift, same, {
  return record(is_unsigned(type_of(a).dtype) ? Op::shift_right_logical : Op::shift_right_arithmetic, in);
})
COMPOSED_OF_TWO(gcd, same, {
  const DType dtype = type_of(a).dtype;
  return frontend::convert_to(common_divisor(magnitude(a), magnitude(b)), dtype);
})
COMPOSED_OF_TWO(lcm, same, {
  const Array x = magnitude(a), y = magnitude(b), divisor = common_divisor(x, y);
  const Array is_zero = is(Direction::EQ, divisor, 0);
  const Array parts = divide_(x, select(is_zero, splat_like(x, 1), divisor));
  return frontend::convert_to(multiply_(parts, y), type_of(a).dtype);
})
COMPOSED_OF_TWO(floor_divide, same, return floor_quotient(a, b);)
COMPOSED_OF_TWO(remainder, same, return in_full_precision(a, b, python_remainder);)
std::pair<Array, Array> divmod(const Operand& x, const Operand& y) {
  return {floor_divide(x, y), remainder(x, y)};
}
COMPOSED_OF_TWO(float_power, inexact, return record(Op::power, {a, b});)
COMPOSED_OF_TWO(logaddexp, inexact, {
  const Array distance = subtract_(a, b);
  const Array small = record(Op::exponential, {record(Op::negate, {record(Op::abs, {distance})})});
  const Array sum = add_(record(Op::maximum, {a, b}), record(Op::log_plus_one, {small}));
  return select(nan(distance), add_(a, b), sum);
})
COMPOSED_OF_TWO(hypot, inexact, {
  const Array p = record(Op::abs, {a}), q = record(Op::abs, {b});
  const Array large = record(Op::maximum, {p, q}), small = record(Op::minimum, {p, q});
  const Array is_zero = is(Direction::EQ, large, 0);
  const Array ratio = divide_(small, select(is_zero, splat_like(a, 1), large));
  const Array root = record(Op::sqrt, {add_(splat_like(a, 1), multiply_(ratio, ratio))});
  const Array infinite = record(Op::or_, {record(Op::is_inf, {a}), record(Op::is_inf, {b})});
  return select(infinite, splat_like(a, std::numeric_limits<double>::infinity()), multiply_(large, root));
})
COMPOSED_OF_TWO(copysign, inexact, {
  const Array differ = record(Op::xor_, {sign_bit(a), sign_bit(b)});
  return select(differ, record(Op::negate, {a}), a);
})
COMPOSED_OF_TWO(heaviside, inexact, {
  const Array step = select(is(Direction::LT, a, 0), splat_like(a, 0), splat_like(a, 1));
  return select(nan(a), a, select(is(Direction::EQ, a, 0), b, step));
})
Array fmax(const Operand& x, const Operand& y) { return number_if_any("fmax", Op::maximum, x, y); }
Array fmin(const Operand& x, const Operand& y) { return number_if_any("fmin", Op::minimum, x, y); }

}  // namespace weft
