// scatter over random dimensions, types and bodies against the interpreter: boxes, duplicates, indices outside.
#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Dims;
using ir::Op;
using ir::ValueId;

struct Case {
  Program program;
  std::vector<ir::Literal> arguments;
};

enum class Body : std::uint8_t { set, add, maximum, own };

ir::RegionId body_of(Program& program, Body body, const std::vector<DType>& dtypes) {
  ir::Graph& graph = program.graph;
  const ir::RegionId region = graph.add_region();
  std::vector<ValueId> old, update, results;
  for (DType dtype : dtypes) old.push_back(graph.add_argument(region, {Shape{}, dtype}));
  for (DType dtype : dtypes) update.push_back(graph.add_argument(region, {Shape{}, dtype}));
  ir::Builder b(graph, region);
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (body == Body::set) results.push_back(update[i]);
    if (body == Body::add) results.push_back(b.op(Op::add, {old[i], update[i]}));
    if (body == Body::maximum) results.push_back(b.op(Op::maximum, {old[i], update[i]}));
    // Neither commutes nor associates, and looks at the other operand.
    if (body == Body::own)
      results.push_back(b.select(b.compare(ir::Direction::LT, old[0], update[0]), b.op(Op::subtract, {b.op(Op::add, {old[i], old[i]}), update[i]}), update[i]));
  }
  graph.region(region).results = std::move(results);
  return region;
}

// Legal dimension numbers of every kind.
Case random_case(std::uint32_t seed, DType dtype, DType index_dtype) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(std::max<std::int64_t>(n, 1))); };
  Case made;
  ir::ScatterAttributes s;
  std::vector<std::int64_t> input, batch, window;
  const std::int64_t rank = 1 + below(3);
  std::int64_t batching = -1;
  for (std::int64_t d = 0; d < rank; ++d) input.push_back(1 + below(5));
  if (rank > 1 && below(3) == 0) batching = below(rank);
  const std::int64_t batch_rank = (batching >= 0 ? 1 : 0) + below(3);
  for (std::int64_t d = 0; d < batch_rank; ++d) batch.push_back(below(8) == 0 ? 0 : 1 + below(4));
  if (batching >= 0) {
    const std::int64_t place = below(batch_rank);
    batch[static_cast<std::size_t>(place)] = input[static_cast<std::size_t>(batching)];
    s.input_batching_dims = {batching};
    s.scatter_indices_batching_dims = {place};
  }
  Dims mapped;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (d == batching) continue;
    if (below(2) == 0)
      s.inserted_window_dims.push_back(d);
    else
      window.push_back(below(3) == 0 ? input[static_cast<std::size_t>(d)] : 1 + below(input[static_cast<std::size_t>(d)]));
    if (below(4) != 0) mapped.push_back(d);
  }
  std::shuffle(mapped.begin(), mapped.end(), random);
  s.scatter_dims_to_operand_dims = mapped;
  const auto components = static_cast<std::int64_t>(mapped.size());
  std::vector<std::int64_t> indices = batch;
  if (components == 1 && below(2) == 0) {
    s.index_vector_dim = batch_rank;
  } else {
    s.index_vector_dim = below(batch_rank + 1);
    indices.insert(indices.begin() + s.index_vector_dim, components);
    for (std::int64_t& dim : s.scatter_indices_batching_dims)
      if (dim >= s.index_vector_dim) ++dim;
  }
  std::vector<std::int64_t> updates;
  std::vector<bool> is_window(batch.size() + window.size(), false);
  std::fill_n(is_window.begin(), window.size(), true);
  std::shuffle(is_window.begin(), is_window.end(), random);
  std::size_t next_batch = 0, next_window = 0;
  for (std::size_t d = 0; d < is_window.size(); ++d) {
    if (is_window[d]) s.update_window_dims.push_back(static_cast<std::int64_t>(d));
    updates.push_back(is_window[d] ? window[next_window++] : batch[next_batch++]);
  }
  const Body body = static_cast<Body>(below(4));
  const std::size_t operands = below(4) == 0 ? 2 : 1;
  const std::vector<DType> dtypes(operands, dtype);
  const auto shape = [](const std::vector<std::int64_t>& extents) { return Shape(std::span<const std::int64_t>(extents)); };
  std::vector<ValueId> values_in;
  const auto add = [&](const ir::Type& type, ir::Literal literal) {
    values_in.push_back(made.program.argument(type));
    made.arguments.push_back(std::move(literal));
  };
  for (std::size_t i = 0; i < operands; ++i) add({shape(input), dtype}, values({shape(input), dtype}, seed + static_cast<std::uint32_t>(i), Values::small));
  std::vector<double> positions;
  for (std::int64_t i = 0; i < shape(indices).size(); ++i) positions.push_back(static_cast<double>(below(8)) - (is_unsigned(index_dtype) ? 0 : 2));
  add({shape(indices), index_dtype}, literal_of(index_dtype, shape(indices), positions));
  for (std::size_t i = 0; i < operands; ++i) add({shape(updates), dtype}, values({shape(updates), dtype}, seed + 100 + static_cast<std::uint32_t>(i), Values::small));
  const ir::RegionId region = body_of(made.program, body, dtypes);
  const ir::NodeId node = made.program.builder.node(Op::scatter, values_in, s, {}, {region});
  for (ValueId result : made.program.graph.node(node).results) made.program.returns(result);
  return made;
}

TEST(Scatter, over_random_dimensions_is_as_interpreted) {
  constexpr DType kTypes[] = {i32, f32, f64, i8, u16, f16, bf16, i64};
  constexpr DType kIndices[] = {i32, i64, u8, i16};
  for (std::uint32_t seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    const Case made = random_case(seed, kTypes[seed % 8], kIndices[seed / 8 % 4]);
    expect_same(made.program.graph, made.arguments, {targets()[seed % targets().size()], 1 + static_cast<int>(seed % 2)});
  }
}

TEST(Scatter, of_the_largest_unsigned_indices_drops_them) {
  Program program;
  const ValueId x = program.argument({Shape{4}, i32}), i = program.argument({Shape{3, 1}, u64}), u = program.argument({Shape{3}, i32});
  ir::ScatterAttributes s;
  s.inserted_window_dims = {0};
  s.scatter_dims_to_operand_dims = {0};
  s.index_vector_dim = 1;
  program.returns(program.builder.op(Op::scatter, {x, i, u}, s, {}, {body_of(program, Body::set, {i32})}));
  ir::Literal indices = literal_of(u64, Shape{3, 1}, {0, 1, 3});
  reinterpret_cast<std::uint64_t*>(indices.buffer.data())[1] = ~std::uint64_t{0};
  expect_same(program.graph, {literal_of(i32, Shape{4}, {1, 2, 3, 4}), indices, literal_of(i32, Shape{3}, {7, 8, 9})});
}

// n updates of an array of n elements write into one array: nothing of its size is temporary.
TEST(Scatter, is_done_in_place) {
  Program program;
  const ValueId x = program.argument({Shape{5000}, f32}), i = program.argument({Shape{3000, 1}, i32}), u = program.argument({Shape{3000}, f32});
  ir::ScatterAttributes s;
  s.inserted_window_dims = {0};
  s.scatter_dims_to_operand_dims = {0};
  s.index_vector_dim = 1;
  program.returns(program.builder.op(Op::scatter, {x, i, u}, s, {}, {body_of(program, Body::add, {f32})}));
  EXPECT_LE(compiled(program.graph)->executable->memory().temporary_bytes, 1024);
}

}  // namespace
}  // namespace weft::sweep
