// Arrays as text, as NumPy prints them.
#pragma once

#include <cstddef>
#include <string>

#include <weft/shape.h>

namespace weft::runtime {

// Aligned columns, eight digits, "..." in the middle of arrays of more than 1000 elements.
std::string print_array(const ShapeDtype& type, const std::byte* data);

}  // namespace weft::runtime
