// What of the machine this process may use: its own share, when a control group or an affinity mask limits
// it.
#pragma once

#include <cstddef>

namespace weft::runtime {

std::size_t usable_memory();  // bytes: the smaller of the machine's memory and the control groups' limits
int usable_cores();           // at least 1: by affinity and the control groups' quotas

}  // namespace weft::runtime
