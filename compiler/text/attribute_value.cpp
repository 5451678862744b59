// Reads any attribute that MLIR can write; those that no operation of ours takes are skipped over.
#include <fmt/format.h>

#include "compiler/text/attributes.h"
#include "compiler/text/parse_literal.h"

namespace weft::text {
namespace {

using Kind = AttributeValue::Kind;

AttributeValue made(Kind kind, std::size_t offset) {
  AttributeValue value;
  value.kind = kind;
  value.offset = offset;
  return value;
}

void skip_optional_type(Reader& reader) {
  if (reader.accept(":")) reader.skip_type();
}

AttributeValue read_number(Reader& reader, std::size_t offset) {
  const std::size_t start = reader.lexer.offset();
  reader.accept("-");
  const bool is_integer = reader.at(TokenKind::integer);
  reader.lexer.seek(start);
  AttributeValue value = made(is_integer ? Kind::integer : Kind::real, offset);
  if (is_integer)
    value.integer = reader.integer();
  else
    value.real = reader.real();
  skip_optional_type(reader);
  return value;
}

AttributeValue read_boolean(Reader& reader, std::size_t offset) {
  AttributeValue value = made(Kind::boolean, offset);
  value.integer = reader.lexer.take().text == "true";
  return value;
}

// array<i64: 1, 2>, array<i1: true>, array<i64>
AttributeValue read_array(Reader& reader, std::size_t offset) {
  AttributeValue value = made(Kind::list, offset);
  reader.expect_word("array");
  reader.expect("<");
  reader.expect(TokenKind::word, "an element type");
  if (reader.accept(">")) return value;
  reader.expect(":");
  reader.list_until(">", [&] {
    const std::size_t at = reader.lexer.peek().offset;
    const bool is_boolean = reader.at_word("true") || reader.at_word("false");
    value.items.push_back(is_boolean ? read_boolean(reader, at) : read_number(reader, at));
  });
  return value;
}

AttributeValue read_word(Reader& reader, std::size_t offset) {
  const std::string_view word = reader.lexer.peek().text;
  if (word == "true" || word == "false") {
    AttributeValue value = read_boolean(reader, offset);
    skip_optional_type(reader);
    return value;
  }
  if (word == "dense") {
    AttributeValue value = made(Kind::dense, offset);
    value.literal = read_literal(reader);
    return value;
  }
  if (word == "array") return read_array(reader, offset);
  if (word == "unit") {
    reader.lexer.take();
    return made(Kind::unit, offset);
  }
  if (word == "loc") {
    reader.lexer.take();
    reader.skip_balanced();
  } else {
    reader.skip_type();  // also affine_map<…> and its like
    skip_optional_type(reader);
  }
  return made(Kind::other, offset);
}

// What follows #stablehlo< : "NAME VALUE>" of an enumeration.
AttributeValue read_keyword(Reader& reader, std::size_t offset) {
  const std::size_t open = reader.lexer.offset();
  reader.expect("<");
  AttributeValue value = made(Kind::keyword, offset);
  if (reader.at(TokenKind::word)) {
    value.name = reader.lexer.take().text;
    if (reader.at(TokenKind::word)) {
      value.text = reader.lexer.take().text;
      if (reader.accept(">")) return value;
    }
  }
  reader.lexer.seek(open);
  reader.skip_balanced();
  return made(Kind::other, offset);
}

Dictionary read_fields(Reader& reader, std::string_view close) {
  Dictionary fields;
  while (!reader.accept(close)) {
    const Token key = reader.lexer.peek();
    NamedAttribute field{{}, key.offset, made(Kind::unit, key.offset)};
    if (key.kind == TokenKind::string)
      field.key = reader.string();
    else
      field.key = reader.expect(TokenKind::word, fmt::format("a key or '{}'", close)).text;
    if (reader.accept("=")) field.value = read_attribute(reader);
    fields.push_back(std::move(field));
    if (!reader.accept(",") && !reader.at(close)) reader.fail_here(fmt::format("',' or '{}'", close));
  }
  return fields;
}

// #alias, #stablehlo<…>, #stablehlo.gather<…>, #stablehlo.scatter<…> and what other dialects write.
AttributeValue read_hash(Reader& reader, std::size_t offset) {
  const std::string name(reader.lexer.take().text.substr(1));
  if (reader.at("<")) {
    if (name == "stablehlo") return read_keyword(reader, offset);
    if (name == "stablehlo.conv") {
      reader.expect("<");
      AttributeValue value = read_convolution_dimensions(reader);
      reader.expect(">");
      return value;
    }
    if (name != "stablehlo.gather" && name != "stablehlo.scatter" && name != "stablehlo.dot") {
      reader.skip_balanced();
      skip_optional_type(reader);
      return made(Kind::other, offset);
    }
    reader.expect("<");
    AttributeValue value = made(Kind::record, offset);
    value.name = name;
    value.fields = read_fields(reader, ">");
    return value;
  }
  const auto alias = reader.aliases.find(name);
  if (alias == reader.aliases.end()) return made(Kind::other, offset);
  AttributeValue value = alias->second;
  value.offset = offset;
  return value;
}

}  // namespace

AttributeValue read_attribute(Reader& reader) {
  const Nesting nesting(reader);
  const Token token = reader.lexer.peek();
  const std::size_t offset = token.offset;
  switch (token.kind) {
    case TokenKind::integer:
    case TokenKind::real:
      return read_number(reader, offset);
    case TokenKind::word:
      return read_word(reader, offset);
    case TokenKind::attribute:
      return read_hash(reader, offset);
    case TokenKind::string: {
      AttributeValue value = made(Kind::string, offset);
      value.text = reader.string();
      skip_optional_type(reader);
      return value;
    }
    case TokenKind::symbol: {
      AttributeValue value = made(Kind::symbol, offset);
      value.text = reader.symbol();
      while (reader.accept("::")) value.text = reader.symbol();
      return value;
    }
    case TokenKind::type:
      reader.skip_type();
      return made(Kind::other, offset);
    case TokenKind::end:
    case TokenKind::value:
    case TokenKind::block:
      break;
    case TokenKind::punctuation:
      if (token.text == "-") return read_number(reader, offset);
      if (token.text == "[") {
        AttributeValue value = made(Kind::list, offset);
        reader.expect("[");
        reader.list_until("]", [&] { value.items.push_back(read_attribute(reader)); });
        return value;
      }
      if (token.text == "{") {
        AttributeValue value = made(Kind::record, offset);
        reader.expect("{");
        value.fields = read_fields(reader, "}");
        return value;
      }
      if (token.text == "(") {
        reader.skip_type();
        return made(Kind::other, offset);
      }
      break;
  }
  reader.fail_here("an attribute");
}

Dictionary read_dictionary(Reader& reader) {
  const Nesting nesting(reader);
  reader.expect("{");
  return read_fields(reader, "}");
}

Dictionary read_optional_dictionary(Reader& reader) {
  return reader.at("{") ? read_dictionary(reader) : Dictionary{};
}

}  // namespace weft::text
