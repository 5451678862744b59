// Bodies of reductions that are not one standard operation: those that must be applied in order, and
// selections in every spelling.
#pragma once

#include <vector>

#include "tests/programs/sweep.h"

namespace weft::sweep {

// A body to be applied in order: it does not commute, and most do not associate.
struct InOrder {
  const char* name;
  std::size_t count;  // operands; the k-th init value is init + k % 2
  double init;
  Body body;
  bool associates = false;
};
std::vector<InOrder> in_order_bodies();
// Over operands of the type, which become arguments; gives the results.
std::vector<ir::ValueId> reduce_in_order(Program& program, const InOrder& row, const ir::Type& type,
                                         const ir::Dims& axes);

enum class Tie : std::uint8_t { none, by_index, keep_last };
enum class Nan : std::uint8_t { loses, wins };

struct Spelling {
  const char* name;
  ir::Direction direction;
  Tie tie;
  Nan nan;
};
std::vector<Spelling> spellings();
Body selection(const Spelling& spelling);  // of a key and its position

}  // namespace weft::sweep
