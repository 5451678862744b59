// Statements of a function or region: names, the generic form, regions, terminators; every operation is
// checked by its type rule where it stands.
#include "compiler/text/body.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/text/text.h"

namespace weft::text {
namespace {

using ir::Op;
using ir::RegionId;
using ir::ValueId;

constexpr std::size_t kMaxResults = 1 << 16;  // of one operation

std::string list_of(const std::vector<ir::Type>& types) {
  std::string text;
  for (const ir::Type& type : types) text += (text.empty() ? "" : ", ") + print_type(type);
  return "(" + text + ")";
}

bool is_return(std::string_view name) {
  return name == "return" || name == "func.return" || name == "stablehlo.return";
}

// Two names that mean an operation which has another: call within a function, and what CHLO had before
// StableHLO.
std::string_view known_name(std::string_view name, bool is_generic) {
  if (name == "call" && !is_generic) return "func.call";
  if (name == "chlo.tan") return "stablehlo.tan";
  return name;
}

}  // namespace

// --- names ---

void BodyReader::define(const Token& name, std::vector<ValueId> values) {
  if (!visible_.try_emplace(name.text, std::move(values)).second)
    reader_.fail(name.offset, fmt::format("{} is already defined", name.text));
  defined_.push_back(name.text);
}

void BodyReader::forget_since(std::size_t count) {
  for (; defined_.size() > count; defined_.pop_back()) visible_.erase(defined_.back());
}
void BodyReader::leave() { forget_since(0); }

ValueId BodyReader::use() {
  const Token name = reader_.expect(TokenKind::value, "a value like %0");
  const auto found = visible_.find(name.text);
  if (found == visible_.end())
    reader_.fail(name.offset, fmt::format("{} is not defined before its use", name.text));
  std::size_t index = 0;
  const Token number = reader_.lexer.peek();
  if (number.kind == TokenKind::attribute && number.offset == name.offset + name.text.size()) {
    reader_.lexer.take();
    const char* end = number.text.data() + number.text.size();
    const auto result = std::from_chars(number.text.data() + 1, end, index);
    if (result.ec != std::errc() || result.ptr != end)
      reader_.fail(number.offset, "expected the number of a result, like #0");
  }
  if (index >= found->second.size())
    reader_.fail(name.offset,
                 fmt::format("{} has {} results, not {}", name.text, found->second.size(), index + 1));
  return found->second[index];
}

std::vector<ValueId> BodyReader::uses_until(std::string_view close) {
  std::vector<ValueId> values;
  reader_.list_until(close, [&] { values.push_back(use()); });
  return values;
}

// Stops before a comma that no value follows.
std::vector<ValueId> BodyReader::uses() {
  std::vector<ValueId> values;
  if (!reader_.at(TokenKind::value)) return values;
  values.push_back(use());
  while (reader_.at(",")) {
    const std::size_t comma = reader_.lexer.offset();
    reader_.lexer.take();
    if (!reader_.at(TokenKind::value)) {
      reader_.lexer.seek(comma);
      break;
    }
    values.push_back(use());
  }
  return values;
}

std::vector<BodyReader::ResultName> BodyReader::read_result_names() {
  std::vector<ResultName> names;
  if (!reader_.at(TokenKind::value)) return names;
  do {
    const Token name = reader_.expect(TokenKind::value, "a value like %0");
    std::int64_t count = 1;
    if (reader_.accept(":")) {
      const std::size_t offset = reader_.lexer.peek().offset;
      count = reader_.integer();
      if (count < 1 || count > static_cast<std::int64_t>(kMaxResults))
        reader_.fail(offset, "no number of results");
    }
    names.push_back({name.text, static_cast<std::size_t>(count), name.offset});
  } while (reader_.accept(","));
  reader_.expect("=");
  return names;
}

// --- regions ---

void BodyReader::read_argument(RegionId region) {
  const Token name = reader_.expect(TokenKind::value, "an argument like %arg0");
  reader_.expect(":");
  const ValueId argument = graph_.add_argument(region, reader_.tensor_type());
  define(name, {argument});
  if (reader_.at("{")) read_dictionary(reader_);
  skip_location(reader_);
}

// The braces and an optional label with arguments, then operations with a terminator.
RegionId BodyReader::read_region() {
  const Nesting nesting(reader_);
  const std::size_t outer_names = defined_.size();
  const RegionId region = graph_.add_region();
  reader_.expect("{");
  if (reader_.at(TokenKind::block)) {
    reader_.lexer.take();
    if (reader_.accept("(")) reader_.list_until(")", [&] { read_argument(region); });
    reader_.expect(":");
  }
  read_operations(region, false, nullptr);
  forget_since(outer_names);
  return region;
}

std::vector<RegionId> BodyReader::read_regions() {
  std::vector<RegionId> regions;
  reader_.expect("(");
  reader_.list_until(")", [&] { regions.push_back(read_region()); });
  return regions;
}

void BodyReader::read_function_body(RegionId region, const std::vector<ir::Type>& results) {
  read_operations(region, true, &results);
}

void BodyReader::read_operations(RegionId region, bool is_function, const std::vector<ir::Type>* results) {
  while (!read_terminator(region, is_function, results)) read_statement(region);
  if (reader_.at(TokenKind::block)) reader_.fail_here("'}': regions of several blocks are not supported");
  if (!reader_.at("}")) reader_.fail_here("'}' after the return");
  reader_.expect("}");
}

// "return %a, %b : T, U" or "stablehlo.return"(%a) : (T) -> (), which end a region.
bool BodyReader::read_terminator(RegionId region, bool is_function, const std::vector<ir::Type>* results) {
  const Token token = reader_.lexer.peek();
  const bool is_generic = token.kind == TokenKind::string;
  if (!is_generic && token.kind != TokenKind::word) {
    if (reader_.at("}") || token.kind == TokenKind::end) reader_.fail_here("a return at the end");
    return false;
  }
  const std::string_view name = is_generic ? token.text.substr(1, token.text.size() - 2) : token.text;
  if (!is_return(name)) return false;
  if (is_function == (name == "stablehlo.return"))
    reader_.fail(token.offset,
                 is_function ? "a function ends with return" : "a region ends with stablehlo.return");
  reader_.lexer.take();
  std::vector<ValueId> values;
  std::vector<ir::Type> types;
  if (is_generic) {
    reader_.expect("(");
    values = uses_until(")");
    if (reader_.at("{")) read_dictionary(reader_);
    reader_.expect(":");
    types = read_function_type().operands;
  } else {
    values = uses();
    if (reader_.at("{")) read_dictionary(reader_);
    if (!values.empty()) {
      reader_.expect(":");
      do types.push_back(reader_.tensor_type());
      while (reader_.accept(","));
    }
  }
  skip_location(reader_);
  if (types_of(values) != types)
    reader_.fail(token.offset, fmt::format("the return declares {}, its values are {}", list_of(types),
                                           list_of(types_of(values))));
  if (results && types != *results)
    reader_.fail(token.offset,
                 fmt::format("the function gives {}, returned are {}", list_of(*results), list_of(types)));
  graph_.region(region).results = std::move(values);
  return true;
}

// --- operations ---

ir::LocationId BodyReader::location_at(std::size_t offset) {
  const Place place = reader_.source.place_of(offset);
  return graph_.add_location({reader_.source.file(), place.line, place.column});
}

void BodyReader::read_statement(RegionId region) {
  const std::vector<ResultName> names = read_result_names();
  Statement statement;
  const Token token = reader_.lexer.peek();
  statement.offset = token.offset;
  const bool is_generic = token.kind == TokenKind::string;
  if (is_generic)
    statement.name = reader_.string();
  else
    statement.name = reader_.expect(TokenKind::word, "an operation").text;
  if (is_return(statement.name)) reader_.fail(statement.offset, "a return has no results");
  if (!is_generic && statement.name.starts_with("check.")) {
    read_check(region, statement);
  } else {
    const std::optional<Op> op = ir::op_from_text(known_name(statement.name, is_generic));
    if (!op) reader_.fail(statement.offset, fmt::format("unknown operation '{}'", statement.name));
    statement.op = *op;
    if (is_generic)
      read_generic(statement);
    else
      read_pretty(statement);
  }
  const std::size_t offset = statement.offset;
  const bool is_compact = statement.is_compact;
  const ir::NodeId node = finish(region, std::move(statement));
  if (at_location(reader_)) {
    const LocationChoice choice = read_location(reader_);
    locations_.note(node, choice);
    if (is_compact) locations_.note(graph_.region(graph_.node(node).regions[0]).nodes[0], choice);
  }

  std::size_t next = 0;
  const std::vector<ValueId> results = graph_.node(node).results;
  for (const ResultName& name : names) {
    if (name.count > results.size() - next) break;
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(next);
    define({TokenKind::value, name.name, name.offset},
           {first, first + static_cast<std::ptrdiff_t>(name.count)});
    next += name.count;
  }
  std::size_t named = 0;
  for (const ResultName& name : names) named += name.count;
  if (named != results.size() && !names.empty())
    reader_.fail(offset, fmt::format("gives {} results, {} are named", results.size(), named));
}

// STRING '(' uses ')' ['<' dictionary '>'] ['(' regions ')'] [dictionary] ':' type
void BodyReader::read_generic(Statement& statement) {
  Fields fields(reader_, statement.name, statement.offset);
  reader_.expect("(");
  statement.operands = uses_until(")");
  if (reader_.at("[")) reader_.fail_here("attributes or ':': operations with successors are not supported");
  if (reader_.accept("<")) {
    fields.add(read_dictionary(reader_));
    reader_.expect(">");
  }
  if (reader_.at("(")) statement.regions = read_regions();
  fields.add(read_optional_dictionary(reader_));
  reader_.expect(":");
  statement.signature = read_function_type();
  const std::vector<ir::Type> operands = types_of(statement.operands);
  statement.attributes = attributes_from(statement.op, fields, operands);
  fields.finish();
}

std::vector<ir::Type> BodyReader::types_of(const std::vector<ValueId>& values) const {
  std::vector<ir::Type> types;
  types.reserve(values.size());
  for (ValueId value : values) types.push_back(graph_.type(value));
  return types;
}

void BodyReader::check_operands(const Statement& statement) const {
  const std::vector<ir::Type>& declared = statement.signature.operands;
  if (declared.size() != statement.operands.size())
    reader_.fail(statement.offset, fmt::format("{}: {} operands, but types of {}", statement.name,
                                               statement.operands.size(), declared.size()));
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const ir::Type& type = graph_.type(statement.operands[i]);
    if (type != declared[i])
      reader_.fail(statement.offset, fmt::format("{}: operand {} is {}, declared {}", statement.name, i,
                                                 print_type(type), print_type(declared[i])));
  }
}

