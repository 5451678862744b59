// FunctionRef: a callable passed down a call, neither copied nor allocated.
#pragma once

#include <type_traits>
#include <utility>

namespace weft::detail {

template <class Signature>
class FunctionRef;
template <class R, class... P>
class FunctionRef<R(P...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, P... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<P>(args)...);
        }) {}
  R operator()(P... args) const { return call_(object_, std::forward<P>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, P...);
};

}  // namespace weft::detail
