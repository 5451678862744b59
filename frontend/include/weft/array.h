// Array: a cheap handle to an immutable n-dimensional array, or to a value of a program being traced.
#pragma once

#include <concepts>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/axes.h>
#include <weft/dtype.h>
#include <weft/error.h>
#include <weft/shape.h>

namespace weft {

struct Operand;
struct Index;
class IndexedArray;
namespace detail {
struct ArrayState;
struct ArrayAccess;
}  // namespace detail

// The C++ numbers that may stand beside an array. They are weakly typed: 2.0 * x keeps the dtype of x.
template <class T>
concept Scalar = Element<T> && std::is_arithmetic_v<T>;

// The extents that reshape takes; one of them may be -1.
struct Extents {
  std::vector<std::int64_t> values;
  Extents(std::initializer_list<Extent> extents) {
    for (const Extent& e : extents) values.push_back(e.value);
  }
  Extents(const Shape& shape) : values(shape.begin(), shape.end()) {}
  template <std::integral T>
  Extents(T extent) : values{static_cast<std::int64_t>(extent)} {}
};

class Array {
 public:
  Array() noexcept = default;  // no array at all: using it throws TypeError
  template <Scalar T>
  Array(T value) : Array(dtype_of<T>(), &value) {}  // NOLINT: a weakly typed scalar, implicit on purpose
  Array(const Array& other) noexcept;
  Array(Array&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  Array& operator=(const Array& other) noexcept;
  Array& operator=(Array&& other) noexcept;
  ~Array();

  // Known while tracing.
  Shape shape(Location where = Location::current()) const;
  std::int64_t shape(int axis,
                     Location where = Location::current()) const;  // negative axes count from the end
  int ndim(Location where = Location::current()) const;
  std::int64_t size(Location where = Location::current()) const;
  DType dtype(Location where = Location::current()) const;
  std::int64_t nbytes(Location where = Location::current()) const;
  ShapeDtype type(Location where = Location::current()) const;
  bool is_weak(Location where = Location::current()) const;  // a scalar that takes the dtype of what it meets
  bool is_traced(Location where = Location::current()) const;  // has no value yet
  bool is_empty_handle() const { return state_ == nullptr; }

  // Reading concrete values; T is the dtype's own C++ type.
  template <Element T>
  T item(Location where = Location::current()) const {
    return *static_cast<const T*>(single_element(dtype_of<T>(), where));
  }
  template <Element T>
  std::vector<T> to_vector(Location where = Location::current()) const {
    std::span<const T> all = data<T>(where);
    return std::vector<T>(all.begin(), all.end());
  }
  template <Element T>
  std::span<const T> data(Location where = Location::current()) const {  // contiguous, row-major
    return {static_cast<const T*>(elements(dtype_of<T>(), where)), static_cast<std::size_t>(size())};
  }
  explicit operator bool() const;  // of a concrete array with one element

  // Indexing, in weft/index.h.
  template <class... R>
  Array operator()(const Index& first, const R&... rest) const;
  template <class V, class... R>
  requires Element<V> V at(const Index& first, const R&... rest)
  const;
  // x.at(_, 3).set(v): a new array, in weft/update.h. The number keeps it apart from at<T>.
  template <int = 0, class... R>
  IndexedArray at(const Index& first, const R&... rest) const;

  Array T(Location where = Location::current()) const;  // axes in reverse order
  Array reshape(const Extents& extents, Location where = Location::current()) const;
  Array ravel(Location where = Location::current()) const;
  Array astype(DType dtype, Location where = Location::current()) const;
  Array transpose(Location where = Location::current()) const;
  Array transpose(std::initializer_list<int> axes, Location where = Location::current()) const;
  Array squeeze(Location where = Location::current()) const;
#define WEFT_MEMBER_REDUCTION(name)                                                          \
  Array name(const ReduceOptions& options = {}, Location where = Location::current()) const; \
  template <AxesLike A>                                                                      \
  Array name(const A& axes, Location where = Location::current()) const {                    \
    return name(ReduceOptions{.axis = axes}, where);                                         \
  }
  WEFT_MEMBER_REDUCTION(sum)
  WEFT_MEMBER_REDUCTION(prod)
  WEFT_MEMBER_REDUCTION(min)
  WEFT_MEMBER_REDUCTION(max)
  WEFT_MEMBER_REDUCTION(mean)
  WEFT_MEMBER_REDUCTION(any)
  WEFT_MEMBER_REDUCTION(all)
  WEFT_MEMBER_REDUCTION(argmin)
  WEFT_MEMBER_REDUCTION(argmax)
#undef WEFT_MEMBER_REDUCTION

  // Operators broadcast and promote like jax.numpy; defined by rows of functions.def.
  friend Array operator+(const Operand& a, const Operand& b);
  friend Array operator-(const Operand& a, const Operand& b);
  friend Array operator*(const Operand& a, const Operand& b);
  friend Array operator/(const Operand& a, const Operand& b);
  friend Array operator%(const Operand& a, const Operand& b);
  friend Array operator&(const Operand& a, const Operand& b);
  friend Array operator|(const Operand& a, const Operand& b);
  friend Array operator^(const Operand& a, const Operand& b);
  friend Array operator<<(const Operand& a, const Operand& b);
  friend Array operator>>(const Operand& a, const Operand& b);
  friend Array operator==(const Operand& a, const Operand& b);
  friend Array operator!=(const Operand& a, const Operand& b);
  friend Array operator<(const Operand& a, const Operand& b);
  friend Array operator<=(const Operand& a, const Operand& b);
  friend Array operator>(const Operand& a, const Operand& b);
  friend Array operator>=(const Operand& a, const Operand& b);
  friend Array operator-(const Operand& a);
  friend Array operator+(const Operand& a);
  friend Array operator~(const Operand& a);
  friend Array operator!(const Array& a);  // not Operand: that would be ambiguous with the built-in one
  friend Array& operator+=(Array& a, const Operand& b);
  friend Array& operator-=(Array& a, const Operand& b);
  friend Array& operator*=(Array& a, const Operand& b);
  friend Array& operator/=(Array& a, const Operand& b);
  friend Array& operator%=(Array& a, const Operand& b);
  friend Array& operator&=(Array& a, const Operand& b);
  friend Array& operator|=(Array& a, const Operand& b);
  friend Array& operator^=(Array& a, const Operand& b);

  friend std::ostream& operator<<(std::ostream& out,
                                  const Array& x);  // as NumPy prints; a traced value by its type

 private:
  friend struct detail::ArrayAccess;
  Array(DType dtype, const void* scalar);
  const void* single_element(DType dtype, const Location& where) const;
  const void* elements(DType dtype, const Location& where) const;
  detail::ArrayState* state_ = nullptr;
};

std::string to_string(const Array& x);

// A parameter that an array or a number converts to, with the line of the caller.
struct Operand {
  Array value;
  Location loc;
  Operand(const Array& array, Location l = Location::current()) : value(array), loc(l) {}
  template <Scalar T>
  Operand(T scalar, Location l = Location::current()) : value(scalar), loc(l) {}
  template <class S>  // Static<double> and its like
  requires Scalar<typename S::static_type> Operand(const S& fixed, Location l = Location::current())
      : value(fixed.value), loc(l) {}
};

namespace detail {
template <class A, class B>
concept EitherIsArray = std::same_as<A, Array> || std::same_as<B, Array>;
template <class>
inline constexpr bool always_false = false;
}  // namespace detail

template <class A, class B>
requires detail::EitherIsArray<A, B> Array operator&&(const A&, const B&) {
  static_assert(detail::always_false<A>,
                "&& of arrays would evaluate both sides: write logical_and(a, b) or a & b");
  return {};
}
template <class A, class B>
requires detail::EitherIsArray<A, B> Array operator||(const A&, const B&) {
  static_assert(detail::always_false<A>,
                "|| of arrays would evaluate both sides: write logical_or(a, b) or a | b");
  return {};
}

}  // namespace weft

#include <weft/index.h>
