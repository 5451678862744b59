// Program (c): a loop that filters one column after another, the same as a scan, and as a vmap over all columns.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <weft/weft.h>

#include "timing.h"

using namespace weft;

namespace {

// The program as one writes it, three times.
struct Filters {
  Array impulse;

  Array filtered(Array column) const { return signal::convolve(impulse, column)(slice(_, -19)); }

  Array loop(Array y) const {
    for (int i = 0; i < y.shape(0); ++i) y = y.at(_, i).set(filtered(y(_, i)));
    return y;
  }
  Array as_scan(Array y) const {
    const auto step = [this](Array y, Array i) { return std::pair{y.at(_, i).set(filtered(y(_, i))), i}; };
    return scan(step, y, arange(y.shape(0))).first;
  }
  Array as_vmap(Array y) const {
    return vmap([this](Array column) { return filtered(column); }, {.in_axes = {1}, .out_axes = 1})(y);
  }
};

// The loop that one would write by hand: rows of columns, newest tap first.
void plain(const float* y, float* out, std::int64_t rows, std::int64_t columns, std::int64_t filtered, const float* taps,
           std::int64_t count) {
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      float sum = 0;
      if (column < filtered)
        for (std::int64_t k = 0; k < count && k <= row; ++k) sum += taps[k] * y[(row - k) * columns + column];
      out[row * columns + column] = column < filtered ? sum : y[row * columns + column];
    }
}

double distance(const Array& a, const Array& b) { return max(abs(a.astype(f64) - b.astype(f64))).item<double>(); }

template <class Function>
void show(const char* title, const Filters& filters, const Function& function, const Array& y, const Array& wanted,
          std::int64_t columns, int in_full) {
  const double start = seconds();
  const auto compiled = jit(function).lower(y).compile();
  const double compile_time = seconds() - start;
  const Array result = compiled(y);
  const double weft_time = best_of(20, [&] { compiled(y); });
  std::vector<float> out(static_cast<std::size_t>(y.size()));
  const double plain_time = best_of(20, [&] {
    plain(y.data<float>().data(), out.data(), y.shape(0), y.shape(1), columns, filters.impulse.data<float>().data(),
          filters.impulse.size());
  });
  std::printf("\n-- %s\n", title);
  std::cout << "row 100: " << result(100, slice(0, 4));
  std::printf("; largest difference to the expected values %.1e\n", distance(result, wanted));
  std::printf("trace and compile %.1f ms; run %.1f us; plain C++ %.1f us; temporaries %lld bytes\n", compile_time * 1e3,
              weft_time, plain_time, static_cast<long long>(compiled.memory().temporary_bytes));
  print_headlines(compiled.explain(), in_full, 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("usage: 03_filter_columns ecg_windows.npy"), 2;
  const Array y = load_npy(argv[1]);
  const std::string file = argv[1], folder = file.substr(0, file.rfind('/') + 1);
  const Filters filters{load_npy(folder + "impulse_20_f32.npy")};
  const Array some = load_npy(folder + "filtered_first_192_columns_f64.npy");
  const Array all = load_npy(folder + "filtered_all_columns_f64.npy");
  show("loop, 192 of 334 columns", filters, [&](Array v) { return filters.loop(v); }, y, some, 192, 0);
  show("scan, 192 of 334 columns", filters, [&](Array v) { return filters.as_scan(v); }, y, some, 192, 1);
  show("vmap, all columns", filters, [&](Array v) { return filters.as_vmap(v); }, y, all, 334, 0);
  const bool is_right = distance(jit([&](Array v) { return filters.as_scan(v); })(y), some) < 1e-5;
  return is_right ? 0 : 1;
}
