// The text being read: turns offsets into lines and columns, and raises errors that show the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::text {

struct Place {
  std::uint32_t line, column;  // from 1; columns count bytes
};

class SourceText {
 public:
  SourceText(std::string_view text, std::string_view file);

  std::string_view text() const { return text_; }
  const std::string& file() const { return file_; }
  Place place_of(std::size_t offset) const;
  // Throws ParseError "file:line:column: error: what", the source line and a caret under the offset.
  [[noreturn]] void fail(std::size_t offset, std::string_view what) const;

 private:
  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> line_starts_;
};

// "a\22b" for a"b: quotes, backslashes and control characters escaped as MLIR does, quotes around.
std::string quoted(std::string_view text);
// The inverse of it; nothing if an escape is not one. `text` is without the quotes around.
bool unescape(std::string_view text, std::string& out);

}  // namespace weft::text
