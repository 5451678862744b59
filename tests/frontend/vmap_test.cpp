// vmap: batch axes of trees, nesting, and functions that capture.
#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

TEST(Vmap, AxesOfArgumentsAndResults) {
  const Array x = arange(6).reshape({2, 3}), y = array({10, 20, 30});
  const auto total = [](Array a) { return sum(a); };
  EXPECT_EQ(values(vmap(total)(x)), (Values{3, 12}));
  EXPECT_EQ(values(vmap(total, 1)(x)), (Values{3, 5, 7}));
  EXPECT_EQ(values(vmap(total, -1)(x)), (Values{3, 5, 7}));
  const auto add = [](Array a, Array b) { return a + b; };
  EXPECT_EQ(values(vmap(add, {0, none})(x, y)), (Values{10, 21, 32, 13, 24, 35}));
  EXPECT_EQ(values(vmap(add, {1, 0})(x, y)), (Values{10, 13, 21, 24, 32, 35}));
  EXPECT_EQ(values(vmap(add, {.in_axes = {0, none}, .out_axes = 1})(x, y)), (Values{10, 13, 21, 24, 32, 35}));
  EXPECT_EQ(values(vmap([](Array) { return zeros({}); })(x)), (Values{0, 0}));
}

TEST(Vmap, TreesOfAxes) {
  const Array x = arange(6).reshape({2, 3}), y = array({10, 20, 30});
  const auto f = [](std::pair<Array, Array> p, Array c) { return std::pair{p.first + p.second, c}; };
  const auto [sums, cs] = vmap(f, {{0, none}, 1})(std::pair{x, y}, x.T());
  EXPECT_EQ(values(sums), (Values{10, 21, 32, 13, 24, 35}));
  EXPECT_EQ(cs.shape(), (Shape{2, 3}));
}

TEST(Vmap, NestsInItselfAndInJit) {
  const Array x = array({1, 2}), y = array({10, 20, 30});
  const auto outer = vmap(vmap([](Array a, Array b) { return a * b; }, {none, 0}), {0, none});
  EXPECT_EQ(values(outer(x, y)), (Values{10, 20, 30, 20, 40, 60}));
  EXPECT_EQ(values(jit(outer)(x, y)), (Values{10, 20, 30, 20, 40, 60}));
  const auto f = jit([](Array a, Array b) { return vmap([b](Array one) { return one + sum(b); })(a); });
  EXPECT_EQ(values(f(x, y)), (Values{61, 62}));
}

TEST(Vmap, IndexingByABatchedIndex) {
  const Array x = arange(12).reshape({3, 4}), i = array({2, 0, -1});
  EXPECT_EQ(values(vmap([](Array row, Array at) { return row(at); })(x, i)), (Values{2, 4, 11}));
  EXPECT_EQ(values(vmap([](Array row) { return row(argmax(row)); })(x)), (Values{3, 7, 11}));
}

TEST(Vmap, Errors) {
  const Array x = zeros({2, 3}), y = zeros({4});
  const auto add = [](Array a, Array b) { return a + b; };
  expect_message<ShapeError>([&] { vmap(add)(x, y); }, {"vmap", "argument 1", "f32[4]", "2"});
  expect_message<IndexError>([&] { vmap(add, {0, 1})(x, y); }, {"no axis 1"});
  expect_message<TypeError>([&] { vmap(add, {none, none})(x, y); }, {"axis_size"});
  expect_message<TypeError>([&] { vmap(add, {0, 0, 0})(x, y); }, {"3 axes", "2 arguments"});
  expect_message<TypeError>([&] { vmap([](Array a) { return a; }, {.out_axes = none})(x); },
                            {"vmap", "result 0"});
}

TEST(Vmap, TheSmallestEnergyAndWhereItIs) {
  const auto min_energy = jit([](Array x) {
    Array energies = vmap([](Array a) { return a * a; }, 0)(x);
    Array idx = argmin(energies, 0);
    return std::pair{idx, energies(idx)};
  });
  const auto [index, energy] = min_energy(array({3.0, -0.5, 2.0, 0.5}));
  EXPECT_EQ(index.item<std::int32_t>(), 1);
  EXPECT_EQ(energy.item<double>(), 0.25);
}

}  // namespace
}  // namespace weft
