// TracedProgram: one function recorded for one signature, compiled when it first runs; and the cache of them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <weft/detail/function_ref.h>
#include <weft/detail/shared.h>
#include <weft/options.h>

#include "compiler/compile.h"
#include "frontend/trace.h"

namespace weft::frontend {

// What a program is found by: the exact bytes of the tree, dtypes, shapes, weak types and static values.
class Signature {
 public:
  void clear();
  void begin_argument() { argument_offsets_.push_back(bytes_.size()); }
  void add_bytes(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  template <class T>
  void add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(&value, sizeof value);
  }
  void add_array(const Array& x);  // its type
  std::string_view bytes() const { return bytes_; }
  std::size_t hash() const { return std::hash<std::string_view>{}(bytes_); }
  std::string_view argument_bytes(std::size_t i) const;
  std::size_t argument_count() const { return argument_offsets_.size(); }

 private:
  std::string bytes_;
  std::vector<std::size_t> argument_offsets_;
};

struct TracedProgram {
  std::string key;
  std::size_t hash = 0;

  ir::Graph graph;
  std::size_t argument_count = 0;  // without the captured arrays, which follow
  std::vector<Array> captured;
  std::vector<bool> result_is_weak;
  std::vector<ShapeDtype> result_types;
  Trace::Callees callees;
  detail::Shared<detail::Counted> prototype;  // of the result, leaves empty
  bool captures_traced() const;

  bool is_short_lived = false;  // another call may record it again: its code is found by its text
  // Compiles at the first call; safe from many threads.
  const std::shared_ptr<const compiler::Program>& compiled(const CompileOptions& options);

 private:
  std::mutex mutex_;
  std::atomic<bool> is_compiled_ = false;
  std::shared_ptr<const compiler::Program> program_;
};

// Records `body` on arguments of the given types.
using TraceBody =
    detail::FunctionRef<detail::Shared<detail::Counted>(std::span<const Array>, std::vector<Array>&)>;
std::shared_ptr<TracedProgram> trace_program(std::span<const Array* const> arguments, const TraceBody& body);

// Runs the program's code on concrete arguments; `results` has result_types.size() places.
void run(const TracedProgram& program, const runtime::Executable& code,
         std::span<const Array* const> arguments, std::span<Array> results);
// Calls a private function of the current trace.
void call(const std::shared_ptr<TracedProgram>& program, std::span<const Array* const> arguments,
          std::span<Array> results);

// Lock-free to read: heads of immutable lists. Programs live as long as the cache.
class ProgramCache {
 public:
  explicit ProgramCache(std::size_t heads = 1);
  std::shared_ptr<TracedProgram> find(std::string_view key, std::size_t hash) const;
  // The program of that key that came first: `made`, or another thread's.
  std::shared_ptr<TracedProgram> insert(std::shared_ptr<TracedProgram> made);
  std::size_t size() const;

 private:
  struct Link {
    std::shared_ptr<TracedProgram> program;
    const Link* next;
  };
  struct Head {
    std::atomic<const Link*> first = nullptr;
    ~Head();
  };
  const Link* search(const Link* from, std::string_view key, std::size_t hash) const;
  std::vector<Head> heads_;
  std::mutex mutex_;
  std::atomic<std::size_t> size_ = 0;
};

// Code for a graph by its text: for functions outside of traces that are recorded anew at every call.
std::shared_ptr<const compiler::Program> compile_by_text(const ir::Graph& graph);

// An operation outside of any trace runs as a program of its own; inside, `body` records.
// `statics` are all values besides the operands that `body` depends on.
using ApplyBody = detail::FunctionRef<Array(std::span<const Array>)>;
Array apply(const char* function, const Location& where, std::span<const Array> operands,
            std::string_view statics, const ApplyBody& body);
// The same with several results.
using ApplyAllBody = detail::FunctionRef<std::vector<Array>(std::span<const Array>)>;
std::vector<Array> apply_all(const char* function, const Location& where, std::span<const Array> operands,
                             std::string_view statics, const ApplyAllBody& body);

}  // namespace weft::frontend
