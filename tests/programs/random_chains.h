// Programs at random: chains of elementwise operations over one domain, folded by one to four reductions.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/programs/sweep.h"

namespace weft::sweep {

// Inputs, steps, shared terms, broadcast rows and scalars, and reductions are all drawn from the seed. Every
// operation is exact but the last step before some of the reductions.
struct Chains {
  Program program;
  Shape domain;
  ir::Dims axes;
  std::vector<ir::ValueId> folded;  // of each result: the value it folds if its bits may differ, else kNone

  explicit Chains(std::uint32_t seed);
};

}  // namespace weft::sweep
