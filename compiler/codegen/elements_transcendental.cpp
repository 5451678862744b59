// Rows that approximate: halves are computed in f32 and rounded, f32 and f64 by math.h.
#include "compiler/codegen/elements_rows.h"
#include "compiler/codegen/math/math.h"

namespace weft::codegen::elements {

#define UNARY(name) \
  llvm::Value* emit_##name(const Call& call) { return rounded(call, math::name(call.emitter, call.x)); }
#define BINARY(name) \
  llvm::Value* emit_##name(const Call& call) { return rounded(call, math::name(call.emitter, call.x, call.y)); }
UNARY(exponential)
UNARY(exponential_minus_one)
UNARY(exp2)
UNARY(log)
UNARY(log_plus_one)
UNARY(log2)
UNARY(log10)
UNARY(sine)
UNARY(cosine)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
UNARY(logistic)
UNARY(rsqrt)
UNARY(cbrt)
UNARY(erf)
UNARY(erfc)
UNARY(erf_inv)
UNARY(lgamma)
UNARY(digamma)
UNARY(bessel_i1e)
BINARY(atan2)
BINARY(zeta)
BINARY(polygamma)
#undef UNARY
#undef BINARY

llvm::Value* emit_power(const Call& call) {
  if (is_integer(call.type)) return integer_power(call);
  return rounded(call, math::power(call.emitter, call.x, call.y));
}

llvm::Value* emit_remainder(const Call& call) {
  if (is_integer(call.type)) return integer_remainder(call);
  return rounded(call, math::remainder(call.emitter, call.x, call.y));
}

}  // namespace weft::codegen::elements
