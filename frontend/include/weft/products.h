// Sums of products: dot, matmul, tensordot, einsum; in lax, dot_general and convolutions.
// Dtypes promote; f16 and bf16 are summed in f32 and rounded once, integers wrap.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weft/array.h>

namespace weft {

// The last axis of a with the only axis, or the last but one, of b; a product where one is a scalar.
Array dot(const Operand& a, const Operand& b);
// Of both as vectors: sum(a * b).
Array vdot(const Operand& a, const Operand& b);
// The last axis of a with the last axis of b.
Array inner(const Operand& a, const Operand& b);
// Of both as vectors: a[i] * b[j].
Array outer(const Operand& a, const Operand& b);
// Matrices in the last two axes, the others broadcast; a vector is a row on the left, a column on the right.
Array matmul(const Operand& a, const Operand& b);
// The last `axes` axes of a with the first ones of b; or the axes of each that are named, pair by pair.
Array tensordot(const Operand& a, const Operand& b, int axes = 2);
Array tensordot(const Operand& a, const Operand& b,
                const std::pair<std::vector<int>, std::vector<int>>& axes);

// "ij,jk->ik", with the line of the caller.
struct Subscripts {
  std::string text;
  Location loc;
  Subscripts(const char* subscripts, Location l = Location::current()) : text(subscripts), loc(l) {}
  Subscripts(std::string subscripts, Location l = Location::current())
      : text(std::move(subscripts)), loc(l) {}
};
// NumPy's einsum: letters name axes, "..." the others; what the output does not name is summed over. Without
// "->" the output has the letters that stand once, in alphabetical order.
Array einsum(const Subscripts& subscripts, const std::vector<Array>& operands);
template <class... A>
requires(std::convertible_to<const A&, Array>&&...) Array
    einsum(const Subscripts& subscripts, const Array& first, const A&... rest) {
  return einsum(subscripts, std::vector<Array>{first, rest...});
}

namespace lax {

// Pairs of axes: contracting ones are summed over, batch ones are walked together and come first.
struct DotGeneralOptions {
  std::vector<std::int64_t> lhs_contracting = {}, rhs_contracting = {}, lhs_batch = {}, rhs_batch = {};
  std::optional<DType> preferred_element_type = {};  // of the sum and the result
};
// The result has the batch axes, then the other axes of lhs, then those of rhs.
Array dot_general(const Operand& lhs, const Operand& rhs, const DotGeneralOptions& options);

// How many zeros come before and behind along each spatial axis: by a rule, or a pair an axis (also
// negative).
enum class Padding : std::uint8_t {
  valid,       // none
  same,        // so many that the result has extent / stride elements, rounded up; the odd one behind
  same_lower,  // the odd one before
};
struct ConvPadding {
  Padding rule = Padding::valid;
  std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>> pairs = {};
  ConvPadding(Padding by) : rule(by) {}
  ConvPadding(std::initializer_list<std::pair<std::int64_t, std::int64_t>> each) : pairs(each) {}
  ConvPadding(std::vector<std::pair<std::int64_t, std::int64_t>> each) : pairs(std::move(each)) {}
};
// The order of the axes by letters, as {"NHWC", "HWIO", "NHWC"}: N batch, C feature, O and I output and input
// feature of the kernel, all others spatial, in the order of `lhs`. Empty: N and C, O and I, N and C come
// first.
struct ConvDimensionNumbers {
  std::string lhs = {}, rhs = {}, out = {};
};
struct ConvOptions {
  std::vector<std::int64_t> lhs_dilation = {}, rhs_dilation = {};  // 1 everywhere when empty
  ConvDimensionNumbers dimension_numbers = {};
  std::int64_t feature_group_count = 1, batch_group_count = 1;
  std::optional<DType> preferred_element_type = {};
};
// Every window of lhs times the kernel rhs, which is not reversed.
Array conv_general_dilated(const Operand& lhs, const Operand& rhs,
                           const std::vector<std::int64_t>& window_strides, const ConvPadding& padding,
                           const ConvOptions& options = {});
Array conv(const Operand& lhs, const Operand& rhs, const std::vector<std::int64_t>& window_strides,
           Padding padding);

}  // namespace lax
}  // namespace weft
