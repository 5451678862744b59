// Reading and writing single elements of literals as their C++ types, for reference values.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "compiler/ir/structural/support.h"

namespace weft::ir {

// Calls visit(T{}) with the C++ type of a dtype.
template <class Visit>
void with_cpp_type(DType dtype, const Visit& visit) {
  switch (dtype) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy) \
  case DType::name:                                     \
    visit(cpp{});                                       \
    return;
#include <weft/types.def>
#undef TYPE
  }
}

template <class T>
inline constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_float_type = is_half_type<T> || std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_complex_type = std::is_same_v<T, complex64> || std::is_same_v<T, complex128>;

template <class T>
void put(Literal& literal, std::int64_t flat, T value) {
  std::memcpy(literal.buffer.data() + flat * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

inline Literal element_of(const Literal& literal, std::int64_t flat) {
  const std::size_t size = size_of(literal.type.dtype);
  return {{Shape{}, literal.type.dtype},
          runtime::Buffer::copy_of(literal.buffer.data() + static_cast<std::size_t>(flat) * size, size),
          false};
}

// IEEE bits of a float as a signed integer whose order is the total order: -NaN < -inf < … < -0 < +0 < … <
// +NaN.
template <class T>
std::int64_t total_order_key(T value) {
  const auto flip = [](auto bits) {
    using Bits = decltype(bits);
    const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(~sign));
    return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
  };
  if constexpr (is_half_type<T>)
    return flip(value.bits);
  else if constexpr (std::is_same_v<T, float>)
    return flip(std::bit_cast<std::uint32_t>(value));
  else if constexpr (std::is_same_v<T, double>)
    return flip(std::bit_cast<std::uint64_t>(value));
  else
    return 0;
}

// Scalar operands apply to every element.
inline std::int64_t same_or_scalar(const Literal& literal, std::int64_t flat) {
  return literal.type.shape.rank() == 0 ? 0 : flat;
}

// An index of any integer type as it is meant: u8 200 is 200; values beyond i64 are as good as the largest.
inline std::int64_t index_value(const Literal& literal, std::int64_t flat) {
  std::int64_t value = 0;
  with_cpp_type(literal.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, std::uint64_t>)
      value = static_cast<std::int64_t>(std::min<std::uint64_t>(literal.at<T>(flat), INT64_MAX));
    else if constexpr (std::is_integral_v<T>)
      value = static_cast<std::int64_t>(literal.at<T>(flat));
  });
  return value;
}

inline std::int64_t clamped(std::int64_t start, std::int64_t extent, std::int64_t size) {
  return std::clamp<std::int64_t>(start, 0, extent - size);
}

}  // namespace weft::ir
