// Conversions of f16 and bf16: every half, and random values against the nearest of all halves.
#include <weft/half.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using weft::bfloat16;
using weft::float16;

// The value of a half from its fields, with ldexp only.
double value_of(std::uint16_t bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 0x7FFF) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                               : std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  return (bits & 0x8000) ? -magnitude : magnitude;
}

struct Reference {
  int mantissa_bits, bias;
  std::uint16_t infinity;
  std::vector<double> values;  // of the nonnegative finite halves, and one beyond that stands for infinity
  Reference(int m, int b, std::uint16_t inf) : mantissa_bits(m), bias(b), infinity(inf) {
    for (int bits = 0; bits <= inf; ++bits)
      values.push_back(value_of(static_cast<std::uint16_t>(bits), m, b));
  }
  std::uint16_t nearest(double x) const {
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    const double a = std::fabs(x);
    const auto above = std::lower_bound(values.begin(), values.end(), a);
    if (above == values.end()) return sign | infinity;
    auto index = static_cast<std::uint16_t>(above - values.begin());
    if (*above != a) {
      const double midpoint = values[index - 1] + (values[index] - values[index - 1]) / 2;
      if (a < midpoint || (a == midpoint && (index & 1))) --index;
    }
    return sign | index;
  }
};

const Reference kF16Reference(10, 15, 0x7C00), kBF16Reference(7, 127, 0x7F80);

template <class Half>
void check_every_half(const Reference& reference) {
  for (int i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const Half half = Half::from_bits(bits);
    const auto f = static_cast<float>(half);
    const auto d = static_cast<double>(half);
    if ((bits & 0x7FFF) > reference.infinity) {
      EXPECT_TRUE(std::isnan(f) && std::isnan(d)) << i;
      EXPECT_GT(Half(f).bits & 0x7FFF, reference.infinity) << i;
      EXPECT_GT(Half(d).bits & 0x7FFF, reference.infinity) << i;
      continue;
    }
    if ((bits & 0x7FFF) == reference.infinity) {
      ASSERT_TRUE(std::isinf(f)) << i;
    } else {
      ASSERT_EQ(value_of(bits, reference.mantissa_bits, reference.bias), d) << i;
    }
    ASSERT_EQ(Half(f).bits, bits);
    ASSERT_EQ(Half(d).bits, bits);
  }
}

template <class Half>
void check_random(const Reference& reference) {
  std::mt19937_64 random(7);
  const int low = -reference.bias - reference.mantissa_bits - 3;
  for (int i = 0; i < 1000000; ++i) {
    const double wild = std::bit_cast<double>(random());
    const int exponent = low + static_cast<int>(random() % static_cast<unsigned>(-low + reference.bias + 4));
    const double near =
        std::ldexp(1 + static_cast<double>(random() >> 12) * 0x1p-52, exponent) * (i & 1 ? 1 : -1);
    const float single = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(wild)) {
      ASSERT_EQ(Half(wild).bits, reference.nearest(wild)) << wild;
    }
    ASSERT_EQ(Half(near).bits, reference.nearest(near)) << near;
    if (!std::isnan(single)) {
      ASSERT_EQ(Half(single).bits, reference.nearest(single)) << single;
    }
  }
}

// Midpoints and their neighbours are where a second rounding shows.
template <class Half>
void check_midpoints(const Reference& reference) {
  for (std::size_t i = 0; i + 1 < reference.values.size(); ++i) {
    const double midpoint = reference.values[i] + (reference.values[i + 1] - reference.values[i]) / 2;
    for (const double x : {std::nextafter(midpoint, 0.0), midpoint, std::nextafter(midpoint, 1e300)}) {
      ASSERT_EQ(Half(x).bits, reference.nearest(x)) << x;
      ASSERT_EQ(Half(-x).bits, reference.nearest(-x)) << x;
      const auto f = static_cast<float>(x);
      ASSERT_EQ(Half(f).bits, reference.nearest(f)) << f;
    }
  }
}

TEST(Half, every_f16_survives_a_round_trip) { check_every_half<float16>(kF16Reference); }
TEST(Half, every_bf16_survives_a_round_trip) { check_every_half<bfloat16>(kBF16Reference); }
TEST(Half, random_values_round_to_the_nearest_f16) { check_random<float16>(kF16Reference); }
TEST(Half, random_values_round_to_the_nearest_bf16) { check_random<bfloat16>(kBF16Reference); }
TEST(Half, midpoints_go_to_the_even_f16) { check_midpoints<float16>(kF16Reference); }
TEST(Half, midpoints_go_to_the_even_bf16) { check_midpoints<bfloat16>(kBF16Reference); }

TEST(Half, f64_rounds_to_bf16_once) {
  EXPECT_EQ(static_cast<double>(bfloat16(0.2691408770292272)), 0.26953125);
  EXPECT_EQ(static_cast<double>(bfloat16(0x1p-133)), 9.183549615799121e-41);
}

TEST(Half, signalling_nan_never_becomes_infinity) {
  const float nan32 = std::bit_cast<float>(0x7F800001u);
  const double nan64 = std::bit_cast<double>(std::uint64_t{0x7FF0000000000001});
  for (const std::uint16_t bits : {bfloat16(nan32).bits, bfloat16(nan64).bits}) EXPECT_EQ(bits, 0x7FC0);
  for (const std::uint16_t bits : {float16(nan32).bits, float16(nan64).bits}) EXPECT_EQ(bits, 0x7E00);
}

}  // namespace
