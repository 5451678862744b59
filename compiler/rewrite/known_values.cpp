// Reads constants, and follows integers through operations that only move or bound them.
#include "compiler/rewrite/known_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/ir/reductions.h"

namespace weft::rewrite {
namespace {

constexpr int kMaxDepth = 8;                 // of the operations followed
constexpr std::int64_t kMaxElements = 4096;  // of a constant whose elements are looked at
constexpr std::size_t kMaxBodyNodes = 64;    // of a reduction whose body is looked at

std::optional<std::int64_t> integer_at(const ir::Literal& literal, std::int64_t position) {
  switch (literal.type.dtype) {
    case DType::b1:
      return literal.at<bool>(position) ? 1 : 0;
    case DType::i8:
      return literal.at<std::int8_t>(position);
    case DType::i16:
      return literal.at<std::int16_t>(position);
    case DType::i32:
      return literal.at<std::int32_t>(position);
    case DType::i64:
      return literal.at<std::int64_t>(position);
    case DType::u8:
      return literal.at<std::uint8_t>(position);
    case DType::u16:
      return literal.at<std::uint16_t>(position);
    case DType::u32:
      return literal.at<std::uint32_t>(position);
    case DType::u64:
      return static_cast<std::int64_t>(literal.at<std::uint64_t>(position));
    case DType::f16:
    case DType::bf16:
    case DType::f32:
    case DType::f64:
    case DType::c64:
    case DType::c128:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> float_at(const ir::Literal& literal, std::int64_t position) {
  if (literal.type.dtype == DType::f16) return static_cast<double>(literal.at<float16>(position));
  if (literal.type.dtype == DType::bf16) return static_cast<double>(literal.at<bfloat16>(position));
  if (literal.type.dtype == DType::f32) return literal.at<float>(position);
  if (literal.type.dtype == DType::f64) return literal.at<double>(position);
  return std::nullopt;
}

const ir::Literal* splat_of(const ir::Graph& graph, ir::ValueId value) {
  const ir::Literal* literal = ir::constant_value(graph, value);
  return literal && literal->type.size() > 0 && (literal->is_splat || literal->type.size() == 1) ? literal
                                                                                                 : nullptr;
}

Range joined(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

std::optional<Range> within(std::optional<Range> range, DType dtype) {
  const auto all = range_of(dtype);
  if (!range || !all || range->low < all->low || range->high > all->high) return std::nullopt;
  return range;
}

std::optional<Range> range_at(const ir::Graph& graph, ir::ValueId value, int depth);

std::optional<Range> joined_range(const ir::Graph& graph, ir::ValueId a, ir::ValueId b, int depth) {
  const auto first = range_at(graph, a, depth), second = range_at(graph, b, depth);
  if (!first || !second) return std::nullopt;
  return joined(*first, *second);
}

std::optional<Range> constant_range(const ir::Literal& literal) {
  const std::int64_t count =
      literal.is_splat ? std::min<std::int64_t>(literal.type.size(), 1) : literal.type.size();
  if (count == 0 || count > kMaxElements || literal.type.dtype == DType::u64) return std::nullopt;
  std::optional<Range> range;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto element = integer_at(literal, i);
    if (!element) return std::nullopt;
    const Range here{*element, *element};
    range = range ? joined(*range, here) : here;
  }
  return range;
}

// A selection, a minimum or a maximum gives one of its elements or its init value.
std::optional<Range> reduce_range(const ir::Graph& graph, const ir::Node& node, std::uint32_t index,
                                  int depth) {
  if (graph.region(node.regions[0]).nodes.size() > kMaxBodyNodes) return std::nullopt;
  const ir::Reducer reducer = ir::classify_reducer(graph, node.regions[0]);
  const auto& kind = reducer.components[index];
  const bool picks =
      reducer.selection || kind == ir::ReductionKind::minimum || kind == ir::ReductionKind::maximum;
  if (!picks) return std::nullopt;
  return joined_range(graph, node.operands[index], node.operands[node.results.size() + index], depth);
}

std::optional<Range> bounded_range(const ir::Graph& graph, const ir::Node& node, DType dtype, int depth) {
  auto a = range_at(graph, node.operands[0], depth), b = range_at(graph, node.operands[1], depth);
  if (!a) a = range_of(dtype);
  if (!b) b = range_of(dtype);
  if (!a || !b) return std::nullopt;
  if (node.op == ir::Op::minimum) return Range{std::min(a->low, b->low), std::min(a->high, b->high)};
  return Range{std::max(a->low, b->low), std::max(a->high, b->high)};
}

bool only_moves(ir::Op op) {
  return op == ir::Op::broadcast_in_dim || op == ir::Op::reshape || op == ir::Op::transpose ||
         op == ir::Op::reverse || op == ir::Op::slice || op == ir::Op::windows ||
         op == ir::Op::dynamic_slice || op == ir::Op::gather;
}

std::optional<Range> range_at(const ir::Graph& graph, ir::ValueId value, int depth) {
  const ir::NodeId id = graph.value(value).node;
  const ir::Type& type = graph.type(value);
  if (id == ir::kNone || depth == 0 || !is_integer(type.dtype)) return std::nullopt;
  const ir::Node& node = graph.node(id);
  const int next = depth - 1;
  if (node.op == ir::Op::constant)
    return constant_range(ir::attributes_of<ir::ConstantAttributes>(node).value);
  if (node.op == ir::Op::iota) {
    const std::int64_t extent =
        type.shape[static_cast<int>(ir::attributes_of<ir::IotaAttributes>(node).dimension)];
    return within(Range{0, std::max<std::int64_t>(extent, 1) - 1}, type.dtype);
  }
  if (node.op == ir::Op::sort) return range_at(graph, node.operands[graph.value(value).index], next);
  if (only_moves(node.op)) return range_at(graph, node.operands[0], next);
  if (node.op == ir::Op::convert) return within(range_at(graph, node.operands[0], next), type.dtype);
  if (node.op == ir::Op::select) return joined_range(graph, node.operands[1], node.operands[2], next);
  if (node.op == ir::Op::minimum || node.op == ir::Op::maximum)
    return bounded_range(graph, node, type.dtype, next);
  if (node.op == ir::Op::reduce) return reduce_range(graph, node, graph.value(value).index, next);
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> integer_splat(const ir::Graph& graph, ir::ValueId value) {
  const ir::Literal* literal = splat_of(graph, value);
  return literal ? integer_at(*literal, 0) : std::nullopt;
}

std::optional<double> float_splat(const ir::Graph& graph, ir::ValueId value) {
  const ir::Literal* literal = splat_of(graph, value);
  return literal ? float_at(*literal, 0) : std::nullopt;
}

bool is_float_splat(const ir::Graph& graph, ir::ValueId value, double number) {
  const auto element = float_splat(graph, value);
  return element && *element == number && std::signbit(*element) == std::signbit(number);
}

std::optional<Range> range_of(DType dtype) {
  switch (dtype) {
#define INTEGER(name, cpp) \
  case DType::name:        \
    return Range{std::numeric_limits<cpp>::min(), std::numeric_limits<cpp>::max()};
    INTEGER(i8, std::int8_t)
    INTEGER(i16, std::int16_t)
    INTEGER(i32, std::int32_t)
    INTEGER(i64, std::int64_t)
    INTEGER(u8, std::uint8_t)
    INTEGER(u16, std::uint16_t)
    INTEGER(u32, std::uint32_t)
#undef INTEGER
    case DType::b1:
    case DType::u64:
    case DType::f16:
    case DType::bf16:
    case DType::f32:
    case DType::f64:
    case DType::c64:
    case DType::c128:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Range> range_of(const ir::Graph& graph, ir::ValueId value) {
  return range_at(graph, value, kMaxDepth);
}

}  // namespace weft::rewrite
