// The path from a graph to a plan: fuse, give every value in memory its buffer, build one kernel a group.
#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>

#include <weft/error.h>

#include "compiler/fuse/fuse.h"
#include "compiler/ir/debug_print.h"
#include "compiler/lower/build_body.h"
#include "compiler/lower/check_lowerable.h"
#include "compiler/lower/contract_products.h"
#include "compiler/lower/fold_schedule.h"
#include "compiler/lower/nest.h"
#include "compiler/lower/plan_memory.h"
#include "compiler/lower/simplify_axes.h"
#include "compiler/lower/sort_keys.h"
#include "compiler/lower/split_long_kernels.h"
#include "compiler/lower/steps.h"
#include "compiler/lower/update_carried_in_place.h"

namespace weft::lower {
namespace {

class Lowering : public Memory {
 public:
  Lowering(const ir::Graph& graph, const LowerOptions& options)
      : graph_(graph), options_(options), values_(graph.value_count()) {
    buffer_of_.assign(graph.value_count(), ir::kNone);
    is_written_.assign(graph.value_count(), false);
    depth_.assign(graph.value_count(), 0);
  }

  Plan run() {
    const ir::RegionId body = graph_.entry().body;
    add_arguments(graph_.region(body));
    plan_.steps = lower_region(body, {});
    split_long_kernels(plan_);
    update_carried_in_place(plan_);
    if (options_.contract_products)
      for (Kernel& kernel : plan_.kernels) contract_products(kernel);
    plan_memory(plan_);
    return std::move(plan_);
  }

  BufferId readable(ir::ValueId value) const override {
    return is_written_[value] ? buffer_of_[value] : ir::kNone;
  }
  int depth(ir::ValueId value) const override { return depth_[value]; }
  std::optional<Element> element_of(ir::ValueId value) const override {
    const auto found = elements_.find(value);
    return found == elements_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  BufferId add_buffer(PlanBuffer::Kind kind, std::size_t index, const ir::Type& type,
                      std::string reason = {}) {
    plan_.buffers.push_back({kind, static_cast<std::int32_t>(index), type, 0, std::move(reason)});
    return static_cast<BufferId>(plan_.buffers.size() - 1);
  }
  BufferId add_temporary_of(const ir::Type& type, const char* reason) {
    return add_buffer(PlanBuffer::Kind::temporary, 0, type, reason);
  }

  void add_arguments(const ir::Region& body) {
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      const ir::ValueId value = body.arguments[i];
      plan_.arguments.push_back(graph_.type(value));
      buffer_of_[value] = add_buffer(PlanBuffer::Kind::argument, i, graph_.type(value));
      is_written_[value] = true;
    }
  }

  void measure_depths(const ir::Region& region) {
    for (ir::NodeId id : region.nodes) {
      const ir::Node& node = graph_.node(id);
      int depth = 0;
      for (ir::ValueId operand : node.operands) depth = std::max(depth, depth_[operand] + 1);
      for (ir::ValueId result : node.results) depth_[result] = depth;
    }
  }

  void add_constants(const ir::Region& region) {
    for (ir::NodeId id : region.nodes) {
      const ir::Node& node = graph_.node(id);
      if (node.op != ir::Op::constant || !fuse::is_leaf(graph_, node.results[0])) continue;
      const ir::ValueId value = node.results[0];
      buffer_of_[value] = add_buffer(PlanBuffer::Kind::constant, plan_.constants.size(), graph_.type(value));
      plan_.constants.push_back(ir::attributes_of<ir::ConstantAttributes>(node).value);
      is_written_[value] = true;
    }
  }

  void add_results(const ir::Region& body) {
    for (std::size_t i = 0; i < body.results.size(); ++i) {
      const ir::ValueId value = body.results[i];
      plan_.results.push_back(graph_.type(value));
      if (buffer_of_[value] == ir::kNone)
        buffer_of_[value] = add_buffer(PlanBuffer::Kind::result, i, graph_.type(value));
      plan_.result_buffers.push_back(buffer_of_[value]);
    }
  }

