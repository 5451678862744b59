// Arguments for a program, from the values that rewrites go wrong on: NaN, infinities, both zeros, ties,
// extremes.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::rewrite {

template <class T>
ir::Literal filled(const ir::Type& type, const std::vector<T>& values, std::uint32_t seed) {
  ir::Literal literal{type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
  std::uint32_t state = seed * 2654435761u + 12345u;
  for (std::int64_t i = 0; i < type.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    const T value = values[(state >> 16) % values.size()];
    std::memcpy(literal.buffer.data() + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  }
  return literal;
}

// Without NaN for even seeds, so that they do not hide everything else.
template <class T>
std::vector<T> floats(int seed) {
  std::vector<T> values;
  for (double value : {0.0, -0.0, 1.0, -1.0, 0.3, 2.5, -7.25, 3e-5, 1000.0, HUGE_VAL, -HUGE_VAL})
    values.push_back(T(value));
  if (seed % 2 == 1) values.push_back(T(std::nan("")));
  return values;
}

template <class T>
std::vector<T> integers() {
  return {0, 1, 2, 3, 7, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), static_cast<T>(-1)};
}

inline ir::Literal argument_of(const ir::Type& type, int seed, std::uint32_t place) {
  const std::uint32_t start = static_cast<std::uint32_t>(seed) * 101u + place;
  switch (type.dtype) {
    case DType::b1:
      return filled<std::uint8_t>(type, {0, 1}, start);
    case DType::f16:
      return filled(type, floats<float16>(seed), start);
    case DType::bf16:
      return filled(type, floats<bfloat16>(seed), start);
    case DType::f32:
      return filled(type, floats<float>(seed), start);
    case DType::f64:
      return filled(type, floats<double>(seed), start);
    case DType::i8:
      return filled(type, integers<std::int8_t>(), start);
    case DType::i16:
      return filled(type, integers<std::int16_t>(), start);
    case DType::i32:
      return filled(type, integers<std::int32_t>(), start);
    case DType::i64:
      return filled(type, integers<std::int64_t>(), start);
    case DType::u8:
      return filled(type, integers<std::uint8_t>(), start);
    case DType::u16:
      return filled(type, integers<std::uint16_t>(), start);
    case DType::u32:
      return filled(type, integers<std::uint32_t>(), start);
    case DType::u64:
      return filled(type, integers<std::uint64_t>(), start);
    case DType::c64:
    case DType::c128:
      break;
  }
  return ir::Literal::zeros(type.dtype, type.shape).materialized();
}

inline std::vector<ir::Literal> arguments_of(const ir::Graph& graph, int seed) {
  std::vector<ir::Literal> arguments;
  for (ir::ValueId argument : graph.region(graph.entry().body).arguments)
    arguments.push_back(
        argument_of(graph.type(argument), seed, static_cast<std::uint32_t>(arguments.size())));
  return arguments;
}

// Bit for bit; one NaN is as good as another.
inline bool same_bits(const ir::Literal& a, const ir::Literal& b) {
  if (a.type != b.type) return false;
  const ir::Literal x = a.materialized(), y = b.materialized();
  if (!is_floating(x.type.dtype)) return x == y;
  const auto size = size_of(x.type.dtype);
  for (std::int64_t i = 0; i < x.type.size(); ++i) {
    const auto element = [&](const ir::Literal& from) {
      if (from.type.dtype == DType::f16) return static_cast<double>(from.at<float16>(i));
      if (from.type.dtype == DType::bf16) return static_cast<double>(from.at<bfloat16>(i));
      return from.type.dtype == DType::f32 ? static_cast<double>(from.at<float>(i)) : from.at<double>(i);
    };
    if (std::isnan(element(x)) && std::isnan(element(y))) continue;
    const auto offset = static_cast<std::size_t>(i) * size;
    if (std::memcmp(x.buffer.data() + offset, y.buffer.data() + offset, size) != 0) return false;
  }
  return true;
}

}  // namespace weft::rewrite
