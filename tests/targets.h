// The targets that this CPU can run: tests run them all, and say which ones they could not.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "runtime/cpu.h"

namespace weft::test {

// Best first; sse2 is always there. The first call prints what this machine leaves out.
inline std::vector<std::string> targets() {
  static bool is_told = false;
  std::vector<std::string> names;
  for (runtime::Isa isa : runtime::kIsasBestFirst) {
    const std::string name(runtime::name_of(isa));
    if (runtime::cpu_has(isa))
      names.push_back(name);
    else if (!is_told)
      std::printf("[ targets  ] %s is left out: this CPU has none\n", name.c_str());
  }
  is_told = true;
  return names;
}

}  // namespace weft::test
