// dot_general and convolution over random dimensions, types and targets against the interpreter: sums of
// small whole numbers, so that the order of a sum does not matter and the bits are equal.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/programs/movements.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Dims;
using ir::Op;
using ir::ValueId;

Shape shape_from(const Dims& extents) { return Shape(std::span<const std::int64_t>(extents)); }

Dims shuffled(std::size_t count, Random& random) {
  Dims order;
  for (std::size_t i = 0; i < count; ++i)
    order.insert(order.begin() + below(random, static_cast<std::int64_t>(i) + 1),
                 static_cast<std::int64_t>(i));
  return order;
}

// What the sum may be declared as: the type itself, or a wider one of its kind.
DType result_type(DType dtype, Random& random) {
  std::vector<DType> choices{dtype};
  for (DType wide : kRealTypes)
    if (kind_of(wide) == kind_of(dtype) && size_of(wide) > size_of(dtype)) choices.push_back(wide);
  return choices[static_cast<std::size_t>(below(random, std::ssize(choices)))];
}

// An argument, or something computed from one.
ValueId operand(Program& program, const Shape& shape, DType dtype, Random& random) {
  const ValueId x = program.argument({shape, dtype});
  if (random() % 3 != 0 || dtype == DType::b1 || is_unsigned(dtype)) return x;
  return program.builder.op(random() % 2 == 0 ? Op::negate : Op::abs, {x});
}

// A use of the result, so that it is also read inside of a program.
void returns(Program& program, ValueId result, Random& random) {
  program.returns(result);
  if (random() % 3 == 0 && program.builder.type(result).dtype != DType::b1)
    program.returns(program.builder.op(Op::add, {result, result}));
}

void add_dot(Program& program, DType dtype, Random& random) {
  const auto some = [&](std::int64_t most) {
    Dims extents;
    for (std::int64_t count = below(random, most); count > 0; --count)
      extents.push_back(random() % 20 == 0 ? 0 : 1 + below(random, 6));
    return extents;
  };
  const Dims batch = some(3), contracted = some(3), left = some(3), right = some(3);
  ir::DotAttributes dot;
  const auto side = [&](const Dims& free, Dims& batching, Dims& contracting) {
    Dims extents(batch.size() + contracted.size() + free.size());
    const Dims places = shuffled(extents.size(), random);
    std::size_t next = 0;
    for (std::int64_t extent : batch) {
      batching.push_back(places[next]);
      extents[static_cast<std::size_t>(places[next++])] = extent;
    }
    for (std::int64_t extent : contracted) {
      contracting.push_back(places[next]);
      extents[static_cast<std::size_t>(places[next++])] = extent;
    }
    for (std::int64_t extent : free) extents[static_cast<std::size_t>(places[next++])] = extent;
    return operand(program, shape_from(extents), dtype, random);
  };
  const ValueId a = side(left, dot.lhs_batching, dot.lhs_contracting),
                b = side(right, dot.rhs_batching, dot.rhs_contracting);
  // The free dimensions in the order in which the operands have them.
  Dims extents = batch;
  const auto append = [&](ValueId x, const Dims& batching, const Dims& contracting) {
    const Shape& shape = program.builder.type(x).shape;
    for (std::int64_t dim : ir::free_dims(shape.rank(), batching, contracting))
      extents.push_back(shape[static_cast<int>(dim)]);
  };
  append(a, dot.lhs_batching, dot.lhs_contracting);
  append(b, dot.rhs_batching, dot.rhs_contracting);
  returns(
      program,
      program.builder.op(Op::dot_general, {a, b}, dot, {{shape_from(extents), result_type(dtype, random)}}),
      random);
}

void add_convolution(Program& program, DType dtype, int spatial, Random& random) {
  const auto rank = static_cast<std::size_t>(spatial) + 2;
  ir::ConvolutionAttributes conv;
  const std::int64_t groups = 1 + below(random, 3), kind = below(random, 3);
  conv.feature_groups = kind == 0 ? groups : 1;
  conv.batch_groups = kind == 1 ? groups : 1;
  const std::int64_t inputs = 1 + below(random, 3);
  conv.lhs_dims = shuffled(rank, random);
  conv.rhs_dims = shuffled(rank, random);
  conv.result_dims = shuffled(rank, random);
  Dims lhs(rank), rhs(rank);
  const auto at = [](Dims& extents, const Dims& dims, std::size_t name) -> std::int64_t& {
    return extents[static_cast<std::size_t>(dims[name])];
  };
  at(lhs, conv.lhs_dims, 0) = conv.batch_groups * (1 + below(random, 3));
  at(lhs, conv.lhs_dims, 1) = conv.feature_groups * inputs;
  at(rhs, conv.rhs_dims, 0) = groups * (1 + below(random, 3));
  at(rhs, conv.rhs_dims, 1) = inputs;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    const std::int64_t extent = random() % 30 == 0 ? 0 : 1 + below(random, spatial > 2 ? 4 : 7);
    at(lhs, conv.lhs_dims, i + 2) = extent;
    at(rhs, conv.rhs_dims, i + 2) = random() % 40 == 0 ? 0 : 1 + below(random, 4);
    conv.strides.push_back(1 + below(random, 3));
    conv.lhs_dilations.push_back(random() % 3 == 0 ? 1 + below(random, 3) : 1);
    conv.rhs_dilations.push_back(random() % 3 == 0 ? 1 + below(random, 3) : 1);
    conv.reversed.push_back(below(random, 2));
    const std::int64_t spread =
        std::max<std::int64_t>(extent - 1, 0) * conv.lhs_dilations.back() + std::min<std::int64_t>(extent, 1);
    conv.low.push_back(random() % 2 == 0 ? below(random, 5) - 1 : 0);
    conv.high.push_back(std::max(random() % 2 == 0 ? below(random, 5) - 1 : 0, -spread - conv.low.back()));
  }
  const ValueId a = operand(program, shape_from(lhs), dtype, random),
                b = operand(program, shape_from(rhs), dtype, random);
  const ir::TypeAnswer answer = ir::infer_types(
      {program.graph, Op::convolution, {program.builder.type(a), program.builder.type(b)}, conv, {}, {}});
  ASSERT_FALSE(answer.fault) << answer.fault->text;
  returns(program,
          program.builder.op(Op::convolution, {a, b}, conv,
                             {{answer.types[0].shape, result_type(dtype, random)}}),
          random);
}

