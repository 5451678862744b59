// erf: an odd polynomial up to 1, one minus the scaled complement times exp(-x²) beyond.
#include "compiler/codegen/math/lanes.h"
#include "compiler/codegen/math/math.h"

namespace weft::codegen::math {
namespace {

Lanes near_zero(Lanes x) {
  const Lanes z = x * x;
  if (x.is_f32()) {
    const Lanes p = polynomial(z, {-0x1.812746p-2, 0x1.ce2f0ep-4, -0x1.b82a26p-6, 0x1.562e1p-8, -0x1.bcf72ep-11,
                                   0x1.d960c8p-14, -0x1.4638cp-17});
    return x * fma(z, p, x.like(0x1.20dd76p+0)) + x * -0x1.f7ac92p-25;
  }
  const Lanes p = polynomial(z, {-0x1.812746b0379e7p-2, 0x1.ce2f21a042be2p-4, -0x1.b82ce31288b49p-6, 0x1.565bcd0e6a32ep-8,
                                 -0x1.c02db40036d5bp-11, 0x1.f9a326f7ce188p-14, -0x1.f4d25bfd22804p-17,
                                 0x1.b9e6c3ce22d16p-20, -0x1.5f73c705076eep-23, 0x1.fcbb6df62b260p-27,
                                 -0x1.517e661001eb9p-30, 0x1.9a1ca086ce649p-34, -0x1.b44e638319befp-38,
                                 0x1.3c9086eaede17p-42});
  return x * fma(z, p, x.like(0x1.20dd750429b6dp+0));
}

// erfc(x) * exp(x²) for x in [1, 6], in 1 / (x + 2).
Lanes scaled_complement(Lanes x) {
  const Lanes t = 1.0 / (x + 2.0);
  return x.is_f32() ? polynomial(t, {0x1.ddc07ap-10, 0x1.09eef8p-1, 0x1.965342p+0, -0x1.0807bp-1, 0x1.45fae8p+3, -0x1.d8ae86p+2})
                    : polynomial(t, {0x1.5e59d8c53198ap-25, 0x1.20dccf4a5a968p-1, 0x1.20ec67e0ee32fp+0, 0x1.f7ffef7e03ad7p+0,
                                     0x1.75e17e527f2cap+1, 0x1.7dfbcc1841629p+0, 0x1.4141559f40af8p+3, -0x1.28e883348db97p+6,
                                     0x1.386e4a7a042a2p+8, -0x1.27b3d3aebc487p+10, 0x1.885981e650411p+11,
                                     -0x1.4f6a30b40f92dp+12, 0x1.66f628af9c886p+12, -0x1.bbd6002f84e76p+11,
                                     0x1.e8fb4e249ca6cp+9});
}

Lanes erf_of(Lanes x) {
  const Lanes magnitude = abs(x);
  const double saturated = x.is_f32() ? 4.0 : 6.0;
  const Lanes inside = select(magnitude > saturated, x.like(saturated), magnitude);
  const Lanes decay(x.emitter(), exponential(x.emitter(), (-(inside * inside)).value()));
  const Lanes far = 1.0 - decay * scaled_complement(inside);
  return copysign(select(magnitude < 1.0, near_zero(x), far), x);  // of -0, too
}

}  // namespace

llvm::Value* erf(Emitter& emitter, llvm::Value* x) { return erf_of({emitter, x}).value(); }

}  // namespace weft::codegen::math
