// sinh, cosh and their inverses, with atanh: polynomials near 0, exponentials and logarithms elsewhere.
#include "compiler/codegen/math/math.h"
#include "compiler/codegen/math/pieces.h"

namespace weft::codegen::math {
namespace {

// exp(x) / 2, which is finite wherever sinh and cosh are.
Lanes half_exp(Lanes magnitude) { return exp_scaled(magnitude, {}, -1); }

Lanes sinh_of(Lanes x) {
  const Lanes magnitude = abs(x), z = x * x;
  const Lanes series =
      x.is_f32() ? polynomial(z, {0x1.555556p-3, 0x1.11111ep-7, 0x1.a009p-13, 0x1.78a70ep-19})
                 : polynomial(z, {0x1.5555555555555p-3, 0x1.1111111111111p-7, 0x1.a01a01a01a001p-13,
                                  0x1.71de3a556f96cp-19, 0x1.ae6456792a77fp-26, 0x1.612467ccb2260p-33,
                                  0x1.ae777c36fd5b6p-41, 0x1.99f0806c2628dp-49});
  const Lanes half = half_exp(magnitude);
  return select(magnitude < 1.0, fma(x * z, series, x), copysign(half - 0.25 / half, x));
}

Lanes cosh_of(Lanes x) {
  const Lanes half = half_exp(abs(x));
  return half + 0.25 / half;
}

// Above this x*x + 1 is x*x, and x*x does not overflow below.
Lanes far_of(Lanes x) { return x.pick(0x1p14, 0x1p28); }

// log(2*x) for large x.
Lanes log_of_twice(Lanes x) { return log_of(x) + x.pick(0x1.62e43p-1, 0x1.62e42fefa39efp-1); }

// log(|x| + sqrt(x*x + 1)); what the rounding of the argument lost comes back as a correction.
Lanes asinh_of(Lanes x) {
  const Lanes magnitude = abs(x), z = x * x;
  const Lanes series =
      x.is_f32() ? polynomial(z, {-0x1.555556p-3, 0x1.3332eap-4, -0x1.6d9bfp-5, 0x1.ee142ep-6, -0x1.504f9cp-6,
                                  0x1.45997p-7})
                 : polynomial(z, {-0x1.5555555555555p-3, 0x1.3333333332f5fp-4, -0x1.6db6db6d5b365p-5,
                                  0x1.f1c71c3bee026p-6, -0x1.6e8b9ab4638efp-6, 0x1.1c4e072f36dc7p-6,
                                  -0x1.c983b8d12e853p-7, 0x1.79b0dbdcdfc75p-7, -0x1.3a4aeece7e69cp-7,
                                  0x1.f38921b605d54p-8, -0x1.4733e5158e0e1p-8, 0x1.ee3fd77d44d42p-10});
  const Mask is_far = magnitude > far_of(x);
  const Lanes inside = select(is_far, x.like(1), magnitude);
  const Lanes square = inside * inside, square_lost = fma(inside, inside, -square);
  const Lanes sum = square + 1.0, part = sum - square;
  const Lanes sum_lost = (square - (sum - part)) + (1.0 - part) + square_lost;
  const Lanes root = sqrt(sum), root_lost = (fma(-root, root, sum) + sum_lost) / (2.0 * root);
  const Lanes argument = root + inside, lost = inside - (argument - root) + root_lost;
  const Lanes near = log_of(argument) + lost / argument;
  const Lanes far = log_of_twice(select(is_far, magnitude, x.like(1)));
  const Lanes large = select(is_nan(x), x, select(is_far, far, near));
  return copysign(select(magnitude < 0.5, fma(x * z, series, x), large), x);  // of -0, too
}

// With t = x - 1: log1p(t + sqrt(t*t + 2*t)), corrected in the same way.
Lanes acosh_of(Lanes x) {
  const Mask usual = (x >= 1.0) & (x < x.infinity());
  const Mask is_far = x > far_of(x);
  const Lanes inside = select(usual & !is_far, x, x.like(2));
  const Lanes t = inside - 1.0, twice = t + t;
  const Lanes square = t * t, square_lost = fma(t, t, -square);
  const Lanes sum = square + twice, part = sum - square;
  const Lanes sum_lost = (square - (sum - part)) + (twice - part) + square_lost;
  const Lanes root = sqrt(sum);
  const Lanes root_lost = select(sum == 0.0, x.like(0), (fma(-root, root, sum) + sum_lost) / (2.0 * root));
  const Lanes argument = root + t, lost = t - (argument - root) + root_lost;
  const Lanes near = log1p_of(argument) + lost / (1.0 + argument);
  const Lanes far = log_of_twice(select(usual & is_far, x, x.like(1)));
  return select(usual, select(is_far, far, near), select(x == x.infinity(), x, x.nan()));
}

Lanes atanh_of(Lanes x) {
  const Lanes magnitude = abs(x), z = x * x;
  const Lanes series = x.is_f32()
                           ? polynomial(z, {0x1.555556p-2, 0x1.999964p-3, 0x1.249fc4p-3, 0x1.c4a45ap-4,
                                            0x1.8f7082p-4, 0x1.4f2f8ep-5, 0x1.4015d6p-3})
                           : polynomial(z, {0x1.5555555555555p-2, 0x1.9999999999ad1p-3, 0x1.249249247e911p-3,
                                            0x1.c71c71d6cc5d1p-4, 0x1.745d1406b992ep-4, 0x1.3b1417e6e07dfp-4,
                                            0x1.1108e26d64a6dp-4, 0x1.e2c342108eb1fp-5, 0x1.a6c53053bf30cp-5,
                                            0x1.bdcd3cefa72cep-5, 0x1.92cc88a36f708p-7, 0x1.15aa7698edf42p-3,
                                            -0x1.27f230f3831a3p-3, 0x1.b016cba23eee4p-3});
  const Mask usual = magnitude < 1.0;
  const Lanes inside = select(usual, magnitude, x.like(0.5));
  const Lanes large = copysign(0.5 * log_of((1.0 + inside) / (1.0 - inside)), x);
  const Lanes special = select(magnitude == 1.0, copysign(x.infinity(), x), x.nan());
  return select(magnitude < 0.5, fma(x * z, series, x), select(usual, large, special));
}

}  // namespace

llvm::Value* sinh(Emitter& emitter, llvm::Value* x) { return sinh_of({emitter, x}).value(); }
llvm::Value* cosh(Emitter& emitter, llvm::Value* x) { return cosh_of({emitter, x}).value(); }
llvm::Value* asinh(Emitter& emitter, llvm::Value* x) { return asinh_of({emitter, x}).value(); }
llvm::Value* acosh(Emitter& emitter, llvm::Value* x) { return acosh_of({emitter, x}).value(); }
llvm::Value* atanh(Emitter& emitter, llvm::Value* x) { return atanh_of({emitter, x}).value(); }

}  // namespace weft::codegen::math
