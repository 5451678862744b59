// How dot_general and convolution are written: their generic attributes and StableHLO's own forms.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/text/body.h"

namespace weft::text {
namespace {

using ir::Dims;
using Kind = AttributeValue::Kind;

std::string list(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

// --- convolution: dimension numbers ---

// The fields of the raw form, by operand: the dimensions that are named by a letter, and the spatial ones.
struct NamedDims {
  char first, second;
  const char *first_field, *second_field, *spatial_field;
};
constexpr NamedDims kNamed[] = {
    {'b', 'f', "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"},
    {'o', 'i', "kernel_output_feature_dimension", "kernel_input_feature_dimension",
     "kernel_spatial_dimensions"},
    {'b', 'f', "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};

AttributeValue integer_value(std::int64_t integer, std::size_t offset) {
  AttributeValue value;
  value.kind = Kind::integer;
  value.integer = integer;
  value.offset = offset;
  return value;
}

// [b, f, 0, 1]: letters and the numbers of spatial dimensions, in the order of the dimensions.
void read_names(Reader& reader, const NamedDims& names, Dictionary& fields) {
  const std::size_t offset = reader.lexer.peek().offset;
  std::int64_t dim = 0, first = -1, second = -1;
  std::vector<std::pair<std::int64_t, std::int64_t>> spatial;  // number, dimension
  reader.expect("[");
  reader.list_until("]", [&] {
    const Token token = reader.lexer.peek();
    if (token.kind == TokenKind::word && token.text == std::string_view(&names.first, 1) && first < 0) {
      reader.lexer.take();
      first = dim;
    } else if (token.kind == TokenKind::word && token.text == std::string_view(&names.second, 1) &&
               second < 0) {
      reader.lexer.take();
      second = dim;
    } else if (token.kind == TokenKind::integer) {
      spatial.emplace_back(reader.integer(), dim);
    } else {
      reader.fail_here(fmt::format("{}, {} or the number of a spatial dimension", names.first, names.second));
    }
    ++dim;
  });
  AttributeValue dims;
  dims.kind = Kind::list;
  dims.offset = offset;
  for (std::size_t number = 0; number < spatial.size(); ++number)
    for (const auto& [name, at] : spatial)
      if (name == static_cast<std::int64_t>(number)) dims.items.push_back(integer_value(at, offset));
  if (first < 0 || second < 0 || dims.items.size() != spatial.size())
    reader.fail(offset,
                fmt::format("dimensions must be {}, {} and 0, 1 …, each once", names.first, names.second));
  fields.push_back({names.first_field, offset, integer_value(first, offset)});
  fields.push_back({names.second_field, offset, integer_value(second, offset)});
  fields.push_back({names.spatial_field, offset, std::move(dims)});
}

std::string names_text(const NamedDims& names, const Dims& dims) {
  std::vector<std::string> words(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    words[static_cast<std::size_t>(dims[i])] = i == 0   ? std::string(1, names.first)
                                               : i == 1 ? std::string(1, names.second)
                                                        : std::to_string(i - 2);
  return fmt::format("[{}]", fmt::join(words, ", "));
}

// Absent ones are `otherwise` in every spatial dimension.
Dims or_all(Dims dims, std::size_t count, std::int64_t otherwise) {
  return dims.empty() ? Dims(count, otherwise) : dims;
}

bool all_are(const Dims& dims, std::int64_t value) {
  for (std::int64_t dim : dims)
    if (dim != value) return false;
  return true;
}

void set_padding(ir::ConvolutionAttributes& conv, const Dims& pairs) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    conv.low.push_back(pairs[i]);
    conv.high.push_back(pairs[i + 1]);
  }
}

void fill_window(ir::ConvolutionAttributes& conv) {
  const std::size_t spatial = conv.lhs_dims.size() - 2;
  conv.strides = or_all(std::move(conv.strides), spatial, 1);
  conv.low = or_all(std::move(conv.low), spatial, 0);
  conv.high = or_all(std::move(conv.high), spatial, 0);
  conv.lhs_dilations = or_all(std::move(conv.lhs_dilations), spatial, 1);
  conv.rhs_dilations = or_all(std::move(conv.rhs_dilations), spatial, 1);
  conv.reversed = or_all(std::move(conv.reversed), spatial, 0);
}

}  // namespace

AttributeValue read_convolution_dimensions(Reader& reader) {
  AttributeValue value;
  value.kind = Kind::record;
  value.name = "stablehlo.conv";
  value.offset = reader.lexer.peek().offset;
  if (reader.accept_word("raw")) {
    do {
      const Token key = reader.expect(TokenKind::word, "a kind of dimension");
      reader.expect("=");
      value.fields.push_back({std::string(key.text), key.offset, read_attribute(reader)});
    } while (reader.accept(","));
    return value;
  }
  read_names(reader, kNamed[0], value.fields);
  reader.expect_word("x");
  read_names(reader, kNamed[1], value.fields);
  reader.expect("->");
  read_names(reader, kNamed[2], value.fields);
  return value;
}

void set_dimensions(ir::ConvolutionAttributes& conv, Fields numbers) {
  Dims* const targets[] = {&conv.lhs_dims, &conv.rhs_dims, &conv.result_dims};
  for (std::size_t i = 0; i < std::size(kNamed); ++i) {
    *targets[i] = {numbers.integer(kNamed[i].first_field), numbers.integer(kNamed[i].second_field)};
    const Dims spatial = numbers.dims_or_empty(kNamed[i].spatial_field);
    targets[i]->insert(targets[i]->end(), spatial.begin(), spatial.end());
  }
  numbers.finish();
}

// --- the generic form ---

ir::DotAttributes dot_from(Fields& fields) {
  Fields numbers = fields.record("dot_dimension_numbers");
  ir::DotAttributes dot;
  dot.lhs_batching = numbers.dims_or_empty("lhs_batching_dimensions");
  dot.rhs_batching = numbers.dims_or_empty("rhs_batching_dimensions");
  dot.lhs_contracting = numbers.dims_or_empty("lhs_contracting_dimensions");
  dot.rhs_contracting = numbers.dims_or_empty("rhs_contracting_dimensions");
  numbers.finish();
  return dot;
}

ir::ConvolutionAttributes convolution_from(Fields& fields, std::span<const ir::Type>) {
  ir::ConvolutionAttributes conv;
  set_dimensions(conv, fields.record("dimension_numbers"));
  conv.strides = fields.dims_or_empty("window_strides");
  conv.lhs_dilations = fields.dims_or_empty("lhs_dilation");
  conv.rhs_dilations = fields.dims_or_empty("rhs_dilation");
  conv.reversed = fields.flags_or_empty("window_reversal");
  set_padding(conv, fields.pairs_or_empty("padding"));
  conv.feature_groups = fields.integer("feature_group_count");
  conv.batch_groups = fields.integer("batch_group_count");
  fill_window(conv);
  return conv;
}

// --- the form of StableHLO's tools ---

std::string dot_text(const ir::DotAttributes& dot) {
  std::string text;
  if (!dot.lhs_batching.empty())
    text = fmt::format("batching_dims = {} x {}, ", list(dot.lhs_batching), list(dot.rhs_batching));
  return text +
         fmt::format("contracting_dims = {} x {}", list(dot.lhs_contracting), list(dot.rhs_contracting));
}

std::string convolution_text(const ir::ConvolutionAttributes& conv) {
  std::vector<std::string> window, pads, flags;
  const auto add = [&](const char* name, const Dims& dims) {
    if (!all_are(dims, 1)) window.push_back(fmt::format("{} = {}", name, list(dims)));
  };
  add("stride", conv.strides);
  for (std::size_t i = 0; i < conv.low.size(); ++i)
    pads.push_back(fmt::format("[{}, {}]", conv.low[i], conv.high[i]));
  if (!all_are(conv.low, 0) || !all_are(conv.high, 0))
    window.push_back(fmt::format("pad = [{}]", fmt::join(pads, ", ")));
  add("lhs_dilate", conv.lhs_dilations);
  add("rhs_dilate", conv.rhs_dilations);
  for (std::int64_t reversed : conv.reversed) flags.push_back(reversed != 0 ? "true" : "false");
  if (!all_are(conv.reversed, 0)) window.push_back(fmt::format("reverse = [{}]", fmt::join(flags, ", ")));
  return fmt::format(
      "dim_numbers = {}x{}->{}, window = {{{}}} {{batch_group_count = {} : i64, feature_group_count = {} : "
      "i64}}",
      names_text(kNamed[0], conv.lhs_dims), names_text(kNamed[1], conv.rhs_dims),
      names_text(kNamed[2], conv.result_dims), fmt::join(window, ", "), conv.batch_groups,
      conv.feature_groups);
}

// [0] x [1]
std::pair<Dims, Dims> BodyReader::read_dim_pairs() {
  reader_.expect("=");
  Dims lhs = reader_.integers();
  reader_.expect_word("x");
  return {std::move(lhs), reader_.integers()};
}

// = [DEFAULT, HIGHEST]: what is computed is at least as precise.
void BodyReader::read_precision() {
  reader_.expect("=");
  reader_.expect("[");
  reader_.list_until("]", [&] { reader_.expect(TokenKind::word, "a precision like DEFAULT"); });
}

// %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : …
void BodyReader::read_dot_general(Statement& statement) {
  ir::DotAttributes dot;
  statement.operands = uses();
  reader_.expect(",");
  if (reader_.accept_word("batching_dims")) {
    std::tie(dot.lhs_batching, dot.rhs_batching) = read_dim_pairs();
    reader_.expect(",");
  }
  reader_.expect_word("contracting_dims");
  std::tie(dot.lhs_contracting, dot.rhs_contracting) = read_dim_pairs();
  if (reader_.accept(",")) {
    reader_.expect_word("precision");
    read_precision();
  }
  statement.attributes = std::move(dot);
  read_plain_rest(statement);
}

// {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false,
// false]}
void BodyReader::read_window(ir::ConvolutionAttributes& conv) {
  reader_.expect_word("window");
  reader_.expect("=");
  reader_.expect("{");
  reader_.list_until("}", [&] {
    const Token key = reader_.expect(TokenKind::word, "a property of the window like stride");
    reader_.expect("=");
    if (key.text == "stride") {
      conv.strides = reader_.integers();
    } else if (key.text == "lhs_dilate") {
      conv.lhs_dilations = reader_.integers();
    } else if (key.text == "rhs_dilate") {
      conv.rhs_dilations = reader_.integers();
    } else if (key.text == "pad") {
      Dims pairs;
      reader_.expect("[");
      reader_.list_until("]", [&] {
        const std::size_t offset = reader_.lexer.peek().offset;
        const Dims pair = reader_.integers();
        if (pair.size() != 2) reader_.fail(offset, "padding is a pair like [0, 1]");
        pairs.insert(pairs.end(), pair.begin(), pair.end());
      });
      conv.low.clear();
      conv.high.clear();
      set_padding(conv, pairs);
    } else if (key.text == "reverse") {
      conv.reversed.clear();
      reader_.expect("[");
      reader_.list_until("]", [&] {
        const Token word = reader_.lexer.peek();
        const bool is_number = reader_.at(TokenKind::integer);
        if (!is_number) reader_.expect(TokenKind::word, "true or false");
        const std::int64_t number = is_number ? reader_.integer() : 0;
        conv.reversed.push_back(number != 0 || word.text == "true" ? 1 : 0);
      });
    } else {
      reader_.fail(key.offset, fmt::format("a window has no {}", key.text));
    }
  });
}

// (%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {…} {feature_group_count = 1 : i64, …} : …
void BodyReader::read_convolution(Statement& statement) {
  ir::ConvolutionAttributes conv;
  reader_.expect("(");
  statement.operands = uses_until(")");
  reader_.expect_word("dim_numbers");
  reader_.expect("=");
  Fields numbers(reader_, statement.name, statement.offset);
  numbers.add(read_convolution_dimensions(reader_).fields);
  set_dimensions(conv, std::move(numbers));
  reader_.expect(",");
  read_window(conv);
  fill_window(conv);
  Fields fields(reader_, statement.name, statement.offset);
  fields.add(read_optional_dictionary(reader_));
  conv.feature_groups = fields.integer_or("feature_group_count", 1);
  conv.batch_groups = fields.integer_or("batch_group_count", 1);
  fields.finish();
  statement.attributes = std::move(conv);
  reader_.expect(":");
  statement.signature = read_function_type();
}

}  // namespace weft::text
