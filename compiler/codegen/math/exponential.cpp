// exp, exp2, expm1 and what is made of them: x = n*log(2) + r, exp(r) by a polynomial, 2^n by the exponent.
#include "compiler/codegen/math/math.h"
#include "compiler/codegen/math/pieces.h"

namespace weft::codegen::math {
namespace {

// exp(r) - 1 - r for |r| <= log(2)/2, relative to exp(r): 3e-9 (f32), 4e-18 (f64).
Lanes exponential_tail(Lanes r) {
  const Lanes q =
      r.is_f32() ? polynomial(r, {0x1.fffffcp-2, 0x1.55549p-3, 0x1.5558f4p-5, 0x1.123a6cp-7, 0x1.6a234ap-10})
                 : polynomial(r, {0x1.0000000000000p-1, 0x1.555555555555bp-3, 0x1.5555555555502p-5,
                                  0x1.111111110ec1cp-7, 0x1.6c16c16c3079bp-10, 0x1.a01a01b3980a7p-13,
                                  0x1.a01a0135f25bcp-16, 0x1.71ddefded4632p-19, 0x1.27e5b50bd6edfp-22,
                                  0x1.af6c5d42be67bp-26, 0x1.1e3cadb57786ap-29});
  return r * r * q;
}

// x - n*log(2), in two pieces of log(2).
Lanes reduced(Lanes x, Lanes n) {
  const Lanes high = fma(n, x.pick(-0x1.62e43p-1, -0x1.62e42fefa39efp-1), x);
  return fma(n, x.pick(0x1.05c61p-29, -0x1.abc9e3b39803fp-56), high);
}

struct Range {
  double least, greatest;  // below: 0; above: infinite
};

// Lanes out of range are computed at 0 and replaced: neither overflow nor underflow happens in them.
template <class Inside>
Lanes within(Lanes x, Range range, const Inside& inside) {
  const Mask below = x<range.least, above = x> range.greatest;
  const Lanes y = inside(select(below | above, x.like(0), x));
  return select(below, x.like(0), select(above, x.infinity(), y));
}

Range natural_range(Lanes x) {
  return x.is_f32() ? Range{-0x1.9fe368p+6, 0x1.62e42ep+6} : Range{-745.1332191019412, 709.782712893384};
}
Range binary_range(Lanes x) {
  return x.is_f32() ? Range{-150, 0x1.fffffep+6} : Range{-1075, 0x1.fffffffffffffp+9};
}

Lanes exp_of(Lanes x) { return exp_scaled(x, {}, 0); }

Lanes exp2_of(Lanes x) {
  return within(x, binary_range(x), [](Lanes inside) {
    const Lanes n = round(inside);
    const Lanes fraction = inside - n;  // exact
    const Lanes r = fraction * inside.pick(0x1.62e43p-1, 0x1.62e42fefa39efp-1);
    const Lanes error = fma(fraction, inside.pick(0x1.62e43p-1, 0x1.62e42fefa39efp-1), -r);
    const Lanes low = fma(fraction, inside.pick(-0x1.05c61p-29, 0x1.abc9e3b39803fp-56), error);
    return scale(1.0 + (r + (exponential_tail(r) + low)), n);
  });
}

// exp(x) - 1 = 2^n * expm1(r) + (2^n - 1), halved on the way so that 2^n stays finite.
Lanes expm1_of(Lanes x) {
  const Mask far_below = x<x.pick(-18.0, -40.0), above = x> natural_range(x).greatest;
  const Lanes inside = select(far_below | above, x.like(0), x);
  const Lanes n = round(inside * inside.pick(0x1.715476p+0, 0x1.71547652b82fep+0));
  const Lanes r = reduced(inside, n);
  const Lanes half_scale = power_of_two(n - 1.0);
  const Lanes y = fma(r + exponential_tail(r), half_scale, half_scale - 0.5) * 2.0;
  const Lanes finite = select(inside == 0.0, inside, y);
  return select(far_below, x.like(-1), select(above, x.infinity(), finite));
}

// tanh: odd polynomial near 0, 1 - 2/(exp(2|x|) + 1) elsewhere.
Lanes tanh_of(Lanes x) {
  const Lanes magnitude = abs(x), z = x * x;
  const Lanes near_zero =
      x.is_f32()
          ? polynomial(z, {-0x1.555532p-2, 0x1.1106d8p-3, -0x1.b8305ep-5, 0x1.51ceb2p-6, -0x1.7432fep-8})
          : polynomial(z, {-0x1.5555555555551p-2, 0x1.1111111110b5fp-3, -0x1.ba1ba1b9c569bp-5,
                           0x1.664f486e44c18p-6, -0x1.226e3282c87b3p-7, 0x1.d6d34e8954726p-9,
                           -0x1.7d9b9dba39062p-10, 0x1.35069172a0863p-11, -0x1.f0dbb31ee142fp-13,
                           0x1.7f5667280a878p-14, -0x1.f7a4594e79bc5p-16, 0x1.9077a7f106d29p-18});
  const double saturated = x.is_f32() ? 10.0 : 20.0;
  const Lanes inside = select(magnitude > saturated, x.like(saturated), magnitude);
  const Lanes far = 1.0 - 2.0 / (exp_of(inside * 2.0) + 1.0);
  return copysign(select(magnitude < 0.625, fma(x * z, near_zero, x), far), x);  // of -0, too
}

// exp(-|x|) never overflows; the smaller tail keeps its relative accuracy.
Lanes logistic_of(Lanes x) {
  const Lanes e = exp_of(-abs(x));
  return select(x < 0.0, e, x.like(1)) / (1.0 + e);  // exp of a NaN is a NaN
}

}  // namespace

Lanes exp_scaled(Lanes x, std::optional<Lanes> low, int shift) {
  const Range range = natural_range(x);
  const double room = -shift * 0x1.62e42fefa39efp-1;
  return within(x, {range.least + room, range.greatest + room}, [&](Lanes inside) {
    const Lanes n = round(inside * inside.pick(0x1.715476p+0, 0x1.71547652b82fep+0));
    const Lanes r = low ? reduced(inside, n) + *low : reduced(inside, n);
    return scale(1.0 + (r + exponential_tail(r)), shift == 0 ? n : n + shift);
  });
}

llvm::Value* exponential(Emitter& emitter, llvm::Value* x) { return exp_of({emitter, x}).value(); }
llvm::Value* exp2(Emitter& emitter, llvm::Value* x) { return exp2_of({emitter, x}).value(); }
llvm::Value* exponential_minus_one(Emitter& emitter, llvm::Value* x) {
  return expm1_of({emitter, x}).value();
}
llvm::Value* tanh(Emitter& emitter, llvm::Value* x) { return tanh_of({emitter, x}).value(); }
llvm::Value* logistic(Emitter& emitter, llvm::Value* x) { return logistic_of({emitter, x}).value(); }

}  // namespace weft::codegen::math
