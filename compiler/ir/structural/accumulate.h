// Sums of products as dot_general and convolution take them: in the result's type, 16-bit floats in f32.
#pragma once

#include "compiler/ir/reductions.h"
#include "compiler/ir/structural/elements.h"

namespace weft::ir {

template <class T>
using accumulator_of = std::conditional_t<is_half_type<T>, float, T>;

template <class A, class T>
A complex_as(T value) {
  using Part = decltype(A{}.real);
  return {static_cast<Part>(value.real), static_cast<Part>(value.imag)};
}

// The elements as numbers of the accumulator's type; a type rule has seen to it that they are of one kind.
template <class A>
std::vector<A> elements_as(const Literal& literal) {
  std::vector<A> elements;
  elements.reserve(static_cast<std::size_t>(literal.type.size()));
  with_cpp_type(literal.type.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (is_complex_type<T> == is_complex_type<A> && is_float_type<T> == is_float_type<A>) {
      for (std::int64_t i = 0; i < literal.type.size(); ++i)
        if constexpr (is_complex_type<A>)
          elements.push_back(complex_as<A>(literal.at<T>(i)));
        else if constexpr (is_half_type<T>)
          elements.push_back(static_cast<A>(static_cast<float>(literal.at<T>(i))));
        else
          elements.push_back(static_cast<A>(literal.at<T>(i)));
    }
  });
  return elements;
}

// The sum of the products that are added, from the first one on; integers wrap, booleans are OR of AND.
template <class A>
class ProductSum {
 public:
  explicit ProductSum(A start = A{}) : sum_(start) {}
  void add(A a, A b) {
    if constexpr (std::is_same_v<A, bool>)
      sum_ = sum_ || (a && b);
    else if constexpr (std::is_integral_v<A>)
      sum_ = static_cast<A>(static_cast<std::uint64_t>(sum_) +
                            static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else if constexpr (is_complex_type<A>)
      sum_ = {sum_.real + (a.real * b.real - a.imag * b.imag),
              sum_.imag + (a.real * b.imag + a.imag * b.real)};
    else
      sum_ = sum_ + a * b;
  }
  A sum() const { return sum_; }

 private:
  A sum_;
};

// The operands' types against each other and the result's, which is no narrower; or the result's type.
struct ProductType {
  DType dtype = DType::f32;
  std::optional<TypeAnswer> fault;
};
inline ProductType product_type(const TypeQuery& query) {
  const Type &lhs = query.operands[0], &rhs = query.operands[1];
  if (lhs.dtype != rhs.dtype)
    return {
        {},
        wrong_type("T1", fmt::format("{} and {} differ in element type", lhs.to_string(), rhs.to_string()))};
  if (query.declared.empty()) return {lhs.dtype, std::nullopt};
  const Type& result = query.declared[0];
  if (kind_of(result.dtype) != kind_of(lhs.dtype) || size_of(result.dtype) < size_of(lhs.dtype))
    return {{},
            wrong_type("T2", fmt::format("products of {} cannot be summed as {}", name_of(lhs.dtype),
                                         name_of(result.dtype)))};
  return {result.dtype, std::nullopt};
}

// The inferred shape with that element type, which is what was declared if anything was.
inline TypeAnswer product_answer(const TypeQuery& query, const std::vector<std::int64_t>& extents,
                                 DType dtype) {
  Type type{Shape(std::span<const std::int64_t>(extents)), dtype};
  if (!query.declared.empty() && query.declared[0].shape != type.shape)
    return wrong_shape(
        "T3", fmt::format("gives {}, declared is {}", type.to_string(), query.declared[0].to_string()));
  return TypeAnswer::of(std::move(type));
}

// A value with dimension `from` moved to the front.
inline ValueId moved_to_front(Builder& to, ValueId value, int from) {
  if (from == 0) return value;
  Dims permutation{from};
  for (int dim = 0; dim < to.type(value).shape.rank(); ++dim)
    if (dim != from) permutation.push_back(dim);
  return to.transpose(value, std::move(permutation));
}

}  // namespace weft::ir
