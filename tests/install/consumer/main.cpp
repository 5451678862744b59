// A user's project that sees nothing of Weft but what is installed.
#include <weft/weft.h>

#include <cstdio>

int main() {
  const auto squares = weft::jit([](weft::Array x) { return weft::sum(x * x); });
  const float sum = squares(weft::array({1.f, 2.f, 3.f})).item<float>();
  std::printf("sum of squares %g\n", static_cast<double>(sum));
  return sum == 14.f ? 0 : 1;
}
