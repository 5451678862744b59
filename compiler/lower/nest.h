// The loop level: a program as a list of kernels over buffers, each kernel one loop nest with affine
// accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/ir/reductions.h"

namespace weft::lower {

using BufferId = std::uint32_t;
using InstId = std::uint32_t;

// A block of memory of the program. Arguments, results and constants come in the frame; temporaries lie in
// the arena.
struct PlanBuffer {
  enum class Kind : std::uint8_t { argument, result, constant, temporary } kind = Kind::temporary;
  std::int32_t index = 0;  // of the argument, result or constant
  ir::Type type;
  std::int64_t arena_offset = 0;  // of a temporary, in bytes
  std::string reason;             // why a temporary exists
};

enum class AxisKind : std::uint8_t { parallel, reduction };
struct Axis {
  std::int64_t extent = 1;
  AxisKind kind = AxisKind::parallel;
};

// Element offset = offset + sum of strides[a] * (index of axis a) + sum of terms (a 64-bit value times a
// stride).
struct Access {
  struct Term {
    InstId value = 0;
    std::int64_t stride = 0;
  };
  BufferId buffer = 0;
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;  // one an axis of the nest
  std::vector<Term> terms;            // indices computed by the body, already clamped into bounds
};

// One scalar instruction of a nest's body, in SSA order.
struct Inst {
  enum class Kind : std::uint8_t {
    load,      // access
    literal,   // one element of `type`, bits in `literal`
    position,  // offset + sum of strides[a] * axis index, converted to `type` (iota)
    element,   // an elementwise operation, compare, select, clamp, convert, reduce_precision, bitcast_convert
    result,    // epilogue only: result `reduction_result` of reduction `reduction`
    argument,  // reducer bodies only: argument number `reduction_result`
    fma,       // rounded once: a * b + c (`op` is add), a * b - c (subtract) or c - a * b (negate)
  } kind = Kind::element;
  DType type = DType::f32;
  ir::Op op = ir::Op::add;
  ir::Attributes attributes;
  std::vector<InstId> operands;
  Access access;              // load and position
  std::uint64_t literal = 0;  // the element's bytes, little-endian
  std::uint32_t reduction = 0, reduction_result = 0;
};

struct Store {
  InstId value = 0;
  Access access;
};

// How the elements of a reduction are put together; fixed from graph, shape and dtype alone.
enum class Order : std::uint8_t {
  lanes,      // along the contiguous axis: a fixed number of lanes in blocks of fixed size, blocks pairwise
  ascending,  // one after another within fixed blocks, blocks pairwise: vectors run along a free axis
};

struct Reduction {
  std::vector<InstId> operands;  // of the body: the elements
  std::vector<InstId> inits;     // of `setup`: rank-0 values
  ir::Reducer reducer;
  std::vector<Inst> combine;     // the reducer's body; arguments: k accumulators, then k elements
  std::vector<InstId> combined;  // its k results
  std::vector<DType> types;      // of the k results
};

// for the parallel axes: { run the body over the reduction axes, then the epilogue once }
struct Kernel {
  std::string name;
  std::vector<Axis> axes;   // parallel axes first, each group outermost first
  std::vector<Inst> setup;  // loop-invariant scalars for inits
  std::vector<Inst> body;
  std::vector<Store> stores;  // of body values, at every point of the nest
  std::vector<Reduction> reductions;
  std::vector<Inst> epilogue;  // of the results, at every point of the parallel axes
  std::vector<Store> epilogue_stores;
  BufferId scratch = ir::kNone;       // a temporary for the partial states of blocks, if there are several
  std::vector<ir::SourceLine> where;  // of the operations inside
};

// A function of scalars.
struct ScalarFunction {
  std::vector<Inst> insts;  // its arguments are those of kind argument
  InstId result = 0;
};

// A function of the runtime: symbol(descriptor, arrays, threads, function), where the arrays are operands, then
// results, whole and in row-major order. A status other than 0 ends the program.
struct HostCall {
  std::string symbol;
  BufferId descriptor = 0;   // a constant: what the function should do
  std::vector<BufferId> operands, results;
  std::optional<ScalarFunction> less;  // of a sort: left and right element of each operand
  ir::SourceLine where;
};

// One entry of a list that is run in order: a number into the plan's kernels, calls, loops or branches.
struct Step {
  enum class Kind : std::uint8_t { kernel, call, loop, branch } kind = Kind::kernel;
  std::uint32_t index = 0;
};

// for (position …) or while (condition): the body, then every next value becomes the current one.
struct Loop {
  struct Next {
    BufferId current = 0, next = 0;
  };
  bool is_counted = false;
  BufferId position = ir::kNone;  // counted: an i64 scalar, the position of the step
  std::int64_t length = 0;        // counted: the trip count, unless it is in a buffer
  BufferId count = ir::kNone;     // counted: an i64 scalar
  bool reverse = false;           // counted: from the last position down
  std::vector<Step> condition;
  BufferId predicate = ir::kNone;  // what the condition computes, a b1 scalar
  std::vector<Step> body;
  std::vector<Next> nexts;
  std::vector<BufferId> carried;  // keep their contents from step to step
  ir::SourceLine where;
};

// Runs one of its lists: by a b1 scalar the first when true, by an i32 scalar that number, else the last.
struct Branch {
  BufferId selector = 0;
  std::vector<std::vector<Step>> branches;
  ir::SourceLine where;
};

struct Plan {
  std::vector<PlanBuffer> buffers;
  std::vector<Step> steps;      // in order of execution
  std::vector<Kernel> kernels;
  std::vector<HostCall> calls;
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<ir::Literal> constants;
  std::vector<ir::Type> arguments, results;
  std::vector<BufferId> result_buffers;  // of each result: a result buffer, or an argument's or constant's
  std::int64_t arena_bytes = 0;
  bool has_code() const { return !steps.empty(); }
};
std::string print(const Plan& plan);
std::string buffer_name(const Plan& plan, BufferId id);  // as it is printed: "arg0"

// Calls visit(BufferId) for everything a kernel reads or writes, repetitions included.
template <class Visit>
void for_each_buffer(const Kernel& kernel, const Visit& visit) {
  for (const std::vector<Inst>* insts : {&kernel.setup, &kernel.body, &kernel.epilogue})
    for (const Inst& inst : *insts)
      if (inst.kind == Inst::Kind::load) visit(inst.access.buffer);
  for (const std::vector<Store>* stores : {&kernel.stores, &kernel.epilogue_stores})
    for (const Store& store : *stores) visit(store.access.buffer);
  if (kernel.scratch != ir::kNone) visit(kernel.scratch);
}

struct LowerOptions {
  bool contract_products = false;  // a * b + c becomes one fma
};
// The entry function of a graph without calls becomes a plan.
Plan lower(const ir::Graph& graph, const LowerOptions& options = {});

}  // namespace weft::lower
