// The public function being executed: its name for messages, and the user's line for the operations it
// records.
#pragma once

#include <string>

#include <weft/error.h>

namespace weft::frontend {

// The outermost public function decides; what it calls keeps its name and line. User code called back starts
// afresh.
class Call {
 public:
  Call(const char* function, const Location& where);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  static const char* function();
  static const Location& where();

 private:
  bool is_outermost_;
};

// Suspends the current call while user code runs.
class UserCode {
 public:
  UserCode();
  ~UserCode();
  UserCode(const UserCode&) = delete;
  UserCode& operator=(const UserCode&) = delete;

 private:
  const char* function_;
  Location where_;
};

// "<function>: <text>, at <user's line>".
[[noreturn]] void fail_type(const std::string& text);
[[noreturn]] void fail_shape(const std::string& text);
[[noreturn]] void fail_index(const std::string& text);

}  // namespace weft::frontend
