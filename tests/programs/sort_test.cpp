// Sorting over types, extents and comparators, against the interpreter: equal bits, whatever the comparator
// says.
#include <gtest/gtest.h>

#include "compiler/transform/batch.h"
#include "tests/programs/movements.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::CompareKind;
using ir::Direction;
using ir::Op;
using ir::ValueId;

// A comparator of the arguments: of each operand the left and the right element.
using Comparator = std::function<ValueId(Builder&, const std::vector<ValueId>&)>;

std::vector<ValueId> sorted(Builder& b, const std::vector<ValueId>& operands, std::int64_t dimension,
                            const Comparator& comparator) {
  ir::Graph& graph = b.graph();
  const ir::RegionId region = graph.add_region();
  std::vector<ValueId> arguments;
  for (ValueId operand : operands)
    for (int side = 0; side < 2; ++side)
      arguments.push_back(graph.add_argument(region, {Shape{}, b.type(operand).dtype}));
  Builder inside(graph, region);
  graph.region(region).results = {comparator(inside, arguments)};
  const ir::NodeId node = b.node(Op::sort, operands, ir::SortAttributes{dimension, true}, {}, {region});
  return graph.node(node).results;
}

CompareKind total_kind(DType dtype) {
  return is_floating(dtype) ? CompareKind::TOTALORDER : ir::default_compare_kind(dtype);
}

// As JAX has it: -0 counts as 0, and every NaN as the last one.
ValueId joined(Builder& b, ValueId x) {
  const DType dtype = b.type(x).dtype;
  if (!is_floating(dtype)) return x;
  const ValueId zero = b.scalar(dtype, 0), nan = b.scalar(dtype, std::numeric_limits<double>::quiet_NaN());
  const ValueId whole = b.select(b.compare(Direction::EQ, x, zero), zero, x);
  return b.select(b.compare(Direction::NE, whole, whole), nan, whole);
}

struct Row {
  const char* name;
  Comparator comparator;  // of the first operand alone
  bool needs_code = false;
};
std::vector<Row> comparators() {
  const auto plain = [](Direction direction, bool swapped) {
    return [=](Builder& b, const std::vector<ValueId>& x) {
      return b.compare(direction, x[swapped ? 1 : 0], x[swapped ? 0 : 1]);
    };
  };
  const auto total = [](Direction direction) {
    return [=](Builder& b, const std::vector<ValueId>& x) {
      return b.compare(direction, x[0], x[1], total_kind(b.type(x[0]).dtype));
    };
  };
  const auto of_jax = [](Direction direction) {
    return [=](Builder& b, const std::vector<ValueId>& x) {
      return b.compare(direction, joined(b, x[0]), joined(b, x[1]), total_kind(b.type(x[0]).dtype));
    };
  };
  return {
      {"less", plain(Direction::LT, false)},
      {"greater", plain(Direction::GT, false)},
      {"greater by less", plain(Direction::LT, true)},
      {"less by greater", plain(Direction::GT, true)},
      {"less in total", total(Direction::LT)},
      {"greater in total", total(Direction::GT)},
      {"as JAX", of_jax(Direction::LT)},
      {"as JAX, descending", of_jax(Direction::GT)},
      {"less or equal", plain(Direction::LE, false), true},
      {"not equal", plain(Direction::NE, false), true},
      {"never", [](Builder& b, const std::vector<ValueId>&) { return b.scalar(DType::b1, 0); }, true},
      {"always", [](Builder& b, const std::vector<ValueId>&) { return b.scalar(DType::b1, 1); }, true},
      {"less of bits and",
       [](Builder& b, const std::vector<ValueId>& x) {
         return b.op(Op::and_, {b.compare(Direction::LT, x[0], x[1]), b.compare(Direction::NE, x[0], x[1])});
       },
       true}};
}

void expect_code(const ir::Graph& graph, bool needs_code) {
  const std::string loops = compiled(graph)->loops;
  EXPECT_NE(loops.find("call @weft_sort"), std::string::npos) << loops;
  EXPECT_EQ(loops.find("argument 0") != std::string::npos, needs_code) << loops;
}

class SortOf : public testing::TestWithParam<DType> {};

