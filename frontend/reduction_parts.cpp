// Reduce operations: standard ones, and those with a recorded body.
#include "frontend/reduction_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft::frontend {
namespace {

ir::Dims dims_of(const std::vector<int>& axes) { return {axes.begin(), axes.end()}; }

Array constant_of(const ir::Literal& literal) {
  Trace& trace = *Trace::current();
  return trace.value(trace.builder().constant(literal), false);
}

}  // namespace

Array reduce_with(ir::ReductionKind kind, const Array& x, const std::vector<int>& axes) {
  Trace& trace = *Trace::current();
  const ir::ValueId operand = trace.lift(x);
  ir::Builder& builder = trace.builder();
  const ir::ValueId init = builder.constant(ir::identity_of(kind, type_of(x).dtype));
  return trace.value(builder.reduce(operand, init, dims_of(axes), ir::info_of(kind).combine), x.is_weak());
}

Shape kept_shape(const Shape& shape, const std::vector<int>& axes) {
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  for (const int axis : axes) extents[static_cast<std::size_t>(axis)] = 1;
  return Shape(extents);
}

namespace {

struct RecordedBody {
  ir::Graph graph;
  std::vector<Array> captured;  // from outside; its arguments after the accumulators and elements
};

RecordedBody record_body(std::span<const Array> operands, const ReduceBody& body) {
  const auto inner = std::make_shared<Trace>();
  std::vector<Array> accumulators, elements;
  for (const Array& x : operands) accumulators.push_back(inner->argument({Shape{}, type_of(x).dtype}, false));
  for (const Array& x : operands) elements.push_back(inner->argument({Shape{}, type_of(x).dtype}, false));
  RecordedBody recorded;
  {
    const OpenTrace open(*inner);
    recorded.graph = inner->finish(body(accumulators, elements));
    recorded.captured = inner->captured();
  }
  for (const Array& x : recorded.captured)
    if (type_of(x).shape.rank() != 0)
      fail_type(fmt::format("the body uses {} from outside: only scalars can be", type_of(x).to_string()));
  for (const ir::NodeId node : recorded.graph.region(recorded.graph.entry().body).nodes)
    if (!recorded.graph.node(node).regions.empty())
      fail_type(fmt::format("the body has a {} inside: only scalar operations can be",
                            ir::info_of(recorded.graph.node(node).op).name));
  return recorded;
}

}  // namespace

// A scalar from outside becomes one more operand, equal everywhere, whose accumulator stays as it is.
std::vector<Array> reduce_by(std::span<const Array> operands, std::span<const Array> inits,
                             const std::vector<int>& axes, const ReduceBody& body) {
  const RecordedBody recorded = record_body(operands, body);
  const std::size_t own = operands.size();
  std::vector<Array> all(operands.begin(), operands.end()), starts(inits.begin(), inits.end());
  for (const Array& x : recorded.captured) {
    all.push_back(broadcast_in_dim(as_weak(x, false), type_of(operands[0]).shape, {}));
    starts.push_back(as_weak(x, false));
  }
  ir::Graph& graph = Trace::current()->builder().graph();
  const ir::RegionId region = graph.add_region();
  std::vector<ir::ValueId> accumulators, elements;
  for (const Array& x : all) accumulators.push_back(graph.add_argument(region, {Shape{}, type_of(x).dtype}));
  for (const Array& x : all) elements.push_back(graph.add_argument(region, {Shape{}, type_of(x).dtype}));

  std::vector<ir::ValueId> arguments(accumulators.begin(),
                                     accumulators.begin() + static_cast<std::ptrdiff_t>(own));
  arguments.insert(arguments.end(), elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(own));
  arguments.insert(arguments.end(), accumulators.begin() + static_cast<std::ptrdiff_t>(own),
                   accumulators.end());
  ir::Builder inside(graph, region);
  std::vector<ir::ValueId> results = inline_entry(inside, recorded.graph, arguments);
  results.insert(results.end(), accumulators.begin() + static_cast<std::ptrdiff_t>(own), accumulators.end());
  graph.region(region).results = std::move(results);

  all.insert(all.end(), starts.begin(), starts.end());
  std::vector<Array> reduced = record_all(ir::Op::reduce, all, ir::ReduceAttributes{dims_of(axes)}, {region});
  reduced.resize(own);
  return reduced;
}

namespace {

// The element wins over the accumulator unless that one is better, or NaN; equal ones are decided by
// position.
std::vector<Array> better_of(std::span<const Array> acc, std::span<const Array> element, bool is_minimum) {
  using ir::Direction;
  const Array &value = acc[0], &index = acc[1], &new_value = element[0], &new_index = element[1];
  Array keeps = compare(is_minimum ? Direction::LT : Direction::GT, value, new_value);
  if (is_floating(type_of(value).dtype))
    keeps = record(ir::Op::or_, {keeps, compare(Direction::NE, value, value)});
  const Array is_tie = compare(Direction::EQ, value, new_value);
  const Array is_earlier = compare(Direction::LT, index, new_index);
  const Array keeps_index = record(ir::Op::or_, {keeps, record(ir::Op::and_, {is_tie, is_earlier})});
  return {select(keeps, value, new_value), select(keeps_index, index, new_index)};
}

}  // namespace

Array position_of_extremum(const Array& x, int axis, bool is_minimum) {
  const ShapeDtype type = type_of(x);
  const DType index_dtype = type.shape[axis] > INT32_MAX ? i64 : i32;
  const ir::ReductionKind kind = is_minimum ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
  const Array operands[] = {as_weak(x, false), record_iota(index_dtype, type.shape, axis)};
  const Array inits[] = {constant_of(ir::identity_of(kind, type.dtype)), splat(index_dtype, {}, 0)};
  return reduce_by(operands, inits, {axis}, [&](std::span<const Array> acc, std::span<const Array> element) {
    return better_of(acc, element, is_minimum);
  })[1];
}

}  // namespace weft::frontend
