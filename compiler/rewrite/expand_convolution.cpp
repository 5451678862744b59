// expand_convolution: a convolution becomes the products of all windows of the padded array with the kernel,
// and their sum.
//   before  %2 = convolution(%0, %1) …
//   after   %2 = reduce add (multiply (broadcast_in_dim (windows (pad %0))), (broadcast_in_dim (reverse %1)))
//   keeps   every output bit for bit, as interpreted; 16-bit floats are summed in f32 and rounded once
#include <algorithm>

#include <weft/error.h>

#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

using ir::Dims;
using ir::ValueId;

Shape shape_of(const Dims& extents) {
  if (extents.size() > static_cast<std::size_t>(kMaxRank))
    throw CompileError("compile: convolution over too many dimensions");
  return Shape(std::span<const std::int64_t>(extents));
}

// The domain: the result's dimensions in its own order, the output features split into groups if there are
// some, then what is summed over: input features and the window. Each of these names says where its dimension
// lies.
struct Domain {
  Dims extents;
  std::int64_t batch = 0, group = -1, output = 0, input = 0;
  Dims spatial, window;
  std::size_t kept = 0;  // dimensions that are not summed over
};

class Expansion {
 public:
  Expansion(ir::Builder& b, const ir::ConvolutionAttributes& conv, const ir::Type& result)
      : b_(b), conv_(conv), result_(result), groups_(std::max(conv.feature_groups, conv.batch_groups)) {}

  ValueId run(ValueId lhs, ValueId rhs) {
    if (b_.type(rhs).size() == 0 || result_.size() == 0)  // sums of nothing
      return b_.splat(result_.dtype, result_.shape, 0);
    kernel_ = b_.type(rhs).shape;
    plan_domain();
    const DType working = ir::accumulation_dtype(result_.dtype);
    const Shape domain = shape_of(domain_.extents);
    const ValueId a = windows_in(domain, lhs, working), c = kernel_in(domain, rhs, working);
    Dims summed;
    for (std::size_t dim = domain_.kept; dim < domain_.extents.size(); ++dim)
      summed.push_back(static_cast<std::int64_t>(dim));
    const ValueId zero = b_.constant(ir::Literal::zeros(working, {}));
    const ValueId sum = b_.reduce(b_.op(ir::Op::multiply, {a, c}), zero, std::move(summed), ir::Op::add);
    const ValueId rounded = b_.convert(sum, result_.dtype);
    return groups_ == 1 ? rounded : b_.reshape(rounded, result_.shape);
  }

 private:
  std::size_t spatial_count() const { return conv_.strides.size(); }
  std::int64_t kernel_extent(std::size_t name) const {
    return kernel_[static_cast<int>(conv_.rhs_dims[name])];
  }

  void plan_domain() {
    domain_.spatial.resize(spatial_count());
    for (std::int64_t dim = 0; dim < result_.shape.rank(); ++dim) {
      const auto name = std::find(conv_.result_dims.begin(), conv_.result_dims.end(), dim);
      const auto number = static_cast<std::size_t>(name - conv_.result_dims.begin());
      std::int64_t extent = result_.shape[static_cast<int>(dim)];
      if (number == 1 && groups_ > 1) {
        domain_.group = next(groups_);
        extent /= groups_;
      }
      const std::int64_t place = next(extent);
      if (number == 0)
        domain_.batch = place;
      else if (number == 1)
        domain_.output = place;
      else
        domain_.spatial[number - 2] = place;
    }
    domain_.kept = domain_.extents.size();
    domain_.input = next(kernel_extent(1));
    for (std::size_t i = 0; i < spatial_count(); ++i) domain_.window.push_back(next(kernel_extent(i + 2)));
  }
  std::int64_t next(std::int64_t extent) {
    domain_.extents.push_back(extent);
    return static_cast<std::int64_t>(domain_.extents.size()) - 1;
  }

  // The value with `dim` split into [groups, rest], and the places of its dimensions with that of the groups
  // before it.
  ValueId split(ValueId value, std::int64_t dim, Dims& places) {
    if (groups_ == 1) return value;
    const Shape& shape = b_.type(value).shape;
    Dims extents(shape.begin(), shape.end());
    extents[static_cast<std::size_t>(dim)] /= groups_;
    extents.insert(extents.begin() + dim, groups_);
    places.insert(places.begin() + dim, domain_.group);
    return b_.reshape(value, shape_of(extents));
  }

