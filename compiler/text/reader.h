// What the readers of a program's parts share: the tokens, the aliases met so far, and how deep they are.
#pragma once

#include <optional>
#include <unordered_map>

#include "compiler/ir/ir.h"
#include "compiler/text/attribute_value.h"
#include "compiler/text/lexer.h"

namespace weft::text {

// Limits of what is read; each is a ParseError where it is exceeded.
inline constexpr int kMaxNesting = 128;  // regions, attributes and locations within others
inline constexpr std::int64_t kMaxTypeBytes = std::int64_t{1} << 56;     // of one value
inline constexpr std::int64_t kMaxLiteralBytes = std::int64_t{1} << 33;  // of a dense<…> that is not a splat

class Reader {
 public:
  explicit Reader(const SourceText& text) : source(text), lexer(text) {}

  const SourceText& source;
  Lexer lexer;
  std::unordered_map<std::string, AttributeValue> aliases;  // #name = …

  [[noreturn]] void fail(std::size_t offset, std::string_view what) const { source.fail(offset, what); }
  [[noreturn]] void fail_here(std::string_view expected);  // "expected X, got Y" at the next token

  bool at(std::string_view text) {
    return lexer.peek().kind == TokenKind::punctuation && lexer.peek().text == text;
  }
  bool at(TokenKind kind) { return lexer.peek().kind == kind; }
  bool at_word(std::string_view word) { return at(TokenKind::word) && lexer.peek().text == word; }
  bool accept(std::string_view text);
  bool accept_word(std::string_view word);
  void expect(std::string_view text);
  void expect_word(std::string_view word);
  Token expect(TokenKind kind, std::string_view what);

  std::int64_t integer();                // with an optional minus
  double real();                         // decimal, or an integer
  std::string string();                  // unescaped
  std::string symbol();                  // without @ and quotes
  std::vector<std::int64_t> integers();  // [1, 2]
  ir::Type tensor_type();                // tensor<3x4xf32>
  void skip_type();                      // any type
  void skip_balanced();                  // from an opening bracket to its closing one
  template <class Item>
  void list_until(std::string_view close, const Item& item) {  // after the opening bracket
    if (accept(close)) return;
    do item();
    while (accept(","));
    expect(close);
  }

 private:
  friend class Nesting;
  Shape dimensions(std::size_t start);
  DType element_type();
  std::string unescaped(const Token& token, std::string_view text) const;
  int depth_ = 0;
};

// Held while something that may contain itself is read.
class Nesting {
 public:
  explicit Nesting(Reader& reader) : reader_(reader) {
    if (reader.depth_ >= kMaxNesting) reader.fail(reader.lexer.offset(), "nested too deep");
    ++reader.depth_;
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --reader_.depth_; }

 private:
  Reader& reader_;
};

}  // namespace weft::text
