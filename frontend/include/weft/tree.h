// Trees: what a function to transform takes and returns. One virtual Visitor reads and replaces the arrays in
// any of them.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/array.h>

namespace weft {

// A value that is part of the structure of a tree: another value is another program.
template <class T>
struct Static {
  using static_type = T;
  T value{};
  Static() = default;
  Static(T v) : value(std::move(v)) {}  // NOLINT: implicit on purpose
  operator const T&() const { return value; }
  const T& operator*() const { return value; }
};

namespace detail {

class Visitor {
 public:
  enum class Kind : std::uint8_t { none, fields, list, map, optional };
  virtual void leaf(Array& array) = 0;
  virtual void fixed(const void* data,
                     std::size_t bytes) = 0;  // part of the structure, compared by its bytes
  virtual void enter(Kind kind, std::size_t children) = 0;
  virtual void leave() = 0;

 protected:
  ~Visitor() = default;
};

// Converts to the base classes of T only: an aggregate that takes one has bases, which a tree may not.
template <class T>
struct AnyBase {
  template <class B>
  requires(std::is_base_of_v<B, T> && !std::is_same_v<B, T>) operator B() const;
};

// The number of fields, by probing with {} for each, the most first.
template <class T>
constexpr int field_count() {
#define WEFT_PROBE(n, ...)                    \
  if constexpr (requires { T{__VA_ARGS__}; }) \
    return n;                                 \
  else
#define WEFT_E4 \
  {}, {}, {}, {}
#define WEFT_E8 WEFT_E4, WEFT_E4
#define WEFT_E16 WEFT_E8, WEFT_E8
  WEFT_PROBE(33, WEFT_E16, WEFT_E16, {})
  WEFT_PROBE(32, WEFT_E16, WEFT_E16)
  WEFT_PROBE(31, WEFT_E16, WEFT_E8, WEFT_E4, {}, {}, {})
  WEFT_PROBE(30, WEFT_E16, WEFT_E8, WEFT_E4, {}, {})
  WEFT_PROBE(29, WEFT_E16, WEFT_E8, WEFT_E4, {})
  WEFT_PROBE(28, WEFT_E16, WEFT_E8, WEFT_E4)
  WEFT_PROBE(27, WEFT_E16, WEFT_E8, {}, {}, {})
  WEFT_PROBE(26, WEFT_E16, WEFT_E8, {}, {})
  WEFT_PROBE(25, WEFT_E16, WEFT_E8, {})
  WEFT_PROBE(24, WEFT_E16, WEFT_E8)
  WEFT_PROBE(23, WEFT_E16, WEFT_E4, {}, {}, {})
  WEFT_PROBE(22, WEFT_E16, WEFT_E4, {}, {})
  WEFT_PROBE(21, WEFT_E16, WEFT_E4, {})
  WEFT_PROBE(20, WEFT_E16, WEFT_E4)
  WEFT_PROBE(19, WEFT_E16, {}, {}, {})
  WEFT_PROBE(18, WEFT_E16, {}, {})
  WEFT_PROBE(17, WEFT_E16, {})
  WEFT_PROBE(16, WEFT_E16)
  WEFT_PROBE(15, WEFT_E8, WEFT_E4, {}, {}, {})
  WEFT_PROBE(14, WEFT_E8, WEFT_E4, {}, {})
  WEFT_PROBE(13, WEFT_E8, WEFT_E4, {})
  WEFT_PROBE(12, WEFT_E8, WEFT_E4)
  WEFT_PROBE(11, WEFT_E8, {}, {}, {})
  WEFT_PROBE(10, WEFT_E8, {}, {})
  WEFT_PROBE(9, WEFT_E8, {})
  WEFT_PROBE(8, WEFT_E8)
  WEFT_PROBE(7, WEFT_E4, {}, {}, {})
  WEFT_PROBE(6, WEFT_E4, {}, {})
  WEFT_PROBE(5, WEFT_E4, {})
  WEFT_PROBE(4, WEFT_E4)
  WEFT_PROBE(3, {}, {}, {})
  WEFT_PROBE(2, {}, {})
  WEFT_PROBE(1, {})
  return 0;
#undef WEFT_PROBE
#undef WEFT_E4
#undef WEFT_E8
#undef WEFT_E16
}

template <class T>
struct IsStatic : std::false_type {};
template <class T>
struct IsStatic<Static<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T, class A>
struct IsVector<std::vector<T, A>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsStringMap : std::false_type {};
template <class T, class C, class A>
struct IsStringMap<std::map<std::string, T, C, A>> : std::true_type {};

template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
};
template <class T>
concept HasMembers = requires(T& t) {
  weft_members(t);
};
template <class T>
concept Fixed = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
void visit(T& value, Visitor& visitor);

template <class... T>
void visit_fields(Visitor& visitor, T&... fields) {
  visitor.enter(Visitor::Kind::fields, sizeof...(fields));
  (visit(fields, visitor), ...);
  visitor.leave();
}

template <class T>
void visit_aggregate(T& value, Visitor& visitor) {
  constexpr int count = field_count<T>();
  static_assert(count <= 32,
                "a struct in a tree may have at most 32 fields: add friend auto weft_members(C&)");
  static_assert(
      !requires { T{AnyBase<T>{}}; },
      "a struct in a tree may have no base class: add friend auto weft_members(C&)");
  if constexpr (count == 0) {
    visit_fields(visitor);
  }
#define WEFT_BIND(n, ...)               \
  else if constexpr (count == n) {      \
    auto& [__VA_ARGS__] = value;        \
    visit_fields(visitor, __VA_ARGS__); \
  }
#define WEFT_F4 f1, f2, f3, f4
#define WEFT_F8 WEFT_F4, f5, f6, f7, f8
#define WEFT_F12 WEFT_F8, f9, f10, f11, f12
#define WEFT_F16 WEFT_F12, f13, f14, f15, f16
#define WEFT_F20 WEFT_F16, f17, f18, f19, f20
#define WEFT_F24 WEFT_F20, f21, f22, f23, f24
#define WEFT_F28 WEFT_F24, f25, f26, f27, f28
  WEFT_BIND(1, f1)
  WEFT_BIND(2, f1, f2)
  WEFT_BIND(3, f1, f2, f3)
  WEFT_BIND(4, WEFT_F4)
  WEFT_BIND(5, WEFT_F4, f5)
  WEFT_BIND(6, WEFT_F4, f5, f6)
  WEFT_BIND(7, WEFT_F4, f5, f6, f7)
  WEFT_BIND(8, WEFT_F8)
  WEFT_BIND(9, WEFT_F8, f9)
  WEFT_BIND(10, WEFT_F8, f9, f10)
  WEFT_BIND(11, WEFT_F8, f9, f10, f11)
  WEFT_BIND(12, WEFT_F12)
  WEFT_BIND(13, WEFT_F12, f13)
  WEFT_BIND(14, WEFT_F12, f13, f14)
  WEFT_BIND(15, WEFT_F12, f13, f14, f15)
  WEFT_BIND(16, WEFT_F16)
  WEFT_BIND(17, WEFT_F16, f17)
  WEFT_BIND(18, WEFT_F16, f17, f18)
  WEFT_BIND(19, WEFT_F16, f17, f18, f19)
  WEFT_BIND(20, WEFT_F20)
  WEFT_BIND(21, WEFT_F20, f21)
  WEFT_BIND(22, WEFT_F20, f21, f22)
  WEFT_BIND(23, WEFT_F20, f21, f22, f23)
  WEFT_BIND(24, WEFT_F24)
  WEFT_BIND(25, WEFT_F24, f25)
  WEFT_BIND(26, WEFT_F24, f25, f26)
  WEFT_BIND(27, WEFT_F24, f25, f26, f27)
  WEFT_BIND(28, WEFT_F28)
  WEFT_BIND(29, WEFT_F28, f29)
  WEFT_BIND(30, WEFT_F28, f29, f30)
  WEFT_BIND(31, WEFT_F28, f29, f30, f31)
  WEFT_BIND(32, WEFT_F28, f29, f30, f31, f32th)
#undef WEFT_BIND
#undef WEFT_F4
#undef WEFT_F8
#undef WEFT_F12
#undef WEFT_F16
#undef WEFT_F20
#undef WEFT_F24
#undef WEFT_F28
}

template <class T>
void visit_list(T& values, Visitor& visitor) {
  visitor.enter(Visitor::Kind::list, values.size());
  for (auto&& value : values) {
    if constexpr (std::is_same_v<typename T::value_type, bool>) {
      bool plain = value;
      visit(plain, visitor);
    } else {
      visit(value, visitor);
    }
  }
  visitor.leave();
}

template <class T>
void visit(T& value, Visitor& visitor) {
  static_assert(!std::is_pointer_v<T>, "a pointer cannot be part of a tree of arrays");
  if constexpr (std::is_same_v<T, Array>) {
    visitor.leaf(value);
  } else if constexpr (Fixed<T>) {
    visitor.fixed(&value, sizeof value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    visitor.fixed(value.data(), value.size());
  } else if constexpr (std::is_same_v<T, None>) {
    visitor.enter(Visitor::Kind::none, 0);
    visitor.leave();
  } else if constexpr (IsStatic<T>::value) {
    visit(value.value, visitor);
  } else if constexpr (IsOptional<T>::value) {
    visitor.enter(Visitor::Kind::optional, value.has_value() ? 1 : 0);
    if (value) visit(*value, visitor);
    visitor.leave();
  } else if constexpr (IsVector<T>::value) {
    visit_list(value, visitor);
  } else if constexpr (IsStringMap<T>::value) {
    visitor.enter(Visitor::Kind::map, value.size());
    for (auto& [key, item] : value) {
      visitor.fixed(key.data(), key.size());
      visit(item, visitor);
    }
    visitor.leave();
  } else if constexpr (HasMembers<T>) {
    auto members = weft_members(value);
    std::apply([&](auto&... member) { visit_fields(visitor, member...); }, members);
  } else if constexpr (TupleLike<T>) {
    std::apply([&](auto&... element) { visit_fields(visitor, element...); }, value);
  } else if constexpr (std::is_array_v<T>) {
    visitor.enter(Visitor::Kind::list, std::extent_v<T>);
    for (auto& element : value) visit(element, visitor);
    visitor.leave();
  } else {
    static_assert(
        std::is_aggregate_v<T>,
        "not a tree of arrays: use Array, tuple, vector, optional, map<string, T>, a plain struct, or add "
        "friend auto weft_members(C& c) { return std::tie(c.a, c.b); }");
    visit_aggregate(value, visitor);
  }
}

// Scalars in the operands of a transform become arrays.
template <class T>
struct Lift {
  using type = std::conditional_t<Scalar<T>, Array, T>;
};
template <class A, class B>
struct Lift<std::pair<A, B>> {
  using type = std::pair<typename Lift<A>::type, typename Lift<B>::type>;
};
template <class... T>
struct Lift<std::tuple<T...>> {
  using type = std::tuple<typename Lift<T>::type...>;
};
template <class T>
using lift_t = typename Lift<std::remove_cvref_t<T>>::type;

}  // namespace detail
}  // namespace weft
