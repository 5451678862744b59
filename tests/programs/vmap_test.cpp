// Compiled vmap is the loop: for every operation of the tables, mapped over each subset of its arguments and
// along each axis, every slice of the results has the bits of the program itself on the slices.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/text/text.h"
#include "compiler/transform/batch.h"
#include "tests/programs/bodies.h"
#include "tests/programs/movements.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Op;
using ir::ValueId;
using transform::BatchSpec;
using transform::kNotBatched;

constexpr std::int64_t kBatch = 3;

// Maps the arguments whose bits are set, each along an axis at random, to results along axes at random.
BatchSpec spec_of(const ir::Graph& graph, std::size_t mapped, Random& random) {
  const ir::Region& body = graph.region(graph.entry().body);
  const auto any_axis = [&](ValueId value) { return below(random, graph.type(value).shape.rank() + 1); };
  BatchSpec spec{{}, {}, kBatch};
  for (std::size_t i = 0; i < body.arguments.size(); ++i)
    spec.argument_axes.push_back((mapped >> i & 1) != 0 ? any_axis(body.arguments[i]) : kNotBatched);
  for (ValueId result : body.results) spec.result_axes.push_back(any_axis(result));
  return spec;
}

// The slice at one index of an axis.
ir::Literal slice_of(const ir::Literal& whole, std::int64_t axis, std::int64_t index) {
  ir::Dims extents(whole.type.shape.begin(), whole.type.shape.end());
  const std::int64_t count = extents[static_cast<std::size_t>(axis)];
  std::int64_t rest = static_cast<std::int64_t>(size_of(whole.type.dtype));
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < extents.size(); ++i) rest *= extents[i];
  extents.erase(extents.begin() + axis);
  ir::Literal slice{{Shape(std::span<const std::int64_t>(extents)), whole.type.dtype}, {}, false};
  slice.buffer = runtime::Buffer::allocate(static_cast<std::size_t>(slice.type.nbytes()));
  for (std::int64_t i = 0; rest != 0 && i < slice.type.nbytes() / rest; ++i)
    std::memcpy(slice.buffer.data() + i * rest, whole.buffer.data() + (i * count + index) * rest,
                static_cast<std::size_t>(rest));
  return slice;
}

std::vector<ir::Literal> slices_of(const std::vector<ir::Literal>& wholes,
                                   const std::vector<std::int64_t>& axes, std::int64_t index) {
  std::vector<ir::Literal> slices;
  for (std::size_t i = 0; i < wholes.size(); ++i)
    slices.push_back(axes[i] == kNotBatched ? wholes[i] : slice_of(wholes[i], axes[i], index));
  return slices;
}

void check_mapped(const ir::Graph& graph, const compiler::Program& single, const BatchSpec& spec, Values kind,
                  const Setting& setting) {
  const ir::Graph batched = transform::batch(graph, spec);
  const auto arguments = arguments_of(batched, 41, kind);
  const Outcome all = run(batched, arguments, setting);
  for (std::int64_t index = 0; index < spec.size; ++index) {
    const auto want = run(single, slices_of(arguments, spec.argument_axes, index)).results;
    const auto got = slices_of(all.results, spec.result_axes, index);
    for (std::size_t k = 0; k < want.size(); ++k) {
      const std::string wrong = difference(got[k], want[k]);
      EXPECT_EQ(wrong, "") << "result " << k << " at index " << index << " mapped "
                           << testing::PrintToString(spec.argument_axes) << " to "
                           << testing::PrintToString(spec.result_axes) << "\n"
                           << (wrong.empty() ? "" : text::print(graph) + text::print(batched));
    }
  }
}

// Every subset of the arguments but none. With `nested`, the mapped program is mapped again.
void check_every_subset(const ir::Graph& graph, Values kind, std::uint32_t seed, bool nested = false) {
  Random random(seed);
  const auto single = compiled(graph);
  const std::size_t count = graph.region(graph.entry().body).arguments.size();
  for (std::size_t mapped = 1; mapped < std::size_t{1} << count; ++mapped) {
    const BatchSpec spec = spec_of(graph, mapped, random);
    const Setting setting{targets()[mapped % targets().size()], 1 + static_cast<int>(mapped % 3)};
    check_mapped(graph, *single, spec, kind, setting);
    if (nested) check_every_subset(transform::batch(graph, spec), kind, seed + 1);
  }
}

class Vmap : public testing::TestWithParam<DType> {};

TEST_P(Vmap, of_elementwise_rows_is_the_loop) {
  constexpr std::size_t kRowsAtOnce = 8;
  std::vector<Op> rows;
  for (Op op : ir::all_ops())
    if (ir::is_elementwise(op) && ir::accepts(op, GetParam())) rows.push_back(op);
  for (std::size_t first = 0; first < rows.size(); first += kRowsAtOnce) {
    Program program;
    const ir::Type type{{2, 7}, GetParam()};
    const std::vector<ValueId> both{program.argument(type), program.argument(type)};
    for (std::size_t k = first; k < std::min(first + kRowsAtOnce, rows.size()); ++k) {
      std::vector<ValueId> operands = both;
      operands.resize(static_cast<std::size_t>(ir::info_of(rows[k]).arity));
      program.returns(program.builder.op(rows[k], operands));
    }
    check_every_subset(program.graph, Values::special, static_cast<std::uint32_t>(first));
  }
}

