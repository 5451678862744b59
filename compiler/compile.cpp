// The table of contents of the compiler: verify, rewrite, lower, generate code, wrap it as an Executable.
#include "compiler/compile.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <weft/error.h>

#include "compiler/explain_plan.h"
#include "compiler/ir/build.h"
#include "compiler/load_backend.h"
#include "compiler/lower/nest.h"
#include "compiler/rewrite/rewrite.h"
#include "compiler/text/text.h"
#include "runtime/cpu.h"

namespace weft::compiler {

namespace {

// Results that are an argument, a constant or another result are not computed.
std::vector<runtime::ResultSource> result_sources(const lower::Plan& plan) {
  using From = runtime::ResultSource::From;
  std::vector<runtime::ResultSource> sources;
  for (std::size_t i = 0; i < plan.results.size(); ++i) {
    const lower::PlanBuffer& buffer = plan.buffers[plan.result_buffers[i]];
    From from = From::computed;
    if (buffer.kind == lower::PlanBuffer::Kind::argument) from = From::argument;
    if (buffer.kind == lower::PlanBuffer::Kind::constant) from = From::constant;
    if (buffer.kind == lower::PlanBuffer::Kind::result && static_cast<std::size_t>(buffer.index) != i)
      from = From::result;
    sources.push_back({from, from == From::computed ? 0 : buffer.index});
  }
  return sources;
}

std::shared_ptr<const runtime::Executable> make_executable(const lower::Plan& plan,
                                                           const CompileOptions& options) {
  runtime::Executable::Parts parts;
  parts.arguments = plan.arguments;
  parts.results = plan.results;
  parts.result_sources = result_sources(plan);
  for (const ir::Literal& constant : plan.constants)
    parts.constants.push_back(constant.materialized().buffer);
  parts.arena_bytes = plan.arena_bytes;
  parts.num_threads = options.num_threads;
  if (plan.has_code()) {
    lower::BackendRequest request;
    request.plan = &plan;
    request.target = options.target;
    request.quick = options.opt_level <= 0;
    lower::BackendResult native = load_backend()(request);
    parts.entry = reinterpret_cast<runtime::Entry>(native.entry);
    parts.code = std::move(native.code);
  }
  return std::make_shared<runtime::Executable>(std::move(parts));
}

lower::LowerOptions lower_options_of(const CompileOptions& options) {
  const bool has_fma = options.target.empty() ? runtime::cpu_has(runtime::Isa::avx2) : options.target != "sse2";
  return {.contract_products = options.fp_contract && has_fma};
}

void dump(const Program& program) {
  if (program.options.dump_dir.empty()) return;
  const std::filesystem::path folder = program.options.dump_dir;
  std::error_code ignored;  // a folder that is not there cannot be written to
  std::filesystem::create_directories(folder, ignored);
  const auto write = [&](const char* name, const std::string& text) {
    if (!(std::ofstream(folder / name) << text << std::flush))
      throw UserError("compile: dump_dir: cannot write " + (folder / name).string());
  };
  write("0_traced.mlir", text::print(program.traced, {.locations = true}));
  write("1_optimized.mlir", text::print(program.optimized, {.locations = true}));
  write("2_loops.txt", program.loops);
  write("3_ledger.txt", program.ledger.to_string());
}

}  // namespace

std::shared_ptr<const Program> compile(ir::Graph graph, const CompileOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  auto program = std::make_shared<Program>();
  program->options = with_environment(given);
  program->options_in_force = options_in_force(given);
  check_options(program->options);
  program->traced = std::move(graph);

  ir::verify(program->traced, "tracing");
  rewrite::Context context{program->options, program->ledger};
  program->optimized = rewrite::optimize(program->traced, context);
  const lower::Plan plan = lower::lower(program->optimized, lower_options_of(program->options));
  for (rewrite::Firing& headline : headlines_of(plan)) program->ledger.record(std::move(headline));
  program->kernel_count = static_cast<int>(plan.kernels.size());
  program->loops = lower::print(plan);
  program->executable = make_executable(plan, program->options);

  program->compile_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  dump(*program);
  return program;
}

std::string explain(const ir::Graph& graph, const CompileOptions& options, rewrite::Ledger& ledger) {
  rewrite::Context context{options, ledger};
  const ir::Graph optimized = rewrite::optimize(graph, context);
  try {
    const lower::Plan plan = lower::lower(optimized, lower_options_of(options));
    for (rewrite::Firing& headline : headlines_of(plan)) ledger.record(std::move(headline));
    return {};
  } catch (const CompileError& error) {
    return error.what();
  }
}

std::string Program::text(IrStage stage) const {
  switch (stage) {
    case IrStage::traced:
      return text::print(traced);
    case IrStage::optimized:
      return text::print(optimized);
    case IrStage::loops:
      return loops.empty() ? lower::print(lower::lower(optimized, lower_options_of(options))) : loops;
    case IrStage::llvm:
    case IrStage::assembly:
      break;
  }
  const lower::Plan plan = lower::lower(optimized, lower_options_of(options));
  if (!plan.has_code()) return {};
  lower::BackendRequest request;
  request.plan = &plan;
  request.target = options.target;
  request.quick = options.opt_level <= 0;
  request.keep_text = true;
  lower::BackendResult native = load_backend()(request);
  return stage == IrStage::llvm ? native.llvm_ir : native.assembly;
}

}  // namespace weft::compiler
