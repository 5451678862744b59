// The path from a graph to a plan: fuse, give every value in memory its buffer, build one kernel a group.
#include <algorithm>
#include <cstring>
#include <set>

#include <weft/error.h>

#include "compiler/fuse/fuse.h"
#include "compiler/ir/debug_print.h"
#include "compiler/lower/build_body.h"
#include "compiler/lower/check_lowerable.h"
#include "compiler/lower/fold_schedule.h"
#include "compiler/lower/nest.h"
#include "compiler/lower/plan_memory.h"
#include "compiler/lower/simplify_axes.h"

namespace weft::lower {
namespace {

class Lowering : public Memory {
 public:
  explicit Lowering(const ir::Graph& graph)
      : graph_(graph), body_(graph.region(graph.entry().body)), groups_(fuse::fuse(graph)) {
    buffer_of_.assign(graph.value_count(), ir::kNone);
    is_written_.assign(graph.value_count(), false);
  }

  Plan run() {
    add_leaves();
    add_results();
    add_temporaries();
    for (const fuse::Group& group : groups_.groups) {
      Kernel kernel = build_kernel(group);
      simplify_axes(kernel);
      if (!kernel.reductions.empty()) add_scratch(kernel);
      plan_.kernels.push_back(std::move(kernel));
    }
    for (const fuse::HostCall& call : groups_.calls) add_call(call);
    plan_memory(plan_);
    return std::move(plan_);
  }

  BufferId readable(ir::ValueId value) const override {
    return is_written_[value] ? buffer_of_[value] : ir::kNone;
  }

 private:
  BufferId add_buffer(PlanBuffer::Kind kind, std::size_t index, const ir::Type& type,
                      std::string reason = {}) {
    plan_.buffers.push_back({kind, static_cast<std::int32_t>(index), type, 0, std::move(reason)});
    return static_cast<BufferId>(plan_.buffers.size() - 1);
  }

  void add_leaves() {
    for (std::size_t i = 0; i < body_.arguments.size(); ++i) {
      const ir::ValueId value = body_.arguments[i];
      plan_.arguments.push_back(graph_.type(value));
      buffer_of_[value] = add_buffer(PlanBuffer::Kind::argument, i, graph_.type(value));
      is_written_[value] = true;
    }
    for (ir::NodeId id : body_.nodes) {
      const ir::Node& node = graph_.node(id);
      if (node.op != ir::Op::constant) continue;
      const ir::ValueId value = node.results[0];
      if (fuse::is_leaf(graph_, value)) add_constant(value, node);
    }
  }

  void add_constant(ir::ValueId value, const ir::Node& node) {
    buffer_of_[value] = add_buffer(PlanBuffer::Kind::constant, plan_.constants.size(), graph_.type(value));
    plan_.constants.push_back(ir::attributes_of<ir::ConstantAttributes>(node).value);
    is_written_[value] = true;
  }

  void add_results() {
    for (std::size_t i = 0; i < body_.results.size(); ++i) {
      const ir::ValueId value = body_.results[i];
      plan_.results.push_back(graph_.type(value));
      if (buffer_of_[value] == ir::kNone)
        buffer_of_[value] = add_buffer(PlanBuffer::Kind::result, i, graph_.type(value));
      plan_.result_buffers.push_back(buffer_of_[value]);
    }
  }

  void add_temporaries() {
    for (const fuse::Group& group : groups_.groups) {
      for (ir::ValueId value : group.stores) add_temporary(value);
      for (const fuse::Part& part : group.parts) add_temporary(part.into);
      for (ir::ValueId value : group.epilogue) add_temporary(value);
      for (ir::NodeId id : group.reductions)
        for (ir::ValueId value : graph_.node(id).results) add_temporary(value);
    }
  }
  void add_temporary(ir::ValueId value) {
    if (buffer_of_[value] == ir::kNone && !groups_.in_memory[value].empty())
      buffer_of_[value] =
          add_buffer(PlanBuffer::Kind::temporary, 0, graph_.type(value), groups_.in_memory[value]);
  }

  void add_scratch(Kernel& kernel) {
    const std::int64_t bytes = scratch_bytes(kernel, schedule_fold(kernel));
    if (bytes > 0)
      kernel.scratch =
          add_buffer(PlanBuffer::Kind::temporary, 0, {Shape{bytes}, DType::u8}, "partial results of blocks");
  }

