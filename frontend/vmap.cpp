// vmap: the function is recorded for one element, batched as a graph, and inlined into the current trace.
#include <weft/vmap.h>

#include <fmt/format.h>

#include "compiler/transform/batch.h"
#include "frontend/jit_core.h"
#include "frontend/record.h"
#include "frontend/signature_visitor.h"

namespace weft {
namespace detail {

class VmapCore final : public Counted {
 public:
  VmapCore(VmapOptions options, const Location& where)
      : options(std::move(options)), where(where), eager(JitOptions(), where, true) {}
  VmapOptions options;
  Location where;  // the line that made the batched function
  JitCore eager;   // programs of calls outside of any trace
};

}  // namespace detail

namespace frontend {
namespace {

constexpr std::int64_t kNotBatched = transform::kNotBatched;

// Walks a tree of axes along with a tree of arrays; gives the axis of each array.
class AxisWalk {
 public:
  explicit AxisWalk(const AxisTree& root) : root_(root) {}
  const AxisTree& next() {
    if (frames_.empty()) return root_;
    Frame& frame = frames_.back();
    return frame.tree->kind == AxisTree::Kind::list ? frame.tree->children[frame.child++] : *frame.tree;
  }
  void enter(const AxisTree& tree, detail::Visitor::Kind kind, std::size_t children) {
    if (tree.kind == AxisTree::Kind::list) {
      if (kind == detail::Visitor::Kind::map)
        fail_type("a list of axes cannot stand for a map: give one axis for all of it");
      if (tree.children.size() != children)
        fail_type(fmt::format("{} axes given for {} parts", tree.children.size(), children));
    }
    frames_.push_back({&tree, 0, kind == detail::Visitor::Kind::map});
  }
  void leave() { frames_.pop_back(); }
  void pass_fixed() {
    if (!frames_.empty() && !frames_.back().is_map) next();
  }
  std::int64_t leaf_axis() {
    const AxisTree& tree = next();
    switch (tree.kind) {
      case AxisTree::Kind::unset:
        return 0;
      case AxisTree::Kind::axis:
        return tree.axis;
      case AxisTree::Kind::none:
        return kNotBatched;
      case AxisTree::Kind::list:
        break;
    }
    fail_type("a list of axes stands where there is one array");
  }

 private:
  struct Frame {
    const AxisTree* tree;
    std::size_t child;
    bool is_map;
  };
  const AxisTree& root_;
  std::vector<Frame> frames_;
};

class AxisVisitor : public detail::Visitor {
 public:
  AxisVisitor(const AxisTree& root, std::vector<std::int64_t>& axes) : walk_(root), axes_(axes) {}
  void leaf(Array&) override { axes_.push_back(walk_.leaf_axis()); }
  void fixed(const void*, std::size_t) override { walk_.pass_fixed(); }
  void enter(Kind kind, std::size_t children) override { walk_.enter(walk_.next(), kind, children); }
  void leave() override { walk_.leave(); }

 private:
  AxisWalk walk_;
  std::vector<std::int64_t>& axes_;
};

// Takes the arrays out of the result and notes the axis of each.
class BatchedResults final : public AxisVisitor {
 public:
  BatchedResults(const AxisTree& root, std::vector<std::int64_t>& axes, std::vector<Array>& leaves)
      : AxisVisitor(root, axes), take_(leaves) {}
  void leaf(Array& array) override {
    AxisVisitor::leaf(array);
    take_.leaf(array);
  }

