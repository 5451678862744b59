// canonicalize: applies equations that hold bit for bit until none does, each operation once its operands are
// done.
//   before  %1 = reshape %0   %2 = reshape %1        after  %2 = reshape %0
//   before  %2 = select %true, %0, %1                after  %0
//   keeps   every output bit for bit; floats are left alone where NaN, infinities or the sign of zero would
//   differ
#include <array>

#include "compiler/rewrite/equations.h"
#include "compiler/rewrite/passes.h"
#include "compiler/rewrite/rebuild.h"

namespace weft::rewrite {

const ir::Node* Scene::made_by(ir::ValueId value, ir::Op op) const {
  const ir::NodeId id = graph().value(value).node;
  return id != ir::kNone && graph().node(id).op == op ? &graph().node(id) : nullptr;
}

Candidate with_operands(Candidate candidate, std::vector<ir::ValueId> operands) {
  candidate.operands = std::move(operands);
  return candidate;
}

std::optional<Equal> same_value(const Scene& scene, const Candidate& candidate, ir::ValueId value) {
  if (scene.type(value) != candidate.type) return std::nullopt;
  return Equal{value};
}

std::optional<Equal> integer_constant(const Candidate& candidate, std::int64_t element) {
  ir::Literal literal = ir::Literal::scalar_integer(candidate.type.dtype, element);
  literal.type.shape = candidate.type.shape;
  literal.is_splat = true;
  return Equal{Candidate{ir::Op::constant, {}, ir::ConstantAttributes{std::move(literal)}, candidate.type}};
}

namespace {

// Every equation shrinks the program or moves toward a normal form; the bound is for a mistake in one of
// them.
constexpr int kMaxStepsPerNode = 64;

// The program stays the same, so the ledger has nothing to tell.
constexpr std::string_view kOnlyRepresentation = "splat_of_equal_elements";

struct Step {
  std::string_view equation;
  Equal result;
};

std::optional<Step> first_step(const Scene& scene, const Candidate& candidate) {
  for (const auto& equations : {movement_equations(), arithmetic_equations(), choice_equations()})
    for (const Equation& equation : equations)
      if (auto result = equation.apply(scene, candidate)) return Step{equation.name, std::move(*result)};
  return std::nullopt;
}

bool is_candidate(const ir::Node& node) {
  return node.results.size() == 1 && node.regions.empty() && node.op != ir::Op::call &&
         node.op != ir::Op::custom_call;
}

}  // namespace

ir::Graph canonicalize(const ir::Graph& graph, Context& context) {
  Rebuild rebuild(graph, context, "canonicalize");
  return rebuild.run([&](ir::NodeId id) {
    const ir::Node& node = graph.node(id);
    if (!is_candidate(node)) return false;
    const Scene scene{rebuild.here()};
    Candidate candidate{node.op, rebuild.mapped(node.operands), node.attributes, graph.type(node.results[0])};
    std::vector<std::string_view> fired;
    ir::ValueId now = ir::kNone;
    for (int step = 0; step < kMaxStepsPerNode && now == ir::kNone; ++step) {
      auto next = first_step(scene, candidate);
      if (!next) break;
      fired.push_back(next->equation);
      if (const auto* value = std::get_if<ir::ValueId>(&next->result))
        now = *value;
      else
        candidate = std::get<Candidate>(std::move(next->result));
    }
    if (fired.empty()) return false;
    const bool is_new = now == ir::kNone;
    if (is_new)
      now = rebuild.here().op(candidate.op, std::move(candidate.operands), std::move(candidate.attributes),
                              {candidate.type});
    rebuild.replace(node.results[0], now);
    const Cost saved = is_new ? Cost{} : cost_of(graph, id);
    for (std::string_view equation : fired)
      if (equation != kOnlyRepresentation) rebuild.record_replaced(std::string(equation), {id}, now, saved);
    return true;
  });
}

}  // namespace weft::rewrite
