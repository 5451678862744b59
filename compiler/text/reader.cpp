// Small pieces of the language: numbers, strings, symbols, types.
#include "compiler/text/reader.h"

#include <charconv>

#include <fmt/format.h>

#include <weft/error.h>

namespace weft::text {

void Reader::fail_here(std::string_view expected) {
  const Token& token = lexer.peek();
  if (token.kind == TokenKind::end) fail(token.offset, fmt::format("expected {}, the text ends", expected));
  const std::string_view shown = token.text.substr(0, 40);
  fail(token.offset, fmt::format("expected {}, got '{}{}'", expected, shown,
                                 shown.size() < token.text.size() ? "..." : ""));
}

bool Reader::accept(std::string_view text) {
  if (!at(text)) return false;
  lexer.take();
  return true;
}
bool Reader::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  lexer.take();
  return true;
}
void Reader::expect(std::string_view text) {
  if (!accept(text)) fail_here(fmt::format("'{}'", text));
}
void Reader::expect_word(std::string_view word) {
  if (!accept_word(word)) fail_here(fmt::format("'{}'", word));
}
Token Reader::expect(TokenKind kind, std::string_view what) {
  if (!at(kind)) fail_here(what);
  return lexer.take();
}

std::int64_t Reader::integer() {
  const std::size_t start = lexer.peek().offset;
  const bool is_negative = accept("-");
  const Token token = expect(TokenKind::integer, "an integer");
  const bool is_hex = token.text.starts_with("0x");
  std::uint64_t magnitude = 0;
  const char* end = token.text.data() + token.text.size();
  const auto result = std::from_chars(token.text.data() + (is_hex ? 2 : 0), end, magnitude, is_hex ? 16 : 10);
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (is_negative ? 0 : 1);
  if (result.ec != std::errc() || magnitude > limit) fail(start, "the integer does not fit 64 bits");
  return static_cast<std::int64_t>(is_negative ? ~magnitude + 1 : magnitude);
}

double Reader::real() {
  const std::size_t start = lexer.peek().offset;
  if (at(TokenKind::integer)) return static_cast<double>(integer());
  const bool is_negative = accept("-");
  if (at(TokenKind::integer))
    return is_negative ? -static_cast<double>(integer()) : static_cast<double>(integer());
  const Token token = expect(TokenKind::real, "a number");
  double value = 0;
  if (std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec != std::errc())
    fail(start, "the number is out of range");
  return is_negative ? -value : value;
}

std::string Reader::unescaped(const Token& token, std::string_view text) const {
  std::string out;
  if (!unescape(text, out))
    fail(token.offset, "an escape in the string is none of \\n \\t \\\" \\\\ and two hex digits");
  return out;
}

std::string Reader::string() {
  const Token token = expect(TokenKind::string, "a string");
  return unescaped(token, token.text.substr(1, token.text.size() - 2));
}

std::string Reader::symbol() {
  const Token token = expect(TokenKind::symbol, "a symbol like @main");
  if (token.text[1] != '"') return std::string(token.text.substr(1));
  return unescaped(token, token.text.substr(2, token.text.size() - 3));
}

std::vector<std::int64_t> Reader::integers() {
  std::vector<std::int64_t> values;
  expect("[");
  list_until("]", [&] { values.push_back(integer()); });
  return values;
}

// Dimensions are read from the raw text: 2x3xf32 is no sequence of tokens. Leaves the lexer before the
// element type.
Shape Reader::dimensions(std::size_t start) {
  const std::string_view text = source.text();
  std::vector<std::int64_t> extents;
  std::size_t at = lexer.offset();
  while (at < text.size() && ((text[at] >= '0' && text[at] <= '9') || text[at] == '?')) {
    if (text[at] == '?') fail(at, "dynamic dimensions are not supported");
    std::int64_t extent = 0;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), extent);
    if (result.ec != std::errc()) fail(at, "the dimension does not fit 64 bits");
    const auto end = static_cast<std::size_t>(result.ptr - text.data());
    if (end >= text.size() || text[end] != 'x') fail(end, "expected 'x' after a dimension");
    extents.push_back(extent);
    at = end + 1;
  }
  lexer.seek(at);
  try {
    return Shape(std::span<const std::int64_t>(extents));
  } catch (const ShapeError& error) {
    fail(start, error.what());
  }
}

DType Reader::element_type() {
  const std::size_t start = lexer.offset();
  std::string name;
  if (at(TokenKind::word)) {
    name = lexer.take().text;
    if (name == "complex" && accept("<")) {
      name += fmt::format("<{}>", expect(TokenKind::word, "an element type").text);
      expect(">");
    }
  } else if (at(TokenKind::type)) {
    name = lexer.peek().text;
  } else {
    fail_here("an element type");
  }
  const std::optional<DType> dtype = dtype_from_stablehlo(name);
  if (!dtype) fail(start, fmt::format("element type '{}' is not supported", name));
  return *dtype;
}

ir::Type Reader::tensor_type() {
  const std::size_t start = lexer.peek().offset;
  if (!at_word("tensor")) {
    if (at(TokenKind::word) || at(TokenKind::type))
      fail(start, fmt::format("type '{}' is not supported: values are tensors", lexer.peek().text));
    fail_here("a type like tensor<2xf32>");
  }
  lexer.take();
  expect("<");
  Shape shape = dimensions(start);
  const DType dtype = element_type();
  if (at(",")) fail_here("'>': tensors with an encoding are not supported");
  expect(">");
  // Counted without the extents that are 0: strides of an empty tensor must fit as well.
  std::int64_t bytes = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t extent : shape) {
    if (extent > 0 && bytes > kMaxTypeBytes / extent) fail(start, "the type has more than 2^56 bytes");
    if (extent > 0) bytes *= extent;
  }
  return {std::move(shape), dtype};
}

void Reader::skip_type() {
  const Nesting nesting(*this);
  if (at("(")) {
    skip_balanced();
    expect("->");
    if (at("("))
      skip_balanced();
    else
      skip_type();
    return;
  }
  if (!at(TokenKind::word) && !at(TokenKind::type)) fail_here("a type");
  lexer.take();
  if (!at("<")) return;
  skip_balanced();
}

void Reader::skip_balanced() {
  const std::size_t start = lexer.peek().offset;
  std::string closing;
  do {
    const Token token = lexer.take();
    if (token.kind == TokenKind::end) fail(start, fmt::format("'{}' is not closed", source.text()[start]));
    if (token.kind != TokenKind::punctuation || token.text.size() != 1) continue;
    switch (token.text[0]) {
      case '(':
        closing += ')';
        break;
      case '[':
        closing += ']';
        break;
      case '{':
        closing += '}';
        break;
      case '<':
        closing += '>';
        break;
      case ')':
      case ']':
      case '}':
      case '>':
        if (closing.back() != token.text[0])
          fail(token.offset, fmt::format("expected '{}', got '{}'", closing.back(), token.text));
        closing.pop_back();
        break;
    }
  } while (!closing.empty());
}

}  // namespace weft::text