  // The steps of a region. `places` are the buffers of its results, none for the entry function.
  std::vector<Step> lower_region(ir::RegionId id, const std::vector<BufferId>& places) {
    const ir::Region& region = graph_.region(id);
    const fuse::Groups groups = fuse::fuse(graph_, id, values_);
    measure_depths(region);
    add_constants(region);
    if (region.parent == ir::kNone) {
      add_results(region);
    } else {
      for (std::size_t i = 0; i < places.size(); ++i)
        if (groups.outputs[i] == fuse::Output::direct) buffer_of_[region.results[i]] = places[i];
    }
    share_updated(groups);
    add_temporaries(groups);
    std::vector<Step> steps;
    const std::vector<fuse::Whole> wholes = in_order(groups.wholes);
    std::size_t next = 0;
    for (const fuse::Group& group : groups.groups) {
      for (; next < wholes.size() && wholes[next].level < group.level; ++next) add_whole(wholes[next], steps);
      add_kernel(group, places, steps);
    }
    for (; next < wholes.size(); ++next) add_whole(wholes[next], steps);
    return steps;
  }

  static std::vector<fuse::Whole> in_order(std::vector<fuse::Whole> wholes) {
    std::stable_sort(wholes.begin(), wholes.end(),
                     [](const fuse::Whole& a, const fuse::Whole& b) { return a.level < b.level; });
    return wholes;
  }

  // A result that takes the memory of its operand, and that operand: one buffer, which another of them may have.
  void share_updated(const fuse::Groups& groups) {
    for (auto update = groups.updates.rbegin(); update != groups.updates.rend(); ++update)
      if (buffer_of_[update->second] == ir::kNone) buffer_of_[update->second] = buffer_of_[update->first];
    for (const auto& [result, operand] : groups.updates) {
      if (buffer_of_[operand] == ir::kNone) add_temporary(operand);
      buffer_of_[result] = buffer_of_[operand];
    }
  }

  void add_temporaries(const fuse::Groups& groups) {
    for (const fuse::Group& group : groups.groups) {
      for (ir::ValueId value : group.stores) add_temporary(value);
      for (const fuse::Part& part : group.parts)
        if (part.output < 0) add_temporary(part.into);
      for (ir::ValueId value : group.epilogue) add_temporary(value);
      for (ir::NodeId id : group.reductions)
        for (ir::ValueId value : graph_.node(id).results) add_temporary(value);
    }
    for (const fuse::Whole& whole : groups.wholes)
      for (ir::ValueId value : graph_.node(whole.node).results) add_temporary(value);
  }
  void add_temporary(ir::ValueId value) {
    if (buffer_of_[value] == ir::kNone && !values_.in_memory[value].empty())
      buffer_of_[value] =
          add_buffer(PlanBuffer::Kind::temporary, 0, graph_.type(value), values_.in_memory[value]);
  }

  void add_kernel(const fuse::Group& group, const std::vector<BufferId>& places, std::vector<Step>& steps) {
    Kernel kernel = build_kernel(group, places);
    simplify_axes(kernel);
    if (!kernel.reductions.empty()) add_scratch(kernel);
    steps.push_back({Step::Kind::kernel, static_cast<std::uint32_t>(plan_.kernels.size())});
    plan_.kernels.push_back(std::move(kernel));
  }

  void add_scratch(Kernel& kernel) {
    const std::int64_t bytes = scratch_bytes(kernel, schedule_fold(kernel));
    if (bytes > 0) kernel.scratch = add_temporary_of({Shape{bytes}, DType::u8}, "partial results of blocks");
  }

