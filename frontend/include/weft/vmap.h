// vmap: a function of one element becomes a function of a batch. The batch axis is chosen for each argument.
#pragma once

#include <string>
#include <vector>

#include <weft/detail/erased_call.h>

namespace weft {

// Where the batch axis is, for every array of an argument: one axis, none, or a list for the parts of a tree.
struct AxisTree {
  enum class Kind : std::uint8_t { unset, axis, none, list } kind = Kind::unset;
  int axis = 0;
  std::vector<AxisTree> children = {};
  AxisTree() = default;
  template <std::integral T>
  AxisTree(T a) : kind(Kind::axis), axis(static_cast<int>(a)) {}
  AxisTree(None) : kind(Kind::none) {}
  AxisTree(std::initializer_list<AxisTree> parts) : kind(Kind::list), children(parts) {}
};

struct VmapOptions {
  AxisTree a0 = AxisTree(), a1 = AxisTree(), a2 = AxisTree(), a3 = AxisTree(), a4 = AxisTree(),
           a5 = AxisTree(), a6 = AxisTree(), a7 = AxisTree();
  detail::NamedOnly named_only = detail::NamedOnly::make();
  AxisTree in_axes = AxisTree();   // unset: 0 for all arguments
  AxisTree out_axes = AxisTree();  // unset: 0
  std::int64_t axis_size = -1;     // needed when every argument is `none`
  std::string axis_name = {};
};

namespace detail {

class VmapCore;
Shared<VmapCore> make_vmap(VmapOptions options, const Location& where);
void run_vmap(const Shared<VmapCore>& core, ErasedCall& call);

template <class R, class F, class... A>
R call_vmap(const Shared<VmapCore>& core, const F& function, std::tuple<A...>& arguments) {
  static_assert(check_result<R>());
  TypedCall<R, F, A...> call(function, arguments);
  run_vmap(core, call);
  return call.take_result();
}

}  // namespace detail

template <class F, class Signature = detail::signature_of<F>>
class Vmap;

template <class F, class R, class... P>
class Vmap<F, R(P...)> {
 public:
  Vmap(F function, VmapOptions options, const Location& where)
      : function_(std::move(function)), core_(detail::make_vmap(std::move(options), where)) {}
  R operator()(detail::value_t<P>... arguments) const {
    static_assert((detail::check_parameter<P>() && ...));
    std::tuple<detail::value_t<P>...> all(std::move(arguments)...);
    return detail::call_vmap<R>(core_, function_, all);
  }

 private:
  F function_;
  detail::Shared<detail::VmapCore> core_;
};

template <class F>
class Vmap<F, detail::Generic> {
 public:
  Vmap(F function, VmapOptions options, const Location& where)
      : function_(std::move(function)), core_(detail::make_vmap(std::move(options), where)) {}
  template <class... A>
  auto operator()(const A&... arguments) const {
    static_assert(detail::check_generic<F, detail::lift_t<A>...>());
    using R = std::invoke_result_t<const F&, detail::lift_t<A>...>;
    std::tuple<detail::lift_t<A>...> all(arguments...);
    return detail::call_vmap<R>(core_, function_, all);
  }

 private:
  F function_;
  detail::Shared<detail::VmapCore> core_;
};

// Errors about axes name the line that calls vmap.
template <class F>
auto vmap(F&& function, VmapOptions options = {}, Location where = Location::current()) {
  detail::check_not_empty(function, "vmap", where);
  return Vmap<std::decay_t<F>>(std::forward<F>(function), std::move(options), where);
}
template <class F, class A>
requires(std::integral<A> || std::same_as<A, None> ||
         std::same_as<A, AxisTree>) auto vmap(F&& function, const A& in_axes,
                                              Location where = Location::current()) {
  VmapOptions options;
  options.in_axes = AxisTree(in_axes);
  return vmap(std::forward<F>(function), std::move(options), where);
}

}  // namespace weft
