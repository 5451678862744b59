// The parts of benchmarks/elements: rows of the table, each measured for one dtype at a time.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <weft/error.h>

#include "benchmarks/plain_elements.h"
#include "benchmarks/timing.h"
#include "compiler/compile.h"
#include "compiler/ir/build.h"

namespace benchmark_tools {

using weft::DType;

inline constexpr std::int64_t kCount = 8192;

struct Times {
  double weft = 0, plain = 0;  // nanoseconds an element; plain 0: C++ has no such function
};

struct Row {
  std::string name;
  std::function<std::optional<Times>(DType)> times;  // nothing where the operation does not take the dtype
};

std::vector<Row> elementwise_rows();  // one for each operation of ops.def
std::vector<Row> other_rows();        // conversions, choices, reductions

// Calls f with a value of the C++ type of the elements: char for b1, as std::vector<bool> is no array.
template <class F>
auto with_type(DType dtype, const F& f) {
  switch (dtype) {
    case DType::b1:
      return f(char());
    case DType::i8:
      return f(std::int8_t());
    case DType::i16:
      return f(std::int16_t());
    case DType::i32:
      return f(std::int32_t());
    case DType::i64:
      return f(std::int64_t());
    case DType::u8:
      return f(std::uint8_t());
    case DType::u16:
      return f(std::uint16_t());
    case DType::u32:
      return f(std::uint32_t());
    case DType::u64:
      return f(std::uint64_t());
    case DType::f16:
      return f(_Float16());
    case DType::bf16:
      return f(Bfloat16());
    case DType::f32:
      return f(float());
    case DType::f64:
      return f(double());
    case DType::c64:
    case DType::c128:
      break;
  }
  throw weft::InternalError("no C++ type to measure");
}

// Floats in [low, high]; signed integers in [least, most], others in [1, most].
template <class T>
std::vector<T> random_elements(unsigned seed, double low, double high, int least, int most) {
  std::mt19937 engine(seed);
  std::vector<T> values(kCount);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, char>)
      value = static_cast<char>(engine() & 1);
    else if constexpr (is_float<T>)
      value = static_cast<T>(static_cast<float>(std::uniform_real_distribution<double>(low, high)(engine)));
    else
      value =
          static_cast<T>(std::uniform_int_distribution<int>(std::is_signed_v<T> ? least : 1, most)(engine));
  }
  return values;
}

// Nanoseconds an element of a graph's one result, one thread, and of the loop `plain`, if it is one.
template <class Plain>
Times measure_pair(weft::ir::Graph graph, const std::vector<const void*>& arguments, void* result,
                   const Plain& plain) {
  weft::CompileOptions options;
  options.num_threads = 1;
  const auto program = weft::compiler::compile(std::move(graph), options);
  void* results[] = {result};
  const double per = 1e9 / static_cast<double>(kCount);
  Times times;
  times.weft = per * measure([&] { program->executable->run_into(arguments, results); }, 0.02).least;
  if (plain()) times.plain = per * measure(plain, 0.02).least;
  return times;
}

}  // namespace benchmark_tools
