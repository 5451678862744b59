// Every operation of ops.def.
#include "benchmarks/element_times.h"

namespace benchmark_tools {
namespace {

using weft::Shape;
using weft::ir::Op;
namespace ir = weft::ir;

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
  if (op == Op::polygamma && number == 0) return std::vector<T>(kCount, static_cast<T>(2.f));
  const unsigned seed = static_cast<unsigned>(7 + number);
  return number == 1 ? random_elements<T>(seed, domain.low, domain.high, 1, 7)
                     : random_elements<T>(seed, domain.low, domain.high, -100, 100);
}

template <class T>
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
  using Plain = std::conditional_t<std::is_same_v<T, char>, bool, T>;
  return measure_pair(std::move(graph), arguments, z.data(), [&] {
    return plain_loop(op, reinterpret_cast<const Plain*>(x.data()), reinterpret_cast<const Plain*>(y.data()),
                      z.data(), kCount);
  });
}

}  // namespace

std::vector<Row> elementwise_rows() {
  std::vector<Row> rows;
  for (Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    rows.push_back({std::string(ir::info_of(op).text), [op](DType dtype) -> std::optional<Times> {
                      if (!ir::accepts(op, dtype)) return std::nullopt;
                      return with_type(dtype, [&](auto zero) { return times_of<decltype(zero)>(op, dtype); });
                    }});
  }
  return rows;
}

}  // namespace benchmark_tools
