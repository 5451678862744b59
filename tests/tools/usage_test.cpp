// What the tool says when it is asked wrongly, for help, or about itself; errors in programs and where they
// are.
#include <gtest/gtest.h>

#include "compiler/ir/ir.h"
#include "compiler/rewrite/rewrite.h"
#include "tests/tools/tool.h"

namespace weft::tool {
namespace {

TEST(Usage, HelpIsEverywhere) {
  const Said all = weft("--help");
  EXPECT_EQ(all.status, 0);
  for (const std::string command : {"run", "opt", "explain", "passes", "ops"}) {
    EXPECT_TRUE(contains(all.out, "\n  " + command + " ")) << all.out;
    const Said said = weft(command + " --help");
    EXPECT_EQ(said.status, 0) << command;
    EXPECT_TRUE(contains(said.out, "Usage: weft " + command)) << said.out;
    EXPECT_EQ(said.err, "") << command;
  }
}

TEST(Usage, VersionNamesLlvmToo) {
  const Said said = weft("--version");
  EXPECT_EQ(said.status, 0);
  EXPECT_TRUE(said.out.starts_with("weft ")) << said.out;
  EXPECT_TRUE(contains(said.out, "\nLLVM ")) << said.out;
  EXPECT_TRUE(contains(said.out, "\nhost ")) << said.out;
}

TEST(Usage, WrongCommandLinesAreTold) {
  for (const char* arguments :
       {"", "frobnicate", "run", "opt", "explain", "opt --magic energy.mlir", "run energy.mlir --time 0",
        "run energy.mlir --time soon", "run energy.mlir --engine=steam", "run energy.mlir --input",
        "passes energy.mlir", "opt energy.mlir energy.mlir"}) {
    const Said said = weft(arguments);
    EXPECT_EQ(said.status, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    EXPECT_TRUE(said.err.starts_with("weft: error: ")) << arguments << ": " << said.err;
  }
}

TEST(Usage, FilesThatCannotBeReadAreTold) {
  for (const char* command : {"run", "opt", "explain"}) {
    const Said missing = weft(std::string(command) + " nothing.mlir");
    EXPECT_EQ(missing.status, 2);
    EXPECT_EQ(missing.err, "weft: error: there is no file nothing.mlir\n");
    const Said folder = weft(std::string(command) + " .");
    EXPECT_EQ(folder.status, 2);
    EXPECT_EQ(folder.err, "weft: error: . is a directory, not a program\n");
    const Said empty = weft(std::string(command) + " - </dev/null");
    EXPECT_EQ(empty.status, 2);
    EXPECT_TRUE(empty.err.starts_with("<stdin>:1:1: error: ")) << empty.err;
  }
}

TEST(Usage, ErrorsOfProgramsShowTheLine) {
  for (const char* command : {"run", "opt", "explain"}) {
    const auto error = [&](const std::string& program) {
      const Said said = weft(std::string(command) + " " + program);
      EXPECT_EQ(said.status, 2) << program;
      EXPECT_EQ(said.out, "") << program;
      return said.err;
    };
    EXPECT_EQ(error("undefined.mlir"),
              "undefined.mlir:2:26: error: %z is not defined before its use\n"
              "  %y = stablehlo.add %x, %z : tensor<3xf32>\n"
              "                         ^\n");
    const std::string type = error("wrong_shape.mlir");
    EXPECT_TRUE(type.starts_with("wrong_shape.mlir:2:8: error: stablehlo.add: ")) << type;
    EXPECT_TRUE(contains(type, "f32[3], f32[4]")) << type;
    EXPECT_TRUE(type.ends_with("\n       ^\n")) << type;
    EXPECT_TRUE(error("recursive.mlir").starts_with("recursive.mlir:2:8: error: V5: "));
  }
}

TEST(Usage, OutputThatCannotBeWrittenIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const Scratch scratch;
  const std::string command = std::string("'") + WEFT_TOOL + "' passes >/dev/full 2>" + scratch / "err";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_EQ(content_of(scratch / "err"), "weft: error: cannot write to standard output\n");
}

TEST(Lists, NameEveryPassAndOperation) {
  const std::string passes = weft("passes").out, operations = weft("ops").out;
  for (const rewrite::PassInfo& pass : rewrite::passes()) {
    EXPECT_TRUE(contains(passes, std::string(pass.name) + " ")) << pass.name;
    EXPECT_TRUE(contains(passes, std::string(pass.summary))) << pass.name;
  }
  for (const ir::Op op : ir::all_ops()) {
    EXPECT_TRUE(contains(operations, std::string(ir::info_of(op).text) + " ")) << ir::info_of(op).text;
    EXPECT_TRUE(contains(operations, std::string(ir::info_of(op).summary))) << ir::info_of(op).text;
  }
  EXPECT_TRUE(contains(operations, "stablehlo.and                      b1 i8..i64 u8..u64 "));
}

}  // namespace
}  // namespace weft::tool
