// Recording, compiling, running and caching of programs by signature.
#include "frontend/program.h"

#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "compiler/text/text.h"

namespace weft::frontend {

void Signature::clear() {
  bytes_.clear();
  argument_offsets_.clear();
}

void Signature::add_array(const Array& x) {
  const ArrayState& state = state_of(x);
  const auto rank = static_cast<std::uint8_t>(state.type.shape.rank());
  add(state.type.dtype);
  add(static_cast<std::uint8_t>(state.is_weak));
  add(rank);
  add_bytes(state.type.shape.data(), rank * sizeof(std::int64_t));
}

std::string_view Signature::argument_bytes(std::size_t i) const {
  const std::size_t begin = argument_offsets_[i];
  const std::size_t end = i + 1 < argument_offsets_.size() ? argument_offsets_[i + 1] : bytes_.size();
  return std::string_view(bytes_).substr(begin, end - begin);
}

bool TracedProgram::captures_traced() const {
  for (const Array& x : captured)
    if (!is_concrete(x)) return true;
  return false;
}

const std::shared_ptr<const compiler::Program>& TracedProgram::compiled(const CompileOptions& options) {
  if (is_compiled_.load(std::memory_order_acquire)) return program_;
  const std::lock_guard lock(mutex_);
  if (!program_) {
    program_ = is_short_lived ? compile_by_text(graph) : compiler::compile(graph, options);
    is_compiled_.store(true, std::memory_order_release);
  }
  return program_;
}

std::shared_ptr<TracedProgram> trace_program(std::span<const Array* const> arguments, const TraceBody& body) {
  auto program = std::make_shared<TracedProgram>();
  const auto trace = std::make_shared<Trace>();
  std::vector<Array> inside, results;
  for (const Array* x : arguments) inside.push_back(trace->argument(type_of(*x), x->is_weak()));
  {
    const OpenTrace open(*trace);
    program->prototype = body(inside, results);
    for (const Array& x : results) {
      program->result_types.push_back(type_of(x));
      program->result_is_weak.push_back(x.is_weak());
    }
    program->graph = trace->finish(results);
    program->captured = trace->captured();
    program->callees = trace->callees();
  }
  program->argument_count = arguments.size();
  return program;
}

namespace {

// Handles to the buffers of one call; on the stack unless there are many.
class Buffers {
 public:
  explicit Buffers(std::size_t count) {
    if (count > few_.size()) many_.resize(count);
  }
  runtime::Buffer* data() { return many_.empty() ? few_.data() : many_.data(); }

 private:
  std::array<runtime::Buffer, 12> few_;
  std::vector<runtime::Buffer> many_;
};

}  // namespace

void run(const TracedProgram& program, const runtime::Executable& code,
         std::span<const Array* const> arguments, std::span<Array> results) {
  const std::size_t argument_count = arguments.size() + program.captured.size();
  Buffers inputs(argument_count), outputs(results.size());
  runtime::Buffer* next = inputs.data();
  for (const Array* x : arguments) *next++ = state_of(*x).buffer;
  for (const Array& x : program.captured) *next++ = state_of(x).buffer;
  code.run({inputs.data(), argument_count}, outputs.data());
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = concrete(program.result_types[i], std::move(outputs.data()[i]), program.result_is_weak[i]);
}

void call(const std::shared_ptr<TracedProgram>& program, std::span<const Array* const> arguments,
          std::span<Array> results) {
  Trace& trace = *Trace::current();
  std::vector<ir::ValueId> operands;
  for (const Array* x : arguments) operands.push_back(trace.lift(*x));
  for (const Array& x : program->captured) operands.push_back(trace.lift(x));
  const std::string& name = trace.import(program);
  const std::vector<ir::ValueId> values = trace.builder().call(name, std::move(operands));
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = trace.value(values[i], program->result_is_weak[i]);
}

ProgramCache::ProgramCache(std::size_t heads) : heads_(heads) {}

ProgramCache::Head::~Head() {
  for (const Link* link = first.load(); link;) delete std::exchange(link, link->next);
}

const ProgramCache::Link* ProgramCache::search(const Link* from, std::string_view key,
                                               std::size_t hash) const {
  while (from && (from->program->hash != hash || from->program->key != key)) from = from->next;
  return from;
}

std::shared_ptr<TracedProgram> ProgramCache::find(std::string_view key, std::size_t hash) const {
  const Link* first = heads_[hash % heads_.size()].first.load(std::memory_order_acquire);
  const Link* found = search(first, key, hash);
  return found ? found->program : nullptr;
}

std::shared_ptr<TracedProgram> ProgramCache::insert(std::shared_ptr<TracedProgram> made) {
  const std::lock_guard lock(mutex_);
  std::atomic<const Link*>& first = heads_[made->hash % heads_.size()].first;
  if (const Link* known = search(first.load(), made->key, made->hash)) return known->program;
  first.store(new Link{made, first.load()}, std::memory_order_release);
  ++size_;
  return made;
}

std::size_t ProgramCache::size() const { return size_; }

std::shared_ptr<const compiler::Program> compile_by_text(const ir::Graph& graph) {
  constexpr std::size_t kMostPrograms = 1024;
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::unordered_map<std::string, std::shared_ptr<const compiler::Program>>;
  std::string text = text::print(graph);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(text); found != known.end()) return found->second;
  }
  auto program = compiler::compile(graph, {});
  const std::lock_guard lock(mutex);
  if (known.size() >= kMostPrograms) known.clear();
  return known.emplace(std::move(text), std::move(program)).first->second;
}

