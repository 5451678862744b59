// Splits a program's text into tokens, one at a time, so that a reader may also look at the raw text between
// them.
#pragma once

#include <string_view>

#include "compiler/text/source_text.h"

namespace weft::text {

enum class TokenKind : std::uint8_t {
  end,
  word,        // stablehlo.add, tensor, true
  value,       // %arg0
  symbol,      // @main, @"<lambda>"
  attribute,   // #loc1, #stablehlo.gather, #0 of %x#0
  type,        // !stablehlo.token
  block,       // ^bb0
  integer,     // 12, 0x7F800000
  real,        // 1.0, 2.5e-03
  string,      // with its quotes
  punctuation  // one character, "->" or "::"
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t offset = 0;
};

class Lexer {
 public:
  explicit Lexer(const SourceText& source) : source_(source), text_(source.text()) {}

  const Token& peek();
  Token take();
  std::size_t offset() const {
    return has_token_ ? token_.offset : at_;
  }  // where the next token begins, or before
  void seek(std::size_t offset);

 private:
  Token lex();
  void skip_blanks();
  Token token(TokenKind kind, std::size_t end);
  Token number();
  Token string(TokenKind kind, std::size_t quote);
  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  bool has_token_ = false;
};

bool is_bare_name(std::string_view text);  // needs no quotes after @

}  // namespace weft::text
