// Recording a user's function apart, to put it into the current trace as a region; and whole calls outside of one.
#pragma once

#include <span>
#include <vector>

#include "frontend/program.h"
#include "frontend/record.h"

namespace weft::frontend {

using In = std::span<const Array>;
using Out = std::vector<Array>;

// Outside of any trace: `record` in a trace of its own, compiled once per text, run. Gives what `record` gives.
Out run_in_own_trace(In operands, const detail::FunctionRef<Out(In)>& record);

// A function recorded on arguments of given types.
std::shared_ptr<TracedProgram> record_apart(std::span<const ShapeDtype> types, const std::vector<bool>& is_weak,
                                            const detail::FunctionRef<void(In, Out&)>& body);

// The operations of a recorded function at the end of a region of the current trace; gives its results.
std::vector<ir::ValueId> inline_into(ir::RegionId region, const TracedProgram& program,
                                     std::span<const ir::ValueId> arguments);

}  // namespace weft::frontend
