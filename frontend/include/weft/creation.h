// Arrays from C++ values, from files, and from nothing.
#pragma once

#include <map>
#include <string>

#include <weft/array.h>
#include <weft/detail/shared.h>

namespace weft {

namespace detail {
Array from_elements(DType dtype, const Shape& shape, const void* data, const Location& where = {});
Array borrowed(DType dtype, const Shape& shape, const void* data, Shared<Counted> keep_alive, const Location& where);
[[noreturn]] void fail_ragged(const Location& where);
void check_element_count(const char* function, std::size_t given, const Shape& shape, const Location& where);
Array arange_of(const Operand& start, const Operand& stop, const Operand& step, const DType* dtype);

template <class T>
Array from_list(const Shape& shape, const std::vector<T>& values, const Location& where) {
  if constexpr (std::is_same_v<T, bool>) {
    const std::vector<unsigned char> plain(values.begin(), values.end());  // a vector<bool> has no data()
    return from_elements(b1, shape, plain.data(), where);
  } else {
    return from_elements(dtype_of<T>(), shape, values.data(), where);
  }
}
template <class R>
using ElementOf = std::remove_cvref_t<decltype(*std::declval<const R&>().data())>;
// What elements of different types convert to, so that the refusal can say what to write.
struct MixedElement {
  template <Element T>
  MixedElement(T);
  MixedElement(std::initializer_list<MixedElement>);
};
template <class R>
concept ElementRange = requires(const R& r) {
  r.data();
  r.size();
}
&&Element<ElementOf<R>>;
}  // namespace detail

// The dtype is that of the C++ type: array({1, 2}) is i32, array({1.0, 2.0}) f64, array(1.0f) a strongly
// typed scalar.
template <Element T>
Array array(T value, Location where = Location::current()) {
  return detail::from_elements(dtype_of<T>(), {}, &value, where);
}
template <Element T>
Array array(std::initializer_list<T> values, Location where = Location::current()) {
  return detail::from_elements(dtype_of<T>(), Shape{values.size()}, values.begin(), where);
}
template <Element T>
Array array(std::initializer_list<std::initializer_list<T>> rows, Location where = Location::current()) {
  const std::size_t columns = rows.size() ? rows.begin()->size() : 0;
  std::vector<T> all;
  for (const auto& row : rows) {
    if (row.size() != columns) detail::fail_ragged(where);
    all.insert(all.end(), row.begin(), row.end());
  }
  return detail::from_list(Shape{rows.size(), columns}, all, where);
}
template <Element T>
Array array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> planes,
            Location where = Location::current()) {
  const std::size_t rows = planes.size() ? planes.begin()->size() : 0;
  const std::size_t columns = rows ? planes.begin()->begin()->size() : 0;
  std::vector<T> all;
  for (const auto& plane : planes) {
    if (plane.size() != rows) detail::fail_ragged(where);
    for (const auto& row : plane) {
      if (row.size() != columns) detail::fail_ragged(where);
      all.insert(all.end(), row.begin(), row.end());
    }
  }
  return detail::from_list(Shape{planes.size(), rows, columns}, all, where);
}
template <Element T>
Array array(
    std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> blocks,
    Location where = Location::current()) {
  std::vector<T> all;
  const std::size_t planes = blocks.size() ? blocks.begin()->size() : 0;
  const std::size_t rows = planes ? blocks.begin()->begin()->size() : 0;
  const std::size_t columns = rows ? blocks.begin()->begin()->begin()->size() : 0;
  for (const auto& block : blocks) {
    if (block.size() != planes) detail::fail_ragged(where);
    for (const auto& plane : block) {
      if (plane.size() != rows) detail::fail_ragged(where);
      for (const auto& row : plane) {
        if (row.size() != columns) detail::fail_ragged(where);
        all.insert(all.end(), row.begin(), row.end());
      }
    }
  }
  return detail::from_list(Shape{blocks.size(), planes, rows, columns}, all, where);
}
template <detail::ElementRange R>
Array array(const R& values, Location where = Location::current()) {
  return detail::from_elements(dtype_of<detail::ElementOf<R>>(), Shape{values.size()}, values.data(), where);
}
template <class T = detail::MixedElement>
requires std::same_as<T, detail::MixedElement> Array array(std::initializer_list<detail::MixedElement>) {
  static_assert(!std::same_as<T, detail::MixedElement>,
                "the elements have different types, or there are none: name the type of all, as in "
                "array<double>({1, 2.5})");
  return {};
}

