// Counts the handles of a block and sends it back to the pool, or lets go of the user's memory, after the
// last one.
#include "runtime/buffer.h"

#include <cstring>
#include <memory>
#include <new>

#include <weft/error.h>

#include "runtime/pool.h"

namespace weft::runtime {

Buffer Buffer::allocate(std::size_t bytes) { return Buffer(take_block(bytes)); }

Buffer Buffer::allocate_zeroed(std::size_t bytes) {
  Buffer buffer = allocate(bytes);
  if (bytes > 0) std::memset(buffer.data(), 0, bytes);
  return buffer;
}

Buffer Buffer::copy_of(const void* data, std::size_t bytes) {
  Buffer buffer = allocate(bytes);
  if (bytes > 0) std::memcpy(buffer.data(), data, bytes);
  return buffer;
}

Buffer Buffer::borrow(const void* data, std::size_t bytes, std::shared_ptr<const void> keep_alive) {
  auto* block = new (std::nothrow) BufferBlock;
  if (block == nullptr) throw ExecutionError("buffer: no memory for the handle of a borrowed block");
  block->data = static_cast<std::byte*>(const_cast<void*>(data));
  block->size = bytes;
  block->keep_alive = std::move(keep_alive);
  return Buffer(block);
}

Buffer::Buffer(const Buffer& other) noexcept : block_(other.block_) {
  if (block_ != nullptr) block_->count.fetch_add(1, std::memory_order_relaxed);
}

Buffer::~Buffer() {
  if (block_ == nullptr) return;
  // Everyone's writes must be visible to whoever reuses the block.
  if (block_->count.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (block_->capacity == 0) {
    delete block_;
  } else {
    give_back_block(block_);
  }
}

std::byte* Buffer::data() const { return block_ == nullptr ? nullptr : block_->data; }
std::size_t Buffer::size() const { return block_ == nullptr ? 0 : block_->size; }
bool Buffer::is_unique() const {
  return block_ != nullptr && block_->count.load(std::memory_order_acquire) == 1;
}
bool Buffer::is_borrowed() const { return block_ != nullptr && block_->capacity == 0; }

}  // namespace weft::runtime
