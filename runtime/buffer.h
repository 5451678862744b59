// Buffer: a counted handle to a block of memory, from the pool or borrowed from the user.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace weft::runtime {

inline constexpr std::size_t kAlignment = 64;

struct BufferBlock;  // header of a block: count, size, where it came from

// One pointer wide. Copies share the block; the last handle returns it to the pool. Thread-safe counting.
class Buffer {
 public:
  Buffer() = default;
  // 64-byte aligned (2 MiB-aligned with huge pages from 2 MiB up), contents undefined. Throws ExecutionError when
  // there is no memory. Zero bytes give a valid, non-null block.
  static Buffer allocate(std::size_t bytes);
  static Buffer allocate_zeroed(std::size_t bytes);
  static Buffer copy_of(const void* data, std::size_t bytes);
  // Memory of somebody else, kept alive by `keep_alive` (may be null). Never written by Weft. Need not be aligned.
  static Buffer borrow(const void* data, std::size_t bytes, std::shared_ptr<const void> keep_alive);

  Buffer(const Buffer& other) noexcept;
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer();

  explicit operator bool() const { return block_ != nullptr; }
  std::byte* data() const;
  std::size_t size() const;
  bool is_unique() const;    // this is the only handle
  bool is_borrowed() const;  // belongs to the user
  friend bool operator==(const Buffer& a, const Buffer& b) { return a.block_ == b.block_; }

 private:
  explicit Buffer(BufferBlock* block) : block_(block) {}
  BufferBlock* block_ = nullptr;
};

struct PoolStatistics {
  std::size_t bytes_held = 0;     // taken from the system, in use or not
  std::size_t bytes_in_use = 0;
  std::uint64_t system_allocations = 0;  // how often the system was asked
};
PoolStatistics pool_statistics();

}  // namespace weft::runtime
