// Type promotion: JAX's lattice, with weakly typed scalars.
#pragma once

#include <span>

#include <weft/array.h>

namespace weft::frontend {

struct Promoted {
  DType dtype = DType::f32;
  bool is_weak = false;
};
DType promote(DType a, DType b);  // both strongly typed
Promoted promote(Promoted a, Promoted b);
Promoted promote(std::span<const Array> operands);

// What a function of floats makes of an integer or boolean operand: f32.
Promoted to_inexact(Promoted p);

}  // namespace weft::frontend
