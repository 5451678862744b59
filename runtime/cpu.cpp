// Asks the CPU, not the build machine: CPUID for instructions, XGETBV for the registers the system saves.
#include "runtime/cpu.h"

#include <cpuid.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include <weft/error.h>

namespace weft::runtime {
namespace {

struct Leaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Leaf leaf(unsigned number) {
  Leaf found;
  if (__get_cpuid_count(number, 0, &found.eax, &found.ebx, &found.ecx, &found.edx) == 0) return {};
  return found;
}

bool has_all(unsigned word, unsigned bits) { return (word & bits) == bits; }

// The register state that the operating system saves; 0 if it does not say.
std::uint64_t saved_state() {
  constexpr unsigned kOsXsave = 1u << 27;
  if (!has_all(leaf(1).ecx, kOsXsave)) return 0;
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<std::uint64_t>(high) << 32) | low;
}

// Everything in x86-64-v3, since the code generator may use any of it.
bool find_avx2() {
  constexpr unsigned kLeaf1 = (1u << 0) | (1u << 9) | (1u << 12) | (1u << 13) | (1u << 19) | (1u << 20) |
                              (1u << 22) | (1u << 23) | (1u << 28) |
                              (1u << 29);  // SSE3 SSSE3 FMA CX16 SSE4 MOVBE POPCNT AVX F16C
  constexpr unsigned kLeaf7 = (1u << 3) | (1u << 5) | (1u << 8);  // BMI1 AVX2 BMI2
  constexpr unsigned kExtended = (1u << 0) | (1u << 5);           // LAHF LZCNT
  constexpr std::uint64_t kYmm = 0x6;
  return has_all(leaf(1).ecx, kLeaf1) && has_all(leaf(7).ebx, kLeaf7) &&
         has_all(leaf(0x80000001).ecx, kExtended) && (saved_state() & kYmm) == kYmm;
}

bool find_avx512() {
  constexpr unsigned kLeaf7 =
      (1u << 16) | (1u << 17) | (1u << 28) | (1u << 30) | (1u << 31);  // F DQ CD BW VL
  constexpr std::uint64_t kZmm = 0xe6;
  return find_avx2() && has_all(leaf(7).ebx, kLeaf7) && (saved_state() & kZmm) == kZmm;
}

Isa greatest_allowed() {
  const char* text = std::getenv("WEFT_MAX_CPU_ISA");
  if (!text || !*text) return kIsasBestFirst[0];
  for (Isa isa : kIsasBestFirst)
    if (text == name_of(isa)) return isa;
  throw UserError("the environment variable WEFT_MAX_CPU_ISA is \"" + std::string(text) +
                  "\": it can be avx512, avx2 or sse2");
}

}  // namespace

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::sse2:
      return "sse2";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "";
}

bool cpu_has(Isa isa) {
  static const bool has_avx2 = find_avx2();
  static const bool has_avx512 = find_avx512();
  if (isa > greatest_allowed()) return false;
  switch (isa) {
    case Isa::sse2:
      return true;
    case Isa::avx2:
      return has_avx2;
    case Isa::avx512:
      return has_avx512;
  }
  return false;
}

unsigned cpu_extensions() { return leaf(7).ecx; }

}  // namespace weft::runtime
