// One bit of the row number after another changes places with the same bit of the lane number.
#include "compiler/codegen/transpose_square.h"

namespace weft::codegen {

Values transpose_square(Emitter& emitter, Values rows) {
  auto& builder = emitter.builder;
  const std::size_t size = rows.size();
  for (std::size_t bit = size / 2; bit > 0; bit /= 2) {
    llvm::SmallVector<int, 64> low, high;  // what the rows without and with the bit take from the pair
    for (std::size_t lane = 0; lane < size; ++lane) {
      const bool is_set = lane & bit;
      low.push_back(static_cast<int>(is_set ? size + (lane ^ bit) : lane));
      high.push_back(static_cast<int>(is_set ? size + lane : lane ^ bit));
    }
    for (std::size_t row = 0; row < size; ++row) {
      if (row & bit) continue;
      llvm::Value *first = rows[row], *second = rows[row | bit];
      rows[row] = builder.CreateShuffleVector(first, second, low);
      rows[row | bit] = builder.CreateShuffleVector(first, second, high);
    }
  }
  return rows;
}

}  // namespace weft::codegen