// With a second operand that says which element went where.
TEST_P(SortOf, every_comparator_is_as_interpreted) {
  std::uint32_t seed = 0;
  for (const Row& row : comparators())
    for (std::int64_t extent : {0, 1, 2, 3, 17, 40, 100}) {
      SCOPED_TRACE(testing::Message() << row.name << " of " << extent);
      for (Values kind : {Values::special, Values::small}) {
        Program program;
        const ValueId x = program.argument({Shape{extent}, GetParam()});
        program.returns(sorted(program.builder, {x}, 0, row.comparator)[0]);
        const ValueId place = program.builder.iota(DType::i32, Shape{extent}, 0);
        for (ValueId result : sorted(program.builder, {x, place}, 0, row.comparator)) program.returns(result);
        expect_same(program.graph, arguments_of(program.graph, ++seed, kind));
        if (kind == Values::special && extent == 40) expect_code(program.graph, row.needs_code);
      }
    }
}

TEST_P(SortOf, every_dimension_is_as_interpreted) {
  const auto rows = comparators();
  for (const Shape& shape : {Shape{5, 4, 3}, Shape{1, 30}, Shape{30, 1}, Shape{2, 3, 0}, Shape{7, 9}})
    for (std::int64_t dimension = 0; dimension < shape.rank(); ++dimension)
      for (std::size_t row : {std::size_t{0}, std::size_t{7}, std::size_t{12}}) {
        SCOPED_TRACE(testing::Message() << shape << " along " << dimension << ", " << rows[row].name);
        Program program;
        Builder& b = program.builder;
        const ValueId x = program.argument({shape, GetParam()});
        const ValueId place = b.iota(DType::i64, shape, dimension);
        const auto results = sorted(b, {x, place}, dimension, rows[row].comparator);
        program.returns(results[1]);
        program.returns(b.reverse(results[0], {dimension}));  // computed from it, beside it
        expect_same(program.graph, arguments_of(program.graph, 9, Values::special), {"", 2});
      }
}

