// A rough estimate of a kernel's time, for deciding whether to share it between threads.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

inline constexpr double kParallelNanoseconds = 20e3;  // waking a worker costs more than less work is worth

double serial_nanoseconds(const Kernel& kernel);
// One or two machine instructions; other operations expand to a dozen or more.
bool is_cheap(ir::Op op);

}  // namespace weft::lower
