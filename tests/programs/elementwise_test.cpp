// Every elementwise operation on every type that it accepts, at lengths around the vector's, on arguments and
// on constants: the bits of the interpreter where the operation is exact, else near it.
#include <gtest/gtest.h>

#include "compiler/interpreter/interpreter.h"
#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Op;
using ir::ValueId;

constexpr std::int64_t kLengths[] = {0, 1, 3, 8, 17, 1000};
constexpr std::size_t kRowsAtOnce = 8;

// Units in the last place that a row may be off the correctly rounded value.
std::uint64_t bound_of(Op op) {
  switch (static_cast<int>(op)) {
    case static_cast<int>(Op::power):
    case static_cast<int>(Op::erf):
      return 4;
    default:
      return 2;
  }
}

enum class Form : std::uint8_t { arguments, left_is_constant, right_is_constant };

struct Case {
  Op op;
  std::int64_t length;
  ir::Literal x, y;
};

void check_rows(DType dtype, const std::vector<Op>& rows, Form form, const std::string& target, Values kind) {
  Program program;
  std::vector<ir::Literal> arguments;
  std::vector<Case> cases;
  const auto operand = [&](const ir::Literal& literal, bool is_constant) {
    if (is_constant) return program.builder.constant(literal);
    arguments.push_back(literal);
    return program.argument(literal.type);
  };
  for (std::int64_t length : kLengths) {
    const ir::Type type{Shape{length}, dtype};
    const auto seed = static_cast<std::uint32_t>(length + 1);
    const ir::Literal x = values(type, seed, kind), y = values(type, seed + 5000, kind);
    const ValueId left = operand(x, form == Form::left_is_constant);
    const ValueId right = operand(y, form == Form::right_is_constant);
    for (Op op : rows) {
      std::vector<ValueId> operands{left, right};
      operands.resize(static_cast<std::size_t>(ir::info_of(op).arity));
      program.returns(program.builder.op(op, operands));
      cases.push_back({op, length, x, y});
    }
  }
  const auto want = interpreter::interpret(program.graph, arguments);
  const Outcome got = run(program.graph, arguments, {target});
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& here = cases[k];
    const ValueId result = program.graph.region(program.body).results[k];
    const bool exact = interpreter::is_exact(program.graph, program.graph.value(result).node);
    EXPECT_EQ(difference(got.results[k], want[k], exact ? 0 : bound_of(here.op),
                         [&](std::int64_t i) {
                           const std::string first = show(here.x, i);
                           return ir::info_of(here.op).arity == 1 ? first : first + ", " + show(here.y, i);
                         }),
              "")
        << ir::info_of(here.op).text << " of " << dtype << "[" << here.length << "] on " << target << " form "
        << static_cast<int>(form);
  }
}

std::vector<std::vector<Op>> rows_of(DType dtype) {
  std::vector<std::vector<Op>> chunks;
  for (Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op) || !ir::accepts(op, dtype)) continue;
    if (chunks.empty() || chunks.back().size() == kRowsAtOnce) chunks.emplace_back();
    chunks.back().push_back(op);
  }
  return chunks;
}

class Elementwise : public testing::TestWithParam<DType> {};

TEST_P(Elementwise, rows_are_as_interpreted) {
  for (const std::vector<Op>& rows : rows_of(GetParam()))
    for (const std::string& target : targets())
      check_rows(GetParam(), rows, Form::arguments, target,
                 target == targets()[0] ? Values::special : Values::sparse);
}

TEST_P(Elementwise, rows_of_constants_are_as_interpreted) {
  for (const std::vector<Op>& rows : rows_of(GetParam()))
    for (Form form : {Form::left_is_constant, Form::right_is_constant})
      check_rows(GetParam(), rows, form, targets()[0], Values::special);
}

INSTANTIATE_TEST_SUITE_P(sweep, Elementwise, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace weft::sweep
