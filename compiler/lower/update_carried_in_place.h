// update_carried_in_place: a next value that is computed point by point takes the place of the current one.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

//   before  loop { next[i] = current[i] + 1; current <- next }     after  loop { current[i] = current[i] + 1 }
// The kernel that stores the next value reads the current one only at the same point, nothing reads the
// current one after it, and nothing else touches the next one. Keeps every bit.
void update_carried_in_place(Plan& plan);

}  // namespace weft::lower