  // debug_print is the only one yet (check_lowerable).
  void add_call(const fuse::HostCall& call) {
    const ir::Node& node = graph_.node(call.node);
    HostCall host;
    host.symbol = "weft_debug_print";
    for (const fuse::Group& group : groups_.groups) host.position += group.level < call.level;
    host.descriptor = add_descriptor(runtime::encode(ir::debug_print_of(graph_, node)));
    for (ir::ValueId operand : node.operands) host.operands.push_back(buffer_of_[operand]);
    host.where = graph_.location(node.location);
    plan_.calls.push_back(std::move(host));
  }
  BufferId add_descriptor(const std::vector<std::byte>& bytes) {
    ir::Literal literal{{Shape{bytes.size()}, DType::u8}, runtime::Buffer::allocate(bytes.size()), false};
    std::memcpy(literal.buffer.data(), bytes.data(), bytes.size());
    plan_.constants.push_back(std::move(literal));
    return add_buffer(PlanBuffer::Kind::constant, plan_.constants.size() - 1, plan_.constants.back().type);
  }

  Kernel build_kernel(const fuse::Group& group);
  void add_reduction(Kernel& kernel, ir::NodeId id, BodyBuilder& body, BodyBuilder& setup, const View& point);
  std::set<ir::LocationId> add_epilogue(Kernel& kernel, const fuse::Group& group);
  View domain_view(const fuse::Group& group, Kernel& kernel) const;
  Store store_part(const fuse::Part& part, BodyBuilder& body, const View& point) const;

  const ir::Graph& graph_;
  const ir::Region& body_;
  fuse::Groups groups_;
  Plan plan_;
  std::vector<BufferId> buffer_of_;
  std::vector<bool> is_written_;
};

// Axes: the unreduced dimensions in order, then the reduced ones in order.
View Lowering::domain_view(const fuse::Group& group, Kernel& kernel) const {
  const auto rank = static_cast<std::size_t>(group.domain.rank());
  const auto is_reduced = [&](std::size_t dim) {
    return std::find(group.reduced.begin(), group.reduced.end(), static_cast<std::int64_t>(dim)) !=
           group.reduced.end();
  };
  View view(rank);
  for (AxisKind kind : {AxisKind::parallel, AxisKind::reduction}) {
    for (std::size_t dim = 0; dim < rank; ++dim) {
      if (is_reduced(dim) != (kind == AxisKind::reduction)) continue;
      view[dim] = fuse::axis_index(rank, kernel.axes.size());
      kernel.axes.push_back({group.domain[static_cast<int>(dim)], kind});
    }
  }
  return view;
}

void Lowering::add_reduction(Kernel& kernel, ir::NodeId id, BodyBuilder& body, BodyBuilder& setup,
                             const View& point) {
  const ir::Node& node = graph_.node(id);
  const std::size_t count = node.results.size();
  Reduction reduction;
  reduction.reducer = ir::classify_reducer(graph_, node.regions[0]);
  for (std::size_t i = 0; i < count; ++i) {
    reduction.operands.push_back(body.build(node.operands[i], point));
    reduction.inits.push_back(setup.build(node.operands[count + i], {}));
    reduction.types.push_back(graph_.type(node.results[i]).dtype);
  }
  const ir::Region& region = graph_.region(node.regions[0]);
  BodyBuilder combine(graph_, *this, reduction.combine, 0);
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    Inst argument;
    argument.kind = Inst::Kind::argument;
    argument.type = graph_.type(region.arguments[i]).dtype;
    argument.reduction_result = static_cast<std::uint32_t>(i);
    reduction.combine.push_back(std::move(argument));
    combine.bind(region.arguments[i], {}, static_cast<InstId>(i));
  }
  for (ir::ValueId result : region.results) reduction.combined.push_back(combine.build(result, {}));
  kernel.reductions.push_back(std::move(reduction));
}

// The results of the reductions and what is computed from them, at every point of the parallel axes.
std::set<ir::LocationId> Lowering::add_epilogue(Kernel& kernel, const fuse::Group& group) {
  std::size_t axes = 0;
  while (axes < kernel.axes.size() && kernel.axes[axes].kind == AxisKind::parallel) ++axes;
  View point;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const bool is_one = kernel.axes[axis].extent == 1;
    point.push_back(is_one ? fuse::constant_index(kernel.axes.size(), 0)
                           : fuse::axis_index(kernel.axes.size(), axis));
  }
  BodyBuilder epilogue(graph_, *this, kernel.epilogue, kernel.axes.size());
  std::vector<ir::ValueId> stored = group.epilogue;
  for (std::size_t number = 0; number < group.reductions.size(); ++number) {
    const auto& results = graph_.node(group.reductions[number]).results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      Inst result;
      result.kind = Inst::Kind::result;
      result.type = graph_.type(results[i]).dtype;
      result.reduction = static_cast<std::uint32_t>(number);
      result.reduction_result = static_cast<std::uint32_t>(i);
      kernel.epilogue.push_back(std::move(result));
      epilogue.bind(results[i], point, static_cast<InstId>(kernel.epilogue.size() - 1));
      if (!groups_.in_memory[results[i]].empty()) stored.push_back(results[i]);
    }
  }
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < axes; ++axis) extents.push_back(kernel.axes[axis].extent);
  const Shape parallel{std::span<const std::int64_t>(extents)};
  for (ir::ValueId value : stored) {
    const Shape& shape = graph_.type(value).shape;
    const View view = fuse::view_through_reshape(shape, parallel, point, kernel.axes.size());
    kernel.epilogue_stores.push_back(
        {epilogue.build(value, view), epilogue.access_of(shape, buffer_of_[value], view)});
  }
  return epilogue.locations();
}

