// Bodies are recorded apart and become regions; what they read from around them is read there.
#include <weft/control.h>

#include <fmt/format.h>

#include "frontend/recorded.h"

namespace weft {
namespace frontend {
namespace {

constexpr int kMostRounds = 4;  // a weak start may take its dtype from the body, which may change the next one

std::vector<ShapeDtype> types_of(In arrays) {
  std::vector<ShapeDtype> types;
  for (const Array& x : arrays) types.push_back(type_of(x));
  return types;
}

ShapeDtype element_type(const ShapeDtype& sequence) {
  return {Shape(sequence.shape.extents().subspan(1)), sequence.dtype};
}

[[noreturn]] void fail_carry(std::size_t leaf, const ShapeDtype& is, const ShapeDtype& gives) {
  fail_type(fmt::format("leaf {} of the carry is {}, but the body gives {}", leaf, is.to_string(), gives.to_string()));
}

// A weak result of the body takes the carry's dtype. A weak start takes the body's: true, and all starts again.
bool settle_carry(std::vector<ShapeDtype>& types, std::vector<bool>& is_weak, const TracedProgram& program) {
  bool is_changed = false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ShapeDtype& given = program.result_types[i];
    if (given == types[i]) {
      is_changed = is_changed || (is_weak[i] && !program.result_is_weak[i]);
      is_weak[i] = is_weak[i] && program.result_is_weak[i];
      continue;
    }
    if (!is_weak[i] || given.shape != types[i].shape) fail_carry(i, types[i], given);
    types[i] = given;
    is_weak[i] = program.result_is_weak[i];
    is_changed = true;
  }
  return is_changed;
}

// The body's results, those of the carry in the carry's dtypes where they are weak.
void settle_results(Out& results, std::span<const ShapeDtype> types, const std::vector<bool>& is_weak) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (results[i].is_weak() && !is_weak[i] && type_of(results[i]).shape == types[i].shape)
      results[i] = as_weak(convert_to(results[i], types[i].dtype), false);
}

std::vector<ir::ValueId> add_arguments(ir::RegionId region, std::span<const ShapeDtype> types) {
  ir::Graph& graph = Trace::current()->builder().graph();
  std::vector<ir::ValueId> arguments;
  for (const ShapeDtype& type : types) arguments.push_back(graph.add_argument(region, type));
  return arguments;
}

// Starts in the types that the loop settled on.
Out starts_of(In init, std::span<const ShapeDtype> types) {
  Out starts;
  for (std::size_t i = 0; i < init.size(); ++i) starts.push_back(as_weak(convert_to(init[i], types[i].dtype), false));
  return starts;
}

// --- scan and fori_loop ---

struct Range {
  std::int64_t length = ir::kDynamicLength;
  bool reverse = false;
  Array count;              // i64, when the length is not known
  Array low;                // of fori_loop
  DType dtype = DType::i64;  // of the position that the body sees
};

std::int64_t integer_value(const Array& x) {
  return static_cast<std::int64_t>(element_as_double(type_of(x).dtype, state_of(x).buffer.data()));
}

Range range_of_fori(const Array& low, const Array& high) {
  for (const Array* bound : {&low, &high})
    if (!is_integer(type_of(*bound).dtype) || type_of(*bound).shape.rank() != 0)
      fail_type(fmt::format("the bound {} is no integer scalar", type_of(*bound).to_string()));
  Range range;
  const bool low_decides = high.is_weak() && !low.is_weak();
  range.dtype = type_of(low_decides ? low : high).dtype;
  if (!high.is_weak() && !low.is_weak() && size_of(type_of(low).dtype) > size_of(range.dtype)) range.dtype = type_of(low).dtype;
  range.low = as_weak(convert_to(low, range.dtype), false);
  if (is_concrete(low) && is_concrete(high)) {
    range.length = std::max<std::int64_t>(integer_value(high) - integer_value(low), 0);
    return range;
  }
  const Array from = as_weak(convert_to(low, DType::i64), false), to = as_weak(convert_to(high, DType::i64), false);
  range.count = record(ir::Op::maximum, {record(ir::Op::subtract, {to, from}), splat(DType::i64, {}, 0)});
  return range;
}

Range range_of_scan(In xs, const detail::LoopRange& given) {
  Range range;
  range.reverse = given.reverse;
  range.length = given.length;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const ShapeDtype& type = type_of(xs[i]);
    if (type.shape.rank() == 0) fail_shape(fmt::format("leaf {} of xs is {}, which has no axis to walk", i, type.to_string()));
    if (range.length >= 0 && type.shape[0] != range.length)
      fail_shape(fmt::format("leaf {} of xs is {}, where {} elements are expected", i, type.to_string(), range.length));
    range.length = type.shape[0];
  }
  if (range.length < 0) fail_type("there are no xs: give the length");
  return range;
}

