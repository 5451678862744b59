// Loops and branches that stay loops and branches in compiled code: scan, while_loop, fori_loop, cond …
#pragma once

#include <weft/detail/leaves.h>

namespace weft {

struct ScanOptions {
  std::int64_t length = -1;  // needed when there are no xs
  bool reverse = false;      // from the last element to the first
  int unroll = 1;            // accepted as jax.lax.scan does; the compiler chooses for itself
};
struct MapOptions {
  std::int64_t batch_size = 0;  // how many elements at once; 0: one after another
};

namespace detail {

using In = std::span<const Array>;
using Out = std::vector<Array>;
using LoopBody = FunctionRef<void(const Array& position, In carry, In elements, Out& results)>;
using Condition = FunctionRef<void(In carry, Out& results)>;
using BranchBody = FunctionRef<void(std::size_t branch, In operands, Out& results)>;

struct LoopRange {
  std::int64_t length = -1;
  bool reverse = false;
  Array low, high;  // of fori_loop: the position is an integer of their dtype
};
// The last carry, then what was stacked. `results` of the body: the carry, then what a step gives.
Out run_scan(const char* function, In init, In xs, const LoopRange& range, const LoopBody& body, const Location& where);
Out run_while(In init, const Condition& condition, const Condition& body, const Location& where);
Out run_branches(const char* function, const Array& index, std::size_t count, In operands, const BranchBody& body,
                 const Location& where);
// The same number of arrays, however many the body gives; the tree of an argument is that of the result.
void check_carry_count(const char* function, std::size_t given, std::size_t wanted, const Location& where);

// What a body gives: (Carry, Y), or the carry alone.
template <class R, class Carry>
struct BodyResult {
  using Y = None;
  static auto carry(R& result) -> R& { return result; }
  static None y(R&) { return {}; }
};
template <class A, class B, class Carry>
requires(!std::is_same_v<lift_t<std::pair<A, B>>, Carry>) struct BodyResult<std::pair<A, B>, Carry> {
  using Y = lift_t<B>;
  static auto carry(std::pair<A, B>& result) -> A& { return result.first; }
  static Y y(std::pair<A, B>& result) { return Y(result.second); }
};

template <class Body, class Carry, class X>
decltype(auto) call_step(const Body& body, Carry&& carry, X&& x) {
  if constexpr (std::is_same_v<std::remove_cvref_t<X>, None> && std::is_invocable_v<const Body&, Carry>)
    return detail::call(body, std::forward<Carry>(carry));
  else
    return detail::call(body, std::forward<Carry>(carry), std::forward<X>(x));
}

template <class Tree, class From>
Tree lifted(From&& from) {
  return Tree(std::forward<From>(from));
}

// Function objects, so that an unqualified call with pairs of the standard library finds nothing else.
struct ScanFunction {
  // body(carry, x) -> pair{carry, y}, or carry alone: once an element of xs along its first axis. Gives the last
  // carry and the y stacked. The carry keeps its structure, shapes and dtypes (TypeError).
  template <class Body, class Init, class Xs = None>
  auto operator()(const Body& body, const Init& init, const Xs& xs = {}, const ScanOptions& options = {},
                  Location where = Location::current()) const {
    using Carry = lift_t<Init>;
    using X = lift_t<Xs>;
    check_not_empty(body, "scan", where);
    using R = std::remove_cvref_t<decltype(call_step(body, std::declval<Carry>(), std::declval<X>()))>;
    using Parts = BodyResult<R, Carry>;
    using Y = typename Parts::Y;
    Carry carry(init);
    X sequences(xs);
    const Out init_leaves = leaves_of(carry), x_leaves = leaves_of(sequences);
    std::optional<Y> prototype;
    Out results = run_scan(
        "scan", init_leaves, x_leaves, {options.length, options.reverse, {}, {}},
        [&](const Array&, In carried, In elements, Out& out) {
          R result = call_step(body, with_leaves(carry, carried), with_leaves(sequences, elements));
          Carry next = lifted<Carry>(Parts::carry(result));
          out = leaves_of(next);
          check_carry_count("scan", out.size(), carried.size(), where);
          prototype.emplace(Parts::y(result));
          const Out ys = leaves_of(*prototype);
          out.insert(out.end(), ys.begin(), ys.end());
        },
        where);
    const In all(results);
    return std::pair<Carry, Y>(with_leaves(carry, all.first(init_leaves.size())),
                               with_leaves(std::move(*prototype), all.subspan(init_leaves.size())));
  }
};

struct WhileFunction {
  // Repeats carry = body(carry) for as long as condition(carry), a b1 scalar, holds.
  template <class ConditionFunction, class Body, class Init>
  lift_t<Init> operator()(const ConditionFunction& condition, const Body& body, const Init& init,
                          Location where = Location::current()) const {
    using Carry = lift_t<Init>;
    check_not_empty(condition, "while_loop", where);
    check_not_empty(body, "while_loop", where);
    Carry carry(init);
    const Out init_leaves = leaves_of(carry);
    const Out results = run_while(
        init_leaves,
        [&](In carried, Out& out) { out = {Array(detail::call(condition, with_leaves(carry, carried)))}; },
        [&](In carried, Out& out) {
          Carry next = lifted<Carry>(detail::call(body, with_leaves(carry, carried)));
          out = leaves_of(next);
          check_carry_count("while_loop", out.size(), carried.size(), where);
        },
        where);
    return with_leaves(std::move(carry), results);
  }
};

struct ForiFunction {
  // carry = body(i, carry) for i = low, low + 1, …, high - 1; the bounds are integers, known or traced.
  template <class Body, class Init>
  lift_t<Init> operator()(const Operand& low, const Operand& high, const Body& body, const Init& init,
                          Location where = Location::current()) const {
    using Carry = lift_t<Init>;
    check_not_empty(body, "fori_loop", where);
    Carry carry(init);
    const Out init_leaves = leaves_of(carry);
    const Out results = run_scan(
        "fori_loop", init_leaves, {}, {-1, false, low.value, high.value},
        [&](const Array& position, In carried, In, Out& out) {
          Carry next = lifted<Carry>(detail::call(body, Array(position), with_leaves(carry, carried)));
          out = leaves_of(next);
          check_carry_count("fori_loop", out.size(), carried.size(), where);
        },
        where);
    return with_leaves(std::move(carry), results);
  }
};

// The functions of a branch as one, by number.
template <class Result, class Functions, class Operands>
Result run_chosen(const char* name, const Array& index, const Functions& functions, Operands operands,
                  const Location& where) {
  const Out leaves = leaves_of(operands);
  std::optional<Result> prototype;
  const Out results = run_branches(
      name, index, std::tuple_size_v<Functions>, leaves,
      [&](std::size_t branch, In inside, Out& out) {
        std::size_t number = 0;
        const auto try_one = [&](const auto& function) {
          if (number++ != branch) return;
          Operands values = with_leaves(operands, inside);
          prototype.emplace(std::apply([&](auto&... each) { return Result(detail::call(function, each...)); }, values));
          out = leaves_of(*prototype);
        };
        std::apply([&](const auto&... function) { (try_one(function), ...); }, functions);
      },
      where);
  return with_leaves(std::move(*prototype), results);
}

struct CondFunction {
  // on_true(operands…) or on_false(operands…), of which one alone runs. Both give the same tree (TypeError).
  template <class True, class False, class... Operands>
  auto operator()(const Operand& predicate, const True& on_true, const False& on_false,
                  const Operands&... operands) const {
    using Result = lift_t<decltype(detail::call(on_true, std::declval<lift_t<Operands>&>()...))>;
    check_not_empty(on_true, "cond", predicate.loc);
    check_not_empty(on_false, "cond", predicate.loc);
    return run_chosen<Result>("cond", predicate.value, std::tuple<const True&, const False&>(on_true, on_false),
                              std::tuple<lift_t<Operands>...>(operands...), predicate.loc);
  }
};

struct SwitchFunction {
  // The function of that number, of which one alone runs; the index is clamped to those there are.
  template <class... Functions, class... Operands>
  auto operator()(const Operand& index, const std::tuple<Functions...>& functions, const Operands&... operands) const {
    static_assert(sizeof...(Functions) > 0, "switch_case needs at least one function");
    using First = std::tuple_element_t<0, std::tuple<Functions...>>;
    using Result = lift_t<decltype(detail::call(std::declval<const First&>(), std::declval<lift_t<Operands>&>()...))>;
    return run_chosen<Result>("switch_case", index.value, functions, std::tuple<lift_t<Operands>...>(operands...),
                              index.loc);
  }
};

}  // namespace detail

inline constexpr detail::ScanFunction scan;
inline constexpr detail::WhileFunction while_loop;
inline constexpr detail::ForiFunction fori_loop;
inline constexpr detail::CondFunction cond;
inline constexpr detail::SwitchFunction switch_case;

// function(x) for every element x along the first axis of xs, one after another; the results stacked.
template <class F, class Xs>
auto map(const F& function, const Xs& xs, const MapOptions& options = {}, Location where = Location::current()) {
  static_cast<void>(options);
  return scan(
             [&](None carry, detail::lift_t<Xs> x) { return std::pair(carry, detail::call(function, std::move(x))); },
             None{}, xs, {}, where)
      .second;
}

}  // namespace weft
