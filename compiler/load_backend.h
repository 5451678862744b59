// Finds the library of LLVM beside this one and loads it, once, at the first compile.
#pragma once

#include "compiler/lower/backend.h"

namespace weft::compiler {

// Throws CompileError that names the library and the loader's reason.
lower::Backend load_backend();

}  // namespace weft::compiler
