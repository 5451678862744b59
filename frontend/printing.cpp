// Printing of arrays; a traced one prints its type.
#include <ostream>

#include <fmt/format.h>

#include <weft/array.h>

#include "frontend/array_state.h"
#include "runtime/print_array.h"

namespace weft {

std::string to_string(const Array& x) {
  if (x.is_empty_handle()) return "<no array>";
  const detail::ArrayState& state = frontend::state_of(x);
  if (!state.buffer) return fmt::format("<traced {}>", state.type.to_string());
  return runtime::print_array(state.type, state.buffer.data());
}

std::ostream& operator<<(std::ostream& out, const Array& x) { return out << to_string(x); }

}  // namespace weft
