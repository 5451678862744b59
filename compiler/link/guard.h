// Turns LLVM's fatal errors into exceptions while this thread is inside LLVM.
#pragma once

#include <stdexcept>

namespace weft::link {

// LLVM gave up in the middle of something: whatever it was working on must be neither used nor destroyed.
class FatalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While one lives, a fatal error of LLVM on this thread is thrown as a FatalError; elsewhere it ends the
// process.
class FatalErrorGuard {
 public:
  FatalErrorGuard();
  ~FatalErrorGuard();
  FatalErrorGuard(const FatalErrorGuard&) = delete;
  FatalErrorGuard& operator=(const FatalErrorGuard&) = delete;
};

// Holds on to an object of LLVM that cannot be destroyed any more.
void abandon(void* object);

}  // namespace weft::link
