// find_first: the first point of a part of the reduced domain whose key is the winning one.
#pragma once

#include "compiler/codegen/fold_context.h"

namespace weft::codegen {

// A part of the reduced domain: rows [first_row, last_row) of the outer reduced axes, [first, last) of the inner one.
struct Range {
  llvm::Value* first_row = nullptr;
  llvm::Value* last_row = nullptr;
  llvm::Value* first = nullptr;
  llvm::Value* last = nullptr;
};

// Sets the outer reduced axes of a point to row `row`.
void place_row(FoldContext& context, Point& point, llvm::Value* row);

struct Found {
  llvm::Value* row = nullptr;
  llvm::Value* index = nullptr;  // of the inner axis
};

// Searches step by step and stops at the first hit. Finds the first point
// of the last row when no key is equal, which a fold over the same range excludes.
Found find_first(FoldContext& context, std::size_t track, const State& state, const Point& at, const Range& range);

}  // namespace weft::codegen
