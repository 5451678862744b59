// ErasedCall: one call of a transformed function, with its types hidden from the machinery that traces and
// runs it.
#pragma once

#include <optional>
#include <span>

#include <weft/detail/callable.h>
#include <weft/detail/shared.h>

namespace weft::detail {

class ErasedCall {
 public:
  virtual const void* type_id() const = 0;  // of the C++ types of arguments and result
  virtual std::size_t argument_count() const = 0;
  virtual void visit_argument(std::size_t i, Visitor& visitor) = 0;
  // Calls the function on arguments whose arrays are replaced by `leaves`, in order; `results` sees the
  // result and takes its arrays out. What is left is returned: a prototype to make other results from.
  virtual Shared<Counted> trace(std::span<const Array> leaves, Visitor& results) = 0;
  // Makes the result of this call from the prototype; `fill` puts the arrays in.
  virtual void set_result(const Counted* prototype, Visitor& fill) = 0;

 protected:
  ~ErasedCall() = default;
};

class ReplaceLeaves final : public Visitor {
 public:
  explicit ReplaceLeaves(std::span<const Array> leaves) : leaves_(leaves) {}
  void leaf(Array& array) override {
    array = leaves_[0];
    leaves_ = leaves_.subspan(1);
  }
  void fixed(const void*, std::size_t) override {}
  void enter(Kind, std::size_t) override {}
  void leave() override {}

 private:
  std::span<const Array> leaves_;
};

template <class>
inline constexpr char type_tag = 0;

template <class R, class F, class... A>
class TypedCall final : public ErasedCall {
 public:
  TypedCall(const F& function, std::tuple<A...>& arguments) : function_(function), arguments_(arguments) {}

  const void* type_id() const override { return &type_tag<R(A...)>; }
  std::size_t argument_count() const override { return sizeof...(A); }
  void visit_argument(std::size_t i, Visitor& visitor) override {
    visit_argument(i, visitor, std::index_sequence_for<A...>());
  }
  Shared<Counted> trace(std::span<const Array> leaves, Visitor& results) override {
    std::tuple<A...> inside = arguments_;
    ReplaceLeaves replace(leaves);
    std::apply([&](auto&... argument) { (visit(argument, replace), ...); }, inside);
    auto* result = new Held<R>(std::apply(
        [&](auto&... argument) -> R { return detail::call(function_, std::move(argument)...); }, inside));
    const Shared<Counted> prototype(result);
    visit(result->value, results);
    return prototype;
  }
  void set_result(const Counted* prototype, Visitor& fill) override {
    result_.emplace(static_cast<const Held<R>*>(prototype)->value);
    visit(*result_, fill);
  }
  R take_result() { return std::move(*result_); }

 private:
  template <std::size_t... I>
  void visit_argument(std::size_t i, Visitor& visitor, std::index_sequence<I...>) {
    ((i == I ? visit(std::get<I>(arguments_), visitor) : void()), ...);
  }
  const F& function_;
  std::tuple<A...>& arguments_;
  std::optional<R> result_;
};

}  // namespace weft::detail
