// Tokens, positions of errors, and what an error shows.
#include <gtest/gtest.h>

#include <weft/error.h>

#include "compiler/text/lexer.h"

namespace weft::text {
namespace {

std::vector<Token> tokens_of(const SourceText& source) {
  Lexer lexer(source);
  std::vector<Token> tokens;
  while (lexer.peek().kind != TokenKind::end) tokens.push_back(lexer.take());
  return tokens;
}

TEST(Lexer, every_kind_of_token) {
  const SourceText source(
      "stablehlo.add %arg0 %0#1 @main @\"<l>\" #loc1 !quant.x ^bb0 12 0xFf 1.5e-03 -1. \"a\\\"b\" -> ::",
      "t");
  const std::vector<std::pair<TokenKind, std::string>> want = {
      {TokenKind::word, "stablehlo.add"}, {TokenKind::value, "%arg0"},   {TokenKind::value, "%0"},
      {TokenKind::attribute, "#1"},       {TokenKind::symbol, "@main"},  {TokenKind::symbol, "@\"<l>\""},
      {TokenKind::attribute, "#loc1"},    {TokenKind::type, "!quant.x"}, {TokenKind::block, "^bb0"},
      {TokenKind::integer, "12"},         {TokenKind::integer, "0xFf"},  {TokenKind::real, "1.5e-03"},
      {TokenKind::punctuation, "-"},      {TokenKind::real, "1."},       {TokenKind::string, "\"a\\\"b\""},
      {TokenKind::punctuation, "->"},     {TokenKind::punctuation, "::"}};
  const std::vector<Token> got = tokens_of(source);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].kind, want[i].first) << want[i].second;
    EXPECT_EQ(got[i].text, want[i].second);
  }
}

TEST(Lexer, names_of_values) {
  for (const char* name : {"%0", "%arg3", "%iterArg_2", "%cst_1", "%a-b.c$d", "%_"}) {
    const SourceText source(name, "t");
    ASSERT_EQ(tokens_of(source).size(), 1u) << name;
    EXPECT_EQ(tokens_of(source)[0].kind, TokenKind::value);
  }
}

TEST(Lexer, blanks_and_comments_are_skipped) {
  const SourceText source("// first\n\ta // %x \"\n\r\n b//", "t");
  const std::vector<Token> tokens = tokens_of(source);
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(source.place_of(tokens[1].offset).line, 4u);
  EXPECT_EQ(source.place_of(tokens[1].offset).column, 2u);
}

void expect_error(std::string_view text, int line, int column, const std::string& message) {
  try {
    tokens_of(SourceText(text, "p.mlir"));
    FAIL() << text << " is accepted";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.line(), line);
    EXPECT_EQ(error.column(), column);
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Lexer, errors_show_the_line_and_a_caret) {
  expect_error("ok\n\tab \"open\n", 2, 5,
               "p.mlir:2:5: error: the string is not closed on its line\n\tab \"open\n\t   ^");
  expect_error("a \x01", 1, 3, "p.mlir:1:3: error: a character that is not part of the language\na  \n  ^");
  // Columns count bytes, the caret counts characters.
  expect_error("\"é\" é", 1, 6,
               "p.mlir:1:6: error: a character that is not part of the language\n\"é\" é\n    ^");
}

TEST(Lexer, long_lines_are_shown_in_part) {
  const std::string text = std::string(1000, 'a') + " \x02 " + std::string(1000, 'b');
  try {
    tokens_of(SourceText(text, "p"));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.column(), 1002);
    EXPECT_LT(std::string(error.what()).size(), 400u);
  }
}

TEST(Lexer, strings_escape_and_back) {
  const std::string plain = "a\"b\\c\n\x01é";
  std::string back;
  const std::string written = text::quoted(plain);
  ASSERT_TRUE(unescape(std::string_view(written).substr(1, written.size() - 2), back));
  EXPECT_EQ(back, plain);
  ASSERT_TRUE(unescape("\\t\\n\\\"\\\\\\4a", back));
  EXPECT_EQ(back, "\t\n\"\\J");
  EXPECT_FALSE(unescape("\\q", back));
  EXPECT_FALSE(unescape("\\", back));
}

}  // namespace
}  // namespace weft::text
