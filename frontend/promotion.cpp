// The lattice of promotion. Strong integers widen, an integer and a float give the float, u64 with a signed
// integer f32.
#include "frontend/promotion.h"

#include "frontend/array_state.h"

namespace weft::frontend {
namespace {

int bits_of(DType d) { return static_cast<int>(size_of(d)) * 8; }

DType signed_of(int bits) { return bits <= 8 ? i8 : bits <= 16 ? i16 : bits <= 32 ? i32 : i64; }

DType promote_integers(DType a, DType b) {
  if (is_signed(a) == is_signed(b)) return bits_of(a) >= bits_of(b) ? a : b;
  const DType with_sign = is_signed(a) ? a : b, without = is_signed(a) ? b : a;
  if (bits_of(with_sign) > bits_of(without)) return with_sign;
  return without == u64 ? f32 : signed_of(bits_of(without) * 2);
}

DType promote_complex(DType a, DType b) {
  const auto is_double = [](DType d) { return d == c128 || d == f64; };
  return is_double(a) || is_double(b) ? c128 : c64;
}

// How far a kind reaches: a weak scalar changes an operand only when its kind reaches further.
int reach(DType d) {
  if (is_complex(d)) return 3;
  if (is_floating(d)) return 2;
  return d == b1 ? 0 : 1;
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) return promote_complex(a, b);
  if (is_floating(a) && is_floating(b)) {
    if (is_half(a) && is_half(b)) return f32;
    return size_of(a) > size_of(b) ? a : b;
  }
  if (is_floating(a) || b == b1) return a;
  if (is_floating(b) || a == b1) return b;
  return promote_integers(a, b);
}

Promoted promote(Promoted a, Promoted b) {
  if (a.is_weak == b.is_weak) {
    if (!a.is_weak || reach(a.dtype) == reach(b.dtype)) return {promote(a.dtype, b.dtype), a.is_weak};
    return {reach(a.dtype) > reach(b.dtype) ? a.dtype : b.dtype, true};
  }
  const Promoted& weak = a.is_weak ? a : b;
  const Promoted& strong = a.is_weak ? b : a;
  if (reach(weak.dtype) <= reach(strong.dtype)) return strong;
  if (is_complex(weak.dtype)) return {strong.dtype == f64 ? c128 : c64, !is_floating(strong.dtype)};
  return {is_floating(weak.dtype) ? f32 : i32, true};
}

Promoted promote(std::span<const Array> operands) {
  Promoted result{type_of(operands[0]).dtype, operands[0].is_weak()};
  for (const Array& x : operands.subspan(1)) result = promote(result, {type_of(x).dtype, x.is_weak()});
  return result;
}

Promoted to_inexact(Promoted p) {
  if (is_floating(p.dtype) || is_complex(p.dtype)) return p;
  return {f32, p.is_weak};
}

}  // namespace weft::frontend
