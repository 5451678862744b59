// StableHLO's own test programs: those made of known operations and types parse and survive a round trip; the
// others are refused with a position.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

#include <weft/error.h>

#include "compiler/text/text.h"
#include "tests/text/same_graph.h"

namespace weft::text {
namespace {

namespace fs = std::filesystem;

struct Section {
  std::string name, text;
};

std::vector<Section> sections_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<Section> sections{{path.filename().string() + "#0", ""}};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("// -----"))
      sections.push_back({path.filename().string() + "#" + std::to_string(sections.size()), ""});
    else
      sections.back().text += line + "\n";
  }
  return sections;
}

bool is_known_operation(const std::string& name) {
  static const std::vector<std::string> structure = {"stablehlo.return",      "check.expect_eq",
                                                     "check.expect_eq_const", "check.expect_almost_eq",
                                                     "check.expect_close",    "check.expect_almost_eq_const"};
  return ir::op_from_text(name) || std::find(structure.begin(), structure.end(), name) != structure.end();
}

// The first operation or type of the text that the Graph does not have, or nothing.
std::string unknown_part(const std::string& text) {
  static const std::regex operation(
      "(^|[^#@!a-z_0-9.])((stablehlo|chlo|check|interpreter|func)\\.[a-z_0-9]+)");
  static const std::regex type(
      "complex<|\\?|!quant|!stablehlo|tuple<|[<x]u?i[24]>|f8E|f6E|f4E|tf32|vhlo|func.func private "
      "@[a-z_]+\\([^{]*$");
  std::smatch match;
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // Raw bytes are long and without names.
    if (const auto raw = line.find("\"0x"); raw != std::string::npos)
      line.erase(raw, line.find('"', raw + 1) - raw);
    code += line.substr(0, line.find("//")) + "\n";
  }
  for (auto at = code.cbegin(); std::regex_search(at, code.cend(), match, operation); at = match[0].second)
    if (match[2] != "func.func" && match[2] != "func.return" && !is_known_operation(match[2]))
      return match[2];
  if (std::regex_search(code, match, type)) return match[0];
  return {};
}

struct Counts {
  int parsed = 0, refused = 0, wrong = 0;
};

void check(const Section& section, Counts& counts) {
  if (section.text.find("func.func") == std::string::npos) return;
  const std::string unknown = unknown_part(section.text);
  try {
    const ir::Graph graph = parse(section.text, section.name);
    const std::string printed = print(graph);
    const ir::Graph back = parse(printed, "printed");
    EXPECT_EQ(difference(graph, back), "") << section.name;
    EXPECT_EQ(print(back), printed) << section.name;
    ++counts.parsed;
  } catch (const ParseError& error) {
    ++counts.refused;
    if (unknown.empty()) {
      ++counts.wrong;
      ADD_FAILURE() << error.what();
    }
    EXPECT_GT(error.line(), 0);
  }
}

TEST(StableHloPrograms, known_ones_survive_a_round_trip) {
  const fs::path folder = WEFT_STABLEHLO_TESTS;
  if (!fs::exists(folder)) GTEST_SKIP() << "no StableHLO programs at " << folder;
  Counts counts;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    for (const Section& section : sections_of(entry.path())) check(section, counts);
    if (counts.wrong > 20) break;
  }
  std::cout << counts.parsed << " programs parsed, " << counts.refused << " refused for what they use\n";
  EXPECT_GT(counts.parsed, 500);
}

}  // namespace
}  // namespace weft::text
