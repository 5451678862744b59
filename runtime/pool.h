// The pool of memory blocks behind Buffer: size classes, a cache in each thread, one shared store.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace weft::runtime {

struct BufferBlock {
  std::atomic<std::int64_t> count{1};
  std::byte* data = nullptr;
  std::size_t size = 0;      // bytes asked for
  std::size_t capacity = 0;  // bytes of memory; 0 for a borrowed block
  int size_class = 0;
  BufferBlock* next = nullptr;  // in a list of free blocks
  std::shared_ptr<const void> keep_alive;
};

BufferBlock* take_block(std::size_t bytes);  // with count 1; throws ExecutionError when there is no memory
void give_back_block(BufferBlock* block);    // pooled blocks only

}  // namespace weft::runtime
