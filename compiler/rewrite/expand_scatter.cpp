// expand_scatter: a scatter becomes a loop over its updates, each of which changes a box of the result in place.
//   before  %3 = scatter(%0, %1, %2) { body }
//   after   %3 = weft.scan (%0) { box = dynamic_slice; dynamic_update_slice(select(inside, body(box, update), box)) }
//   keeps   every output bit for bit: updates in row-major order, those that lie outside dropped, element by element
#include <algorithm>
#include <utility>

#include <weft/error.h>

#include "compiler/ir/captured.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

using ir::Dims;
using ir::Op;
using ir::ValueId;

bool contains(const Dims& dims, std::int64_t dim) { return std::find(dims.begin(), dims.end(), dim) != dims.end(); }
std::ptrdiff_t place_in(const Dims& dims, std::int64_t dim) {
  const auto found = std::find(dims.begin(), dims.end(), dim);
  return found == dims.end() ? -1 : found - dims.begin();
}

class Expansion {
 public:
  Expansion(Rebuild& rebuild, const ir::Node& node)
      : rebuild_(rebuild),
        from_(rebuild.from()),
        node_(node),
        s_(ir::attributes_of<ir::ScatterAttributes>(node)),
        count_(node.results.size()),
        input_(from_.type(node.operands[0]).shape),
        indices_type_(from_.type(node.operands[count_])),
        updates_(from_.type(node.operands[count_ + 1]).shape) {
    find_dimensions();
  }

  std::vector<ValueId> run() {
    ir::Builder& here = rebuild_.here();
    ir::Graph& graph = rebuild_.to();
    const ir::RegionId region = graph.add_region();
    const ValueId step = graph.add_argument(region, {Shape{}, DType::i64});
    std::vector<ValueId> carried, inits;
    for (std::size_t i = 0; i < count_; ++i) inits.push_back(rebuild_.mapped(node_.operands[i]));
    if (steps_ == 0) return inits;
    for (std::size_t i = 0; i < count_; ++i) {
      carried.push_back(graph.add_argument(region, from_.type(node_.operands[i])));
    }
    ir::Builder inside(graph, region, graph.add_location(from_.location(node_.location)));
    std::vector<ValueId> results = build_step(inside, step, carried);
    graph.region(region).results = std::move(results);
    ir::ScanAttributes scan;
    scan.carries = static_cast<std::int64_t>(count_);
    scan.length = steps_;
    return graph.node(here.node(Op::scan, std::move(inits), scan, {}, {region})).results;
  }

 private:
  // A dimension of the updates that the loop walks: one of the indices, or one along which a box may lie half outside.
  struct Walked {
    std::int64_t extent = 0, stride = 0;  // of its digit in the number of the step
    std::ptrdiff_t index_dim = -1;        // which of the indices' dimensions (without that of the vectors), or none
    std::int64_t input_dim = -1;          // else of the input
  };

  void find_dimensions() {
    std::size_t window = 0;
    for (int dim = 0; dim < input_.rank(); ++dim) {
      const bool is_single = contains(s_.inserted_window_dims, dim) || contains(s_.input_batching_dims, dim);
      window_of_.push_back(is_single ? -1 : s_.update_window_dims[window++]);
    }
    std::ptrdiff_t next = 0;
    for (int dim = 0; dim < updates_.rank(); ++dim) {
      Walked walked{updates_[dim], 0, -1, -1};
      if (!contains(s_.update_window_dims, dim)) {
        walked.index_dim = next++;
      } else {
        const std::ptrdiff_t of = place_in(window_of_, dim);
        const bool moves = contains(s_.scatter_dims_to_operand_dims, of) && updates_[dim] > 1;
        if (!moves) continue;
        walked.input_dim = of;
      }
      walked_dims_.push_back(dim);
      walked_.push_back(walked);
    }
    for (std::size_t i = walked_.size(); i-- > 0;) {
      walked_[i].stride = steps_;
      steps_ *= walked_[i].extent;
    }
    for (int dim = 0; dim < input_.rank(); ++dim) {
      const std::int64_t window_dim = window_of_[static_cast<std::size_t>(dim)];
      box_.push_back(window_dim < 0 || contains(walked_dims_, window_dim) ? 1 : updates_[static_cast<int>(window_dim)]);
    }
  }

