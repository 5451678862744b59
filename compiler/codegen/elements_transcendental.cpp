// Rows that approximate: halves are computed in f32 and rounded, f32 and f64 by math.h.
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

#include "compiler/codegen/elements_rows.h"
#include "compiler/codegen/math/math.h"

namespace weft::codegen::elements {
namespace {

// Inlined code is fastest, but a program with hundreds of sines would take seconds to compile: what is used
// more often than this becomes a function of the module, with the same code.
constexpr unsigned kInlineUses = 16;

using Emission = llvm::function_ref<llvm::Value*(llvm::Value* x, llvm::Value* y)>;

llvm::Function* shared_function(Emitter& emitter, const char* name, llvm::FunctionType* type,
                                const Emission& emission) {
  auto& builder = emitter.builder;
  const llvm::AttributeSet attributes = builder.GetInsertBlock()->getParent()->getAttributes().getFnAttrs();
  const llvm::IRBuilderBase::InsertPointGuard guard(builder);
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, emitter.module);
  function->addFnAttrs(llvm::AttrBuilder(builder.getContext(), attributes));
  function->addFnAttr(llvm::Attribute::NoInline);
  builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "entry", function));
  llvm::Value* y = type->getNumParams() > 1 ? function->getArg(1) : nullptr;
  builder.CreateRet(emission(function->getArg(0), y));
  return function;
}

// The first uses are inlined, later ones are calls.
llvm::Value* inlined_or_called(const Call& call, const char* name, const Emission& emission) {
  llvm::Type* type = call.x->getType();
  Emitter::MathUse& use = call.emitter.math_uses[{name, type}];
  if (++use.count <= kInlineUses) return emission(call.x, call.y);
  llvm::SmallVector<llvm::Value*, 2> operands{call.x};
  if (call.y) operands.push_back(call.y);
  if (!use.function)
    use.function = shared_function(
        call.emitter, name,
        llvm::FunctionType::get(type, llvm::SmallVector<llvm::Type*, 2>(operands.size(), type), false),
        emission);
  return call.emitter.builder.CreateCall(use.function, operands);
}

}  // namespace

#define UNARY(name)                                                                         \
  llvm::Value* emit_##name(const Call& call) {                                              \
    return rounded(call, inlined_or_called(call, #name, [&](llvm::Value* x, llvm::Value*) { \
                     return math::name(call.emitter, x);                                    \
                   }));                                                                     \
  }
#define BINARY(name)                                                                          \
  llvm::Value* emit_##name(const Call& call) {                                                \
    return rounded(call, inlined_or_called(call, #name, [&](llvm::Value* x, llvm::Value* y) { \
                     return math::name(call.emitter, x, y);                                   \
                   }));                                                                       \
  }
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
  return rounded(call, inlined_or_called(call, "power", [&](llvm::Value* x, llvm::Value* y) {
                   return math::power(call.emitter, x, y);
                 }));
}

llvm::Value* emit_remainder(const Call& call) {
  if (is_integer(call.type)) return integer_remainder(call);
  return rounded(call, math::remainder(call.emitter, call.x, call.y));
}

}  // namespace weft::codegen::elements
