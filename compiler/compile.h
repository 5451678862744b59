// compile: Graph -> Executable. The table of contents of the compiler: one call per stage.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <weft/options.h>

#include "compiler/ir/ir.h"
#include "compiler/rewrite/ledger.h"
#include "runtime/executable.h"

namespace weft::compiler {

// The options with what the environment says (compiler/options.def) where they have their defaults. Throws
// UserError for a variable that cannot be read.
CompileOptions with_environment(CompileOptions options);
void check_options(const CompileOptions& options);  // throws CompileError for a value that means nothing

// A compiled program and what can be asked about it. Immutable; safe to share between threads.
class Program {
 public:
  std::shared_ptr<const runtime::Executable> executable;
  rewrite::Ledger ledger;
  ir::Graph traced;     // as given
  ir::Graph optimized;  // after the rewrites
  std::string loops;    // the plan and its nests as text
  CompileOptions options;
  double compile_seconds = 0;
  int kernel_count = 0;

  std::string text(IrStage stage) const;  // what is not there yet is made on demand
};

// Throws UserError for what the user's program asks in vain, CompileError when the backend fails; never
// aborts.
std::shared_ptr<const Program> compile(ir::Graph graph, const CompileOptions& options);

}  // namespace weft::compiler