namespace {

ProgramCache& eager_cache() {
  static ProgramCache& cache = *new ProgramCache(1024);  // outlives every static array
  return cache;
}

// Appends the results to the second.
using RecordBody = detail::FunctionRef<void(std::span<const Array>, std::vector<Array>&)>;

struct EagerCall {
  std::shared_ptr<TracedProgram> program;
  std::vector<const Array*> arguments;

  void run_into(std::span<Array> results) const {
    run(*program, *program->compiled({})->executable, arguments, results);
  }
};

EagerCall eager_call(const char* function, std::span<const Array> operands, std::string_view statics,
                     const RecordBody& body) {
  thread_local Signature signature;
  signature.clear();
  signature.add_bytes(function, std::char_traits<char>::length(function) + 1);
  signature.add(statics.size());
  signature.add_bytes(statics.data(), statics.size());
  std::vector<const Array*> arguments;
  for (const Array& x : operands) {
    check_not_leaked(x);
    signature.add_array(x);
    arguments.push_back(&x);
  }
  const std::size_t hash = signature.hash();
  std::shared_ptr<TracedProgram> program = eager_cache().find(signature.bytes(), hash);
  if (!program) {
    const std::string key(signature.bytes());
    const std::string name = Call::function();
    const Location where = Call::where();
    program = trace_program(arguments, [&](std::span<const Array> inside, std::vector<Array>& results) {
      const Call call(name.c_str(), where);
      body(inside, results);
      return detail::Shared<detail::Counted>();
    });
    program->key = key;
    program->hash = hash;
    program = eager_cache().insert(std::move(program));
  }
  return {std::move(program), std::move(arguments)};
}

}  // namespace

Array apply(const char* function, const Location& where, std::span<const Array> operands,
            std::string_view statics, const ApplyBody& body) {
  const Call call(function, where);
  if (Trace::current()) return body(operands);
  Array result;
  eager_call(function, operands, statics, [&](std::span<const Array> inside, std::vector<Array>& results) {
    results.push_back(body(inside));
  }).run_into({&result, 1});
  return result;
}

std::vector<Array> apply_all(const char* function, const Location& where, std::span<const Array> operands,
                             std::string_view statics, const ApplyAllBody& body) {
  const Call call(function, where);
  if (Trace::current()) return body(operands);
  const EagerCall eager =
      eager_call(function, operands, statics,
                 [&](std::span<const Array> inside, std::vector<Array>& results) { results = body(inside); });
  std::vector<Array> results(eager.program->result_types.size());
  eager.run_into(results);
  return results;
}

}  // namespace weft::frontend
