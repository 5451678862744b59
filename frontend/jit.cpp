// jit: from a call to its program, and from the program to results.
#include <weft/jit.h>

#include <cstdio>

#include <fmt/format.h>

#include "frontend/jit_core.h"
#include "frontend/signature_visitor.h"

namespace weft {
namespace frontend {

CallScratch& CallScratch::of_this_thread() {
  thread_local CallScratch scratch;
  return scratch;
}

void CallScratch::read(detail::ErasedCall& call, bool with_types) {
  signature.clear();
  leaves.clear();
  signature.add(call.type_id());
  SignatureVisitor visitor(signature, leaves, with_types);
  for (std::size_t i = 0; i < call.argument_count(); ++i) {
    signature.begin_argument();
    call.visit_argument(i, visitor);
  }
}

namespace {

std::shared_ptr<TracedProgram> find_or_trace(detail::JitCore& core, CallScratch& scratch,
                                             const TraceBody& body) {
  const std::size_t hash = scratch.signature.hash();
  if (auto known = core.cache().find(scratch.signature.bytes(), hash)) return known;
  // Tracing runs user code, which may call other jits and so reuse the scratch.
  const Signature signature = scratch.signature;
  const std::vector<const Array*> leaves = scratch.leaves;
  std::shared_ptr<TracedProgram> program = trace_program(leaves, body);
  program->is_short_lived = core.is_short_lived();
  program->key = signature.bytes();
  program->hash = hash;
  // A program that uses values of an outer trace is good for this call only.
  if (!program->captures_traced()) {
    const TracedProgram* made = program.get();
    program = core.cache().insert(std::move(program));
    if (program.get() == made) core.note_recompilation(signature);
  }
  scratch.signature = signature;
  scratch.leaves = leaves;
  return program;
}

}  // namespace

void run_cached(detail::JitCore& core, detail::ErasedCall& call, const TraceBody& body) {
  CallScratch& scratch = CallScratch::of_this_thread();
  scratch.read(call);
  for (const Array* x : scratch.leaves) check_not_leaked(*x);
  const std::shared_ptr<TracedProgram> program = find_or_trace(core, scratch, body);
  Results results(program->result_types.size());
  if (Trace::current()) {
    frontend::call(program, scratch.leaves, results.all());
  } else {
    run(*program, *program->compiled(core.options().options)->executable, scratch.leaves, results.all());
  }
  detail::ReplaceLeaves fill(results.all());
  call.set_result(program->prototype.get(), fill);
}

}  // namespace frontend

namespace detail {

namespace {

template <class T>
void take(T& field, const std::optional<T>& given) {
  if (given) field = *given;
}
void take(std::vector<std::string>& names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

}  // namespace

Shared<JitCore> make_jit(JitOptions options, const Location& where) {
#define OPTION(field, kind, variable, state, summary) take(options.options.field, options.field);
#include "compiler/options.def"
#undef OPTION
  return Shared<JitCore>(new JitCore(std::move(options), where));
}

void run_jit(const Shared<JitCore>& core, ErasedCall& call) {
  const frontend::Call named("jit", core->where());
  for (const int donated : core->options().donate)
    if (donated < 0 || static_cast<std::size_t>(donated) >= call.argument_count())
      frontend::fail_index(fmt::format("donate names argument {} of {}", donated, call.argument_count()));
  frontend::run_cached(*core, call, [&](std::span<const Array> inside, std::vector<Array>& results) {
    frontend::TakeLeaves take(results);
    return call.trace(inside, take);
  });
}

void JitCore::note_recompilation(const frontend::Signature& signature) {
  constexpr int kToleratedRecompilations = 8;
  const std::lock_guard lock(mutex_);
  if (++misses_ > kToleratedRecompilations + 1) return;
  const std::size_t count = signature.argument_count();
  if (misses_ == kToleratedRecompilations + 1) {
    std::size_t changed = 0;
    while (changed + 1 < count && changed < last_arguments_.size() &&
           last_arguments_[changed] == signature.argument_bytes(changed))
      ++changed;
    fmt::print(
        stderr,
        "weft: warning: a jitted function was recompiled {} times; its argument {} keeps changing in type or "
        "static value\n",
        kToleratedRecompilations, changed);
  }
  last_arguments_.clear();
  for (std::size_t i = 0; i < count; ++i) last_arguments_.emplace_back(signature.argument_bytes(i));
}

}  // namespace detail
}  // namespace weft
