// Lines and columns by binary search in the starts of lines; long lines are shown around the column only.
#include "compiler/text/source_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <weft/error.h>

namespace weft::text {
namespace {

constexpr std::size_t kShownBefore = 80, kShownAfter = 60;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// What is shown of a line and the blanks that bring the caret under `column` (from 0).
struct Excerpt {
  std::string line, blanks;
};
Excerpt excerpt_of(std::string_view line, std::size_t column) {
  std::size_t first = column > kShownBefore ? column - kShownBefore : 0;
  while (first > 0 && first < line.size() && is_continuation(line[first])) ++first;
  const std::size_t last = std::min(line.size(), column + kShownAfter);
  Excerpt excerpt;
  if (first > 0) excerpt = {"...", "   "};
  for (std::size_t i = first; i < last; ++i) {
    const char c = line[i];
    const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t';
    excerpt.line += is_control ? ' ' : c;
    if (i < column && !is_continuation(c)) excerpt.blanks += c == '\t' ? '\t' : ' ';
  }
  if (last < line.size()) excerpt.line += "...";
  return excerpt;
}

int hex_digit(char c) {
  int value = -1;
  std::from_chars(&c, &c + 1, value, 16);
  return value;
}

}  // namespace

SourceText::SourceText(std::string_view text, std::string_view file)
    : text_(text), file_(file), line_starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_starts_.push_back(i + 1);
}

Place SourceText::place_of(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - line_starts_.begin());
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - line_starts_[line - 1] + 1)};
}

void SourceText::fail(std::size_t offset, std::string_view what) const {
  const Place place = place_of(offset);
  const std::string_view line = text_.substr(line_starts_[place.line - 1]);
  const Excerpt excerpt = excerpt_of(line.substr(0, line.find('\n')), place.column - 1);
  throw ParseError(fmt::format("{}:{}:{}: error: {}\n{}\n{}^", file_, place.line, place.column, what,
                               excerpt.line, excerpt.blanks),
                   static_cast<int>(place.line), static_cast<int>(place.column));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\\')
      out += "\\\\";
    else if (c == '"' || code < 0x20 || code == 0x7F)
      out += fmt::format("\\{:02X}", code);
    else
      out += c;
  }
  return out + '"';
}

bool unescape(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == 'n' || next == 't' || next == '"' || next == '\\') {
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
      i += 1;
      continue;
    }
    const int high = hex_digit(next), low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

}  // namespace weft::text
