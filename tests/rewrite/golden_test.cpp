// Golden tests of the passes: tests/rewrite/<pass>.mlir holds cases, each a module and what the pass makes of
// it. GOLDEN=update writes the second parts anew. Both modules are interpreted too, and must give the same
// bits.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/build.h"
#include "compiler/rewrite/rewrite.h"
#include "compiler/text/text.h"
#include "tests/rewrite/arguments.h"

namespace weft::rewrite {
namespace {

const std::string kCase = "// case ", kBecomes = "// becomes";

struct Case {
  std::string name, before, after;
};
struct Golden {
  std::string opening;  // the comment before the first case
  std::vector<Case> cases;
};

Golden read(const std::string& path) {
  std::ifstream file(path);
  Golden golden;
  bool is_after = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kCase)) {
      golden.cases.push_back({line.substr(kCase.size()), {}, {}});
      is_after = false;
    } else if (line == kBecomes) {
      is_after = true;
    } else if (golden.cases.empty()) {
      golden.opening += line + "\n";
    } else {
      (is_after ? golden.cases.back().after : golden.cases.back().before) += line + "\n";
    }
  }
  return golden;
}

void write(const std::string& path, const Golden& golden) {
  std::ofstream file(path);
  file << golden.opening;
  for (const Case& each : golden.cases)
    file << kCase << each.name << "\n" << each.before << kBecomes << "\n" << each.after;
}

ir::Graph run(std::string_view pass, const ir::Graph& graph) {
  const CompileOptions options;
  Ledger ledger;
  Context context{options, ledger};
  ir::Graph result = find_pass(pass)->run(graph, context);
  ir::verify(result, pass);
  result = find_pass("remove_dead_nodes")->run(result, context);
  ir::verify(result, "remove_dead_nodes");
  return result;
}

void expect_same_bits(const ir::Graph& before, const ir::Graph& after) {
  for (int seed = 0; seed < 6; ++seed) {
    const std::vector<ir::Literal> arguments = arguments_of(before, seed);
    const std::vector<ir::Literal> want = interpreter::interpret(before, arguments);
    const std::vector<ir::Literal> got = interpreter::interpret(after, arguments);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(same_bits(got[i], want[i])) << "result " << i << " differs, arguments " << seed;
  }
}

class GoldenTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTest, pass_gives_the_text_and_keeps_every_bit) {
  const std::string path = std::string(WEFT_SOURCE_DIR) + "/tests/rewrite/" + GetParam() + ".mlir";
  Golden golden = read(path);
  ASSERT_FALSE(golden.cases.empty()) << path;
  const char* mode = std::getenv("GOLDEN");
  const bool updates = mode && std::string(mode) == "update";
  for (Case& each : golden.cases) {
    SCOPED_TRACE(each.name);
    const ir::Graph before = text::parse(each.before, path);
    const ir::Graph after = run(GetParam(), before);
    const std::string got = text::print(after);
    if (updates) each.after = got;
    EXPECT_EQ(got, each.after);
    expect_same_bits(before, after);
  }
  if (updates) write(path, golden);
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const PassInfo& pass : passes()) names.emplace_back(pass.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(passes, GoldenTest, testing::ValuesIn(pass_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft::rewrite
