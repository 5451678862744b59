// The environment's say in CompileOptions: a variable counts where the program left the default.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/error.h>

#include "compiler/compile.h"
#include "compiler/lower/backend.h"
#include "runtime/threads.h"

namespace weft::compiler {
namespace {

int digit_of(const char* variable, const std::string& text, char largest) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= largest) return text[0] - '0';
  throw UserError(std::string("the environment variable ") + variable + " is \"" + text +
                  "\", which is no whole number from 0 to " + largest);
}

void read_level(const char* variable, const std::string& text, int& field) {
  field = digit_of(variable, text, '2');
}
void read_flag(const char* variable, const std::string& text, bool& field) {
  field = digit_of(variable, text, '1') == 1;
}
void read_text(const char*, const std::string& text, std::string& field) { field = text; }
void read_threads(const char*, const std::string&, int&) {}  // runtime/threads.cpp reads it

void read_names(const char*, const std::string& text, std::vector<std::string>& field) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    if (comma > start) field.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
}

std::string written(int value) { return std::to_string(value); }
std::string written(bool value) { return value ? "true" : "false"; }
std::string written(const std::string& value) { return "\"" + value + "\""; }
std::string written(const std::vector<std::string>& values) {
  std::string text = "{";
  for (const std::string& value : values) text += (text.size() > 1 ? ", " : "") + written(value);
  return text + "}";
}

enum class State { works, does_nothing_yet };

void warn_once(State state, bool is_set, const char* name, std::atomic<bool>& is_told) {
  if (state == State::works || !is_set || is_told.exchange(true)) return;
  std::fprintf(stderr, "weft: warning: the option %s does nothing yet\n", name);
}

}  // namespace

CompileOptions with_environment(CompileOptions options) {
  const CompileOptions defaults;
  const auto is_free = [](const auto& field, const auto& unset) {
    if constexpr (std::is_same_v<decltype(field), const std::vector<std::string>&>)
      return true;  // names add up
    return field == unset;
  };
#define OPTION(field, kind, variable, state, summary)                                                      \
  if (const char* text = std::getenv(variable); text && *text && is_free(options.field, defaults.field)) \
    read_##kind(variable, text, options.field);
#include "compiler/options.def"
#undef OPTION
  return options;
}

void check_options(const CompileOptions& options) {
  const auto fail = [](const std::string& what) { throw CompileError("compile: " + what); };
  if (options.opt_level < 0 || options.opt_level > 2)
    fail("opt_level is " + std::to_string(options.opt_level) + ": it can be 0, 1 or 2");
  if (options.num_threads < 0) fail("num_threads is " + std::to_string(options.num_threads));
  const auto& known = lower::kTargets;
  if (!options.target.empty() &&
      std::find(std::begin(known), std::end(known), options.target) == std::end(known))
    fail("target is " + options.target + ": it can be avx512, avx2 or sse2");
  const CompileOptions defaults;
#define OPTION(field, kind, variable, state, summary)                                                   \
  {                                                                                                     \
    static std::atomic<bool> is_told = false;                                                           \
    warn_once(State::state, options.field != defaults.field, #field, is_told);                          \
  }
#include "compiler/options.def"
#undef OPTION
}

std::vector<OptionInForce> options_in_force(const CompileOptions& given) {
  const CompileOptions defaults, all = with_environment(given);
  std::vector<OptionInForce> result;
  const auto add = [&](const char* name, const char* variable, const auto& before, const auto& unset, const auto& now) {
    if (before != unset) result.push_back({name, written(before), "the program"});
    if (now == before) return;
    if constexpr (std::is_same_v<decltype(now), const std::vector<std::string>&>)
      result.push_back({name, written(std::vector<std::string>(now.begin() + static_cast<std::ptrdiff_t>(before.size()), now.end())), variable});
    else
      result.push_back({name, written(now), variable});
  };
#define OPTION(field, kind, variable, state, summary) add(#field, variable, given.field, defaults.field, all.field);
#include "compiler/options.def"
#undef OPTION
  if (all.num_threads == 0 && std::getenv("WEFT_NUM_THREADS"))
    result.push_back({"num_threads", written(runtime::default_thread_count()), "WEFT_NUM_THREADS"});
  return result;
}

}  // namespace weft::compiler
