// fold_constants: an operation on constants becomes its value, where every engine would compute the same
// bits.
//   before  %0 = constant 2   %1 = constant 3   %2 = add %0, %1      after  %2 = constant 5
//   needs   interpreter::is_exact   keeps  every output bit for bit
//   bounds  constants of 1 MiB, about 10 ms in all; the rest is left for run time
#include <bit>
#include <cstring>
#include <ctime>

#include "compiler/interpreter/interpreter.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {
namespace {

constexpr std::int64_t kMaxBytes = 1 << 20;
// Elements that the interpreter may work on: about 10 ms, and the same on every machine. Folds of a reduction
// cost more.
constexpr std::int64_t kWork = 100'000;
constexpr std::int64_t kWorkOfFold = 20;
// Behind the count of elements, in case one of them is much dearer than thought. Of this thread's own time,
// so that a busy machine folds no less.
constexpr std::int64_t kMaxNanoseconds = 10'000'000;

std::int64_t thread_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

bool applies_elementwise(ir::Op op) {
  return ir::is_elementwise(op) || op == ir::Op::compare || op == ir::Op::select || op == ir::Op::clamp ||
         op == ir::Op::convert || op == ir::Op::reduce_precision;
}

class Folder {
 public:
  Folder(const ir::Graph& graph, Rebuild& rebuild) : graph_(graph), rebuild_(rebuild) {}

  bool fold(ir::NodeId id) {
    const ir::Node& node = graph_.node(id);
    if (!is_foldable(id)) return false;
    std::vector<ir::Literal> operands;
    bool all_splat = true;
    for (ir::ValueId operand : node.operands) {
      const ir::Literal* literal = ir::constant_value(rebuild_.to(), rebuild_.mapped(operand));
      if (!literal) return false;
      all_splat = all_splat && literal->is_splat && literal->type.size() > 0;
      operands.push_back(*literal);
    }
    const bool is_one_element = all_splat && applies_elementwise(node.op);
    if (!is_one_element && !fits(node, operands)) return false;
    const std::int64_t work = is_one_element ? 1 : work_of(node);
    if (spent_ + work > kWork || nanoseconds_ > kMaxNanoseconds) return false;
    spent_ += work;
    const std::int64_t start = thread_nanoseconds();
    std::vector<ir::Literal> values = is_one_element ? folded_element(id, operands) : folded(id, operands);
    nanoseconds_ += thread_nanoseconds() - start;
    for (std::size_t i = 0; i < values.size(); ++i)
      rebuild_.replace(node.results[i], rebuild_.here().constant(std::move(values[i])));
    rebuild_.record_replaced("fold", {id}, rebuild_.mapped(node.results[0]), cost_of(graph_, id));
    return true;
  }

 private:
  // An iota is its own best form, and a broadcast reads its operand in place: neither grows into a constant.
  bool is_foldable(ir::NodeId id) const {
    const ir::Node& node = graph_.node(id);
    const bool is_outside =
        node.op == ir::Op::call || node.op == ir::Op::custom_call || ir::is_control_flow(node.op);
    if (node.operands.empty() || is_outside || node.op == ir::Op::broadcast_in_dim) return false;
    if (!interpreter::is_exact(graph_, id)) return false;
    // An exact reduction may still have a body that is not: integers turned into floats and back.
    for (ir::RegionId region : node.regions)
      for (ir::NodeId inner : graph_.region(region).nodes)
        if (!graph_.node(inner).regions.empty() || !interpreter::is_exact(graph_, inner)) return false;
    return true;
  }

  bool fits(const ir::Node& node, const std::vector<ir::Literal>& operands) const {
    std::int64_t bytes = 0;
    for (const ir::Literal& operand : operands) bytes += std::min(operand.type.nbytes(), kMaxBytes + 1);
    std::int64_t result_bytes = 0;
    for (ir::ValueId result : node.results)
      result_bytes += std::min(graph_.type(result).nbytes(), kMaxBytes + 1);
    return bytes <= kMaxBytes && result_bytes <= kMaxBytes;
  }

  std::int64_t work_of(const ir::Node& node) const {
    std::int64_t work = 1;
    for (ir::ValueId result : node.results) work += graph_.type(result).size();
    if (node.regions.empty()) return work;
    const auto body = static_cast<std::int64_t>(graph_.region(node.regions[0]).nodes.size());
    std::int64_t applied = 0;  // how often the body is, at most
    for (ir::ValueId operand : node.operands) applied += graph_.type(operand).size();
    if (node.op == ir::Op::sort) applied *= std::bit_width(static_cast<std::uint64_t>(applied));
    return work + applied * kWorkOfFold * (body + 1);
  }

  static ir::Literal as_splat_if_equal(ir::Literal literal) {
    const std::size_t size = size_of(literal.type.dtype),
                      bytes = static_cast<std::size_t>(literal.type.nbytes());
    if (literal.is_splat || bytes == 0) return literal;
    const std::byte* data = literal.buffer.data();
    if (std::memcmp(data, data + size, bytes - size) != 0) return literal;
    return ir::Literal::splat(literal.type.dtype, literal.type.shape, data);
  }

  std::vector<ir::Literal> folded(ir::NodeId id, const std::vector<ir::Literal>& operands) const {
    std::vector<ir::Literal> whole;
    for (const ir::Literal& operand : operands) whole.push_back(operand.materialized());
    std::vector<ir::Literal> values = interpreter::evaluate_node(graph_, id, std::move(whole));
    for (ir::Literal& value : values) value = as_splat_if_equal(std::move(value));
    return values;
  }

  // All elements are the same: one is computed, on scalars.
  std::vector<ir::Literal> folded_element(ir::NodeId id, const std::vector<ir::Literal>& operands) const {
    const ir::Node& node = graph_.node(id);
    const ir::Type& type = graph_.type(node.results[0]);
    ir::Graph scalar;
    ir::Builder builder(scalar, scalar.add_function("main", true).body);
    std::vector<ir::ValueId> arguments;
    std::vector<ir::Literal> elements;
    for (ir::Literal operand : operands) {
      operand.type.shape = Shape{};
      elements.push_back(operand.materialized());
      arguments.push_back(scalar.add_argument(builder.region(), operand.type));
    }
    const ir::NodeId one = builder.node(node.op, arguments, node.attributes, {{Shape{}, type.dtype}});
    ir::Literal value = interpreter::evaluate_node(scalar, one, std::move(elements))[0];
    return {ir::Literal::splat(type.dtype, type.shape, value.buffer.data())};
  }

  const ir::Graph& graph_;
  Rebuild& rebuild_;
  std::int64_t spent_ = 0;
  std::int64_t nanoseconds_ = 0;  // spent on evaluation alone
};

}  // namespace

ir::Graph fold_constants(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "fold_constants");
  Folder folder(graph, rebuild);
  return rebuild.run([&](ir::NodeId id) { return folder.fold(id); });
}

}  // namespace weft::rewrite
