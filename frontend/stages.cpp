// lower, compile, call, call_into, and what a compiled program tells about itself.
#include <weft/stages.h>

#include <ostream>

#include <fmt/format.h>

#include "compiler/text/text.h"
#include "frontend/jit_core.h"
#include "frontend/signature_visitor.h"

namespace weft {

namespace detail {

class LoweredCore final : public Counted {
 public:
  std::shared_ptr<frontend::TracedProgram> program;
  std::string structure;                   // of the arguments, without the arrays' types
  std::vector<ShapeDtype> argument_types;  // of every array
  std::vector<std::size_t> argument_of;    // which argument an array belongs to
  CompileOptions options;                  // of the jit
};

class CompiledCore final : public Counted {
 public:
  Shared<LoweredCore> lowered;
  std::shared_ptr<const compiler::Program> program;
};

namespace {

using frontend::CallScratch;
using frontend::type_of;

std::vector<std::size_t> arguments_of_leaves(ErasedCall& call) {
  frontend::Signature ignored;
  std::vector<const Array*> leaves;
  frontend::SignatureVisitor visitor(ignored, leaves, false);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < call.argument_count(); ++i) {
    call.visit_argument(i, visitor);
    result.resize(leaves.size(), i);
  }
  return result;
}

// The arrays of a call, checked against the types that the program was lowered for.
class CheckedArguments {
 public:
  CheckedArguments(const LoweredCore& lowered, ErasedCall& call) : scratch_(CallScratch::of_this_thread()) {
    scratch_.read(call, false);
    if (scratch_.signature.bytes() != lowered.structure)
      frontend::fail_type(
          "the structure or a static value of the arguments differs from what the program was lowered for");
    for (std::size_t i = 0; i < scratch_.leaves.size(); ++i) check(lowered, i);
  }
  std::span<const Array* const> leaves() const { return scratch_.leaves; }

 private:
  void check(const LoweredCore& lowered, std::size_t i) {
    const Array& x = *scratch_.leaves[i];
    const ShapeDtype& wanted = lowered.argument_types[i];
    if (x.is_traced())
      throw TraceError(fmt::format(
          "{}: argument {} of a compiled program is a traced {}: call the jitted function instead",
          frontend::Call::function(), lowered.argument_of[i], type_of(x).to_string()));
    if (type_of(x) == wanted) return;
    if (x.is_weak() && type_of(x).shape == wanted.shape) {
      if (converted_.empty()) converted_.reserve(scratch_.leaves.size());
      alignas(16) std::byte element[16];
      frontend::convert_element(type_of(x).dtype, frontend::state_of(x).buffer.data(), wanted.dtype, element);
      converted_.push_back(frontend::concrete_scalar(wanted.dtype, element));
      scratch_.leaves[i] = &converted_.back();
      return;
    }
    frontend::fail_type(fmt::format("argument {} has an array {} where the program takes {}",
                                    lowered.argument_of[i], type_of(x).to_string(), wanted.to_string()));
  }
  CallScratch& scratch_;
  std::vector<Array> converted_;
};

void check_outputs(const CompiledCore& core, std::span<const Output> outputs, const Location& where) {
  const std::vector<ShapeDtype>& types = core.lowered->program->result_types;
  if (outputs.size() != types.size())
    throw TypeError(fmt::format("call_into: {} outputs for {} results", outputs.size(), types.size()), where);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Output& output = outputs[i];
    if (output.dtype == types[i].dtype && static_cast<std::int64_t>(output.count) == types[i].size())
      continue;
    throw TypeError(fmt::format("call_into: output {} has {} elements of {} where the result is {}", i,
                                output.count, name_of(output.dtype), types[i].to_string()),
                    where);
  }
}

}  // namespace

Array abstract_array(const ShapeDtype& type) { return frontend::abstract(type); }

Shared<LoweredCore> lower_jit(const Shared<JitCore>& core, ErasedCall& call) {
  const frontend::Call named("lower", core->where());
  CallScratch scratch;
  scratch.read(call, false);
  const Shared<LoweredCore> lowered(new LoweredCore);
  lowered->structure = scratch.signature.bytes();
  for (const Array* x : scratch.leaves) lowered->argument_types.push_back(type_of(*x));
  lowered->argument_of = arguments_of_leaves(call);
  lowered->options = core->options().options;
  lowered->program = frontend::trace_program(scratch.leaves,
                                             [&](std::span<const Array> inside, std::vector<Array>& results) {
                                               frontend::TakeLeaves take(results);
                                               return call.trace(inside, take);
                                             });
  if (lowered->program->captures_traced())
    throw TraceError("lower: the function uses a traced value of an outer function; lower that one instead");
  return lowered;
}

