// DType: the 15 element types of arrays, and what can be asked of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

#include <weft/half.h>

namespace weft {

enum class DType : std::uint8_t { b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128 };
using enum DType;

inline constexpr int kDTypeCount = 15;

enum class DTypeKind : std::uint8_t { boolean, signed_integer, unsigned_integer, floating, complex };

DTypeKind kind_of(DType dtype);
std::size_t size_of(DType dtype);               // bytes of one element in memory
std::string_view name_of(DType dtype);          // "f32"
std::string_view stablehlo_name(DType dtype);   // "ui8", "complex<f32>"
std::string_view numpy_name(DType dtype);       // "float32"
std::optional<DType> dtype_from_stablehlo(std::string_view name);
std::ostream& operator<<(std::ostream& out, DType dtype);

inline bool is_integer(DType d) {
  return kind_of(d) == DTypeKind::signed_integer || kind_of(d) == DTypeKind::unsigned_integer;
}
inline bool is_signed(DType d) { return kind_of(d) == DTypeKind::signed_integer; }
inline bool is_unsigned(DType d) { return kind_of(d) == DTypeKind::unsigned_integer; }
inline bool is_floating(DType d) { return kind_of(d) == DTypeKind::floating; }
inline bool is_complex(DType d) { return kind_of(d) == DTypeKind::complex; }
inline bool is_half(DType d) { return d == f16 || d == bf16; }

// The dtype of a C++ element type: dtype_of<float>() == f32. Types without a row have no dtype_of.
template <class T>
struct DTypeOf;
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy) \
  template <>                                           \
  struct DTypeOf<cpp> {                                 \
    static constexpr DType value = DType::name;         \
  };
#include <weft/types.def>
#undef TYPE
// The spellings of 64-bit integers that are not std::int64_t and std::uint64_t on this platform.
template <>
struct DTypeOf<long long> {
  static constexpr DType value = DType::i64;
};
template <>
struct DTypeOf<unsigned long long> {
  static constexpr DType value = DType::u64;
};

template <class T>
concept Element = requires { DTypeOf<T>::value; };

template <Element T>
constexpr DType dtype_of() {
  return DTypeOf<T>::value;
}

}  // namespace weft
