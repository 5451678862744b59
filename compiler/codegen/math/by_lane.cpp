// Functions without vector code of their own yet: a scalar function of the C library or the runtime on each lane.
#include "compiler/codegen/math/math.h"

namespace weft::codegen::math {
namespace {

// The f64 function is called `symbol`, the f32 one has an f behind.
llvm::Value* on_each_lane(Emitter& emitter, const std::string& symbol, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::Type* type = operands[0]->getType();
  return emitter.call_lanes(type->getScalarType()->isFloatTy() ? symbol + "f" : symbol, operands, type);
}

}  // namespace

#define UNARY(name, symbol) \
  llvm::Value* name(Emitter& emitter, llvm::Value* x) { return on_each_lane(emitter, symbol, {x}); }
#define BINARY(name, symbol) \
  llvm::Value* name(Emitter& emitter, llvm::Value* x, llvm::Value* y) { return on_each_lane(emitter, symbol, {x, y}); }
UNARY(erfc, "erfc")
UNARY(erf_inv, "weft_erf_inv")
UNARY(lgamma, "weft_lgamma")
UNARY(digamma, "weft_digamma")
UNARY(bessel_i1e, "weft_bessel_i1e")
BINARY(remainder, "fmod")
BINARY(zeta, "weft_zeta")
BINARY(polygamma, "weft_polygamma")
#undef UNARY
#undef BINARY

}  // namespace weft::codegen::math
