// atan and atan2 by one quotient between -1/3 and 1/2; asin and acos by a series, or a root
// beyond 1/2.
#include "compiler/codegen/math/math.h"
#include "compiler/codegen/math/pieces.h"

namespace weft::codegen::math {
namespace {

// A multiple of pi/4 plus a small value, rounded once at the end.
Lanes plus_quarter_turns(Lanes count, Lanes small) {
  const Lanes low = fma(count, count.pick(-0x1.777a5cp-26, 0x1.1a62633145c07p-55), small);
  return fma(count, count.pick(0x1.921fb6p-1, 0x1.921fb54442d18p-1), low);
}

// The angle of the point (x, y), both finite, not both 0, and neither so large that their sum overflows.
Lanes angle(Lanes y, Lanes x) {
  const Lanes vertical = abs(y), horizontal = abs(x);
  const Mask steep = vertical > horizontal;
  const Lanes lower = select(steep, horizontal, vertical), upper = select(steep, vertical, horizontal);
  const Mask middle = lower > upper * 0.5;  // then the difference is exact
  const Lanes v = select(middle, lower - upper, lower) / select(middle, lower + upper, upper);
  const Lanes z = v * v;
  const Lanes series =
      x.is_f32() ? polynomial(z, {-0x1.555556p-2, 0x1.9998f2p-3, -0x1.247348p-3, 0x1.c2d782p-4,
                                  -0x1.51538ap-4, 0x1.5a2b0ep-5})
                 : polynomial(z, {-0x1.5555555555555p-2, 0x1.99999999998e1p-3, -0x1.2492492488296p-3,
                                  0x1.c71c71c01b24cp-4, -0x1.745d16026efd7p-4, 0x1.3b138e6372dcap-4,
                                  -0x1.110ea50256abfp-4, 0x1.e1a7b2562efc5p-5, -0x1.ad44da04adea3p-5,
                                  0x1.7b20b751c966ap-5, -0x1.37d750492dd9bp-5, 0x1.99b4e0c058248p-6,
                                  -0x1.2dfbaab9786efp-7});
  Lanes small = fma(v * z, series, v), quarters = select(middle, x.like(1), x.like(0));
  quarters = select(steep, 2.0 - quarters, quarters);
  small = select(steep, -small, small);
  const Mask left = copysign(x.like(1), x) < 0.0;
  quarters = select(left, 4.0 - quarters, quarters);
  small = select(left, -small, small);
  return copysign(plus_quarter_turns(quarters, small), y);
}

Lanes atan_of(Lanes x) {
  const Mask infinite = abs(x) == x.infinity();
  const Lanes inside = select(infinite, copysign(x.pick(0x1p100, 0x1p1000), x), x);
  return angle(inside, x.like(1));
}

Lanes atan2_of(Lanes y, Lanes x) {
  const Lanes vertical = abs(y), horizontal = abs(x);
  const Mask y_infinite = vertical == x.infinity(), x_infinite = horizontal == x.infinity();
  const Mask any_infinite = y_infinite | x_infinite, both_zero = (x == 0.0) & (y == 0.0);
  // Only the directions matter: infinite extents become 1 beside 0, halves keep the sum finite.
  const Lanes one = x.like(1), zero = x.like(0);
  const Lanes from_infinite_y = select(y_infinite, one, zero);
  const Lanes from_infinite_x = select(x_infinite | both_zero, one, zero);
  const Mask huge = (vertical > x.pick(0x1p126, 0x1p1022)) | (horizontal > x.pick(0x1p126, 0x1p1022));
  const Lanes down = select(huge, x.like(0.25), one);
  const Lanes dy = select(any_infinite, copysign(from_infinite_y, y), y * down);
  const Lanes dx = select(any_infinite | both_zero, copysign(from_infinite_x, x), x * down);
  return select(is_nan(x) | is_nan(y), x + y, angle(dy, dx));
}

// asin(s) = s + s*z*series(z), z = s*s <= 1/4.
Lanes arcsine_series(Lanes z) {
  return z.is_f32() ? polynomial(z, {0x1.555554p-3, 0x1.33343p-4, 0x1.6d5bbap-5, 0x1.fd8da2p-6, 0x1.18f91ep-6,
                                     0x1.13fed4p-5})
                    : polynomial(z, {0x1.5555555555556p-3, 0x1.3333333332ecap-4, 0x1.6db6db6e31f13p-5,
                                     0x1.f1c71c1db0623p-6, 0x1.6e8bb1c8209a2p-6, 0x1.1c4d35cf95421p-6,
                                     0x1.c9cf07674736ap-7, 0x1.782651caa6547p-7, 0x1.52420b04b37bep-7,
                                     0x1.65a9c4dfcf8b2p-8, 0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7,
                                     0x1.d72b2bc8155f8p-6});
}

// Beyond 1/2 both functions need asin of the root of (1 - |x|) / 2, which is `root` plus `rest`.
struct Arcsine {
  Mask beyond;
  Lanes root, rest;
};
Arcsine arcsine(Lanes x) {
  const Lanes magnitude = abs(x);
  const Mask beyond = magnitude > 0.5;
  const Lanes z = select(beyond, 0.5 * (1.0 - magnitude), x * x);
  const Lanes root = select(beyond, sqrt(z), magnitude);
  const Lanes lost = select(beyond & (z > 0.0), fma(-root, root, z) / (2.0 * root), x.like(0));
  return {beyond, root, fma(root * z, arcsine_series(z), lost)};
}

Lanes asin_of(Lanes x) {
  const Arcsine a = arcsine(x);
  const Lanes beyond = plus_quarter_turns(x.like(2), a.rest * -2.0 + a.root * -2.0);
  return copysign(select(a.beyond, beyond, a.root + a.rest), x);  // beyond 1: the root is a NaN
}

Lanes acos_of(Lanes x) {
  const Arcsine a = arcsine(x);
  const Mask negative = x < 0.0;
  const Lanes near = plus_quarter_turns(x.like(2), select(negative, a.root + a.rest, -a.root - a.rest));
  const Lanes twice = 2.0 * (a.root + a.rest);
  const Lanes beyond = select(negative, plus_quarter_turns(x.like(4), -twice), twice);
  return select(a.beyond, beyond, select(is_nan(x), x, near));
}

}  // namespace

llvm::Value* asin(Emitter& emitter, llvm::Value* x) { return asin_of({emitter, x}).value(); }
llvm::Value* acos(Emitter& emitter, llvm::Value* x) { return acos_of({emitter, x}).value(); }
llvm::Value* atan(Emitter& emitter, llvm::Value* x) { return atan_of({emitter, x}).value(); }
llvm::Value* atan2(Emitter& emitter, llvm::Value* y, llvm::Value* x) {
  return atan2_of({emitter, y}, {emitter, x}).value();
}

}  // namespace weft::codegen::math
