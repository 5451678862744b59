// A square of vectors, row by row, turned into its columns.
#pragma once

#include <functional>

#include "compiler/codegen/loops.h"

namespace weft::codegen {

// `load` gives the vector of a row, an i64; there are as many as each has lanes, a power of two. Gives the address where
// the columns lie one after another, in memory of the function's.
llvm::Value* transpose_square(Emitter& emitter, llvm::Type* row_type,
                              const std::function<llvm::Value*(llvm::Value* row)>& load);

}  // namespace weft::codegen
