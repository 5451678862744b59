// weft opt: a program in, the same program after rewrites, or a later stage of it, out.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include <weft/error.h>

#include "compiler/compile.h"
#include "compiler/ir/build.h"
#include "compiler/rewrite/rewrite.h"
#include "compiler/text/text.h"
#include "tools/weft/checks.h"
#include "tools/weft/commands.h"
#include "tools/weft/program.h"

namespace weft::tool {
namespace {

struct StageName {
  const char* name;
  IrStage stage;
};
constexpr StageName kStages[] = {{"traced", IrStage::traced},
                                 {"optimized", IrStage::optimized},
                                 {"loops", IrStage::loops},
                                 {"llvm", IrStage::llvm},
                                 {"assembly", IrStage::assembly}};

struct Settings {
  std::string path;
  std::string passes, disabled, target;
  bool only_these_passes = false;
  bool print_after_all = false;
  std::string stage = "optimized";
};

void print_after(std::string_view pass, const ir::Graph& graph) {
  fmt::print("// after {}\n{}", pass, text::print(graph));
}

ir::Graph run_passes(ir::Graph graph, const Settings& settings, rewrite::Context& context) {
  for (const std::string& name : split_names(settings.passes)) {
    const rewrite::PassInfo* pass = rewrite::find_pass(name);
    if (!pass) throw UserError("--passes names " + name + ", which is no pass; weft passes lists them");
    const std::size_t firings = context.ledger.firings().size();
    graph = pass->run(graph, context);
    ir::verify(graph, name);
    if (context.after_pass && context.ledger.firings().size() != firings) context.after_pass(name, graph);
  }
  return graph;
}

// What is left to do before a graph can be lowered: the passes that lowering depends on.
ir::Graph ready_to_lower(const ir::Graph& graph) {
  CompileOptions options;
  options.opt_level = 0;
  rewrite::Ledger ledger;
  rewrite::Context context{options, ledger};
  return rewrite::optimize(graph, context);
}

IrStage stage_of(const std::string& name) {
  for (const StageName& row : kStages)
    if (row.name == name) return row.stage;
  throw UserError("there is no stage " + name);
}

ir::Graph rewritten(const ir::Graph& graph, const Settings& settings, rewrite::Context& context) {
  if (!settings.only_these_passes) return rewrite::optimize(graph, context);
  ir::Graph result = run_passes(graph, settings, context);
  return settings.stage == "optimized" ? result : ready_to_lower(result);
}

int run_opt(const Settings& settings) {
  const IrStage stage = stage_of(settings.stage);
  Program source = read_program(settings.path);
  compiler::Program program;
  program.options.disabled_passes = split_names(settings.disabled);
  program.options.target = settings.target;
  program.options = compiler::with_environment(program.options);
  rewrite::Context context{program.options, program.ledger};
  if (settings.print_after_all) context.after_pass = print_after;

  const bool is_lowered = stage != IrStage::traced && stage != IrStage::optimized;
  // Code has no checks: what they look at becomes a result.
  program.traced = is_lowered ? split_checks(source).without_checks : std::move(source.graph);
  if (stage != IrStage::traced) program.optimized = rewritten(program.traced, settings, context);
  if (settings.print_after_all) fmt::print("// result\n");
  fmt::print("{}", showing_lines(source, [&] { return program.text(stage); }));
  return kSuccess;
}

}  // namespace

void add_opt(CLI::App& app, Action& action) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("opt", "Print a program after rewrites, or a later stage of it");
  command->add_option("PROGRAM", settings->path, "StableHLO text; - is standard input")->required();
  CLI::Option* passes = command->add_option("--passes", settings->passes,
                                            "Run only these passes, in this order: a,b,… (may be empty)");
  command->add_option("--disable", settings->disabled, "Leave these passes out: a,b,…")->excludes(passes);
  command->add_option("--target", settings->target, "Generate code for avx512, avx2 or sse2");
  command->add_flag("--print-after-all", settings->print_after_all,
                    "Print the graph after each pass that changed something");
  std::vector<std::string> names;
  for (const StageName& row : kStages) names.push_back(row.name);
  command->add_option("--stage", settings->stage, "traced, optimized (default), loops, llvm or assembly")
      ->check(CLI::IsMember(names))
      ->option_text("STAGE");
  command->callback([settings, passes, &action] {
    settings->only_these_passes = passes->count() > 0;
    action = [settings] { return run_opt(*settings); };
  });
}

}  // namespace weft::tool
