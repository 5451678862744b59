// Decimals to floats: f32 and f64 by the standard library, the 16-bit formats by way of f64 without rounding
// twice.
#include <charconv>
#include <cmath>
#include <cstring>

#include "compiler/text/parse_literal.h"

namespace weft::text {
namespace {

// 0.d1d2d3… times 10 to the exponent, without zeros at either end; no digits for zero.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};

constexpr std::int64_t kFarExponent =
    1'000'000'000;  // beyond all formats and all digits that a text can hold

Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  std::int64_t point = -1;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.')
      point = static_cast<std::int64_t>(decimal.digits.size());
    else
      decimal.digits += text[at];
  }
  decimal.exponent = point >= 0 ? point : static_cast<std::int64_t>(decimal.digits.size());
  if (at < text.size()) {
    const std::size_t first = at + (text[at + 1] == '+' ? 2 : 1);
    std::int64_t exponent = 0;
    if (std::from_chars(text.data() + first, text.data() + text.size(), exponent).ec != std::errc())
      exponent = text[first] == '-' ? -kFarExponent : kFarExponent;
    decimal.exponent += std::min(std::max(exponent, -kFarExponent), kFarExponent);
  }
  const auto leading = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.digits.erase(0, leading);
  decimal.exponent -= static_cast<std::int64_t>(leading);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  if (decimal.digits.empty()) decimal.exponent = 0;
  return decimal;
}

// The sign of a - b.
int compare(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty())
    return static_cast<int>(b.digits.empty()) - static_cast<int>(a.digits.empty());
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits.compare(b.digits);
}

// The exact value of a double that is halfway between two 16-bit floats: at most 12 significant bits from
// 2^-134 up.
Decimal exact_decimal(double value) {
  char buffer[256];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 160);
  return decimal_of({buffer, static_cast<std::size_t>(result.ptr - buffer)});
}

// The nearest T; infinity when there is none. std::from_chars reports overflow and underflow alike.
template <class T>
T nearest(std::string_view text) {
  T value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc::result_out_of_range)
    return decimal_of(text).exponent > 0 ? std::numeric_limits<T>::infinity() : T{0};
  return value;
}

// The value of the bits after those of `below`, where the largest number is followed by what infinity stands
// for.
template <class Half>
double value_after(Half below) {
  const double value = static_cast<double>(below);
  const double next = static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(below.bits + 1)));
  if (!std::isinf(next)) return next;
  return 2 * value - static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(below.bits - 1)));
}

// Of a decimal without a sign. Rounding to f64 first is harmless unless that gives a number halfway between
// two halves: then the digits that f64 lost decide.
template <class Half>
Half nearest_half(std::string_view text) {
  const double value = nearest<double>(text);
  const Half below(std::nextafter(value, 0.0)), above(std::nextafter(value, HUGE_VAL));
  if (below.bits == above.bits || std::isinf(value)) return Half(value);
  const bool is_halfway = value - static_cast<double>(below) == value_after(below) - value;
  if (!is_halfway) return Half(value);
  const int side = compare(decimal_of(text), exact_decimal(value));
  return side < 0 ? below : side > 0 ? above : Half(value);
}

template <class T>
bool store(T value, bool is_negative, std::byte* out) {
  if (std::isinf(value)) return false;
  if (is_negative) value = -value;
  std::memcpy(out, &value, sizeof value);
  return true;
}
template <class Half>
bool store_half(Half value, bool is_negative, std::byte* out) {
  if (std::isinf(static_cast<float>(value))) return false;
  if (is_negative) value.bits ^= 0x8000;
  std::memcpy(out, &value, sizeof value);
  return true;
}

}  // namespace

bool round_decimal(std::string_view decimal, bool is_negative, DType dtype, std::byte* out) {
  if (dtype == DType::f16) return store_half(nearest_half<float16>(decimal), is_negative, out);
  if (dtype == DType::bf16) return store_half(nearest_half<bfloat16>(decimal), is_negative, out);
  if (dtype == DType::f32) return store(nearest<float>(decimal), is_negative, out);
  return store(nearest<double>(decimal), is_negative, out);
}

}  // namespace weft::text
