// Arrays print as NumPy prints them.
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include <weft/array.h>
#include <weft/fmt.h>

#include "frontend/array_state.h"

namespace weft {
namespace {

template <class T>
Array make(const Shape& shape, std::vector<T> values) {
  const ShapeDtype type{shape, dtype_of<T>()};
  return frontend::concrete(type, runtime::Buffer::copy_of(values.data(), values.size() * sizeof(T)));
}

std::string print(const Array& x) {
  std::ostringstream out;
  out << x;
  EXPECT_EQ(out.str(), fmt::format("{}", x));
  return out.str();
}

TEST(Printing, Floats) {
  EXPECT_EQ(print(make<double>({3}, {1, 2.5, -3})), "[ 1.   2.5 -3. ]");
  EXPECT_EQ(print(make<float>({2}, {0.1f, 1.0f / 3})), "[0.1        0.33333334]");
  EXPECT_EQ(print(make<double>({2}, {1.0 / 3, 100})), "[  0.33333333 100.        ]");
  EXPECT_EQ(print(make<double>({3}, {1e-5, 1, 2})), "[1.e-05 1.e+00 2.e+00]");
  EXPECT_EQ(print(make<double>({2}, {1.5e10, -2})), "[ 1.5e+10 -2.0e+00]");
  EXPECT_EQ(print(make<double>({4}, {NAN, INFINITY, -INFINITY, 1})), "[ nan  inf -inf   1.]");
  EXPECT_EQ(print(make<double>({}, {0.1})), "0.1");
  EXPECT_EQ(print(make<double>({}, {3})), "3.0");
  EXPECT_EQ(print(make<double>({}, {1e20})), "1e+20");
  EXPECT_EQ(print(make<bfloat16>({2}, {bfloat16(0.1f), bfloat16(2.0f)})), "[0.1 2. ]");
}

TEST(Printing, IntegersBooleansAndRanks) {
  EXPECT_EQ(print(make<std::int32_t>({2, 2}, {1, -20, 3, 4})), "[[  1 -20]\n [  3   4]]");
  EXPECT_EQ(print(make<std::int8_t>({1, 2, 2}, {1, 2, 3, 4})), "[[[1 2]\n  [3 4]]]");
  EXPECT_EQ(print(make<std::uint64_t>({1}, {~0ull})), "[18446744073709551615]");
  EXPECT_EQ(print(make<std::uint8_t>({0}, {})), "[]");
  std::vector<std::int32_t> blocks(8);
  EXPECT_EQ(print(make<std::int32_t>({2, 2, 2}, blocks)), "[[[0 0]\n  [0 0]]\n\n [[0 0]\n  [0 0]]]");
}

TEST(Printing, LongArraysAreCutAndWrapped) {
  std::vector<std::int32_t> many(1001);
  for (int i = 0; i < 1001; ++i) many[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(print(make<std::int32_t>({1001}, many)), "[   0    1    2 ...  998  999 1000]");
  std::vector<std::int32_t> thirty(30);
  for (int i = 0; i < 30; ++i) thirty[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(print(make<std::int32_t>({30}, thirty)),
            "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]");
}

TEST(Printing, HandlesWithoutValue) {
  EXPECT_EQ(print(Array()), "<no array>");
  EXPECT_EQ(print(frontend::abstract({{2, 3}, f32})), "<traced f32[2,3]>");
}

}  // namespace
}  // namespace weft
