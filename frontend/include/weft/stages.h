// The stages ahead of time: a function lowered to a program, and the program compiled.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <weft/detail/erased_call.h>
#include <weft/options.h>

namespace weft {

// One rewrite that the compiler applied.
struct Rewrite {
  std::string pass, rule;
  std::vector<std::string> where;  // "model.cpp:12"
  std::string before, after;
  std::string numeric;  // exact | reassociates | changes rounding
  bool is_headline;     // what an expert would have done by hand; else bookkeeping that made way for it
  std::int64_t flops_saved, bytes_saved;
  std::string text;     // as explain() prints it
};

// An option that was not at its default, and who set it: "the program", or a variable of the environment.
struct OptionInForce {
  std::string name, value, origin;
};

struct ExplainOptions {
  bool details = false;  // print bookkeeping in full too, instead of one counted line a rule
};

// Every rewrite applied, in order; printed, the options in force and the headlines, then the details.
class Explanation {
 public:
  Explanation(std::vector<OptionInForce> options, std::vector<Rewrite> rewrites, std::string text)
      : options_(std::move(options)), rewrites_(std::move(rewrites)), text_(std::move(text)) {}
  std::vector<OptionInForce> options() const { return options_; }  // a copy: safe to iterate over on a temporary
  auto begin() const { return rewrites_.begin(); }
  auto end() const { return rewrites_.end(); }
  std::size_t size() const { return rewrites_.size(); }
  const Rewrite& operator[](std::size_t i) const { return rewrites_[i]; }
  bool contains(const std::string& pass_or_rule) const;
  std::string to_string() const { return text_; }
  friend std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

 private:
  std::vector<OptionInForce> options_;
  std::vector<Rewrite> rewrites_;
  std::string text_;
};

struct Memory {
  std::int64_t argument_bytes = 0, result_bytes = 0, constant_bytes = 0, temporary_bytes = 0, peak_bytes = 0;
};

// A place for one result of call_into: contiguous memory of the caller's.
struct Output {
  void* data;
  std::size_t count;
  DType dtype;
  template <class R>
  requires requires(R& r) {
    r.data();
    r.size();
  }
  Output(R& range)
      : data(range.data()),
        count(range.size()),
        dtype(dtype_of<std::remove_cvref_t<decltype(*range.data())>>()) {}
  template <Element T>
  Output(std::span<T> span) : data(span.data()), count(span.size()), dtype(dtype_of<T>()) {}
};

namespace detail {

class LoweredCore;
class CompiledCore;
Array abstract_array(const ShapeDtype& type);
std::string text_of(const Shared<LoweredCore>& core);
void set_result_types(const Shared<LoweredCore>& core, ErasedCall& call);
Shared<CompiledCore> compile_lowered(const Shared<LoweredCore>& core, const CompileOptions& options,
                                     const Location& where);
void run_compiled(const Shared<CompiledCore>& core, ErasedCall& call, const Location& where);
void run_compiled_into(const Shared<CompiledCore>& core, std::span<const Output> outputs, ErasedCall& call,
                       const Location& where);
std::string text_of(const Shared<CompiledCore>& core, IrStage stage);
Explanation explanation_of(const Shared<CompiledCore>& core, const ExplainOptions& options);
Memory memory_of(const Shared<CompiledCore>& core);
int kernel_count_of(const Shared<CompiledCore>& core);
double compile_seconds_of(const Shared<CompiledCore>& core);

// Stands where the function was: a compiled program is never traced again.
struct NoFunction {};

// A place for a result alone.
template <class R>
class ResultOnly final : public ErasedCall {
 public:
  const void* type_id() const override { return nullptr; }
  std::size_t argument_count() const override { return 0; }
  void visit_argument(std::size_t, Visitor&) override {}
  Shared<Counted> trace(std::span<const Array>, Visitor&) override { return {}; }
  void set_result(const Counted* prototype, Visitor& fill) override {
    result_.emplace(static_cast<const Held<R>*>(prototype)->value);
    visit(*result_, fill);
  }
  R take_result() { return std::move(*result_); }

 private:
  std::optional<R> result_;
};

template <class R, class... A>
class ArgumentsOnly final : public ErasedCall {
 public:
  explicit ArgumentsOnly(std::tuple<A...>& arguments) : arguments_(arguments) {}
  const void* type_id() const override { return &type_tag<R(A...)>; }
  std::size_t argument_count() const override { return sizeof...(A); }
  void visit_argument(std::size_t i, Visitor& visitor) override {
    std::size_t at = 0;
    std::apply([&](auto&... argument) { ((at++ == i ? visit(argument, visitor) : void()), ...); },
               arguments_);
  }
  Shared<Counted> trace(std::span<const Array>, Visitor&) override { return {}; }
  void set_result(const Counted* prototype, Visitor& fill) override {
    result_.emplace(static_cast<const Held<R>*>(prototype)->value);
    visit(*result_, fill);
  }
  R take_result() { return std::move(*result_); }

 private:
  std::tuple<A...>& arguments_;
  std::optional<R> result_;
};

}  // namespace detail

template <class Signature>
class Compiled;
template <class R, class... A>
class Compiled<R(A...)> {
 public:
  explicit Compiled(detail::Shared<detail::CompiledCore> core) : core_(std::move(core)) {}

  R operator()(A... arguments, Location where = Location::current()) const {
    std::tuple<A...> all(std::move(arguments)...);
    detail::ArgumentsOnly<R, A...> call(all);
    detail::run_compiled(core_, call, where);
    return call.take_result();
  }
  // Results go to the caller's memory, in the order of the result's arrays: c.call_into({y, z}, x). Nothing
  // is allocated.
  void call_into(std::initializer_list<Output> outputs, const A&... arguments,
                 Location where = Location::current()) const {
    call_into(std::span(outputs.begin(), outputs.size()), arguments..., where);
  }
  void call_into(std::span<const Output> outputs, const A&... arguments,
                 Location where = Location::current()) const {
    std::tuple<A...> all(arguments...);
    detail::ArgumentsOnly<R, A...> call(all);
    detail::run_compiled_into(core_, outputs, call, where);
  }
  std::string text(IrStage stage = IrStage::optimized) const { return detail::text_of(core_, stage); }
  Explanation explain(const ExplainOptions& options = {}) const { return detail::explanation_of(core_, options); }
  Memory memory() const { return detail::memory_of(core_); }
  int kernel_count() const { return detail::kernel_count_of(core_); }
  double compile_seconds() const { return detail::compile_seconds_of(core_); }

 private:
  detail::Shared<detail::CompiledCore> core_;
};

template <class Signature>
class Lowered;
template <class R, class... A>
class Lowered<R(A...)> {
 public:
  explicit Lowered(detail::Shared<detail::LoweredCore> core) : core_(std::move(core)) {}
  std::string text() const { return detail::text_of(core_); }  // StableHLO
  // What the program gives, as arrays that are only types.
  R result_types() const {
    detail::ResultOnly<R> result;
    detail::set_result_types(core_, result);
    return result.take_result();
  }
  Compiled<R(A...)> compile(const CompileOptions& options = {}, Location where = Location::current()) const {
    return Compiled<R(A...)>(detail::compile_lowered(core_, options, where));
  }

 private:
  detail::Shared<detail::LoweredCore> core_;
};

}  // namespace weft
