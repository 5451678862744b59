// Making literals from C++ numbers, and comparing them by their bits.
#include "compiler/ir/literal.h"

#include <functional>
#include <string_view>

#include <weft/error.h>

namespace weft::ir {
namespace {

std::string_view bytes_of(const Literal& literal) {
  const std::int64_t count = literal.is_splat ? 1 : literal.type.size();
  return {reinterpret_cast<const char*>(literal.buffer.data()),
          static_cast<std::size_t>(count) * size_of(literal.type.dtype)};
}

template <class From>
Literal converted(DType dtype, From value) {
  switch (dtype) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy)    \
  case DType::name:                                        \
    if constexpr (requires { static_cast<cpp>(value); }) { \
      const cpp element = static_cast<cpp>(value);         \
      return Literal::splat(dtype, Shape{}, &element);     \
    }                                                      \
    break;
#include <weft/types.def>
#undef TYPE
  }
  throw InternalError("literal: no scalar of type " + std::string(name_of(dtype)));
}

}  // namespace

Literal Literal::splat(DType dtype, Shape shape, const void* element) {
  return {{std::move(shape), dtype}, runtime::Buffer::copy_of(element, size_of(dtype)), true};
}

Literal Literal::zeros(DType dtype, Shape shape) {
  return {{std::move(shape), dtype}, runtime::Buffer::allocate_zeroed(size_of(dtype)), true};
}

Literal Literal::scalar(DType dtype, double value) {
  if (is_integer(dtype)) {
    // Integers wrap; a double beyond 64 bits has no integer meaning.
    const bool fits = value >= -9223372036854775808.0 && value < 18446744073709551616.0;
    if (!fits)
      throw InternalError("literal: " + std::to_string(value) + " is no " + std::string(name_of(dtype)));
    if (value < 0) return scalar_integer(dtype, static_cast<std::int64_t>(value));
    return scalar_integer(dtype, static_cast<std::int64_t>(static_cast<std::uint64_t>(value)));
  }
  return converted(dtype, value);
}

Literal Literal::scalar_integer(DType dtype, std::int64_t value) {
  if (is_half(dtype)) return converted(dtype, static_cast<double>(value));
  return converted(dtype, value);
}

Literal Literal::materialized() const {
  if (!is_splat) return *this;
  const std::size_t size = size_of(type.dtype);
  const auto count = static_cast<std::size_t>(type.size());
  runtime::Buffer all = runtime::Buffer::allocate(count * size);
  std::byte* out = all.data();
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * size, buffer.data(), size);
  return {type, std::move(all), false};
}

std::size_t Literal::hash() const {
  std::size_t seed = std::hash<std::string_view>()(bytes_of(*this));
  for (std::int64_t extent : type.shape) seed = seed * 31 + static_cast<std::size_t>(extent);
  return seed * 31 + static_cast<std::size_t>(type.dtype);
}

bool operator==(const Literal& a, const Literal& b) {
  return a.type == b.type && a.is_splat == b.is_splat && bytes_of(a) == bytes_of(b);
}

}  // namespace weft::ir
