// What the tests of the front end share.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <weft/weft.h>

namespace weft::testing {

// The elements in row-major order as doubles.
inline std::vector<double> values(const Array& x) {
  const Array wide = x.astype(f64);
  return wide.to_vector<double>();
}

using Values = std::vector<double>;

inline void expect_near(const Array& x, const Values& wanted, double tolerance) {
  const Values got = values(x);
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(wanted[i]))
      EXPECT_TRUE(std::isnan(got[i])) << "element " << i;
    else
      EXPECT_NEAR(got[i], wanted[i], tolerance) << "element " << i;
  }
}

template <class Error, class F>
void expect_message(F&& f, const std::vector<std::string>& parts) {
  try {
    f();
    ADD_FAILURE() << "no exception";
  } catch (const Error& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
          << error.what() << "\nlacks " << part;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
  }
}

}  // namespace weft::testing
