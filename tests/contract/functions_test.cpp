// Section 2 of the interface: jit, vmap and reduce; trees, static values, captured values, callables.
#include <functional>
#include <optional>
#include <thread>

#include "tests/contract/contract.h"

namespace contract {
namespace {

using namespace weft;

struct State {
  Array pos;
  Array vel;
};
struct Settings {
  Array gain;
  int order = 1;
  double cutoff = 0;
};
class Hidden {
 public:
  Hidden() = default;
  Hidden(Array a, Array b) : a_(std::move(a)), b_(std::move(b)) {}
  Array sum() const { return a_ + b_; }
  friend auto weft_members(Hidden& h) { return std::tie(h.a_, h.b_); }

 private:
  Array a_, b_;
};
enum class Side { left, right };

Array square_of(Array x) { return x * x; }
struct Scale {
  Array factor;
  Array apply(Array x) const { return factor * x; }
};
struct Functor {
  Array operator()(Array x) const { return x + 1; }
};

TEST(Functions, TreesOfEveryKindGoInAndOut) {
  const auto f = jit([](std::tuple<Array, Array> t, std::pair<Array, Array> p, std::array<Array, 2> a,
                        std::vector<Array> v, std::optional<Array> o, std::map<std::string, Array> m) {
    return std::tuple{std::get<1>(t), p.second, a, v, o, m};
  });
  const auto [t, p, a, v, o, m] =
      f({1.f, 2.f}, {3.f, 4.f}, {Array(5.f), Array(6.f)}, {7.f, 8.f}, 9.f, {{"k", 10.f}});
  EXPECT_EQ(values(t), (Values{2}));
  EXPECT_EQ(values(p), (Values{4}));
  EXPECT_EQ(values(a[1]), (Values{6}));
  EXPECT_EQ(values(v.at(1)), (Values{8}));
  EXPECT_EQ(values(o.value()), (Values{9}));
  EXPECT_EQ(values(m.at("k")), (Values{10}));
}

TEST(Functions, APlainAggregateNeedsNoMacro) {
  const auto step = jit([](State s, Array dt) { return State{s.pos + dt * s.vel, s.vel}; });
  const State next = step(State{array({0.f, 1.f}), array({2.f, 2.f})}, 0.5);
  EXPECT_EQ(values(next.pos), (Values{1, 2}));
}

TEST(Functions, OtherClassesNameTheirMembers) {
  EXPECT_EQ(values(jit([](Hidden h) { return h.sum(); })(Hidden(array(1.f), array(2.f)))), (Values{3}));
}

TEST(Functions, IntegersBoolsEnumsAndStringsAreStructure) {
  int traces = 0;
  const auto f = jit([&traces](Array x, int n, bool negate, Side side, std::string name) {
    ++traces;
    x = x * n + static_cast<int>(name.size()) + (side == Side::left ? 0 : 100);
    return negate ? -x : x;
  });
  const Array one = array(1.f);
  EXPECT_EQ(values(f(one, 2, false, Side::left, "ab")), (Values{4}));
  EXPECT_EQ(values(f(one, 2, false, Side::left, "ab")), (Values{4}));
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(values(f(one, 3, false, Side::left, "ab")), (Values{5}));
  EXPECT_EQ(values(f(one, 3, true, Side::left, "ab")), (Values{-5}));
  EXPECT_EQ(values(f(one, 3, true, Side::right, "ab")), (Values{-105}));
  EXPECT_EQ(values(f(one, 3, true, Side::right, "abc")), (Values{-106}));
  EXPECT_EQ(traces, 5);
}

TEST(Functions, AStaticNumberAndAFloatingFieldAreStructureToo) {
  int traces = 0;
  const auto f = jit([&traces](Settings s, Static<double> k) {
    ++traces;
    return s.gain * s.cutoff * k * s.order;
  });
  EXPECT_EQ(values(f(Settings{array(2.f), 1, 0.5}, 3.0)), (Values{3}));
  EXPECT_EQ(values(f(Settings{array(4.f), 1, 0.5}, 3.0)), (Values{6}));
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(values(f(Settings{array(4.f), 1, 0.25}, 3.0)), (Values{3}));
  EXPECT_EQ(values(f(Settings{array(4.f), 1, 0.25}, 4.0)), (Values{4}));
  EXPECT_EQ(traces, 3);
}

TEST(Functions, AfterEightRecompilationsAWarningNamesTheArgument) {
  const auto f = jit([](Array x, int n) { return x + n; });
  ::testing::internal::CaptureStderr();
  for (int n = 0; n < 8; ++n) f.lower(array(1.f), n);
  for (int n = 0; n < 12; ++n) f(array(1.f), n);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("argument 1"), std::string::npos) << text;
}

TEST(Functions, TheResultHasTheTypeThatTheFunctionReturns) {
  const auto f = jit([](Array x) { return std::pair{x, State{x, x}}; });
  static_assert(std::is_same_v<decltype(f(Array())), std::pair<Array, State>>);
  EXPECT_EQ(values(f(array(3.f)).second.vel), (Values{3}));
}

TEST(Functions, CallablesOfEveryKind) {
  const Array three = array(3.f);
  EXPECT_EQ(values(jit([](Array x) { return x; })(three)), (Values{3}));
  EXPECT_EQ(values(jit([](auto x) { return x + x; })(three)), (Values{6}));
  EXPECT_EQ(values(jit(square_of)(three)), (Values{9}));
  EXPECT_EQ(values(jit(std::function<Array(Array)>(square_of))(three)), (Values{9}));
  EXPECT_EQ(values(jit(&Scale::apply)(Scale{array(2.f)}, three)), (Values{6}));
  EXPECT_EQ(values(jit(Functor())(three)), (Values{4}));
  EXPECT_EQ(values(vmap(square_of)(array({1.f, 2.f}))), (Values{1, 4}));
  EXPECT_EQ(values(vmap(Functor())(array({1.f, 2.f}))), (Values{2, 3}));
}

TEST(Functions, AClosureMayCaptureATracedValueOfAnOuterFunction) {
  const auto f = jit([](Array x) {
    const Array doubled = 2 * x;
    const Array mapped = vmap([doubled](Array a) { return a + sum(doubled); })(x);
    return jit([mapped](Array y) { return mapped * y; })(x);
  });
  EXPECT_EQ(values(f(array({1.f, 2.f}))), (Values{7, 16}));
}

TEST(Functions, ACapturedTracedValueIsLegalInTheRegionOfAReduction) {
  const auto f = jit([](Array x) {
    const Array least = min(x);
    const auto body = [least](Array a, Array b) { return maximum(maximum(a, b), least); };
    return reduce(x, array(-100.f), body, {0});
  });
  EXPECT_EQ(values(f(array({1.f, 5.f, -7.f}))), (Values{5}));
}

TEST(Functions, JitTracesOncePerSignature) {
  int traces = 0;
  const auto f = jit([&traces](Array x) {
    ++traces;
    return x + 1;
  });
  f(zeros({2}));
  f(ones({2}));
  EXPECT_EQ(traces, 1);
  f(zeros({3}));
  f(zeros({2}, f64));
  EXPECT_EQ(traces, 3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&f] { f(zeros({2})); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(traces, 3);
}

TEST(Functions, JitTakesOptions) {
  const auto f =
      jit([](Array x) { return x * 2; }, {.donate = {0}, .options = CompileOptions{.opt_level = 0}});
  EXPECT_EQ(values(f(array({1.f, 2.f}))), (Values{2, 4}));
}

TEST(Functions, VmapChoosesAxes) {
  const Array matrix = array<float>({{1, 2, 3}, {4, 5, 6}}), shift = array(10.f);
  const auto add_up = [](Array row, Array s) { return sum(row) + s; };
  EXPECT_EQ(values(vmap(add_up, {.in_axes = {0, none}})(matrix, shift)), (Values{16, 25}));
  EXPECT_EQ(values(vmap(add_up, {1, none})(matrix, shift)), (Values{15, 17, 19}));
  EXPECT_EQ(values(vmap([](Array a) { return a * a; }, 0)(matrix)), (Values{1, 4, 9, 16, 25, 36}));
  const auto twice = [](Array row) { return 2 * row; };
  EXPECT_EQ(vmap(twice, {.in_axes = {0}, .out_axes = 1})(matrix).shape(), (Shape{3, 2}));
}

TEST(Functions, VmapOfNothingBatchedTakesItsSize) {
  const auto f = vmap([](Array x) { return x + 1; }, {.in_axes = {none}, .axis_size = 4, .axis_name = "i"});
  EXPECT_EQ(values(f(array(1.f))), (Values{2, 2, 2, 2}));
}

TEST(Functions, TransformsComposeInAnyOrder) {
  const auto dot_self = [](Array x) { return sum(x * x); };
  const Array x = array<float>({{1, 2}, {3, 4}});
  EXPECT_EQ(values(jit(vmap(dot_self))(x)), (Values{5, 25}));
  EXPECT_EQ(values(vmap(jit(dot_self))(x)), (Values{5, 25}));
  EXPECT_EQ(values(vmap(vmap([](Array a) { return a * a; }))(x)), (Values{1, 4, 9, 16}));
  EXPECT_EQ(values(jit(jit(dot_self))(x)), (Values{30}));
}

TEST(Functions, LoopsAndBranchesOverStaticValuesUnroll) {
  const auto power_of = jit([](Array x, int n) {
    Array y = ones_like(x);
    for (int i = 0; i < n; ++i) y = y * x;
    if (n % 2) y = -y;
    return y;
  });
  EXPECT_EQ(values(power_of(array(2.f), 3)), (Values{-8}));
}

TEST(Functions, ReduceTakesAnyNumberOfOperands) {
  const Array x = array<float>({{1, 2}, {3, 4}}), y = array<float>({{5, 6}, {7, 8}});
  const auto sums = [](std::tuple<Array, Array, Array> a, std::tuple<Array, Array, Array> b) {
    return std::tuple{std::get<0>(a) + std::get<0>(b), std::get<1>(a) * std::get<1>(b),
                      maximum(std::get<2>(a), std::get<2>(b))};
  };
  const auto [total, product, most] = jit([&](Array p, Array q) {
    return reduce(std::tuple{p, q, p}, std::tuple{0, 1, -INFINITY}, sums, {0});
  })(x, y);
  EXPECT_EQ(values(total), (Values{4, 6}));
  EXPECT_EQ(values(product), (Values{35, 48}));
  EXPECT_EQ(values(most), (Values{3, 4}));
  EXPECT_EQ(total.dtype(), f32);
}

TEST(Functions, TheBodyOfAReductionNeedNotCommute) {
  const auto last = [](Array, Array b) { return b; };
  EXPECT_EQ(values(reduce(array({3, 1, 2}), 0, last, {0})), (Values{2}));
}

}  // namespace
}  // namespace contract
