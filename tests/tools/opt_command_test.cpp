// weft opt and weft explain: stages, chosen passes, what is printed after each.
#include <gtest/gtest.h>

#include "tests/tools/tool.h"

namespace weft::tool {
namespace {

constexpr const char* kInlined =
    "module {\n"
    "  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>\n"
    "    %1 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>\n"
    "    %2 = stablehlo.add %0, %1 : tensor<3xf32>\n"
    "    return %2 : tensor<3xf32>\n"
    "  }\n"
    "}\n";
constexpr const char* kMerged =
    "module {\n"
    "  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>\n"
    "    %1 = stablehlo.add %0, %0 : tensor<3xf32>\n"
    "    return %1 : tensor<3xf32>\n"
    "  }\n"
    "}\n";

std::string output_of(const std::string& arguments) {
  const Said said = weft(arguments);
  EXPECT_EQ(said.status, 0) << arguments << ": " << said.err;
  EXPECT_EQ(said.err, "") << arguments;
  return said.out;
}

TEST(OptCommand, NoPassesGiveTheProgramBack) {
  for (const char* program :
       {"energy.mlir", "functions.mlir", "rewrites.mlir", "checks_hold.mlir", "bf16.mlir"}) {
    const Scratch scratch;
    const std::string once = output_of(std::string("opt --passes= ") + program);
    EXPECT_EQ(once, output_of(std::string("opt --stage=traced ") + program));
    std::ofstream(scratch / "once.mlir") << once;
    EXPECT_EQ(once, output_of("opt --passes= " + (scratch / "once.mlir"))) << program;
    EXPECT_EQ(once, output_of("opt --passes= - <" + (scratch / "once.mlir"))) << program;
  }
}

TEST(OptCommand, RunsTheChosenPassesInTheirOrder) {
  EXPECT_EQ(output_of("opt rewrites.mlir --passes=inline_calls"), kInlined);
  EXPECT_EQ(output_of("opt rewrites.mlir --passes=inline_calls,merge_equal_nodes"), kMerged);
  EXPECT_EQ(output_of("opt rewrites.mlir --passes=merge_equal_nodes,inline_calls"), kInlined);
  EXPECT_EQ(output_of("opt rewrites.mlir"), kMerged);
  EXPECT_EQ(output_of("opt rewrites.mlir --disable=merge_equal_nodes"), kInlined);
}

TEST(OptCommand, PrintsAfterEachPassThatChangedSomething) {
  const std::string wanted = std::string("// after inline_calls\n") + kInlined +
                             "// after merge_equal_nodes\n" + kMerged + "// result\n" + kMerged;
  EXPECT_EQ(
      output_of("opt rewrites.mlir --print-after-all --passes=inline_calls,fold_constants,merge_equal_nodes"),
      wanted);
  EXPECT_EQ(output_of("opt rewrites.mlir --print-after-all"), wanted);
}

TEST(OptCommand, PrintsLaterStages) {
  const std::string loops = output_of("opt energy.mlir --stage=loops");
  EXPECT_TRUE(contains(loops, "kernel @kernel_0(")) << loops;
  EXPECT_TRUE(contains(loops, "energy.mlir:4")) << loops;
  EXPECT_TRUE(contains(output_of("opt energy.mlir --stage=llvm"), "define i32 @weft_entry("));
  EXPECT_TRUE(contains(output_of("opt energy.mlir --stage=assembly --target=sse2"), "weft_entry:"));
  EXPECT_TRUE(contains(output_of("opt functions.mlir --passes= --stage=loops"), "kernel @kernel_0("));
  EXPECT_TRUE(contains(output_of("opt checks_fail.mlir --stage=loops"), "buffer"));
}

TEST(OptCommand, UnknownNamesAreTold) {
  const auto error = [](const std::string& arguments) {
    const Said said = weft("opt energy.mlir " + arguments);
    EXPECT_EQ(said.status, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    return said.err;
  };
  EXPECT_TRUE(contains(error("--passes=canonicalize,magic"), "magic, which is no pass"));
  EXPECT_TRUE(contains(error("--disable=magic"), "magic, which is no pass"));
  EXPECT_TRUE(contains(error("--stage=magic"), "magic not in {traced,optimized,loops,llvm,assembly}"));
  EXPECT_TRUE(contains(error("--passes=canonicalize --disable=canonicalize"), "excludes"));
  EXPECT_TRUE(contains(error("--stage=llvm --target=magic"), "magic"));
}

TEST(ExplainCommand, TellsFiringsWithTheirLines) {
  const std::string ledger = output_of("explain --details rewrites.mlir");
  EXPECT_TRUE(contains(ledger, "inline_calls: ")) << ledger;
  EXPECT_TRUE(contains(ledger, "merge_equal_nodes: ")) << ledger;
  EXPECT_TRUE(contains(ledger, "rewrites.mlir:3")) << ledger;
  EXPECT_TRUE(contains(ledger, "push_reshapes: ")) << ledger;
  EXPECT_TRUE(contains(ledger, "  before  ")) << ledger;
}

TEST(ExplainCommand, TellsHeadlinesInFullAndDetailsByCount) {
  const std::string summary = output_of("explain rewrites.mlir");
  EXPECT_TRUE(contains(summary, "fuse: one_pass [exact]")) << summary;
  EXPECT_TRUE(contains(summary, "details, one line a rule:\n")) << summary;
  EXPECT_TRUE(contains(summary, "  merge_equal_nodes: merge [exact]")) << summary;
  EXPECT_FALSE(contains(summary, "operations, ")) << summary;  // no times of passes
}

}  // namespace
}  // namespace weft::tool
