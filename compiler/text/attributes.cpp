// Between the attributes of the generic form and the structs that nodes carry.
#include "compiler/text/attributes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ir/build.h"

namespace weft::text {
namespace {

using ir::Dims;
using ir::Op;
using Kind = AttributeValue::Kind;

constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
constexpr std::string_view kCompareKinds[] = {"SIGNED", "UNSIGNED", "FLOAT", "TOTALORDER"};

// Without meaning for what an operation computes. Keys with a dot belong to other dialects.
constexpr std::string_view kIgnored[] = {
    "api_version",      "arg_attrs", "backend_config",  "no_inline",      "operand_layouts",
    "precision_config", "res_attrs", "result_accuracy", "result_layouts", "sym_visibility"};

ir::GatherAttributes gather_from(Fields& fields) {
  ir::GatherAttributes gather;
  Fields numbers = fields.record("dimension_numbers");
  gather.offset_dims = numbers.dims_or_empty("offset_dims");
  gather.collapsed_slice_dims = numbers.dims_or_empty("collapsed_slice_dims");
  gather.operand_batching_dims = numbers.dims_or_empty("operand_batching_dims");
  gather.start_indices_batching_dims = numbers.dims_or_empty("start_indices_batching_dims");
  gather.start_index_map = numbers.dims_or_empty("start_index_map");
  gather.index_vector_dim = numbers.integer_or("index_vector_dim", 0);
  numbers.finish();
  gather.slice_sizes = fields.dims("slice_sizes");
  gather.indices_are_sorted = fields.flag("indices_are_sorted");
  return gather;
}

// A dimension may be counted from the end.
ir::SortAttributes sort_from(Fields& fields, std::span<const ir::Type> operands) {
  ir::SortAttributes sort;
  sort.dimension = fields.integer_or("dimension", -1);
  if (sort.dimension < 0 && !operands.empty()) sort.dimension += operands[0].shape.rank();
  sort.is_stable = fields.flag("is_stable");
  return sort;
}

ir::ScatterAttributes scatter_from(Fields& fields) {
  ir::ScatterAttributes scatter;
  Fields numbers = fields.record("scatter_dimension_numbers");
  scatter.update_window_dims = numbers.dims_or_empty("update_window_dims");
  scatter.inserted_window_dims = numbers.dims_or_empty("inserted_window_dims");
  scatter.input_batching_dims = numbers.dims_or_empty("input_batching_dims");
  scatter.scatter_indices_batching_dims = numbers.dims_or_empty("scatter_indices_batching_dims");
  scatter.scatter_dims_to_operand_dims = numbers.dims_or_empty("scatter_dims_to_operand_dims");
  scatter.index_vector_dim = numbers.integer_or("index_vector_dim", 0);
  numbers.finish();
  scatter.indices_are_sorted = fields.flag("indices_are_sorted");
  scatter.unique_indices = fields.flag("unique_indices");
  return scatter;
}

ir::CompareAttributes compare_from(Fields& fields, std::span<const ir::Type> operands) {
  ir::CompareAttributes compare;
  const AttributeValue* direction = fields.keyword("comparison_direction");
  if (!direction) fields.fail(0, "needs the attribute comparison_direction");
  if (const auto known = direction_from(direction->text))
    compare.direction = *known;
  else
    fields.fail(direction->offset, fmt::format("{} is no direction of comparison", direction->text));
  if (!operands.empty()) compare.kind = ir::default_compare_kind(operands[0].dtype);
  const AttributeValue* kind = fields.keyword("compare_type");
  if (!kind || kind->text == "NOTYPE") return compare;
  if (const auto known = compare_kind_from(kind->text))
    compare.kind = *known;
  else
    fields.fail(kind->offset, fmt::format("{} is no type of comparison", kind->text));
  return compare;
}

std::int32_t small_integer(Fields& fields, std::string_view key) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(fields.integer(key), -1, 1 << 20));
}

template <std::size_t N>
std::optional<std::size_t> index_of(const std::string_view (&names)[N], std::string_view text) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return i;
  return std::nullopt;
}

std::string list(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

}  // namespace

void Fields::fail(std::size_t offset, std::string_view what) const {
  reader_.fail(offset == 0 ? offset_ : offset, fmt::format("{}: {}", op_, what));
}

void Fields::add(Dictionary dictionary) {
  for (NamedAttribute& entry : dictionary) {
    if (!keys_.insert(entry.key).second)
      fail(entry.offset, fmt::format("the attribute {} is given twice", entry.key));
    entries_.push_back(std::move(entry));
  }
  is_used_.resize(entries_.size(), false);
}

const AttributeValue* Fields::find(std::string_view key) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].key != key) continue;
    is_used_[i] = true;
    return &entries_[i].value;
  }
  return nullptr;
}

const AttributeValue& Fields::need(std::string_view key, Kind kind, std::string_view what) {
  const AttributeValue* value = find(key);
  if (!value) fail(0, fmt::format("needs the attribute {}", key));
  if (value->kind != kind) fail(value->offset, fmt::format("{} must be {}", key, what));
  return *value;
}

