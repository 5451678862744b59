// What the contract tests share: values as doubles, and the parts that a message must have.
#pragma once

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <weft/weft.h>

namespace contract {

using Values = std::vector<double>;

inline Values values(const weft::Array& x) { return x.astype(weft::f64).to_vector<double>(); }

// The line after the one that calls it, as messages name it.
inline std::string next_line(const weft::Location& here = weft::Location::current()) {
  const std::string path = here.file_name();
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(here.line() + 1);
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

}  // namespace contract