  ValueId windows_in(const Shape& domain, ValueId lhs, DType working) {
    Dims places(conv_.lhs_dims.size());
    places[static_cast<std::size_t>(conv_.lhs_dims[0])] = domain_.batch;
    places[static_cast<std::size_t>(conv_.lhs_dims[1])] = domain_.input;
    for (std::size_t i = 0; i < spatial_count(); ++i)
      places[static_cast<std::size_t>(conv_.lhs_dims[i + 2])] = domain_.spatial[i];
    const ValueId grouped = split(lhs, conv_.lhs_dims[conv_.batch_groups > 1 ? 0 : 1], places);

    const std::size_t rank = places.size();
    ir::PadAttributes pad{Dims(rank, 0), Dims(rank, 0), Dims(rank, 0)};
    ir::WindowsAttributes windows{Dims(rank, 1), Dims(rank, 1), Dims(rank, 1)};
    Dims elements;  // of the window, in the order of the operand's dimensions
    for (std::size_t dim = 0; dim < rank; ++dim) {
      const auto at = std::find(domain_.spatial.begin(), domain_.spatial.end(), places[dim]);
      if (at == domain_.spatial.end()) continue;
      const auto i = static_cast<std::size_t>(at - domain_.spatial.begin());
      pad.low[dim] = conv_.low[i];
      pad.high[dim] = conv_.high[i];
      pad.interior[dim] = conv_.lhs_dilations[i] - 1;
      windows.sizes[dim] = kernel_extent(i + 2);
      windows.strides[dim] = conv_.strides[i];
      windows.dilations[dim] = conv_.rhs_dilations[i];
      elements.push_back(domain_.window[i]);
    }
    const ValueId padded = b_.convert(padded_with_zeros(grouped, pad), working);
    if (elements.empty()) return b_.broadcast(padded, domain, std::move(places));
    const ValueId all = b_.windows(padded, windows.sizes, windows.strides, windows.dilations);
    const Shape& shape = b_.type(all).shape;
    Dims extents(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(rank));
    for (std::int64_t place : elements) extents.push_back(domain[static_cast<int>(place)]);
    places.insert(places.end(), elements.begin(), elements.end());
    return b_.broadcast(b_.reshape(all, shape_of(extents)), domain, std::move(places));
  }

  ValueId padded_with_zeros(ValueId value, const ir::PadAttributes& pad) {
    const auto none = [](const Dims& dims) {
      return std::all_of(dims.begin(), dims.end(), [](std::int64_t each) { return each == 0; });
    };
    if (none(pad.low) && none(pad.high) && none(pad.interior)) return value;
    return b_.pad(value, b_.constant(ir::Literal::zeros(b_.type(value).dtype, {})), pad);
  }

  ValueId kernel_in(const Shape& domain, ValueId rhs, DType working) {
    Dims places(conv_.rhs_dims.size()), reversed;
    places[static_cast<std::size_t>(conv_.rhs_dims[0])] = domain_.output;
    places[static_cast<std::size_t>(conv_.rhs_dims[1])] = domain_.input;
    for (std::size_t i = 0; i < spatial_count(); ++i) {
      places[static_cast<std::size_t>(conv_.rhs_dims[i + 2])] = domain_.window[i];
      if (conv_.reversed[i] != 0) reversed.push_back(conv_.rhs_dims[i + 2]);
    }
    const ValueId grouped = split(rhs, conv_.rhs_dims[0], places);
    // Dimensions behind the output features stand one further when these are split.
    if (groups_ > 1)
      for (std::int64_t& dim : reversed) dim += dim > conv_.rhs_dims[0] ? 1 : 0;
    const ValueId turned = reversed.empty() ? grouped : b_.reverse(grouped, std::move(reversed));
    return b_.broadcast(b_.convert(turned, working), domain, std::move(places));
  }

  ir::Builder& b_;
  const ir::ConvolutionAttributes& conv_;
  const ir::Type& result_;
  std::int64_t groups_;
  Shape kernel_;
  Domain domain_;
};

}  // namespace

ir::Graph expand_convolution(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "expand_convolution");
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.op != ir::Op::convolution) return false;
    Expansion expansion(rebuild.here(), ir::attributes_of<ir::ConvolutionAttributes>(node),
                        graph.type(node.results[0]));
    const ir::ValueId now = expansion.run(rebuild.mapped(node.operands[0]), rebuild.mapped(node.operands[1]));
    rebuild.replace(node.results[0], now);
    rebuild.record_replaced("expand", {id}, now, {});
    return true;
  });
}

}  // namespace weft::rewrite
