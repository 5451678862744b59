// plan_memory: temporaries get their place in the arena by lifetime.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

// Sets arena_offset of every temporary and arena_bytes; temporaries whose lifetimes overlap never share bytes.
void plan_memory(Plan& plan);

}  // namespace weft::lower
