// A file of its own: inlined into their callers, these would look to g++ like a mismatch of allocation and release.
#include "tests/contract/count_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations = 0;
void* try_to_allocate(std::size_t bytes) noexcept {
  ++allocations;
  return std::malloc(bytes ? bytes : 1);
}
void* allocate(std::size_t bytes) {
  if (void* memory = try_to_allocate(bytes)) return memory;
  throw std::bad_alloc();
}
}  // namespace
void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
// The forms that do not throw too: a sanitizer's own would not match the delete below.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return try_to_allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return try_to_allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace contract {
std::size_t allocation_count() { return allocations; }
}  // namespace contract
