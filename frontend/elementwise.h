// How functions of rows prepare their operands: weak scalars settle first, then all get one dtype and shape.
#pragma once

#include "frontend/program.h"
#include "frontend/promotion.h"
#include "frontend/record.h"

namespace weft::frontend {

enum class Domain { same, inexact, rounding };

Promoted promote_in(Domain domain, std::span<const Array> operands);
// Weakly typed concrete scalars that meet a strong dtype convert to it now, so that they need no program of
// their own.
std::vector<Array> settle_scalars(std::span<const Operand* const> operands, Domain domain);

// f(operands in one dtype and shape) recorded or run at once; the result is weak when all operands are.
Array elementwise(const char* function, Domain domain, std::initializer_list<const Operand*> operands,
                  const ApplyBody& body, bool keeps_weakness = true);

Array as_predicate(const Array& x);  // x != 0; NaN counts as nonzero

}  // namespace weft::frontend
