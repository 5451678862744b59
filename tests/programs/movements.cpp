// Attributes of data movement, at random and always legal.
#include "tests/programs/movements.h"

#include <algorithm>
#include <numeric>

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Dims;
using ir::Op;
using ir::ValueId;

constexpr std::int64_t kMostElements = 4000;

Shape shape_from(const Dims& extents) { return Shape(std::span<const std::int64_t>(extents)); }
Dims extents_of(const Builder& b, ValueId x) {
  const Shape& shape = b.type(x).shape;
  return {shape.begin(), shape.end()};
}
Dims shuffled(std::size_t count, Random& random) {
  Dims order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(i)))]);
  return order;
}

ValueId transpose(Builder& b, ValueId x, Random& random) {
  return b.transpose(x, shuffled(extents_of(b, x).size(), random));
}

ValueId reverse(Builder& b, ValueId x, Random& random) {
  Dims dimensions;
  for (std::size_t i = 0; i < extents_of(b, x).size(); ++i)
    if (random() % 2 == 0) dimensions.push_back(static_cast<std::int64_t>(i));
  return b.reverse(x, dimensions);
}

ValueId slice(Builder& b, ValueId x, Random& random) {
  Dims start, limit, stride;
  for (std::int64_t extent : extents_of(b, x)) {
    start.push_back(below(random, extent + 1));
    limit.push_back(extent - below(random, std::min<std::int64_t>(extent - start.back() + 1, 3)));
    stride.push_back(1 + below(random, 3));
  }
  return b.slice(x, start, limit, stride);
}

// New dimensions in front of and between the operand's; extents of 1 grow now and then.
ValueId broadcast(Builder& b, ValueId x, Random& random) {
  Dims from = extents_of(b, x), to, dimensions;
  for (std::size_t i = 0; i <= from.size(); ++i) {
    if (random() % 3 == 0 && to.size() + from.size() - i < 5) to.push_back(1 + below(random, 4));
    if (i == from.size()) break;
    dimensions.push_back(static_cast<std::int64_t>(to.size()));
    to.push_back(from[i] == 1 && random() % 2 == 0 ? 3 : from[i]);
  }
  return shape_from(to).size() > kMostElements ? x : b.broadcast(x, shape_from(to), dimensions);
}

// Splits the number of elements into factors again.
ValueId reshape(Builder& b, ValueId x, Random& random) {
  std::int64_t rest = b.type(x).size();
  Dims to;
  if (rest == 0) return b.reshape(x, shape_from({2, 0, 3}));
  for (std::int64_t factor : {2, 3, 2, 5}) {
    if (rest % factor != 0 || random() % 3 == 0) continue;
    to.push_back(factor);
    rest /= factor;
  }
  to.insert(to.begin() + below(random, static_cast<std::int64_t>(to.size()) + 1), rest);
  return b.reshape(x, shape_from(to));
}

// One dimension of extent 1 more or less: the index map stays affine.
ValueId reshape_by_one(Builder& b, ValueId x, Random& random) {
  Dims extents = extents_of(b, x);
  const auto one = std::find(extents.begin(), extents.end(), 1);
  if (one != extents.end() && random() % 2 == 0)
    extents.erase(one);
  else if (extents.size() < 5)
    extents.insert(extents.begin() + below(random, static_cast<std::int64_t>(extents.size()) + 1), 1);
  return b.reshape(x, shape_from(extents));
}

// The operand beside a part of itself, a computed copy, or something empty.
ValueId concatenate(Builder& b, ValueId x, Random& random) {
  const Dims extents = extents_of(b, x);
  if (extents.empty() || b.type(x).size() > kMostElements / 3) return x;
  const auto dimension = static_cast<std::size_t>(below(random, static_cast<std::int64_t>(extents.size())));
  std::vector<ValueId> operands{x};
  for (std::int64_t count = below(random, 3); count >= 0; --count) {
    Dims start(extents.size(), 0), limit = extents;
    start[dimension] = below(random, extents[dimension] + 1);
    const ValueId part = b.slice(x, start, limit, Dims(extents.size(), 1));
    operands.push_back(random() % 2 == 0 ? part : elementwise_step(b, part, random));
  }
  std::swap(operands.front(),
            operands[static_cast<std::size_t>(below(random, static_cast<std::int64_t>(operands.size())))]);
  return b.concatenate(operands, static_cast<std::int64_t>(dimension));
}

// Edges to both sides, some of them negative, and room between the elements.
ValueId pad(Builder& b, ValueId x, Random& random) {
  ir::PadAttributes pad;
  std::int64_t size = 1;
  for (std::int64_t extent : extents_of(b, x)) {
    pad.interior.push_back(random() % 3 == 0 ? below(random, 3) : 0);
    const std::int64_t spread = extent + std::max<std::int64_t>(extent - 1, 0) * pad.interior.back();
    pad.low.push_back(below(random, 5) - 2);
    pad.high.push_back(std::max(below(random, 5) - 2, -spread - pad.low.back()));
    size *= std::max<std::int64_t>(spread + pad.low.back() + pad.high.back(), 1);
  }
  const DType dtype = b.type(x).dtype;
  const ValueId value =
      random() % 2 == 0 ? b.graph().add_argument(b.region(), {Shape{}, dtype}) : b.scalar(dtype, 1);
  return size > kMostElements ? x : b.pad(x, value, pad);
}

