// debug_print: at once when nothing is being traced, else an operation of the trace.
#include <weft/debug.h>

#include <fmt/format.h>

#include "compiler/ir/debug_print.h"
#include "frontend/record.h"
#include "frontend/trace.h"

namespace weft::detail {

void run_debug_print(const PrintFormat& format, const std::vector<Array>& values) {
  const frontend::Call call("debug_print", format.loc);
  const ir::CustomCallAttributes attributes = ir::debug_print_attributes(0, format.text);
  std::vector<ir::Type> types;
  for (const Array& x : values) types.push_back(frontend::type_of(x));
  const ir::DebugPrintAnswer print = ir::debug_print_of(attributes, types);
  if (!print.what) frontend::fail_type(print.fault);
  if (frontend::Trace::current()) {
    frontend::record_all(ir::Op::custom_call, values, attributes, {});
    return;
  }
  std::vector<const std::byte*> operands;
  for (const Array& x : values) {
    frontend::check_not_leaked(x);
    operands.push_back(frontend::state_of(x).buffer.data());
  }
  runtime::print(*print.what, operands);
}

}  // namespace weft::detail
