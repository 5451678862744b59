// The names that compiled code may refer to, with their addresses in this process.
#pragma once

#include <span>

namespace weft::link {

struct Symbol {
  const char* name;
  void* address;
};
std::span<const Symbol> known_symbols();

}  // namespace weft::link
