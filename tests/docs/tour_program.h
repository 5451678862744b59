// Program (b) as its author would write it; docs/tour.md shows this file and follows it through every level.
#pragma once

#include <weft/weft.h>

inline auto min_energy = weft::jit([](weft::Array x) {
  using namespace weft;
  Array energies = vmap([](Array a) { return a * a; }, 0)(x);
  Array idx = argmin(energies, 0);
  return std::pair{idx, energies(idx)};
});
