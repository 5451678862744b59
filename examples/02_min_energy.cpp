// Program (b): vmap, then the smallest energy and where it is. One pass over x, whatever the energy.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <random>
#include <vector>

#include <weft/weft.h>

#include "timing.h"

using weft::Array;

namespace {

float square(float x) { return x * x; }
Array square(const Array& x) { return x * x; }

float body15(float x) {
  const float t = x * x;
  return std::sqrt(t + 1) * std::exp(-0.5f * t) + 0.3f * std::sin(3 * x) - 0.1f * (t * x) + 0.25f * x;
}
Array body15(const Array& x) {
  Array t = x * x;
  return weft::sqrt(t + 1.0) * weft::exp(-0.5 * t) + 0.3 * weft::sin(3.0 * x) - 0.1 * (t * x) + 0.25 * x;
}

// The program as one writes it.
template <class Energy>
auto min_energy_of(Energy energy) {
  return weft::jit([energy](Array x) {
    Array energies = weft::vmap(energy, 0)(x);
    Array idx = weft::argmin(energies, 0);
    return std::pair{idx, energies(idx)};
  });
}

// Beside it, the loop that one would write by hand.
template <class Traced, class Plain>
void show(const char* title, const Array& x, Traced traced, Plain plain, bool is_first = false) {
  const auto min_energy = min_energy_of(traced);
  const double start = seconds();
  const auto compiled = min_energy.lower(x).compile();
  const double compile_time = seconds() - start;
  const auto [idx, energy] = compiled(x);
  const double weft_time = best_of(20, [&] { compiled(x); });

  const std::span<const float> data = x.data<float>();
  std::size_t best = 0;
  float least = INFINITY;
  const double plain_time = best_of(5, [&] {
    best = 0, least = INFINITY;
    for (std::size_t i = 0; i < data.size(); ++i)
      if (const float e = plain(data[i]); e < least) least = e, best = i;
  });

  std::printf("\n-- %s, %lld values\n", title, static_cast<long long>(x.size()));
  std::cout << "index " << idx << ", energy " << energy;
  std::printf("; plain C++: index %zu, energy %.9g\n", best, static_cast<double>(least));
  std::printf("compile %.1f ms; run %.1f us; plain C++ %.1f us; temporaries %lld bytes\n", compile_time * 1e3, weft_time,
              plain_time, static_cast<long long>(compiled.memory().temporary_bytes));
  print_headlines(compiled.explain(), is_first ? 2 : 0, 2);
}

}  // namespace

int main(int argc, char** argv) {
  std::mt19937 engine(7);
  std::normal_distribution<float> normal(0.f, 2.f);
  std::vector<float> candidates(1'000'000);
  for (float& value : candidates) value = normal(engine);
  const Array x = weft::copy_of(candidates, {candidates.size()});

  const auto squares = [](auto v) { return square(v); };
  const auto bodies = [](auto v) { return body15(v); };
  show("x*x", x, [&](Array v) { return squares(v); }, [&](float v) { return squares(v); }, true);
  show("15 operations", x, [&](Array v) { return bodies(v); }, [&](float v) { return bodies(v); });
  if (argc > 1) {
    const Array ecg = weft::load_npy(argv[1]).reshape({-1});
    show("x*x of ECG samples", ecg, [&](Array v) { return squares(v); }, [&](float v) { return squares(v); });
  }
}