  void add_whole(const fuse::Whole& whole, std::vector<Step>& steps) {
    const ir::Node& node = graph_.node(whole.node);
    if (fuse::is_call(node))
      add_call(node, steps);
    else if (node.op == ir::Op::if_ || node.op == ir::Op::case_)
      add_branch(node, steps);
    else
      add_loop(node, steps);
    for (ir::ValueId value : node.results) is_written_[value] = true;
  }

  // A sort, or debug_print: the only custom_call yet (check_lowerable).
  void add_call(const ir::Node& node, std::vector<Step>& steps) {
    HostCall host;
    if (node.op == ir::Op::sort) {
      add_sort(node, host);
    } else {
      host.symbol = "weft_debug_print";
      host.descriptor = add_descriptor(runtime::encode(ir::debug_print_of(graph_, node)));
    }
    for (ir::ValueId operand : node.operands) host.operands.push_back(buffer_of_[operand]);
    for (ir::ValueId result : node.results) host.results.push_back(buffer_of_[result]);
    host.where = graph_.location(node.location);
    steps.push_back({Step::Kind::call, static_cast<std::uint32_t>(plan_.calls.size())});
    plan_.calls.push_back(std::move(host));
  }
  BufferId add_descriptor(const std::vector<std::byte>& bytes) {
    ir::Literal literal{{Shape{bytes.size()}, DType::u8}, runtime::Buffer::allocate(bytes.size()), false};
    std::memcpy(literal.buffer.data(), bytes.data(), bytes.size());
    plan_.constants.push_back(std::move(literal));
    return add_buffer(PlanBuffer::Kind::constant, plan_.constants.size() - 1, plan_.constants.back().type);
  }

  // A scalar that decides what runs, in memory: computed by a kernel of its own where it is not.
  BufferId scalar_in_memory(ir::ValueId value, std::vector<Step>& steps) {
    if (const BufferId buffer = readable(value); buffer != ir::kNone) return buffer;
    Kernel kernel;
    kernel.name = kernel_name();
    BodyBuilder body(graph_, *this, kernel.body, 0);
    const BufferId buffer = add_temporary_of(graph_.type(value), "decides what runs");
    const InstId inst = body.build(value, {});
    kernel.stores.push_back({inst, body.access_of(Shape{}, buffer, {})});
    steps.push_back({Step::Kind::kernel, static_cast<std::uint32_t>(plan_.kernels.size())});
    plan_.kernels.push_back(std::move(kernel));
    return buffer;
  }

  void add_branch(const ir::Node& node, std::vector<Step>& steps) {
    Branch branch;
    branch.where = graph_.location(node.location);
    branch.selector = scalar_in_memory(node.operands[0], steps);
    std::vector<BufferId> places;
    for (ir::ValueId value : node.results) places.push_back(buffer_of_[value]);
    for (ir::RegionId region : node.regions) branch.branches.push_back(lower_region(region, places));
    steps.push_back({Step::Kind::branch, static_cast<std::uint32_t>(plan_.branches.size())});
    plan_.branches.push_back(std::move(branch));
  }

