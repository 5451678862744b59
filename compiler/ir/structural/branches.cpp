// Branches: if and case run one of their regions, which take no arguments and read what is around them.
#include "compiler/ir/structural/elements.h"
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

TypeAnswer types_of_branches(const TypeQuery& query) {
  TypeAnswer answer;
  for (std::size_t branch = 0; branch < query.regions.size(); ++branch) {
    const Region& region = query.graph.region(query.regions[branch]);
    if (!region.arguments.empty()) return wrong_structure("C1", "a branch takes no arguments");
    std::vector<Type> types;
    for (ValueId result : region.results) types.push_back(query.graph.type(result));
    if (branch == 0) answer.types = types;
    if (types.size() != answer.types.size())
      return wrong_structure("C2", fmt::format("branch {} gives {} results, branch 0 gives {}", branch,
                                               types.size(), answer.types.size()));
    for (std::size_t i = 0; i < types.size(); ++i)
      if (types[i] != answer.types[i])
        return wrong_type("C2", fmt::format("result {} is {} in branch 0 and {} in branch {}", i,
                                            answer.types[i].to_string(), types[i].to_string(), branch));
  }
  return answer;
}

TypeAnswer if_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  if (query.operands[0] != Type{Shape{}, DType::b1})
    return wrong_type("I1", fmt::format("the predicate is {}, needs a b1 scalar", query.operands[0].to_string()));
  if (query.regions.size() != 2) return wrong_structure("I2", "needs two regions");
  return types_of_branches(query);
}

TypeAnswer case_types(const TypeQuery& query) {
  if (auto fault = expects(query, 1)) return *fault;
  if (query.operands[0] != Type{Shape{}, DType::i32})
    return wrong_type("I1", fmt::format("the index is {}, needs an i32 scalar", query.operands[0].to_string()));
  if (query.regions.empty()) return wrong_structure("I2", "needs at least one region");
  return types_of_branches(query);
}

std::vector<Literal> if_value(const Evaluation& evaluation) {
  return evaluation.region(evaluation.operands[0].at<std::uint8_t>(0) != 0 ? 0 : 1, {});
}

std::vector<Literal> case_value(const Evaluation& evaluation) {
  const auto index = evaluation.operands[0].at<std::int32_t>(0);
  const auto last = static_cast<std::int32_t>(evaluation.node.regions.size()) - 1;
  return evaluation.region(static_cast<std::size_t>(index < 0 || index > last ? last : index), {});
}

// One branch for all elements: a result is batched when any branch makes it so.
std::vector<Batched> batch_branches(const Batching& batching) {
  Graph& graph = batching.to.graph();
  std::vector<RegionId> regions;
  std::vector<std::vector<Batched>> results;
  std::vector<bool> is_batched(batching.node.results.size(), false);
  for (std::size_t branch = 0; branch < batching.node.regions.size(); ++branch) {
    regions.push_back(graph.add_region());
    results.push_back(batching.inline_body(regions.back(), branch, {}));
    for (std::size_t i = 0; i < is_batched.size(); ++i)
      is_batched[i] = is_batched[i] || results.back()[i].is_batched;
  }
  for (std::size_t branch = 0; branch < regions.size(); ++branch) {
    Builder inside(graph, regions[branch]);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < is_batched.size(); ++i)
      values.push_back(is_batched[i] ? batching.batched(results[branch][i], inside) : results[branch][i].value);
    graph.region(regions[branch]).results = std::move(values);
  }
  const NodeId node =
      batching.to.node(batching.node.op, {batching.operands[0].value}, NoAttributes{}, {}, regions);
  std::vector<Batched> answer;
  for (std::size_t i = 0; i < is_batched.size(); ++i)
    answer.push_back({graph.node(node).results[i], is_batched[i]});
  return answer;
}

// Every element has a branch of its own: all are computed, each element takes its own. is_branch[b] says where
// branch b is taken; the last one is where none is.
std::vector<Batched> choose_branches(const Batching& batching, const std::vector<ValueId>& is_branch) {
  Builder& to = batching.to;
  std::vector<std::vector<Batched>> results;
  for (std::size_t branch = 0; branch < batching.node.regions.size(); ++branch)
    results.push_back(batching.inline_body(to.region(), branch, {}));
  std::vector<Batched> answer;
  for (std::size_t i = 0; i < batching.node.results.size(); ++i) {
    ValueId value = batching.batched(results.back()[i], to);
    const Shape shape = to.type(value).shape;
    for (std::size_t branch = results.size() - 1; branch-- > 0;) {
      const ValueId mask =
          shape.rank() == 1 ? is_branch[branch] : to.broadcast(is_branch[branch], shape, {0});
      value = to.select(mask, batching.batched(results[branch][i], to), value);
    }
    answer.push_back(batched_result(value));
  }
  return answer;
}

std::vector<Batched> if_batch(const Batching& batching) {
  if (!batching.operands[0].is_batched) return batch_branches(batching);
  return choose_branches(batching, {batching.operands[0].value});
}

std::vector<Batched> case_batch(const Batching& batching) {
  if (!batching.operands[0].is_batched) return batch_branches(batching);
  Builder& to = batching.to;
  const ValueId index = batching.operands[0].value;
  std::vector<ValueId> is_branch;
  for (std::size_t branch = 0; branch + 1 < batching.node.regions.size(); ++branch)
    is_branch.push_back(to.compare(
        Direction::EQ, index,
        to.splat(DType::i32, Shape(to.type(index).shape), static_cast<double>(branch))));
  return choose_branches(batching, is_branch);
}

}  // namespace

namespace rules {
const StructuralRules& if_else() {
  static const StructuralRules rules{if_types, if_value, if_batch};
  return rules;
}
const StructuralRules& case_of() {
  static const StructuralRules rules{case_types, case_value, case_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
