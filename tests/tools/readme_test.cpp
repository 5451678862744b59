// The runs that README.md shows say what they say there.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/tools/tool.h"

namespace weft::tool {
namespace {

struct Shown {
  std::string arguments, output;
};

// The lines "$ weft arguments" and what follows them, up to the next one or the end of the block.
std::vector<Shown> shown_runs(const std::string& text) {
  std::vector<Shown> runs;
  bool is_open = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    if (line.starts_with("$ weft ")) {
      runs.push_back({line.substr(7), {}});
      is_open = true;
    } else if (line.starts_with("```")) {
      is_open = false;
    } else if (is_open) {
      runs.back().output += line + "\n";
    }
  }
  return runs;
}

TEST(Readme, RunsAreAsShown) {
  const std::string folder = WEFT_SOURCE_DIR;
  const std::vector<Shown> runs = shown_runs(content_of(folder + "/README.md"));
  ASSERT_GE(runs.size(), 3u);
  for (const Shown& shown : runs) {
    const Said said = weft(shown.arguments, folder);
    EXPECT_EQ(said.out + said.err, shown.output) << shown.arguments;
  }
}

std::string first_block(const std::string& text, const std::string& opening) {
  const std::size_t start = text.find(opening) + opening.size();
  return text.substr(start, text.find("```\n", start) - start);
}

TEST(Readme, ProgramIsTheFirstExampleAndPrintsWhatIsShown) {
  const std::string folder = WEFT_SOURCE_DIR;
  const std::string readme = content_of(folder + "/README.md");
  EXPECT_EQ(first_block(readme, "```cpp\n"), content_of(folder + "/examples/01_first_steps.cpp"));
  const Said said = run_in_shell("'" WEFT_FIRST_EXAMPLE "'", folder);
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(first_block(readme, "01_first_steps.cpp))\n\n```\n"), said.out);
}

}  // namespace
}  // namespace weft::tool
