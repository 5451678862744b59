// Builder: every operation goes through its type rule; the usual ones have names.
#include "compiler/ir/build.h"

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/ir/structural/rules.h"

namespace weft::ir {

NodeId Builder::node(Op op, std::vector<ValueId> operands, Attributes attributes, std::vector<Type> declared,
                     std::vector<RegionId> regions) {
  std::vector<Type> types;
  types.reserve(operands.size());
  for (ValueId operand : operands) types.push_back(graph_.type(operand));
  TypeAnswer answer = infer_types({graph_, op, std::move(types), attributes, regions, std::move(declared)});
  if (answer.fault)
    throw InternalError(fmt::format("{}: {} ({})", info_of(op).text, answer.fault->text, answer.fault->rule));
  return graph_.add_node(region_, op, std::move(operands), std::move(attributes), std::move(answer.types),
                         std::move(regions), location_);
}

ValueId Builder::op(Op op, std::vector<ValueId> operands, Attributes attributes, std::vector<Type> declared,
                    std::vector<RegionId> regions) {
  const NodeId id =
      node(op, std::move(operands), std::move(attributes), std::move(declared), std::move(regions));
  return graph_.node(id).results[0];
}

ValueId Builder::constant(Literal literal) {
  Type type = literal.type;
  return op(Op::constant, {}, ConstantAttributes{std::move(literal)}, {std::move(type)});
}
ValueId Builder::scalar(DType dtype, double value) { return constant(Literal::scalar(dtype, value)); }
ValueId Builder::splat(DType dtype, const Shape& shape, double value) {
  Literal literal = Literal::scalar(dtype, value);
  literal.type.shape = shape;
  literal.is_splat = true;
  return constant(std::move(literal));
}
ValueId Builder::iota(DType dtype, const Shape& shape, std::int64_t dimension) {
  return op(Op::iota, {}, IotaAttributes{dimension}, {{shape, dtype}});
}
ValueId Builder::broadcast(ValueId operand, const Shape& shape, Dims dimensions) {
  return op(Op::broadcast_in_dim, {operand}, BroadcastAttributes{std::move(dimensions)},
            {{shape, type(operand).dtype}});
}
ValueId Builder::reshape(ValueId operand, const Shape& shape) {
  return op(Op::reshape, {operand}, NoAttributes{}, {{shape, type(operand).dtype}});
}
ValueId Builder::transpose(ValueId operand, Dims permutation) {
  return op(Op::transpose, {operand}, TransposeAttributes{std::move(permutation)});
}
ValueId Builder::reverse(ValueId operand, Dims dimensions) {
  return op(Op::reverse, {operand}, ReverseAttributes{std::move(dimensions)});
}
ValueId Builder::concatenate(std::vector<ValueId> operands, std::int64_t dimension) {
  return op(Op::concatenate, std::move(operands), ConcatenateAttributes{dimension});
}
ValueId Builder::pad(ValueId operand, ValueId value, PadAttributes padding) {
  return op(Op::pad, {operand, value}, std::move(padding));
}
ValueId Builder::slice(ValueId operand, Dims start, Dims limit, Dims stride) {
  return op(Op::slice, {operand}, SliceAttributes{std::move(start), std::move(limit), std::move(stride)});
}
ValueId Builder::windows(ValueId operand, Dims sizes, Dims strides, Dims dilations) {
  return op(Op::windows, {operand},
            WindowsAttributes{std::move(sizes), std::move(strides), std::move(dilations)});
}
ValueId Builder::convert(ValueId operand, DType dtype) {
  if (type(operand).dtype == dtype) return operand;
  return op(Op::convert, {operand}, NoAttributes{}, {{type(operand).shape, dtype}});
}
ValueId Builder::compare(Direction direction, ValueId a, ValueId b) {
  return compare(direction, a, b, default_compare_kind(type(a).dtype));
}
ValueId Builder::compare(Direction direction, ValueId a, ValueId b, CompareKind kind) {
  return op(Op::compare, {a, b}, CompareAttributes{direction, kind});
}
ValueId Builder::select(ValueId predicate, ValueId on_true, ValueId on_false) {
  return op(Op::select, {predicate, on_true, on_false});
}

ValueId Builder::reduce(ValueId operand, ValueId init, Dims dimensions, Op body) {
  const Type element{Shape{}, type(operand).dtype};
  const RegionId region = graph_.add_region();
  const ValueId a = graph_.add_argument(region, element);
  const ValueId b = graph_.add_argument(region, element);
  const NodeId combine = graph_.add_node(region, body, {a, b}, NoAttributes{}, {element}, {}, location_);
  graph_.region(region).results = {graph_.node(combine).results[0]};
  return op(Op::reduce, {operand, init}, ReduceAttributes{std::move(dimensions)}, {}, {region});
}

std::vector<ValueId> Builder::call(const std::string& callee, std::vector<ValueId> operands) {
  return graph_.node(node(Op::call, std::move(operands), CallAttributes{callee})).results;
}

CompareKind default_compare_kind(DType dtype) {
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
    case DTypeKind::unsigned_integer:
      return CompareKind::UNSIGNED;
    case DTypeKind::signed_integer:
      return CompareKind::SIGNED;
    case DTypeKind::floating:
    case DTypeKind::complex:
      return CompareKind::FLOAT;
  }
  return CompareKind::FLOAT;
}

namespace {

// One region being copied: where it goes, and how far the copy has come.
struct Copy {
  RegionId from, to;
  std::size_t next = 0;
};

}  // namespace

std::vector<ValueId> inline_region(Builder& into, const Graph& from, RegionId source,
                                   std::vector<ValueId>& map) {
  Graph& to = into.graph();
  if (map.size() < from.value_count()) map.resize(from.value_count(), kNone);
  const auto mapped = [&](const std::vector<ValueId>& values) {
    std::vector<ValueId> result;
    result.reserve(values.size());
    for (ValueId value : values) {
      if (map[value] == kNone) throw InternalError("inline_region: a value has no counterpart");
      result.push_back(map[value]);
    }
    return result;
  };
  std::vector<Copy> stack{{source, into.region()}};
  while (!stack.empty()) {
    Copy& copy = stack.back();
    const Region& region = from.region(copy.from);
    if (copy.next == region.nodes.size()) {
      if (copy.from != source) to.region(copy.to).results = mapped(region.results);
      stack.pop_back();
      continue;
    }
    const Node& node = from.node(region.nodes[copy.next++]);
    std::vector<Type> types;
    for (ValueId result : node.results) types.push_back(from.type(result));
    std::vector<RegionId> children;
    for (RegionId child : node.regions) {
      children.push_back(to.add_region());
      for (ValueId argument : from.region(child).arguments)
        map[argument] = to.add_argument(children.back(), from.type(argument));
    }
    const NodeId id = to.add_node(copy.to, node.op, mapped(node.operands), node.attributes, std::move(types),
                                  children, to.add_location(from.location(node.location)));
    for (std::size_t i = 0; i < node.results.size(); ++i) map[node.results[i]] = to.node(id).results[i];
    for (std::size_t i = 0; i < children.size(); ++i) stack.push_back({node.regions[i], children[i]});
  }
  return mapped(from.region(source).results);
}

}  // namespace weft::ir