TEST_P(Vmap, of_standard_reductions_is_the_loop) {
  for (Op op : {Op::add, Op::multiply, Op::minimum, Op::maximum, Op::and_, Op::or_, Op::xor_}) {
    if (!ir::accepts(op, GetParam())) continue;
    SCOPED_TRACE(ir::info_of(op).text);
    Program program;
    const ValueId x = program.argument({{3, 2, 4}, GetParam()}),
                  init = program.argument({Shape{}, GetParam()});
    for (const ir::Dims& axes : {ir::Dims{0}, {1}, {2}, {0, 2}, {0, 1, 2}, {}})
      program.returns(program.builder.reduce(x, init, axes, op));
    check_every_subset(program.graph, Values::small, 5);
  }
}

INSTANTIATE_TEST_SUITE_P(sweep, Vmap, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

class VmapOfBodies : public testing::TestWithParam<DType> {};

TEST_P(VmapOfBodies, in_order_is_the_loop) {
  for (const InOrder& row : in_order_bodies()) {
    SCOPED_TRACE(row.name);
    Program program;
    for (const ir::Dims& axes : {ir::Dims{0}, {1}})
      if (row.count < 4 || axes == ir::Dims{1})
        for (ValueId result : reduce_in_order(program, row, {{4, 9}, GetParam()}, axes))
          program.returns(result);
    check_every_subset(program.graph, is_floating(GetParam()) ? Values::near_one : Values::ordinary, 6);
  }
}

TEST_P(VmapOfBodies, that_select_is_the_loop) {
  for (const Spelling& row : spellings())
    for (std::int64_t axis : {0, 1}) {
      SCOPED_TRACE(testing::Message() << row.name << " along " << axis);
      Program program;
      Builder& b = program.builder;
      const ir::Type type{{4, 9}, GetParam()};
      const ValueId key = program.argument(type);
      for (ValueId result :
           reduce_by(b, {key, b.iota(DType::i32, type.shape, axis)},
                     {b.scalar(GetParam(), 5), b.scalar(DType::i32, 0)}, {axis}, selection(row)))
        program.returns(result);
      check_every_subset(program.graph, Values::small, 7);
    }
}

// The init value may be mapped too; the body then must associate, as it should.
TEST_P(VmapOfBodies, with_mapped_init_values_is_the_loop) {
  std::vector<std::pair<const char*, Body>> bodies;
  for (const InOrder& row : in_order_bodies())
    if (row.count == 1 && row.associates) bodies.emplace_back(row.name, row.body);
  for (const auto& [name, body] : bodies)
    for (std::int64_t axis : {0, 1}) {
      SCOPED_TRACE(testing::Message() << name << " along " << axis);
      Program program;
      const ValueId x = program.argument({{4, 9}, GetParam()}),
                    init = program.argument({Shape{}, GetParam()});
      for (ValueId result : reduce_by(program.builder, {x}, {init}, {axis}, body)) program.returns(result);
      check_every_subset(program.graph, Values::small, 11);
    }
  for (const Spelling& row : spellings()) {
    SCOPED_TRACE(row.name);
    Program program;
    Builder& b = program.builder;
    const ir::Type type{{4, 9}, GetParam()};
    const ValueId key = program.argument(type), init = program.argument({Shape{}, GetParam()});
    for (ValueId result : reduce_by(b, {key, b.iota(DType::i32, type.shape, 1)},
                                    {init, b.scalar(DType::i32, 0)}, {1}, selection(row)))
      program.returns(result);
    check_every_subset(program.graph, Values::small, 12);
  }
}

INSTANTIATE_TEST_SUITE_P(sweep, VmapOfBodies,
                         testing::Values(DType::i32, DType::u8, DType::i64, DType::f32, DType::f64,
                                         DType::f16),
                         [](const auto& type) { return std::string(name_of(type.param)); });

class VmapOfMovements : public testing::TestWithParam<int> {};

TEST_P(VmapOfMovements, is_the_loop) {
  for (const Movement& movement : movements())
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << movement.name << " seed " << seed);
      Random random(seed * 37 + static_cast<std::uint32_t>(GetParam()));
      Program program;
      const DType dtype = kRealTypes[below(random, std::size(kRealTypes))];
      const ValueId x = program.argument({shape_of_rank(GetParam(), random), dtype});
      const ValueId before = elementwise_step(program.builder, x, random);
      program.returns(movement.apply(program.builder, x, random));
      program.returns(
          elementwise_step(program.builder, movement.apply(program.builder, before, random), random));
      if (program.graph.region(program.body).arguments.size() > 4) continue;  // of indices
      check_every_subset(program.graph, Values::special, seed, seed == 0);
    }
}

