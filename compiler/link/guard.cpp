// LLVM was built without exceptions but with unwind tables, so a handler that throws leaves it.
#include "compiler/link/guard.h"

#include <mutex>
#include <vector>

#include <llvm/Support/ErrorHandling.h>

namespace weft::link {
namespace {

thread_local int guards = 0;

// LLVM does not expect to be left: the text of its message would leak.
void throw_fatal_error(void*, const char* reason, bool) {
  if (guards == 0) return;
  abandon(const_cast<char*>(reason));
  throw FatalError(reason);
}

void install_handlers() {
  static std::once_flag installed;
  std::call_once(installed, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(throw_fatal_error);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(throw_fatal_error);
  });
}

}  // namespace

FatalErrorGuard::FatalErrorGuard() {
  install_handlers();
  ++guards;
}
FatalErrorGuard::~FatalErrorGuard() { --guards; }

void abandon(void* object) {
  // Reachable for ever, so that leak checkers know it is on purpose.
  static std::mutex& mutex = *new std::mutex;
  static std::vector<void*>& abandoned = *new std::vector<void*>;
  const std::lock_guard lock(mutex);
  abandoned.push_back(object);
}

}  // namespace weft::link
