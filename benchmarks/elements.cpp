// Time per element of every operation and type, beside a plain C++ loop, one thread, arrays in the cache.
// Usage: elements [filter]         lines; those that take more than twice the loop's time end in SLOW
//        elements --markdown       the page docs/element_times.md
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "benchmarks/element_times.h"

using namespace weft;
using benchmark_tools::Row;
using benchmark_tools::Times;

namespace {

constexpr double kSlow = 2;  // more than this many times the loop is a fault

constexpr DType kTypes[] = {DType::b1,   DType::i8,  DType::i16, DType::i32, DType::i64,
                            DType::u8,   DType::u16, DType::u32, DType::u64, DType::f16,
                            DType::bf16, DType::f32, DType::f64};

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unknown processor";
}

void print_markdown(const std::vector<Row>& rows) {
  std::printf(
      "# Time per element\n\n"
      "Nanoseconds for one element of an array of %lld in the cache, one thread; in parentheses the same of "
      "a plain C++\n"
      "loop compiled with `-O3 -march=native`, where C++ has the function. Measured on %s.\n\n"
      "Written by `build/release/benchmarks/elements --markdown`; `elements` alone marks what takes more "
      "than %g times the\n"
      "loop's time.\n\n| operation |",
      static_cast<long long>(benchmark_tools::kCount), processor().c_str(), kSlow);
  for (DType dtype : kTypes) std::printf(" %s |", std::string(name_of(dtype)).c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < std::size(kTypes); ++i) std::printf("---|");
  std::printf("\n");
  for (const Row& row : rows) {
    std::printf("| %s |", row.name.c_str());
    for (DType dtype : kTypes) {
      const std::optional<Times> times = row.times(dtype);
      if (!times)
        std::printf(" |");
      else if (times->plain > 0)
        std::printf(" %.2f (%.2f) |", times->weft, times->plain);
      else
        std::printf(" %.2f |", times->weft);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

void print_lines(const std::vector<Row>& rows, const std::string& filter) {
  for (const Row& row : rows) {
    for (DType dtype : kTypes) {
      const std::string name = row.name + " " + std::string(name_of(dtype));
      if (name.find(filter) == std::string::npos) continue;
      const std::optional<Times> times = row.times(dtype);
      if (!times) continue;
      std::printf("%-40s weft %9.3f ns | plain C++ %9.3f ns%s\n", name.c_str(), times->weft, times->plain,
                  times->plain > 0 && times->weft > kSlow * times->plain ? " | SLOW" : "");
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Row> rows = benchmark_tools::elementwise_rows();
  for (Row& row : benchmark_tools::other_rows()) rows.push_back(std::move(row));
  if (argc > 1 && std::strcmp(argv[1], "--markdown") == 0)
    print_markdown(rows);
  else
    print_lines(rows, argc > 1 ? argv[1] : "");
}
