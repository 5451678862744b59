// Recording: nesting of traces, lifting of values into them, and the check for values that outlived theirs.
#include "frontend/trace.h"

#include <fmt/format.h>

namespace weft::frontend {
namespace {

constexpr std::int64_t kLargestConstantBytes = 4096;  // larger captured arrays become hidden arguments

// Each level takes some kilobytes of the stack: a function that calls itself without end must not exhaust it.
constexpr int kDeepestTrace = 256;

thread_local Trace* current_trace = nullptr;

}  // namespace

Trace::Trace() : body_(graph_.add_function("main", true).body), builder_(graph_, body_) {}

Trace* Trace::current() { return current_trace; }

OpenTrace::OpenTrace(Trace& trace) : trace_(trace) {
  trace.depth_ = current_trace ? current_trace->depth_ + 1 : 0;
  if (trace.depth_ == kDeepestTrace)
    throw TraceError(fmt::format(
        "{}: {} functions are being traced inside one another: a recursion ends only by a static argument",
        Call::function(), kDeepestTrace));
  trace.parent_ = current_trace;
  trace.is_open_ = true;
  current_trace = &trace;
}

OpenTrace::~OpenTrace() {
  current_trace = trace_.parent_;
  trace_.close();
}

Array Trace::value(ir::ValueId id, bool is_weak) {
  auto* state = new ArrayState;
  state->type = graph_.type(id);
  state->is_weak = is_weak;
  state->trace = shared_from_this();
  state->value = id;
  state->where = Call::where();
  return detail::ArrayAccess::adopt(state);
}

Array Trace::argument(const ShapeDtype& type, bool is_weak) {
  return value(graph_.add_argument(body_, type), is_weak);
}

bool Trace::is_open_on_this_thread() const {
  for (const Trace* t = current_trace; t; t = t->parent_)
    if (t == this) return true;
  return false;
}

void check_not_leaked(const Array& x) {
  const ArrayState& state = state_of(x);
  if (state.buffer) return;
  if (!state.trace)
    throw TypeError(
        fmt::format("{} is only a type: it can be lowered, not computed with", state.type.to_string()));
  if (state.trace->is_open_on_this_thread()) return;
  throw TraceError(
      fmt::format("{}: a traced value of {} is used outside the function whose tracing made it; return it "
                  "from that function instead",
                  Call::function(), state.type.to_string()),
      state.where);
}

ir::ValueId Trace::lift(const Array& x) {
  const ArrayState& state = state_of(x);
  if (state.trace.get() == this && is_open_) return state.value;
  if (const auto known = from_outside_.find(&state); known != from_outside_.end()) return known->second;
  check_not_leaked(x);
  const ir::ValueId id = lift_from_outside(x);
  from_outside_.emplace(&state, id);
  kept_.push_back(x);
  return id;
}

ir::ValueId Trace::lift_from_outside(const Array& x) {
  const ArrayState& state = state_of(x);
  if (state.buffer && (state.type.shape.rank() == 0 || state.type.nbytes() <= kLargestConstantBytes))
    return builder().constant({state.type, state.buffer, false});
  captured_.push_back(x);
  return graph_.add_argument(body_, state.type);
}

ir::LocationId Trace::location_id(const Location& where) {
  if (where.line() == 0) return 0;
  const auto [known, is_new] = locations_.try_emplace({where.file_name(), where.line(), where.column()}, 0);
  if (is_new) known->second = graph_.add_location({where.file_name(), where.line(), where.column()});
  return known->second;
}

ir::Builder& Trace::builder() {
  builder_.set_location(location_id(Call::where()));
  return builder_;
}

void Trace::close() {
  is_open_ = false;
  // Values that outlive the trace hold it; it must not hold them, or arrays of outer traces, in a circle.
  captured_.clear();
  kept_.clear();
  from_outside_.clear();
  callees_.clear();
}

ir::Graph Trace::finish(std::span<const Array> results) {
  std::vector<ir::ValueId> ids;
  for (const Array& x : results) ids.push_back(lift(x));
  graph_.region(body_).results = std::move(ids);
  return std::move(graph_);
}

}  // namespace weft::frontend
