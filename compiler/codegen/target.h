// The instruction sets that code is generated for.
#pragma once

#include <string>
#include <string_view>

#include "runtime/cpu.h"

namespace weft::codegen {

using runtime::Isa;

struct Target {
  Isa isa = Isa::sse2;
  int vector_bytes = 16;   // of a full register
  std::string cpu;         // LLVM names
  std::string features;
  std::string_view name() const { return runtime::name_of(isa); }
};

// The best the CPU has, or the one named ("avx512", "avx2", "sse2"; CompileError if unknown or absent).
Target choose_target(std::string_view name);

}  // namespace weft::codegen
