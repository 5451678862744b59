// Roots and powers.
#include "compiler/codegen/math/lanes.h"
#include "compiler/codegen/math/math.h"

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

// A third of the bits is a first guess within 4 %; Halley's steps triple the digits; the last step is Newton's with an
// exact remainder.
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

// In f64, whose error vanishes when the result is rounded to f32.
Lanes power_of_f32(Lanes x, Lanes y) {
  Emitter& emitter = x.emitter();
  const Lanes wide_x = widened(x), wide_y = widened(y);
  const Lanes magnitude = abs(wide_x);
  const Lanes exponent = wide_y * Lanes(emitter, log2(emitter, magnitude.value()));
  const Lanes size = narrowed(Lanes(emitter, exp2(emitter, exponent.value())));
  const Mask whole = round(y) == y;
  const Mask odd = whole & !(round(y * 0.5) == y * 0.5);
  const Mask negative = copysign(x.like(1), x) < 0.0;
  const Lanes signed_size = select(negative & odd, -size, size);
  const Mask undefined = (x < 0.0) & (abs(x) < x.infinity()) & !whole & !is_nan(y);
  const Lanes y_or_nan = select(undefined, x.nan(), signed_size);
  const Mask one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (abs(y) == y.infinity()));
  return select(one, x.like(1), y_or_nan);
}

Lanes call_library(Lanes x, Lanes y, const char* name) {
  return {x.emitter(), x.emitter().call_lanes(name, {x.value(), y.value()}, x.type())};
}

}  // namespace

llvm::Value* rsqrt(Emitter& emitter, llvm::Value* x) { return rsqrt_of({emitter, x}).value(); }
llvm::Value* cbrt(Emitter& emitter, llvm::Value* x) { return cbrt_of({emitter, x}).value(); }

llvm::Value* power(Emitter& emitter, llvm::Value* x, llvm::Value* y) {
  const Lanes base(emitter, x), exponent(emitter, y);
  return base.is_f32() ? power_of_f32(base, exponent).value() : call_library(base, exponent, "pow").value();
}

}  // namespace weft::codegen::math
