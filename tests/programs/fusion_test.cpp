// Chains of elementwise operations into reductions of one domain are one kernel that holds no temporary of
// the input's size; so is "the smallest energy and where it is", however it is written.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <weft/weft.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/text/text.h"
#include "tests/programs/random_chains.h"

namespace weft::sweep {
namespace {

using ir::ValueId;

// What is added to the interpreter's results: of each rounded one the sum of the magnitudes it folds, in f64.
std::vector<ir::Literal> interpreted_with_magnitudes(const Chains& chains,
                                                     const std::vector<ir::Literal>& arguments) {
  ir::Graph graph = chains.program.graph;
  ir::Builder b(graph, graph.entry().body);
  for (ValueId folded : chains.folded) {
    if (folded == ir::kNone) continue;
    const ValueId magnitude = b.convert(b.op(ir::Op::abs, {folded}), DType::f64);
    graph.region(b.region())
        .results.push_back(b.reduce(magnitude, b.scalar(DType::f64, 0), chains.axes, ir::Op::add));
  }
  return interpreter::interpret(graph, arguments);
}

std::string not_near(const ir::Literal& got, const ir::Literal& want, const ir::Literal& magnitude,
                     double length) {
  for (std::int64_t i = 0; i < want.type.size(); ++i) {
    const auto value = static_cast<double>(number_at(got, i)),
               exact = static_cast<double>(number_at(want, i));
    if (value == exact || (std::isnan(value) && std::isnan(exact))) continue;
    const double bound = (length + 8) * epsilon_of(want.type.dtype) * magnitude.at<double>(i);
    if (!(std::fabs(value - exact) <= bound)) return show(got, i) + ", want " + show(want, i);
  }
  return {};
}

void check_chains(std::uint32_t seed) {
  const Chains chains(seed);
  const auto arguments =
      arguments_of(chains.program.graph, seed, seed % 3 == 0 ? Values::small : Values::ordinary);
  const auto want = interpreted_with_magnitudes(chains, arguments);
  const Outcome got = run(chains.program.graph, arguments,
                          {targets()[seed % targets().size()], 1 + static_cast<int>(seed % 3)});
  EXPECT_EQ(got.kernels, 1);
  EXPECT_LT(got.temporary_bytes, chains.domain.size() * 4);
  double length = 1;
  for (std::int64_t axis : chains.axes) length *= static_cast<double>(chains.domain[static_cast<int>(axis)]);
  std::size_t magnitude = chains.folded.size();
  for (std::size_t k = 0; k < chains.folded.size(); ++k) {
    const std::string wrong = chains.folded[k] == ir::kNone
                                  ? difference(got.results[k], want[k])
                                  : not_near(got.results[k], want[k], want[magnitude++], length);
    EXPECT_EQ(wrong, "") << "result " << k;
  }
  if (testing::Test::HasFailure()) FAIL() << text::print(chains.program.graph) << got.loops;
}

TEST(RandomChains, are_one_kernel_without_a_temporary_and_right) {
  for (std::uint32_t seed = 0; seed < 200 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    check_chains(seed);
  }
}

// --- program (b) ---

template <class F>
void check_one_pass(const char* name, const F& function, const Array& x) {
  SCOPED_TRACE(testing::Message() << name << " of " << x.type().to_string());
  const auto lowered = jit(function).lower(x);
  const auto compiled = lowered.compile();
  EXPECT_EQ(compiled.kernel_count(), 1) << compiled.text(IrStage::loops);
  if (x.size() > 64) {
    EXPECT_LT(compiled.memory().temporary_bytes, x.nbytes() / 2) << compiled.text(IrStage::loops);
  }
  const ir::Graph graph = text::parse(lowered.text());
  for (Values kind : {Values::ordinary, Values::special, Values::small})
    EXPECT_EQ(expect_same(graph, arguments_of(graph, 11, kind), {"", 2}), 1);
}

using Pair = std::pair<Array, Array>;

Pair least_energy(Array x) {
  Array energies = vmap([](Array a) { return a * a; }, 0)(x);
  Array idx = argmin(energies, 0);
  return {idx, energies(idx)};
}

Pair min_then_argmin(Array x) {
  Array energies = x * x;
  return {argmin(energies, 0), min(energies, 0)};
}

Pair greatest_energy(Array x) {
  Array energies = x * x;
  Array idx = argmax(energies, 0);
  return {idx, energies(idx)};
}

Pair another_body(Array x) {
  Array energies = vmap([](Array a) { return abs(a * 3 - 2) + maximum(a, -a) * a; }, 0)(x);
  Array idx = argmin(energies, 0);
  return {idx, energies(idx)};
}

Array worst_of(DType dtype) {
  if (dtype == i32) return array(std::numeric_limits<std::int32_t>::max());
  return array(HUGE_VAL).astype(dtype);
}

template <bool NanWins>
Pair by_own_body(Array x) {
  Array energies = x * x;
  const auto smaller = [](Pair a, Pair b) {
    Array wins = a.first < b.first;
    if (NanWins) wins = logical_or(wins, a.first != a.first);
    Array first = logical_or(wins, logical_and(a.first == b.first, a.second < b.second));
    return Pair{where(wins, a.first, b.first), where(first, a.second, b.second)};
  };
  const auto [energy, idx] =
      reduce(Pair{energies, arange(x.shape(0), i32)}, Pair{worst_of(x.dtype()), array(0)}, smaller, {0});
  return {idx, energy};
}

Pair plain_own_body(Array x) {
  const auto smaller = [](Pair a, Pair b) {
    Array keeps = a.first <= b.first;
    return Pair{where(keeps, a.first, b.first), where(keeps, a.second, b.second)};
  };
  const auto [energy, idx] =
      reduce(Pair{x * x, arange(x.shape(0), i32)}, Pair{worst_of(x.dtype()), array(0)}, smaller, {0});
  return {idx, energy};
}

std::pair<Pair, Array> with_a_sum(Array x) {
  Array energies = x * x;
  Array idx = argmin(energies, 0);
  return {{idx, energies(idx)}, max(energies, 0)};
}

Pair along(Array x, int axis) {
  Array energies = x * x;
  return {argmin(energies, axis), min(energies, axis)};
}

template <class F>
void check_sizes(const char* name, const F& function) {
  for (std::int64_t size : {1, 17, 191, 1003})
    for (DType dtype : {f32, f64, i32}) check_one_pass(name, function, zeros({size}, dtype));
}

TEST(SmallestEnergy, is_one_pass_however_it_is_written) {
  check_sizes("vmap, argmin, index", least_energy);
  check_sizes("argmin and min", min_then_argmin);
  check_sizes("argmax and index", greatest_energy);
  check_sizes("another body", another_body);
  check_sizes("own body, NaN wins", by_own_body<true>);
  check_sizes("own body, NaN loses", by_own_body<false>);
  check_sizes("own body without a rule for ties", plain_own_body);
  check_sizes("argmin, index and max", with_a_sum);
}

TEST(SmallestEnergy, of_rows_and_columns_is_one_pass) {
  for (std::int64_t size : {1, 17, 191, 1003})
    for (DType dtype : {f32, f64, i32}) {
      check_one_pass(
          "rows", [](Array x) { return along(x, 1); }, zeros({5, size}, dtype));
      check_one_pass(
          "columns", [](Array x) { return along(x, 0); }, zeros({size, 5}, dtype));
      check_one_pass(
          "a long row each", [](Array x) { return along(x, 0); }, zeros({5, size}, dtype));
      check_one_pass("vmap of rows", vmap(least_energy), zeros({5, size}, dtype));
      check_one_pass("vmap of columns", vmap(least_energy, 1), zeros({size, 5}, dtype));
    }
}

}  // namespace
}  // namespace weft::sweep
