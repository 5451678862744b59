// Executable: one compiled program, its signature, and how to call it. Knows nothing of graphs or of LLVM.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weft/shape.h>

#include "runtime/buffer.h"

namespace weft::runtime {

// The native entry of a program. `buffers` holds, in order: arguments, results, constants, then one arena of
// temporaries. Returns 0, or a status that the Executable turns into an ExecutionError.
using Entry = std::int32_t (*)(void** buffers, std::int32_t threads);

// Where a result comes from: written by the entry, or the very buffer of an argument, a constant or an earlier
// result (no copy).
struct ResultSource {
  enum class From : std::uint8_t { computed, argument, constant, result } from = From::computed;
  std::int32_t index = 0;  // of the argument, constant or earlier result
};

struct MemoryUse {
  std::int64_t argument_bytes = 0;
  std::int64_t result_bytes = 0;
  std::int64_t constant_bytes = 0;
  std::int64_t temporary_bytes = 0;  // the arena
};

class Executable {
 public:
  struct Parts {
    std::vector<ShapeDtype> arguments;
    std::vector<ShapeDtype> results;
    std::vector<ResultSource> result_sources;  // one a result
    std::vector<Buffer> constants;
    std::int64_t arena_bytes = 0;
    Entry entry = nullptr;                     // null when no result is computed
    std::shared_ptr<const void> code;          // keeps the machine code mapped
    int num_threads = 0;                       // 0: the process default at the time of the call
  };
  explicit Executable(Parts parts);

  const std::vector<ShapeDtype>& arguments() const { return parts_.arguments; }
  const std::vector<ShapeDtype>& results() const { return parts_.results; }
  MemoryUse memory() const;

  // Runs on argument buffers of the right sizes (the caller has checked types); results come from the pool.
  // Safe to call from many threads at once. Writes results.size() handles to `results`.
  void run(std::span<const Buffer> arguments, Buffer* results) const;
  // Runs into the caller's memory: allocates nothing but, if needed, the arena (from the pool).
  void run_into(std::span<const void* const> arguments, std::span<void* const> results) const;

 private:
  Parts parts_;
};

}  // namespace weft::runtime
