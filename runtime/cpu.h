// The sets of instructions that Weft generates code for, and which of them this process may use.
#pragma once

#include <string_view>

namespace weft::runtime {

// sse2 is every x86-64. avx2 means AVX2 + FMA + F16C + BMI2 (x86-64-v3); avx512 means F, BW, CD, DQ, VL (x86-64-v4).
enum class Isa { sse2, avx2, avx512 };
inline constexpr Isa kIsasBestFirst[] = {Isa::avx512, Isa::avx2, Isa::sse2};

std::string_view name_of(Isa isa);  // "avx512"

// By CPUID at run time, and no better than the environment variable WEFT_MAX_CPU_ISA (avx512, avx2 or sse2) says: a
// machine then shows what an older one would. It is read at each call; UserError when it holds anything else.
bool cpu_has(Isa isa);

// Bits 0, 1, … of the result: CPUID's register ECX of leaf 7, the extensions that belong to no set.
unsigned cpu_extensions();

}  // namespace weft::runtime
