// Printing arrays with the fmt library: fmt::print("{}", x).
#pragma once

#include <fmt/format.h>

#include <weft/array.h>

template <>
struct fmt::formatter<weft::Array> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const weft::Array& x, Context& context) const {
    return fmt::formatter<std::string_view>::format(weft::to_string(x), context);
  }
};
