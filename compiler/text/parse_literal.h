// Reads dense<…> in all its forms.
#pragma once

#include "compiler/text/reader.h"

namespace weft::text {

ir::Literal read_literal(Reader& reader);  // "dense<[1, 2]> : tensor<2xi32>"

// A decimal like 1.5e-03 rounded once to the dtype (f16, bf16, f32, f64); nothing if it is too large for it.
// Writes size_of(dtype) bytes.
bool round_decimal(std::string_view decimal, bool is_negative, DType dtype, std::byte* out);

}  // namespace weft::text