  void add_loop(const ir::Node& node, std::vector<Step>& steps) {
    Loop loop;
    loop.where = graph_.location(node.location);
    const auto* scan = std::get_if<ir::ScanAttributes>(&node.attributes);
    loop.is_counted = scan != nullptr;
    const std::size_t carries = scan ? static_cast<std::size_t>(scan->carries) : node.operands.size();
    for (std::size_t i = 0; i < carries; ++i) loop.carried.push_back(buffer_of_[node.results[i]]);
    const ir::RegionId body = node.regions.back();
    const std::vector<ir::ValueId>& arguments = graph_.region(body).arguments;
    if (scan) {
      loop.length = scan->length;
      loop.reverse = scan->reverse;
      if (scan->length == ir::kDynamicLength) loop.count = scalar_in_memory(node.operands.back(), steps);
      loop.position = add_temporary_of(graph_.type(arguments[0]), "position of a loop");
      buffer_of_[arguments[0]] = loop.position;
      is_written_[arguments[0]] = true;
      for (std::size_t i = 1 + carries; i < arguments.size(); ++i)
        elements_[arguments[i]] = {node.operands[i - 1], arguments[0]};
    } else {
      carry_arguments(graph_.region(node.regions[0]).arguments, 0, loop.carried);
      loop.predicate = add_temporary_of({Shape{}, DType::b1}, "condition of a loop");
      loop.condition = lower_region(node.regions[0], {loop.predicate});
    }
    carry_arguments(arguments, scan ? 1 : 0, loop.carried);
    std::vector<BufferId> places(graph_.region(body).results.size(), ir::kNone);
    for (std::size_t i = 0; i < carries; ++i)
      places[i] = add_temporary_of(graph_.type(node.results[i]), "next value of a loop");
    loop.body = lower_region(body, places);
    for (std::size_t i = 0; i < carries; ++i)
      if (is_stored_to(loop.body, places[i])) loop.nexts.push_back({loop.carried[i], places[i]});
    steps.push_back({Step::Kind::loop, static_cast<std::uint32_t>(plan_.loops.size())});
    plan_.loops.push_back(std::move(loop));
  }
  void carry_arguments(const std::vector<ir::ValueId>& arguments, std::size_t first,
                       const std::vector<BufferId>& carried) {
    for (std::size_t i = 0; i < carried.size(); ++i) {
      buffer_of_[arguments[first + i]] = carried[i];
      is_written_[arguments[first + i]] = true;
    }
  }
  bool is_stored_to(const std::vector<Step>& steps, BufferId buffer) const {
    bool is_touched = false;
    for_each_touched(plan_, steps, [&](BufferId touched) { is_touched = is_touched || touched == buffer; });
    return is_touched;
  }
  std::string kernel_name() const { return "kernel_" + std::to_string(plan_.kernels.size()); }

  void add_sort(const ir::Node& node, HostCall& host) {
    runtime::Sort what{
        graph_.type(node.operands[0]).shape, ir::attributes_of<ir::SortAttributes>(node).dimension, {}, {}};
    for (ir::ValueId operand : node.operands) what.operands.push_back(graph_.type(operand).dtype);
    if (auto keys = sort_keys_of(graph_, node))
      what.keys = std::move(*keys);
    else
      host.less = scalar_function(graph_.region(node.regions[0]));
    host.symbol = "weft_sort";
    host.descriptor = add_descriptor(runtime::encode(what));
  }
  ScalarFunction scalar_function(const ir::Region& region) const;

  Kernel build_kernel(const fuse::Group& group, const std::vector<BufferId>& places);
  void add_arguments(const ir::Region& region, BodyBuilder& body, std::vector<Inst>& insts) const;
  void add_reduction(Kernel& kernel, ir::NodeId id, BodyBuilder& body, BodyBuilder& setup, const View& point);
  std::set<ir::LocationId> add_epilogue(Kernel& kernel, const fuse::Group& group);
  View domain_view(const fuse::Group& group, Kernel& kernel) const;
  Store store_part(const fuse::Part& part, const std::vector<BufferId>& places, BodyBuilder& body,
                   const View& point) const;

