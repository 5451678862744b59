// Static parameters of a function as bytes of its signature.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <weft/shape.h>

namespace weft::frontend {

inline void append_bytes(std::string& bytes, const Shape& shape) {
  bytes.push_back(static_cast<char>(shape.rank()));
  bytes.append(reinterpret_cast<const char*>(shape.data()),
               static_cast<std::size_t>(shape.rank()) * sizeof(std::int64_t));
}
template <class T>
void append_bytes(std::string& bytes, const std::vector<T>& values) {
  const std::size_t size = values.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(values.data()), size * sizeof(T));
}
template <class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void append_bytes(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class... T>
std::string bytes_of(const T&... values) {
  std::string bytes;
  (append_bytes(bytes, values), ...);
  return bytes;
}

}  // namespace weft::frontend
