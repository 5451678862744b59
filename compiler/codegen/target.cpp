// What LLVM is told of each set of instructions.
#include "compiler/codegen/target.h"

#include <weft/error.h>

namespace weft::codegen {
namespace {

// Instructions on integers that newer CPUs of the level have too; no result depends on them.
std::string integer_extras() {
  struct Extra {
    unsigned bit;
    const char* feature;
  };
  constexpr Extra kExtras[] = {{1, "avx512vbmi"}, {6, "avx512vbmi2"}, {8, "gfni"}, {12, "avx512bitalg"}, {14, "avx512vpopcntdq"}};
  std::string features;
  for (const Extra& extra : kExtras)
    if ((runtime::cpu_extensions() & (1u << extra.bit)) != 0) features += std::string(",+") + extra.feature;
  return features;
}

Target target_of(Isa isa) {
  switch (isa) {
    case Isa::sse2:
      return {isa, 16, "x86-64", ""};
    case Isa::avx2:
      return {isa, 32, "x86-64-v3", ""};
    case Isa::avx512:
      // The generic CPU of this level splits 512-bit vectors; ours are explicit and should stay whole.
      return {isa, 64, "x86-64-v4", "-prefer-256-bit" + integer_extras()};
  }
  throw InternalError("target: unknown instruction set");
}

}  // namespace

Target choose_target(std::string_view name) {
  for (Isa isa : runtime::kIsasBestFirst) {
    if (name.empty() && runtime::cpu_has(isa)) return target_of(isa);
    if (name != runtime::name_of(isa)) continue;
    if (runtime::cpu_has(isa)) return target_of(isa);
    throw CompileError("target: this CPU has no " + std::string(name) +
                       "; leave the target empty to take its best");
  }
  throw CompileError("target: \"" + std::string(name) + "\" is none of avx512, avx2, sse2");
}

}  // namespace weft::codegen
