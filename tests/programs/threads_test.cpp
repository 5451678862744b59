// The bits of a result depend neither on the number of threads nor on the width of the vectors: reductions of
// every kind around the edges of blocks, along every axis, in order-dependent bodies, and elementwise rows.
#include <gtest/gtest.h>

#include <cmath>

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
const Domain kVectors[] = {{{4095}, {0}}, {{4096}, {0}}, {{4097}, {0}}, {{8193}, {0}}, {{1'000'003}, {0}}};
const Domain kMatrices[] = {{{4097, 5}, {0}},     {{4097, 5}, {1}},       {{5, 4097}, {0}},
                            {{5, 4097}, {1}},     {{300, 301}, {0}},      {{300, 301}, {1}},
                            {{300, 301}, {0, 1}}, {{70, 9, 130}, {0}},    {{70, 9, 130}, {1}},
                            {{70, 9, 130}, {2}},  {{70, 9, 130}, {0, 2}}, {{70, 9, 130}, {0, 1, 2}},
                            {{100'003, 8}, {0}},  {{3, 333'337}, {1}}};

// Sum, product, mean of a computed value, sum of squares, extreme and its place, all of one domain.
void check_reductions(const Domain& domain, DType dtype, Values kind) {
  SCOPED_TRACE(testing::Message() << dtype << domain.shape.to_string() << " over "
                                  << testing::PrintToString(domain.axes));
  Program program;
  Builder& b = program.builder;
  const ValueId x = program.argument({domain.shape, dtype});
  const ValueId zero = b.scalar(dtype, 0), one = b.scalar(dtype, 1);
  program.returns(b.reduce(x, zero, domain.axes, Op::add));
  program.returns(b.reduce(x, one, domain.axes, Op::multiply));
  const ValueId computed = is_floating(dtype) ? b.op(Op::tanh, {x}) : b.op(Op::square, {x});
  const ValueId total = b.reduce(computed, zero, domain.axes, Op::add);
  double count = 1;
  for (std::int64_t axis : domain.axes) count *= static_cast<double>(domain.shape[static_cast<int>(axis)]);
  if (is_floating(dtype))
    program.returns(b.op(Op::divide, {total, b.splat(dtype, b.type(total).shape, count)}));
  if (!is_floating(dtype)) program.returns(total);
  const double worst = is_floating(dtype) ? HUGE_VAL : 100;
  for (ValueId result :
       reduce_by(b, {x, b.iota(DType::i32, domain.shape, domain.axes.back())},
                 {b.scalar(dtype, worst), b.scalar(DType::i32, 0)}, domain.axes, selection(spellings()[0])))
    program.returns(result);
  expect_same_everywhere(program.graph, arguments_of(program.graph, 29, kind));
}

class Everywhere : public testing::TestWithParam<DType> {};

TEST_P(Everywhere, reductions_of_vectors_have_the_same_bits) {
  for (const Domain& domain : kVectors)
    for (Values kind : {Values::near_one, Values::sparse}) check_reductions(domain, GetParam(), kind);
}

TEST_P(Everywhere, reductions_of_matrices_have_the_same_bits) {
  std::size_t number = 0;
  for (const Domain& domain : kMatrices)
    check_reductions(domain, GetParam(), number++ % 2 == 0 ? Values::near_one : Values::sparse);
}

// --- bodies that must be applied in order ---

void check_in_order(const InOrder& row, const Domain& domain, DType dtype) {
  SCOPED_TRACE(testing::Message() << row.name << " of " << dtype << domain.shape.to_string() << " over "
                                  << testing::PrintToString(domain.axes));
  Program program;
  for (ValueId result : reduce_in_order(program, row, {domain.shape, dtype}, domain.axes))
    program.returns(result);
  expect_same_everywhere(program.graph, arguments_of(program.graph, 31, Values::near_one));
}

TEST_P(Everywhere, bodies_in_order_have_the_same_bits) {
  for (const InOrder& row : in_order_bodies()) {
    for (const Domain& domain : kVectors)
      if (domain.shape[0] < 10'000 || GetParam() == DType::f32) check_in_order(row, domain, GetParam());
    for (const Domain& domain : {Domain{{4097, 5}, {0}}, Domain{{5, 4097}, {1}}, Domain{{70, 9, 130}, {1}}})
      check_in_order(row, domain, GetParam());
  }
}

// --- elementwise rows ---

TEST_P(Everywhere, elementwise_rows_have_the_same_bits) {
  constexpr std::size_t kRowsAtOnce = 8;
  std::vector<Op> rows;
  for (Op op : ir::all_ops())
    if (ir::is_elementwise(op) && ir::accepts(op, GetParam())) rows.push_back(op);
  for (std::size_t first = 0; first < rows.size(); first += kRowsAtOnce)
    for (Values kind : {Values::special, Values::ordinary}) {
      Program program;
      const ir::Type type{{4097}, GetParam()};
      const std::vector<ValueId> both{program.argument(type), program.argument(type)};
      for (std::size_t k = first; k < std::min(first + kRowsAtOnce, rows.size()); ++k) {
        std::vector<ValueId> operands = both;
        operands.resize(static_cast<std::size_t>(ir::info_of(rows[k]).arity));
        program.returns(program.builder.op(rows[k], operands));
      }
      expect_same_everywhere(program.graph, arguments_of(program.graph, 37, kind));
    }
}

INSTANTIATE_TEST_SUITE_P(sweep, Everywhere,
                         testing::Values(DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32,
                                         DType::u8),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace weft::sweep
