// split_long_kernels: a body of thousands of instructions becomes several kernels over the same axes.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

// Code generation takes more than twice as long for twice the block: a long body is cut where few values are alive, which
// go to the next kernel through temporaries. What is cheap to have (literals, positions, loads) is had again. A body whose
// cut would need too much memory stays whole.
void split_long_kernels(Plan& plan);

}  // namespace weft::lower
