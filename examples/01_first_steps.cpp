// First steps: arrays, a function compiled at its first call, a batch of it, and what the compiler did.
#include <iostream>

#include <weft/weft.h>

using namespace weft;

int main() {
  auto distance = [](Array p, Array q) { return sqrt(sum((p - q) * (p - q))); };
  auto nearest = jit([=](Array points, Array q) {
    Array distances = vmap(distance, {0, none})(points, q);
    Array i = argmin(distances);
    return std::pair{i, distances(i)};
  });

  Array points = array({{0.f, 0.f}, {3.f, 4.f}, {1.f, 1.f}}), q = array({1.f, 3.f});
  auto [i, d] = nearest(points, q);
  std::cout << "point " << i << " is nearest, at distance " << d << "\n\n";

  auto compiled = nearest.lower(points, q).compile();
  for (const Rewrite& r : compiled.explain())
    if (r.is_headline) std::cout << r.pass << ": " << r.rule << " at " << r.where[0] << "\n";

  try {
    nearest(points, array({1.f, 2.f, 3.f}));
  } catch (const UserError& error) {
    std::cout << "\n" << error.what() << "\n";
  }
}
