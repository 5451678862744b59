// Converts between the 16-bit floating types and f32 and f64 by integer arithmetic, so that no CPU mode
// matters.
#include <weft/half.h>

#include <bit>

namespace weft {
namespace {

struct Format {
  int exponent_bits, mantissa_bits;
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::int64_t max_exponent() const { return (std::int64_t{1} << exponent_bits) - 1; }
  constexpr std::uint64_t mantissa_mask() const { return (std::uint64_t{1} << mantissa_bits) - 1; }
};

constexpr Format kF16{5, 10}, kBF16{8, 7}, kF32{8, 23}, kF64{11, 52};

// Rounds to nearest even once. A carry out of the mantissa moves into the exponent, which is what rounding up
// means.
template <Format from, Format to>
std::uint16_t narrow(std::uint64_t bits) {
  const auto sign = static_cast<std::uint16_t>((bits >> (from.exponent_bits + from.mantissa_bits)) << 15);
  const auto exponent = static_cast<std::int64_t>((bits >> from.mantissa_bits) & from.max_exponent());
  const std::uint64_t mantissa = bits & from.mantissa_mask();
  constexpr std::uint64_t infinity = static_cast<std::uint64_t>(to.max_exponent()) << to.mantissa_bits;
  constexpr int dropped = from.mantissa_bits - to.mantissa_bits;
  if (exponent == from.max_exponent()) {
    if (mantissa == 0) return sign | infinity;
    constexpr std::uint64_t quiet = std::uint64_t{1} << (to.mantissa_bits - 1);
    return static_cast<std::uint16_t>(sign | infinity | quiet | (mantissa >> dropped));
  }
  const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << from.mantissa_bits;
  const std::uint64_t significand = mantissa | hidden;
  // Biased exponent in the new format; the hidden bit adds one to base.
  const std::int64_t scaled = (exponent == 0 ? 1 : exponent) - from.bias() + to.bias();
  const std::uint64_t base = scaled > 1 ? static_cast<std::uint64_t>(scaled - 1) << to.mantissa_bits : 0;
  std::int64_t shift = dropped + (scaled < 1 ? 1 - scaled : 0);
  if (shift > 62) shift = 62;  // the significand is far below half a unit there already
  std::uint64_t result = base + (significand >> shift);
  const std::uint64_t remainder = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (remainder > half || (remainder == half && (result & 1) != 0)) ++result;
  if (result > infinity) result = infinity;
  return static_cast<std::uint16_t>(sign | result);
}

std::uint32_t widen_f16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1F;
  const std::uint32_t mantissa = half & 0x3FF;
  if (exponent == 0x1F) return sign | 0x7F800000 | (mantissa << 13);
  if (exponent != 0) return sign | ((exponent + 112) << 23) | (mantissa << 13);
  if (mantissa == 0) return sign;
  // A subnormal half is a normal float: move its leading bit to the hidden place.
  const int shift = std::countl_zero(mantissa) - 21;
  const std::uint32_t normal = (mantissa << shift) & 0x3FF;
  return sign | (static_cast<std::uint32_t>(113 - shift) << 23) | (normal << 13);
}

}  // namespace

float16::float16(float value) : bits(narrow<kF32, kF16>(std::bit_cast<std::uint32_t>(value))) {}
float16::float16(double value) : bits(narrow<kF64, kF16>(std::bit_cast<std::uint64_t>(value))) {}
float16::operator float() const { return std::bit_cast<float>(widen_f16(bits)); }

bfloat16::bfloat16(float value) : bits(narrow<kF32, kBF16>(std::bit_cast<std::uint32_t>(value))) {}
bfloat16::bfloat16(double value) : bits(narrow<kF64, kBF16>(std::bit_cast<std::uint64_t>(value))) {}
bfloat16::operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace weft
