// What code is generated for on each set of instructions that this CPU has, best first.
#pragma once

#include <vector>

#include "compiler/codegen/target.h"
#include "tests/targets.h"

namespace weft::codegen {

inline std::vector<Target> available_targets() {
  std::vector<Target> targets;
  for (const std::string& name : test::targets()) targets.push_back(choose_target(name));
  return targets;
}

}  // namespace weft::codegen
