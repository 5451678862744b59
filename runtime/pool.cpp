// Keeps freed blocks for the next call: steady-state calls neither ask the system for memory nor take a lock.
#include "runtime/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <weft/error.h>

#include "runtime/buffer.h"
#include "runtime/machine.h"

namespace weft::runtime {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr int kClasses = 240;                                // four a power of two, from 64 bytes up
constexpr std::size_t kThreadBytes = std::size_t{64} << 20;  // idle bytes that one thread keeps to itself
constexpr std::size_t kLargestRequest = std::size_t{1} << 46;

int class_of(std::size_t bytes) {
  if (bytes <= 64) return 0;
  const int log = std::bit_width(bytes - 1) - 1;
  const int quarter = static_cast<int>(((bytes - 1) >> (log - 2)) & 3);
  return (log - 6) * 4 + quarter + 1;
}

std::size_t capacity_of(int size_class) {
  const std::size_t base = std::size_t{64} << (size_class / 4);
  const std::size_t exact = base + base / 4 * static_cast<std::size_t>(size_class % 4);
  const std::size_t unit = exact >= kHugePage ? kHugePage : kAlignment;
  return (exact + unit - 1) / unit * unit;
}

std::byte* map_huge(std::size_t bytes) {
  const std::size_t total = bytes + kHugePage;
  void* mapped = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = (start + kHugePage - 1) & ~(kHugePage - 1);
  if (aligned > start) munmap(mapped, aligned - start);
  const std::size_t tail = start + total - (aligned + bytes);
  if (tail > 0) munmap(reinterpret_cast<void*>(aligned + bytes), tail);
  madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);  // only a hint: failure is harmless
  return reinterpret_cast<std::byte*>(aligned);
}

struct FreeLists {
  std::array<BufferBlock*, kClasses> heads{};
  void push(BufferBlock* block) {
    block->next = heads[block->size_class];
    heads[block->size_class] = block;
  }
  BufferBlock* pop(int size_class) {
    BufferBlock* block = heads[size_class];
    if (block != nullptr) heads[size_class] = block->next;
    return block;
  }
};

struct ThreadCache;

struct SharedStore {
  std::mutex mutex;
  FreeLists lists;
  std::size_t idle = 0;
  std::size_t held = 0;
  std::uint64_t system_allocations = 0;
  std::vector<ThreadCache*> caches;
  const std::size_t idle_limit = usable_memory() / 4;

  void free_idle_locked();
  static void free_block(BufferBlock* block);
};

// Never destroyed: buffers in static variables come back after main.
SharedStore& store() {
  static SharedStore* const instance = new SharedStore;
  return *instance;
}

thread_local bool cache_is_gone = false;  // trivially destructible, so readable after the cache's destruction

struct ThreadCache {
  FreeLists lists;
  std::atomic<std::size_t> idle{0};  // written by this thread only, read by pool_statistics
  ThreadCache() {
    const std::lock_guard lock(store().mutex);
    store().caches.push_back(this);
  }
  ~ThreadCache() {
    cache_is_gone = true;
    SharedStore& shared = store();
    const std::lock_guard lock(shared.mutex);
    std::erase(shared.caches, this);
    for (int size_class = 0; size_class < kClasses; ++size_class) {
      while (BufferBlock* block = lists.pop(size_class)) shared.lists.push(block);
    }
    shared.idle += idle.load(std::memory_order_relaxed);
  }
  void add_idle(std::size_t bytes) {
    idle.store(idle.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
  }
};

ThreadCache* thread_cache() {
  if (cache_is_gone) return nullptr;
  thread_local ThreadCache cache;
  return &cache;
}

void SharedStore::free_block(BufferBlock* block) {
  if (block->capacity >= kHugePage) {
    munmap(block->data, block->capacity);
  } else {
    std::free(block->data);
  }
  delete block;
}

void SharedStore::free_idle_locked() {
  for (int size_class = kClasses - 1; size_class >= 0; --size_class) {
    while (BufferBlock* block = lists.pop(size_class)) {
      idle -= block->capacity;
      held -= block->capacity;
      free_block(block);
    }
  }
}

BufferBlock* new_block(int size_class) {
  const std::size_t capacity = capacity_of(size_class);
  auto* block = new (std::nothrow) BufferBlock;
  if (block == nullptr) return nullptr;
  block->data = capacity >= kHugePage ? map_huge(capacity)
                                      : static_cast<std::byte*>(std::aligned_alloc(kAlignment, capacity));
  block->capacity = capacity;
  block->size_class = size_class;
  if (block->data == nullptr) {
    delete block;
    return nullptr;
  }
  return block;
}

[[noreturn]] void throw_no_memory(std::size_t bytes) {
  throw ExecutionError("buffer: no memory for " + std::to_string(bytes) + " bytes; this process may use " +
                       std::to_string(usable_memory()));
}

BufferBlock* take_from_store(int size_class, std::size_t bytes) {
  SharedStore& shared = store();
  const std::size_t capacity = capacity_of(size_class);
  const std::lock_guard lock(shared.mutex);
  if (BufferBlock* block = shared.lists.pop(size_class)) {
    shared.idle -= capacity;
    return block;
  }
  // Idle blocks of other sizes must not keep a program that fits from running.
  if (shared.idle > 0 && shared.held + capacity > usable_memory() / 2) shared.free_idle_locked();
  BufferBlock* block = new_block(size_class);
  if (block == nullptr) {
    shared.free_idle_locked();
    block = new_block(size_class);
  }
  if (block == nullptr) throw_no_memory(bytes);
  shared.held += capacity;
  ++shared.system_allocations;
  return block;
}

}  // namespace

BufferBlock* take_block(std::size_t bytes) {
  if (bytes > kLargestRequest || bytes > usable_memory()) throw_no_memory(bytes);
  const int size_class = class_of(bytes);
  BufferBlock* block = nullptr;
  if (ThreadCache* cache = thread_cache()) {
    block = cache->lists.pop(size_class);
    if (block != nullptr) cache->add_idle(-block->capacity);
  }
  if (block == nullptr) block = take_from_store(size_class, bytes);
  block->count.store(1, std::memory_order_relaxed);
  block->size = bytes;
  block->next = nullptr;
  return block;
}

void give_back_block(BufferBlock* block) {
  ThreadCache* cache = thread_cache();
  if (cache != nullptr && cache->idle.load(std::memory_order_relaxed) + block->capacity <= kThreadBytes) {
    cache->add_idle(block->capacity);
    cache->lists.push(block);
    return;
  }
  SharedStore& shared = store();
  const std::lock_guard lock(shared.mutex);
  if (shared.idle + block->capacity > shared.idle_limit) {
    shared.held -= block->capacity;
    SharedStore::free_block(block);
    return;
  }
  shared.idle += block->capacity;
  shared.lists.push(block);
}

PoolStatistics pool_statistics() {
  SharedStore& shared = store();
  const std::lock_guard lock(shared.mutex);
  std::size_t idle = shared.idle;
  for (const ThreadCache* cache : shared.caches) idle += cache->idle.load(std::memory_order_relaxed);
  // Counts of running threads are a moment apart; never report less than nothing.
  return {shared.held, shared.held - std::min(idle, shared.held), shared.system_allocations};
}

}  // namespace weft::runtime
