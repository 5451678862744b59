// The 16-bit floating types float16 (IEEE binary16) and bfloat16, stored as bits, and the plain complex pairs.
#pragma once

#include <cstdint>

namespace weft {

// Conversions round to nearest even, once, directly from the given type; subnormals, infinities and NaN are kept.
struct float16 {
  std::uint16_t bits = 0;
  float16() = default;
  explicit float16(float value);
  explicit float16(double value);
  explicit operator float() const;
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result;
    result.bits = bits;
    return result;
  }
  friend bool operator==(float16 a, float16 b) { return static_cast<float>(a) == static_cast<float>(b); }
};

struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  explicit bfloat16(float value);
  explicit bfloat16(double value);
  explicit operator float() const;
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits = bits;
    return result;
  }
  friend bool operator==(bfloat16 a, bfloat16 b) { return static_cast<float>(a) == static_cast<float>(b); }
};

// Layout-compatible with std::complex, without the cost of <complex> in every user's file.
struct complex64 {
  float real = 0, imag = 0;
  friend bool operator==(complex64, complex64) = default;
};
struct complex128 {
  double real = 0, imag = 0;
  friend bool operator==(complex128, complex128) = default;
};

}  // namespace weft
