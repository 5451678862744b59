// The messages of exceptions: what was asked, why it cannot be, and the user's line.
#include <weft/error.h>

#include <gtest/gtest.h>

namespace {

TEST(Error, user_error_names_the_source_line_without_its_folder) {
  const auto where = weft::Location::current();
  const weft::ShapeError error("add: shapes [3] and [4] do not broadcast", where);
  const std::string want =
      "add: shapes [3] and [4] do not broadcast, at error_test.cpp:" + std::to_string(where.line());
  EXPECT_EQ(error.what(), want);
}

TEST(Error, every_error_is_a_weft_error) {
  EXPECT_THROW(throw weft::IndexError("index 5 of 3"), weft::UserError);
  EXPECT_THROW(throw weft::InternalError("verify V3"), weft::Error);
  EXPECT_EQ(weft::ParseError("bad", 3, 7).column(), 7);
}

}  // namespace
