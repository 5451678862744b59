// Digits of elements: the shortest that tell a float apart, at most eight after the point in arrays.
#include "runtime/print_elements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runtime/element.h"

namespace weft::runtime {
namespace {

constexpr int kPrecision = 8;

bool reads_back(DType dtype, double value, double parsed) {
  alignas(8) std::byte a[8] = {}, b[8] = {};
  convert_element(f64, &parsed, dtype, a);
  convert_element(f64, &value, dtype, b);
  return std::memcmp(a, b, size_of(dtype)) == 0;
}

// The shortest digits that read back as the same element, in plain or scientific notation.
std::string shortest(DType dtype, double value, bool is_scientific) {
  char text[512];
  const auto format = is_scientific ? std::chars_format::scientific : std::chars_format::fixed;
  if (is_half(dtype)) {
    for (int digits = 0; digits < 9; ++digits) {
      const std::string candidate = fmt::format("{:.{}e}", value, digits);
      double parsed = 0;
      std::from_chars(candidate.data(), candidate.data() + candidate.size(), parsed);
      if (!reads_back(dtype, value, parsed)) continue;
      value = parsed;  // its own shortest digits are these
      break;
    }
    return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
  }
  if (dtype == f32)
    return {text, std::to_chars(text, text + sizeof text, static_cast<float>(value), format).ptr};
  return {text, std::to_chars(text, text + sizeof text, value, format).ptr};
}

// Splits "-12.5e+30" into "-12", "5" and "e+30".
struct Parts {
  std::string whole, fraction, exponent;
};
Parts split(const std::string& text) {
  Parts parts;
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  parts.whole = text.substr(0, point);
  if (point < e) parts.fraction = text.substr(point + 1, e - point - 1);
  parts.exponent = text.substr(e);
  return parts;
}

// The shortest digits, cut (correctly rounded) to eight after the point.
Parts digits_of(DType dtype, double value, bool is_scientific) {
  Parts parts = split(shortest(dtype, value, is_scientific));
  if (parts.fraction.size() > kPrecision) {
    parts = split(is_scientific ? fmt::format("{:.{}e}", value, kPrecision)
                                : fmt::format("{:.{}f}", value, kPrecision));
    parts.fraction.erase(parts.fraction.find_last_not_of('0') + 1);
  }
  return parts;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string special(double value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

std::string integer_text(DType dtype, const std::byte* element) {
  if (dtype == u64) {
    std::uint64_t value;
    std::memcpy(&value, element, sizeof value);
    return fmt::format("{}", value);
  }
  std::int64_t value = 0;
  convert_element(dtype, element, i64, &value);
  return fmt::format("{}", value);
}

bool wants_scientific(double magnitude) { return magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4); }

std::string complex_text(DType dtype, const std::byte* element) {
  const DType part = dtype == c64 ? f32 : f64;
  double real = 0, imag = 0;
  convert_element(part, element, f64, &real);
  convert_element(part, element + size_of(part), f64, &imag);
  return fmt::format("{}{:+}j", real, imag);
}

}  // namespace

ElementFormat::ElementFormat(DType dtype, const std::vector<const std::byte*>& elements) : dtype_(dtype) {
  std::vector<double> finite;
  for (const std::byte* element : elements) {
    if (!is_floating(dtype)) continue;
    const double value = element_as_double(dtype, element);
    if (std::isfinite(value)) finite.push_back(value);
  }
  if (is_floating(dtype)) choose_notation(finite);
  for (const std::byte* element : elements) width_ = std::max(width_, aligned(element).size());
}

void ElementFormat::choose_notation(const std::vector<double>& finite) {
  double largest = 0, smallest = INFINITY;
  for (const double value : finite) {
    if (value == 0) continue;
    largest = std::max(largest, std::fabs(value));
    smallest = std::min(smallest, std::fabs(value));
  }
  is_scientific_ = largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  for (const double value : finite) {
    const Parts parts = digits_of(dtype_, value, is_scientific_);
    left_ = std::max(left_, parts.whole.size());
    right_ = std::max(right_, parts.fraction.size());
  }
}

std::string ElementFormat::text_of_float(double value) const {
  if (!std::isfinite(value)) return special(value);
  Parts parts = digits_of(dtype_, value, is_scientific_);
  // Scientific columns fill with zeros, plain ones with blanks.
  parts.fraction.resize(right_, is_scientific_ ? '0' : ' ');
  return padded(parts.whole, left_) + "." + parts.fraction + parts.exponent;
}

std::string ElementFormat::aligned(const std::byte* element) const {
  std::string text;
  if (dtype_ == b1)
    text = *element == std::byte{0} ? "False" : "True";
  else if (is_floating(dtype_))
    text = text_of_float(element_as_double(dtype_, element));
  else if (is_complex(dtype_))
    text = complex_text(dtype_, element);
  else
    text = integer_text(dtype_, element);
  return padded(text, width_);
}

std::string ElementFormat::scalar(const std::byte* element) const {
  if (!is_floating(dtype_)) {
    const std::string text = aligned(element);
    return text.substr(text.find_first_not_of(' '));
  }
  const double value = element_as_double(dtype_, element);
  if (!std::isfinite(value)) return special(value);
  if (wants_scientific(std::fabs(value))) return shortest(dtype_, value, true);
  const std::string text = shortest(dtype_, value, false);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace weft::runtime
