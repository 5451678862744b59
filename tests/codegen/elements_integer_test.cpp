// Integer and boolean rows against C++ computed with more bits.
#include "tests/codegen/element_kernel.h"

namespace weft::codegen {
namespace {

using ir::Op;
__extension__ using Wide = __int128;

template <class T>
constexpr int width = static_cast<int>(8 * sizeof(T));

template <class T>
class IntegerElements : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(IntegerElements, Integers);

template <class T, class Reference>
void check_unary(const std::string& name, Op op, Reference reference) {
  check_element<T, T>(name, {op}, [&](T x) { return static_cast<T>(reference(static_cast<Wide>(x))); });
}
template <class T, class Reference>
void check_binary(const std::string& name, Op op, Reference reference) {
  check_element<T, T, T>(name, {op}, [&](T x, T y) {
    return static_cast<T>(reference(static_cast<Wide>(x), static_cast<Wide>(y)));
  });
}

template <class T>
T power(T x, T y) {
  if (std::is_signed_v<T> && y < 0)
    return static_cast<T>(x == 1 ? 1 : x != static_cast<T>(-1) ? 0 : y % 2 == 0 ? 1 : -1);
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(x);
  for (auto rest = static_cast<std::uint64_t>(y); rest != 0; rest >>= 1, square *= square)
    if ((rest & 1) != 0) result *= square;
  return static_cast<T>(result);
}

TYPED_TEST(IntegerElements, arithmetic_wraps) {
  using T = TypeParam;
  using U = unsigned __int128;
  const auto wrapping = [](auto f) {
    return [f](Wide x, Wide y) { return f(static_cast<U>(x), static_cast<U>(y)); };
  };
  check_binary<T>("add", Op::add, [](Wide x, Wide y) { return x + y; });
  check_binary<T>("subtract", Op::subtract, [](Wide x, Wide y) { return x - y; });
  check_binary<T>("multiply", Op::multiply, wrapping([](U x, U y) { return x * y; }));
  check_unary<T>("negate", Op::negate, [](Wide x) { return -x; });
  check_unary<T>("abs", Op::abs, [](Wide x) { return x < 0 ? -x : x; });
  check_unary<T>("square", Op::square, [](Wide x) { return static_cast<U>(x) * static_cast<U>(x); });
  check_unary<T>("sign", Op::sign, [](Wide x) { return (x > 0) - (x < 0); });
  check_element<T, T, T>("power", {Op::power}, power<T>);
}

TYPED_TEST(IntegerElements, division_is_defined_everywhere) {
  using T = TypeParam;
  check_binary<T>("divide", Op::divide, [](Wide x, Wide y) { return y == 0 ? Wide{-1} : x / y; });
  check_binary<T>("remainder", Op::remainder, [](Wide x, Wide y) { return y == 0 ? x : x % y; });
}

TYPED_TEST(IntegerElements, constants_are_operands_like_others) {
  using T = TypeParam;
  for (int constant : {0, 1, -1, 3, -7, 8, 100}) {
    const auto y = static_cast<T>(constant);
    const Wide wide = static_cast<Wide>(y);
    const auto check = [&](const std::string& name, Op op, auto reference) {
      check_element<T, T>(name + " " + std::to_string(constant),
                          {op, ir::NoAttributes{}, static_cast<std::uint64_t>(constant)},
                          [&](T x) { return static_cast<T>(reference(static_cast<Wide>(x))); });
    };
    check("divide", Op::divide, [&](Wide x) { return wide == 0 ? Wide{-1} : x / wide; });
    check("remainder", Op::remainder, [&](Wide x) { return wide == 0 ? x : x % wide; });
    check("shift_left", Op::shift_left, [&](Wide x) {
      const bool fits = wide >= 0 && wide < width<T>;
      return fits ? static_cast<unsigned __int128>(x) << static_cast<int>(wide) : 0;
    });
    check("power", Op::power, [&](Wide x) { return power(static_cast<T>(x), y); });
  }
}

TYPED_TEST(IntegerElements, high_half_of_the_product) {
  using T = TypeParam;
  check_binary<T>("mulhi", Op::mulhi, [](Wide x, Wide y) {
    using U = unsigned __int128;
    const U product = static_cast<U>(x) * static_cast<U>(y);
    return std::is_signed_v<T> ? static_cast<Wide>(product) >> width<T>
                               : static_cast<Wide>(product >> width<T>);
  });
}

TYPED_TEST(IntegerElements, extremes) {
  using T = TypeParam;
  check_binary<T>("maximum", Op::maximum, [](Wide x, Wide y) { return x > y ? x : y; });
  check_binary<T>("minimum", Op::minimum, [](Wide x, Wide y) { return x < y ? x : y; });
  check_element<T, T, T, T>("clamp", {Op::clamp},
                            [](T low, T x, T high) { return std::min(std::max(x, low), high); });
}

TYPED_TEST(IntegerElements, bits) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  check_binary<T>("and", Op::and_, [](Wide x, Wide y) { return x & y; });
  check_binary<T>("or", Op::or_, [](Wide x, Wide y) { return x | y; });
  check_binary<T>("xor", Op::xor_, [](Wide x, Wide y) { return x ^ y; });
  check_unary<T>("not", Op::not_, [](Wide x) { return ~x; });
  check_element<T, T>("popcnt", {Op::popcnt}, [](T x) {
    int count = 0;
    for (int bit = 0; bit < width<T>; ++bit) count += static_cast<int>((static_cast<U>(x) >> bit) & 1);
    return static_cast<T>(count);
  });
  check_element<T, T>("count_leading_zeros", {Op::count_leading_zeros}, [](T x) {
    int count = 0;
    while (count < width<T> && ((static_cast<U>(x) >> (width<T> - 1 - count)) & 1) == 0) ++count;
    return static_cast<T>(count);
  });
}

TYPED_TEST(IntegerElements, shifts_out_of_range_are_defined) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const auto fits = [](Wide y) { return y >= 0 && y < width<T>; };
  check_binary<T>("shift_left", Op::shift_left, [&](Wide x, Wide y) {
    return fits(y) ? static_cast<unsigned __int128>(x) << static_cast<int>(y) : 0;
  });
  check_binary<T>("shift_right_logical", Op::shift_right_logical, [&](Wide x, Wide y) {
    return fits(y) ? static_cast<Wide>(static_cast<U>(x)) >> static_cast<int>(y) : 0;
  });
  check_binary<T>("shift_right_arithmetic", Op::shift_right_arithmetic, [&](Wide x, Wide y) {
    const auto as_signed = static_cast<Wide>(static_cast<std::make_signed_t<T>>(x));
    return as_signed >> (fits(y) ? static_cast<int>(y) : 127);
  });
}

