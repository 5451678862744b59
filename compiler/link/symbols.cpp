// Symbols are listed, not searched: what a kernel means never depends on what else the process has loaded.
#include "compiler/link/symbols.h"

#include <cmath>
#include <cstring>

#define SYMBOL(name) extern "C" void name();
#include "runtime/symbols.def"
#undef SYMBOL

namespace weft::link {
namespace {

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

// The C functions that instruction selection calls where the target has no instruction.
#define UNARY(name)                                                   \
  {#name, address_of(static_cast<double (*)(double)>(&::name))}, {    \
#name "f", address_of(static_cast <float (*)(float)>(&::name##f)) \
  }
#define BINARY(name)                                                         \
  {#name, address_of(static_cast<double (*)(double, double)>(&::name))}, {   \
#name "f", address_of(static_cast <float (*)(float, float)>(&::name##f)) \
  }

std::span<const Symbol> known_symbols() {
  static const Symbol symbols[] = {
#define SYMBOL(name) {#name, address_of(&::name)},
#include "runtime/symbols.def"
#undef SYMBOL
      {"memcpy", address_of(&std::memcpy)},
      {"memmove", address_of(&std::memmove)},
      {"memset", address_of(&std::memset)},
      {"memcmp", address_of(&std::memcmp)},
      {"fma", address_of(static_cast<double (*)(double, double, double)>(&::fma))},
      {"fmaf", address_of(static_cast<float (*)(float, float, float)>(&::fmaf))},
      UNARY(floor),
      UNARY(ceil),
      UNARY(trunc),
      UNARY(rint),
      UNARY(nearbyint),
      UNARY(round),
      UNARY(roundeven),
      UNARY(sqrt),
      UNARY(exp),
      UNARY(expm1),
      UNARY(exp2),
      UNARY(log),
      UNARY(log1p),
      UNARY(log2),
      UNARY(log10),
      UNARY(sin),
      UNARY(cos),
      UNARY(tan),
      UNARY(asin),
      UNARY(acos),
      UNARY(atan),
      UNARY(sinh),
      UNARY(cosh),
      UNARY(tanh),
      UNARY(asinh),
      UNARY(acosh),
      UNARY(atanh),
      UNARY(cbrt),
      UNARY(erf),
      UNARY(erfc),
      BINARY(atan2),
      BINARY(pow),
      BINARY(fmod),
  };
  return symbols;
}

}  // namespace weft::link
