// weft::lax: the names of jax.lax for what StableHLO has as one operation; the rest under their common names.
#pragma once

#include <weft/creation.h>
#include <weft/elementwise.h>
#include <weft/reduce.h>
#include <weft/reductions.h>
#include <weft/shaping.h>

namespace weft::lax {

using weft::abs;
using weft::acos;
using weft::acosh;
using weft::add;
using weft::asin;
using weft::asinh;
using weft::atan;
using weft::atan2;
using weft::atanh;
using weft::bitcast_convert_type;
using weft::bitwise_and;
using weft::bitwise_not;
using weft::bitwise_or;
using weft::bitwise_xor;
using weft::broadcast_shapes;
using weft::cbrt;
using weft::ceil;
using weft::cos;
using weft::cosh;
using weft::digamma;
using weft::erf;
using weft::erf_inv;
using weft::erfc;
using weft::exp;
using weft::exp2;
using weft::expand_dims;
using weft::expm1;
using weft::floor;
using weft::full;
using weft::full_like;
using weft::iota;
using weft::lgamma;
using weft::log;
using weft::log1p;
using weft::logistic;
using weft::nextafter;
using weft::pow;
using weft::reciprocal;
using weft::reduce;
using weft::reduce_precision;
using weft::reshape;
using weft::round;
using weft::rsqrt;
using weft::shift_right_arithmetic;
using weft::shift_right_logical;
using weft::sign;
using weft::sin;
using weft::sinh;
using weft::sqrt;
using weft::square;
using weft::squeeze;
using weft::stop_gradient;
using weft::tan;
using weft::tanh;
using weft::transpose;

inline Array sub(const Operand& x, const Operand& y) { return subtract(x, y); }
inline Array mul(const Operand& x, const Operand& y) { return multiply(x, y); }
inline Array neg(const Operand& x) { return negative(x); }
inline Array max(const Operand& x, const Operand& y) { return maximum(x, y); }
inline Array min(const Operand& x, const Operand& y) { return minimum(x, y); }
inline Array eq(const Operand& x, const Operand& y) { return equal(x, y); }
inline Array ne(const Operand& x, const Operand& y) { return not_equal(x, y); }
inline Array lt(const Operand& x, const Operand& y) { return less(x, y); }
inline Array le(const Operand& x, const Operand& y) { return less_equal(x, y); }
inline Array gt(const Operand& x, const Operand& y) { return greater(x, y); }
inline Array ge(const Operand& x, const Operand& y) { return greater_equal(x, y); }
inline Array shift_left(const Operand& x, const Operand& y) { return left_shift(x, y); }
inline Array is_finite(const Operand& x) { return isfinite(x); }
inline Array population_count(const Operand& x) { return bitwise_count(x); }
inline Array rev(const Operand& x, const Axes& axes) { return flip(x, axes); }
inline Array convert_element_type(const Operand& x, DType dtype) { return astype(x, dtype); }
inline Array select(const Operand& predicate, const Operand& on_true, const Operand& on_false) {
  return where(predicate, on_true, on_false);
}
inline Array clamp(const Operand& low, const Operand& x, const Operand& high) { return clip(x, low, high); }
// Integers divide as in C: toward zero; x / 0 is all ones.
Array div(const Operand& x, const Operand& y);
inline Array rem(const Operand& x, const Operand& y) { return fmod(x, y); }

// x to the power of a whole number, by repeated multiplication.
inline Array integer_pow(const Operand& x, int exponent) { return power(x, Operand(exponent, x.loc)); }
inline Array broadcasted_iota(DType dtype, const Shape& shape, int axis,
                              Location where = Location::current()) {
  return iota(dtype, shape, axis, where);
}
// New axes of the given sizes before those of x.
Array broadcast(const Operand& x, const Extents& sizes);
// cases[which], element by element; `which` is b1 or an integer that is clamped to the cases.
Array select_n(const Operand& which, const std::vector<Array>& cases);

// Operand axis i becomes result axis dimensions[i]; the others repeat.
Array broadcast_in_dim(const Operand& x, const Shape& shape, const std::vector<int>& dimensions);
// start:limit:stride of every axis, within bounds.
Array slice(const Operand& x, const Extents& start, const Extents& limit, const Extents& strides = {});
Array slice_in_dim(const Operand& x, std::int64_t start, std::int64_t limit, std::int64_t stride = 1,
                   int axis = 0);
// A box of fixed size; the start indices, one scalar an axis, are clamped.
Array dynamic_slice(const Operand& x, const std::vector<Array>& start, const Shape& sizes);
// `x` with `update` in the box that begins at `start`, which is clamped so that the box lies inside.
Array dynamic_update_slice(const Operand& x, const Operand& update, const std::vector<Array>& start);
Array dynamic_update_slice_in_dim(const Operand& x, const Operand& update, const Operand& start, int axis);
Array dynamic_update_index_in_dim(const Operand& x, const Operand& update, const Operand& index, int axis);
Array dynamic_slice_in_dim(const Operand& x, const Operand& start, std::int64_t size, int axis = 0);
Array dynamic_index_in_dim(const Operand& x, const Operand& index, int axis = 0, bool keepdims = true);
Array index_in_dim(const Operand& x, std::int64_t index, int axis = 0, bool keepdims = true);

// The value of StableHLO's gather, with its attributes.
struct GatherOptions {
  std::vector<std::int64_t> offset_dims, collapsed_slice_dims, operand_batching_dims,
      start_indices_batching_dims, start_index_map;
  std::int64_t index_vector_dim = 0;
  std::vector<std::int64_t> slice_sizes;
  bool indices_are_sorted = false;
};
Array gather(const Operand& x, const Operand& indices, const GatherOptions& options);

inline Array argmin(const Operand& x, int axis) { return weft::argmin(x, axis); }
inline Array argmax(const Operand& x, int axis) { return weft::argmax(x, axis); }
inline Array reduce_sum(const Operand& x, const ReduceOptions& o = {}) { return sum(x, o); }
inline Array reduce_prod(const Operand& x, const ReduceOptions& o = {}) { return prod(x, o); }
inline Array reduce_max(const Operand& x, const ReduceOptions& o = {}) { return weft::max(x, o); }
inline Array reduce_min(const Operand& x, const ReduceOptions& o = {}) { return weft::min(x, o); }
inline Array reduce_and(const Operand& x, const ReduceOptions& o = {}) { return all(x, o); }
inline Array reduce_or(const Operand& x, const ReduceOptions& o = {}) { return any(x, o); }

}  // namespace weft::lax