  static ValueId whole(ir::Builder& b, std::int64_t number) {
    return b.constant(ir::Literal::scalar_integer(DType::i64, number));
  }

  std::vector<ValueId> build_step(ir::Builder& b, ValueId step, const std::vector<ValueId>& carried) {
    std::vector<ValueId> digits;
    for (const Walked& walked : walked_) {
      ValueId digit = step;
      if (walked.stride > 1) digit = b.op(Op::divide, {digit, whole(b, walked.stride)});
      if (walked.stride * walked.extent != steps_) digit = b.op(Op::remainder, {digit, whole(b, walked.extent)});
      digits.push_back(digit);
    }
    const std::vector<ValueId> starts = starts_of(b, digits);
    const Shape box{std::span<const std::int64_t>(box_)};
    const ValueId inside = b.broadcast_scalar(is_inside(b, starts), box);
    std::vector<ValueId> arguments;
    for (ValueId array : carried) {
      std::vector<ValueId> operands{array};
      operands.insert(operands.end(), starts.begin(), starts.end());
      arguments.push_back(b.op(Op::dynamic_slice, operands, ir::DynamicSliceAttributes{box_}));
    }
    for (std::size_t i = 0; i < count_; ++i) arguments.push_back(update_at(b, i, digits, box));
    std::vector<ValueId> results = body_on(b, arguments, box);
    for (std::size_t i = 0; i < count_; ++i) {
      std::vector<ValueId> operands{carried[i], b.select(inside, results[i], arguments[i])};
      operands.insert(operands.end(), starts.begin(), starts.end());
      results[i] = b.op(Op::dynamic_update_slice, operands);
    }
    return results;
  }

  // The box of an operand of the updates; its window dimensions come in the order of the input's.
  ValueId update_at(ir::Builder& b, std::size_t operand, const std::vector<ValueId>& digits, const Shape& box) {
    std::vector<ValueId> operands{rebuild_.mapped(node_.operands[count_ + 1 + operand])};
    Dims sizes;
    for (int dim = 0; dim < updates_.rank(); ++dim) {
      const std::ptrdiff_t walked = place_in(walked_dims_, dim);
      operands.push_back(walked < 0 ? whole(b, 0) : digits[static_cast<std::size_t>(walked)]);
      sizes.push_back(walked < 0 ? updates_[dim] : 1);
    }
    return b.reshape(b.op(Op::dynamic_slice, operands, ir::DynamicSliceAttributes{sizes}), box);
  }

  // A component of the index vector.
  ValueId index_at(ir::Builder& b, std::int64_t component, const std::vector<ValueId>& digits) {
    std::vector<ValueId> operands{rebuild_.mapped(node_.operands[count_])};
    std::vector<ValueId> of_indices;
    for (std::size_t i = 0; i < walked_.size(); ++i)
      if (walked_[i].index_dim >= 0) of_indices.push_back(digits[i]);
    std::size_t next = 0;
    for (int dim = 0; dim < indices_type_.shape.rank(); ++dim)
      operands.push_back(dim == s_.index_vector_dim ? whole(b, component) : of_indices[next++]);
    const Dims sizes(static_cast<std::size_t>(indices_type_.shape.rank()), 1);
    ValueId index = b.reshape(b.op(Op::dynamic_slice, operands, ir::DynamicSliceAttributes{sizes}), Shape{});
    // The largest unsigned indices are outside as well.
    if (indices_type_.dtype == DType::u64)
      index = b.op(Op::minimum, {index, b.constant(ir::Literal::scalar_integer(DType::u64, INT64_MAX))});
    return b.convert(index, DType::i64);
  }

  std::vector<ValueId> starts_of(ir::Builder& b, const std::vector<ValueId>& digits) {
    std::vector<ValueId> starts(static_cast<std::size_t>(input_.rank()), whole(b, 0));
    for (std::size_t j = 0; j < s_.scatter_dims_to_operand_dims.size(); ++j)
      starts[static_cast<std::size_t>(s_.scatter_dims_to_operand_dims[j])] = index_at(b, static_cast<std::int64_t>(j), digits);
    for (std::size_t i = 0; i < walked_.size(); ++i) {
      if (walked_[i].input_dim >= 0) {
        ValueId& start = starts[static_cast<std::size_t>(walked_[i].input_dim)];
        start = b.op(Op::add, {start, digits[i]});
        continue;
      }
      // The dimension of the indices that it is, counting that of the vectors.
      const std::int64_t dim = walked_[i].index_dim + (walked_[i].index_dim >= s_.index_vector_dim ? 1 : 0);
      const std::ptrdiff_t batch = place_in(s_.scatter_indices_batching_dims, dim);
      if (batch >= 0) starts[static_cast<std::size_t>(s_.input_batching_dims[static_cast<std::size_t>(batch)])] = digits[i];
    }
    return starts;
  }