 private:
  TakeLeaves take_;
};

// The axes of the arguments as one list, from `{.in_axes = …}` or from positions.
AxisTree argument_axes(const VmapOptions& o, std::size_t count) {
  const AxisTree* slots[] = {&o.a0, &o.a1, &o.a2, &o.a3, &o.a4, &o.a5, &o.a6, &o.a7};
  if (o.in_axes.kind != AxisTree::Kind::unset || o.a0.kind == AxisTree::Kind::unset) return o.in_axes;
  AxisTree list{};
  list.kind = AxisTree::Kind::list;
  for (const AxisTree* slot : slots)
    if (slot->kind != AxisTree::Kind::unset) list.children.push_back(*slot);
  if (list.children.size() == 1 && count != 1) return list.children[0];
  return list;
}

struct Batch {
  std::vector<std::int64_t> axes;  // of each array, counted from 0, or kNotBatched
  std::int64_t size = -1;
};

Batch batch_of_arguments(const VmapOptions& options, detail::ErasedCall& call,
                         std::span<const Array> leaves) {
  Batch batch;
  batch.size = options.axis_size;
  const AxisTree tree = argument_axes(options, call.argument_count());
  if (tree.kind == AxisTree::Kind::list && tree.children.size() != call.argument_count())
    fail_type(fmt::format("{} axes given for {} arguments", tree.children.size(), call.argument_count()));
  std::vector<std::size_t> argument_of;
  for (std::size_t i = 0; i < call.argument_count(); ++i) {
    AxisVisitor visitor(tree.kind == AxisTree::Kind::list ? tree.children[i] : tree, batch.axes);
    call.visit_argument(i, visitor);
    argument_of.resize(batch.axes.size(), i);
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (batch.axes[i] == kNotBatched) continue;
    const ShapeDtype& type = type_of(leaves[i]);
    const int rank = type.shape.rank();
    if (batch.axes[i] < -rank || batch.axes[i] >= rank)
      fail_index(fmt::format("argument {} has an array {}, which has no axis {}", argument_of[i],
                             type.to_string(), batch.axes[i]));
    if (batch.axes[i] < 0) batch.axes[i] += rank;
    const std::int64_t extent = type.shape[static_cast<int>(batch.axes[i])];
    if (batch.size >= 0 && extent != batch.size)
      fail_shape(
          fmt::format("argument {} has an array {} with {} elements along axis {}, where {} are expected",
                      argument_of[i], type.to_string(), extent, batch.axes[i], batch.size));
    batch.size = extent;
  }
  if (batch.size < 0) fail_type("no argument is batched: give axis_size");
  return batch;
}

ShapeDtype without_axis(const ShapeDtype& type, std::int64_t axis) {
  if (axis == kNotBatched) return type;
  std::vector<std::int64_t> extents(type.shape.begin(), type.shape.end());
  extents.erase(extents.begin() + axis);
  return {Shape(extents), type.dtype};
}

void normalize_result_axes(std::vector<std::int64_t>& axes, std::span<const ShapeDtype> types) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] == kNotBatched) continue;
    const int rank = types[i].shape.rank() + 1;
    if (axes[i] < -rank || axes[i] >= rank)
      fail_index(fmt::format("result {} has {} axes with the batch, so none is {}", i, rank, axes[i]));
    if (axes[i] < 0) axes[i] += rank;
  }
}

detail::Shared<detail::Counted> record_batched(const detail::VmapCore& core, detail::ErasedCall& call,
                                               std::span<const Array> leaves, std::vector<Array>& results) {
  const Call named("vmap", core.where);
  const VmapOptions& options = core.options;
  transform::BatchSpec spec;
  Batch batch = batch_of_arguments(options, call, leaves);
  spec.argument_axes = batch.axes;
  spec.size = batch.size;

  std::vector<Array> elements;
  std::vector<const Array*> pointers;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    elements.push_back(abstract(without_axis(type_of(leaves[i]), batch.axes[i]), leaves[i].is_weak()));
  for (const Array& x : elements) pointers.push_back(&x);
  const auto one = trace_program(pointers, [&](std::span<const Array> inside, std::vector<Array>& out) {
    BatchedResults visitor(options.out_axes, spec.result_axes, out);
    return call.trace(inside, visitor);
  });
  normalize_result_axes(spec.result_axes, one->result_types);
  spec.argument_axes.resize(leaves.size() + one->captured.size(), kNotBatched);

  const ir::Graph batched = transform::batch(one->graph, spec);
  Trace& trace = *Trace::current();
  std::vector<ir::ValueId> arguments;
  for (const Array& x : leaves) arguments.push_back(trace.lift(x));
  for (const Array& x : one->captured) arguments.push_back(trace.lift(x));
  const std::vector<ir::ValueId> values = inline_entry(trace.builder(), batched, arguments);
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back(trace.value(values[i], one->result_is_weak[i]));
  return one->prototype;
}

}  // namespace
}  // namespace frontend

namespace detail {

Shared<VmapCore> make_vmap(VmapOptions options, const Location& where) {
  return Shared<VmapCore>(new VmapCore(std::move(options), where));
}

void run_vmap(const Shared<VmapCore>& core, ErasedCall& call) {
  const frontend::Call named("vmap", core->where);
  const auto body = [&](std::span<const Array> inside, std::vector<Array>& results) {
    return frontend::record_batched(*core, call, inside, results);
  };
  if (!frontend::Trace::current()) return frontend::run_cached(core->eager, call, body);
  std::vector<Array> leaves, results;
  {
    frontend::CallScratch& scratch = frontend::CallScratch::of_this_thread();
    scratch.read(call);
    for (const Array* x : scratch.leaves) leaves.push_back(*x);
  }
  for (const Array& x : leaves) frontend::check_not_leaked(x);
  const detail::Shared<detail::Counted> prototype = body(leaves, results);
  ReplaceLeaves fill(results);
  call.set_result(prototype.get(), fill);
}

}  // namespace detail
}  // namespace weft