ir::TypeAnswer BodyReader::infer(const Statement& statement) const {
  try {
    return ir::infer_types({graph_, statement.op, statement.signature.operands, statement.attributes,
                            statement.regions, statement.signature.results});
  } catch (const UserError& error) {  // a result too large for a Shape
    reader_.fail(statement.offset, fmt::format("{}: {}", statement.name, error.what()));
  }
}

// Checks the operation by its type rule and appends it. Calls are checked at the end: functions may follow.
ir::NodeId BodyReader::finish(RegionId region, Statement statement) {
  check_operands(statement);
  const bool has_body = statement.op == Op::reduce || statement.op == Op::sort || statement.op == Op::scatter;
  const std::size_t wanted_regions = has_body ? 1 : 0;
  if (!ir::is_control_flow(statement.op) && statement.regions.size() != wanted_regions)
    reader_.fail(statement.offset, fmt::format("{}: has {} regions, got {}", statement.name, wanted_regions,
                                               statement.regions.size()));
  if (statement.op != Op::call) {
    const ir::TypeAnswer answer = infer(statement);
    if (answer.fault)
      reader_.fail(statement.offset,
                   fmt::format("{}: {} ({})", statement.name, answer.fault->text, answer.fault->rule));
    if (answer.types != statement.signature.results)
      reader_.fail(statement.offset,
                   fmt::format("{}: gives {}, declared {}", statement.name, list_of(answer.types),
                               list_of(statement.signature.results)));
  }
  const ir::NodeId node = graph_.add_node(
      region, statement.op, std::move(statement.operands), std::move(statement.attributes),
      std::move(statement.signature.results), std::move(statement.regions), location_at(statement.offset));
  offsets_.resize(graph_.node_count(), statement.offset);
  if (graph_.node(node).op == Op::call) calls_.push_back({node, statement.offset});
  return node;
}

