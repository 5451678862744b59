// What every emission function works with: an IRBuilder, the target, and a few shorthands that hold for scalars and vectors.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include <llvm/IR/IRBuilder.h>

#include "compiler/codegen/target.h"

namespace weft::codegen {

// Values in registers: b1 is i1, integers are iN, f16 and bf16 are float (holding a value of the format exactly),
// f32 float, f64 double; each a scalar or a <N x T> vector. In memory b1 is a byte 0 or 1, the halves are their bits.
struct Emitter {
  llvm::IRBuilder<>& builder;
  llvm::Module& module;
  const Target& target;
  // Of booleans that came from memory, and of logic on them: their bytes.
  std::unordered_map<llvm::Value*, llvm::Value*> bytes_of_truth = {};
  // How often a function of math.h was emitted on a type, and the function it became when that was often.
  struct MathUse {
    unsigned count = 0;
    llvm::Function* function = nullptr;
  };
  std::map<std::pair<std::string, llvm::Type*>, MathUse> math_uses = {};

  // A constant of the type of `like` (all lanes equal).
  llvm::Value* number(llvm::Type* like, double value);
  llvm::Value* integer(llvm::Type* like, std::uint64_t value);
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);  // a*b + c, rounded once on every target
  llvm::Type* integer_type(llvm::Type* like);            // i32 lanes for float lanes, i64 for double
  llvm::Type* with_element(llvm::Type* like, llvm::Type* element);  // same lane count, other element
  unsigned lanes(llvm::Type* type);                      // 1 for a scalar
  llvm::Value* splat(llvm::Value* scalar, unsigned lanes);
  // A call of the scalar function `symbol` (a row of runtime/symbols.def) on each lane.
  llvm::Value* call_lanes(const std::string& symbol, llvm::ArrayRef<llvm::Value*> operands, llvm::Type* result);
};

}  // namespace weft::codegen