class Products : public testing::TestWithParam<DType> {};

TEST_P(Products, dot_general_is_as_interpreted) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed * 17 + static_cast<std::uint32_t>(GetParam()));
    Program program;
    for (int i = 0; i < 4; ++i) add_dot(program, GetParam(), random);
    expect_same(program.graph, arguments_of(program.graph, seed, Values::small),
                {targets()[seed % targets().size()], 1 + static_cast<int>(seed % 3)});
  }
}

TEST_P(Products, convolution_is_as_interpreted) {
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed * 23 + static_cast<std::uint32_t>(GetParam()));
    Program program;
    for (int i = 0; i < 3; ++i) add_convolution(program, GetParam(), static_cast<int>(seed % 4), random);
    expect_same(program.graph, arguments_of(program.graph, seed, Values::small),
                {targets()[seed % targets().size()], 1 + static_cast<int>(seed % 3)});
  }
}

INSTANTIATE_TEST_SUITE_P(sweep, Products, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

TEST(LargeProducts, are_as_interpreted) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i32, DType::i8}) {
    SCOPED_TRACE(name_of(dtype));
    Program program;
    Builder& b = program.builder;
    const ValueId x = program.argument({{37, 65}, dtype}), y = program.argument({{65, 50}, dtype}),
                  v = program.argument({{65}, dtype}), long_one = program.argument({{1, 1, 700}, dtype}),
                  kernel = program.argument({{1, 1, 20}, dtype});
    program.returns(b.op(Op::dot_general, {x, y}, ir::DotAttributes{{}, {}, {1}, {0}}));
    program.returns(b.op(Op::dot_general, {x, v}, ir::DotAttributes{{}, {}, {1}, {0}}));
    program.returns(b.op(Op::dot_general, {v, v}, ir::DotAttributes{{}, {}, {0}, {0}}));
    program.returns(b.op(Op::dot_general, {y, x}, ir::DotAttributes{{}, {}, {0}, {1}}));
    ir::ConvolutionAttributes conv{{1}, {19}, {19}, {1}, {1}, {1}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, 1, 1};
    program.returns(b.op(Op::convolution, {long_one, kernel}, conv));
    for (const std::string& target : targets())
      expect_same(program.graph, arguments_of(program.graph, 3, Values::small), {target, 2});
  }
}

// Ordinary numbers: the sum of a product is within the bound of its length.
TEST(LargeProducts, of_ordinary_numbers_are_near) {
  for (DType dtype : {DType::f32, DType::f64}) {
    Program program;
    const ValueId x = program.argument({{20, 300}, dtype}), y = program.argument({{300, 20}, dtype});
    program.returns(program.builder.op(Op::dot_general,
                                       {program.builder.op(Op::abs, {x}), program.builder.op(Op::abs, {y})},
                                       ir::DotAttributes{{}, {}, {1}, {0}}));
    expect_same(program.graph, arguments_of(program.graph, 5, Values::ordinary), {}, {300});
  }
}

// A product over what is computed computes it once, and the sum is one kernel.
TEST(KernelsOfProducts, are_one_and_one_for_each_computed_factor) {
  Program program;
  Builder& b = program.builder;
  const ValueId x = program.argument({{30, 40}, DType::f32}), y = program.argument({{40, 50}, DType::f32});
  program.returns(b.op(Op::dot_general, {x, y}, ir::DotAttributes{{}, {}, {1}, {0}}));
  const auto arguments = arguments_of(program.graph, 1, Values::small);
  EXPECT_EQ(expect_same(program.graph, arguments), 1);
  Program computed;
  Builder& c = computed.builder;
  const ValueId p = computed.argument({{30, 40}, DType::f32}), q = computed.argument({{40, 50}, DType::f32});
  computed.returns(c.op(Op::dot_general, {c.op(Op::negate, {p}), q}, ir::DotAttributes{{}, {}, {1}, {0}}));
  EXPECT_EQ(expect_same(computed.graph, arguments), 2);
}

}  // namespace
}  // namespace weft::sweep
