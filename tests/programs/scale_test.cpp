// Programs that are long, wide or hold much data: tracing, text, compile time and memory grow with the
// program.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include <weft/weft.h>

#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Op;
using ir::ValueId;

double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Scale, a_chain_of_a_hundred_thousand_sines_is_traced_compiled_run_and_destroyed) {
  const auto f = jit([](Array x) {
    for (int i = 0; i < 100'000; ++i) x = sin(x);
    return x;
  });
  const double seconds = seconds_of([&] {
    const auto compiled = f.lower(ShapeDtype{{3}, DType::f32}).compile();
    EXPECT_LE(compiled.kernel_count(), 100'000 / 256 + 1);  // long bodies are cut where one value is alive
    EXPECT_LE(compiled.memory().temporary_bytes, 256);
    EXPECT_EQ(compiled(zeros({3}))(0).item<float>(), 0);
  });
  EXPECT_LT(seconds, 60);
}

TEST(Scale, a_long_chain_of_short_steps_is_as_interpreted) {
  Program program;
  const ir::Type type{{3}, DType::f32};
  ValueId x = program.argument(type);
  const ValueId y = program.argument(type);
  for (int i = 0; i < 2000; ++i) x = program.builder.op(i % 2 == 0 ? Op::subtract : Op::minimum, {y, x});
  program.returns(x);
  EXPECT_LE(expect_same(program.graph, arguments_of(program.graph, 1, Values::ordinary)), 2000 / 256 + 1);
}

// Functions used often are called instead of inlined: the bits are the same.
TEST(Scale, the_twentieth_use_of_a_function_has_the_bits_of_the_first) {
  for (DType dtype : {DType::f32, DType::f64, DType::bf16})
    for (Op op : ir::all_ops()) {
      if (!ir::is_elementwise(op) || !ir::accepts(op, dtype) || ir::info_of(op).derivative == "none")
        continue;
      Program program;
      const ir::Type type{{37}, dtype};
      std::vector<ir::Literal> arguments;
      for (int use = 0; use < 20; ++use) {
        std::vector<ValueId> operands;
        for (int i = 0; i < ir::info_of(op).arity; ++i) {
          operands.push_back(program.argument(type));
          arguments.push_back(values(type, static_cast<std::uint32_t>(i), Values::special));
        }
        program.returns(program.builder.op(op, operands));
      }
      const auto results = run(program.graph, arguments).results;
      for (const ir::Literal& result : results)
        EXPECT_EQ(difference(result, results[0]), "") << ir::info_of(op).text << " of " << dtype;
    }
}

// Each step reads both values before it: without sharing the work would double with each.
TEST(Scale, shared_steps_are_computed_once) {
  const auto unrolled = [](int steps) {
    return jit([steps](Array ra, Array rb, Array g) {
      for (int i = 0; i < steps; ++i) {
        const Array next = 0.5 * (ra + g * ra + (1 - g) * rb);
        rb = 0.5 * (rb + g * ra + (1 - g) * rb);
        ra = next;
      }
      return std::pair{ra, rb};
    });
  };
  const Array a = ones({100}), b = zeros({100}), g = full({100}, 0.5f);
  for (int steps : {8, 64, 512}) {
    const auto compiled = unrolled(steps).lower(a, b, g).compile();
    EXPECT_LE(compiled.kernel_count(), 11 * steps / 256 + 1);
    const std::string loops = compiled.text(IrStage::loops);
    EXPECT_LE(std::count(loops.begin(), loops.end(), '\n'), 14 * steps + 20 + 20 * compiled.kernel_count());
    const auto [ra, rb] = compiled(a, b, g);
    EXPECT_GT(ra(99).item<float>(), 0);
    EXPECT_EQ(ra(99).item<float>(), ra(0).item<float>());
  }
}

TEST(Scale, functions_of_functions_are_not_expanded_before_they_are_compiled) {
  std::function<Array(Array, int)> call;
  const auto fib =
      jit([&call](Array one, int t) { return t < 2 ? t * one : call(one, t - 1) + call(one, t - 2); });
  call = [&fib](Array one, int t) { return fib(one, t); };
  EXPECT_EQ(fib(array(1), 24).item<std::int32_t>(), 46368);
}

TEST(Scale, thousands_of_arguments_and_results) {
  Program program;
  ValueId total = program.builder.scalar(DType::i32, 0);
  for (int i = 0; i < 2000; ++i) {
    const ValueId x = program.argument({Shape{}, DType::i32});
    total = program.builder.op(Op::add, {total, x});
    program.returns(total);
  }
  expect_same(program.graph, arguments_of(program.graph, 2, Values::small));
}

TEST(Scale, a_wide_chain_of_broadcasts_is_one_kernel) {
  Program program;
  const Shape shape{40, 60};
  ValueId x = program.argument({shape, DType::f32});
  for (int i = 0; i < 150; ++i) {
    const std::int64_t axis = i % 2;
    const ValueId row = program.argument({{shape[static_cast<int>(axis)]}, DType::f32});
    x = program.builder.op(i % 3 == 0 ? Op::maximum : Op::add,
                           {x, program.builder.broadcast(row, shape, {axis})});
  }
  program.returns(x);
  EXPECT_EQ(expect_same(program.graph, arguments_of(program.graph, 3, Values::ordinary)), 1);
}

TEST(Scale, large_captured_arrays_are_neither_folded_nor_copied) {
  const Array table = arange(20'000'000).reshape({10'000'000, 2});
  const auto f = jit([&](Array x) { return table(5'000'000) + x; });
  const double seconds = seconds_of([&] { EXPECT_EQ(f(array(1))(1).item<std::int32_t>(), 10'000'002); });
  EXPECT_LT(seconds, 5);
}

TEST(Scale, large_constants_are_not_folded) {
  const auto f = jit([](Array x) { return sum(ones({500, 500, 500})(100, 100) * x); });
  const double seconds = seconds_of([&] { EXPECT_EQ(f(array(2.f)).item<float>(), 1000); });
  EXPECT_LT(seconds, 5);
}

// A hundred reductions of computed arrays of 4 MB: none of those arrays is ever in memory.
TEST(Scale, many_large_reductions_need_no_temporaries) {
  const auto f = jit([](Array x) {
    Array total = 0.0;
    for (int i = 0; i < 100; ++i) total = total + max(abs(x * (i + 1) - i));
    return total;
  });
  const Array x = zeros({1'000'000});
  const auto compiled = f.lower(x).compile();
  EXPECT_LT(compiled.memory().temporary_bytes, x.nbytes());
  EXPECT_EQ(compiled(x).item<float>(), 4950);
}

}  // namespace
}  // namespace weft::sweep
