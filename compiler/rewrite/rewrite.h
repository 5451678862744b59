// Rewrites: Graph -> equal Graph. Each pass is one file and one row of passes.def, run in that order.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <weft/options.h>

#include "compiler/ir/ir.h"
#include "compiler/rewrite/ledger.h"

namespace weft::rewrite {

struct Context {
  const CompileOptions& options;
  Ledger& ledger;
  // Called after each pass that changed something.
  std::function<void(std::string_view pass, const ir::Graph& graph)> after_pass = {};
};
using Pass = ir::Graph (*)(const ir::Graph& graph, Context& context);
struct PassInfo {
  std::string_view name;
  Pass run;
  Rank rank;                 // of what its rules do
  std::string_view summary;  // before -> after in one line
};
std::span<const PassInfo> passes();
const PassInfo* find_pass(std::string_view name);

// All enabled passes in order; verifies between them when asked or in debug builds, and blames a pass by
// name.
ir::Graph optimize(const ir::Graph& graph, Context& context);

}  // namespace weft::rewrite
