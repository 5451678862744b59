// Reductions whose bodies are not one standard operation: bodies that do not commute or associate are applied
// in order, selections find the first, last or smallest position in every spelling.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/interpreter/interpreter.h"
#include "tests/programs/bodies.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Dims;
using ir::Direction;
using ir::Op;
using ir::ValueId;

struct Domain {
  Shape shape;
  Dims axes;
};
const Domain kDomains[] = {
    {{0}, {0}},     {{1}, {0}},       {{2}, {0}},      {{17}, {0}},         {{300}, {0}},
    {{6, 21}, {0}}, {{6, 21}, {1}},   {{5, 0}, {1}},   {{3, 4, 5}, {0, 2}}, {{9, 40}, {0, 1}},
    {{4099}, {0}},  {{131, 21}, {0}}, {{70, 40}, {0}}, {{3, 1100}, {1}},    {{2, 40, 3, 17}, {1, 2}}};

// --- bodies that must be applied in order ---

constexpr std::int64_t kBlock = 4096;  // within it the order is that of a left fold, whatever the body

class InOrderBodies : public testing::TestWithParam<DType> {};

TEST_P(InOrderBodies, give_the_bits_of_a_left_fold) {
  const DType dtype = GetParam();
  std::size_t number = 0;
  for (const InOrder& row : in_order_bodies())
    for (const Domain& domain : kDomains) {
      // Floating-point products associate only nearly.
      if (domain.shape.size() > kBlock && (!row.associates || (is_floating(dtype) && row.count > 1)))
        continue;
      SCOPED_TRACE(testing::Message() << row.name << " " << domain.shape.to_string() << " over "
                                      << testing::PrintToString(domain.axes));
      Program program;
      for (ValueId result : reduce_in_order(program, row, {domain.shape, dtype}, domain.axes))
        program.returns(result);
      const Values kind = is_floating(dtype) ? Values::near_one : Values::ordinary;
      expect_same(program.graph, arguments_of(program.graph, 11, kind),
                  {targets()[number % targets().size()], 1 + static_cast<int>(number % 3)});
      ++number;
    }
}

INSTANTIATE_TEST_SUITE_P(sweep, InOrderBodies,
                         testing::Values(DType::i32, DType::u8, DType::i64, DType::f32, DType::f64,
                                         DType::f16),
                         [](const auto& type) { return std::string(name_of(type.param)); });

// Bodies may read scalars from around them: an argument, a constant, what another reduction gave.
TEST(CapturedValues, are_read_by_the_body) {
  for (const Domain& domain : kDomains)
    for (int opt_level : {0, 2}) {
      Program program;
      Builder& b = program.builder;
      const ValueId x = program.argument({domain.shape, DType::i32}),
                    bound = program.argument({{}, DType::i32});
      Dims all;
      for (int axis = 0; axis < domain.shape.rank(); ++axis) all.push_back(axis);
      const ValueId total = b.reduce(x, b.scalar(DType::i32, 0), all, Op::add),
                    five = b.scalar(DType::i32, 5);
      for (ValueId result :
           reduce_by(b, {x}, {b.scalar(DType::i32, -100)}, domain.axes, [&](Builder&in, const auto&v) {
             const ValueId limited = in.op(Op::minimum, {in.op(Op::minimum, {v[1], bound}), total});
             return std::vector{in.op(Op::maximum, {v[0], in.op(Op::minimum, {limited, five})})};
           }))
        program.returns(result);
      expect_same(program.graph, arguments_of(program.graph, 3, Values::small), {"", 1, opt_level});
    }
}

// --- selections ---

// Keys equal as numbers (a tie of zeros may give either), positions equal.
void expect_same_choice(const ir::Graph& graph, const std::vector<ir::Literal>& arguments,
                        const Setting& setting) {
  const auto want = interpreter::interpret(graph, arguments);
  const Outcome got = run(graph, arguments, setting);
  for (std::size_t k = 0; k + 1 < want.size(); k += 2)
    for (std::int64_t i = 0; i < want[k].type.size(); ++i) {
      const bool equal = number_at(got.results[k], i) == number_at(want[k], i) ||
                         ulps_between(got.results[k], want[k], i) == 0;
      EXPECT_TRUE(equal) << "key " << i << ": got " << show(got.results[k], i) << ", want "
                         << show(want[k], i) << "\n"
                         << got.loops;
      EXPECT_EQ(number_at(got.results[k + 1], i), number_at(want[k + 1], i))
          << "position " << i << " on " << setting.target << "\n"
          << got.loops;
    }
}

void check_selection(const Spelling& row, const Domain& domain, DType key, DType index, const ir::Literal& x,
                     const Setting& setting) {
  SCOPED_TRACE(testing::Message() << row.name << " of " << key << domain.shape.to_string() << " over "
                                  << testing::PrintToString(domain.axes) << " with " << setting.threads
                                  << " threads");
  Program program;
  Builder& b = program.builder;
  const ValueId argument = program.argument({domain.shape, key});
  const std::int64_t axis = domain.axes.back();
  const bool is_minimum = row.direction == Direction::LT;
  const double worst = is_floating(key)   ? (is_minimum ? HUGE_VAL : -HUGE_VAL)
                       : is_minimum       ? 100
                       : is_unsigned(key) ? 0
                                          : -100;
  for (ValueId result : reduce_by(b, {argument, b.iota(index, domain.shape, axis)},
                                  {b.scalar(key, worst), b.scalar(index, 0)}, domain.axes, selection(row)))
    program.returns(result);
  expect_same_choice(program.graph, {x}, setting);
}

TEST(Selections, find_what_a_left_fold_finds_in_every_type) {
  std::size_t number = 0;
  for (const Spelling& row : spellings())
    for (DType key : {DType::f32, DType::f16, DType::f64, DType::i8, DType::u32})
      for (const Domain& domain : kDomains)
        for (Values kind : {Values::special, Values::small}) {
          if (number++ % 2 == 1 && key != DType::f32) continue;  // half of the mixtures are enough
          const DType index = number % 4 < 2 ? DType::i32 : DType::i64;
          check_selection(row, domain, key, index, values({domain.shape, key}, 5, kind),
                          {targets()[number % targets().size()], 1 + static_cast<int>(number % 3)});
        }
}

TEST(Selections, see_nan_ties_and_zeros_wherever_they_are) {
  constexpr std::int64_t length = 100;
  const double nan = std::nan("");
  for (const Spelling& row : spellings())
    for (const auto& [value, places] : {std::pair{nan, std::vector<int>{0}},
                                        {nan, {50}},
                                        {nan, {99}},
                                        {nan, {3, 64, 98}},
                                        {-50.0, {17, 18, 80}},
                                        {50.0, {0, 99}},
                                        {-HUGE_VAL, {7, 90}},
                                        {HUGE_VAL, {31}}}) {
      ir::Literal x = values({Shape{length}, DType::f32}, 8, Values::ordinary);
      auto* data = reinterpret_cast<float*>(x.buffer.data());
      for (int place : places) data[place] = static_cast<float>(value);
      check_selection(row, {Shape{length}, {0}}, DType::f32, DType::i32, x, {});
    }
  for (const Spelling& row : spellings())
    check_selection(row, {Shape{64}, {0}}, DType::f32, DType::i32,
                    literal_of(DType::f32, Shape{64}, {0.0, -0.0, -0.0, 0.0}), {});
  for (const Spelling& row : spellings())
    check_selection(row, {Shape{64}, {0}}, DType::f32, DType::i32, literal_of(DType::f32, Shape{64}, {nan}),
                    {});
}

}  // namespace
}  // namespace weft::sweep