Store Lowering::store_part(const fuse::Part& part, BodyBuilder& body, const View& point) const {
  View from, to;
  for (std::size_t dim = 0; dim < point.size(); ++dim) {
    from.push_back(fuse::scaled(point[dim], 1, part.from[dim]));
    to.push_back(fuse::scaled(point[dim], part.stride[dim], part.start[dim]));
  }
  const Shape& into = graph_.type(part.into).shape;
  for (std::size_t dim = 0; dim < part.starts.size(); ++dim) {
    const auto d = static_cast<int>(dim);
    const std::int64_t limit = into[d] - graph_.type(part.value).shape[d];
    if (limit > 0) to[dim].terms.push_back({body.build_clamped(part.starts[dim], limit), 1});
  }
  const bool is_scalar = graph_.type(part.value).shape.rank() == 0;
  return {body.build(part.value, is_scalar ? View{} : from),
          body.access_of(graph_.type(part.into).shape, buffer_of_[part.into], to)};
}

Kernel Lowering::build_kernel(const fuse::Group& group) {
  Kernel kernel;
  kernel.name = "kernel_" + std::to_string(plan_.kernels.size());
  const View point = domain_view(group, kernel);
  BodyBuilder body(graph_, *this, kernel.body, kernel.axes.size());
  BodyBuilder setup(graph_, *this, kernel.setup, kernel.axes.size());
  for (ir::NodeId id : group.reductions) add_reduction(kernel, id, body, setup, point);
  for (ir::ValueId value : group.stores)
    kernel.stores.push_back(
        {body.build(value, point), body.access_of(group.domain, buffer_of_[value], point)});
  for (const fuse::Part& part : group.parts) kernel.stores.push_back(store_part(part, body, point));
  std::set<ir::LocationId> locations = body.locations();
  for (const fuse::Part& part : group.parts)
    locations.insert(graph_.node(graph_.value(part.into).node).location);
  for (ir::NodeId id : group.reductions) locations.insert(graph_.node(id).location);
  if (!group.reductions.empty()) locations.merge(add_epilogue(kernel, group));
  for (ir::LocationId location : locations)
    if (!graph_.location(location).file.empty()) kernel.where.push_back(graph_.location(location));
  for (ir::NodeId id : group.reductions)
    for (ir::ValueId value : graph_.node(id).results) is_written_[value] = !groups_.in_memory[value].empty();
  for (ir::ValueId value : group.stores) is_written_[value] = true;
  for (ir::ValueId value : group.epilogue) is_written_[value] = true;
  for (const fuse::Part& part : group.parts) is_written_[part.into] = true;
  return kernel;
}

}  // namespace

Plan lower(const ir::Graph& graph) {
  check_is_lowerable(graph);
  return Lowering(graph).run();
}

}  // namespace weft::lower
