// Numbers are written as MLIR writes them: six digits when they read back exactly, all digits otherwise, and
// the bits of what has no decimal point.
#include "compiler/text/print_literal.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "compiler/text/parse_literal.h"
#include "compiler/text/text.h"

namespace weft::text {
namespace {

constexpr std::int64_t kLongestList = 100;
constexpr int kShortDigits = 6, kPadding = 3;

// d.ddd times 10 to the exponent; digits have no zero at the end.
struct Digits {
  std::string digits;
  int exponent = 0;
};

// `count` digits of a finite magnitude, a half rounded away from zero: LLVM's APFloat, whose text this is,
// does so.
Digits digits_of(double magnitude, int count) {
  constexpr int kExactDigits = 780;  // no double has more
  char buffer[kExactDigits + 16];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific, kExactDigits);
  const std::string_view text(buffer, static_cast<std::size_t>(result.ptr - buffer));
  const auto mark = text.find('e');
  Digits rounded;
  const std::size_t exponent = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + exponent, text.data() + text.size(), rounded.exponent);
  const std::string all =
      fmt::format("0{}{}", text[0], text.substr(2, mark - 2));  // a zero that may become 1
  rounded.digits = all.substr(0, static_cast<std::size_t>(count) + 1);
  if (all[static_cast<std::size_t>(count) + 1] >= '5') {
    std::size_t at = rounded.digits.size() - 1;
    for (; rounded.digits[at] == '9'; --at) rounded.digits[at] = '0';
    ++rounded.digits[at];
  }
  if (rounded.digits[0] == '0')
    rounded.digits.erase(0, 1);
  else
    ++rounded.exponent;
  while (rounded.digits.size() > 1 && rounded.digits.back() == '0') rounded.digits.pop_back();
  return rounded;
}

// 1.500000e+00
std::string short_text(double magnitude) {
  const Digits digits = digits_of(magnitude, kShortDigits);
  std::string fraction = digits.digits.substr(1);
  fraction.resize(kShortDigits, '0');
  const char sign = digits.exponent < 0 ? '-' : '+';
  return fmt::format("{}.{}e{}{:02}", digits.digits[0], fraction, sign, std::abs(digits.exponent));
}

// 0.333333343, 3.40282347E+38; empty where it would have no point.
std::string long_text(double magnitude, int count) {
  const auto [digits, exponent] = digits_of(magnitude, count);
  const int whole = exponent + 1, length = static_cast<int>(digits.size()), trailing = whole - length;
  const bool is_plain = trailing >= 0  ? trailing <= kPadding && whole <= count
                        : exponent < 0 ? -exponent <= kPadding
                                       : true;
  if (!is_plain) {
    const std::string fraction = length == 1 ? "0" : digits.substr(1);
    return fmt::format("{}.{}E{}{}", digits[0], fraction, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (trailing >= 0) return {};
  if (whole <= 0) return fmt::format("0.{}{}", std::string(static_cast<std::size_t>(-whole), '0'), digits);
  return fmt::format("{}.{}", digits.substr(0, static_cast<std::size_t>(whole)),
                     digits.substr(static_cast<std::size_t>(whole)));
}

template <class Bits>
std::string hex_text(Bits bits) {
  return fmt::format("0x{:X}", bits);
}

bool reads_back(const std::string& decimal, DType dtype, const std::byte* magnitude) {
  std::byte back[8];
  return round_decimal(decimal, false, dtype, back) && std::memcmp(back, magnitude, size_of(dtype)) == 0;
}

// `digits` suffice to tell any two numbers of the format apart.
template <class Bits>
std::string number_text(DType dtype, Bits bits, double value, int digits) {
  if (!std::isfinite(value)) return hex_text(bits);
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const std::string sign = (bits & kSign) != 0 ? "-" : "";
  bits = static_cast<Bits>(bits & ~kSign);
  std::byte magnitude[sizeof(Bits)];
  std::memcpy(magnitude, &bits, sizeof bits);
  if (const std::string text = short_text(std::fabs(value)); reads_back(text, dtype, magnitude))
    return sign + text;
  if (const std::string text = long_text(std::fabs(value), digits); !text.empty()) return sign + text;
  return hex_text(static_cast<Bits>(bits | (sign.empty() ? Bits{0} : kSign)));
}

std::string f32_text(float value) {
  return number_text(DType::f32, std::bit_cast<std::uint32_t>(value), value, 9);
}
std::string f64_text(double value) {
  return number_text(DType::f64, std::bit_cast<std::uint64_t>(value), value, 17);
}

std::string element_text(const ir::Literal& literal, std::int64_t flat) {
  switch (literal.type.dtype) {
    case DType::b1:
      return literal.at<bool>(flat) ? "true" : "false";
    case DType::i8:
      return std::to_string(literal.at<std::int8_t>(flat));
    case DType::i16:
      return std::to_string(literal.at<std::int16_t>(flat));
    case DType::i32:
      return std::to_string(literal.at<std::int32_t>(flat));
    case DType::i64:
      return std::to_string(literal.at<std::int64_t>(flat));
    case DType::u8:
      return std::to_string(literal.at<std::uint8_t>(flat));
    case DType::u16:
      return std::to_string(literal.at<std::uint16_t>(flat));
    case DType::u32:
      return std::to_string(literal.at<std::uint32_t>(flat));
    case DType::u64:
      return std::to_string(literal.at<std::uint64_t>(flat));
    case DType::f16: {
      const auto value = literal.at<float16>(flat);
      return number_text(DType::f16, value.bits, static_cast<double>(value), 5);
    }
    case DType::bf16: {
      const auto value = literal.at<bfloat16>(flat);
      return number_text(DType::bf16, value.bits, static_cast<double>(value), 4);
    }
    case DType::f32:
      return f32_text(literal.at<float>(flat));
    case DType::f64:
      return f64_text(literal.at<double>(flat));
    case DType::c64: {
      const auto value = literal.at<complex64>(flat);
      return fmt::format("({},{})", f32_text(value.real), f32_text(value.imag));
    }
    case DType::c128: {
      const auto value = literal.at<complex128>(flat);
      return fmt::format("({},{})", f64_text(value.real), f64_text(value.imag));
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
  const std::int64_t count = literal.type.nbytes();
  text.reserve(static_cast<std::size_t>(2 * count) + 4);
  for (std::int64_t i = 0; i < count; ++i) {
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
  if (literal.is_splat || literal.type.shape.rank() == 0)
    payload = element_text(literal, 0);
  else if (size > kLongestList)
    payload = raw_bytes(literal);
  else if (size > 0)
    append_list(payload, literal, 0, flat);
  return fmt::format("dense<{}> : {}", payload, print_type(literal.type));
}

}  // namespace weft::text
