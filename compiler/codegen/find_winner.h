// find_winner: the first point of a part of the reduced domain whose key is the winning one, or the last where the
// last of equal ones wins.
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
  llvm::Value* key = nullptr;    // null where it is cheaper to compute it again
};

// The first is searched step by step up to the first hit. When no key is equal, which a fold over the same range
// excludes, some point of the range is found.
Found find_winner(FoldContext& context, std::size_t track, const State& state, const Point& at, const Range& range);

}  // namespace weft::codegen
