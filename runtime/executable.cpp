// Calls a compiled program: lays out its frame of buffers, runs the entry, and turns a status into an
// exception.
#include "runtime/executable.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include <weft/error.h>

#include "runtime/machine.h"
#include "runtime/threads.h"

namespace weft::runtime {
namespace {

using From = ResultSource::From;

// The pointers that the entry receives; on the stack unless the program has very many.
class Frame {
 public:
  explicit Frame(std::size_t size) {
    if (size > small_.size()) large_.resize(size);
    slots_ = large_.empty() ? small_.data() : large_.data();
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  void push(const void* pointer) { slots_[count_++] = const_cast<void*>(pointer); }
  void** slots() { return slots_; }

 private:
  std::array<void*, 64> small_;
  std::vector<void*> large_;
  void** slots_ = nullptr;
  std::size_t count_ = 0;
};

std::int64_t total_bytes(const std::vector<ShapeDtype>& types) {
  std::int64_t bytes = 0;
  for (const ShapeDtype& type : types) {
    if (__builtin_add_overflow(bytes, type.nbytes(), &bytes)) return INT64_MAX;
  }
  return bytes;
}

void check_count(const char* what, std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw ExecutionError("run: " + std::to_string(given) + " " + what + " given, the program has " +
                       std::to_string(wanted));
}

void check_fits(std::int64_t bytes) {
  if (static_cast<std::uint64_t>(bytes) <= usable_memory()) return;
  throw ExecutionError("run: the program needs " + std::to_string(bytes) +
                       " bytes for results and temporaries; this process may use " +
                       std::to_string(usable_memory()));
}

void call(const Executable::Parts& parts, Frame& frame) {
  if (parts.entry == nullptr) return;
  const int threads = parts.num_threads > 0 ? parts.num_threads : default_thread_count();
  const std::int32_t status = parts.entry(frame.slots(), threads);
  if (status != 0) throw ExecutionError("run: the program failed with status " + std::to_string(status));
}

void push_constants_and_arena(const Executable::Parts& parts, Frame& frame, Buffer& arena) {
  for (const Buffer& constant : parts.constants) frame.push(constant.data());
  if (parts.arena_bytes > 0) arena = Buffer::allocate(static_cast<std::size_t>(parts.arena_bytes));
  frame.push(arena.data());
}

std::size_t frame_size(const Executable::Parts& parts) {
  return parts.arguments.size() + parts.results.size() + parts.constants.size() + 1;
}

std::size_t source_count(const Executable::Parts& parts, From from, std::size_t result) {
  switch (from) {
    case From::computed: return 0;
    case From::argument: return parts.arguments.size();
    case From::constant: return parts.constants.size();
    case From::result: return result;  // only an earlier one
  }
  return 0;
}

void check_parts(const Executable::Parts& parts) {
  if (parts.result_sources.size() != parts.results.size())
    throw InternalError("executable: one source a result");
  if (parts.arena_bytes < 0) throw InternalError("executable: negative arena");
  for (std::size_t i = 0; i < parts.result_sources.size(); ++i) {
    const ResultSource& source = parts.result_sources[i];
    if (source.from == From::computed) {
      if (parts.entry == nullptr) throw InternalError("executable: a computed result without an entry");
      continue;
    }
    if (source.index < 0 || static_cast<std::size_t>(source.index) >= source_count(parts, source.from, i)) {
      throw InternalError("executable: a result's source is out of range");
    }
  }
}

}  // namespace

Executable::Executable(Parts parts) : parts_(std::move(parts)) { check_parts(parts_); }

MemoryUse Executable::memory() const {
  MemoryUse use;
  use.argument_bytes = total_bytes(parts_.arguments);
  use.result_bytes = total_bytes(parts_.results);
  for (const Buffer& constant : parts_.constants)
    use.constant_bytes += static_cast<std::int64_t>(constant.size());
  use.temporary_bytes = parts_.arena_bytes;
  return use;
}

void Executable::run(std::span<const Buffer> arguments, Buffer* results) const {
  check_count("arguments", arguments.size(), parts_.arguments.size());
  std::int64_t needed = parts_.arena_bytes;
  for (std::size_t i = 0; i < parts_.results.size(); ++i) {
    if (parts_.result_sources[i].from != From::computed) continue;
    if (__builtin_add_overflow(needed, parts_.results[i].nbytes(), &needed)) needed = INT64_MAX;
  }
  check_fits(needed);
  Frame frame(frame_size(parts_));
  for (const Buffer& argument : arguments) frame.push(argument.data());
  for (std::size_t i = 0; i < parts_.results.size(); ++i) {
    const ResultSource& source = parts_.result_sources[i];
    switch (source.from) {
      case From::computed:
        results[i] = Buffer::allocate(static_cast<std::size_t>(parts_.results[i].nbytes()));
        break;
      case From::argument:
        results[i] = arguments[static_cast<std::size_t>(source.index)];
        break;
      case From::constant:
        results[i] = parts_.constants[static_cast<std::size_t>(source.index)];
        break;
      case From::result:
        results[i] = results[source.index];
        break;
    }
    frame.push(results[i].data());
  }
  Buffer arena;
  push_constants_and_arena(parts_, frame, arena);
  call(parts_, frame);
}

void Executable::run_into(std::span<const void* const> arguments, std::span<void* const> results) const {
  check_count("arguments", arguments.size(), parts_.arguments.size());
  check_count("results", results.size(), parts_.results.size());
  check_fits(parts_.arena_bytes);
  Frame frame(frame_size(parts_));
  for (const void* argument : arguments) frame.push(argument);
  for (void* result : results) frame.push(result);
  Buffer arena;
  push_constants_and_arena(parts_, frame, arena);
  call(parts_, frame);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ResultSource& source = parts_.result_sources[i];
    if (source.from == From::computed) continue;
    const auto index = static_cast<std::size_t>(source.index);
    const void* from = source.from == From::argument   ? arguments[index]
                       : source.from == From::constant ? static_cast<const void*>(parts_.constants[index].data())
                                                       : results[index];
    const auto bytes = static_cast<std::size_t>(parts_.results[i].nbytes());
    if (bytes > 0) std::memmove(results[i], from, bytes);
  }
}

}  // namespace weft::runtime
