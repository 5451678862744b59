// The custom_call targets check.*, with which test programs compare what they computed with what they expect.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::interpreter {

// check.expect_eq(actual, expected)                         every element ==: NaN equals nothing, -0 equals
// +0 check.expect_close(actual, expected[, most[, least]])     floats apart by `least` (0) to `most` (3) ulps
// check.expect_almost_eq(actual, expected[, tolerance])     floats apart by at most 1e-3, absolutely
// check.eq(actual, expected) -> tensor<i1>                  the verdict; floats may be apart by 1e-4
// The optional operands are scalars. Complex numbers are compared by their parts.
bool is_check(std::string_view target);

// The results of the call, none or the verdict. Throws ExecutionError when an expectation is not met; `where`
// is the place of the call in the program, or empty.
std::vector<ir::Literal> run_check(std::string_view target, std::span<const ir::Literal> operands,
                                   std::string_view where);

}  // namespace weft::interpreter
