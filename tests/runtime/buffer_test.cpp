// Buffer and its pool: alignment, counting, reuse, borrowed memory, exhaustion and many threads.
#include "runtime/buffer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <weft/error.h>

#include "runtime/machine.h"

namespace {

using weft::runtime::Buffer;
using weft::runtime::pool_statistics;

std::uintptr_t address(const Buffer& buffer) { return reinterpret_cast<std::uintptr_t>(buffer.data()); }

TEST(Buffer, blocks_are_aligned_and_whole) {
  for (std::size_t bytes = 0; bytes < (std::size_t{9} << 20); bytes = bytes * 5 / 4 + 1) {
    const Buffer buffer = Buffer::allocate(bytes);
    ASSERT_NE(buffer.data(), nullptr);
    ASSERT_EQ(buffer.size(), bytes);
    ASSERT_EQ(address(buffer) % (bytes >= (2u << 20) ? (2u << 20) : 64u), 0u) << bytes;
    std::memset(buffer.data(), 1, bytes);
  }
}

TEST(Buffer, copies_share_and_count) {
  Buffer a = Buffer::copy_of("abc", 4);
  EXPECT_TRUE(a.is_unique());
  {
    const Buffer b = a;
    EXPECT_TRUE(b == a);
    EXPECT_FALSE(a.is_unique());
  }
  EXPECT_TRUE(a.is_unique());
  const Buffer c = std::move(a);
  EXPECT_STREQ(reinterpret_cast<const char*>(c.data()), "abc");
  EXPECT_EQ(Buffer::allocate_zeroed(100).data()[99], std::byte{0});
}

TEST(Buffer, steady_state_asks_the_system_for_nothing) {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20, std::size_t{100} << 20}) {
    { const Buffer warm = Buffer::allocate(bytes); }
    const auto before = pool_statistics();
    for (int i = 0; i < 100; ++i) const Buffer buffer = Buffer::allocate(bytes);
    const auto after = pool_statistics();
    EXPECT_EQ(after.system_allocations, before.system_allocations) << bytes;
    EXPECT_EQ(after.bytes_in_use, before.bytes_in_use);
  }
}

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST(Buffer, steady_state_has_no_page_faults) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  std::memset(Buffer::allocate(bytes).data(), 1, bytes);
  const long before = page_faults();
  for (int i = 0; i < 50; ++i) std::memset(Buffer::allocate(bytes).data(), i, bytes);
  EXPECT_LT(page_faults() - before, 50);  // one fresh block alone would be thousands, or several huge pages
}

TEST(Buffer, idle_memory_is_bounded) {
  const std::size_t usable = weft::runtime::usable_memory();
  {
    const Buffer a = Buffer::allocate(usable / 5);  // never touched, so never real
    const Buffer b = Buffer::allocate(usable / 5);
  }
  const auto statistics = pool_statistics();
  EXPECT_LE(statistics.bytes_held - statistics.bytes_in_use, usable / 4 + (std::size_t{64} << 20));
}

TEST(Buffer, borrowed_memory_is_kept_alive_and_let_go) {
  auto owner = std::make_shared<std::vector<float>>(10, 2.0f);
  const std::weak_ptr<std::vector<float>> watch = owner;
  {
    const Buffer buffer = Buffer::borrow(owner->data(), 40, owner);
    owner.reset();
    EXPECT_TRUE(buffer.is_borrowed());
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Buffer, no_memory_is_an_exception) {
  EXPECT_THROW(Buffer::allocate(std::size_t{1} << 45), weft::ExecutionError);
  EXPECT_THROW(Buffer::allocate(SIZE_MAX), weft::ExecutionError);
}

TEST(Buffer, threads_pass_blocks_to_each_other) {
  const auto before = pool_statistics().bytes_in_use;
  std::vector<Buffer> shared(4, Buffer::copy_of("x", 1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared, t] {
      for (int i = 1; i < 5000; ++i) {
        const Buffer own = Buffer::allocate(static_cast<std::size_t>(i) * 7 % 4000);
        const Buffer copy = shared[t];
        if (own.size() > 0) own.data()[0] = copy.data()[0];
      }
      shared[t] = Buffer::allocate(1000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  shared.clear();
  EXPECT_EQ(pool_statistics().bytes_in_use, before);
}

}  // namespace
