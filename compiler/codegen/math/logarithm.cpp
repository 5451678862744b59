// log, log2, log10 and log1p: x = 2^k * m with m around 1, log(m) by the series of atanh.
#include "compiler/codegen/math/math.h"
#include "compiler/codegen/math/pieces.h"

namespace weft::codegen::math {
Split split(Lanes x) {
  auto& builder = x.builder();
  llvm::Value* root_half = bits(x.pick(0x1.6a09e6p-1, 0x1.6a09e667f3bcdp-1));
  const auto width = static_cast<std::uint64_t>(mantissa_bits(x));
  llvm::Value* raw = bits(x);
  llvm::Value* above = builder.CreateSub(raw, root_half);
  llvm::Value* k = builder.CreateAShr(above, width);
  if (!x.is_f32()) {
    // AVX2 shifts 64-bit integers arithmetically only in pieces: a logical shift of the biased value does.
    llvm::Value* biased = builder.CreateAdd(above, bits_constant(x, std::uint64_t{1} << 62));
    k = builder.CreateSub(builder.CreateLShr(biased, width), bits_constant(x, std::uint64_t{1} << 10));
  }
  llvm::Value* mantissa = builder.CreateSub(raw, builder.CreateShl(k, width));
  return {from_integer(x, k), from_bits(x, mantissa)};
}

namespace {

// f - log(1 + f) without its correction: log(1 + f) = f - (f²/2 - s*(f²/2 + R(s²))), s = f/(2 + f).
struct Series {
  Lanes f, half_square, s, tail;
  Lanes value() const { return f - (half_square - s * (half_square + tail)); }
};

Series series(Lanes f) {
  const Lanes s = f / (2.0 + f), z = s * s;
  const Lanes r = f.is_f32()
                      ? polynomial(z, {0x1.555554p-1, 0x1.999a7cp-2, 0x1.24387ap-2, 0x1.e3053ep-3})
                      : polynomial(z, {0x1.5555555555555p-1, 0x1.9999999999e0ep-2, 0x1.249249242a0aep-2,
                                       0x1.c71c725a6c436p-3, 0x1.745cddc293315p-3, 0x1.3b20bf4aa5f24p-3,
                                       0x1.0f5b0a4336af2p-3, 0x1.0f73015f6f910p-3});
  return {f, f * f * 0.5, s, z * r};
}

// Calls finish(k, series of m) for positive finite x; zero, negative, infinite and NaN lanes are computed
// at 1.
template <class Finish>
Lanes logarithm(Lanes x, const Finish& finish) {
  const Mask usual = (x > 0.0) & (x < x.infinity());
  const Lanes least = x.pick(0x1p-126, 0x1p-1022);
  const Lanes inside = select(usual, x, x.like(1));
  const Mask subnormal = inside < least;
  const double lift = x.is_f32() ? 24 : 54;
  const Split parts = split(select(subnormal, inside * x.pick(0x1p24, 0x1p54), inside));
  const Lanes k = select(subnormal, parts.exponent - lift, parts.exponent);
  const Lanes y = finish(k, series(parts.mantissa - 1.0));
  const Lanes special = select(x == 0.0, x.infinity(true), select(x == x.infinity(), x, x.nan()));
  return select(usual, y, special);
}

}  // namespace

Lanes log_of(Lanes x) {
  return logarithm(x, [](Lanes k, const Series& m) {
    const Lanes low = k * k.pick(-0x1.05c61p-29, 0x1.abc9e3b39803fp-56);
    const Lanes small = m.f - (m.half_square - fma(m.s, m.half_square + m.tail, low));
    return fma(k, k.pick(0x1.62e43p-1, 0x1.62e42fefa39efp-1), small);
  });
}

namespace {

// log(m) times the constant 1/log(base), which is high + low, plus k times log(2)/log(base).
struct Base {
  double high, low, two_high, two_low;
};
Lanes log_in(Lanes x, Base base) {
  return logarithm(x, [base](Lanes k, const Series& m) {
    const Lanes log_m = m.value();
    const Lanes low = fma(log_m, k.like(base.low), k * base.two_low);
    return fma(k, k.like(base.two_high), fma(log_m, k.like(base.high), low));
  });
}

}  // namespace

// Near 0 the argument itself is f; elsewhere 1 + x loses bits, and what it lost comes back as a correction.
Lanes log1p_of(Lanes x) {
  const Mask usual = (x > -1.0) & (x < x.infinity());
  const Lanes inside = select(usual, x, x.like(0));
  const Lanes u = 1.0 + inside;
  const Split parts = split(u);
  const Mask is_near = parts.exponent == 0.0;
  const Lanes lost = select(u > 2.0, 1.0 - (u - inside), inside - (u - 1.0)) / u;
  const Lanes correction = select(is_near, x.like(0), lost);
  const Series m = series(select(is_near, inside, parts.mantissa - 1.0));
  const Lanes k = parts.exponent;
  const Lanes low = fma(k, k.pick(-0x1.05c61p-29, 0x1.abc9e3b39803fp-56), correction);
  const Lanes small = m.f - (m.half_square - fma(m.s, m.half_square + m.tail, low));
  const Lanes y = fma(k, k.pick(0x1.62e43p-1, 0x1.62e42fefa39efp-1), small);
  const Lanes finite = select(inside == 0.0, inside, y);
  const Lanes special = select(x == -1.0, x.infinity(true), select(x == x.infinity(), x, x.nan()));
  return select(usual, finite, special);
}

namespace {

Base binary(Lanes x) {
  return x.is_f32() ? Base{0x1.715476p+0, 0x1.4ae0cp-26, 1, 0}
                    : Base{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0};
}
Base decimal(Lanes x) {
  return x.is_f32() ? Base{0x1.bcb7b2p-2, -0x1.5b235ep-27, 0x1.344136p-2, -0x1.ec10cp-27}
                    : Base{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2,
                           -0x1.9dc1da994fd21p-59};
}

}  // namespace

llvm::Value* log(Emitter& emitter, llvm::Value* x) { return log_of({emitter, x}).value(); }
llvm::Value* log2(Emitter& emitter, llvm::Value* x) {
  return log_in({emitter, x}, binary({emitter, x})).value();
}
llvm::Value* log10(Emitter& emitter, llvm::Value* x) {
  return log_in({emitter, x}, decimal({emitter, x})).value();
}
llvm::Value* log_plus_one(Emitter& emitter, llvm::Value* x) { return log1p_of({emitter, x}).value(); }

}  // namespace weft::codegen::math
