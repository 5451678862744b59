// Literal: a tensor value held by the compiler, one element when all are equal.
#pragma once

#include <cstddef>
#include <cstring>

#include <weft/shape.h>

#include "runtime/buffer.h"

namespace weft::ir {

struct Literal {
  ShapeDtype type;
  runtime::Buffer buffer;  // row-major; one element when is_splat
  bool is_splat = false;

  static Literal splat(DType dtype, Shape shape, const void* element);
  static Literal zeros(DType dtype, Shape shape);
  // A rank-0 literal of any real dtype from a double or an integer, rounded or wrapped to the dtype.
  static Literal scalar(DType dtype, double value);
  static Literal scalar_integer(DType dtype, std::int64_t value);

  // The element at a row-major position, of the dtype's own C++ type.
  template <class T>
  T at(std::int64_t position) const {
    T value;
    std::memcpy(&value, buffer.data() + (is_splat ? 0 : position * static_cast<std::int64_t>(sizeof(T))), sizeof(T));
    return value;
  }
  Literal materialized() const;  // the same value, not a splat
  std::size_t hash() const;
};
// Same type and same bits; a splat equals its materialized form only when both are written the same way.
bool operator==(const Literal& a, const Literal& b);

}  // namespace weft::ir
