// Bodies have no key but their text: they are recorded at every call outside of a trace, and compiled once.
#include "frontend/recorded.h"

namespace weft::frontend {

Out run_in_own_trace(In operands, const detail::FunctionRef<Out(In)>& record) {
  std::vector<const Array*> arguments;
  for (const Array& x : operands) {
    check_not_leaked(x);
    arguments.push_back(&x);
  }
  const std::string name = Call::function();
  const Location where = Call::where();
  const std::shared_ptr<TracedProgram> program =
      trace_program(arguments, [&](In inside, Out& results) -> detail::Shared<detail::Counted> {
        const Call call(name.c_str(), where);
        results = record(inside);
        return {};
      });
  Out results(program->result_types.size());
  run(*program, *compile_by_text(program->graph)->executable, arguments, results);
  return results;
}

std::shared_ptr<TracedProgram> record_apart(std::span<const ShapeDtype> types, const std::vector<bool>& is_weak,
                                            const detail::FunctionRef<void(In, Out&)>& body) {
  Out elements;
  std::vector<const Array*> arguments;
  for (std::size_t i = 0; i < types.size(); ++i) elements.push_back(abstract(types[i], is_weak[i]));
  for (const Array& x : elements) arguments.push_back(&x);
  return trace_program(arguments, [&](In inside, Out& results) -> detail::Shared<detail::Counted> {
    body(inside, results);
    return {};
  });
}

std::vector<ir::ValueId> inline_into(ir::RegionId region, const TracedProgram& program,
                                     std::span<const ir::ValueId> arguments) {
  Trace& trace = *Trace::current();
  std::vector<ir::ValueId> all(arguments.begin(), arguments.end());
  for (const Array& x : program.captured) all.push_back(trace.lift(x));
  ir::Builder inside(trace.builder().graph(), region);
  return inline_entry(inside, program.graph, all);
}

}  // namespace weft::frontend
