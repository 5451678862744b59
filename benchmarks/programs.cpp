// The founding programs as their authors wrote them, timed; beside plain C++ where that says something.
// Usage: programs [filter]    WEFT_NUM_THREADS sets the threads.
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <weft/weft.h>

#include "benchmarks/timing.h"

using benchmark_tools::measure;
using benchmark_tools::report;
using weft::Array;

namespace {

const char* filter = "";
bool wanted(const std::string& name) { return name.find(filter) != std::string::npos; }

template <class T>
Array normal(std::int64_t count, double scale) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> values(0.0, scale);
  std::vector<T> data(static_cast<std::size_t>(count));
  for (T& value : data) value = static_cast<T>(values(engine));
  return weft::copy_of(std::span<const T>(data), weft::Shape{count});
}

Array square(Array x) { return x * x; }
// sqrt(x² + 1)·exp(-x²/2) + 0.3·sin(3x) - 0.1·x³ + 0.25·x
Array body15(Array x) {
  Array t = x * x;
  return weft::sqrt(t + 1.0) * weft::exp(-0.5 * t) + 0.3 * weft::sin(3.0 * x) - 0.1 * (t * x) + 0.25 * x;
}

template <class Body>
auto min_energy(Body body) {
  return weft::jit([body](Array x) {
    Array energies = weft::vmap(body, 0)(x);
    Array index = weft::argmin(energies, 0);
    return std::pair{index, energies(index)};
  });
}

template <class Program>
void run(const char* work, const std::string& name, const Program& program, const Array& x) {
  if (!wanted(name)) return;
  const double start = benchmark_tools::seconds();
  auto compiled = program.lower(x).compile();
  const double compile = benchmark_tools::seconds() - start;
  std::string note = "compile " + std::to_string(compile * 1e3) + " ms";
  report(work, name, measure([&] { compiled(x); }), note);
}

void program_b() {
  const Array x = normal<float>(1'000'000, 2.0);
  run("W1", "x*x weft", min_energy(square), x);
  run("W1", "body15 weft", min_energy(body15), x);
  for (std::int64_t size : {1, 17, 191, 1'000'003})
    run("b", "x*x weft n=" + std::to_string(size), min_energy(square), normal<float>(size, 2.0));
  run("b", "x*x weft f64", min_energy(square), normal<double>(1'000'000, 2.0));
  run("b", "x*x weft i32", min_energy(square), normal<float>(1'000'000, 1e4).astype(weft::i32));
  const auto argmax = weft::jit([](Array v) {
    Array energies = v * v;
    Array index = weft::argmax(energies, 0);
    return std::pair{index, energies(index)};
  });
  run("b", "x*x weft argmax", argmax, x);
  const Array matrix = x.reshape({1000, 1000});
  for (int axis : {0, 1}) {
    const auto along = weft::jit([axis](Array v) {
      Array energies = v * v;
      return std::pair{weft::argmin(energies, axis), weft::min(energies, axis)};
    });
    run("b", "x*x weft matrix axis " + std::to_string(axis), along, matrix);
  }
  const auto other = [](Array v) { return weft::abs(v - 0.5) + 0.125 * v; };
  run("b", "other body weft", min_energy(other), x);
  run("b", "sum of squares weft", weft::jit([](Array v) { return weft::sum(v * v); }), x);
}

// The least energy and its place as custom reductions: with the NaN rule and the tie-break of argmin, and as
// plainly as they may be written.
void custom_reductions() {
  using Pair = std::pair<Array, Array>;
  const Array x = normal<float>(1'000'000, 2.0), matrix = x.reshape({1000, 1000});
  const auto smaller = [](Pair a, Pair b) {
    const Array keeps = weft::logical_or(a.first < b.first, weft::isnan(a.first));
    const Array tie = weft::logical_and(a.first == b.first, a.second < b.second);
    return Pair{weft::where(keeps, a.first, b.first), weft::where(weft::logical_or(keeps, tie), a.second, b.second)};
  };
  const auto plain = [](Pair a, Pair b) {
    const Array keeps = a.first <= b.first;
    return Pair{weft::where(keeps, a.first, b.first), weft::where(keeps, a.second, b.second)};
  };
  const auto last = [](Pair a, Pair b) {
    const Array keeps = a.first < b.first;
    return Pair{weft::where(keeps, a.first, b.first), weft::where(keeps, a.second, b.second)};
  };
  const auto reduced = [](auto body, int axis) {
    return weft::jit([=](Array v) {
      const Array index = weft::broadcast_to(weft::arange(v.shape(-1), weft::i32), v.shape());
      return weft::reduce(Pair{v * v, index}, Pair{weft::array(INFINITY), weft::array(0)}, body, {axis});
    });
  };
  run("b", "x*x weft reduce as argmin", reduced(smaller, 0), x);
  run("b", "x*x weft reduce a <= b", reduced(plain, 0), x);
  run("b", "x*x weft reduce a < b", reduced(last, 0), x);
  run("b", "x*x weft reduce a <= b matrix axis 1", reduced(plain, 1), matrix);
  run("b", "x*x weft reduce a <= b matrix axis 0", reduced(plain, 0), matrix);
}

void calls() {
  const auto add = weft::jit([](Array a, Array b) { return a + b; });
  const Array a = weft::arange(4.f), b = weft::ones({4});
  if (wanted("call of a + b")) report("call", "call of a + b on 4 elements", measure([&] { add(a, b); }));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  program_b();
  custom_reductions();
  calls();
}
