// Many threads trace, compile, run and destroy jitted functions at once; every result is right.
#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

constexpr int kThreads = 8;

// Runs the body once a thread, all starting together; an exception in one is a failure.
template <class F>
void on_all_threads(const F& body) {
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      try {
        body(t);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "thread " << t << ": " << error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
}

Array counted(std::int64_t size) { return arange(size, f32); }
float sum_of_squares(std::int64_t size) {
  float sum = 0;
  for (std::int64_t i = 0; i < size; ++i) sum += static_cast<float>(i * i);
  return sum;
}

TEST(Concurrency, FirstCallsOfOneFunctionAtOnce) {
  for (int round = 0; round < 5; ++round) {
    const auto f = jit([](Array x) { return sum(x * x); });
    on_all_threads([&](int) {
      for (int i = 0; i < 10; ++i) EXPECT_EQ(f(counted(10)).item<float>(), sum_of_squares(10));
    });
  }
}

TEST(Concurrency, OneFunctionWithManyShapesAndTypes) {
  const auto f = jit([](Array x, int n) { return sum(x * x) * n; });
  on_all_threads([&](int t) {
    for (int i = 0; i < 24; ++i) {
      const std::int64_t size = 1 + (i * 7 + t) % 6;
      const float want = sum_of_squares(size) * static_cast<float>(i % 3);
      if ((i + t) % 2 == 0)
        EXPECT_EQ(f(counted(size), i % 3).item<float>(), want);
      else
        EXPECT_EQ(f(counted(size).astype(f64), i % 3).item<double>(), want);
    }
  });
}

TEST(Concurrency, FunctionsThatCallOneAnother) {
  const auto inner = jit([](Array x) { return x * 2 + 1; });
  const auto outer = jit([&](Array x) { return sum(inner(x)) + sum(inner(x + 1)); });
  const auto mapped = vmap([&](Array x) { return inner(x) * 3; });
  on_all_threads([&](int t) {
    for (int i = 0; i < 6; ++i) {
      const std::int64_t size = 1 + (i + t) % 3;
      const auto n = static_cast<float>(size);
      EXPECT_EQ(outer(counted(size)).item<float>(), 2 * n * (n - 1) + 4 * n);
      EXPECT_EQ(mapped(counted(size))(size - 1).item<float>(), 3 * (2 * (n - 1) + 1));
    }
  });
}

TEST(Concurrency, EachThreadItsOwnFunctions) {
  on_all_threads([&](int t) {
    for (int i = 0; i < 5; ++i) {
      const auto f = jit([=](Array x) { return argmax(x * (t % 2 == 0 ? 1 : -1)); });
      EXPECT_EQ(f(counted(9)).item<std::int32_t>(), t % 2 == 0 ? 8 : 0);
    }
  });
}

TEST(Concurrency, OperationsThatRunAtOnce) {
  on_all_threads([&](int t) {
    for (int i = 0; i < 10; ++i) {
      Array x = counted(4 + (i + t) % 3) + t;
      x = where(x > t, x, 100);
      EXPECT_EQ(min(x).item<float>(), static_cast<float>(t + 1));
      EXPECT_EQ(x(0).item<float>(), 100);
      EXPECT_EQ(x(array({1, -1})).shape(), (Shape{2}));
    }
  });
}

struct Mine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(Concurrency, ExceptionsInSomeTracesHarmNoOther) {
  std::atomic<int> calls = 0, thrown = 0;
  const auto f = jit([&](Array x, int n) {
    Array y = x * n;
    if (calls++ % 3 != 0) throw Mine("mine");
    return sum(y);
  });
  on_all_threads([&](int t) {
    for (int i = 0; i < 30; ++i) {
      const int n = (i + t) % 7;
      try {
        EXPECT_EQ(f(counted(5), n).item<float>(), static_cast<float>(10 * n));
      } catch (const Mine&) {
        ++thrown;
      }
      EXPECT_THROW(f(counted(5), n) + zeros({3, 2, 2}) + zeros({5}), std::runtime_error);
    }
  });
  EXPECT_GT(thrown, 0);
}

// A function is replaced while other threads still call copies of it.
TEST(Concurrency, FunctionsAreDestroyedMeanwhile) {
  const auto make = [](int k) { return jit([k](Array x) { return std::pair{sum(x) + k, x * k}; }); };
  using Function = decltype(make(0));
  std::mutex mutex;
  std::optional<Function> shared(make(1));
  on_all_threads([&](int t) {
    for (int i = 0; i < 20; ++i) {
      if (t % 4 == 0) {
        const std::lock_guard lock(mutex);
        shared.emplace(make(i));
        continue;
      }
      std::optional<Function> mine;
      {
        const std::lock_guard lock(mutex);
        mine.emplace(*shared);
      }
      const auto [total, scaled] = (*mine)(counted(4));
      const float k = scaled(1).item<float>();
      mine.reset();
      EXPECT_EQ(total.item<float>(), 6 + k);
    }
  });
}

// Results outlive the function, and arrays are handed from thread to thread.
TEST(Concurrency, CompiledProgramsAndArraysAreShared) {
  const auto compiled = jit([](Array x) {
                          return std::pair{x(array({0, -1})), sum(x)};
                        })
                            .lower(counted(1000))
                            .compile();
  const Array x = counted(1000);
  std::vector<Array> totals(kThreads);
  on_all_threads([&](int t) {
    for (int i = 0; i < 20; ++i) totals[static_cast<std::size_t>(t)] = compiled(x).second;
    std::vector<float> ends(2), total(1);
    compiled.call_into({ends, total}, x);
    EXPECT_EQ(ends[1], 999);
    EXPECT_EQ(total[0], 499500);
  });
  for (const Array& total : totals) EXPECT_EQ(total.item<float>(), 499500);
}

// Large enough for the threads of the library, called from threads of the user's.
TEST(Concurrency, LargeProgramsOnSeveralThreadsEach) {
  CompileOptions options;
  options.num_threads = 3;
  const auto f = jit(
      [](Array x) {
        return std::tuple{max(x), argmin(x), sum(exp(-x))};
      },
      {.options = options});
  const Array x = counted(300'000);
  const auto want = f(x);
  on_all_threads([&](int) {
    for (int i = 0; i < 3; ++i) {
      const auto got = f(x);
      EXPECT_EQ(std::get<0>(got).item<float>(), 299'999);
      EXPECT_EQ(std::get<1>(got).item<std::int32_t>(), 0);
      EXPECT_EQ(std::get<2>(got).item<float>(), std::get<2>(want).item<float>());
    }
  });
}

TEST(Concurrency, TwentyFunctionsTwoHundredCallsEach) {
  std::vector<std::function<Array(Array)>> functions;
  for (int k = 0; k < 20; ++k) functions.emplace_back(jit([k](Array x) { return sum(x * k + 1); }));
  on_all_threads([&](int t) {
    for (int i = 0; i < 200; ++i) {
      const int k = (i * 3 + t) % 20;
      EXPECT_EQ(functions[static_cast<std::size_t>(k)](counted(6)).item<float>(),
                static_cast<float>(15 * k + 6));
    }
  });
}

}  // namespace
}  // namespace weft
