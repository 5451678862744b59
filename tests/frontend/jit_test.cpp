// jit: trees, the cache and what it is keyed by, nesting, captures, values that leak, threads.
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

struct Particle {
  Array position, velocity;
  int steps = 1;
};
struct Secret {
  Secret() = default;
  explicit Secret(Array x) : inside(std::move(x)) {}
  Array inside;
  friend auto weft_members(Secret& s) { return std::tie(s.inside); }
};
enum class Mode { plus, minus };

Array twice(Array x) { return 2 * x; }
struct Model {
  Array weight;
  Array apply(Array x) const { return weight * x; }
};

TEST(Jit, TreesKeepTheirTypes) {
  const auto move = jit([](Particle p, Array dt) {
    return Particle{p.position + dt * p.velocity, p.velocity, p.steps + 1};
  });
  const Particle p = move(Particle{array({1.f}), array({2.f}), 4}, 0.5);
  EXPECT_EQ(values(p.position), (Values{2}));
  EXPECT_EQ(p.steps, 5);
  const auto many =
      jit([](std::vector<Array> xs, std::map<std::string, Array> m, std::optional<Array> o, Secret s) {
        Array total = zeros({});
        for (const Array& x : xs) total = total + x;
        for (const auto& [name, x] : m) total = total + static_cast<int>(name.size()) * x;
        if (o) total = total + *o;
        return std::tuple{total, s, std::array<Array, 2>{total, total}};
      });
  const auto [total, secret, pair] = many({1.f, 2.f}, {{"ab", 3.f}}, 4.f, Secret(array(7.f)));
  EXPECT_EQ(values(total), (Values{13}));
  EXPECT_EQ(values(secret.inside), (Values{7}));
  EXPECT_EQ(values(pair[1]), (Values{13}));
}

TEST(Jit, CallablesOfEveryKind) {
  EXPECT_EQ(values(jit(twice)(3.f)), (Values{6}));
  EXPECT_EQ(values(jit(&Model::apply)(Model{array(2.f)}, 5.f)), (Values{10}));
  EXPECT_EQ(values(jit(std::function<Array(Array)>(twice))(3.f)), (Values{6}));
  const auto generic = jit([](auto x, auto y) { return std::pair{x, x + y}; });
  EXPECT_EQ(values(generic(array({1, 2}), 1).second), (Values{2, 3}));
  EXPECT_EQ(values(jit(jit(twice))(3.f)), (Values{6}));
}

TEST(Jit, TracesOncePerSignature) {
  int traces = 0;
  const auto f = jit([&traces](Array x) {
    ++traces;
    return x + 1;
  });
  f(array({1.f, 2.f}));
  f(array({3.f, 4.f}));
  EXPECT_EQ(traces, 1);
  f(array({1.f}));
  f(array({1, 2}));
  EXPECT_EQ(traces, 3);
  Array x = 1.0;
  for (int i = 0; i < 10; ++i) x = f(x);
  EXPECT_EQ(traces, 4);
  EXPECT_TRUE(x.is_weak());
}

TEST(Jit, StaticValuesAreKeyedByTheirBits) {
  int traces = 0;
  const auto inverse = jit([&traces](Array x, Static<double> k) {
    ++traces;
    return x / k;
  });
  const Array one = array(1.0);
  EXPECT_EQ(inverse(one, 0.0).item<double>(), INFINITY);
  EXPECT_EQ(inverse(one, -0.0).item<double>(), -INFINITY);
  EXPECT_EQ(traces, 2);
  const auto choose = jit([&traces](Array x, Mode mode, bool negate, std::string) {
    ++traces;
    x = mode == Mode::plus ? x + 1 : x - 1;
    return negate ? -x : x;
  });
  EXPECT_EQ(choose(one, Mode::plus, false, "a").item<double>(), 2);
  EXPECT_EQ(choose(one, Mode::minus, false, "a").item<double>(), 0);
  EXPECT_EQ(choose(one, Mode::plus, true, "a").item<double>(), -2);
  EXPECT_EQ(choose(one, Mode::plus, true, "b").item<double>(), -2);
  EXPECT_EQ(traces, 6);
}

TEST(Jit, CapturedArrays) {
  const Array small = array({1.f, 2.f}), large = ones({5000});
  const auto f = jit([&](Array x) { return std::pair{x + small, sum(x(0) * large)}; });
  const auto [a, b] = f(array({1.f, 1.f}));
  EXPECT_EQ(values(a), (Values{2, 3}));
  EXPECT_EQ(values(b), (Values{5000}));
}

TEST(Jit, InsideJitIsACallOfAFunctionTracedOnce) {
  int traces = 0;
  const auto inner = jit([&traces](Array x) {
    ++traces;
    return x * x;
  });
  const auto outer = jit([&](Array x) { return inner(x) + inner(x + 1); });
  const std::string text = outer.lower(ShapeDtype{{2}, f32}).text();
  EXPECT_EQ(traces, 1);
  std::size_t functions = 0;
  for (std::size_t at = text.find("private"); at != std::string::npos; at = text.find("private", at + 1))
    ++functions;
  EXPECT_EQ(functions, 1u) << text;
}

