// Composes the three-part messages of the exceptions.
#include <weft/error.h>

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

}  // namespace

UserError::UserError(std::string_view message, const Location& where) : Error(with_line(message, where)) {}

InternalError::InternalError(const std::string& message)
    : Error("internal error of Weft: " + message +
            " (please report this message with the program that caused it)") {}

}  // namespace weft
