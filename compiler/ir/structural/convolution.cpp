// convolution: every window of the padded left operand, times the kernel, summed over input features and the
// window.
#include <algorithm>

#include "compiler/ir/structural/accumulate.h"

namespace weft::ir {
namespace {

// --- types ---

// Batch, feature and spatial dimensions name every dimension once.
std::optional<TypeAnswer> fault_of_names(const Dims& dims, int rank, const char* what) {
  if (static_cast<int>(dims.size()) != rank)
    return wrong_shape("C13",
                       fmt::format("{} {} dimensions are named, there are {}", dims.size(), what, rank));
  if (auto fault = fault_of_dims(dims, rank, "dimension"))
    return wrong_shape("C13", fmt::format("of the {}: {}", what, *fault));
  return std::nullopt;
}

std::optional<TypeAnswer> fault_of_window(const ConvolutionAttributes& conv, std::size_t spatial) {
  for (const Dims* dims :
       {&conv.strides, &conv.low, &conv.high, &conv.lhs_dilations, &conv.rhs_dilations, &conv.reversed})
    if (dims->size() != spatial)
      return wrong_shape("C2", fmt::format("{} entries for {} spatial dimensions", dims->size(), spatial));
  for (const Dims* dims : {&conv.strides, &conv.lhs_dilations, &conv.rhs_dilations})
    for (std::int64_t each : *dims)
      if (each <= 0) return wrong_shape("C3", fmt::format("stride or dilation {} is not positive", each));
  return std::nullopt;
}

std::optional<TypeAnswer> fault_of_groups(const ConvolutionAttributes& conv, const Shape& lhs,
                                          const Shape& rhs) {
  const std::int64_t features = conv.feature_groups, batches = conv.batch_groups;
  const std::int64_t batch = lhs[static_cast<int>(conv.lhs_dims[0])],
                     feature = lhs[static_cast<int>(conv.lhs_dims[1])],
                     output = rhs[static_cast<int>(conv.rhs_dims[0])],
                     input = rhs[static_cast<int>(conv.rhs_dims[1])];
  if (features < 1 || batches < 1 || (features > 1 && batches > 1))
    return wrong_shape(
        "C23", fmt::format("{} feature groups and {} batch groups: one must be 1", features, batches));
  if (batch % batches != 0)
    return wrong_shape("C10", fmt::format("a batch of {} does not divide into {} groups", batch, batches));
  if (feature % features != 0 || feature / features != input)
    return wrong_shape(
        "C14", fmt::format("{} features in {} groups, the kernel takes {}", feature, features, input));
  if (output % features != 0 || output % batches != 0)
    return wrong_shape("C15", fmt::format("{} output features do not divide into {} groups", output,
                                          std::max(features, batches)));
  return std::nullopt;
}

// The extent with zeros between, before and behind the elements; nothing when there is none.
std::optional<std::int64_t> padded_extent(const ConvolutionAttributes& conv, std::size_t i,
                                          std::int64_t extent) {
  std::int64_t padded = 0;
  if (__builtin_mul_overflow(std::max<std::int64_t>(extent - 1, 0), conv.lhs_dilations[i] - 1, &padded) ||
      __builtin_add_overflow(padded, extent, &padded) ||
      __builtin_add_overflow(padded, conv.low[i], &padded) ||
      __builtin_add_overflow(padded, conv.high[i], &padded) || padded < 0)
    return std::nullopt;
  return padded;
}

TypeAnswer convolution_types(const TypeQuery& query) {
  if (auto fault = expects(query, 2)) return *fault;
  const auto& conv = std::get<ConvolutionAttributes>(query.attributes);
  const Type &lhs = query.operands[0], &rhs = query.operands[1];
  const ProductType product = product_type(query);
  if (product.fault) return *product.fault;
  const int rank = lhs.shape.rank();
  if (rank < 2 || rhs.shape.rank() != rank)
    return wrong_shape(
        "C1", fmt::format("{} and {} must have one rank, of at least 2", lhs.to_string(), rhs.to_string()));
  const auto spatial = static_cast<std::size_t>(rank - 2);
  if (auto fault = fault_of_window(conv, spatial)) return *fault;
  if (auto fault = fault_of_names(conv.lhs_dims, rank, "left operand")) return *fault;
  if (auto fault = fault_of_names(conv.rhs_dims, rank, "kernel")) return *fault;
  if (auto fault = fault_of_names(conv.result_dims, rank, "result")) return *fault;
  if (auto fault = fault_of_groups(conv, lhs.shape, rhs.shape)) return *fault;
  std::vector<std::int64_t> extents(static_cast<std::size_t>(rank));
  extents[static_cast<std::size_t>(conv.result_dims[0])] =
      lhs.shape[static_cast<int>(conv.lhs_dims[0])] / conv.batch_groups;
  extents[static_cast<std::size_t>(conv.result_dims[1])] = rhs.shape[static_cast<int>(conv.rhs_dims[0])];
  for (std::size_t i = 0; i < spatial; ++i) {
    const auto padded = padded_extent(conv, i, lhs.shape[static_cast<int>(conv.lhs_dims[i + 2])]);
    if (!padded)
      return wrong_shape("C25",
                         fmt::format("spatial dimension {} of {} has no extent when padded by {} and {}", i,
                                     lhs.to_string(), conv.low[i], conv.high[i]));
    extents[static_cast<std::size_t>(conv.result_dims[i + 2])] = window_count(
        *padded, rhs.shape[static_cast<int>(conv.rhs_dims[i + 2])], conv.strides[i], conv.rhs_dilations[i]);
  }
  return product_answer(query, extents, product.dtype);
}

// --- reference value ---

// Dimensions in the order in which they are named: [batch, feature, spatial …] of a position.
Position named(const Position& position, const Dims& dims) {
  Position result;
  for (std::int64_t dim : dims) result.push_back(position[static_cast<std::size_t>(dim)]);
  return result;
}
std::int64_t flat_of_named(const Shape& shape, const Dims& dims, const Position& names) {
  Position position(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) position[static_cast<std::size_t>(dims[i])] = names[i];
  return flat_index(shape, position);
}

// Which elements meet at (result position, element of the window); -1 for the left one where there is
// padding.
struct Meeting {
  std::int64_t lhs, rhs;
};
Meeting meeting_at(const ConvolutionAttributes& conv, const Shape& lhs, const Shape& rhs, const Position& at,
                   const Position& element) {
  const std::int64_t outputs = rhs[static_cast<int>(conv.rhs_dims[0])], inputs = element[0];
  Position left{at[0], element[0]}, right{at[1], inputs};
  if (conv.feature_groups > 1)
    left[1] += at[1] / (outputs / conv.feature_groups) * rhs[static_cast<int>(conv.rhs_dims[1])];
  if (conv.batch_groups > 1)
    left[0] +=
        at[1] / (outputs / conv.batch_groups) * (lhs[static_cast<int>(conv.lhs_dims[0])] / conv.batch_groups);
  bool is_padding = false;
  for (std::size_t i = 0; i + 2 < at.size(); ++i) {
    const std::int64_t size = rhs[static_cast<int>(conv.rhs_dims[i + 2])];
    const std::int64_t extent = lhs[static_cast<int>(conv.lhs_dims[i + 2])];
    const std::int64_t place =
        at[i + 2] * conv.strides[i] + element[i + 1] * conv.rhs_dilations[i] - conv.low[i];
    is_padding = is_padding || place < 0 || place % conv.lhs_dilations[i] != 0 ||
                 place / conv.lhs_dilations[i] >= extent;
    left.push_back(place / conv.lhs_dilations[i]);
    right.push_back(conv.reversed[i] != 0 ? size - 1 - element[i + 1] : element[i + 1]);
  }
  return {is_padding ? -1 : flat_of_named(lhs, conv.lhs_dims, left),
          flat_of_named(rhs, conv.rhs_dims, right)};
}

std::vector<Literal> convolution_value(const Evaluation& evaluation) {
  const auto& conv = attributes_of<ConvolutionAttributes>(evaluation.node);
  const Shape &lhs = evaluation.operands[0].type.shape, &rhs = evaluation.operands[1].type.shape;
  std::vector<std::int64_t> extents;  // of what is summed over: input features, then the window
  for (std::size_t i = 1; i < conv.rhs_dims.size(); ++i)
    extents.push_back(rhs[static_cast<int>(conv.rhs_dims[i])]);
  const Shape window{std::span<const std::int64_t>(extents)};
  Literal result = uninitialized(evaluation.graph.type(evaluation.node.results[0]));
  with_cpp_type(result.type.dtype, [&](auto zero) {
    using R = decltype(zero);
    using A = accumulator_of<R>;
    const std::vector<A> a = elements_as<A>(evaluation.operands[0]),
                         b = elements_as<A>(evaluation.operands[1]);
    for_each_position(result.type.shape, [&](const Position& position, std::int64_t flat) {
      const Position at = named(position, conv.result_dims);
      ProductSum<A> sum;
      for_each_position(window, [&](const Position& element, std::int64_t) {
        const Meeting meeting = meeting_at(conv, lhs, rhs, at, element);
        sum.add(meeting.lhs < 0 ? A{} : a[static_cast<std::size_t>(meeting.lhs)],
                b[static_cast<std::size_t>(meeting.rhs)]);
      });
      put(result, flat, R(sum.sum()));
    });
  });
  return {std::move(result)};
}

// --- batching: the batch joins the batch of the left operand, the output features of the kernel, or both as
// groups ---

std::vector<std::int64_t> extents_of(const Builder& b, ValueId value) {
  const Shape& shape = b.type(value).shape;
  return {shape.begin(), shape.end()};
}

// [batch, … groups * rest …] with the batch between the groups and the rest of dimension `dim`.
ValueId joined(Builder& b, ValueId value, std::int64_t dim, std::int64_t groups) {
  std::vector<std::int64_t> extents = extents_of(b, value), split(extents.begin() + 1, extents.end());
  const std::int64_t size = extents[0], rest = split[static_cast<std::size_t>(dim)] / groups;
  Dims permutation;
  for (std::int64_t i = 1; i <= static_cast<std::int64_t>(split.size()) + 1; ++i) {
    permutation.push_back(i);
    if (i == dim + 1) permutation.push_back(0);
  }
  std::vector<std::int64_t> whole = split;
  whole[static_cast<std::size_t>(dim)] = groups * size * rest;
  split[static_cast<std::size_t>(dim)] = rest;
  split.insert(split.begin() + dim, groups);
  split.insert(split.begin(), size);
  const ValueId parted = b.reshape(value, Shape(std::span<const std::int64_t>(split)));
  return b.reshape(b.transpose(parted, permutation), Shape(std::span<const std::int64_t>(whole)));
}

// The opposite.
ValueId parted(Builder& b, ValueId value, std::int64_t dim, std::int64_t groups, std::int64_t size) {
  std::vector<std::int64_t> split = extents_of(b, value), whole = split;
  const std::int64_t rest = split[static_cast<std::size_t>(dim)] / groups / size;
  split[static_cast<std::size_t>(dim)] = rest;
  split.insert(split.begin() + dim, {groups, size});
  whole[static_cast<std::size_t>(dim)] = groups * rest;
  whole.insert(whole.begin(), size);
  const ValueId all = b.reshape(value, Shape(std::span<const std::int64_t>(split)));
  return b.reshape(moved_to_front(b, all, static_cast<int>(dim) + 1),
                   Shape(std::span<const std::int64_t>(whole)));
}

std::vector<Batched> convolution_batch(const Batching& batching) {
  Builder& to = batching.to;
  ConvolutionAttributes conv = attributes_of<ConvolutionAttributes>(batching.node);
  const Type& type = batching.from.type(batching.node.results[0]);
  if (batching.size == 0)
    return {batched_result(to.splat(type.dtype, with_batch(type.shape, batching.size), 0))};
  const bool left = batching.operands[0].is_batched, right = batching.operands[1].is_batched;
  ValueId lhs = batching.operands[0].value, rhs = batching.operands[1].value;
  std::int64_t in = conv.result_dims[right ? 1 : 0], groups = 1;
  if (left && right) {
    const bool batches = conv.batch_groups > 1;
    lhs = joined(to, lhs, conv.lhs_dims[batches ? 0 : 1], 1);
    rhs = joined(to, rhs, conv.rhs_dims[0], 1);
    (batches ? conv.batch_groups : conv.feature_groups) *= batching.size;
  } else if (left) {
    lhs = joined(to, lhs, conv.lhs_dims[0], conv.batch_groups);
  } else {
    groups = std::max(conv.feature_groups, conv.batch_groups);
    rhs = joined(to, rhs, conv.rhs_dims[0], groups);
  }
  std::vector<std::int64_t> extents(type.shape.begin(), type.shape.end());
  extents[static_cast<std::size_t>(in)] *= batching.size;
  const ValueId result = to.op(Op::convolution, {lhs, rhs}, std::move(conv),
                               {{Shape(std::span<const std::int64_t>(extents)), type.dtype}});
  return {batched_result(parted(to, result, in, groups, batching.size))};
}

}  // namespace

namespace rules {
const StructuralRules& convolution() {
  static const StructuralRules rules{convolution_types, convolution_value, convolution_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