void set_result_types(const Shared<LoweredCore>& core, ErasedCall& call) {
  const frontend::TracedProgram& traced = *core->program;
  std::vector<Array> types;
  for (std::size_t i = 0; i < traced.result_types.size(); ++i)
    types.push_back(frontend::abstract(traced.result_types[i], traced.result_is_weak[i]));
  ReplaceLeaves fill(types);
  call.set_result(traced.prototype.get(), fill);
}

std::string text_of(const Shared<LoweredCore>& core) { return text::print(core->program->graph); }

Shared<CompiledCore> compile_lowered(const Shared<LoweredCore>& core, const CompileOptions& options,
                                     const Location& where) {
  const frontend::Call named("compile", where);
  const Shared<CompiledCore> compiled(new CompiledCore);
  compiled->lowered = core;
  const bool uses_defaults = options == CompileOptions();
  compiled->program = compiler::compile(core->program->graph, uses_defaults ? core->options : options);
  return compiled;
}

void run_compiled(const Shared<CompiledCore>& core, ErasedCall& call, const Location& where) {
  const frontend::Call named("call", where);
  const frontend::TracedProgram& traced = *core->lowered->program;
  const CheckedArguments arguments(*core->lowered, call);
  frontend::Results results(traced.result_types.size());
  frontend::run(traced, *core->program->executable, arguments.leaves(), results.all());
  ReplaceLeaves fill(results.all());
  call.set_result(traced.prototype.get(), fill);
}

void run_compiled_into(const Shared<CompiledCore>& core, std::span<const Output> outputs, ErasedCall& call,
                       const Location& where) {
  const frontend::Call named("call_into", where);
  const frontend::TracedProgram& traced = *core->lowered->program;
  check_outputs(*core, outputs, where);
  const CheckedArguments arguments(*core->lowered, call);
  thread_local std::vector<const void*> inputs;
  thread_local std::vector<void*> places;
  inputs.clear();
  places.clear();
  for (const Array* x : arguments.leaves()) inputs.push_back(frontend::state_of(*x).buffer.data());
  for (const Array& x : traced.captured) inputs.push_back(frontend::state_of(x).buffer.data());
  for (const Output& output : outputs) places.push_back(output.data);
  core->program->executable->run_into(inputs, places);
}

std::string text_of(const Shared<CompiledCore>& core, IrStage stage) { return core->program->text(stage); }
int kernel_count_of(const Shared<CompiledCore>& core) { return core->program->kernel_count; }
double compile_seconds_of(const Shared<CompiledCore>& core) { return core->program->compile_seconds; }

Memory memory_of(const Shared<CompiledCore>& core) {
  const runtime::MemoryUse use = core->program->executable->memory();
  return {use.argument_bytes, use.result_bytes, use.constant_bytes, use.temporary_bytes,
          use.argument_bytes + use.result_bytes + use.constant_bytes + use.temporary_bytes};
}

Explanation explanation_of(const Shared<CompiledCore>& core, const ExplainOptions& options) {
  const compiler::Program& program = *core->program;
  std::string text;
  std::vector<OptionInForce> in_force;
  for (const compiler::OptionInForce& option : program.options_in_force) {
    in_force.push_back({option.name, option.value, option.origin});
    text += option.to_string();
  }
  std::vector<Rewrite> rewrites;
  for (const rewrite::Firing& firing : program.ledger.firings()) {
    Rewrite r{firing.pass, firing.rule, {}, firing.before, firing.after, std::string(rewrite::name_of(firing.numeric)),
              firing.rank == rewrite::Rank::headline, firing.flops_saved, firing.bytes_saved, firing.to_string()};
    for (const ir::SourceLine& line : firing.where) r.where.push_back(line.to_string());
    if (options.details) text += r.text;
    rewrites.push_back(std::move(r));
  }
  if (!options.details) text += program.ledger.summary();
  return Explanation(std::move(in_force), std::move(rewrites), std::move(text));
}

}  // namespace detail

bool Explanation::contains(const std::string& pass_or_rule) const {
  for (const Rewrite& r : rewrites_)
    if (r.pass == pass_or_rule || r.rule == pass_or_rule) return true;
  return false;
}

std::ostream& operator<<(std::ostream& out, const Explanation& explanation) {
  return out << explanation.to_string();
}

}  // namespace weft