// --- the whole program ---

void BodyReader::check_call(const Call& call) const {
  const ir::Node& node = graph_.node(call.node);
  const std::string& callee = ir::attributes_of<ir::CallAttributes>(node).callee;
  const ir::Function* function = graph_.find_function(callee);
  if (!function) reader_.fail(call.offset, fmt::format("there is no function @{}", callee));
  const ir::Region& body = graph_.region(function->body);
  const std::vector<ir::Type> operands = types_of(node.operands), results = types_of(node.results);
  const std::vector<ir::Type> takes = types_of(body.arguments), gives = types_of(body.results);
  if (operands != takes || results != gives)
    reader_.fail(call.offset, fmt::format("@{} is {} -> {}, called as {} -> {}", callee, list_of(takes),
                                          list_of(gives), list_of(operands), list_of(results)));
}

void BodyReader::check_program(std::size_t module_offset) const {
  if (graph_.functions.empty()) reader_.fail(module_offset, "the program has no function");
  for (const Call& call : calls_) check_call(call);
  const std::optional<ir::Finding> finding = ir::find_fault(graph_);
  if (!finding) return;
  std::size_t offset = module_offset;
  if (finding->node != ir::kNone)
    offset = offsets_[finding->node];
  else if (!calls_.empty())
    offset = calls_.front().offset;  // only recursion is left
  reader_.fail(offset, finding->message);
}

}  // namespace weft::text
