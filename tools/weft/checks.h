// The check.expect_* calls of a program: taken out of it, so that any engine can run what is left.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/weft/program.h"

namespace weft::tool {

struct Check {
  ir::NodeId node;                           // in the graph that had it
  std::size_t first_operand, operand_count;  // among the results of the graph without checks
};
struct SplitProgram {
  ir::Graph without_checks;  // one function; results are the program's own, then the operands of the checks
  std::size_t result_count = 0;  // of the program's own
  std::vector<Check> checks;
};

// Calls are inlined in `program.graph`; the checks are those of its entry.
SplitProgram split_checks(Program& program);

// A message for each check that does not hold.
std::vector<std::string> failed_checks(const Program& program, const SplitProgram& split,
                                       std::span<const ir::Literal> results);

}  // namespace weft::tool
