// weft explain: what the rewrites did to a program, line by line.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "compiler/compile.h"
#include "compiler/rewrite/rewrite.h"
#include "tools/weft/commands.h"
#include "tools/weft/program.h"

namespace weft::tool {

void add_explain(CLI::App& app, Action& action) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "Tell what each rewrite did, and to which lines");
  command->add_option("PROGRAM", *path, "StableHLO text; - is standard input")->required();
  command->callback([path, &action] {
    action = [path] {
      const CompileOptions options = compiler::with_environment({});
      rewrite::Ledger ledger;
      rewrite::Context context{options, ledger};
      rewrite::optimize(read_program(*path).graph, context);
      fmt::print("{}", ledger.to_string());
      return kSuccess;
    };
  });
}

}  // namespace weft::tool
