// What fusing and lowering did for the program, as entries of the ledger.
#pragma once

#include <vector>

#include "compiler/lower/nest.h"
#include "compiler/rewrite/ledger.h"

namespace weft::compiler {

// Headlines: kernels that do several operations in one pass, loops that became native, arrays updated in place.
std::vector<rewrite::Firing> headlines_of(const lower::Plan& plan);

}  // namespace weft::compiler