  ValueId is_inside(ir::Builder& b, const std::vector<ValueId>& starts) {
    ValueId all = b.scalar(DType::b1, 1);
    for (std::int64_t dim : s_.scatter_dims_to_operand_dims) {
      const auto d = static_cast<std::size_t>(dim);
      const ValueId from = b.compare(ir::Direction::GE, starts[d], whole(b, 0));
      const ValueId to = b.compare(ir::Direction::LE, starts[d], whole(b, input_[static_cast<int>(dim)] - box_[d]));
      all = b.op(Op::and_, {all, b.op(Op::and_, {from, to})});
    }
    return all;
  }

  // The body, which is code on elements, on all elements of boxes.
  std::vector<ValueId> body_on(ir::Builder& b, const std::vector<ValueId>& arguments, const Shape& box) {
    const ir::Region& body = from_.region(node_.regions[0]);
    std::vector<ValueId> map(from_.value_count(), ir::kNone);
    for (std::size_t i = 0; i < arguments.size(); ++i) map[body.arguments[i]] = arguments[i];
    for (ir::NodeId id : body.nodes) {
      const ir::Node& inner = from_.node(id);
      if (inner.op == Op::constant) {
        map[inner.results[0]] = b.broadcast_scalar(b.constant(ir::attributes_of<ir::ConstantAttributes>(inner).value), box);
        continue;
      }
      if (!is_on_elements(inner)) refuse(inner);
      std::vector<ValueId> operands;
      for (ValueId operand : inner.operands) operands.push_back(map[operand]);
      std::vector<ir::Type> types;
      for (ValueId result : inner.results) types.push_back({box, from_.type(result).dtype});
      map[inner.results[0]] = b.op(inner.op, std::move(operands), inner.attributes, std::move(types));
    }
    std::vector<ValueId> results;
    for (ValueId result : body.results) results.push_back(map[result]);
    return results;
  }
  bool is_on_elements(const ir::Node& inner) const {
    return ir::is_elementwise(inner.op) || inner.op == Op::compare || inner.op == Op::select || inner.op == Op::clamp ||
           inner.op == Op::convert || inner.op == Op::reduce_precision ||
           (inner.op == Op::bitcast_convert &&
            size_of(from_.type(inner.operands[0]).dtype) == size_of(from_.type(inner.results[0]).dtype));
  }
  [[noreturn]] void refuse(const ir::Node& inner) const {
    const ir::SourceLine& where = from_.location(inner.location);
    throw CompileError("compile: " + std::string(ir::info_of(inner.op).text) + " cannot be compiled in the body of a scatter",
                       where.file, static_cast<int>(where.line), static_cast<int>(where.column));
  }

  Rebuild& rebuild_;
  const ir::Graph& from_;
  const ir::Node& node_;
  const ir::ScatterAttributes& s_;
  const std::size_t count_;
  const Shape& input_;
  const ir::Type& indices_type_;
  const Shape& updates_;
  Dims window_of_;    // of each dimension of the input: the updates' dimension, or -1 where it is 1
  Dims walked_dims_;  // of the updates, ascending
  std::vector<Walked> walked_;
  Dims box_;          // what a step writes
  std::int64_t steps_ = 1;
};

}  // namespace

ir::Graph expand_scatter(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "expand_scatter");
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (node.op != ir::Op::scatter || !ir::captured_values(graph, node.regions).empty()) return false;
    const std::vector<ValueId> results = Expansion(rebuild, node).run();
    for (std::size_t i = 0; i < results.size(); ++i) rebuild.replace(node.results[i], results[i]);
    rebuild.record_replaced("expand", {id}, results[0], {});
    return true;
  });
}

}  // namespace weft::rewrite
