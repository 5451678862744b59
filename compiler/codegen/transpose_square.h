// A square of vectors, row by row, turned into its columns.
#pragma once

#include "compiler/codegen/loops.h"

namespace weft::codegen {

// As many vectors as each has lanes, a power of two.
Values transpose_square(Emitter& emitter, Values rows);

}  // namespace weft::codegen
