// One bit of the row number after another changes places with the same bit of the lane number. Small squares do it in
// registers; large ones go through memory, two bits in a loop: hundreds of shuffles in a row take long to compile.
#include "compiler/codegen/transpose_square.h"

namespace weft::codegen {
namespace {

// Shuffles of lanes narrower than 32 bits are several instructions each.
std::size_t largest_in_registers(llvm::Type* row) { return row->getScalarSizeInBits() < 32 ? 8 : 16; }

// The two rows differ in one bit of their numbers, that of value `bit`.
void exchange(Emitter& emitter, llvm::Value*& first, llvm::Value*& second, std::size_t bit) {
  const std::size_t size = emitter.lanes(first->getType());
  llvm::SmallVector<int, 64> low, high;  // what the rows without and with the bit take from the pair
  for (std::size_t lane = 0; lane < size; ++lane) {
    const bool is_set = lane & bit;
    low.push_back(static_cast<int>(is_set ? size + (lane ^ bit) : lane));
    high.push_back(static_cast<int>(is_set ? size + lane : lane ^ bit));
  }
  llvm::Value* const old = first;
  first = emitter.builder.CreateShuffleVector(old, second, low);
  second = emitter.builder.CreateShuffleVector(old, second, high);
}

class Transposer {
 public:
  Transposer(Emitter& emitter, llvm::Type* row, const std::function<llvm::Value*(llvm::Value*)>& load)
      : emitter_(emitter), builder_(emitter.builder), row_(row), size_(emitter.lanes(row)), load_(load) {
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    memory_ = at_entry.CreateAlloca(row_, constant(size_));
  }

  llvm::Value* run() {
    if (size_ <= largest_in_registers(row_)) {
      Values rows;
      for (std::size_t row = 0; row < size_; ++row) rows.push_back(read(constant(row), true));
      for (std::size_t bit = size_ / 2; bit > 0; bit /= 2) exchange_all(rows, bit, bit);
      for (std::size_t row = 0; row < size_; ++row) write(constant(row), rows[row]);
      return memory_;
    }
    for (std::size_t bit = size_ / 2; bit > 0;) {
      const std::size_t count = bit == 1 ? 2 : 4, lowest = bit == 1 ? 1 : bit / 2;
      emit_pass(count, lowest, bit == size_ / 2);
      bit = lowest / 2;
    }
    return memory_;
  }

 private:
  llvm::Value* constant(std::size_t value) { return builder_.getInt64(value); }

  // All groups of rows whose numbers differ in the bits from `lowest` on alone.
  void emit_pass(std::size_t count, std::size_t lowest, bool is_first) {
    emit_loop(emitter_, constant(0), constant(size_ / count), 1, {}, [&](llvm::Value* group, const Values&) -> Values {
      // The bits of the group's number stand around those that differ.
      llvm::Value* above = builder_.CreateMul(builder_.CreateUDiv(group, constant(lowest)), constant(lowest * count));
      llvm::Value* base = builder_.CreateAdd(above, builder_.CreateURem(group, constant(lowest)));
      Values rows, places;
      for (std::size_t i = 0; i < count; ++i) {
        places.push_back(builder_.CreateAdd(base, constant(i * lowest)));
        rows.push_back(read(places[i], is_first));
      }
      for (std::size_t bit = count / 2; bit > 0; bit /= 2) exchange_all(rows, bit, bit * lowest);
      for (std::size_t i = 0; i < count; ++i) write(places[i], rows[i]);
      return {};
    });
  }

  void exchange_all(Values& rows, std::size_t distance, std::size_t bit) {
    for (std::size_t row = 0; row < rows.size(); ++row)
      if ((row & distance) == 0) exchange(emitter_, rows[row], rows[row | distance], bit);
  }

  llvm::Value* read(llvm::Value* row, bool from_outside) {
    return from_outside ? load_(row) : builder_.CreateLoad(row_, builder_.CreateGEP(row_, memory_, row));
  }
  void write(llvm::Value* row, llvm::Value* value) { builder_.CreateStore(value, builder_.CreateGEP(row_, memory_, row)); }

  Emitter& emitter_;
  llvm::IRBuilder<>& builder_;
  llvm::Type* row_;
  std::size_t size_;
  const std::function<llvm::Value*(llvm::Value*)>& load_;
  llvm::Value* memory_ = nullptr;
};

}  // namespace

llvm::Value* transpose_square(Emitter& emitter, llvm::Type* row_type,
                              const std::function<llvm::Value*(llvm::Value* row)>& load) {
  return Transposer(emitter, row_type, load).run();
}

}  // namespace weft::codegen