  const ir::Graph& graph_;
  const LowerOptions& options_;
  fuse::Values values_;
  Plan plan_;
  std::vector<BufferId> buffer_of_;
  std::vector<bool> is_written_;
  std::vector<int> depth_;
  std::unordered_map<ir::ValueId, Element> elements_;  // arguments of loops that are elements of sequences
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

// The arguments of a region as instructions, before all others.
void Lowering::add_arguments(const ir::Region& region, BodyBuilder& body, std::vector<Inst>& insts) const {
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    Inst argument;
    argument.kind = Inst::Kind::argument;
    argument.type = graph_.type(region.arguments[i]).dtype;
    argument.reduction_result = static_cast<std::uint32_t>(i);
    insts.push_back(std::move(argument));
    body.bind(region.arguments[i], {}, static_cast<InstId>(i));
  }
}

ScalarFunction Lowering::scalar_function(const ir::Region& region) const {
  ScalarFunction function;
  BodyBuilder body(graph_, *this, function.insts, 0);
  add_arguments(region, body, function.insts);
  function.result = body.build(region.results[0], {});
  return function;
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
  add_arguments(region, combine, reduction.combine);
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
      if (!values_.in_memory[results[i]].empty()) stored.push_back(results[i]);
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

Store Lowering::store_part(const fuse::Part& part, const std::vector<BufferId>& places, BodyBuilder& body,
                           const View& point) const {
  View from, to;
  for (std::size_t dim = 0; dim < point.size(); ++dim) {
    from.push_back(fuse::scaled(point[dim], 1, part.from[dim]));
    to.push_back(fuse::scaled(point[dim], part.stride[dim], part.start[dim]));
  }
  const Shape& value = graph_.type(part.value).shape;
  const Shape& into = part.output < 0 ? graph_.type(part.into).shape : value;
  const bool is_element = static_cast<std::size_t>(value.rank()) + 1 == point.size() && part.starts.size() == 1;
  if (is_element) {  // of what a loop stacks: the position is never out of range
    to[0].terms.push_back({body.build(part.starts[0], {}), 1});
    from.erase(from.begin());
  } else {
    for (std::size_t dim = 0; dim < part.starts.size(); ++dim) {
      const std::int64_t limit = into[static_cast<int>(dim)] - value[static_cast<int>(dim)];
      if (limit > 0) to[dim].terms.push_back({body.build_clamped(part.starts[dim], limit), 1});
    }
  }
  const BufferId buffer = part.output < 0 ? buffer_of_[part.into] : places[static_cast<std::size_t>(part.output)];
  return {body.build(part.value, value.rank() == 0 ? View{} : from), body.access_of(into, buffer, to)};
}

Kernel Lowering::build_kernel(const fuse::Group& group, const std::vector<BufferId>& places) {
  Kernel kernel;
  kernel.name = kernel_name();
  const View point = domain_view(group, kernel);
  BodyBuilder body(graph_, *this, kernel.body, kernel.axes.size());
  BodyBuilder setup(graph_, *this, kernel.setup, kernel.axes.size());
  for (ir::NodeId id : group.reductions) add_reduction(kernel, id, body, setup, point);
  for (ir::ValueId value : group.stores)
    kernel.stores.push_back(
        {body.build(value, point), body.access_of(group.domain, buffer_of_[value], point)});
  for (const fuse::Part& part : group.parts) kernel.stores.push_back(store_part(part, places, body, point));
  std::set<ir::LocationId> locations = body.locations();
  for (const fuse::Part& part : group.parts)
    if (part.output < 0) locations.insert(graph_.node(graph_.value(part.into).node).location);
  for (ir::NodeId id : group.reductions) locations.insert(graph_.node(id).location);
  if (!group.reductions.empty()) locations.merge(add_epilogue(kernel, group));
  for (ir::LocationId location : locations)
    if (!graph_.location(location).file.empty()) kernel.where.push_back(graph_.location(location));
  for (ir::NodeId id : group.reductions)
    for (ir::ValueId value : graph_.node(id).results) is_written_[value] = !values_.in_memory[value].empty();
  for (ir::ValueId value : group.stores) is_written_[value] = true;
  for (ir::ValueId value : group.epilogue) is_written_[value] = true;
  for (const fuse::Part& part : group.parts)
    if (part.output < 0) is_written_[part.into] = true;
  return kernel;
}

}  // namespace

Plan lower(const ir::Graph& graph, const LowerOptions& options) {
  check_is_lowerable(graph);
  return Lowering(graph, options).run();
}

}  // namespace weft::lower
