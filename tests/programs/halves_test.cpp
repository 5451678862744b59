// f16 and bf16: every operation rounds to the type, and both engines agree bit for bit.
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "compiler/interpreter/interpreter.h"
#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Op;
using ir::ValueId;

ir::Literal halves(DType dtype, const std::vector<std::uint16_t>& bits) {
  return {{Shape{bits.size()}, dtype}, runtime::Buffer::copy_of(bits.data(), 2 * bits.size()), false};
}

std::vector<std::uint16_t> all_bits() {
  std::vector<std::uint16_t> bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  return bits;
}

std::string differences(Op op, const std::vector<ir::Literal>& arguments, const std::string& target) {
  Program program;
  std::vector<ValueId> operands;
  for (const ir::Literal& argument : arguments) operands.push_back(program.argument(argument.type));
  program.returns(program.builder.op(op, operands));
  const ir::Literal want = interpreter::interpret(program.graph, arguments)[0];
  return difference(run(program.graph, arguments, {target}).results[0], want, 0, [&](std::int64_t i) {
    std::string text = show(arguments[0], i);
    if (arguments.size() > 1) text += ", " + show(arguments[1], i);
    return text;
  });
}

std::vector<Op> operations(DType dtype, int arity) {
  std::vector<Op> found;
  for (Op op : ir::all_ops())
    if (ir::is_elementwise(op) && ir::accepts(op, dtype) && ir::info_of(op).arity == arity) found.push_back(op);
  return found;
}

class Halves : public testing::TestWithParam<DType> {};

TEST_P(Halves, operations_of_one_operand_on_every_value) {
  const ir::Literal x = halves(GetParam(), all_bits());
  for (const std::string& target : targets())
    for (Op op : operations(GetParam(), 1)) EXPECT_EQ(differences(op, {x}, target), "") << ir::info_of(op).text << " on " << target;
}

// A third of the pairs have exponents near each other.
TEST_P(Halves, operations_of_two_operands_on_many_pairs) {
  constexpr int kPairs = 200'000;
  std::mt19937 random(3);
  std::vector<std::uint16_t> first, second;
  for (int i = 0; i < kPairs; ++i) {
    first.push_back(static_cast<std::uint16_t>(random()));
    second.push_back(static_cast<std::uint16_t>(i % 3 == 0 ? first.back() + random() % 4096 : random()));
  }
  for (Op op : operations(GetParam(), 2))
    EXPECT_EQ(differences(op, {halves(GetParam(), first), halves(GetParam(), second)}, ""), "") << ir::info_of(op).text;
}

// x*y + x*x - y, exp of that, over 7: every operation rounds, whether or not it runs in a kernel of its own.
TEST_P(Halves, chains_round_after_every_operation) {
  std::mt19937 random(5);
  std::vector<std::uint16_t> first, second;
  const std::uint16_t one = GetParam() == f16 ? 0x3c00 : 0x3f80;
  for (int i = 0; i < 50'000; ++i) {
    first.push_back(static_cast<std::uint16_t>(one + random() % 512 - 256));
    second.push_back(static_cast<std::uint16_t>(one + random() % 512 - 256));
  }
  const std::vector<ir::Literal> arguments{halves(GetParam(), first), halves(GetParam(), second)};
  Program program;
  ir::Builder& b = program.builder;
  const ValueId x = program.argument(arguments[0].type), y = program.argument(arguments[1].type);
  const ValueId sum = b.op(Op::subtract, {b.op(Op::add, {b.op(Op::multiply, {x, y}), b.op(Op::multiply, {x, x})}), y});
  program.returns(b.op(Op::divide, {b.op(Op::exponential, {sum}), b.splat(GetParam(), arguments[0].type.shape, 7)}));
  for (const std::string& target : targets()) EXPECT_EQ(expect_same(program.graph, arguments, {target}), 1);
}

INSTANTIATE_TEST_SUITE_P(sweep, Halves, testing::Values(f16, bf16),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace weft::sweep
