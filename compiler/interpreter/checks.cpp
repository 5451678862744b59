// Compares literals element by element and says which one is wrong.
#include "compiler/interpreter/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <weft/error.h>

namespace weft::interpreter {
namespace {

using ir::Literal;

constexpr double kTolerance = 1e-3, kVerdictTolerance = 1e-4;
constexpr double kMostUlps = 3;
constexpr std::uint64_t kIncomparable = std::numeric_limits<std::uint64_t>::max();

// The elements of a literal; those of a complex one are its parts, two an element.
class Elements {
 public:
  explicit Elements(const Literal& literal) : literal_(literal), dtype_(part_of(literal.type.dtype)) {}

  int parts() const { return is_complex(literal_.type.dtype) ? 2 : 1; }
  std::int64_t count() const { return literal_.type.size() * parts(); }
  bool are_floats() const { return is_floating(dtype_); }

  std::uint64_t bits(std::int64_t at) const {
    std::uint64_t result = 0;
    const std::size_t size = size_of(dtype_);
    std::memcpy(&result, literal_.buffer.data() + static_cast<std::size_t>(at) * size, size);
    return result;
  }
  double real(std::int64_t at) const { return read<double>(at); }  // exact for floats
  std::string text(std::int64_t at) const {
    if (are_floats()) return fmt::format("{}", real(at));
    return is_signed(dtype_) ? fmt::format("{}", read<std::int64_t>(at)) : fmt::format("{}", bits(at));
  }
  std::uint64_t sign_bit() const { return std::uint64_t{1} << (8 * size_of(dtype_) - 1); }

 private:
  static DType part_of(DType dtype) {
    if (dtype == DType::c64) return DType::f32;
    return dtype == DType::c128 ? DType::f64 : dtype;
  }
  template <class To>
  To read(std::int64_t at) const {
    switch (dtype_) {
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy)                \
  case DType::name:                                                    \
    if constexpr (requires(cpp element) { static_cast<To>(element); }) \
      return static_cast<To>(literal_.at<cpp>(at));                    \
    break;
#include <weft/types.def>
#undef TYPE
    }
    return To{};
  }

  const Literal& literal_;
  DType dtype_;
};

bool are_equal(const Elements& a, const Elements& b, std::int64_t at) {
  return a.are_floats() ? a.real(at) == b.real(at) : a.bits(at) == b.bits(at);
}

// Steps from one to the other through all numbers of their type; the two zeros are one.
std::uint64_t ulps_between(const Elements& a, const Elements& b, std::int64_t at) {
  const std::uint64_t x = a.bits(at), y = b.bits(at), sign = a.sign_bit();
  const double real_x = a.real(at), real_y = b.real(at);
  if (x == y || (std::isnan(real_x) && std::isnan(real_y))) return 0;
  if (!std::isfinite(real_x) || !std::isfinite(real_y)) return kIncomparable;
  const std::uint64_t magnitude_x = x & ~sign, magnitude_y = y & ~sign;
  if (((x ^ y) & sign) != 0) return magnitude_x + magnitude_y;
  return std::max(magnitude_x, magnitude_y) - std::min(magnitude_x, magnitude_y);
}

bool are_close(const Elements& a, const Elements& b, std::int64_t at, double tolerance) {
  const double x = a.real(at), y = b.real(at);
  if (x == y || (std::isnan(x) && std::isnan(y))) return true;
  return std::isfinite(x) && std::isfinite(y) && std::fabs(x - y) <= tolerance;
}

// "[1, 2]" of the element that holds a part.
std::string place_of(const Elements& elements, const Shape& shape, std::int64_t at) {
  std::int64_t flat = at / elements.parts();
  std::string text;
  for (int dim = shape.rank() - 1; dim >= 0; --dim) {
    text = fmt::format("{}{}{}", flat % shape[dim], text.empty() ? "" : ", ", text);
    flat /= shape[dim];
  }
  return "[" + text + "]";
}

double scalar_operand(std::span<const Literal> operands, std::size_t number, double otherwise) {
  if (operands.size() <= number) return otherwise;
  const Elements elements(operands[number]);
  if (operands[number].type.size() != 1) throw ExecutionError("check: a tolerance is no scalar");
  return elements.real(0);
}

template <class Accepts>
std::optional<std::int64_t> first_not(const Elements& actual, const Accepts& accepts) {
  for (std::int64_t at = 0; at < actual.count(); ++at)
    if (!accepts(at)) return at;
  return std::nullopt;
}

// The first element that does not meet the expectation of the target.
std::optional<std::int64_t> first_wrong(std::string_view target, std::span<const Literal> operands) {
  const Elements actual(operands[0]), expected(operands[1]);
  if (target == "check.expect_eq" || !actual.are_floats())
    return first_not(actual, [&](std::int64_t at) { return are_equal(actual, expected, at); });
  if (target == "check.expect_close") {
    const double most = scalar_operand(operands, 2, kMostUlps), least = scalar_operand(operands, 3, 0);
    // Of a complex number the larger of its parts' distances counts.
    return first_not(actual, [&](std::int64_t at) {
      const std::int64_t first = at - at % actual.parts();
      std::uint64_t apart = 0;
      for (int part = 0; part < actual.parts(); ++part)
        apart = std::max(apart, ulps_between(actual, expected, first + part));
      return static_cast<double>(apart) >= least && static_cast<double>(apart) <= most;
    });
  }
  const double tolerance = target == "check.eq" ? kVerdictTolerance : scalar_operand(operands, 2, kTolerance);
  return first_not(actual, [&](std::int64_t at) { return are_close(actual, expected, at, tolerance); });
}

}  // namespace

bool is_check(std::string_view target) {
  constexpr std::string_view kTargets[] = {"check.expect_eq", "check.expect_close", "check.expect_almost_eq",
                                           "check.eq"};
  return std::find(std::begin(kTargets), std::end(kTargets), target) != std::end(kTargets);
}

std::vector<Literal> run_check(std::string_view target, std::span<const Literal> operands,
                               std::string_view where) {
  const auto fail = [&](const std::string& text) {
    throw ExecutionError(fmt::format("{}: {}{}{}", target, text, where.empty() ? "" : ", at ", where));
  };
  if (operands.size() < 2) fail(fmt::format("takes at least 2 operands, got {}", operands.size()));
  if (operands[0].type != operands[1].type)
    fail(fmt::format("{} is compared with {}", operands[0].type.to_string(), operands[1].type.to_string()));
  const Elements actual(operands[0]), expected(operands[1]);
  const bool takes_floats = target == "check.expect_close" || target == "check.expect_almost_eq";
  if (takes_floats && !actual.are_floats())
    fail(fmt::format("takes floats or complex numbers, got {}", operands[0].type.to_string()));
  const std::optional<std::int64_t> wrong = first_wrong(target, operands);
  if (target == "check.eq") {
    const bool verdict = !wrong;
    return {Literal::splat(DType::b1, Shape{}, &verdict).materialized()};
  }
  if (wrong)
    fail(fmt::format("element {} is {}, expected {}", place_of(actual, operands[0].type.shape, *wrong),
                     actual.text(*wrong), expected.text(*wrong)));
  return {};
}

}  // namespace weft::interpreter
