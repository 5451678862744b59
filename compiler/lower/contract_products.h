// contract_products: a product that only one sum or difference reads becomes part of it, as one fma.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

// Of f32 and f64, in the body and in the epilogue; the left product where both sides are one. f16 and bf16 are rounded
// after every operation, and stay as they are.
void contract_products(Kernel& kernel);

}  // namespace weft::lower
