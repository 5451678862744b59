// Roots and powers.
#include "compiler/codegen/math/math.h"
#include "compiler/codegen/math/pieces.h"

namespace weft::codegen::math {
namespace {

Lanes converted(Lanes x, llvm::Type* element) {
  auto& b = x.builder();
  llvm::Type* type = x.emitter().with_element(x.type(), element);
  return {x.emitter(), x.is_f32() ? b.CreateFPExt(x.value(), type) : b.CreateFPTrunc(x.value(), type)};
}
Lanes widened(Lanes x) { return converted(x, x.builder().getDoubleTy()); }
Lanes narrowed(Lanes x) { return converted(x, x.builder().getFloatTy()); }

Lanes rsqrt_of(Lanes x) { return 1.0 / sqrt(x); }

// A third of the bits is a first guess within 4 %; Halley's steps triple the digits; the last step is
// Newton's with an exact remainder.
Lanes cube_root(Lanes magnitude) {
  auto& b = magnitude.builder();
  llvm::Value* raw = bits(magnitude);
  Lanes guess = magnitude;
  if (magnitude.is_f32()) {
    const Lanes third = from_integer(magnitude, raw) * (1.0 / 3) + 709957561.0;
    guess = from_bits(magnitude, b.CreateFPToSI(third.value(), raw->getType()));
  } else {
    // The upper half of the bits is enough, and fits the exact conversions.
    const Lanes upper = from_integer(magnitude, b.CreateLShr(raw, 32));
    const Lanes third = floor(upper * (1.0 / 3) + 715094163.0);
    llvm::Value* whole = b.CreateSub(bits(third + 0x1.8p52), bits(magnitude.like(0x1.8p52)));
    guess = from_bits(magnitude, b.CreateShl(whole, 32));
  }
  for (int step = magnitude.is_f32() ? 2 : 3; step > 0; --step) {
    const Lanes cube = guess * guess * guess;
    guess = guess * ((cube + 2.0 * magnitude) / (2.0 * cube + magnitude));
  }
  const Lanes square = guess * guess;
  const Lanes square_error = fma(guess, guess, -square);
  const Lanes rest = fma(-square, guess, magnitude) - square_error * guess;
  return guess + rest / (3.0 * square);
}

Lanes cbrt_of(Lanes x) {
  const Lanes magnitude = abs(x);
  const Mask usual = (magnitude > 0.0) & (magnitude < x.infinity());
  const Mask small = magnitude < x.pick(0x1p-100, 0x1p-960);
  Lanes inside = select(usual, magnitude, x.like(1));
  inside = select(small & usual, inside * x.pick(0x1p90, 0x1p900), inside);
  const Mask big = inside > x.pick(0x1p100, 0x1p960);
  inside = select(big, inside * x.pick(0x1p-90, 0x1p-900), inside);
  Lanes root = cube_root(inside);
  root = select(small & usual, root * x.pick(0x1p-30, 0x1p-300), root);
  root = select(big, root * x.pick(0x1p30, 0x1p300), root);
  return select(usual, copysign(root, x), x + x);
}

// x to the power y from |x| to the power y: signs, and what is so whatever the other operand is.
Lanes with_sign(Lanes x, Lanes y, Lanes size) {
  const Mask whole = round(y) == y;
  const Mask odd = whole & !(round(y * 0.5) == y * 0.5);
  const Mask negative = copysign(x.like(1), x) < 0.0;
  const Lanes signed_size = select(negative & odd, -size, size);
  const Mask undefined = (x < 0.0) & (abs(x) < x.infinity()) & !whole & !is_nan(y);
  const Lanes y_or_nan = select(undefined, x.nan(), signed_size);
  const Mask one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (abs(y) == y.infinity()));
  return select(one, x.like(1), y_or_nan);
}

// In f64, whose error vanishes when the result is rounded to f32.
Lanes power_of_f32(Lanes x, Lanes y) {
  Emitter& emitter = x.emitter();
  const Lanes wide_x = widened(x), wide_y = widened(y);
  const Lanes exponent = wide_y * Lanes(emitter, log2(emitter, abs(wide_x).value()));
  return with_sign(x, y, narrowed(Lanes(emitter, exp2(emitter, exponent.value()))));
}

// An unevaluated sum, |low| far below |high|.
struct Pair {
  Lanes high, low;
};
Pair product(Lanes a, Lanes b) {
  const Lanes high = a * b;
  return {high, fma(a, b, -high)};
}
Pair product(Pair a, Pair b) {
  const Pair p = product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
// For |a| >= |b|, or a = 0.
Pair sum(Lanes a, Lanes b) {
  const Lanes high = a + b;
  return {high, b - (high - a)};
}

// log(m) = 2s + s³(2/3 + s²q) for s = f/(2 + f), f = m - 1; all but q in pairs, to about 2^-65.
Pair log_of_mantissa(Lanes m) {
  const Lanes f = m - 1.0, below = 2.0 + f, below_lost = f - (below - 2.0);
  const Lanes quotient = f / below;
  const Pair s{quotient, (fma(-quotient, below, f) - quotient * below_lost) / below};
  Pair z = product(s.high, s.high);
  z.low = z.low + 2.0 * (s.high * s.low);
  const Lanes q = polynomial(
      z.high, {0x1.999999999999ap-2, 0x1.2492492492521p-2, 0x1.c71c71c6eaa8dp-3, 0x1.745d177a8f200p-3,
               0x1.3b1395d4f9e5fp-3, 0x1.1118c74823a2ep-3, 0x1.df7ce9a6bcccbp-4, 0x1.e02d197c00c78p-4});
  const Pair zq = product(z.high, q);
  Pair p = sum(m.like(0x1.5555555555555p-1), zq.high);
  p.low = p.low + (zq.low + (z.low * 0.4 + 0x1.5555555555555p-55));
  const Pair tail = product(product(s, z), p);
  Pair result = sum(2.0 * s.high, tail.high);
  result.low = result.low + (2.0 * s.low + tail.low);
  return result;
}

// Of positive finite x.
Pair log_pair(Lanes x) {
  const Mask subnormal = x < 0x1p-1022;
  const Split parts = split(select(subnormal, x * 0x1p54, x));
  const Lanes k = select(subnormal, parts.exponent - 54.0, parts.exponent);
  const Pair m = log_of_mantissa(parts.mantissa);
  Pair result = sum(k * 0x1.62e42fefa2000p-1, m.high);  // the product is exact: 40 bits times 11
  result.low = result.low + fma(k, k.like(0x1.9ef35793c7673p-41), m.low);
  return result;
}

Lanes power_of_f64(Lanes x, Lanes y) {
  const Lanes magnitude = abs(x);
  const Mask usual = (magnitude > 0.0) & (magnitude < x.infinity());
  const Pair log = log_pair(select(usual, magnitude, x.like(2)));
  Pair exponent = product(y, log.high);
  exponent.low = exponent.low + y * log.low;
  const Lanes of_special = y * select(magnitude == 0.0, x.infinity(true), magnitude);  // 0, infinite or a NaN
  return with_sign(x, y,
                   exp_scaled(select(usual, exponent.high, of_special),
                              select(usual & (abs(exponent.high) < 800.0), exponent.low, x.like(0)), 0));
}

}  // namespace

llvm::Value* rsqrt(Emitter& emitter, llvm::Value* x) { return rsqrt_of({emitter, x}).value(); }
llvm::Value* cbrt(Emitter& emitter, llvm::Value* x) { return cbrt_of({emitter, x}).value(); }

llvm::Value* power(Emitter& emitter, llvm::Value* x, llvm::Value* y) {
  const Lanes base(emitter, x), exponent(emitter, y);
  return (base.is_f32() ? power_of_f32(base, exponent) : power_of_f64(base, exponent)).value();
}

}  // namespace weft::codegen::math
