// Every pair of dtypes by templates.
#include "runtime/element.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <weft/error.h>

namespace weft::runtime {
namespace {

// Calls f with a value of the C++ type of the dtype read from memory.
template <class F>
auto with_element(DType dtype, const void* element, F&& f) {
  switch (dtype) {
#define TYPE(name, cpp, ...)                    \
  case DType::name: {                           \
    cpp value;                                  \
    std::memcpy(&value, element, sizeof value); \
    return f(value);                            \
  }
#include <weft/types.def>
#undef TYPE
  }
  throw InternalError("unknown dtype");
}

template <class T>
constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
constexpr bool is_complex_type = std::is_same_v<T, complex64> || std::is_same_v<T, complex128>;

template <class T>
auto plain(T value) {
  if constexpr (is_half_type<T>)
    return static_cast<float>(value);
  else if constexpr (is_complex_type<T>)
    return value.real;
  else
    return value;
}

template <class To, class From>
To saturate(From value) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_floating_point_v<From>) {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<From>(Limits::min())) return Limits::min();
    if (value >= static_cast<From>(Limits::max())) return Limits::max();
  }
  return static_cast<To>(value);  // integers wrap
}

template <class To, class From>
To converted(From value) {
  if constexpr (std::is_same_v<To, bool>)
    return plain(value) != 0;
  else if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (is_complex_type<To>) {
    using Real = decltype(To::real);
    if constexpr (is_complex_type<From>)
      return {static_cast<Real>(value.real), static_cast<Real>(value.imag)};
    else
      return {static_cast<Real>(plain(value)), 0};
  } else if constexpr (is_half_type<To>) {
    if constexpr (std::is_same_v<decltype(plain(value)), float>)
      return To(plain(value));
    else
      return To(static_cast<double>(plain(value)));
  } else if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(plain(value));
  else
    return saturate<To>(plain(value));
}

}  // namespace

void convert_element(DType from, const void* source, DType to, void* target) {
  with_element(from, source, [&](auto value) {
    switch (to) {
#define TYPE(name, cpp, ...)                     \
  case DType::name: {                            \
    const cpp result = converted<cpp>(value);    \
    std::memcpy(target, &result, sizeof result); \
    return;                                      \
  }
#include <weft/types.def>
#undef TYPE
    }
  });
}

double element_as_double(DType dtype, const void* element) {
  double result = 0;
  convert_element(dtype, element, f64, &result);
  return result;
}

bool fits(DType from, const void* element, DType to) {
  if (!is_integer(from) || !is_integer(to)) return true;
  std::int64_t value = 0, back = 0;
  alignas(8) unsigned char target[8];
  convert_element(from, element, i64, &value);
  convert_element(from, element, to, target);
  convert_element(to, target, i64, &back);
  const bool source_negative = is_signed(from) && value < 0, target_negative = is_signed(to) && back < 0;
  return value == back && source_negative == target_negative;
}

}  // namespace weft::runtime
