// What an Array points to: a buffer with a type, or a value of a trace.
#pragma once

#include <atomic>
#include <memory>

#include <weft/array.h>

#include "compiler/ir/ir.h"
#include "runtime/buffer.h"
#include "runtime/element.h"

namespace weft {
namespace frontend {
class Trace;
}

namespace detail {

// Concrete: `buffer` is set. Traced: `trace` is set. Neither: a type alone, made from a ShapeDtype to lower a
// function.
struct ArrayState {
  std::atomic<std::uint32_t> count{1};
  bool is_weak = false;
  ShapeDtype type;
  runtime::Buffer buffer;
  std::shared_ptr<frontend::Trace> trace;
  ir::ValueId value = ir::kNone;
  Location where;  // the line that asked for the value
};

struct ArrayAccess {
  static ArrayState* state(const Array& x) { return x.state_; }
  static Array adopt(ArrayState* state) {
    Array x;
    x.state_ = state;
    return x;
  }
};

}  // namespace detail

namespace frontend {

using detail::ArrayState;

const ArrayState& state_of(const Array& x);  // throws TypeError for a handle to nothing
Array concrete(ShapeDtype type, runtime::Buffer buffer, bool is_weak = false);
Array abstract(ShapeDtype type, bool is_weak = false);
Array concrete_scalar(DType dtype, const void* element, bool is_weak = false);

inline const ShapeDtype& type_of(const Array& x) { return state_of(x).type; }
inline bool is_concrete(const Array& x) { return static_cast<bool>(state_of(x).buffer); }

using runtime::convert_element;
using runtime::element_as_double;
using runtime::fits;

}  // namespace frontend
}  // namespace weft
