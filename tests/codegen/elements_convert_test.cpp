// Conversions between all pairs of element types against C++, and bit casts between types of equal width.
#include <limits>

#include "tests/codegen/element_kernel.h"

namespace weft::codegen {
namespace {

using ir::Op;

// Rounds once: of the halves around the value the nearest, or the even one. x87's long double holds every
// operand.
template <class Half>
Half nearest_half(long double value) {
  const Half guess(static_cast<double>(value));
  if (std::isnan(value) || value == 0 || std::isinf(static_cast<float>(guess))) return guess;
  Half best = guess;
  for (int step : {-1, 0, 1}) {
    const Half candidate = Half::from_bits(static_cast<std::uint16_t>(guess.bits + step));
    const long double off = std::fabs(static_cast<long double>(static_cast<float>(candidate)) - value);
    const long double best_off = std::fabs(static_cast<long double>(static_cast<float>(best)) - value);
    if (off < best_off || (off == best_off && candidate.bits % 2 == 0)) best = candidate;
  }
  return best;
}

template <class To>
To saturated(double value) {
  if (std::isnan(value)) return 0;
  const long double truncated = std::trunc(static_cast<long double>(value));
  if (truncated <= static_cast<long double>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (truncated >= static_cast<long double>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return static_cast<To>(truncated);
}

template <class To, class From>
To converted(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<To, bool>) {
    return static_cast<Computed<From>>(x) != 0;
  } else if constexpr (is_float_type<From> && !is_float_type<To>) {
    return saturated<To>(static_cast<double>(x));
  } else if constexpr (is_half_type<To>) {
    if constexpr (std::is_same_v<From, double>)
      return To(x);
    else
      return nearest_half<To>(static_cast<long double>(static_cast<Computed<From>>(x)));
  } else {
    return static_cast<To>(static_cast<Computed<From>>(x));
  }
}

template <class From>
class Conversions : public testing::Test {};
using All = testing::Types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                           std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16, float, double>;
TYPED_TEST_SUITE(Conversions, All);

template <class From, class... To>
void check_conversions() {
  (check_element<To, From>("convert " + std::string(name_of(dtype_of<From>())), {Op::convert},
                           converted<To, From>),
   ...);
}

TYPED_TEST(Conversions, to_every_type) {
  check_conversions<TypeParam, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                    std::uint16_t, std::uint32_t, std::uint64_t, float16, bfloat16, float, double>();
}

// An f16 in a register is a float, where a signaling NaN becomes quiet.
template <class To, class From>
void check_bitcast() {
  check_element<To, From>("bitcast_convert", {Op::bitcast_convert}, [](From x) {
    if constexpr (std::is_same_v<From, float16>)
      if (is_nan(x)) x.bits |= 0x200;
    To result;
    std::memcpy(static_cast<void*>(&result), &x, sizeof result);
    return result;
  });
}

TEST(BitcastConvert, keeps_the_bits) {
  check_bitcast<float, std::int32_t>();
  check_bitcast<std::uint32_t, float>();
  check_bitcast<double, std::uint64_t>();
  check_bitcast<std::int64_t, double>();
  check_bitcast<float16, std::int16_t>();
  check_bitcast<bfloat16, std::uint16_t>();
  check_bitcast<std::uint16_t, bfloat16>();
  check_bitcast<bfloat16, float16>();
  check_bitcast<std::int8_t, std::uint8_t>();
  check_bitcast<bool, bool>();
}

// Values around every half and every tie between two, in f32 and f64.
template <class Half, class From>
void check_rounding() {
  std::vector<From> values;
  for (unsigned bits = 0; bits < 0x7f80; ++bits) {
    const auto low = static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits)));
    const auto high = static_cast<double>(Half::from_bits(static_cast<std::uint16_t>(bits + 1)));
    const auto tie = static_cast<From>(low / 2 + high / 2);
    for (From value : {tie, std::nextafter(tie, From(INFINITY)), std::nextafter(tie, From(0))})
      values.push_back(bits % 2 == 0 ? value : -value);
  }
  while (values.size() % 16 != 0) values.push_back(0);
  const Array<From> in(values);
  for (const Target& target : available_targets()) {
    const ElementKernel kernel(target, {Op::convert}, {dtype_of<From>()}, dtype_of<Half>());
    Array<Half> out[3] = {Array<Half>(std::vector<Half>(in.size)), Array<Half>(std::vector<Half>(in.size)),
                          Array<Half>(std::vector<Half>(in.size))};
    kernel.run({in.data.get()}, {out[0].data.get(), out[1].data.get(), out[2].data.get()}, in.size);
    for (std::size_t i = 0; i < in.size; ++i)
      for (const auto& result : out)
        ASSERT_TRUE(same(result.data[i], Half(in.data[i])))
            << target.name() << " of " << show(in.data[i]) << ": got " << show(result.data[i]) << ", want "
            << show(Half(in.data[i]));
  }
}

TEST(Halves, are_rounded_to_nearest_even_once) {
  check_rounding<float16, float>();
  check_rounding<float16, double>();
  check_rounding<bfloat16, float>();
  check_rounding<bfloat16, double>();
}

}  // namespace
}  // namespace weft::codegen
