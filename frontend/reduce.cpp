// reduce with a user's body: checks the operands, records the body as a region, checks what it gives.
#include <weft/reduce.h>

#include <fmt/format.h>

#include "frontend/program.h"
#include "frontend/reduction_parts.h"

namespace weft {
namespace frontend {
namespace {

using In = std::span<const Array>;

void check_operands(In operands, In inits) {
  if (operands.empty()) fail_type("there is no operand to reduce");
  if (operands.size() != inits.size())
    fail_type(fmt::format("{} initial values for {} operands", inits.size(), operands.size()));
  for (const Array& x : operands)
    if (type_of(x).shape != type_of(operands[0]).shape)
      fail_shape(fmt::format("operands of different shapes: {}", describe(operands)));
  for (const Array& x : inits)
    if (type_of(x).shape.rank() != 0)
      fail_shape(fmt::format("initial value {} is not a scalar", type_of(x).to_string()));
}

std::vector<Array> checked_results(std::vector<Array> results, In operands) {
  if (results.size() != operands.size())
    fail_type(fmt::format("the body gives {} values for {} operands", results.size(), operands.size()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ShapeDtype wanted{Shape{}, type_of(operands[i]).dtype};
    if (type_of(results[i]).shape.rank() == 0 && results[i].is_weak())
      results[i] = convert_to(results[i], wanted.dtype);
    if (type_of(results[i]) != wanted)
      fail_type(fmt::format("the body gives {} for value {}, which is {}", type_of(results[i]).to_string(), i,
                            wanted.to_string()));
  }
  return results;
}

std::vector<Array> record_reduce(In operands, In inits, const detail::ReduceBody& body, const Axes& axes) {
  const std::vector<int> which = normalize_axes(axes, type_of(operands[0]).shape.rank());
  std::vector<Array> strong, starts;
  const Location where = Call::where();  // not known any more when the user's body has run
  for (const Array& x : operands) strong.push_back(as_weak(x, false));
  for (std::size_t i = 0; i < inits.size(); ++i)
    starts.push_back(as_weak(convert_to(inits[i], type_of(operands[i]).dtype), false));
  return reduce_by(strong, starts, which, [&](In accumulators, In elements) {
    std::vector<Array> results;
    body(accumulators, elements, results);
    const Call call("reduce", where);
    return checked_results(std::move(results), operands);
  });
}

// Outside of any trace: recorded every time, since a body has no key but its text; compiled once per text.
std::vector<Array> run_eagerly(In operands, In inits, const detail::ReduceBody& body, const Axes& axes) {
  std::vector<const Array*> arguments;
  for (const Array& x : operands) arguments.push_back(&x);
  for (const Array& x : inits) arguments.push_back(&x);
  for (const Array* x : arguments) check_not_leaked(*x);
  const Location where = Call::where();
  const std::shared_ptr<TracedProgram> program = trace_program(
      arguments, [&](In inside, std::vector<Array>& results) -> detail::Shared<detail::Counted> {
        const Call call("reduce", where);
        results = record_reduce(inside.first(operands.size()), inside.subspan(operands.size()), body, axes);
        return {};
      });
  std::vector<Array> results(operands.size());
  run(*program, *compile_by_text(program->graph)->executable, arguments, results);
  return results;
}

}  // namespace
}  // namespace frontend

namespace detail {

std::vector<Array> run_reduce(std::span<const Array> operands, std::span<const Array> inits,
                              const ReduceBody& body, const Axes& axes, const Location& where) {
  const frontend::Call call("reduce", where);
  frontend::check_operands(operands, inits);
  if (frontend::Trace::current()) return frontend::record_reduce(operands, inits, body, axes);
  return frontend::run_eagerly(operands, inits, body, axes);
}

}  // namespace detail
}  // namespace weft
