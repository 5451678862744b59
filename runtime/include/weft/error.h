// The exceptions of Weft. A message has three parts: what was asked, why it cannot be, and the user's source
// line.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weft {

using Location = std::source_location;

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user asked for something that cannot be. What: "add: shapes [3] and [4] do not broadcast, at
// model.cpp:12".
class UserError : public Error {
 public:
  explicit UserError(
      const std::string& message);  // at the line of the public function that runs, if one does
  UserError(std::string_view message, const Location& where);
};

#define WEFT_USER_ERROR(Name)     \
  class Name : public UserError { \
   public:                        \
    using UserError::UserError;   \
  };
WEFT_USER_ERROR(TypeError)
WEFT_USER_ERROR(ShapeError)
WEFT_USER_ERROR(IndexError)
WEFT_USER_ERROR(TraceError)
WEFT_USER_ERROR(ExecutionError)
#undef WEFT_USER_ERROR

// What cannot be compiled: an operation of the program, at its place in the source, or an option.
class CompileError : public UserError {
 public:
  using UserError::UserError;
  CompileError(const std::string& reason, const std::string& file, int line, int column);
  // Without the place, which is a line of 0 when there is none.
  const std::string& reason() const { return reason_; }
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  std::string reason_, file_;
  int line_ = 0, column_ = 0;
};

// A text that is not a program. What: "prog.mlir:3:7: error: …" with the source line and a caret.
class ParseError : public UserError {
 public:
  ParseError(const std::string& message, int line, int column)
      : UserError(message, Location()), line_(line), column_(column) {}
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  int line_, column_;
};

// A fault of Weft itself; the message says what to report.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message);
};

}  // namespace weft
