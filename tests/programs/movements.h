// Operations that move, pick or reinterpret elements, each applied to any value with attributes chosen at
// random.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/programs/sweep.h"

namespace weft::sweep {

using Random = std::mt19937_64;

struct Movement {
  const char* name;
  // The result on x, or x itself where the operation does not fit.
  ir::ValueId (*apply)(ir::Builder& builder, ir::ValueId x, Random& random);
};
std::vector<Movement> movements();

std::int64_t below(Random& random, std::int64_t bound);
Shape shape_of_rank(int rank, Random& random);  // extents 1 to 5, now and then 0
ir::ValueId elementwise_step(ir::Builder& builder, ir::ValueId x, Random& random);  // exact, the shape stays

}  // namespace weft::sweep
