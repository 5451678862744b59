// The instruction sets that code is generated for, and which of them this CPU has.
#pragma once

#include <string>
#include <string_view>

namespace weft::codegen {

enum class Isa { sse2, avx2, avx512 };

struct Target {
  Isa isa = Isa::sse2;
  int vector_bytes = 16;   // of a full register
  std::string cpu;         // LLVM names
  std::string features;
  std::string_view name() const;  // "avx512"
};

// The best the CPU has by CPUID at run time, or the one named ("avx512", "avx2", "sse2"; CompileError if unknown or
// absent). avx2 means AVX2 + FMA + F16C + BMI2 (x86-64-v3); avx512 means F, BW, CD, DQ, VL (x86-64-v4).
Target choose_target(std::string_view name);
bool cpu_has(Isa isa);

}  // namespace weft::codegen
