// Steps that several functions share; private to this folder.
#pragma once

#include <optional>

#include "compiler/codegen/math/lanes.h"

namespace weft::codegen::math {

// x = 2^exponent * mantissa, for positive normal x.
struct Split {
  Lanes exponent;
  Lanes mantissa;  // in [sqrt(1/2), sqrt(2))
};
Split split(Lanes x);

Lanes log_of(Lanes x);
Lanes log1p_of(Lanes x);
// exp(x + low) * 2^shift for |low| far below |x|; 0 and infinity where the result is out of range.
Lanes exp_scaled(Lanes x, std::optional<Lanes> low, int shift);

}  // namespace weft::codegen::math
