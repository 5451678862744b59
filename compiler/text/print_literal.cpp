// Floats are written with as many digits as it takes to read them back exactly; what has no decimal form is hex.
#include "compiler/text/print_literal.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "compiler/text/text.h"

namespace weft::text {
namespace {

constexpr std::int64_t kLongestList = 100;

std::string hex_bits(const std::byte* element, std::size_t bytes) {
  std::string text = "0x";
  for (std::size_t i = bytes; i-- > 0;) text += fmt::format("{:02X}", std::to_integer<unsigned>(element[i]));
  return text;
}

// Shortest decimal form that reads back to the same value, with the point that MLIR wants.
template <class T>
std::string decimal(T value) {
  char buffer[64];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string text(buffer, end);
  const auto exponent = text.find('e');
  if (text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

// The shortest digits that a 16-bit float reads back from, which f32's shortest need not be but always suffice.
std::string half_text(const ir::Literal& literal, std::int64_t flat) {
  const float value = literal.type.dtype == DType::f16 ? static_cast<float>(literal.at<float16>(flat))
                                                       : static_cast<float>(literal.at<bfloat16>(flat));
  if (!std::isfinite(value)) {
    const std::uint16_t bits = literal.at<std::uint16_t>(flat);
    return hex_bits(reinterpret_cast<const std::byte*>(&bits), 2);
  }
  return decimal(value);
}

template <class T>
std::string float_text(T value) {
  if (std::isfinite(value)) return decimal(value);
  return hex_bits(reinterpret_cast<const std::byte*>(&value), sizeof value);
}

std::string element_text(const ir::Literal& literal, std::int64_t flat) {
  switch (literal.type.dtype) {
    case DType::b1: return literal.at<bool>(flat) ? "true" : "false";
    case DType::i8: return std::to_string(literal.at<std::int8_t>(flat));
    case DType::i16: return std::to_string(literal.at<std::int16_t>(flat));
    case DType::i32: return std::to_string(literal.at<std::int32_t>(flat));
    case DType::i64: return std::to_string(literal.at<std::int64_t>(flat));
    case DType::u8: return std::to_string(literal.at<std::uint8_t>(flat));
    case DType::u16: return std::to_string(literal.at<std::uint16_t>(flat));
    case DType::u32: return std::to_string(literal.at<std::uint32_t>(flat));
    case DType::u64: return std::to_string(literal.at<std::uint64_t>(flat));
    case DType::f16:
    case DType::bf16: return half_text(literal, flat);
    case DType::f32: return float_text(literal.at<float>(flat));
    case DType::f64: return float_text(literal.at<double>(flat));
    case DType::c64: {
      const auto value = literal.at<complex64>(flat);
      return fmt::format("({},{})", float_text(value.real), float_text(value.imag));
    }
    case DType::c128: {
      const auto value = literal.at<complex128>(flat);
      return fmt::format("({},{})", float_text(value.real), float_text(value.imag));
    }
  }
  return {};
}

// Lists nest as the dimensions do; a rank is at most kMaxRank deep.
void append_list(std::string& out, const ir::Literal& literal, int dim, std::int64_t& flat) {
  if (dim == literal.type.shape.rank()) {
    out += element_text(literal, flat++);
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < literal.type.shape[dim]; ++i) {
    if (i > 0) out += ", ";
    append_list(out, literal, dim + 1, flat);
  }
  out += ']';
}

std::string raw_bytes(const ir::Literal& literal) {
  std::string text = "\"0x";
  constexpr char digits[] = "0123456789ABCDEF";
  for (std::int64_t i = 0; i < literal.type.nbytes(); ++i) {
    const auto byte = std::to_integer<unsigned>(literal.buffer.data()[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text + '"';
}

}  // namespace

std::string print_literal(const ir::Literal& literal) {
  std::string payload;
  const std::int64_t size = literal.type.size();
  std::int64_t flat = 0;
  if (size == 0)
    payload.clear();
  else if (literal.is_splat || literal.type.shape.rank() == 0)
    payload = element_text(literal, 0);
  else if (size > kLongestList)
    payload = raw_bytes(literal);
  else
    append_list(payload, literal, 0, flat);
  return fmt::format("dense<{}> : {}", payload, print_type(literal.type));
}

}  // namespace weft::text
