// Looking at values while a program runs.
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include <weft/array.h>

namespace weft {

namespace detail {
// The text to print, with the line of the caller.
struct PrintFormat {
  std::string_view text;
  Location loc;
  template <std::convertible_to<std::string_view> Text>
  PrintFormat(const Text& format, Location where = Location::current()) : text(format), loc(where) {}
};
void run_debug_print(const PrintFormat& format, const std::vector<Array>& values);
}  // namespace detail

// debug_print("x = {}", x): a line on the standard output with each value in the place of a "{}", printed as
// std::cout prints it; "{{" and "}}" are braces. Inside a function that is traced, the line is printed by the
// compiled code at each run, in the order of the program; under vmap once for each element of the mapped
// axis. Numbers may be given for arrays. Throws UserError when places and values differ in number. Source:
// jax.debug.print.
template <std::convertible_to<Operand>... Values>
void debug_print(detail::PrintFormat format, const Values&... values) {
  detail::run_debug_print(format, {Operand(values, format.loc).value...});
}

}  // namespace weft
