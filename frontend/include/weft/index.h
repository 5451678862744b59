// What may stand between the parentheses of x(…): integers, slices, `_`, ellipsis, newaxis, integer arrays.
#pragma once

#include <concepts>
#include <cstdint>

#include <weft/array.h>

namespace weft {

struct FullSlice {};
inline constexpr FullSlice _;
struct Ellipsis {};
inline constexpr Ellipsis ellipsis;
struct NewAxis {};
inline constexpr NewAxis newaxis;

// One end or the step of a slice: an integer, or `_` for "as far as it goes".
struct SliceBound {
  bool is_set = false;
  std::int64_t value = 0;
  SliceBound() = default;
  SliceBound(FullSlice) {}
  SliceBound(None) {}
  template <std::integral T>
  SliceBound(T v) : is_set(true), value(static_cast<std::int64_t>(v)) {}
};

// start:stop:step with Python's meaning; slice(stop) starts at the beginning.
struct slice {
  SliceBound start, stop, step;
  explicit slice(SliceBound stop_) : stop(stop_) {}
  slice(SliceBound start_, SliceBound stop_, SliceBound step_ = {})
      : start(start_), stop(stop_), step(step_) {}
};

struct Index {
  enum class Kind : std::uint8_t { integer, slice, ellipsis, newaxis, array };
  Kind kind;
  std::int64_t integer = 0;
  weft::slice range = weft::slice(_);
  Array array;
  Location loc;

  template <std::integral T>
  requires(!std::same_as<T, bool>) Index(T i, Location l = Location::current())
      : kind(Kind::integer), integer(static_cast<std::int64_t>(i)), loc(l) {}
  Index(FullSlice, Location l = Location::current()) : kind(Kind::slice), loc(l) {}
  Index(const weft::slice& s, Location l = Location::current()) : kind(Kind::slice), range(s), loc(l) {}
  Index(Ellipsis, Location l = Location::current()) : kind(Kind::ellipsis), loc(l) {}
  Index(NewAxis, Location l = Location::current()) : kind(Kind::newaxis), loc(l) {}
  Index(None, Location l = Location::current()) : kind(Kind::newaxis), loc(l) {}
  Index(const Array& a, Location l = Location::current()) : kind(Kind::array), array(a), loc(l) {}
};

namespace detail {
Array index_array(const Array& x, const Index* indices, std::size_t count);
}

template <class... R>
Array Array::operator()(const Index& first, const R&... rest) const {
  const Index indices[] = {first, Index(rest)...};
  return detail::index_array(*this, indices, 1 + sizeof...(rest));
}

template <class V, class... R>
requires Element<V> V Array::at(const Index& first, const R&... rest)
const { return (*this)(first, rest...).template item<V>(first.loc); }

}  // namespace weft