// [1, 2], array<i64: 1, 2> or, as older programs have it, dense<[1, 2]> : tensor<2xi64>
Dims Fields::dims_of(const AttributeValue& value, std::string_view key) const {
  Dims dims;
  if (value.kind == Kind::dense && value.literal.type.dtype == DType::i64 &&
      value.literal.type.shape.rank() == 1) {
    if (value.literal.type.size() > kMaxRank) fail(value.offset, fmt::format("{} has too many entries", key));
    for (std::int64_t i = 0; i < value.literal.type.size(); ++i)
      dims.push_back(value.literal.at<std::int64_t>(i));
    return dims;
  }
  if (value.kind != Kind::list) fail(value.offset, fmt::format("{} must be a list of integers", key));
  for (const AttributeValue& item : value.items) {
    if (item.kind != Kind::integer) fail(item.offset, fmt::format("{} must be a list of integers", key));
    dims.push_back(item.integer);
  }
  return dims;
}

Dims Fields::dims(std::string_view key) {
  const AttributeValue* value = find(key);
  if (!value) fail(0, fmt::format("needs the attribute {}", key));
  return dims_of(*value, key);
}
Dims Fields::dims_or_empty(std::string_view key) {
  const AttributeValue* value = find(key);
  return value ? dims_of(*value, key) : Dims{};
}
Dims Fields::flags_or_empty(std::string_view key) {
  Dims flags;
  const AttributeValue* value = find(key);
  if (!value) return flags;
  if (value->kind == Kind::dense && value->literal.type.dtype == DType::b1) {
    for (std::int64_t i = 0; i < std::min<std::int64_t>(value->literal.type.size(), kMaxRank); ++i)
      flags.push_back(value->literal.at<bool>(i) ? 1 : 0);
    return flags;
  }
  if (value->kind != Kind::list) fail(value->offset, fmt::format("{} must be a list of booleans", key));
  for (const AttributeValue& item : value->items) {
    if (item.kind != Kind::boolean) fail(item.offset, fmt::format("{} must be a list of booleans", key));
    flags.push_back(item.integer);
  }
  return flags;
}
Dims Fields::pairs_or_empty(std::string_view key) {
  Dims pairs;
  const AttributeValue* value = find(key);
  if (!value) return pairs;
  const ShapeDtype& type = value->literal.type;
  if (value->kind != Kind::dense || type.dtype != DType::i64 || type.shape.rank() != 2 ||
      type.shape[1] != 2 || type.shape[0] > kMaxRank)
    fail(value->offset, fmt::format("{} must be pairs like dense<[[0, 1]]> : tensor<1x2xi64>", key));
  for (std::int64_t i = 0; i < type.size(); ++i) pairs.push_back(value->literal.at<std::int64_t>(i));
  return pairs;
}
std::int64_t Fields::integer(std::string_view key) { return need(key, Kind::integer, "an integer").integer; }
std::int64_t Fields::integer_or(std::string_view key, std::int64_t otherwise) {
  return find(key) ? integer(key) : otherwise;
}
double Fields::real_or(std::string_view key, double otherwise) {
  return find(key) ? need(key, Kind::real, "a number like 0.1").real : otherwise;
}
bool Fields::flag(std::string_view key) {
  return find(key) && need(key, Kind::boolean, "true or false").integer != 0;
}
std::string Fields::string(std::string_view key) { return need(key, Kind::string, "a string").text; }
std::string Fields::string_or_empty(std::string_view key) {
  const AttributeValue* value = find(key);
  return value && value->kind == Kind::string ? value->text : "";
}
std::string Fields::symbol(std::string_view key) { return need(key, Kind::symbol, "a symbol like @f").text; }
ir::Literal Fields::literal(std::string_view key) { return need(key, Kind::dense, "dense<…>").literal; }

const AttributeValue* Fields::keyword(std::string_view key) {
  return find(key) ? &need(key, Kind::keyword, "like #stablehlo<name VALUE>") : nullptr;
}

Fields Fields::record(std::string_view key) {
  const AttributeValue& value = need(key, Kind::record, "like #stablehlo.name<…>");
  Fields fields(reader_, op_, value.offset);
  fields.add(value.fields);
  return fields;
}

void Fields::finish() const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& key = entries_[i].key;
    if (is_used_[i] || key.find('.') != std::string::npos) continue;
    if (std::find(std::begin(kIgnored), std::end(kIgnored), key) == std::end(kIgnored))
      fail(entries_[i].offset, fmt::format("has no attribute {}", key));
  }
}

