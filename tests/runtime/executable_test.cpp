// Executable and the worker pool: frames, aliased results, failures, and every block done once.
#include "runtime/executable.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <weft/error.h>

#include "runtime/machine.h"
#include "runtime/threads.h"

namespace {

using namespace weft::runtime;
using weft::DType;
using weft::Shape;
using weft::ShapeDtype;
using From = ResultSource::From;

const ShapeDtype kFour{Shape{4}, DType::f32};

// result = argument * constant, through the arena.
std::int32_t multiply(void** buffers, std::int32_t) {
  auto* arena = static_cast<float*>(buffers[5]);
  for (int i = 0; i < 4; ++i)
    arena[i] = static_cast<float*>(buffers[0])[i] * static_cast<float*>(buffers[4])[i];
  for (int i = 0; i < 4; ++i) static_cast<float*>(buffers[1])[i] = arena[i];
  return 0;
}

Executable::Parts multiply_parts() {
  const float factors[] = {1, 2, 3, 4};
  Executable::Parts parts;
  parts.arguments = {kFour};
  parts.results = {kFour, kFour, kFour};
  parts.result_sources = {{}, {From::argument, 0}, {From::constant, 0}};
  parts.constants = {Buffer::copy_of(factors, sizeof factors)};
  parts.arena_bytes = 16;
  parts.entry = multiply;
  return parts;
}

TEST(Executable, run_computes_and_aliases) {
  const Executable program(multiply_parts());
  const float values[] = {5, 6, 7, 8};
  const Buffer argument = Buffer::copy_of(values, sizeof values);
  Buffer results[3];
  program.run({&argument, 1}, results);
  EXPECT_EQ(reinterpret_cast<float*>(results[0].data())[3], 32);
  EXPECT_TRUE(results[1] == argument);
  EXPECT_EQ(reinterpret_cast<float*>(results[2].data())[2], 3);
  EXPECT_EQ(program.memory().temporary_bytes, 16);
  EXPECT_EQ(program.memory().result_bytes, 48);
}

TEST(Executable, run_into_copies_what_is_not_computed) {
  const Executable program(multiply_parts());
  const float values[] = {5, 6, 7, 8};
  float out[3][4] = {};
  const void* arguments[] = {values};
  void* results[] = {out[0], out[1], out[2]};
  program.run_into(arguments, results);
  EXPECT_EQ(out[0][1], 12);
  EXPECT_EQ(out[1][1], 6);
  EXPECT_EQ(out[2][1], 2);
}

TEST(Executable, failures_are_exceptions) {
  Executable::Parts parts = multiply_parts();
  parts.entry = [](void**, std::int32_t) -> std::int32_t { return 3; };
  const Buffer argument = Buffer::allocate(16);
  Buffer results[3];
  EXPECT_THROW(Executable(parts).run({&argument, 1}, results), weft::ExecutionError);
  EXPECT_THROW(Executable(parts).run({}, results), weft::ExecutionError);
  parts.arena_bytes = std::int64_t{1} << 45;
  EXPECT_THROW(Executable(parts).run({&argument, 1}, results), weft::ExecutionError);
  parts.result_sources.pop_back();
  EXPECT_THROW(Executable{parts}, weft::InternalError);
}

TEST(Executable, large_frames_work) {
  Executable::Parts parts;
  parts.arguments.assign(500, kFour);
  parts.results = {kFour};
  parts.result_sources = {{From::argument, 499}};
  const std::vector<Buffer> arguments(500, Buffer::allocate(16));
  Buffer result;
  Executable(parts).run(arguments, &result);
  EXPECT_TRUE(result == arguments[499]);
}

struct Counts {
  std::vector<int> blocks;
};

void count_blocks(void* context, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    ++static_cast<Counts*>(context)->blocks[static_cast<std::size_t>(i)];
}

TEST(Threads, every_block_is_done_once) {
  for (const int threads : {1, 2, 3, 16}) {
    for (const std::int64_t blocks : {0, 1, 2, 7, 1000}) {
      Counts counts{std::vector<int>(static_cast<std::size_t>(blocks))};
      weft_parallel_for(blocks, threads, count_blocks, &counts);
      for (const int count : counts.blocks) ASSERT_EQ(count, 1);
    }
  }
}

TEST(Threads, callers_do_not_disturb_each_other) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&wrong] {
      for (int i = 0; i < 200; ++i) {
        Counts counts{std::vector<int>(50)};
        parallel_for_blocks(50, 4, count_blocks, &counts);
        for (const int count : counts.blocks) wrong += count != 1;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, workers_take_part) {
  if (usable_cores() < 2) GTEST_SKIP() << "one core only";
  struct Meeting {
    std::atomic<int> present{0};
    std::atomic<int> met{0};
  } meeting;
  // Two blocks that wait for each other, but not for ever: a busy machine may have no worker to spare.
  const BlockBody meet = [](void* context, std::int64_t, std::int64_t) {
    auto* here = static_cast<Meeting*>(context);
    ++here->present;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (here->present < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    here->met += here->present == 2 && std::chrono::steady_clock::now() < limit;
  };
  parallel_for_blocks(2, 2, meet, &meeting);
  EXPECT_EQ(meeting.met, 2);
}

TEST(Threads, the_default_can_be_set_and_restored) {
  const int before = default_thread_count();
  EXPECT_GE(before, 1);
  set_default_thread_count(3);
  EXPECT_EQ(default_thread_count(), 3);
  set_default_thread_count(0);
  EXPECT_EQ(default_thread_count(), before);
}

}  // namespace
