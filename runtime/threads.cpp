// Shares the blocks of a kernel between the caller and oneTBB's workers.
#include "runtime/threads.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <oneapi/tbb/task_group.h>

#include "runtime/machine.h"

namespace weft::runtime {
namespace {

// Every hand-over of work passes through here: a worker that reads it sees all that the caller wrote before
// the loop. oneTBB orders this too, but inside a library that ThreadSanitizer does not see.
std::atomic<std::uint64_t> handed_over{0};

struct Loop {
  std::int64_t blocks;
  std::int64_t chunk;
  BlockBody body;
  void* context;
  std::atomic<std::int64_t> next{0};

  // The last, failing fetch_add publishes what this thread wrote; the caller reads `next` after waiting.
  void work() {
    for (;;) {
      const std::int64_t begin = next.fetch_add(chunk, std::memory_order_acq_rel);
      if (begin >= blocks) return;
      body(context, begin, std::min(begin + chunk, blocks));
    }
  }
};

std::atomic<int> chosen_threads{0};

int find_default_threads() {
  if (const char* text = std::getenv("WEFT_NUM_THREADS")) {
    const std::string_view view(text);
    int threads = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), threads);
    if (error == std::errc() && end == view.data() + view.size() && threads > 0)
      return std::min(threads, 4096);
  }
  return usable_cores();
}

}  // namespace

void parallel_for_blocks(std::int64_t blocks, int threads, BlockBody body, void* context) {
  if (blocks <= 0) return;
  if (threads <= 1 || blocks == 1) {
    body(context, 0, blocks);
    return;
  }
  const std::int64_t helpers = std::min<std::int64_t>(threads, blocks) - 1;
  // Some chunks a thread, so that a busy core holds up little.
  Loop loop{blocks, std::max<std::int64_t>(1, blocks / (helpers + 1) / 8), body, context};
  oneapi::tbb::task_group group;
  handed_over.fetch_add(1, std::memory_order_release);
  try {
    for (std::int64_t i = 0; i < helpers; ++i) {
      group.run([&loop] {
        handed_over.load(std::memory_order_acquire);
        loop.work();
      });
    }
  } catch (const std::exception&) {
    // No memory for another task: those already started and the caller do all blocks.
  }
  loop.work();
  group.wait();
  loop.next.load(std::memory_order_acquire);
}

int default_thread_count() {
  const int chosen = chosen_threads.load(std::memory_order_relaxed);
  if (chosen > 0) return chosen;
  static const int found = find_default_threads();
  return found;
}

void set_default_thread_count(int threads) {
  chosen_threads.store(std::max(threads, 0), std::memory_order_relaxed);
}

}  // namespace weft::runtime

extern "C" void weft_parallel_for(std::int64_t blocks, std::int32_t threads,
                                  void (*body)(void*, std::int64_t, std::int64_t), void* context) {
  weft::runtime::parallel_for_blocks(blocks, threads, body, context);
}