// All windows: a dimension slides or not, with its own stride and dilation.
ValueId windows(Builder& b, ValueId x, Random& random) {
  const Dims extents = extents_of(b, x);
  ir::WindowsAttributes windows;
  std::int64_t size = std::max<std::int64_t>(b.type(x).size(), 1);
  for (std::int64_t extent : extents) {
    windows.sizes.push_back(extents.size() < 4 ? 1 + below(random, std::min<std::int64_t>(extent + 1, 4))
                                               : 1);
    windows.strides.push_back(1 + below(random, 3));
    windows.dilations.push_back(1 + below(random, 2));
    size *= windows.sizes.back();
  }
  return size > kMostElements || extents.size() > 3
             ? x
             : b.windows(x, windows.sizes, windows.strides, windows.dilations);
}

DType index_type(Random& random) { return kIntegerTypes[below(random, std::size(kIntegerTypes))]; }

// Indices far outside on both sides among good ones; a constant or an argument (whose values hold extremes).
ValueId indices(Builder& b, DType dtype, const Shape& shape, Random& random) {
  const ir::Type type{shape, dtype};
  if (random() % 3 == 0) return b.graph().add_argument(b.region(), type);
  if (random() % 3 == 0)
    return b.constant(values(type, static_cast<std::uint32_t>(random()), Values::special));
  std::vector<double> elements;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(shape.size(), 1); ++i) {
    const double far[] = {127, is_unsigned(dtype) ? 200.0 : -100.0, is_unsigned(dtype) ? 255.0 : -1.0};
    elements.push_back(random() % 3 == 0 ? far[below(random, 3)] : static_cast<double>(below(random, 5)));
  }
  return b.constant(literal_of(dtype, shape, elements));
}

ValueId dynamic_slice(Builder& b, ValueId x, Random& random) {
  std::vector<ValueId> operands{x};
  ir::DynamicSliceAttributes attributes;
  const DType dtype = index_type(random);
  for (std::int64_t extent : extents_of(b, x)) {
    operands.push_back(indices(b, dtype, Shape{}, random));
    attributes.sizes.push_back(below(random, extent + 1));
  }
  return b.op(Op::dynamic_slice, operands, attributes);
}

// A box of the operand, changed, put back somewhere.
ValueId dynamic_update_slice(Builder& b, ValueId x, Random& random) {
  const Dims extents = extents_of(b, x);
  Dims start(extents.size(), 0), limit;
  for (std::int64_t extent : extents) limit.push_back(below(random, extent + 1));
  std::vector<ValueId> operands{
      x, elementwise_step(b, b.slice(x, start, limit, Dims(extents.size(), 1)), random)};
  const DType dtype = index_type(random);
  for (std::size_t i = 0; i < extents.size(); ++i) operands.push_back(indices(b, dtype, Shape{}, random));
  return b.op(Op::dynamic_update_slice, operands);
}

// Boxes of the operand at a few places; the starts of a random subset of the dimensions are given.
ValueId gather(Builder& b, ValueId x, Random& random) {
  const Dims extents = extents_of(b, x);
  ir::GatherAttributes attributes;
  for (std::int64_t dim : shuffled(extents.size(), random))
    if (random() % 2 == 0) attributes.start_index_map.push_back(dim);
  Dims batch;
  for (std::int64_t i = below(random, 3); i > 0; --i) batch.push_back(1 + below(random, 3));
  std::int64_t kept = 0;
  for (std::size_t dim = 0; dim < extents.size(); ++dim) {
    const bool collapse = extents[dim] > 0 && random() % 2 == 0;
    attributes.slice_sizes.push_back(
        collapse ? 1 : extents[dim] - below(random, std::min<std::int64_t>(extents[dim], 2) + 1));
    if (collapse) attributes.collapsed_slice_dims.push_back(static_cast<std::int64_t>(dim));
    kept += collapse ? 0 : 1;
  }
  if (static_cast<std::size_t>(kept) + batch.size() > 5) return x;
  Dims places = shuffled(static_cast<std::size_t>(kept) + batch.size(), random);
  places.resize(static_cast<std::size_t>(kept));
  std::sort(places.begin(), places.end());
  attributes.offset_dims = places;
  attributes.index_vector_dim = below(random, static_cast<std::int64_t>(batch.size()) + 1);
  Dims starts = batch;
  starts.insert(starts.begin() + attributes.index_vector_dim,
                static_cast<std::int64_t>(attributes.start_index_map.size()));
  std::int64_t size = shape_from(batch).size();
  for (std::int64_t extent : attributes.slice_sizes) size *= extent;
  if (size > kMostElements) return x;
  return b.op(Op::gather, {x, indices(b, index_type(random), shape_from(starts), random)}, attributes);
}

