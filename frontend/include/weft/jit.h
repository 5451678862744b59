// jit: a function that is traced once per signature, compiled, and called from then on as machine code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <weft/detail/erased_call.h>
#include <weft/options.h>
#include <weft/stages.h>

namespace weft {

// The fields of CompileOptions can be given one by one: jit(f, {.num_threads = 1}). They count more than those of
// `options`; disabled_passes are added.
struct JitOptions {
  std::vector<int> donate = {};  // arguments whose buffers may be reused for results
  CompileOptions options = {};
  std::optional<int> opt_level = {};
  std::vector<std::string> disabled_passes = {};
  std::optional<int> num_threads = {};
  std::optional<bool> fp_contract = {};
  std::optional<bool> fast_math = {};
  std::optional<bool> reassociate_linalg = {};
  std::optional<bool> verify_each = {};
  std::optional<std::string> dump_dir = {};
  std::optional<std::string> cache_dir = {};
  std::optional<std::string> target = {};
};

namespace detail {

class JitCore;  // options and the cache of one jitted function, shared by its copies
Shared<JitCore> make_jit(JitOptions options, const Location& where);
void run_jit(const Shared<JitCore>& core, ErasedCall& call);
Shared<LoweredCore> lower_jit(const Shared<JitCore>& core, ErasedCall& call);

template <class R, class F, class... A>
R call_jit(const Shared<JitCore>& core, const F& function, std::tuple<A...>& arguments) {
  static_assert(check_result<R>());
  TypedCall<R, F, A...> call(function, arguments);
  run_jit(core, call);
  return call.take_result();
}

// The argument to lower with: itself, or the type alone where a ShapeDtype stands for an array.
template <class P, class A>
P to_lower(const A& argument) {
  if constexpr (std::is_same_v<A, ShapeDtype>)
    return abstract_array(argument);
  else
    return argument;
}

}  // namespace detail

template <class F, class Signature = detail::signature_of<F>>
class Jit;

template <class F, class R, class... P>
class Jit<F, R(P...)> {
 public:
  Jit(F function, JitOptions options, const Location& where)
      : function_(std::move(function)), core_(detail::make_jit(std::move(options), where)) {}

  R operator()(detail::value_t<P>... arguments) const {
    static_assert((detail::check_parameter<P>() && ...));
    std::tuple<detail::value_t<P>...> all(std::move(arguments)...);
    return detail::call_jit<R>(core_, function_, all);
  }

  template <class... A>
  requires(sizeof...(A) == sizeof...(P)) Lowered<R(detail::value_t<P>...)> lower(const A&... arguments)
  const {
    std::tuple<detail::value_t<P>...> all(detail::to_lower<detail::value_t<P>>(arguments)...);
    detail::TypedCall<R, F, detail::value_t<P>...> call(function_, all);
    return Lowered<R(detail::value_t<P>...)>(detail::lower_jit(core_, call));
  }

 private:
  F function_;
  detail::Shared<detail::JitCore> core_;
};

template <class F>
class Jit<F, detail::Generic> {
  template <class A>
  using argument_t = std::conditional_t<std::is_same_v<A, ShapeDtype>, Array, detail::lift_t<A>>;

 public:
  Jit(F function, JitOptions options, const Location& where)
      : function_(std::move(function)), core_(detail::make_jit(std::move(options), where)) {}

  template <class... A>
  auto operator()(const A&... arguments) const {
    static_assert(detail::check_generic<F, detail::lift_t<A>...>());
    using R = std::invoke_result_t<const F&, detail::lift_t<A>...>;
    std::tuple<detail::lift_t<A>...> all(arguments...);
    return detail::call_jit<R>(core_, function_, all);
  }

  template <class... A>
  auto lower(const A&... arguments) const {
    static_assert(detail::check_generic<F, argument_t<A>...>());
    using R = std::invoke_result_t<const F&, argument_t<A>...>;
    std::tuple<argument_t<A>...> all(detail::to_lower<argument_t<A>>(arguments)...);
    detail::TypedCall<R, F, argument_t<A>...> call(function_, all);
    return Lowered<R(argument_t<A>...)>(detail::lower_jit(core_, call));
  }

 private:
  F function_;
  detail::Shared<detail::JitCore> core_;
};

// Errors that no line of the function is to blame for name the line that calls jit.
template <class F>
auto jit(F&& function, JitOptions options = {}, Location where = Location::current()) {
  detail::check_not_empty(function, "jit", where);
  return Jit<std::decay_t<F>>(std::forward<F>(function), std::move(options), where);
}

// The result of a function without computing it: its arrays have shapes and dtypes, and no values. Arguments
// are arrays or ShapeDtypes.
template <class F, class... A>
auto eval_shape(F&& function, const A&... arguments) {
  return jit(std::forward<F>(function)).lower(arguments...).result_types();
}

}  // namespace weft
