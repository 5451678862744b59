// Transcendental functions as inlined vector code: float or double operands, scalar or vector, no calls where a
// polynomial will do. Error bounds are in docs/math.md and tested against MPFR. Masked-off and special lanes cost nothing extra.
#pragma once

#include "compiler/codegen/emitter.h"

namespace weft::codegen::math {

#define WEFT_MATH_UNARY(name) llvm::Value* name(Emitter& emitter, llvm::Value* x);
#define WEFT_MATH_BINARY(name) llvm::Value* name(Emitter& emitter, llvm::Value* x, llvm::Value* y);
WEFT_MATH_UNARY(exponential)
WEFT_MATH_UNARY(exponential_minus_one)
WEFT_MATH_UNARY(exp2)
WEFT_MATH_UNARY(log)
WEFT_MATH_UNARY(log_plus_one)
WEFT_MATH_UNARY(log2)
WEFT_MATH_UNARY(log10)
WEFT_MATH_UNARY(sine)
WEFT_MATH_UNARY(cosine)
WEFT_MATH_UNARY(tan)
WEFT_MATH_UNARY(asin)
WEFT_MATH_UNARY(acos)
WEFT_MATH_UNARY(atan)
WEFT_MATH_BINARY(atan2)
WEFT_MATH_UNARY(sinh)
WEFT_MATH_UNARY(cosh)
WEFT_MATH_UNARY(tanh)
WEFT_MATH_UNARY(asinh)
WEFT_MATH_UNARY(acosh)
WEFT_MATH_UNARY(atanh)
WEFT_MATH_UNARY(logistic)
WEFT_MATH_UNARY(rsqrt)
WEFT_MATH_UNARY(cbrt)
WEFT_MATH_BINARY(power)
WEFT_MATH_UNARY(erf)
WEFT_MATH_UNARY(erfc)
WEFT_MATH_UNARY(erf_inv)
WEFT_MATH_UNARY(lgamma)
WEFT_MATH_UNARY(digamma)
WEFT_MATH_UNARY(bessel_i1e)
WEFT_MATH_BINARY(zeta)
WEFT_MATH_BINARY(polygamma)
WEFT_MATH_BINARY(remainder)
#undef WEFT_MATH_UNARY
#undef WEFT_MATH_BINARY

}  // namespace weft::codegen::math
