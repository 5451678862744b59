// The custom_call targets check.*: what passes, what fails, and what the message says.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include <weft/error.h>

#include "tests/interpreter/program.h"

namespace weft::interpreter {
namespace {

using ir::Literal;

std::vector<Literal> run_target(const std::string& target, const std::vector<Literal>& operands) {
  Program program;
  std::vector<ir::ValueId> values;
  for (const Literal& operand : operands)
    values.push_back(program.argument(operand.type.shape, operand.type.dtype));
  std::vector<ir::Type> declared;
  if (target == "check.eq") declared.push_back({Shape{}, b1});
  program.builder.set_location(program.graph.add_location({"checks.mlir", 12, 3}));
  const ir::NodeId node =
      program.builder.node(ir::Op::custom_call, values, ir::CustomCallAttributes{target, true}, declared);
  program.returns(program.graph.node(node).results);
  return program.run(operands);
}
bool passes(const std::string& target, const std::vector<Literal>& operands) {
  try {
    run_target(target, operands);
  } catch (const ExecutionError&) {
    return false;
  }
  return true;
}

const float kNan = std::nanf(""), kInf = HUGE_VALF;

TEST(Checks, EqualIsOfIeee) {
  EXPECT_TRUE(passes("check.expect_eq", {row({1.0f, 0.0f, kInf}), row({1.0f, -0.0f, kInf})}));
  EXPECT_FALSE(passes("check.expect_eq", {row({kNan}), row({kNan})}));
  EXPECT_FALSE(passes("check.expect_eq", {row({1, 2}), row({1, 3})}));
  EXPECT_TRUE(passes("check.expect_eq", {row({true, false}), row({true, false})}));
  EXPECT_TRUE(passes("check.expect_eq", {row<float>({}), row<float>({})}));
  EXPECT_TRUE(passes("check.expect_eq", {row<complex64>({{1, -0.0f}}), row<complex64>({{1, 0}})}));
  EXPECT_FALSE(passes("check.expect_eq", {row<complex64>({{1, 2}}), row<complex64>({{1, 3}})}));
}

TEST(Checks, CloseCountsUlps) {
  const auto apart = [](int ulps) { return row({std::bit_cast<float>(0x3F800000 + ulps)}); };
  EXPECT_TRUE(passes("check.expect_close", {row({1.0f}), apart(3)}));
  EXPECT_FALSE(passes("check.expect_close", {row({1.0f}), apart(4)}));
  const Literal five = literal<std::int64_t>(Shape{}, {5}), four = literal<std::int64_t>(Shape{}, {4});
  EXPECT_TRUE(passes("check.expect_close", {row({1.0f}), apart(4), five}));
  EXPECT_FALSE(passes("check.expect_close", {row({1.0f}), apart(3), five, four}));
  EXPECT_TRUE(passes("check.expect_close", {row({0.0f, kNan, kInf}), row({-0.0f, -kNan, kInf})}));
  EXPECT_FALSE(passes("check.expect_close", {row({kInf}), row({-kInf})}));
  EXPECT_FALSE(passes("check.expect_close", {row({kInf}), row({3.4028235e38f})}));
  const float tiny = std::bit_cast<float>(1);
  EXPECT_TRUE(passes("check.expect_close", {row({tiny}), row({-tiny})}));
  EXPECT_FALSE(passes("check.expect_close", {row({tiny * 2}), row({-tiny * 2})}));
  EXPECT_TRUE(
      passes("check.expect_close", {row({float16::from_bits(0x3C00)}), row({float16::from_bits(0x3C03)})}));
  EXPECT_FALSE(passes("check.expect_close", {row<complex128>({{1, 1}}), row<complex128>({{1, 1.000001}})}));
  EXPECT_FALSE(passes("check.expect_close", {row({1}), row({1})}));
}

TEST(Checks, AlmostEqualIsAbsolute) {
  EXPECT_TRUE(passes("check.expect_almost_eq", {row({1.0, HUGE_VAL}), row({1.0009, HUGE_VAL})}));
  EXPECT_FALSE(passes("check.expect_almost_eq", {row({1.0}), row({1.0011})}));
  EXPECT_FALSE(passes("check.expect_almost_eq", {row({1e40}), row({1.0000001e40})}));
  EXPECT_TRUE(passes("check.expect_almost_eq", {row({kNan}), row({kNan})}));
  EXPECT_FALSE(passes("check.expect_almost_eq", {row({kInf}), row({1.0f})}));
  const Literal tolerance = literal<double>(Shape{}, {1e-6});
  EXPECT_FALSE(passes("check.expect_almost_eq", {row({1.0}), row({1.0001}), tolerance}));
}

TEST(Checks, VerdictIsAResult) {
  EXPECT_TRUE(run_target("check.eq", {row({1.0f}), row({1.00005f})})[0].at<bool>(0));
  EXPECT_FALSE(run_target("check.eq", {row({1.0f}), row({1.001f})})[0].at<bool>(0));
  EXPECT_FALSE(run_target("check.eq", {row({1}), row({2})})[0].at<bool>(0));
}

TEST(Checks, MessagesNameTheElementAndTheLine) {
  try {
    run_target("check.expect_eq", {literal<std::uint8_t>(Shape{2, 2}, {1, 2, 200, 4}),
                                   literal<std::uint8_t>(Shape{2, 2}, {1, 2, 201, 4})});
    FAIL() << "did not throw";
  } catch (const ExecutionError& error) {
    EXPECT_STREQ(error.what(), "check.expect_eq: element [1, 0] is 200, expected 201, at checks.mlir:12");
  }
  EXPECT_FALSE(passes("check.expect_eq", {row({1.0f}), row({1.0})}));
  EXPECT_FALSE(passes("check.expect_eq", {row({1.0f})}));
  EXPECT_FALSE(passes("somebody.else", {row({1.0f})}));
}

}  // namespace
}  // namespace weft::interpreter
