// The commands of the tool, one file each: what the command line says of one, and what it does.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace weft::tool {

// What a process ends with.
enum Exit : int { kSuccess = 0, kFailedCheck = 1, kBadInput = 2 };

// Set by the command that was named; run once the whole command line is known to be good.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_opt(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_lists(CLI::App& app, Action& action);  // passes, ops

}  // namespace weft::tool
