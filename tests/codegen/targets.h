// The targets that this CPU can run, oldest first.
#pragma once

#include <vector>

#include "compiler/codegen/target.h"

namespace weft::codegen {

inline std::vector<Target> available_targets() {
  std::vector<Target> targets;
  if (cpu_has(Isa::sse2)) targets.push_back(choose_target("sse2"));
  if (cpu_has(Isa::avx2)) targets.push_back(choose_target("avx2"));
  if (cpu_has(Isa::avx512)) targets.push_back(choose_target("avx512"));
  return targets;
}

}  // namespace weft::codegen