Out record_scan(In init, In xs, const detail::LoopRange& given, const detail::LoopBody& body) {
  const std::string name = Call::function();
  const Location where = Call::where();
  const bool is_fori = !given.low.is_empty_handle();
  const Range range = is_fori ? range_of_fori(given.low, given.high) : range_of_scan(xs, given);
  std::vector<ShapeDtype> carry = types_of(init), types;
  std::vector<bool> is_weak;
  for (const Array& x : init) is_weak.push_back(x.is_weak());
  std::shared_ptr<TracedProgram> program;
  for (int round = 0;; ++round) {
    types = {ShapeDtype{Shape{}, DType::i64}};
    types.insert(types.end(), carry.begin(), carry.end());
    std::vector<bool> weak_arguments(1, false);
    weak_arguments.insert(weak_arguments.end(), is_weak.begin(), is_weak.end());
    for (const Array& x : xs) {
      types.push_back(element_type(type_of(x)));
      weak_arguments.push_back(false);
    }
    program = record_apart(types, weak_arguments, [&](In inside, Out& results) {
      Array position = inside[0];
      if (is_fori) {
        const Call call(name.c_str(), where);
        position = record(ir::Op::add, {convert_to(position, range.dtype), range.low});
      }
      body(position, inside.subspan(1, carry.size()), inside.subspan(1 + carry.size()), results);
      const Call call(name.c_str(), where);
      settle_results(results, carry, is_weak);
    });
    if (!settle_carry(carry, is_weak, *program)) break;
    if (round == kMostRounds) fail_type("the dtypes of the carry do not settle");
  }
  Trace& trace = *Trace::current();
  ir::Graph& graph = trace.builder().graph();
  const ir::RegionId region = graph.add_region();
  std::vector<ir::ValueId> results = inline_into(region, *program, add_arguments(region, types));
  graph.region(region).results = std::move(results);
  Out operands = starts_of(init, carry);
  for (const Array& x : xs) operands.push_back(as_weak(x, false));
  if (range.length == ir::kDynamicLength) operands.push_back(range.count);
  const ir::ScanAttributes attributes{static_cast<std::int64_t>(carry.size()), range.length, range.reverse};
  Out all = record_all(ir::Op::scan, operands, attributes, {region});
  for (std::size_t i = 0; i < carry.size(); ++i) all[i] = as_weak(all[i], is_weak[i]);
  return all;
}

// --- while_loop ---

Out record_while(In init, const detail::Condition& condition, const detail::Condition& body) {
  const Location where = Call::where();
  std::vector<ShapeDtype> carry = types_of(init);
  std::vector<bool> is_weak;
  for (const Array& x : init) is_weak.push_back(x.is_weak());
  std::shared_ptr<TracedProgram> program;
  for (int round = 0;; ++round) {
    program = record_apart(carry, is_weak, [&](In inside, Out& results) {
      body(inside, results);
      const Call call("while_loop", where);
      settle_results(results, carry, is_weak);
    });
    if (!settle_carry(carry, is_weak, *program)) break;
    if (round == kMostRounds) fail_type("the dtypes of the carry do not settle");
  }
  const std::shared_ptr<TracedProgram> test =
      record_apart(carry, is_weak, [&](In inside, Out& results) { condition(inside, results); });
  const ShapeDtype predicate{Shape{}, DType::b1};
  if (test->result_types.size() != 1 || test->result_types[0] != predicate)
    fail_type(fmt::format("the condition gives {}, needs a b1 scalar", test->result_types[0].to_string()));
  ir::Graph& graph = Trace::current()->builder().graph();
  std::vector<ir::RegionId> regions;
  for (const TracedProgram* each : {test.get(), program.get()}) {
    const ir::RegionId region = graph.add_region();
    std::vector<ir::ValueId> results = inline_into(region, *each, add_arguments(region, carry));
    graph.region(region).results = std::move(results);
    regions.push_back(region);
  }
  Out all = record_all(ir::Op::while_, starts_of(init, carry), ir::NoAttributes{}, regions);
  for (std::size_t i = 0; i < carry.size(); ++i) all[i] = as_weak(all[i], is_weak[i]);
  return all;
}

// --- cond and switch_case ---

