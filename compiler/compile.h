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
// Throws CompileError for a value that means nothing; warns once of an option that is set and does nothing yet.
void check_options(const CompileOptions& options);

// An option that is not at its default, and who set it: "the program", or a variable of the environment.
struct OptionInForce {
  std::string name, value, origin;
  std::string to_string() const { return "option " + name + " = " + value + ", from " + origin + "\n"; }
};
std::vector<OptionInForce> options_in_force(const CompileOptions& given);  // before the environment's say

// A compiled program and what can be asked about it. Immutable; safe to share between threads.
class Program {
 public:
  std::shared_ptr<const runtime::Executable> executable;
  rewrite::Ledger ledger;
  ir::Graph traced;     // as given
  ir::Graph optimized;  // after the rewrites
  std::string loops;    // the plan and its nests as text
  CompileOptions options;
  std::vector<OptionInForce> options_in_force;
  double compile_seconds = 0;
  int kernel_count = 0;

  std::string text(IrStage stage) const;  // what is not there yet is made on demand
};

// What compile would enter into the ledger, without making code. Gives why no code can be made of the program, or nothing.
std::string explain(const ir::Graph& graph, const CompileOptions& options, rewrite::Ledger& ledger);

// Throws UserError for what the user's program asks in vain, CompileError when the backend fails; never
// aborts.
std::shared_ptr<const Program> compile(ir::Graph graph, const CompileOptions& options);

}  // namespace weft::compiler
