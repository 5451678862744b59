// Selections that meet a NaN and whose bodies do not let it win: what they give depends on the order, so the body is
// applied to every element in order.
#pragma once

#include "compiler/codegen/fold_context.h"

namespace weft::codegen {

// `chosen` (the results at a point, when no NaN came) or, if `saw_nan`, the left fold from `inits` at that point.
Values unless_nan(FoldContext& context, std::size_t track, const Point& at, const Values& inits, llvm::Value* saw_nan,
                  const Values& chosen);

}  // namespace weft::codegen
