// Rows that approximate, by math.h. Halves are computed so exactly that rounding them gives the nearest half: f16, and
// functions of two operands, by way of f64; one operand of bf16 by way of f32, which all 65,536 of them allow.
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

// The result of `emission` on operands of another width, rounded once to the half that is wanted.
llvm::Value* by_way_of_f64(const Call& call, const char* name, const Emission& emission) {
  auto& builder = call.builder();
  llvm::Type* doubles = call.emitter.with_element(call.x->getType(), builder.getDoubleTy());
  const Call wide{call.emitter, f64, f64, builder.CreateFPExt(call.x, doubles),
                  call.y ? builder.CreateFPExt(call.y, doubles) : nullptr};
  return convert(call.emitter, f64, call.result, inlined_or_called(wide, name, emission));
}

llvm::Value* emit_function(const Call& call, const char* name, const Emission& emission) {
  if (call.type == f16 || (call.type == bf16 && call.y)) return by_way_of_f64(call, name, emission);
  return rounded(call, inlined_or_called(call, name, emission));
}

}  // namespace

#define UNARY(name)                                                                         \
  llvm::Value* emit_##name(const Call& call) {                                              \
    return emit_function(call, #name, [&](llvm::Value* x, llvm::Value*) {                   \
      return math::name(call.emitter, x);                                                   \
    });                                                                                     \
  }
#define BINARY(name)                                                                          \
  llvm::Value* emit_##name(const Call& call) {                                                \
    return emit_function(call, #name, [&](llvm::Value* x, llvm::Value* y) {                   \
      return math::name(call.emitter, x, y);                                                  \
    });                                                                                       \
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
  return emit_function(call, "power", [&](llvm::Value* x, llvm::Value* y) {
    return math::power(call.emitter, x, y);
  });
}

llvm::Value* emit_remainder(const Call& call) {
  if (is_integer(call.type)) return integer_remainder(call);
  return rounded(call, math::remainder(call.emitter, call.x, call.y));
}

}  // namespace weft::codegen::elements
