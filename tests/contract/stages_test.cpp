// Section 3 of the interface: lower, compile, call, and what the stages tell.
#include <iostream>
#include <map>

#include "tests/contract/contract.h"
#include "tests/contract/count_allocations.h"

namespace contract {
namespace {

using namespace weft;

auto scaled_sum() {
  return jit([](Array x, Array k) { return std::pair{x * k, sum(x)}; });
}

TEST(Stages, LowerTakesArraysOrTypes) {
  const auto f = scaled_sum();
  const Lowered from_types = f.lower(ShapeDtype{{3}, f32}, ShapeDtype{{}, f32});
  const Lowered from_arrays = f.lower(zeros({3}), array(1.f));
  EXPECT_EQ(from_types.text(), from_arrays.text());
}

TEST(Stages, EvalShapeComputesNothing) {
  const auto [scaled, total] = eval_shape(
      [](Array x, Array k) {
        return std::pair{x * k, sum(x)};
      },
      ShapeDtype{{std::int64_t{1} << 40, 8}, f32}, ShapeDtype{{}, f64});
  EXPECT_EQ(scaled.type().to_string(), "f64[1099511627776,8]");
  EXPECT_EQ(total.type().to_string(), "f32[]");
  EXPECT_THROW((void)total.item<float>(), UserError);
  expect_message<ShapeError>(
      [] {
        eval_shape([](Array x) { return x + zeros({2}); }, ShapeDtype{{3}, f32});
      },
      {"add", "[3]", "[2]"});
}

TEST(Stages, LoweredTextIsStablehlo) {
  const Lowered l = scaled_sum().lower(zeros({3}), array(1.f));
  const std::string text = l.text();
  EXPECT_NE(text.find("func.func public @main"), std::string::npos) << text;
  EXPECT_NE(text.find("stablehlo.multiply"), std::string::npos) << text;
  EXPECT_NE(text.find("tensor<3xf32>"), std::string::npos) << text;
}

TEST(Stages, CompileTakesOptionsAndTheResultRuns) {
  const Lowered l = scaled_sum().lower(zeros({3}), array(1.f));
  const Compiled c = l.compile(CompileOptions{.opt_level = 0, .num_threads = 1, .verify_each = true});
  const auto [y, total] = c(array({1.f, 2.f, 3.f}), array(2.f));
  EXPECT_EQ(values(y), (Values{2, 4, 6}));
  EXPECT_EQ(values(total), (Values{6}));
}

TEST(Stages, AMismatchNamesTheArgument) {
  const Compiled c = scaled_sum().lower(zeros({3}), array(1.f)).compile();
  expect_message<TypeError>([&] { c(zeros({4}), array(1.f)); }, {"argument 0", "f32[4]", "f32[3]"});
  expect_message<TypeError>([&] { c(zeros({3}), array(1)); }, {"argument 1", "i32", "f32"});
}

TEST(Stages, CallIntoWritesIntoTheCallersBuffers) {
  const Compiled c = scaled_sum().lower(zeros({3}), array(1.f)).compile();
  std::vector<float> y(3);
  float total = 0;
  c.call_into({y, std::span(&total, 1)}, array({1.f, 2.f, 3.f}), array(2.f));
  EXPECT_EQ(y, (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(total, 6);
}

TEST(Stages, CallIntoAllocatesNothing) {
  const Compiled c = scaled_sum().lower(zeros({300}), array(1.f)).compile({.num_threads = 1});
  const Array x = ones({300}), k = array(3.f);
  std::vector<float> y(300), total(1);
  c.call_into({y, total}, x, k);
  const std::size_t before = allocation_count();
  for (int i = 0; i < 10; ++i) c.call_into({y, total}, x, k);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(total[0], 300);
  c(x, k);
  EXPECT_GT(allocation_count(), before) << "allocations are not counted";
}

TEST(Stages, TextOfEveryStage) {
  const Compiled c = scaled_sum().lower(zeros({3}), array(1.f)).compile();
  const std::map<IrStage, std::string> parts = {{IrStage::traced, "stablehlo.reduce"},
                                                {IrStage::optimized, "stablehlo.multiply"},
                                                {IrStage::loops, "kernel @"},
                                                {IrStage::llvm, "define"},
                                                {IrStage::assembly, "ret"}};
  for (const auto& [stage, part] : parts)
    EXPECT_NE(c.text(stage).find(part), std::string::npos) << part << "\n" << c.text(stage);
}

TEST(Stages, ExplainIsPrintableAndIterable) {
  const auto f = jit([](Array x) { return (x + 0.f) * 1.f; });
  const Explanation explanation = f.lower(zeros({3})).compile().explain();
  std::size_t count = 0;
  for (const Rewrite& rewrite : explanation) {
    EXPECT_FALSE(rewrite.rule.empty());
    EXPECT_FALSE(rewrite.before.empty());
    EXPECT_FALSE(rewrite.text.empty());
    EXPECT_NE(rewrite.where.at(0).find("stages_test.cpp:"), std::string::npos);
    ++count;
  }
  EXPECT_GT(count, 0u);
  EXPECT_EQ(count, explanation.size());
  std::ostringstream out;
  out << f.lower(zeros({3})).compile().explain({.details = true});
  EXPECT_NE(out.str().find("stages_test.cpp:"), std::string::npos) << out.str();
}

TEST(Stages, MemoryCountsBytes) {
  const Memory memory = scaled_sum().lower(zeros({300}), array(1.f)).compile().memory();
  EXPECT_EQ(memory.argument_bytes, 1204);
  EXPECT_EQ(memory.result_bytes, 1204);
  EXPECT_GE(memory.peak_bytes, memory.argument_bytes + memory.result_bytes);
}

TEST(Stages, ADisabledPassIsNotApplied) {
  const Lowered l = jit([](Array x) { return sin(x) + sin(x); }).lower(zeros({3}));
  const auto sines = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("sine"); at != std::string::npos; at = text.find("sine", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(sines(l.compile().text(IrStage::optimized)), 1u);
  EXPECT_EQ(sines(l.compile({.disabled_passes = {"merge_equal_nodes"}}).text(IrStage::optimized)), 2u);
}

}  // namespace
}  // namespace contract