TEST(Jit, AClosureMayCaptureATracedValue) {
  const auto outer = jit([](Array x) {
    const auto inner = jit([x](Array y) { return x + y; });
    return inner(2 * x) * inner(x);
  });
  EXPECT_EQ(values(outer(array(3.f))), (Values{54}));
}

TEST(Jit, ReadingATracedValueNamesTheLineAndTheWayOut) {
  const std::string line = "jit_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto is_positive = [](const Array& x) { return x > 0; };
  const auto branch = jit([&](Array x) { return is_positive(x) ? x : -x; });
  expect_message<TraceError>([&] { branch(1.f); }, {line, "cond", "where"});
  const auto read = jit([](Array x) { return Array(x.item<float>()); });
  expect_message<TraceError>([&] { read(array(1.f)); }, {"jit_test.cpp", "static"});
}

TEST(Jit, ALeakedValueIsAnError) {
  Array leaked;
  const std::string line = "jit_test.cpp:" + std::to_string(__LINE__ + 1);
  const auto one_more = [](const Array& x) { return x + 1; };
  jit([&](Array x) {
    leaked = one_more(x);
    return x;
  })(1.f);
  expect_message<TraceError>([&] { (void)(leaked + 1); }, {"outside", line});
  expect_message<TraceError>([&] { jit([&](Array x) { return x + leaked; })(1.f); }, {"outside", line});
  expect_message<TraceError>([&] { jit([](Array x) { return x; })(leaked); }, {"outside", line});
}

TEST(Jit, AnErrorWhileTracingLeavesTheFunctionUsable) {
  const auto f = jit([](Array x, Array y) { return x + y; });
  expect_message<ShapeError>([&] { f(zeros({2}), zeros({3})); }, {"add", "f32[2]", "jit_test.cpp"});
  EXPECT_EQ(values(f(array({1.f}), 2.f)), (Values{3}));
  expect_message<TypeError>([&] { f(Array(), 2.f); }, {"default-constructed"});
}

TEST(Jit, Stages) {
  const auto f = jit([](Array x, int n) { return std::pair{x * n, sum(x)}; });
  const Lowered lowered = f.lower(ShapeDtype{{3}, f32}, 2);
  EXPECT_NE(lowered.text().find("stablehlo.multiply"), std::string::npos);
  const Compiled compiled = lowered.compile();
  const auto [scaled, total] = compiled(array({1.f, 2.f, 3.f}), 2);
  EXPECT_EQ(values(scaled), (Values{2, 4, 6}));
  std::vector<float> place(3), one(1);
  compiled.call_into({place, one}, array({1.f, 1.f, 1.f}), 2);
  EXPECT_EQ(place, (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(one[0], 3);
  EXPECT_EQ(compiled.memory().argument_bytes, 12);
  EXPECT_FALSE(compiled.text(IrStage::loops).empty());
  expect_message<TypeError>([&] { compiled(array({1.f}), 2); }, {"argument 0", "f32[1]", "f32[3]"});
  expect_message<TypeError>([&] { compiled(array({1.f, 2.f, 3.f}), 3); }, {"static value"});
  expect_message<TypeError>(
      [&] {
        compiled.call_into({place}, array({1.f, 2.f, 3.f}), 2);
      },
      {"1 outputs for 2"});
  expect_message<TypeError>(
      [&] {
        compiled.call_into({one, place}, array({1.f, 2.f, 3.f}), 2);
      },
      {"output 0"});
}

TEST(Jit, AWarningNamesTheArgumentThatKeepsChanging) {
  const auto f = jit([](Array x, int n) { return x * n; });
  ::testing::internal::CaptureStderr();
  for (int n = 0; n < 20; ++n) f(1.f, n);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("argument 1"), std::string::npos) << text;
  EXPECT_EQ(text.find("warning"), text.rfind("warning"));
}

TEST(Jit, ALongChainNeitherOverflowsNorSlowsDown) {
  const auto f = jit([](Array x) {
    for (int i = 0; i < 100000; ++i) x = sin(x);
    return x;
  });
  EXPECT_GT(f.lower(ShapeDtype{{3}, f32}).text().size(), 1000000u);
}

TEST(Jit, FunctionsOfFunctionsAreEachTracedOnce) {
  std::function<Array(Array, int)> call;
  const auto fib =
      jit([&call](Array one, int t) { return t < 2 ? t * one : call(one, t - 1) + call(one, t - 2); });
  call = [&fib](Array one, int t) { return fib(one, t); };
  const std::string text = fib.lower(ShapeDtype{{}, i32}, 24).text();
  std::size_t functions = 0;
  for (std::size_t at = text.find("private"); at != std::string::npos; at = text.find("private", at + 1))
    ++functions;
  EXPECT_EQ(functions, 24u);
}

TEST(Jit, ManyThreadsShareOneFunction) {
  const auto f = jit([](Array x, int n) { return x * n + 1; });
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        if (f(array(2.f), i % 5).item<float>() != static_cast<float>(2 * (i % 5) + 1)) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace weft