// The types that all branches give: a weak result takes the dtype of one that is not.
std::vector<ShapeDtype> common_types(const std::vector<std::shared_ptr<TracedProgram>>& branches,
                                     std::vector<bool>& is_weak) {
  std::vector<ShapeDtype> types = branches[0]->result_types;
  is_weak = branches[0]->result_is_weak;
  for (std::size_t b = 1; b < branches.size(); ++b) {
    const TracedProgram& branch = *branches[b];
    if (branch.result_types.size() != types.size())
      fail_type(fmt::format("branch 0 gives {} arrays, branch {} gives {}", types.size(), b, branch.result_types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) {
      const ShapeDtype& type = branch.result_types[i];
      const bool both_weak = is_weak[i] && branch.result_is_weak[i];
      if (is_weak[i] && !branch.result_is_weak[i]) types[i].dtype = type.dtype;
      is_weak[i] = both_weak;
      const bool is_settled = type == types[i] || (branch.result_is_weak[i] && type.shape == types[i].shape && !both_weak);
      if (!is_settled)
        fail_type(fmt::format("leaf {} of the result is {} in branch 0 and {} in branch {}", i,
                              branches[0]->result_types[i].to_string(), type.to_string(), b));
    }
  }
  return types;
}

Array clamped_index(const Array& index, std::size_t count) {
  const ShapeDtype& type = type_of(index);
  if (type.shape.rank() != 0 || !is_integer(type.dtype))
    fail_type(fmt::format("the index {} is no integer scalar", type.to_string()));
  Array i = as_weak(index, false);
  const Array last = splat(type.dtype, {}, static_cast<double>(count - 1));
  i = record(ir::Op::minimum, {i, last});
  if (is_signed(type.dtype)) i = record(ir::Op::maximum, {i, splat(type.dtype, {}, 0)});
  return convert_to(i, DType::i32);
}

Array predicate_of(const Array& x) {
  const ShapeDtype& type = type_of(x);
  if (type.shape.rank() != 0) fail_type(fmt::format("the predicate {} is no scalar", type.to_string()));
  return as_weak(convert_to(x, DType::b1), false);
}

Out record_branches(const Array& index, std::size_t count, In operands, const detail::BranchBody& body, bool is_cond) {
  std::vector<std::shared_ptr<TracedProgram>> branches;
  for (std::size_t b = 0; b < count; ++b)
    branches.push_back(record_apart({}, {}, [&](In, Out& results) { body(b, operands, results); }));
  std::vector<bool> is_weak;
  const std::vector<ShapeDtype> types = common_types(branches, is_weak);
  ir::Graph& graph = Trace::current()->builder().graph();
  std::vector<ir::RegionId> regions;
  for (const auto& branch : branches) {
    const ir::RegionId region = graph.add_region();
    std::vector<ir::ValueId> results = inline_into(region, *branch, {});
    ir::Builder inside(graph, region);
    for (std::size_t i = 0; i < types.size(); ++i) results[i] = inside.convert(results[i], types[i].dtype);
    graph.region(region).results = std::move(results);
    regions.push_back(region);
  }
  const Array selector = is_cond ? predicate_of(index) : clamped_index(index, count);
  const Array given[] = {selector};
  Out all = record_all(is_cond ? ir::Op::if_ : ir::Op::case_, given, ir::NoAttributes{}, regions);
  for (std::size_t i = 0; i < types.size(); ++i) all[i] = as_weak(all[i], is_weak[i]);
  return all;
}

}  // namespace
}  // namespace frontend

namespace detail {

Out run_scan(const char* function, In init, In xs, const LoopRange& range, const LoopBody& body, const Location& where) {
  using namespace frontend;
  const Call call(function, where);
  if (Trace::current()) return record_scan(init, xs, range, body);
  Out operands(init.begin(), init.end());
  operands.insert(operands.end(), xs.begin(), xs.end());
  return run_in_own_trace(operands, [&](In inside) {
    return record_scan(inside.first(init.size()), inside.subspan(init.size()), range, body);
  });
}

Out run_while(In init, const Condition& condition, const Condition& body, const Location& where) {
  using namespace frontend;
  const Call call("while_loop", where);
  if (Trace::current()) return record_while(init, condition, body);
  return run_in_own_trace(init, [&](In inside) { return record_while(inside, condition, body); });
}

Out run_branches(const char* function, const Array& index, std::size_t count, In operands, const BranchBody& body,
                 const Location& where) {
  using namespace frontend;
  const Call call(function, where);
  const bool is_cond = std::string_view(function) == "cond";
  if (Trace::current()) return record_branches(index, count, operands, body, is_cond);
  Out all(operands.begin(), operands.end());
  all.push_back(index);
  return run_in_own_trace(all, [&](In inside) {
    return record_branches(inside.back(), count, inside.first(operands.size()), body, is_cond);
  });
}

void check_carry_count(const char* function, std::size_t given, std::size_t wanted, const Location& where) {
  const frontend::Call call(function, where);
  if (given != wanted) frontend::fail_type(fmt::format("the carry has {} arrays, but the body gives {}", wanted, given));
}

}  // namespace detail
}  // namespace weft
