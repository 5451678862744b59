// weft run: inputs from .npy files, results as text and .npy files, checks as the exit code.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include <weft/creation.h>
#include <weft/error.h>

#include "compiler/compile.h"
#include "compiler/interpreter/interpreter.h"
#include "runtime/npy.h"
#include "tools/weft/checks.h"
#include "tools/weft/commands.h"
#include "tools/weft/program.h"

namespace weft::tool {
namespace {

struct Settings {
  std::string path;
  std::vector<std::string> inputs;
  std::string output_dir, entry, target;
  std::string engine = "compiled";
  int runs = 0;  // timed
  bool bf16_as_u16 = false;
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string signature_of(const ir::Graph& graph) {
  const ir::Region& body = graph.region(graph.entry().body);
  std::string text;
  for (const ir::ValueId argument : body.arguments)
    text += (text.empty() ? "" : ", ") + graph.type(argument).to_string();
  return fmt::format("@{}({})", graph.entry().name, text);
}

// NumPy has no bf16: its bits come as uint16 too.
ir::Literal read_input(const std::string& path, const ir::Type& wanted) {
  runtime::Tensor tensor = runtime::load_npy(path);
  if (wanted.dtype == bf16 && tensor.type.dtype == u16) tensor.type.dtype = bf16;
  return {std::move(tensor.type), std::move(tensor.buffer), false};
}

std::vector<ir::Literal> read_inputs(const ir::Graph& graph, const std::vector<std::string>& paths) {
  const std::vector<ir::ValueId>& arguments = graph.region(graph.entry().body).arguments;
  if (paths.size() != arguments.size())
    throw UserError(fmt::format("{} takes {} input{}, given {}", signature_of(graph), arguments.size(),
                                arguments.size() == 1 ? "" : "s", paths.size()));
  std::vector<ir::Literal> inputs;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const ir::Type& wanted = graph.type(arguments[i]);
    inputs.push_back(read_input(paths[i], wanted));
    if (inputs[i].type != wanted)
      throw UserError(fmt::format("input {} is {} in {}, but {} takes {}", i, inputs[i].type.to_string(),
                                  paths[i], signature_of(graph), wanted.to_string()));
  }
  return inputs;
}

// One program on one engine, ready to be called many times.
class Runner {
 public:
  Runner(const ir::Graph& graph, const Settings& settings) : graph_(graph) {
    if (settings.engine == "interpreter") return;
    CompileOptions options;
    options.target = settings.target;
    compiled_ = compiler::compile(graph, options);
  }

  std::vector<ir::Literal> run(const std::vector<ir::Literal>& inputs) const {
    if (!compiled_) return interpreter::interpret(graph_, inputs);
    const runtime::Executable& executable = *compiled_->executable;
    std::vector<runtime::Buffer> arguments, results(executable.results().size());
    for (const ir::Literal& input : inputs) arguments.push_back(input.buffer);
    executable.run(arguments, results.data());
    std::vector<ir::Literal> values;
    for (std::size_t i = 0; i < results.size(); ++i)
      values.push_back({executable.results()[i], std::move(results[i]), false});
    return values;
  }

 private:
  const ir::Graph& graph_;
  std::shared_ptr<const compiler::Program> compiled_;
};

void print_result(std::size_t index, const ir::Literal& value) {
  std::ostringstream text;
  text << detail::from_elements(value.type.dtype, value.type.shape, value.buffer.data());
  const char* gap = text.str().find('\n') == std::string::npos ? " " : "\n";
  fmt::print("out{}: {}{}{}\n", index, value.type.to_string(), gap, text.str());
}

void save_result(std::size_t index, const ir::Literal& value, const Settings& settings) {
  runtime::Tensor tensor{value.type, value.buffer};
  if (settings.bf16_as_u16 && tensor.type.dtype == bf16) tensor.type.dtype = u16;
  runtime::save_npy(fmt::format("{}/out{}.npy", settings.output_dir, index), tensor);
}

void make_output_dir(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw UserError(fmt::format("cannot make the directory {}: {}", path, error.message()));
  if (!std::filesystem::is_directory(path, error)) throw UserError(path + " is not a directory");
}

void time_runs(const Runner& runner, const std::vector<ir::Literal>& inputs, int runs) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    const Clock::time_point start = Clock::now();
    runner.run(inputs);
    seconds.push_back(seconds_since(start));
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("time: {:.1f} us least, {:.1f} us median of {} runs\n", seconds.front() * 1e6,
             seconds[seconds.size() / 2] * 1e6, runs);
}

int run_program(const Settings& settings) {
  Program program = read_program(settings.path);
  if (!settings.entry.empty()) select_entry(program.graph, settings.entry);
  const SplitProgram split = split_checks(program);
  const std::vector<ir::Literal> inputs = read_inputs(program.graph, settings.inputs);
  if (!settings.output_dir.empty()) make_output_dir(settings.output_dir);

  const Runner runner = showing_lines(program, [&] { return Runner(split.without_checks, settings); });
  const std::vector<ir::Literal> results = runner.run(inputs);
  for (std::size_t i = 0; i < split.result_count; ++i) {
    print_result(i, results[i]);
    if (!settings.output_dir.empty()) save_result(i, results[i], settings);
  }
  if (settings.runs > 0) time_runs(runner, inputs, settings.runs);

  const std::vector<std::string> failures = failed_checks(program, split, results);
  for (const std::string& failure : failures) fmt::print(stderr, "{}\n", failure);
  if (!split.checks.empty())
    fmt::print("{} of {} checks hold\n", split.checks.size() - failures.size(), split.checks.size());
  return failures.empty() ? kSuccess : kFailedCheck;
}

// An option of any number of files also takes the program when that comes right after them.
void take_program_from_inputs(Settings& settings) {
  const auto program = std::find_if(settings.inputs.begin(), settings.inputs.end(),
                                    [](const std::string& input) { return !input.ends_with(".npy"); });
  if (program == settings.inputs.end()) throw CLI::RequiredError("PROGRAM");
  settings.path = *program;
  settings.inputs.erase(program);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("run", "Run a program and its checks");
  CLI::Option* path = command->add_option("PROGRAM", settings->path, "StableHLO text; - is standard input");
  path->option_text("TEXT REQUIRED");
  command->add_option("--input", settings->inputs, "The .npy files of the arguments, in order");
  command->add_option("--output-dir", settings->output_dir,
                      "Write the results there as out0.npy, out1.npy, …");
  command->add_option("--entry", settings->entry,
                      "The function to run; @main, or the only public one, by default");
  command->add_option("--engine", settings->engine, "compiled (default) or interpreter")
      ->check(CLI::IsMember({"compiled", "interpreter"}))
      ->option_text("ENGINE");
  command->add_option("--target", settings->target, "Generate code for avx512, avx2 or sse2");
  command->add_option("--time", settings->runs, "Run that many times more and print how long a run takes")
      ->check(CLI::Range(1, 1000000000))
      ->option_text("N");
  command->add_flag("--bf16-as-u16", settings->bf16_as_u16, "Write bf16 results as the uint16 of their bits");
  command->callback([settings, path, &action] {
    if (path->count() == 0) take_program_from_inputs(*settings);
    action = [settings] { return run_program(*settings); };
  });
}

}  // namespace weft::tool
