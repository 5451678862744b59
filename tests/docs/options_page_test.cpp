// docs/options.md lists every field of CompileOptions, and every variable that it names is really read.
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include <weft/weft.h>

#include "compiler/compile.h"
#include "runtime/threads.h"
#include "tests/docs/committed.h"

namespace weft::compiler {
namespace {

struct Row {
  std::string field, kind, variable, summary, standard;
};

std::string written(int value) { return std::to_string(value); }
std::string written(bool value) { return value ? "true" : "false"; }
std::string written(const std::string& value) { return "\"" + value + "\""; }
std::string written(const std::vector<std::string>& values) {
  std::string text = "{";
  for (const std::string& value : values) text += (text.size() > 1 ? ", " : "") + written(value);
  return text + "}";
}

std::vector<Row> rows() {
  const CompileOptions defaults;
  return {
#define OPTION(field, kind, variable, state, summary) {#field, #kind, variable, #state == std::string("works") ? summary : summary " It does nothing yet: a warning says so.", written(defaults.field)},
#include "compiler/options.def"
#undef OPTION
  };
}

std::string value_of(const CompileOptions& options, const std::string& field) {
#define OPTION(name, kind, variable, state, summary) \
  if (field == #name) return written(options.name);
#include "compiler/options.def"
#undef OPTION
  return "no such field";
}

class Environment {
 public:
  Environment(const std::string& variable, const std::string& text) : variable_(variable) {
    if (const char* before = std::getenv(variable.c_str())) before_ = before;
    ::setenv(variable.c_str(), text.c_str(), 1);
  }
  ~Environment() {
    if (before_)
      ::setenv(variable_.c_str(), before_->c_str(), 1);
    else
      ::unsetenv(variable_.c_str());
  }

 private:
  std::string variable_;
  std::optional<std::string> before_;
};

const char* const kIntroduction = R"(# Options of a compilation

`CompileOptions` goes to `lowered.compile({.num_threads = 1})`. For every compilation of one function its fields stand
among those of `jit(f, {.num_threads = 1, .target = "avx2"})`, in the order of the table, or all together as
`jit(f, {.options = options})`. An environment variable counts where the program left the option at its default; the
names in `WEFT_DISABLE_PASSES` are added to those of the program. `explain()` lists the options that are not at their
defaults, each with who set it. A flag is 0 or 1. A text that cannot be read is a
`UserError` of the compilation; `WEFT_NUM_THREADS` is read once, and ignored unless it is a number above 0.

`WEFT_MAX_CPU_ISA` (`avx512`, `avx2` or `sse2`) is no option: the process then takes the CPU for one that has nothing
better, so that a new machine shows what an older one would. A `target` beyond it is refused.

This page is written by the library itself (target `weft_docs`); a test compares it with what the library does.

| option | default | variable | meaning |
|---|---|---|---|
)";

TEST(OptionsPage, IsWhatTheLibraryHas) {
  std::string page = kIntroduction;
  for (const Row& row : rows())
    page +=
        "| `" + row.field + "` | `" + row.standard + "` | `" + row.variable + "` | " + row.summary + " |\n";
  testing::expect_committed("options.md", page);
}

TEST(OptionsPage, NamesEveryField) {
  std::ifstream header(std::string(WEFT_SOURCE_DIR) + "/runtime/include/weft/options.h");
  std::set<std::string> declared, listed;
  for (std::string line; std::getline(header, line);) {
    const std::size_t equals = line.find(" = ");
    if (line.rfind("  ", 0) != 0 || equals == std::string::npos || line.find("operator") < equals) continue;
    declared.insert(line.substr(line.rfind(' ', equals - 1) + 1, equals - line.rfind(' ', equals - 1) - 1));
  }
  for (const Row& row : rows()) listed.insert(row.field);
  EXPECT_EQ(declared, listed);
}

TEST(OptionsPage, EveryVariableIsRead) {
  for (const Row& row : rows()) {
    const bool is_on = row.standard == "true";
    const std::string text = row.kind == "level" ? "0" : row.kind == "flag" ? (is_on ? "0" : "1") : "three";
    const std::string wanted = row.kind == "level"   ? "0"
                               : row.kind == "flag"  ? written(!is_on)
                               : row.kind == "names" ? "{\"three\"}"
                                                     : "\"three\"";
    if (row.kind == "threads") continue;  // below
    const Environment environment(row.variable, text);
    EXPECT_EQ(value_of(with_environment({}), row.field), wanted) << row.variable;
  }
}

TEST(OptionsPage, TheProgramsOwnChoiceCountsMore) {
  const Environment target("WEFT_TARGET", "sse2"), verify("WEFT_REASSOCIATE_LINALG", "1"),
      passes("WEFT_DISABLE_PASSES", "inline_calls,,fold_constants");
  const CompileOptions options =
      with_environment({.disabled_passes = {"a"}, .reassociate_linalg = false, .target = "avx2"});
  EXPECT_EQ(options.target, "avx2");
  EXPECT_EQ(options.disabled_passes, (std::vector<std::string>{"a", "inline_calls", "fold_constants"}));
}

TEST(OptionsPage, ATextThatCannotBeReadIsAnErrorThatNamesTheVariable) {
  for (const Row& row : rows()) {
    if (row.kind != "level" && row.kind != "flag") continue;
    for (const char* text : {"yes", "3", "-1", "00"}) {
      const Environment environment(row.variable, text);
      try {
        jit([](Array x) { return x + 1; }).lower(zeros({2})).compile();
        ADD_FAILURE() << row.variable << "=" << text << " is accepted";
      } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find(row.variable), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      }
    }
  }
}

// The environment of this test sets it, for it is read once.
TEST(OptionsPage, TheNumberOfThreadsIsRead) {
  const char* text = std::getenv("WEFT_NUM_THREADS");
  if (!text) GTEST_SKIP() << "run by ctest, which sets WEFT_NUM_THREADS";
  EXPECT_EQ(runtime::default_thread_count(), std::atoi(text));
}

}  // namespace
}  // namespace weft::compiler
