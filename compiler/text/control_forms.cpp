// The form of while: carried values named in its head, then the condition and the body.
#include "compiler/text/body.h"

namespace weft::text {

// (%iterArg = %0, …) : types [attributes {…}] cond { … } do { … }
void BodyReader::read_while(Statement& statement) {
  std::vector<Token> names;
  reader_.expect("(");
  reader_.list_until(")", [&] {
    names.push_back(reader_.expect(TokenKind::value, "a name like %iterArg"));
    reader_.expect("=");
    statement.operands.push_back(use());
  });
  if (reader_.accept(":") && !names.empty())
    do statement.signature.operands.push_back(reader_.tensor_type());
    while (reader_.accept(","));
  statement.signature.results = statement.signature.operands;
  if (reader_.accept_word("attributes")) read_ignored_dictionary(statement);
  reader_.expect_word("cond");
  statement.regions.push_back(read_named_region(names, types_of(statement.operands)));
  reader_.expect_word("do");
  statement.regions.push_back(read_named_region(names, types_of(statement.operands)));
}

// Braces whose block has its arguments from somewhere else.
ir::RegionId BodyReader::read_named_region(const std::vector<Token>& names, const std::vector<ir::Type>& types) {
  const Nesting nesting(reader_);
  const std::size_t outer_names = defined_.size();
  const ir::RegionId region = graph_.add_region();
  for (std::size_t i = 0; i < names.size(); ++i) define(names[i], {graph_.add_argument(region, types[i])});
  reader_.expect("{");
  read_operations(region, false, nullptr);
  forget_since(outer_names);
  return region;
}

}  // namespace weft::text
