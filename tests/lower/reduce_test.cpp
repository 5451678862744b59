// Reductions from the graph to machine code: values, number of kernels, equal bits on every target and thread count.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/lower/run_plan.h"

namespace weft {
namespace {

using ir::Builder;
using ir::Dims;
using ir::Literal;
using ir::Op;
using ir::ValueId;

Literal random_floats(const Shape& shape, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0.f, 2.f);
  Literal literal{{shape, DType::f32}, runtime::Buffer::allocate(static_cast<std::size_t>(shape.size()) * 4), false};
  auto* data = reinterpret_cast<float*>(literal.buffer.data());
  for (std::int64_t i = 0; i < shape.size(); ++i) data[i] = normal(engine);
  return literal;
}

// A graph with one argument; `body` gives the results.
template <class Body>
ir::Graph graph_of(const Shape& shape, const Body& body) {
  ir::Graph graph;
  const ir::RegionId region = graph.add_function("main", true).body;
  const ValueId x = graph.add_argument(region, {shape, DType::f32});
  Builder builder(graph, region);
  graph.region(region).results = body(builder, x);
  ir::verify(graph, "test");
  return graph;
}

std::vector<ValueId> argmin_of(Builder& b, ValueId x, std::int64_t dim) {
  const Shape shape = b.type(x).shape;
  ir::Graph& graph = b.graph();
  const ir::RegionId region = graph.add_region();
  const ir::Type key{Shape{}, DType::f32}, index{Shape{}, DType::i32};
  const ValueId av = graph.add_argument(region, key), ai = graph.add_argument(region, index);
  const ValueId bv = graph.add_argument(region, key), bi = graph.add_argument(region, index);
  Builder body(graph, region);
  const ValueId less = body.compare(ir::Direction::LT, av, bv), nan = body.compare(ir::Direction::NE, av, av);
  const ValueId wins = body.op(Op::or_, {less, nan});
  const ValueId tie = body.op(Op::and_, {body.compare(ir::Direction::EQ, av, bv), body.compare(ir::Direction::LT, ai, bi)});
  const ValueId first = body.op(Op::or_, {wins, tie});
  graph.region(region).results = {body.select(wins, av, bv), body.select(first, ai, bi)};
  const ir::NodeId node = b.node(Op::reduce, {x, b.iota(DType::i32, shape, dim), b.scalar(DType::f32, INFINITY), b.scalar(DType::i32, 0)},
                                 ir::ReduceAttributes{{dim}}, {}, {region});
  return graph.node(node).results;
}

TEST(Reduce, sums_and_extremes_of_any_length_are_one_kernel_with_equal_bits) {
  for (std::int64_t n : {0, 1, 3, 8, 17, 63, 64, 65, 191, 1000, 4096, 4097, 100003}) {
    const ir::Graph graph = graph_of(Shape{n}, [&](Builder& b, ValueId x) {
      const ValueId y = b.op(Op::multiply, {x, x});
      std::vector<ValueId> results{b.reduce(y, b.scalar(DType::f32, 0), {0}, Op::add),
                                   b.reduce(y, b.scalar(DType::f32, INFINITY), {0}, Op::minimum),
                                   b.reduce(y, b.scalar(DType::f32, -INFINITY), {0}, Op::maximum)};
      for (ValueId value : argmin_of(b, y, 0)) results.push_back(value);
      return results;
    });
    const lower::Plan plan = lower::lower(graph);
    ASSERT_EQ(plan.kernels.size(), 1u) << print(plan);
    const Literal x = random_floats(Shape{n}, static_cast<unsigned>(n));
    double sum = 0;
    float least = INFINITY, greatest = -INFINITY;
    std::int32_t where = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const float y = x.at<float>(i) * x.at<float>(i);
      sum += y;
      if (y < least) least = y, where = static_cast<std::int32_t>(i);
      greatest = std::max(greatest, y);
    }
    std::vector<Literal> first;
    for (const std::string& target : test::targets()) {
      for (int threads : {1, 2, 3}) {
        const auto got = test::run_plan(plan, {x}, target, threads);
        EXPECT_NEAR(got[0].at<float>(0), sum, 1e-5 * sum) << n << " " << target;
        EXPECT_EQ(got[1].at<float>(0), least) << n << " " << target;
        EXPECT_EQ(got[2].at<float>(0), greatest) << n << " " << target;
        EXPECT_EQ(got[3].at<float>(0), least) << n << " " << target;
        EXPECT_EQ(got[4].at<std::int32_t>(0), where) << n << " " << target;
        if (first.empty()) first = got;
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], first[i]) << n << " " << target << " result " << i;
      }
    }
  }
}

TEST(Reduce, matrices_along_either_axis) {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 7}, {5, 1}, {3, 17}, {40, 100}, {100, 40}, {1500, 33}, {2, 5000}}) {
    for (std::int64_t axis : {0, 1}) {
      const ir::Graph graph = graph_of(Shape{rows, columns}, [&](Builder& b, ValueId x) {
        std::vector<ValueId> results{b.reduce(x, b.scalar(DType::f32, 0), {axis}, Op::add),
                                     b.reduce(x, b.scalar(DType::f32, INFINITY), {axis}, Op::minimum)};
        for (ValueId value : argmin_of(b, x, axis)) results.push_back(value);
        return results;
      });
      const lower::Plan plan = lower::lower(graph);
      ASSERT_EQ(plan.kernels.size(), 1u) << print(plan);
      const Literal x = random_floats(Shape{rows, columns}, 5);
      std::vector<Literal> first;
      for (const std::string& target : test::targets()) {
        const auto got = test::run_plan(plan, {x}, target, 2);
        const std::int64_t outer = axis == 0 ? columns : rows, length = axis == 0 ? rows : columns;
        for (std::int64_t o = 0; o < outer; ++o) {
          double sum = 0;
          float least = INFINITY;
          std::int32_t where = 0;
          for (std::int64_t i = 0; i < length; ++i) {
            const float v = axis == 0 ? x.at<float>(i * columns + o) : x.at<float>(o * columns + i);
            sum += v;
            if (v < least) least = v, where = static_cast<std::int32_t>(i);
          }
          EXPECT_NEAR(got[0].at<float>(o), sum, 1e-4 * std::sqrt(length)) << print(plan) << target;
          EXPECT_EQ(got[1].at<float>(o), least) << rows << "x" << columns << " axis " << axis << target;
          EXPECT_EQ(got[2].at<float>(o), least);
          EXPECT_EQ(got[3].at<std::int32_t>(o), where) << rows << "x" << columns << " axis " << axis << target;
        }
        if (first.empty()) first = got;
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], first[i]) << target << " result " << i;
      }
    }
  }
}

}  // namespace
}  // namespace weft
