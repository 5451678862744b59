// The same elements under another shape or order.
#pragma once

#include <vector>

#include <weft/array.h>

namespace weft {

Array reshape(const Operand& x, const Extents& extents);  // one extent may be -1
Array ravel(const Operand& x);
Array transpose(const Operand& x);  // axes in reverse order
Array transpose(const Operand& x, const Axes& permutation);
Array permute_dims(const Operand& x, const Axes& permutation);
Array matrix_transpose(const Operand& x);  // of the last two axes
Array swapaxes(const Operand& x, int first, int second);
Array moveaxis(const Operand& x, const Axes& source, const Axes& destination);
Array squeeze(const Operand& x, const Axes& axes = {});  // drops axes of extent 1
Array expand_dims(const Operand& x, const Axes& axes);
Array broadcast_to(const Operand& x, const Shape& shape);
std::vector<Array> broadcast_arrays(const std::vector<Array>& arrays, Location where = Location::current());
Shape broadcast_shapes(const Shape& a, const Shape& b);
Array flip(const Operand& x, const Axes& axes = {});
Array repeat(const Operand& x, std::int64_t repeats, const Axes& axis = {});
Array tile(const Operand& x, const Extents& repetitions);
Array roll(const Operand& x, std::int64_t shift, const Axes& axis = {});
Array atleast_1d(const Operand& x);
Array atleast_2d(const Operand& x);
Array tril(const Operand& x, std::int64_t k = 0);  // zero above the k-th diagonal
Array triu(const Operand& x, std::int64_t k = 0);
Array diagonal(const Operand& x);  // of a matrix
Array trace(const Operand& x);
Array diag(const Operand& x);  // a vector as a diagonal matrix, or the diagonal of a matrix

// Elements by integer arrays: a negative index wraps once, then all are clamped.
Array take(const Operand& x, const Operand& indices, const Axes& axis = {});
Array take_along_axis(const Operand& x, const Operand& indices, int axis);

}  // namespace weft