ir::Attributes attributes_from(Op op, Fields& fields, std::span<const ir::Type> operands) {
  switch (op) {
    case Op::constant:
      return ir::ConstantAttributes{fields.literal("value")};
    case Op::iota:
      return ir::IotaAttributes{fields.integer("iota_dimension")};
    case Op::broadcast_in_dim:
      return ir::BroadcastAttributes{fields.dims("broadcast_dimensions")};
    case Op::transpose:
      return ir::TransposeAttributes{fields.dims("permutation")};
    case Op::reverse:
      return ir::ReverseAttributes{fields.dims("dimensions")};
    case Op::slice:
      return ir::SliceAttributes{fields.dims("start_indices"), fields.dims("limit_indices"),
                                 fields.dims("strides")};
    case Op::concatenate:
      return ir::ConcatenateAttributes{fields.integer("dimension")};
    case Op::pad:
      return ir::PadAttributes{fields.dims("edge_padding_low"), fields.dims("edge_padding_high"),
                               fields.dims("interior_padding")};
    case Op::dynamic_slice:
      return ir::DynamicSliceAttributes{fields.dims("slice_sizes")};
    case Op::gather:
      return gather_from(fields);
    case Op::reduce_precision:
      return ir::ReducePrecisionAttributes{small_integer(fields, "exponent_bits"),
                                           small_integer(fields, "mantissa_bits")};
    case Op::compare:
      return compare_from(fields, operands);
    case Op::reduce: {
      Dims dims = fields.dims("dimensions");
      std::sort(dims.begin(), dims.end());
      return ir::ReduceAttributes{std::move(dims)};
    }
    case Op::scan:
      return ir::ScanAttributes{fields.integer("carries"), fields.integer_or("length", ir::kDynamicLength),
                                fields.flag("reverse")};
    case Op::dot_general:
      return dot_from(fields);
    case Op::convolution:
      return convolution_from(fields, operands);
    case Op::windows:
      return ir::WindowsAttributes{fields.dims("sizes"), fields.dims("strides"), fields.dims("dilations")};
    case Op::sort:
      return sort_from(fields, operands);
    case Op::scatter:
      return scatter_from(fields);
    case Op::call:
      return ir::CallAttributes{fields.symbol("callee")};
    case Op::custom_call:
      return ir::CustomCallAttributes{fields.string("call_target_name"), fields.flag("has_side_effect"),
                                      fields.string_or_empty("backend_config")};
    case Op::reshape:
    case Op::convert:
    case Op::bitcast_convert:
    case Op::dynamic_update_slice:
    case Op::select:
    case Op::clamp:
    case Op::while_:
    case Op::if_:
    case Op::case_:
#define ELEMENTWISE(name, ...) case Op::name:
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
      break;
  }
  return ir::NoAttributes{};
}

std::optional<ir::Direction> direction_from(std::string_view text) {
  const auto index = index_of(kDirections, text);
  return index ? std::optional(static_cast<ir::Direction>(*index)) : std::nullopt;
}
std::optional<ir::CompareKind> compare_kind_from(std::string_view text) {
  const auto index = index_of(kCompareKinds, text);
  return index ? std::optional(static_cast<ir::CompareKind>(*index)) : std::nullopt;
}
std::string_view text_of(ir::Direction direction) { return kDirections[static_cast<std::size_t>(direction)]; }
std::string_view text_of(ir::CompareKind kind) { return kCompareKinds[static_cast<std::size_t>(kind)]; }

namespace {

// "#stablehlo.<name><a = [0], b = [1], index_vector_dim = 2>": what is empty or 0 is left out.
struct NamedDims {
  const char* name;
  const Dims* dims;
};
std::string numbers_text(std::string_view name, std::initializer_list<NamedDims> lists,
                         std::int64_t index_vector_dim) {
  std::vector<std::string> fields;
  for (const NamedDims& each : lists)
    if (!each.dims->empty()) fields.push_back(fmt::format("{} = {}", each.name, list(*each.dims)));
  if (index_vector_dim != 0) fields.push_back(fmt::format("index_vector_dim = {}", index_vector_dim));
  return fmt::format("#stablehlo.{}<{}>", name, fmt::join(fields, ", "));
}

}  // namespace

std::string gather_text(const ir::GatherAttributes& gather) {
  const std::string numbers =
      numbers_text("gather",
                   {{"offset_dims", &gather.offset_dims},
                    {"collapsed_slice_dims", &gather.collapsed_slice_dims},
                    {"operand_batching_dims", &gather.operand_batching_dims},
                    {"start_indices_batching_dims", &gather.start_indices_batching_dims},
                    {"start_index_map", &gather.start_index_map}},
                   gather.index_vector_dim);
  const std::string sizes =
      gather.slice_sizes.empty() ? "" : fmt::format(": {}", fmt::join(gather.slice_sizes, ", "));
  return fmt::format("dimension_numbers = {}, indices_are_sorted = {}, slice_sizes = array<i64{}>", numbers,
                     gather.indices_are_sorted, sizes);
}

std::string scatter_text(const ir::ScatterAttributes& scatter) {
  const std::string numbers =
      numbers_text("scatter",
                   {{"update_window_dims", &scatter.update_window_dims},
                    {"inserted_window_dims", &scatter.inserted_window_dims},
                    {"input_batching_dims", &scatter.input_batching_dims},
                    {"scatter_indices_batching_dims", &scatter.scatter_indices_batching_dims},
                    {"scatter_dims_to_operand_dims", &scatter.scatter_dims_to_operand_dims}},
                   scatter.index_vector_dim);
  return fmt::format("indices_are_sorted = {}, scatter_dimension_numbers = {}, unique_indices = {}",
                     scatter.indices_are_sorted, numbers, scatter.unique_indices);
}

}  // namespace weft::text