// The order that both sorts have come to: of their keys by bytes, or of few by comparison.
TEST_P(SortOf, long_lines_are_in_order) {
  for (std::int64_t extent : {500, 3000, 70'000}) {
    SCOPED_TRACE(extent);
    Program program;
    Builder& b = program.builder;
    const ir::Type type{Shape{extent}, GetParam()};
    const ValueId x = program.argument(type);
    const auto rows = comparators();
    const auto up = sorted(b, {x, b.iota(DType::i32, type.shape, 0)}, 0, rows[6].comparator);
    const auto down = sorted(b, {x, b.iota(DType::i32, type.shape, 0)}, 0, rows[7].comparator);
    for (ValueId result : {up[0], up[1], down[0], down[1], sorted(b, {x}, 0, rows[4].comparator)[0]})
      program.returns(result);
    const auto arguments =
        arguments_of(program.graph, 77, extent == 3000 ? Values::ordinary : Values::special);
    const Outcome got = run(program.graph, arguments);
    const auto key = [](const ir::Literal& literal, std::int64_t i) { return number_at(literal, i); };
    for (int direction : {0, 2}) {
      const ir::Literal &elements = got.results[static_cast<std::size_t>(direction)],
                        &places = got.results[static_cast<std::size_t>(direction + 1)];
      for (std::int64_t i = 0; i < extent; ++i) {
        const auto from = places.at<std::int32_t>(i);
        const long double here = key(elements, i), there = key(arguments[0], from);
        ASSERT_TRUE(here == there || (here != here && there != there)) << i;
        if (i == 0) continue;
        const long double before = key(elements, i - 1);
        const bool is_nan = here != here, was_nan = before != before;
        const bool is_equal = before == here || (is_nan && was_nan);
        if (is_equal)
          ASSERT_LT(places.at<std::int32_t>(i - 1), from) << i;
        else if (direction == 0)
          ASSERT_TRUE(before < here || (is_nan && !was_nan)) << i;
        else
          ASSERT_TRUE(before > here || (was_nan && !is_nan)) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(sweep, SortOf, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

ValueId by_two_keys(Builder& b, const std::vector<ValueId>& x) {
  const auto compare = [&](Direction direction, std::size_t i) {
    return b.compare(direction, joined(b, x[i]), joined(b, x[i + 1]), total_kind(b.type(x[i]).dtype));
  };
  return b.op(Op::or_, {compare(Direction::GT, 0),
                        b.op(Op::and_, {compare(Direction::EQ, 0), compare(Direction::LT, 2)})});
}

TEST(Sort, by_two_keys_is_as_interpreted) {
  for (DType first : {DType::i8, DType::f32, DType::bf16, DType::b1})
    for (DType second : {DType::f64, DType::u16}) {
      Program program;
      Builder& b = program.builder;
      const Shape shape{3, 50};
      const auto results = sorted(
          b,
          {program.argument({shape, first}), program.argument({shape, second}), b.iota(DType::u8, shape, 1)},
          1, by_two_keys);
      for (ValueId result : results) program.returns(result);
      expect_same(program.graph, arguments_of(program.graph, 3, Values::special));
      expect_same(program.graph, arguments_of(program.graph, 4, Values::small));
      expect_code(program.graph, false);
    }
}

// Neither transitive nor asymmetric: any order, but the interpreter's, and no element lost.
TEST(Sort, by_nonsense_is_as_interpreted) {
  const auto nonsense = [](Builder& b, const std::vector<ValueId>& x) {
    const ValueId mixed =
        b.op(Op::xor_, {b.op(Op::multiply, {x[0], b.scalar(DType::u32, 2654435761.0)}), x[1]});
    return b.compare(Direction::LT, b.op(Op::remainder, {mixed, b.scalar(DType::u32, 7)}),
                     b.scalar(DType::u32, 3));
  };
  for (std::int64_t extent : {2, 5, 33, 257}) {
    Program program;
    Builder& b = program.builder;
    const Shape shape{4, extent};
    program.returns(sorted(b, {b.iota(DType::u32, shape, 1), program.argument({shape, DType::f32})}, 1,
                           [&](Builder& inside, const std::vector<ValueId>& x) {
                             return nonsense(inside, {x[0], x[1]});
                           })[0]);
    expect_same(program.graph, arguments_of(program.graph, 3, Values::special), {"", 2});
  }
}

TEST(Sort, stands_between_kernels_and_calls) {
  Program program;
  Builder& b = program.builder;
  const auto up = comparators()[0].comparator, down = comparators()[1].comparator;
  const Shape shape{20, 30};
  const ValueId x = program.argument({shape, DType::f32});
  const ValueId sums = b.reduce(x, b.scalar(DType::f32, 0), {1}, Op::maximum);
  const ValueId once = sorted(b, {b.op(Op::abs, {x})}, 1, up)[0];
  const ValueId twice = sorted(b, {once}, 0, down)[0];
  const ValueId changed = b.op(Op::maximum, {twice, b.broadcast(sorted(b, {sums}, 0, up)[0], shape, {0})});
  const ValueId folded = b.reduce(changed, b.scalar(DType::f32, 0), {0}, Op::maximum);
  for (ValueId result : {sorted(b, {folded}, 0, up)[0], twice, changed, x, sums}) program.returns(result);
  program.returns(b.op(Op::negate, {once}));
  program.returns(sorted(b, {b.splat(DType::f32, {3}, 2)}, 0, up)[0]);
  program.returns(b.concatenate({twice, changed}, 0));
  for (const std::string& target : targets())
    expect_same(program.graph, arguments_of(program.graph, 5, Values::special), {target, 3});
}

TEST(Sort, comparator_reads_scalars_from_around) {
  Program program;
  Builder& b = program.builder;
  const ValueId x = program.argument({Shape{2, 9}, DType::i32}),
                bias = program.argument({Shape{}, DType::i32});
  const ValueId three = b.scalar(DType::i32, 3);
  program.returns(sorted(b, {x}, 1, [&](Builder& inside, const std::vector<ValueId>& e) {
    const auto key = [&](ValueId v) {
      return inside.op(Op::remainder, {inside.op(Op::xor_, {v, bias}), three});
    };
    return inside.compare(Direction::LT, key(e[0]), key(e[1]));
  })[0]);
  expect_same(program.graph, arguments_of(program.graph, 5, Values::small));
}

TEST(Sort, under_vmap_is_the_loop) {
  for (const Row& row : {comparators()[0], comparators()[6], comparators()[9]}) {
    Program program;
    Builder& b = program.builder;
    const ir::Type type{Shape{3, 8}, DType::f32};
    const ValueId x = program.argument(type), y = program.argument({type.shape, DType::i16});
    for (std::int64_t dimension : {0, 1})
      for (ValueId result : sorted(b, {x, y}, dimension, row.comparator)) program.returns(result);
    for (const auto& axes :
         {std::vector<std::int64_t>{0, 2}, {1, transform::kNotBatched}, {transform::kNotBatched, 0}}) {
      const transform::BatchSpec spec{axes, {0, 1, 2, 0}, 3};
      const ir::Graph batched = transform::batch(program.graph, spec);
      expect_same(batched, arguments_of(batched, 8, Values::special));
    }
  }
}

}  // namespace
}  // namespace weft::sweep
