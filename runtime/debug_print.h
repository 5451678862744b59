// Printing at run time, from compiled and from interpreted programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/shape.h>

namespace weft::runtime {

// What is printed: `format` with the operands in the places of its "{}", once for each element of the leading
// `batch_rank` axes, which all operands share.
struct DebugPrint {
  std::int64_t batch_rank = 0;
  std::string format;
  std::vector<ShapeDtype> operands;
};

// The text between the places of the operands, braces unescaped; nothing if a brace stands alone or holds
// anything.
std::optional<std::vector<std::string>> split_format(std::string_view format);

// The lines, each with its newline.
std::string lines_of(const DebugPrint& what, std::span<const std::byte* const> operands);
// To the standard output, at once.
void print(const DebugPrint& what, std::span<const std::byte* const> operands);

// As the bytes that weft_debug_print takes.
std::vector<std::byte> encode(const DebugPrint& what);

}  // namespace weft::runtime

// Called by compiled code; never throws. `descriptor` is what encode gave.
extern "C" std::int32_t weft_debug_print(const std::byte* descriptor, const std::byte* const* operands,
                                         std::int32_t threads, const void* function);
