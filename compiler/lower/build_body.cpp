// Turns fused nodes into instructions: data movement vanishes into index maps, indices become terms of an
// access.
#include "compiler/lower/build_body.h"

#include <algorithm>
#include <cstring>

#include <weft/error.h>

#include "compiler/fuse/fuse.h"

namespace weft::lower {

InstId BodyBuilder::append(Inst inst) {
  insts_.push_back(std::move(inst));
  return static_cast<InstId>(insts_.size() - 1);
}

void BodyBuilder::bind(ir::ValueId value, const View& view, InstId inst) {
  built_[{value, views_.intern(view)}] = inst;
}

Access BodyBuilder::access_of(const Shape& shape, BufferId buffer, const View& view) const {
  const Affine index = fuse::linear_index(shape, view, axes_);
  Access access{buffer, index.offset, index.coefficients, {}};
  for (const Affine::Term& term : index.terms) access.terms.push_back({term.value, term.stride});
  return access;
}

InstId BodyBuilder::build(ir::ValueId value, const View& view) {
  const Request goal{value, views_.intern(view)};
  std::vector<Request> stack{goal};
  while (!stack.empty()) {
    const Request request = stack.back();
    if (built_.contains(request)) {
      stack.pop_back();
      continue;
    }
    Step result = step(request);
    if (result.missing.empty()) {
      built_[request] = result.inst;
      stack.pop_back();
    } else {
      // The deepest comes first: what hangs on a long chain is then computed beside it, and few values are alive at once.
      std::stable_sort(result.missing.begin(), result.missing.end(), [&](const Request& a, const Request& b) {
        return memory_.depth(a.value) < memory_.depth(b.value);
      });
      stack.insert(stack.end(), result.missing.begin(), result.missing.end());
    }
  }
  return built_.at(goal);
}

BodyBuilder::Step BodyBuilder::step(const Request& request) {
  const ir::Type& type = graph_.type(request.value);
  if (const BufferId buffer = memory_.readable(request.value); buffer != ir::kNone)
    return step_load(buffer, request, type.dtype);
  if (const auto element = memory_.element_of(request.value)) return step_sequence(*element, request);
  const ir::Node& node = graph_.node(graph_.value(request.value).node);
  const View& view = views_[request.view];
  locations_.insert(node.location);
  const auto pass_through = [&](ir::ValueId operand, View seen) -> Step {
    const Request needed{operand, views_.intern(std::move(seen))};
    const auto found = built_.find(needed);
    if (found == built_.end()) return {{needed}, 0};
    return {{}, found->second};
  };
  if (node.op == ir::Op::constant) {
    Inst inst;
    inst.kind = Inst::Kind::literal;
    inst.type = type.dtype;
    const ir::Literal& literal = ir::attributes_of<ir::ConstantAttributes>(node).value;
    std::memcpy(&inst.literal, literal.buffer.data(), std::min<std::size_t>(size_of(type.dtype), 8));
    return {{}, append(std::move(inst))};
  }
  if (node.op == ir::Op::iota) return step_iota(node, request);
  if (node.op == ir::Op::gather || node.op == ir::Op::dynamic_slice) return step_indexed(node, request);
  if (fuse::is_affine_view(node.op))
    return pass_through(node.operands[0], fuse::view_of_operand(graph_, node, view, axes_));
  const bool moves_bytes = node.op == ir::Op::bitcast_convert &&
                           size_of(graph_.type(node.operands[0]).dtype) != size_of(type.dtype);
  if (node.op == ir::Op::reshape || moves_bytes) {
    // Row-major memory does not change under another shape, or under elements of another width.
    if (const BufferId buffer = memory_.readable(node.operands[0]); buffer != ir::kNone)
      return step_load(buffer, request, type.dtype);
    if (moves_bytes || !fuse::reshape_is_affine(graph_.type(node.operands[0]).shape, type.shape))
      throw InternalError("lower: the operand of a reshape that is not affine is not in memory");
    const Shape& operand = graph_.type(node.operands[0]).shape;
    return pass_through(node.operands[0], fuse::view_through_reshape(operand, type.shape, view, axes_));
  }
  return step_element(node, request);
}

BodyBuilder::Step BodyBuilder::step_load(BufferId buffer, const Request& request, DType type) {
  Inst inst;
  inst.kind = Inst::Kind::load;
  inst.type = type;
  inst.access = access_of(graph_.type(request.value).shape, buffer, views_[request.view]);
  return {{}, append(std::move(inst))};
}

// The view of the sequence: the position, then the view of its element.
BodyBuilder::Step BodyBuilder::step_sequence(const Memory::Element& element, const Request& request) {
  const Request position{element.position, views_.intern({})};
  const auto index = built_.find(position);
  if (index == built_.end()) return {{position}, 0};
  View seen = views_[request.view];
  Affine first = fuse::constant_index(axes_, 0);
  first.terms.push_back({index->second, 1});
  seen.insert(seen.begin(), std::move(first));
  const Request needed{element.sequence, views_.intern(std::move(seen))};
  const auto found = built_.find(needed);
  if (found == built_.end()) return {{needed}, 0};
  return {{}, found->second};
}

BodyBuilder::Step BodyBuilder::step_iota(const ir::Node& node, const Request& request) {
  const auto dimension = ir::attributes_of<ir::IotaAttributes>(node).dimension;
  const Affine& index = views_[request.view][static_cast<std::size_t>(dimension)];
  Inst inst;
  inst.kind = Inst::Kind::position;
  inst.type = graph_.type(request.value).dtype;
  inst.access.offset = index.offset;
  inst.access.strides = index.coefficients;
  for (const Affine::Term& term : index.terms) inst.access.terms.push_back({term.value, term.stride});
  return {{}, append(std::move(inst))};
}

BodyBuilder::Step BodyBuilder::step_element(const ir::Node& node, const Request& request) {
  Step result;
  Inst inst;
  for (ir::ValueId operand : node.operands) {
    // Scalar predicates and bounds apply to every element.
    const bool is_scalar = graph_.type(operand).shape.rank() == 0;
    const Request needed{operand, is_scalar ? views_.intern({}) : request.view};
    const auto found = built_.find(needed);
    if (found == built_.end())
      result.missing.push_back(needed);
    else
      inst.operands.push_back(found->second);
  }
  if (!result.missing.empty()) return result;
  inst.kind = Inst::Kind::element;
  inst.type = graph_.type(request.value).dtype;
  inst.op = node.op;
  inst.attributes = node.attributes;
  result.inst = append(std::move(inst));
  return result;
}

InstId BodyBuilder::integer(DType type, std::int64_t value) {
  Inst inst;
  inst.kind = Inst::Kind::literal;
  inst.type = type;
  inst.literal = static_cast<std::uint64_t>(value);
  return append(std::move(inst));
}

// The start index as i64, in [0, limit]; an unsigned index of any size means its value.
InstId BodyBuilder::clamped_index(InstId value, DType dtype, std::int64_t limit) {
  const auto element = [&](ir::Op op, DType type, std::vector<InstId> operands) {
    Inst inst;
    inst.type = type;
    inst.op = op;
    inst.operands = std::move(operands);
    return append(std::move(inst));
  };
  if (dtype == DType::u64) value = element(ir::Op::minimum, dtype, {value, integer(dtype, limit)});
  if (dtype != DType::i64) value = element(ir::Op::convert, DType::i64, {value});
  value = element(ir::Op::maximum, DType::i64, {value, integer(DType::i64, 0)});
  return element(ir::Op::minimum, DType::i64, {value, integer(DType::i64, limit)});
}

InstId BodyBuilder::build_clamped(ir::ValueId index, std::int64_t limit) {
  return clamped_index(build(index, {}), graph_.type(index).dtype, limit);
}

namespace {

bool contains(const ir::Dims& dims, std::int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// The view of a gather's indices at one component: result batch dimensions in order, the component in
// between.
View start_index_view(const ir::Graph& graph, const ir::Node& node, const View& view, std::int64_t component,
                      std::size_t axes) {
  const auto& gather = ir::attributes_of<ir::GatherAttributes>(node);
  const int rank = graph.type(node.operands[1]).shape.rank();
  View batch;
  for (std::size_t dim = 0; dim < view.size(); ++dim)
    if (!contains(gather.offset_dims, static_cast<std::int64_t>(dim))) batch.push_back(view[dim]);
  View result;
  std::size_t next = 0;
  for (int dim = 0; dim < rank; ++dim)
    result.push_back(dim == gather.index_vector_dim ? fuse::constant_index(axes, component) : batch[next++]);
  return result;
}

}  // namespace

std::vector<BodyBuilder::Request> BodyBuilder::index_requests(const ir::Node& node, const View& view) {
  std::vector<Request> requests;
  if (node.op == ir::Op::dynamic_slice) {
    for (std::size_t operand = 1; operand < node.operands.size(); ++operand)
      requests.push_back({node.operands[operand], views_.intern({})});
    return requests;
  }
  const auto& gather = ir::attributes_of<ir::GatherAttributes>(node);
  for (std::size_t component = 0; component < gather.start_index_map.size(); ++component)
    requests.push_back(
        {node.operands[1],
         views_.intern(start_index_view(graph_, node, view, static_cast<std::int64_t>(component), axes_))});
  return requests;
}

BodyBuilder::Step BodyBuilder::step_indexed(const ir::Node& node, const Request& request) {
  const View view = views_[request.view];
  Step result;
  std::vector<InstId> indices;
  for (const Request& needed : index_requests(node, view)) {
    const auto found = built_.find(needed);
    if (found == built_.end())
      result.missing.push_back(needed);
    else
      indices.push_back(found->second);
  }
  if (!result.missing.empty()) return result;
  // The clamped indices are instructions of their own: made once, then part of the operand's view.
  auto [position, is_new] = indexed_views_.try_emplace(request, 0);
  if (is_new) position->second = views_.intern(indexed_view(node, view, indices));
  const Request needed{node.operands[0], position->second};
  const auto found = built_.find(needed);
  if (found == built_.end()) return {{needed}, 0};
  return {{}, found->second};
}

View BodyBuilder::indexed_view(const ir::Node& node, const View& view, const std::vector<InstId>& indices) {
  const ir::Type& operand = graph_.type(node.operands[0]);
  const auto rank = static_cast<std::size_t>(operand.shape.rank());
  View seen(rank, fuse::constant_index(axes_, 0));
  ir::Dims index_dims, sizes;
  DType index_dtype = DType::i64;
  if (node.op == ir::Op::dynamic_slice) {
    seen = view;
    sizes = ir::attributes_of<ir::DynamicSliceAttributes>(node).sizes;
    for (std::size_t dim = 0; dim < rank; ++dim) index_dims.push_back(static_cast<std::int64_t>(dim));
    if (node.operands.size() > 1) index_dtype = graph_.type(node.operands[1]).dtype;
  } else {
    const auto& gather = ir::attributes_of<ir::GatherAttributes>(node);
    sizes = gather.slice_sizes;
    index_dims = gather.start_index_map;
    index_dtype = graph_.type(node.operands[1]).dtype;
    std::size_t next = 0;
    for (std::size_t dim = 0; dim < rank; ++dim)
      if (!contains(gather.collapsed_slice_dims, static_cast<std::int64_t>(dim)) &&
          !contains(gather.operand_batching_dims, static_cast<std::int64_t>(dim)))
        seen[dim] = view[static_cast<std::size_t>(gather.offset_dims[next++])];
    const View start = start_index_view(graph_, node, view, 0, axes_);
    for (std::size_t i = 0; i < gather.operand_batching_dims.size(); ++i)
      seen[static_cast<std::size_t>(gather.operand_batching_dims[i])] =
          start[static_cast<std::size_t>(gather.start_indices_batching_dims[i])];
  }
  for (std::size_t i = 0; i < index_dims.size(); ++i) {
    const auto dim = static_cast<std::size_t>(index_dims[i]);
    const std::int64_t limit = operand.shape[static_cast<int>(dim)] - sizes[dim];
    if (limit > 0) seen[dim].terms.push_back({clamped_index(indices[i], index_dtype, limit), 1});
  }
  return seen;
}

}  // namespace weft::lower
