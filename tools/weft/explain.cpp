// weft explain: what the compiler made of a program, line by line.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/compile.h"
#include "tools/weft/checks.h"
#include "tools/weft/commands.h"
#include "tools/weft/program.h"

namespace weft::tool {
namespace {

int run_explain(const std::string& path, bool details) {
  Program source = read_program(path);
  const ir::Graph as_written = source.graph;
  const SplitProgram split = split_checks(source);
  const CompileOptions options = compiler::with_environment({});
  rewrite::Ledger ledger;
  const std::string refusal = compiler::explain(split.checks.empty() ? as_written : split.without_checks, options, ledger);
  for (const compiler::OptionInForce& option : compiler::options_in_force({})) fmt::print("{}", option.to_string());
  fmt::print("{}", details ? ledger.to_string() : ledger.summary());
  if (!refusal.empty()) fmt::print("no code is made of it: {}\n", refusal);
  return kSuccess;
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto path = std::make_shared<std::string>();
  auto details = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("explain", "Tell what each rewrite did, and to which lines");
  command->add_option("PROGRAM", *path, "StableHLO text; - is standard input")->required();
  command->add_flag("--details", *details, "Print bookkeeping in full too, and the time of every pass");
  command->callback([path, details, &action] { action = [path, details] { return run_explain(*path, *details); }; });
}

}  // namespace weft::tool
