// weft: runs, rewrites and explains StableHLO programs from the command line.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <weft/error.h>

#include "tools/weft/commands.h"

namespace weft::tool {
namespace {

void complain(const std::string& message) { fmt::print(stderr, "weft: error: {}\n", message); }

// Runs a command; whatever goes wrong becomes a message and an exit code.
int guarded(const Action& action) {
  try {
    const int status = action();
    if (std::fflush(stdout) == 0) return status;
    complain("cannot write to standard output");
  } catch (const ParseError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return kBadInput;
}

std::string version() {
  return fmt::format("weft {}\nLLVM {}\nhost {}", WEFT_VERSION, WEFT_LLVM_VERSION, WEFT_HOST);
}

// In the order in which CLI11 takes them: the last first. It overlooks the empty value of "--passes=".
std::vector<std::string> reversed_words(int count, char** arguments) {
  std::vector<std::string> words;
  for (int i = 1; i < count; ++i) {
    std::string word = arguments[i];
    const bool is_empty_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (is_empty_value) word.pop_back();
    words.push_back(std::move(word));
    if (is_empty_value) words.emplace_back();
  }
  std::reverse(words.begin(), words.end());
  return words;
}

int run_tool(int count, char** arguments) {
  CLI::App app("Runs, rewrites and explains array programs written as StableHLO text.", "weft");
  app.set_version_flag("--version", version(), "Print the versions of Weft and LLVM, and the host");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 success, 1 a check of the program failed, 2 bad usage or bad input.");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("weft: error: {}\nRun weft --help for what can be asked.\n", error.what());
  });
  Action action;
  add_run(app, action);
  add_opt(app, action);
  add_explain(app, action);
  add_lists(app, action);
  try {
    app.parse(reversed_words(count, arguments));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kBadInput;
  }
  return guarded(action);
}

}  // namespace
}  // namespace weft::tool

int main(int count, char** arguments) {
  int status = weft::tool::kBadInput;
  try {
    status = weft::tool::run_tool(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft: error: %s\n", error.what());
  }
  return status;
}
