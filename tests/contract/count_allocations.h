// Counts what this program and the libraries that it loads allocate by operator new.
#pragma once

#include <cstddef>

namespace contract {

std::size_t allocation_count();  // since the start

}  // namespace contract
