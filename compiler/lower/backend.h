// What the library of LLVM offers to the rest of Weft: one function, found by name when it is first needed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/lower/nest.h"

namespace weft::lower {

inline constexpr std::string_view kTargets[] = {"avx512", "avx2",
                                                "sse2"};  // sets of instructions, best first

struct BackendRequest {
  const Plan* plan = nullptr;
  std::string target;      // one of kTargets, or empty: the best that the CPU has
  bool quick = false;      // code generation without optimisation
  bool keep_text = false;  // also give LLVM IR and assembly
};
struct BackendResult {
  void* entry = nullptr;
  std::shared_ptr<const void> code;
  std::string target;  // the one used
  std::string llvm_ir, assembly;
};
using Backend = BackendResult (*)(const BackendRequest&);

inline constexpr const char* kBackendLibrary = "libweft_llvm.so";
// A C function that gives the Backend.
inline constexpr const char* kBackendSymbol = "weft_backend";

}  // namespace weft::lower
