// The forms in which StableHLO's own tools print operations, by operation.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compiler/ir/reductions.h"
#include "compiler/text/body.h"
#include "compiler/text/parse_literal.h"

namespace weft::text {
namespace {

using ir::Op;
using ir::RegionId;
using ir::ValueId;

// "e5m10"
std::optional<ir::ReducePrecisionAttributes> format_from(std::string_view text) {
  ir::ReducePrecisionAttributes format;
  const char* end = text.data() + text.size();
  if (!text.starts_with('e')) return std::nullopt;
  const auto exponent = std::from_chars(text.data() + 1, end, format.exponent_bits);
  if (exponent.ec != std::errc() || exponent.ptr == end || *exponent.ptr != 'm') return std::nullopt;
  const auto mantissa = std::from_chars(exponent.ptr + 1, end, format.mantissa_bits);
  if (mantissa.ec != std::errc() || mantissa.ptr != end) return std::nullopt;
  return format;
}

}  // namespace

// --- types ---

std::vector<ir::Type> BodyReader::read_types(std::string_view close) {
  std::vector<ir::Type> types;
  reader_.list_until(close, [&] { types.push_back(reader_.tensor_type()); });
  return types;
}

// (T, U) -> V or (T, U) -> (V, W)
Signature BodyReader::read_function_type() {
  Signature signature;
  reader_.expect("(");
  signature.operands = read_types(")");
  reader_.expect("->");
  if (reader_.accept("("))
    signature.results = read_types(")");
  else
    signature.results = {reader_.tensor_type()};
  return signature;
}

// After the colon: a function type, "T, U -> V", or one type that all operands and the result have.
Signature BodyReader::read_signature(std::size_t operands) {
  reader_.expect(":");
  if (reader_.at("(")) return read_function_type();
  Signature signature;
  do signature.operands.push_back(reader_.tensor_type());
  while (reader_.accept(","));
  if (reader_.accept("->")) {
    signature.results = {reader_.tensor_type()};
  } else if (signature.operands.size() == 1) {
    signature.results = signature.operands;
    signature.operands.resize(operands, signature.results[0]);
  } else {
    reader_.fail_here("'->'");
  }
  return signature;
}

void BodyReader::read_ignored_dictionary(const Statement& statement) {
  if (!reader_.at("{")) return;
  Fields fields(reader_, statement.name, statement.offset);
  fields.add(read_dictionary(reader_));
  fields.finish();
}

// --- operations ---

void BodyReader::read_pretty(Statement& statement) {
  switch (statement.op) {
    case Op::constant:
      return read_constant(statement);
    case Op::compare:
      return read_compare(statement);
    case Op::select:
      return read_select(statement);
    case Op::slice:
      return read_slice(statement);
    case Op::concatenate:
      return read_concatenate(statement);
    case Op::pad:
      return read_pad(statement);
    case Op::reduce_precision:
      return read_reduce_precision(statement);
    case Op::reduce:
      return read_reduce(statement);
    case Op::dot_general:
      return read_dot_general(statement);
    case Op::convolution:
      return read_convolution(statement);
    case Op::windows:
      return read_windows(statement);
    case Op::call:
      return read_call(statement);
    case Op::custom_call:
      return read_custom_call(statement);
    case Op::broadcast_in_dim:
    case Op::transpose:
    case Op::reverse:
      return read_with_dims(statement, "dims");
    case Op::dynamic_slice:
      return read_with_dims(statement, "sizes");
    case Op::iota:
      reader_.expect_word("dim");
      reader_.expect("=");
      statement.attributes = ir::IotaAttributes{reader_.integer()};
      return read_plain_rest(statement);
    case Op::while_:
      return read_while(statement);
    case Op::gather:
    case Op::scan:
    case Op::if_:
    case Op::case_:
    case Op::sort:
    case Op::scatter:
      reader_.fail(statement.offset, statement.name + " has only the generic form, its name in quotes");
    case Op::reshape:
    case Op::convert:
    case Op::bitcast_convert:
    case Op::dynamic_update_slice:
    case Op::clamp:
#define ELEMENTWISE(name, ...) case Op::name:
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
      break;
  }
  statement.operands = uses();
  read_plain_rest(statement);
}

void BodyReader::read_plain_rest(Statement& statement) {
  read_ignored_dictionary(statement);
  statement.signature = read_signature(statement.operands.size());
  if (statement.op == Op::iota) statement.signature.operands.clear();
}

// %x, dims = [1, 0] : …
void BodyReader::read_with_dims(Statement& statement, std::string_view word) {
  statement.operands = uses();
  reader_.expect(",");
  reader_.expect_word(word);
  reader_.expect("=");
  ir::Dims dims = reader_.integers();
  if (statement.op == Op::broadcast_in_dim) statement.attributes = ir::BroadcastAttributes{std::move(dims)};
  if (statement.op == Op::transpose) statement.attributes = ir::TransposeAttributes{std::move(dims)};
  if (statement.op == Op::reverse) statement.attributes = ir::ReverseAttributes{std::move(dims)};
  if (statement.op == Op::dynamic_slice) statement.attributes = ir::DynamicSliceAttributes{std::move(dims)};
  read_plain_rest(statement);
}

// %x, %y, dim = 0 : …
void BodyReader::read_concatenate(Statement& statement) {
  statement.operands = uses();
  reader_.expect(",");
  reader_.expect_word("dim");
  reader_.expect("=");
  statement.attributes = ir::ConcatenateAttributes{reader_.integer()};
  read_plain_rest(statement);
}

// , name = [1, 2]
ir::Dims BodyReader::read_named_dims(std::string_view name) {
  reader_.expect(",");
  reader_.expect_word(name);
  reader_.expect("=");
  return reader_.integers();
}

// %x, sizes = [3], strides = [1], dilations = [1] : …
void BodyReader::read_windows(Statement& statement) {
  statement.operands = uses();
  ir::WindowsAttributes windows;
  windows.sizes = read_named_dims("sizes");
  windows.strides = read_named_dims("strides");
  windows.dilations = read_named_dims("dilations");
  statement.attributes = std::move(windows);
  read_plain_rest(statement);
}

// %x, %v, low = [1], high = [2], interior = [0] : …
void BodyReader::read_pad(Statement& statement) {
  statement.operands = uses();
  ir::PadAttributes pad;
  pad.low = read_named_dims("low");
  pad.high = read_named_dims("high");
  pad.interior = read_named_dims("interior");
  statement.attributes = std::move(pad);
  read_plain_rest(statement);
}

// dense<…> : T, or () {value = dense<…> : T} : () -> T
void BodyReader::read_constant(Statement& statement) {
  if (reader_.at("(")) return read_generic(statement);
  read_ignored_dictionary(statement);
  ir::Literal literal = read_literal(reader_);
  statement.signature.results = {literal.type};
  statement.attributes = ir::ConstantAttributes{std::move(literal)};
}

// LT, %a, %b, SIGNED : …
void BodyReader::read_compare(Statement& statement) {
  ir::CompareAttributes compare;
  const Token direction = reader_.expect(TokenKind::word, "a direction like LT");
  if (const auto known = direction_from(direction.text))
    compare.direction = *known;
  else
    reader_.fail(direction.offset, fmt::format("'{}' is none of EQ NE GE GT LE LT", direction.text));
  reader_.expect(",");
  statement.operands = uses();
  std::optional<ir::CompareKind> kind;
  if (reader_.accept(",")) {
    const Token word = reader_.expect(TokenKind::word, "a kind of comparison like SIGNED");
    kind = compare_kind_from(word.text);
    if (!kind && word.text != "NOTYPE")
      reader_.fail(word.offset, fmt::format("'{}' is none of SIGNED UNSIGNED FLOAT TOTALORDER", word.text));
  }
  read_ignored_dictionary(statement);
  if (!statement.operands.empty())
    compare.kind = ir::default_compare_kind(graph_.type(statement.operands[0]).dtype);
  if (kind) compare.kind = *kind;
  statement.attributes = compare;
  reader_.expect(":");
  statement.signature = read_function_type();
}

// %p, %t, %f : tensor<i1>, T
void BodyReader::read_select(Statement& statement) {
  statement.operands = uses();
  read_ignored_dictionary(statement);
  reader_.expect(":");
  if (reader_.at("(")) {
    statement.signature = read_function_type();
    return;
  }
  const ir::Type predicate = reader_.tensor_type();
  reader_.expect(",");
  const ir::Type type = reader_.tensor_type();
  statement.signature = {{predicate, type, type}, {type}};
}

// %x [0:4, 1:9:2] : …
void BodyReader::read_slice(Statement& statement) {
  ir::SliceAttributes slice;
  statement.operands = uses();
  reader_.expect("[");
  reader_.list_until("]", [&] {
    slice.start.push_back(reader_.integer());
    reader_.expect(":");
    slice.limit.push_back(reader_.integer());
    slice.stride.push_back(reader_.accept(":") ? reader_.integer() : 1);
  });
  statement.attributes = std::move(slice);
  read_plain_rest(statement);
}

void BodyReader::read_reduce_precision(Statement& statement) {
  statement.operands = uses();
  reader_.expect(",");
  reader_.expect_word("format");
  reader_.expect("=");
  const Token word = reader_.expect(TokenKind::word, "a format like e5m10");
  const auto format = format_from(word.text);
  if (!format) reader_.fail(word.offset, fmt::format("'{}' is no format like e5m10", word.text));
  statement.attributes = *format;
  read_plain_rest(statement);
}

void BodyReader::read_call(Statement& statement) {
  statement.attributes = ir::CallAttributes{reader_.symbol()};
  reader_.expect("(");
  statement.operands = uses_until(")");
  read_ignored_dictionary(statement);
  reader_.expect(":");
  statement.signature = read_function_type();
}

void BodyReader::read_custom_call(Statement& statement) {
  ir::CustomCallAttributes call{reader_.symbol(), false};
  reader_.expect("(");
  statement.operands = uses_until(")");
  Fields fields(reader_, statement.name, statement.offset);
  fields.add(read_optional_dictionary(reader_));
  call.has_side_effect = fields.flag("has_side_effect");
  call.backend_config = fields.string_or_empty("backend_config");
  fields.finish();
  statement.attributes = std::move(call);
  reader_.expect(":");
  statement.signature = read_function_type();
}

// --- reduce ---

// (%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [0] : …
// or without applies, and then: reducer(%a: T, %b: T) (%c: U, %d: U) { … }
void BodyReader::read_reduce(Statement& statement) {
  std::vector<ValueId> inits;
  do {
    reader_.expect("(");
    statement.operands.push_back(use());
    reader_.expect_word("init");
    reader_.expect(":");
    inits.push_back(use());
    reader_.expect(")");
  } while (reader_.accept(","));
  const std::size_t count = inits.size();
  statement.operands.insert(statement.operands.end(), inits.begin(), inits.end());

  if (reader_.at_word("applies")) {
    if (count != 1) reader_.fail_here("'across': applies takes one operand");
    reader_.expect_word("applies");
    statement.is_compact = true;
    statement.regions = {read_applied_body(statement)};
  }
  reader_.expect_word("across");
  reader_.expect_word("dimensions");
  reader_.expect("=");
  ir::Dims dims = reader_.integers();
  std::sort(dims.begin(), dims.end());
  statement.attributes = ir::ReduceAttributes{std::move(dims)};
  read_ignored_dictionary(statement);
  reader_.expect(":");
  statement.signature = read_function_type();
  if (!statement.is_compact) statement.regions = {read_reducer(count)};
}

// The operation's name after `applies`: the body is that operation on the two arguments in order.
RegionId BodyReader::read_applied_body(const Statement& statement) {
  const Token name = reader_.expect(TokenKind::word, "an operation");
  const std::optional<Op> op = ir::op_from_text(name.text);
  const auto is_combine = [&](Op each) { return op && *op == each; };
  bool is_standard = false;
#define REDUCTION(name, combine, summary) is_standard = is_standard || is_combine(Op::combine);
#include "compiler/ir/reductions.def"
#undef REDUCTION
  if (!is_standard)
    reader_.fail(name.offset, fmt::format("'{}' is no operation that a reduction applies", name.text));
  const ir::Type element{Shape{}, graph_.type(statement.operands[0]).dtype};
  if (!ir::accepts(*op, element.dtype))
    reader_.fail(name.offset, fmt::format("{} does not take {}", name.text, stablehlo_name(element.dtype)));
  const RegionId region = graph_.add_region();
  const ValueId accumulator = graph_.add_argument(region, element),
                value = graph_.add_argument(region, element);
  const ir::NodeId node = graph_.add_node(region, *op, {accumulator, value}, ir::NoAttributes{}, {element},
                                          {}, location_at(statement.offset));
  offsets_.resize(graph_.node_count(), statement.offset);
  graph_.region(region).results = graph_.node(node).results;
  return region;
}

// Arguments are written in pairs, but the block has all accumulators first.
RegionId BodyReader::read_reducer(std::size_t count) {
  const Nesting nesting(reader_);
  const std::size_t outer_names = defined_.size();
  const RegionId region = graph_.add_region();
  struct Argument {
    Token name;
    ir::Type type;
  };
  std::vector<Argument> accumulators, elements;
  const auto read_one = [&] {
    const Token name = reader_.expect(TokenKind::value, "an argument like %arg0");
    reader_.expect(":");
    Argument argument{name, reader_.tensor_type()};
    skip_location(reader_);
    return argument;
  };
  reader_.expect_word("reducer");
  for (std::size_t i = 0; i < count; ++i) {
    reader_.expect("(");
    accumulators.push_back(read_one());
    reader_.expect(",");
    elements.push_back(read_one());
    reader_.expect(")");
  }
  for (const auto* arguments : {&accumulators, &elements})
    for (const Argument& argument : *arguments)
      define(argument.name, {graph_.add_argument(region, argument.type)});
  reader_.expect("{");
  read_operations(region, false, nullptr);
  forget_since(outer_names);
  return region;
}

}  // namespace weft::text
