// The worker pool: blocks of a kernel are shared between the caller and oneTBB's workers.
#pragma once

#include <cstdint>

namespace weft::runtime {

// Body of a parallel loop: does the blocks [begin, end). Must not throw.
using BlockBody = void (*)(void* context, std::int64_t begin, std::int64_t end);

// Runs body over [0, blocks) on at most `threads` threads; the caller takes part. threads <= 1 calls body once.
// Which thread does which block is not fixed; blocks must be independent.
void parallel_for_blocks(std::int64_t blocks, int threads, BlockBody body, void* context);

int default_thread_count();         // WEFT_NUM_THREADS, else the cores this process may use
void set_default_thread_count(int threads);  // 0 restores the default

}  // namespace weft::runtime

// What compiled code calls (symbols.def): `threads` comes from the frame of the call.
extern "C" void weft_parallel_for(std::int64_t blocks, std::int32_t threads, void (*body)(void*, std::int64_t, std::int64_t),
                                  void* context);