INSTANTIATE_TEST_SUITE_P(ranks, VmapOfMovements, testing::Range(0, 4));

TEST(VmapOfOperands, of_comparisons_choices_and_clamps_is_the_loop) {
  for (DType dtype : {DType::f32, DType::i16, DType::u64, DType::bf16}) {
    Program program;
    Builder& b = program.builder;
    const ir::Type type{{5}, dtype};
    const ValueId x = program.argument(type), y = program.argument(type),
                  low = program.argument({Shape{}, dtype});
    const ValueId which = program.argument({{5}, DType::b1}), one = program.argument({Shape{}, DType::b1});
    for (int direction = 0; direction < 6; ++direction)
      program.returns(b.compare(static_cast<ir::Direction>(direction), x, y));
    program.returns(b.select(which, x, y));
    program.returns(b.select(one, x, y));
    program.returns(b.op(Op::clamp, {low, x, y}));
    program.returns(b.op(Op::clamp, {y, x, low}));
    check_every_subset(program.graph, Values::special, 8);
  }
}

ValueId twice_called(Program& program, ValueId x, ValueId y) {
  ir::Graph& graph = program.graph;
  const ir::RegionId inner = graph.add_function("inner", false).body;
  const ValueId a = graph.add_argument(inner, graph.type(x)), c = graph.add_argument(inner, graph.type(y));
  Builder b(graph, inner);
  const ValueId product = b.op(Op::multiply, {a, c});
  graph.region(inner).results = {b.op(Op::add, {product, b.op(Op::sine, {a})})};
  const ValueId once = program.builder.call("inner", {x, y})[0];
  return program.builder.call("inner", {once, y})[0];
}

TEST(VmapOfCalls, is_the_loop) {
  Program program;
  const ir::Type type{{4, 2}, DType::f32};
  const ValueId x = program.argument(type), y = program.argument(type);
  program.returns(twice_called(program, x, y));
  check_every_subset(program.graph, Values::ordinary, 9, true);
}

TEST(VmapOfProducts, is_the_loop) {
  Program program;
  Builder& b = program.builder;
  const ValueId x = program.argument({{2, 4, 5}, DType::f32}), y = program.argument({{5, 4, 2}, DType::f32});
  program.returns(b.op(Op::dot_general, {x, y}, ir::DotAttributes{{0}, {2}, {2}, {0}}));
  program.returns(b.op(Op::dot_general, {x, y}, ir::DotAttributes{{}, {}, {1, 2}, {1, 0}}));
  ir::ConvolutionAttributes conv{{1}, {1}, {2}, {2}, {1}, {1}, {0, 1, 2}, {2, 1, 0}, {1, 0, 2}, 1, 1};
  program.returns(b.op(Op::convolution, {x, y}, conv));
  program.returns(b.windows(x, {1, 2, 3}, {1, 2, 1}, {1, 1, 2}));
  check_every_subset(program.graph, Values::small, 11, true);
}

TEST(VmapOfGathers, that_are_batched_already_is_the_loop) {
  Program program;
  const ValueId x = program.argument({{3, 5}, DType::f32}), at = program.argument({{3, 2, 1}, DType::i8});
  ir::GatherAttributes attributes;
  attributes.collapsed_slice_dims = {1};
  attributes.operand_batching_dims = {0};
  attributes.start_indices_batching_dims = {0};
  attributes.start_index_map = {1};
  attributes.index_vector_dim = 2;
  attributes.slice_sizes = {1, 1};
  program.returns(program.builder.op(Op::gather, {x, at}, attributes));
  check_every_subset(program.graph, Values::small, 10, true);
}

TEST(NestedVmap, of_chains_and_reductions_is_the_loop) {
  Program program;
  Builder& b = program.builder;
  const ValueId x = program.argument({{6, 5}, DType::f32}), row = program.argument({{5}, DType::f32});
  const ValueId scaled = b.op(Op::multiply, {x, b.broadcast(row, {6, 5}, {1})});
  const ValueId energy = b.op(Op::square, {b.op(Op::sine, {scaled})});
  program.returns(b.reduce(energy, b.scalar(DType::f32, 0), {1}, Op::maximum));
  program.returns(b.op(Op::exponential, {energy}));
  for (ValueId result :
       reduce_by(b, {energy, b.iota(DType::i32, {6, 5}, 0)},
                 {b.scalar(DType::f32, 1e30), b.scalar(DType::i32, 0)}, {0}, selection(spellings()[0])))
    program.returns(result);
  for (std::uint32_t seed = 0; seed < 2; ++seed)
    check_every_subset(program.graph, Values::ordinary, seed, true);
}

}  // namespace
}  // namespace weft::sweep