ValueId convert(Builder& b, ValueId x, Random& random) {
  return b.convert(x, kRealTypes[below(random, std::size(kRealTypes))]);
}

// A type as wide, half as wide (one dimension more) or twice as wide (the last dimension less). Which NaN an
// operation gives is not defined, so that none may be looked into.
ValueId bitcast_convert(Builder& b, ValueId x, Random& random) {
  const ir::Type from = b.type(x);
  const DType to = kIntegerTypes[below(random, std::size(kIntegerTypes))];
  if (from.dtype == DType::b1) return x;
  Dims extents = extents_of(b, x);
  const auto wide = static_cast<std::int64_t>(size_of(from.dtype)),
             wanted = static_cast<std::int64_t>(size_of(to));
  if (wide > wanted) extents.push_back(wide / wanted);
  if (wide < wanted) {
    if (extents.empty() || extents.back() != wanted / wide) return x;
    extents.pop_back();
  }
  if (is_floating(from.dtype))
    x = b.select(b.compare(ir::Direction::NE, x, x), b.splat(from.dtype, from.shape, 1), x);
  return b.op(Op::bitcast_convert, {x}, ir::NoAttributes{}, {{shape_from(extents), to}});
}

ValueId reduce_precision(Builder& b, ValueId x, Random& random) {
  if (!is_floating(b.type(x).dtype)) return x;
  const ir::ReducePrecisionAttributes formats[] = {{8, 7},  {5, 10},  {5, 2}, {4, 3},
                                                   {8, 23}, {11, 52}, {2, 1}};
  return b.op(Op::reduce_precision, {x}, formats[below(random, std::size(formats))]);
}

ValueId compare(Builder& b, ValueId x, Random& random) {
  const auto direction = static_cast<ir::Direction>(below(random, 6));
  const DType dtype = b.type(x).dtype;
  const ValueId y = b.constant(values(b.type(x), static_cast<std::uint32_t>(random()), Values::special));
  if (is_floating(dtype) && random() % 2 == 0) return b.compare(direction, x, y, ir::CompareKind::TOTALORDER);
  return b.compare(direction, x, y);
}

ValueId select(Builder& b, ValueId x, Random& random) {
  const Shape shape = random() % 2 == 0 ? Shape{} : b.type(x).shape;
  const ValueId which =
      b.constant(values({shape, DType::b1}, static_cast<std::uint32_t>(random()), Values::small));
  const ValueId other = b.constant(values(b.type(x), static_cast<std::uint32_t>(random()), Values::special));
  return random() % 2 == 0 ? b.select(which, x, other) : b.select(which, other, x);
}

ValueId clamp(Builder& b, ValueId x, Random& random) {
  const ir::Type type = b.type(x);
  const auto bound = [&] {
    return b.constant(values({random() % 2 == 0 ? Shape{} : type.shape, type.dtype},
                             static_cast<std::uint32_t>(random()), Values::special));
  };
  const ValueId low = bound(), high = bound();
  return b.op(Op::clamp, {low, x, high});
}

ValueId add_iota(Builder& b, ValueId x, Random& random) {
  const ir::Type type = b.type(x);
  if (type.shape.rank() == 0 || type.dtype == DType::b1) return x;
  return b.op(Op::add, {x, b.iota(type.dtype, type.shape, below(random, type.shape.rank()))});
}

}  // namespace

std::int64_t below(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}

Shape shape_of_rank(int rank, Random& random) {
  Dims extents;
  for (int i = 0; i < rank; ++i)
    extents.push_back(random() % 24 == 0 ? 0 : 1 + below(random, rank > 3 ? 4 : 7));
  return shape_from(extents);
}

ValueId elementwise_step(Builder& b, ValueId x, Random& random) {
  const ir::Type type = b.type(x);
  const Op unary[] = {Op::negate, Op::abs, Op::not_, Op::sign, Op::floor};
  const Op binary[] = {Op::add, Op::multiply, Op::maximum, Op::minimum, Op::subtract, Op::and_, Op::xor_};
  if (random() % 2 == 0) {
    const Op op = unary[below(random, std::size(unary))];
    return ir::accepts(op, type.dtype) ? b.op(op, {x}) : x;
  }
  const Op op = binary[below(random, std::size(binary))];
  if (!ir::accepts(op, type.dtype)) return x;
  return b.op(op, {x, b.constant(values(type, static_cast<std::uint32_t>(random()), Values::special))});
}

std::vector<Movement> movements() {
  return {{"transpose", transpose},
          {"reverse", reverse},
          {"slice", slice},
          {"broadcast_in_dim", broadcast},
          {"reshape", reshape},
          {"reshape by one", reshape_by_one},
          {"concatenate", concatenate},
          {"pad", pad},
          {"windows", windows},
          {"dynamic_slice", dynamic_slice},
          {"dynamic_update_slice", dynamic_update_slice},
          {"gather", gather},
          {"iota", add_iota},
          {"convert", convert},
          {"bitcast_convert", bitcast_convert},
          {"reduce_precision", reduce_precision},
          {"compare", compare},
          {"select", select},
          {"clamp", clamp}};
}

}  // namespace weft::sweep
