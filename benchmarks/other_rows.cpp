// Conversions to every type, comparison, choice, bounds, and the standard reductions.
#include "benchmarks/element_times.h"

namespace benchmark_tools {
namespace {

using weft::Shape;
using weft::ir::Op;
namespace ir = weft::ir;

struct Program {
  ir::Graph graph;
  ir::RegionId body = graph.add_function("main", true).body;
  ir::Builder builder{graph, body};

  ir::ValueId argument(DType dtype) { return graph.add_argument(body, {Shape{kCount}, dtype}); }
  ir::Graph returning(ir::ValueId result) {
    graph.region(body).results = {result};
    return std::move(graph);
  }
};

template <class T>
std::vector<T> elements(unsigned seed) {
  return random_elements<T>(seed, -4, 4, -100, 100);
}
// Memory of bool, which is what C++ compares give.
template <class T>
auto as_plain(const std::vector<T>& values) {
  using Plain = std::conditional_t<std::is_same_v<T, char>, bool, T>;
  return reinterpret_cast<const Plain*>(values.data());
}

// What convert gives, by hand: floats beyond an integer's range give its nearest end and NaN gives 0, where C++
// says nothing; what float cannot hold is rounded to bf16 once, not twice (64-bit integers by way of double).
template <class To, class From>
To converted(From given) {
  const auto value = static_cast<Working<From>>(given);
  using W = std::remove_const_t<decltype(value)>;
  if constexpr (std::is_same_v<To, char>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<W>) {
    using Limits = std::numeric_limits<To>;
    if (value != value) return 0;
    if (value <= static_cast<W>(Limits::min())) return Limits::min();
    return value >= static_cast<W>(Limits::max()) ? Limits::max() : static_cast<To>(value);
  } else if constexpr (std::is_same_v<To, Bfloat16> && sizeof(W) >= 4 && !std::is_same_v<W, float>) {
    const double wide = static_cast<double>(value);
    const float nearest = static_cast<float>(wide);
    std::uint32_t bits;
    std::memcpy(&bits, &nearest, 4);
    bits = (bits - (std::fabs(static_cast<double>(nearest)) > std::fabs(wide))) |
           (static_cast<double>(nearest) != wide);
    float odd;
    std::memcpy(&odd, &bits, 4);
    return Bfloat16(odd);
  } else {
    return static_cast<To>(value);
  }
}

template <class To, class From>
Times convert(DType to, DType from) {
  const std::vector<From> x = elements<From>(7);
  std::vector<To> z(kCount);
  Program program;
  ir::Graph graph = program.returning(program.builder.convert(program.argument(from), to));
  return measure_pair(std::move(graph), {x.data()}, z.data(), [&] {
    const auto* values = as_plain(x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(kCount); ++i) z[i] = converted<To>(values[i]);
    return true;
  });
}

template <class T>
Times compare(DType dtype) {
  const std::vector<T> x = elements<T>(7), y = elements<T>(8);
  std::vector<char> z(kCount);
  Program program;
  const ir::ValueId a = program.argument(dtype), b = program.argument(dtype);
  ir::Graph graph = program.returning(program.builder.compare(ir::Direction::LT, a, b));
  return measure_pair(std::move(graph), {x.data(), y.data()}, z.data(), [&] {
    const auto *p = as_plain(x), *q = as_plain(y);
    for (std::int64_t i = 0; i < kCount; ++i) {
      using W = Working<std::remove_cvref_t<decltype(p[i])>>;
      z[static_cast<std::size_t>(i)] = static_cast<W>(p[i]) < static_cast<W>(q[i]);
    }
    return true;
  });
}

template <class T>
Times select(DType dtype) {
  const std::vector<char> choice = elements<char>(6);
  const std::vector<T> x = elements<T>(7), y = elements<T>(8);
  std::vector<T> z(kCount);
  Program program;
  const ir::ValueId predicate = program.argument(DType::b1), a = program.argument(dtype),
                    b = program.argument(dtype);
  ir::Graph graph = program.returning(program.builder.select(predicate, a, b));
  return measure_pair(std::move(graph), {choice.data(), x.data(), y.data()}, z.data(), [&] {
    for (std::size_t i = 0; i < static_cast<std::size_t>(kCount); ++i)
      z[i] = as_plain(choice)[i] ? x[i] : y[i];
    return true;
  });
}

template <class T>
Times clamp(DType dtype) {
  const std::vector<T> x = elements<T>(7), low = elements<T>(8), high = elements<T>(9);
  std::vector<T> z(kCount);
  Program program;
  std::vector<ir::ValueId> operands;
  for (int i = 0; i < 3; ++i) operands.push_back(program.argument(dtype));
  ir::Graph graph = program.returning(program.builder.op(Op::clamp, operands));
  return measure_pair(std::move(graph), {low.data(), x.data(), high.data()}, z.data(), [&] {
    using W = Working<T>;
    for (std::size_t i = 0; i < static_cast<std::size_t>(kCount); ++i)
      z[i] = static_cast<T>(
          std::min<W>(std::max<W>(static_cast<W>(x[i]), static_cast<W>(low[i])), static_cast<W>(high[i])));
    return true;
  });
}

// The plain loop adds in one variable, in order; no flag lets the compiler do otherwise.
template <class T>
Times reduce(Op op, DType dtype) {
  const std::vector<T> x = elements<T>(7);
  T z{};
  Program program;
  const ir::ValueId operand = program.argument(dtype);
  const ir::ValueId init = program.builder.constant(ir::Literal::scalar(dtype, op == Op::multiply ? 1 : 0));
  ir::Graph graph = program.returning(program.builder.reduce(operand, init, {0}, op));
  return measure_pair(std::move(graph), {x.data()}, &z, [&] {
    using W = Working<T>;
    W total = op == Op::multiply ? 1 : 0;
    const auto fold = [&](const auto& combine) {
      for (std::int64_t i = 0; i < kCount; ++i)
        total = combine(total, static_cast<W>(x[static_cast<std::size_t>(i)]));
    };
    if (op == Op::add) fold([](W a, W b) { return static_cast<W>(a + b); });
    if (op == Op::multiply) fold([](W a, W b) { return static_cast<W>(a * b); });
    if (op == Op::maximum) fold([](W a, W b) { return std::max(a, b); });
    z = static_cast<T>(total);
    asm volatile("" : : "g"(&z) : "memory");
    return true;
  });
}

}  // namespace

std::vector<Row> other_rows() {
  std::vector<Row> rows;
  for (int number = 0; number <= static_cast<int>(DType::f64); ++number) {
    const auto to = static_cast<DType>(number);
    rows.push_back({"convert to " + std::string(weft::name_of(to)), [to](DType from) -> std::optional<Times> {
                      if (from == to) return std::nullopt;
                      return with_type(to, [&](auto target) {
                        return with_type(from, [&](auto source) {
                          return convert<decltype(target), decltype(source)>(to, from);
                        });
                      });
                    }});
  }
  const auto add = [&](const char* name, auto times) {
    rows.push_back({name, [times](DType dtype) -> std::optional<Times> {
                      return with_type(dtype, [&](auto zero) { return times(zero, dtype); });
                    }});
  };
  add("compare LT", [](auto zero, DType dtype) { return compare<decltype(zero)>(dtype); });
  add("select", [](auto zero, DType dtype) { return select<decltype(zero)>(dtype); });
  const auto add_numeric = [&](const char* name, auto times) {
    rows.push_back({name, [times](DType dtype) -> std::optional<Times> {
                      if (dtype == DType::b1) return std::nullopt;
                      return with_type(dtype, [&](auto zero) { return times(zero, dtype); });
                    }});
  };
  add_numeric("clamp", [](auto zero, DType dtype) { return clamp<decltype(zero)>(dtype); });
  add_numeric("reduce add", [](auto zero, DType dtype) { return reduce<decltype(zero)>(Op::add, dtype); });
  add_numeric("reduce multiply",
              [](auto zero, DType dtype) { return reduce<decltype(zero)>(Op::multiply, dtype); });
  add_numeric("reduce maximum",
              [](auto zero, DType dtype) { return reduce<decltype(zero)>(Op::maximum, dtype); });
  return rows;
}

}  // namespace benchmark_tools
