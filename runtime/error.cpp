// Composes the three-part messages of the exceptions.
#include "runtime/user_line.h"

namespace weft {
namespace {

std::string with_line(std::string_view message, const Location& where) {
  std::string text(message);
  if (where.line() == 0) return text;
  std::string_view file = where.file_name();
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  text += ", at ";
  text += file;
  text += ':';
  text += std::to_string(where.line());
  return text;
}

// Does it end in ", at model.mlir:12" or ", at model.mlir:12:7"?
bool names_a_line(std::string_view message) {
  const auto at = message.rfind(", at ");
  if (at == std::string_view::npos) return false;
  const std::string_view place = message.substr(at + 5);
  const auto colon = place.find(':');
  return colon != std::string_view::npos &&
         place.find_first_not_of("0123456789:", colon) == std::string_view::npos;
}

}  // namespace

namespace runtime {
Location& user_line() {
  thread_local Location line;
  return line;
}
}  // namespace runtime

UserError::UserError(const std::string& message)
    : Error(names_a_line(message) ? message : with_line(message, runtime::user_line())) {}
UserError::UserError(std::string_view message, const Location& where) : Error(with_line(message, where)) {}

CompileError::CompileError(const std::string& reason, const std::string& file, int line, int column)
    : UserError(file.empty()
                    ? reason
                    : reason + ", at " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(line)),
      reason_(reason),
      file_(file),
      line_(line),
      column_(column) {}

InternalError::InternalError(const std::string& message)
    : Error("internal error of Weft: " + message +
            " (please report this message with the program that caused it)") {}

}  // namespace weft
