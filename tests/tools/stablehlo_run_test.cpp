// StableHLO's own programs through the tool: each holds its check, or is refused for what Weft does not have.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/tools/tool.h"

namespace weft::tool {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = WEFT_STABLEHLO_TESTS;

// Names of programs that a correct implementation may fail: "name | reason" a line.
std::set<std::string> exempt_programs() {
  std::set<std::string> names;
  std::ifstream stream(kFolder / "EXEMPT.txt");
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with("#")) names.insert(line.substr(0, line.find(' ')));
  return names;
}

std::vector<fs::path> programs() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder / "testdata"))
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void expect_checks_hold(const std::string& options) {
  if (!fs::exists(kFolder / "testdata")) GTEST_SKIP() << "StableHLO's test programs are not in " << kFolder;
  const std::set<std::string> exempt = exempt_programs();
  int held = 0;
  for (const fs::path& path : programs()) {
    const Said said = weft("run '" + path.string() + "'" + options);
    const bool is_refused = said.status == 2 && contains(said.err, "error: ");
    if (said.status == 0) ++held;
    EXPECT_TRUE(said.status == 0 || is_refused || exempt.contains(path.stem().string()))
        << path << " ends with " << said.status << ": " << said.err;
    EXPECT_FALSE(contains(said.err, "internal error")) << path << ": " << said.err;
  }
  EXPECT_GE(held, 620);
}

TEST(StableHloRun, CompiledChecksHold) { expect_checks_hold(""); }
TEST(StableHloRun, InterpretedChecksHold) { expect_checks_hold(" --engine=interpreter"); }

}  // namespace
}  // namespace weft::tool
