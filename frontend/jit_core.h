// JitCore: the cache of one transformed function, and calling through it.
#pragma once

#include <mutex>

#include <weft/jit.h>

#include "frontend/program.h"

namespace weft::detail {

class JitCore final : public Counted {
 public:
  explicit JitCore(JitOptions options, const Location& where, bool is_short_lived = false)
      : options_(std::move(options)), where_(where), is_short_lived_(is_short_lived) {}
  const Location& where() const { return where_; }  // the line that made the function
  bool is_short_lived() const { return is_short_lived_; }
  const JitOptions& options() const { return options_; }
  frontend::ProgramCache& cache() { return cache_; }
  // Counts programs; after the eighth recompilation a warning names the argument that keeps changing, once.
  void note_recompilation(const frontend::Signature& signature);

 private:
  JitOptions options_;
  Location where_;
  bool is_short_lived_;
  frontend::ProgramCache cache_;
  std::mutex mutex_;
  int misses_ = 0;
  std::vector<std::string> last_arguments_;
};

}  // namespace weft::detail

namespace weft::frontend {

// The program for the call, found by its signature or recorded by `body`; then run, or called from the
// current trace.
void run_cached(detail::JitCore& core, detail::ErasedCall& call, const TraceBody& body);

}  // namespace weft::frontend
