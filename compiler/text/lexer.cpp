// Tokens of MLIR's text; what characters make up which is MLIR's language reference.
#include "compiler/text/lexer.h"

namespace weft::text {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
bool continues_name(char c) { return continues_word(c) || c == '-'; }

}  // namespace

bool is_bare_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (char c : text)
    if (!continues_word(c)) return false;
  return true;
}

const Token& Lexer::peek() {
  if (!has_token_) {
    token_ = lex();
    has_token_ = true;
  }
  return token_;
}

Token Lexer::take() {
  peek();
  has_token_ = false;
  return token_;
}

void Lexer::seek(std::size_t offset) {
  at_ = offset;
  has_token_ = false;
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && at(at_ + 1) == '/') {
      const auto end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

Token Lexer::token(TokenKind kind, std::size_t end) {
  const Token result{kind, text_.substr(at_, end - at_), at_};
  at_ = end;
  return result;
}

Token Lexer::number() {
  std::size_t end = at_;
  if (at(at_) == '0' && at(at_ + 1) == 'x' && is_hex(at(at_ + 2))) {
    for (end += 2; is_hex(at(end));) ++end;
    return token(TokenKind::integer, end);
  }
  while (is_digit(at(end))) ++end;
  if (at(end) != '.') return token(TokenKind::integer, end);
  for (++end; is_digit(at(end));) ++end;
  if (at(end) == 'e' || at(end) == 'E') {
    std::size_t digits = end + 1;
    if (at(digits) == '+' || at(digits) == '-') ++digits;
    if (is_digit(at(digits)))
      for (end = digits; is_digit(at(end));) ++end;
  }
  return token(TokenKind::real, end);
}

// `quote` is where the opening quote stands: at the token's start, or after the @ of a symbol.
Token Lexer::string(TokenKind kind, std::size_t quote) {
  for (std::size_t end = quote + 1; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == '"') return token(kind, end + 1);
    if (text_[end] == '\\') ++end;
  }
  source_.fail(at_, "the string is not closed on its line");
}

Token Lexer::lex() {
  skip_blanks();
  if (at_ >= text_.size()) return token(TokenKind::end, at_);
  const char c = text_[at_], next = at(at_ + 1);
  const auto name = [&](TokenKind kind, bool (*continues)(char)) {
    std::size_t end = at_ + 1;
    if (is_digit(at(end)) && kind != TokenKind::word)
      while (is_digit(at(end))) ++end;
    else
      while (continues(at(end))) ++end;
    return token(kind, end);
  };
  if (is_letter(c)) return name(TokenKind::word, continues_word);
  if (is_digit(c)) return number();
  if (c == '"') return string(TokenKind::string, at_);
  if (c == '@' && next == '"') return string(TokenKind::symbol, at_ + 1);
  if (c == '@' && is_letter(next)) return name(TokenKind::symbol, continues_word);
  if (c == '%' && continues_name(next)) return name(TokenKind::value, continues_name);
  if (c == '^' && continues_name(next)) return name(TokenKind::block, continues_name);
  if (c == '#' && (is_letter(next) || is_digit(next))) return name(TokenKind::attribute, continues_word);
  if (c == '!' && is_letter(next)) return name(TokenKind::type, continues_word);
  if ((c == '-' && next == '>') || (c == ':' && next == ':')) return token(TokenKind::punctuation, at_ + 2);
  if (c > ' ' && c < 0x7F) return token(TokenKind::punctuation, at_ + 1);
  source_.fail(at_, "a character that is not part of the language");
}

}  // namespace weft::text
