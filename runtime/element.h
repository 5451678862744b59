// Conversion of one element between dtypes on the host, with the compiled convert's meaning.
#pragma once

#include <weft/dtype.h>

namespace weft::runtime {

// Floats round, integers and floats to integer saturate, integers to integers wrap.
void convert_element(DType from, const void* source, DType to, void* target);
double element_as_double(DType dtype, const void* element);
bool fits(DType from, const void* element, DType to);  // an integer value is in the range of an integer dtype

}  // namespace weft::runtime
