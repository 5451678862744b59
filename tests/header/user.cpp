// A program of a typical user, as long as a first real one is; how long it takes to compile is a promise.
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <weft/weft.h>

using weft::_;
using weft::Array;

struct State {
  Array position;
  Array velocity;
  int steps = 0;
};

Array energy(Array x) { return 0.5 * weft::sum(x * x); }

int main() {
  const Array samples = weft::linspace(0, 1, 128).reshape({16, -1});
  const Array window = weft::array({0.25f, 0.5f, 0.25f});

  auto step = weft::jit([](State s, Array dt) {
    Array acceleration = -weft::sin(s.position);
    return State{s.position + dt * s.velocity, s.velocity + dt * acceleration, s.steps + 1};
  });
  State state{weft::ones({8}), weft::zeros({8})};
  for (int i = 0; i < 3; ++i) state = step(state, 0.1);
  std::cout << state.position << "\n" << state.steps << "\n";

  auto smooth = weft::jit(weft::vmap(
      [=](Array row) {
        Array padded = row(weft::slice(_, -2)) * window(0) + row(weft::slice(1, -1)) * window(1);
        return padded + row(weft::slice(2, _)) * window(2);
      },
      0));
  Array rows = smooth(samples);
  std::cout << rows.shape() << " " << rows.mean() << "\n";

  auto min_energy = weft::jit([](Array x) {
    Array energies = weft::vmap([](Array a) { return a * a; }, 0)(x);
    Array idx = weft::argmin(energies, 0);
    return std::pair{idx, energies(idx)};
  });
  auto compiled = min_energy.lower(weft::ShapeDtype{{128}, weft::f32}).compile();
  auto [index, least] = compiled(samples.ravel());
  std::cout << index.item<int>() << " " << least.item<float>() << "\n" << compiled.explain();

  auto statistics = weft::jit([](std::map<std::string, Array> signals, bool center) {
    std::vector<Array> means;
    for (auto& [name, signal] : signals) means.push_back(center ? signal.sum() * 0.0 : signal.mean());
    return std::tuple{means, energy(signals.begin()->second)};
  });
  auto [means, total] = statistics({{"a", samples}, {"b", rows}}, false);
  std::cout << means.size() << " " << total.item<float>() << std::endl;
}
