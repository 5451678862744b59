// Arrays from and to NumPy's files.
#include <fmt/format.h>

#include <weft/creation.h>

#include "frontend/array_state.h"
#include "frontend/call.h"
#include "runtime/npy.h"

namespace weft {
namespace {

runtime::Tensor tensor_of(const char* function, const Array& x, const Location& where) {
  const detail::ArrayState& state = frontend::state_of(x);
  if (!state.buffer)
    throw TraceError(fmt::format("{}: {} has no value while tracing; return it and save it outside", function,
                                 state.type.to_string()),
                     where);
  return {state.type, state.buffer};
}

}  // namespace

Array load_npy(const std::string& path, Location where) {
  const frontend::Call call("load_npy", where);
  runtime::Tensor tensor = runtime::load_npy(path);
  return frontend::concrete(std::move(tensor.type), std::move(tensor.buffer));
}

void save_npy(const std::string& path, const Array& x, Location where) {
  const frontend::Call call("save_npy", where);
  runtime::save_npy(path, tensor_of("save_npy", x, where));
}

std::map<std::string, Array> load_npz(const std::string& path, Location where) {
  const frontend::Call call("load_npz", where);
  std::map<std::string, Array> arrays;
  for (auto& [name, tensor] : runtime::load_npz(path))
    arrays.emplace(name, frontend::concrete(tensor.type, tensor.buffer));
  return arrays;
}

void save_npz(const std::string& path, const std::map<std::string, Array>& arrays, Location where) {
  const frontend::Call call("save_npz", where);
  std::map<std::string, runtime::Tensor> tensors;
  for (const auto& [name, x] : arrays) tensors.emplace(name, tensor_of("save_npz", x, where));
  runtime::save_npz(path, tensors);
}

}  // namespace weft
