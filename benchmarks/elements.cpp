// Time per element of every elementwise operation and type, beside a plain C++ loop, one thread, arrays in the cache.
// Usage: elements [filter]         lines; those that take more than twice the loop's time end in SLOW
//        elements --markdown       the table of docs/element_times.md
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/plain_elements.h"
#include "benchmarks/timing.h"
#include "compiler/compile.h"
#include "compiler/ir/build.h"

using namespace weft;
using benchmark_tools::Bfloat16;
using ir::Op;

namespace {

constexpr std::int64_t kCount = 8192;
constexpr double kSlow = 2;  // more than this many times the loop is a fault

struct Interval {
  double low, high;
};
// Where the function is busy: neither trivial nor out of its domain.
Interval domain_of(Op op) {
  switch (static_cast<int>(op)) {
    case static_cast<int>(Op::acos):
    case static_cast<int>(Op::asin):
    case static_cast<int>(Op::atanh):
    case static_cast<int>(Op::erf_inv):
      return {-0.95, 0.95};
    case static_cast<int>(Op::acosh):
    case static_cast<int>(Op::zeta):
      return {1.1, 9};
    case static_cast<int>(Op::log):
    case static_cast<int>(Op::log2):
    case static_cast<int>(Op::log10):
    case static_cast<int>(Op::log_plus_one):
    case static_cast<int>(Op::sqrt):
    case static_cast<int>(Op::rsqrt):
    case static_cast<int>(Op::power):
    case static_cast<int>(Op::lgamma):
    case static_cast<int>(Op::digamma):
    case static_cast<int>(Op::remainder):
      return {0.1, 9};
    default:
      return {-4, 4};
  }
}

template <class T>
std::vector<T> operand(Op op, int number) {
  const Interval domain = domain_of(op);
  std::mt19937 engine(static_cast<unsigned>(7 + number));
  std::vector<T> values(kCount);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, char>) {
      value = static_cast<char>(engine() & 1);
    } else if constexpr (benchmark_tools::is_float<T>) {
      value = static_cast<T>(static_cast<float>(std::uniform_real_distribution<double>(domain.low, domain.high)(engine)));
    } else {
      const int low = number == 1 ? 1 : std::is_signed_v<T> ? -100 : 1;
      value = static_cast<T>(std::uniform_int_distribution<int>(low, number == 1 ? 7 : 100)(engine));
    }
  }
  if (op == Op::polygamma && number == 0)
    for (T& value : values) value = static_cast<T>(2.f);
  return values;
}

struct Times {
  double weft = 0, plain = 0;  // nanoseconds an element; plain 0: C++ has no such function
};

template <class T>  // char for b1: std::vector<bool> is no array
Times times_of(Op op, DType dtype) {
  const std::vector<T> x = operand<T>(op, 0), y = operand<T>(op, 1);
  std::vector<T> z(kCount);
  ir::Graph graph;
  const ir::RegionId body = graph.add_function("main", true).body;
  ir::Builder builder(graph, body);
  std::vector<ir::ValueId> operands;
  std::vector<const void*> arguments;
  for (int i = 0; i < ir::info_of(op).arity; ++i) {
    operands.push_back(graph.add_argument(body, {Shape{kCount}, dtype}));
    arguments.push_back(i == 0 ? x.data() : y.data());
  }
  graph.region(body).results = {builder.op(op, operands)};
  CompileOptions options;
  options.num_threads = 1;
  const auto program = compiler::compile(std::move(graph), options);
  void* results[] = {z.data()};
  const double per = 1e9 / static_cast<double>(kCount);
  Times times;
  times.weft = per * benchmark_tools::measure([&] { program->executable->run_into(arguments, results); }, 0.02).least;
  using Plain = std::conditional_t<std::is_same_v<T, char>, bool, T>;
  const auto plain = [&] {
    return benchmark_tools::plain_loop(op, reinterpret_cast<const Plain*>(x.data()),
                                       reinterpret_cast<const Plain*>(y.data()), z.data(), kCount);
  };
  if (plain()) times.plain = per * benchmark_tools::measure(plain, 0.02).least;
  return times;
}

Times times_of(Op op, DType dtype) {
  switch (dtype) {
    case DType::b1: return times_of<char>(op, dtype);
    case DType::i8: return times_of<std::int8_t>(op, dtype);
    case DType::i16: return times_of<std::int16_t>(op, dtype);
    case DType::i32: return times_of<std::int32_t>(op, dtype);
    case DType::i64: return times_of<std::int64_t>(op, dtype);
    case DType::u8: return times_of<std::uint8_t>(op, dtype);
    case DType::u16: return times_of<std::uint16_t>(op, dtype);
    case DType::u32: return times_of<std::uint32_t>(op, dtype);
    case DType::u64: return times_of<std::uint64_t>(op, dtype);
    case DType::f16: return times_of<_Float16>(op, dtype);
    case DType::bf16: return times_of<Bfloat16>(op, dtype);
    case DType::f32: return times_of<float>(op, dtype);
    case DType::f64: return times_of<double>(op, dtype);
    case DType::c64:
    case DType::c128: break;
  }
  return {};
}

constexpr DType kTypes[] = {DType::b1, DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16,
                            DType::u32, DType::u64, DType::f16, DType::bf16, DType::f32, DType::f64};

void print_markdown() {
  std::printf("| operation |");
  for (DType dtype : kTypes) std::printf(" %s |", std::string(name_of(dtype)).c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < std::size(kTypes); ++i) std::printf("---|");
  std::printf("\n");
  for (Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    std::printf("| %s |", std::string(ir::info_of(op).text).c_str());
    for (DType dtype : kTypes) {
      if (!ir::accepts(op, dtype)) {
        std::printf(" |");
        continue;
      }
      const Times times = times_of(op, dtype);
      if (times.plain > 0)
        std::printf(" %.2f (%.2f) |", times.weft, times.plain);
      else
        std::printf(" %.2f |", times.weft);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--markdown") == 0) {
    print_markdown();
    return 0;
  }
  const std::string filter = argc > 1 ? argv[1] : "";
  for (Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    for (DType dtype : kTypes) {
      const std::string name = std::string(ir::info_of(op).text) + " " + std::string(name_of(dtype));
      if (!ir::accepts(op, dtype) || name.find(filter) == std::string::npos) continue;
      const Times times = times_of(op, dtype);
      std::printf("%-40s weft %9.3f ns | plain C++ %9.3f ns%s\n", name.c_str(), times.weft, times.plain,
                  times.plain > 0 && times.weft > kSlow * times.plain ? " | SLOW" : "");
      std::fflush(stdout);
    }
  }
}
