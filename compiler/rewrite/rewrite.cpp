// Runs the rows of passes.def over a graph until none has anything left to do.
#include "compiler/rewrite/rewrite.h"

#include <algorithm>
#include <chrono>

#include <weft/error.h>

#include "compiler/ir/build.h"
#include "compiler/rewrite/passes.h"

namespace weft::rewrite {
namespace {

// One pass opens the way for another; what the second round leaves is rare, and a bound keeps compile time in
// hand.
constexpr int kMaxRounds = 4;

enum class Need { required, optional, last };

constexpr PassInfo kPasses[] = {
#define PASS(name, need, rank, summary) {#name, name, Rank::rank, summary},
#include "compiler/rewrite/passes.def"
#undef PASS
};
constexpr Need kNeeds[] = {
#define PASS(name, need, rank, summary) Need::need,
#include "compiler/rewrite/passes.def"
#undef PASS
};

void check_names(const std::vector<std::string>& disabled) {
  for (const std::string& name : disabled) {
    if (find_pass(name)) continue;
    std::string known;
    for (const PassInfo& pass : passes()) known += (known.empty() ? "" : ", ") + std::string(pass.name);
    throw UserError("compile: disabled_passes names " + name + ", which is no pass; the passes are " + known);
  }
}

bool is_enabled(std::size_t index, const CompileOptions& options) {
  if (kNeeds[index] != Need::optional) return true;
  if (options.opt_level <= 0) return false;
  const auto& disabled = options.disabled_passes;
  return std::find(disabled.begin(), disabled.end(), kPasses[index].name) == disabled.end();
}

bool verifies_each([[maybe_unused]] const CompileOptions& options) {
#ifdef NDEBUG
  return options.verify_each;
#else
  return true;
#endif
}

// Gives whether the pass changed anything.
bool run_pass(const PassInfo& pass, ir::Graph& graph, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t firings_before = context.ledger.firings().size();
  PassRun run;
  run.pass = pass.name;
  run.nodes_before = graph.node_count();
  graph = pass.run(graph, context);
  context.ledger.set_rank(firings_before, pass.rank);
  run.nodes_after = graph.node_count();
  run.firings = context.ledger.firings().size() - firings_before;
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool changed = run.firings != 0;
  context.ledger.record(std::move(run));
  if (verifies_each(context.options)) ir::verify(graph, pass.name);
  if (changed && context.after_pass) context.after_pass(pass.name, graph);
  return changed;
}

}  // namespace

std::span<const PassInfo> passes() { return kPasses; }

const PassInfo* find_pass(std::string_view name) {
  const auto found = std::find_if(std::begin(kPasses), std::end(kPasses),
                                  [&](const PassInfo& pass) { return pass.name == name; });
  return found == std::end(kPasses) ? nullptr : found;
}

ir::Graph optimize(const ir::Graph& graph, Context& context) {
  check_names(context.options.disabled_passes);
  ir::Graph result = graph;
  bool changed = true;
  for (int round = 0; changed && round < kMaxRounds; ++round) {
    changed = false;
    for (std::size_t i = 0; i < std::size(kPasses); ++i) {
      const bool is_done = kNeeds[i] == Need::last || (kNeeds[i] == Need::required && round > 0);
      if (!is_done && is_enabled(i, context.options)) changed |= run_pass(kPasses[i], result, context);
    }
    if (context.options.opt_level <= 0) break;
  }
  for (std::size_t i = 0; i < std::size(kPasses); ++i)
    if (kNeeds[i] == Need::last) run_pass(kPasses[i], result, context);
  return result;
}

}  // namespace weft::rewrite
