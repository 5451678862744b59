// A page of docs/ that the library itself writes: compared with the committed file, or written there on
// request.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace weft::testing {

// With WEFT_WRITE_DOCS set (the target weft_docs) the file is written.
inline void expect_committed(const std::string& name, const std::string& page) {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/docs/" + name;
  if (std::getenv("WEFT_WRITE_DOCS")) {
    std::ofstream(path) << page;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path << " is missing: build the target weft_docs";
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), page) << path << " is out of date: build the target weft_docs";
}

}  // namespace weft::testing
