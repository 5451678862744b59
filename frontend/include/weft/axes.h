// Axes and the option structs of reductions: what `0`, `{0, 2}` and `{.axis = 0, .keepdims = true}` become.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <weft/shape.h>

namespace weft {

struct None {};
inline constexpr None none;

// A list of axes as the user wrote them (negative ones count from the end), or all axes.
class Axes {
 public:
  Axes() = default;  // all
  Axes(None) {}      // NOLINT: implicit on purpose, as are the others
  template <std::integral T>
  Axes(T axis) : all_(false), count_(1) {
    axes_[0] = static_cast<std::int64_t>(axis);
  }
  Axes(std::initializer_list<int> axes) : Axes(axes.begin(), axes.size()) {}
  Axes(const std::vector<int>& axes) : Axes(axes.data(), axes.size()) {}

  bool all() const { return all_; }
  int count() const { return count_; }
  std::int64_t operator[](int i) const { return axes_[i]; }
  void add(std::int64_t axis);  // throws ShapeError beyond kMaxRank axes

 private:
  Axes(const int* axes, std::size_t count);
  bool all_ = true;
  int count_ = 0;
  std::int64_t axes_[kMaxRank] = {};
};

namespace detail {

// One positional element of a braced list of axes.
struct AxisSlot {
  bool is_set = false;
  std::int64_t axis = 0;
  AxisSlot() = default;
  template <std::integral T>
  AxisSlot(T value) : is_set(true), axis(static_cast<std::int64_t>(value)) {}
};

// Ends the positional part of an option struct: it cannot be written by a user.
class NamedOnly {
 public:
  static NamedOnly make() { return NamedOnly(0); }

 private:
  explicit NamedOnly(int) {}
};

}  // namespace detail

template <class T>
concept AxesLike =
    std::integral<T> || std::same_as<T, Axes> || std::same_as<T, None> || std::same_as<T, std::vector<int>>;

struct ReduceOptions {
  detail::AxisSlot a0 = {}, a1 = {}, a2 = {}, a3 = {}, a4 = {}, a5 = {}, a6 = {}, a7 = {};
  detail::NamedOnly named_only = detail::NamedOnly::make();
  Axes axis = {};
  bool keepdims = false;
};

struct VarianceOptions {
  detail::AxisSlot a0 = {}, a1 = {}, a2 = {}, a3 = {}, a4 = {}, a5 = {}, a6 = {}, a7 = {};
  detail::NamedOnly named_only = detail::NamedOnly::make();
  Axes axis = {};
  bool keepdims = false;
  double ddof = 0;  // the divisor is the number of elements less this
};

}  // namespace weft
