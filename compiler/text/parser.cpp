// A whole program: aliases, the module, its functions.
#include <fmt/format.h>

#include "compiler/text/body.h"
#include "compiler/text/text.h"

namespace weft::text {
namespace {

// Aliases of attributes stand for small things; what is larger no operation of ours takes.
constexpr std::size_t kMaxAliasParts = 64;

std::size_t parts_of(const AttributeValue& value) {
  std::size_t parts = 1;
  for (const AttributeValue& item : value.items) parts += parts_of(item);
  for (const NamedAttribute& field : value.fields) parts += parts_of(field.value);
  return parts;
}

class Parser {
 public:
  Parser(const SourceText& source) : reader_(source), body_(reader_, graph_, locations_) {}

  ir::Graph parse() {
    read_aliases();
    const std::size_t start = reader_.lexer.peek().offset;
    if (reader_.at_word("module") || reader_.at_word("builtin.module")) {
      read_module();
      read_aliases();
    } else {
      read_functions();
    }
    if (!reader_.at(TokenKind::end)) reader_.fail_here("the end of the program");
    locations_.apply(graph_);
    body_.check_program(start);
    return std::move(graph_);
  }

 private:
  void read_aliases() {
    while (reader_.at(TokenKind::attribute)) {
      const std::string name(reader_.lexer.take().text.substr(1));
      reader_.expect("=");
      if (at_location(reader_)) {
        locations_.define(name, read_location(reader_));
        continue;
      }
      AttributeValue value = read_attribute(reader_);
      if (parts_of(value) > kMaxAliasParts)
        value = {AttributeValue::Kind::other, value.offset, 0, 0, {}, {}, {}, {}, {}};
      reader_.aliases[name] = std::move(value);
    }
  }

  // module @name attributes {…} { functions } loc(…)
  void read_module() {
    reader_.lexer.take();
    if (reader_.at(TokenKind::symbol)) graph_.name = reader_.symbol();
    if (reader_.accept_word("attributes")) read_dictionary(reader_);
    reader_.expect("{");
    read_functions();
    reader_.expect("}");
    skip_location(reader_);
  }

  void read_functions() {
    while (!reader_.at("}") && !reader_.at(TokenKind::end)) {
      if (reader_.at(TokenKind::attribute)) {
        read_aliases();
        continue;
      }
      const Token token = reader_.lexer.peek();
      if (!reader_.at_word("func.func")) {
        if (token.kind == TokenKind::word || token.kind == TokenKind::string)
          reader_.fail(token.offset,
                       fmt::format("unknown operation '{}' outside functions", token.text.substr(0, 40)));
        reader_.fail_here("func.func");
      }
      read_function();
    }
  }

  // func.func public @name(%arg0: T {…}, …) -> (T {…}, …) attributes {…} { … } loc(…)
  void read_function() {
    reader_.expect_word("func.func");
    bool is_public = !reader_.at_word("private") && !reader_.at_word("nested");
    if (reader_.at_word("public") || !is_public) reader_.lexer.take();
    const std::size_t offset = reader_.lexer.peek().offset;
    const std::string name = reader_.symbol();
    if (!names_.insert(name).second) reader_.fail(offset, fmt::format("two functions are called @{}", name));
    const ir::RegionId region = graph_.add_function(name, is_public).body;
    reader_.expect("(");
    reader_.list_until(")", [&] { body_.read_argument(region); });
    const std::vector<ir::Type> results = reader_.accept("->") ? read_results() : std::vector<ir::Type>{};
    if (reader_.accept_word("attributes")) read_dictionary(reader_);
    if (!reader_.at("{")) reader_.fail_here("'{': functions without a body are not supported");
    reader_.expect("{");
    if (reader_.at(TokenKind::block)) reader_.fail_here("an operation");
    body_.read_function_body(region, results);
    body_.leave();
    skip_location(reader_);
  }

  std::vector<ir::Type> read_results() {
    if (!reader_.accept("(")) return {reader_.tensor_type()};
    std::vector<ir::Type> results;
    reader_.list_until(")", [&] {
      results.push_back(reader_.tensor_type());
      if (reader_.at("{")) read_dictionary(reader_);
    });
    return results;
  }

  Reader reader_;
  ir::Graph graph_;
  Locations locations_;
  BodyReader body_;
  std::unordered_set<std::string> names_;
};

}  // namespace

ir::Graph parse(std::string_view text, std::string_view file_name) {
  const SourceText source(text, file_name);
  return Parser(source).parse();
}

}  // namespace weft::text
