// What a callable takes and returns, when it says so: lambdas that are not generic, functions, members,
// std::function.
#pragma once

#include <tuple>
#include <type_traits>

#include <weft/tree.h>

namespace weft::detail {

struct Generic;  // the signature of a generic lambda: known at each call

template <class M>
struct MemberSignature {
  static constexpr bool is_const = true;
  using type = Generic;
};
template <class R, class C, class... P>
struct MemberSignature<R (C::*)(P...) const> {
  static constexpr bool is_const = true;
  using type = R(P...);
  using with_object = R(C, P...);
};
template <class R, class C, class... P>
struct MemberSignature<R (C::*)(P...) const noexcept> : MemberSignature<R (C::*)(P...) const> {};
template <class R, class C, class... P>
struct MemberSignature<R (C::*)(P...)> {
  static constexpr bool is_const = false;
  using type = R(P...);
  using with_object = R(C, P...);
};
template <class R, class C, class... P>
struct MemberSignature<R (C::*)(P...) noexcept> : MemberSignature<R (C::*)(P...)> {};

template <class F>
struct SignatureOf {
  using type = Generic;
};
template <class R, class... P>
struct SignatureOf<R (*)(P...)> {
  using type = R(P...);
};
template <class R, class... P>
struct SignatureOf<R (*)(P...) noexcept> {
  using type = R(P...);
};
template <class F>
requires std::is_member_function_pointer_v<F>
struct SignatureOf<F> {
  using type = typename MemberSignature<F>::with_object;
};
template <class F>
requires requires { &F::operator(); }
struct SignatureOf<F> {
  static_assert(MemberSignature<decltype(&F::operator())>::is_const,
                "a mutable lambda cannot be transformed: it is traced once, not run at every call");
  using type = typename MemberSignature<decltype(&F::operator())>::type;
};
template <class F>
using signature_of = typename SignatureOf<std::decay_t<F>>::type;

template <class P>
constexpr bool check_parameter() {
  static_assert(!std::is_floating_point_v<std::remove_cvref_t<P>>,
                "a floating-point parameter would recompile for every value: take Array, or Static<double>");
  static_assert(!(std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>),
                "a T& parameter cannot be transformed: return the new value instead");
  return true;
}
template <class F, class... A>
constexpr bool check_generic() {
  static_assert(
      std::is_invocable_v<const F&, A...>,
      "the generic function cannot be called with these arguments: there are too many or too few, or "
      "it is mutable, or it takes auto&");
  return true;
}
template <class R>
constexpr bool check_result() {
  static_assert(!std::is_void_v<R>, "a function to transform must return its results");
  static_assert(!std::is_reference_v<R>, "a function to transform must return values, not references");
  return true;
}

// std::invoke for functions and, with the object first, member functions; without <functional>.
template <class F, class... A>
decltype(auto) call(const F& function, A&&... arguments) {
  if constexpr (std::is_member_function_pointer_v<F>) {
    return [&](auto&& object, auto&&... rest) -> decltype(auto) {
      return (std::forward<decltype(object)>(object).*function)(std::forward<decltype(rest)>(rest)...);
    }(std::forward<A>(arguments)...);
  } else {
    return function(std::forward<A>(arguments)...);
  }
}

[[noreturn]] void fail_empty_function(const char* transform, const Location& where);

// A null pointer or an empty std::function is refused where it is transformed.
template <class F>
void check_not_empty(const F& function, const char* transform, const Location& where) {
  if constexpr (!std::is_function_v<F> && requires { function == nullptr; }) {
    if (function == nullptr) fail_empty_function(transform, where);
  }
}

template <class P>
using value_t = std::remove_cvref_t<P>;

}  // namespace weft::detail
