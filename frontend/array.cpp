// Life, queries and reading of Array handles.
#include <weft/array.h>

#include <fmt/format.h>

#include "frontend/array_state.h"
#include "frontend/call.h"

namespace weft {

Axes::Axes(const int* axes, std::size_t count) : all_(false) {
  for (std::size_t i = 0; i < count; ++i) add(axes[i]);
}

void Axes::add(std::int64_t axis) {
  if (count_ == kMaxRank) throw ShapeError(fmt::format("more than {} axes", kMaxRank));
  all_ = false;
  axes_[count_++] = axis;
}

Array::Array(DType dtype, const void* scalar)
    : Array(frontend::concrete_scalar(dtype, scalar, dtype != b1)) {}

Array::Array(const Array& other) noexcept : state_(other.state_) {
  if (state_) state_->count.fetch_add(1, std::memory_order_relaxed);
}

Array& Array::operator=(const Array& other) noexcept { return *this = Array(other); }

Array& Array::operator=(Array&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Array::~Array() {
  if (state_ && state_->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete state_;
}

namespace {

const detail::ArrayState& known_state(const Array& x, const char* member, const Location& where) {
  if (!x.is_empty_handle()) return frontend::state_of(x);
  const frontend::Call call(member, where);
  return frontend::state_of(x);  // throws
}

}  // namespace

Shape Array::shape(Location where) const { return known_state(*this, "shape", where).type.shape; }

std::int64_t Array::shape(int axis, Location where) const {
  const ShapeDtype& type = known_state(*this, "shape", where).type;
  const int rank = type.shape.rank();
  if (axis < -rank || axis >= rank)
    throw IndexError(fmt::format("shape({}): {} has {} axes", axis, type.to_string(), rank), where);
  return type.shape[axis < 0 ? axis + rank : axis];
}

int Array::ndim(Location where) const { return known_state(*this, "ndim", where).type.shape.rank(); }
std::int64_t Array::size(Location where) const { return known_state(*this, "size", where).type.size(); }
DType Array::dtype(Location where) const { return known_state(*this, "dtype", where).type.dtype; }
std::int64_t Array::nbytes(Location where) const { return known_state(*this, "nbytes", where).type.nbytes(); }
ShapeDtype Array::type(Location where) const { return known_state(*this, "type", where).type; }
bool Array::is_weak(Location where) const { return known_state(*this, "is_weak", where).is_weak; }
bool Array::is_traced(Location where) const { return !known_state(*this, "is_traced", where).buffer; }

namespace {

[[noreturn]] void fail_to_read(const detail::ArrayState& state, std::string_view what,
                               const Location& where) {
  throw TraceError(
      fmt::format("{}: the value of {} is not known while tracing: choose with where() or cond(), or "
                  "pass what decides as a static argument",
                  what, state.type.to_string()),
      where);
}

}  // namespace

const void* Array::elements(DType dtype, const Location& where) const {
  const detail::ArrayState& state = known_state(*this, "reading", where);
  if (!state.buffer) fail_to_read(state, "reading", where);
  if (state.type.dtype != dtype)
    throw TypeError(fmt::format("reading: {} as elements of {}: they are {}", state.type.to_string(),
                                name_of(dtype), name_of(state.type.dtype)),
                    where);
  return state.buffer.data();
}

const void* Array::single_element(DType dtype, const Location& where) const {
  const void* data = elements(dtype, where);
  if (size() != 1)
    throw ShapeError(fmt::format("item: {} does not have exactly one element", type().to_string()), where);
  return data;
}

Array::operator bool() const {
  if (!state_) throw TypeError("condition: an array that was default-constructed, or moved from, has no value");
  const detail::ArrayState& state = frontend::state_of(*this);
  if (!state.buffer) fail_to_read(state, "condition", state.where);
  if (state.type.size() != 1)
    throw ShapeError(fmt::format("condition: {} does not have exactly one element: use any() or all()",
                                 state.type.to_string()),
                     state.where);
  bool result = false;
  frontend::convert_element(state.type.dtype, state.buffer.data(), b1, &result);
  return result;
}

namespace frontend {

const ArrayState& state_of(const Array& x) {
  const ArrayState* state = detail::ArrayAccess::state(x);
  if (!state) fail_type("an array that was default-constructed, or moved from, has no value");
  return *state;
}

namespace {

Array make(ShapeDtype type, runtime::Buffer buffer, bool is_weak) {
  auto* state = new ArrayState;
  state->type = std::move(type);
  state->buffer = std::move(buffer);
  state->is_weak = is_weak;
  state->where = Call::where();
  return detail::ArrayAccess::adopt(state);
}

}  // namespace

Array concrete(ShapeDtype type, runtime::Buffer buffer, bool is_weak) {
  return make(std::move(type), std::move(buffer), is_weak);
}
Array abstract(ShapeDtype type, bool is_weak) { return make(std::move(type), {}, is_weak); }

Array concrete_scalar(DType dtype, const void* element, bool is_weak) {
  return make({Shape{}, dtype}, runtime::Buffer::copy_of(element, size_of(dtype)), is_weak);
}

}  // namespace frontend
}  // namespace weft
