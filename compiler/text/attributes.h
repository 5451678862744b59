// Textual attributes: reading them as they are written, and making of them what an operation carries.
#pragma once

#include <span>
#include <unordered_set>

#include "compiler/text/reader.h"

namespace weft::text {

AttributeValue read_attribute(Reader& reader);
// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]" or "raw input_batch_dimension = 0, …": a record of the raw form's fields.
AttributeValue read_convolution_dimensions(Reader& reader);
Dictionary read_dictionary(Reader& reader);           // {a = 1, b}
Dictionary read_optional_dictionary(Reader& reader);  // empty when there is no '{'

// The attributes of one operation by key. Whatever is neither asked for nor known to be harmless is an error.
class Fields {
 public:
  Fields(const Reader& reader, std::string_view op, std::size_t offset)
      : reader_(reader), op_(op), offset_(offset) {}

  void add(Dictionary dictionary);
  ir::Dims dims(std::string_view key);  // required
  ir::Dims dims_or_empty(std::string_view key);
  std::int64_t integer(std::string_view key);
  std::int64_t integer_or(std::string_view key, std::int64_t otherwise);
  double real_or(std::string_view key, double otherwise);
  bool flag(std::string_view key);  // false when absent
  std::string string(std::string_view key);
  std::string string_or_empty(std::string_view key);  // empty when absent or no string
  std::string symbol(std::string_view key);
  ir::Literal literal(std::string_view key);
  ir::Dims flags_or_empty(std::string_view key);  // 0 and 1 of a list of booleans
  ir::Dims pairs_or_empty(std::string_view key);  // a [n][2] matrix of i64, row by row
  bool has(std::string_view key) { return find(key) != nullptr; }
  const AttributeValue* keyword(std::string_view key);  // or null
  Fields record(std::string_view key);                  // the fields of #stablehlo.gather<…>
  void finish() const;                                  // all others may be ignored

  [[noreturn]] void fail(std::size_t offset, std::string_view what) const;

 private:
  const AttributeValue* find(std::string_view key);
  const AttributeValue& need(std::string_view key, AttributeValue::Kind kind, std::string_view what);
  ir::Dims dims_of(const AttributeValue& value, std::string_view key) const;

  const Reader& reader_;
  std::string op_;
  std::size_t offset_;
  Dictionary entries_;
  std::unordered_set<std::string> keys_;
  std::vector<bool> is_used_;
};

// What a node of `op` carries, from the attributes of the operation's generic form.
ir::Attributes attributes_from(ir::Op op, Fields& fields, std::span<const ir::Type> operands);

std::optional<ir::Direction> direction_from(std::string_view text);  // "LT"
std::optional<ir::CompareKind> compare_kind_from(std::string_view text);
std::string_view text_of(ir::Direction direction);
std::string_view text_of(ir::CompareKind kind);
// "dimension_numbers = #stablehlo.gather<…>, indices_are_sorted = false, slice_sizes = array<i64: 1>"
std::string gather_text(const ir::GatherAttributes& gather);
// "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<…>, unique_indices = false"
std::string scatter_text(const ir::ScatterAttributes& scatter);

// products: dot_general, convolution and weft.windows.
ir::DotAttributes dot_from(Fields& fields);
ir::ConvolutionAttributes convolution_from(Fields& fields, std::span<const ir::Type> operands);
void set_dimensions(ir::ConvolutionAttributes& conv, Fields numbers);
std::string dot_text(const ir::DotAttributes& dot);    // "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
// "dim_numbers = […]x[…]->[…], window = {…} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
std::string convolution_text(const ir::ConvolutionAttributes& conv);

}  // namespace weft::text
