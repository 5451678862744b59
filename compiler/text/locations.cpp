// Of the forms of MLIR's locations only the lines of files are kept: the innermost of calls, the first of
// fused ones.
#include "compiler/text/locations.h"

#include <limits>

namespace weft::text {
namespace {

void append(LocationChoice& to, LocationChoice from) {
  for (auto& each : from) to.push_back(std::move(each));
}

std::uint32_t number(Reader& reader) {
  const std::size_t offset = reader.lexer.peek().offset;
  const std::int64_t value = reader.integer();
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    reader.fail(offset, "no line or column number");
  return static_cast<std::uint32_t>(value);
}

// "file":12:3, also "file":12:3 to 14:5, or "name" and "name"(location)
LocationChoice read_inner(Reader& reader);
LocationChoice read_string(Reader& reader) {
  const std::string text = reader.string();
  if (reader.accept(":")) {
    ir::SourceLine line{text, number(reader), 0};
    reader.expect(":");
    line.column = number(reader);
    if (reader.accept_word("to")) {
      if (reader.at(TokenKind::integer)) number(reader);
      reader.expect(":");
      number(reader);
    }
    return {line};
  }
  LocationChoice choice;
  if (reader.accept("(")) {
    choice = read_inner(reader);
    reader.expect(")");
  }
  return choice;
}

LocationChoice read_inner(Reader& reader) {
  const Nesting nesting(reader);
  if (reader.at(TokenKind::string)) return read_string(reader);
  if (reader.at(TokenKind::attribute)) return {std::string(reader.lexer.take().text.substr(1))};
  if (reader.accept_word("unknown")) return {};
  LocationChoice choice;
  if (reader.accept_word("callsite")) {
    reader.expect("(");
    choice = read_inner(reader);
    reader.expect_word("at");
    append(choice, read_inner(reader));
    reader.expect(")");
    return choice;
  }
  if (!reader.accept_word("fused")) reader.fail_here("a location");
  if (reader.at("<")) reader.skip_balanced();
  reader.expect("[");
  reader.list_until("]", [&] { append(choice, read_inner(reader)); });
  return choice;
}

}  // namespace

bool at_location(Reader& reader) { return reader.at_word("loc"); }

LocationChoice read_location(Reader& reader) {
  reader.expect_word("loc");
  reader.expect("(");
  LocationChoice choice = read_inner(reader);
  reader.expect(")");
  return choice;
}

void skip_location(Reader& reader) {
  if (at_location(reader)) read_location(reader);
}

// Names that refer to themselves, or through too many others, stand for nothing.
std::optional<ir::SourceLine> Locations::line_of(const LocationChoice& choice, int depth) {
  if (depth == kMaxNesting) return std::nullopt;
  for (const auto& each : choice) {
    if (const auto* line = std::get_if<ir::SourceLine>(&each)) return *line;
    const std::string& name = std::get<std::string>(each);
    const auto [known, is_new] = known_.try_emplace(name);
    if (is_new) {
      if (const auto definition = defined_.find(name); definition != defined_.end())
        known_[name] = line_of(definition->second, depth + 1);
    }
    if (known_[name]) return known_[name];
  }
  return std::nullopt;
}

void Locations::apply(ir::Graph& graph) {
  for (const Noted& noted : noted_) {
    const std::optional<ir::SourceLine> line = line_of(noted.choice, 0);
    graph.node(noted.node).location = line ? graph.add_location(*line) : 0;
  }
}

}  // namespace weft::text