TYPED_TEST(IntegerElements, comparisons) {
  using T = TypeParam;
  const auto kind = std::is_signed_v<T> ? ir::CompareKind::SIGNED : ir::CompareKind::UNSIGNED;
  const auto check = [&](ir::Direction direction, auto reference) {
    check_element<bool, T, T>("compare", {Op::compare, ir::CompareAttributes{direction, kind}}, reference);
  };
  check(ir::Direction::EQ, [](T x, T y) { return x == y; });
  check(ir::Direction::NE, [](T x, T y) { return x != y; });
  check(ir::Direction::LT, [](T x, T y) { return x < y; });
  check(ir::Direction::LE, [](T x, T y) { return x <= y; });
  check(ir::Direction::GT, [](T x, T y) { return x > y; });
  check(ir::Direction::GE, [](T x, T y) { return x >= y; });
  check_element<T, bool, T, T>("select", {Op::select}, [](bool p, T x, T y) { return p ? x : y; });
}

TEST(BooleanElements, every_row) {
  const auto check = [](const std::string& name, Op op, auto reference) {
    check_element<bool, bool, bool>(name, {op}, reference);
  };
  check("add", Op::add, [](bool x, bool y) { return x || y; });
  check("multiply", Op::multiply, [](bool x, bool y) { return x && y; });
  check("maximum", Op::maximum, [](bool x, bool y) { return x || y; });
  check("minimum", Op::minimum, [](bool x, bool y) { return x && y; });
  check("and", Op::and_, [](bool x, bool y) { return x && y; });
  check("or", Op::or_, [](bool x, bool y) { return x || y; });
  check("xor", Op::xor_, [](bool x, bool y) { return x != y; });
  check_element<bool, bool>("not", {Op::not_}, [](bool x) { return !x; });
  check_element<bool, bool, bool, bool>("select", {Op::select},
                                        [](bool p, bool x, bool y) { return p ? x : y; });
  const auto compare = [](ir::Direction direction) {
    return Operation{Op::compare, ir::CompareAttributes{direction, ir::CompareKind::UNSIGNED}};
  };
  check_element<bool, bool, bool>("EQ", compare(ir::Direction::EQ), [](bool x, bool y) { return x == y; });
  check_element<bool, bool, bool>("LT", compare(ir::Direction::LT), [](bool x, bool y) { return x < y; });
  check_element<bool, bool, bool>("GE", compare(ir::Direction::GE), [](bool x, bool y) { return x >= y; });
}

}  // namespace
}  // namespace weft::codegen