// A copy of memory; row-major.
template <Element T>
Array copy_of(std::span<const T> data, const Shape& shape, Location where = Location::current()) {
  detail::check_element_count("copy_of", data.size(), shape, where);
  return detail::from_elements(dtype_of<T>(), shape, data.data(), where);
}
template <detail::ElementRange R>
Array copy_of(const R& data, const Shape& shape, Location where = Location::current()) {
  return copy_of(std::span<const detail::ElementOf<R>>(data.data(), data.size()), shape, where);
}
// The memory itself, which must stay unchanged as long as any array made from it lives. `keep_alive`, a
// shared_ptr for example, is kept that long; with nullptr the memory is the caller's care.
template <Element T, class Owner>
Array view_of(std::span<const T> data, const Shape& shape, Owner keep_alive,
              Location where = Location::current()) {
  detail::check_element_count("view_of", data.size(), shape, where);
  detail::Shared<detail::Counted> owner;
  if constexpr (!std::is_null_pointer_v<Owner>)
    owner = detail::Shared<detail::Counted>(new detail::Held<Owner>(std::move(keep_alive)));
  return detail::borrowed(dtype_of<T>(), shape, data.data(), std::move(owner), where);
}
template <detail::ElementRange R, class Owner>
Array view_of(const R& data, const Shape& shape, Owner keep_alive, Location where = Location::current()) {
  return view_of(std::span<const detail::ElementOf<R>>(data.data(), data.size()), shape,
                 std::move(keep_alive), where);
}

Array load_npy(const std::string& path, Location where = Location::current());
void save_npy(const std::string& path, const Array& x, Location where = Location::current());
std::map<std::string, Array> load_npz(const std::string& path, Location where = Location::current());
void save_npz(const std::string& path, const std::map<std::string, Array>& arrays,
              Location where = Location::current());

Array zeros(const Shape& shape, DType dtype = f32, Location where = Location::current());
Array ones(const Shape& shape, DType dtype = f32, Location where = Location::current());
Array empty(const Shape& shape, DType dtype = f32, Location where = Location::current());  // zeros, as in JAX
Array full(const Shape& shape,
           const Operand& value);  // the dtype of the value; f32 for a C++ double, i32 for an int
Array full(const Shape& shape, const Operand& value, DType dtype);
Array zeros_like(const Operand& x);
Array ones_like(const Operand& x);
Array full_like(const Operand& x, const Operand& value);
Array eye(std::int64_t rows, DType dtype = f32, Location where = Location::current());
Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k = 0, DType dtype = f32,
          Location where = Location::current());
Array identity(std::int64_t n, DType dtype = f32, Location where = Location::current());
Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k = 0, DType dtype = f32,
          Location where = Location::current());

// start, start + step … before stop: integers i32 (i64 when a bound does not fit), floats f32.
inline Array arange(const Operand& stop) { return detail::arange_of(Operand(0, stop.loc), stop, 1, nullptr); }
inline Array arange(const Operand& stop, DType dtype) {
  return detail::arange_of(Operand(0, stop.loc), stop, 1, &dtype);
}
inline Array arange(const Operand& start, const Operand& stop, const Operand& step = 1) {
  return detail::arange_of(start, stop, step, nullptr);
}
inline Array arange(const Operand& start, const Operand& stop, DType dtype) {
  return detail::arange_of(start, stop, 1, &dtype);
}
inline Array arange(const Operand& start, const Operand& stop, const Operand& step, DType dtype) {
  return detail::arange_of(start, stop, step, &dtype);
}

struct LinspaceOptions {
  bool endpoint = true;
  DType dtype = f32;
};
Array linspace(const Operand& start, const Operand& stop, std::int64_t count = 50,
               LinspaceOptions options = {});
Array logspace(const Operand& start, const Operand& stop, std::int64_t count = 50,
               LinspaceOptions options = {});
Array iota(DType dtype, const Shape& shape, int axis = 0, Location where = Location::current());
// The coordinates of a grid, each of the shape {y.size(), x.size(), …} as NumPy's default indexing gives.
std::vector<Array> meshgrid(const std::vector<Array>& axes, Location where = Location::current());

// The coordinates of every element along each axis: one array of the whole shape an axis.
std::vector<Array> indices(const Shape& shape, DType dtype = i32, Location where = Location::current());

inline Array asarray(const Array& x) { return x; }
inline Array copy(const Array& x) { return x; }  // arrays never change: the handle is as good

}  // namespace weft
