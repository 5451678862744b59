// dot, matmul and their like: each is one dot_general.
#include <weft/products.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "frontend/product_parts.h"
#include "frontend/statics.h"

namespace weft {
namespace frontend {

Array record_dot(const Array& a, const Array& b, ir::DotAttributes dot, DType result) {
  const ShapeDtype types[] = {type_of(a), type_of(b)};
  const ir::TypeAnswer answer = ir::infer_types(
      {Trace::current()->builder().graph(), ir::Op::dot_general, {types[0], types[1]}, dot, {}, {}});
  if (answer.fault) return record(ir::Op::dot_general, {a, b}, std::move(dot));  // says what is wrong
  return record(ir::Op::dot_general, {a, b}, std::move(dot), {{answer.types[0].shape, result}});
}

Array record_convolution(const Array& lhs, const Array& rhs, const ir::ConvolutionAttributes& conv,
                         DType result) {
  const ShapeDtype types[] = {type_of(lhs), type_of(rhs)};
  const ir::TypeAnswer answer = ir::infer_types(
      {Trace::current()->builder().graph(), ir::Op::convolution, {types[0], types[1]}, conv, {}, {}});
  if (answer.fault) return record(ir::Op::convolution, {lhs, rhs}, conv);
  return record(ir::Op::convolution, {lhs, rhs}, conv, {{answer.types[0].shape, result}});
}

Array record_transpose(const Array& x, const ir::Dims& permutation) {
  if (std::is_sorted(permutation.begin(), permutation.end())) return x;
  return record(ir::Op::transpose, {x}, ir::TransposeAttributes{permutation});
}

Array product(const char* function, const Operand& a, const Operand& b, std::string_view statics,
              const ProductBody& body) {
  const Call call(function, a.loc);
  const Operand* const both[] = {&a, &b};
  const std::vector<Array> settled = settle_scalars(both, Domain::same);
  return apply(function, a.loc, settled, statics, [&](std::span<const Array> in) {
    const Promoted p = promote(in);
    return as_weak(body(convert_to(in[0], p.dtype), convert_to(in[1], p.dtype)), p.is_weak);
  });
}

namespace {

int rank_of(const Array& x) { return type_of(x).shape.rank(); }
bool is_scalar(const Array& x) { return rank_of(x) == 0; }
Array flat(const Array& x) { return reshape_to(x, Shape{type_of(x).size()}); }

Array times(const Array& a, const Array& b) {
  const Array both[] = {a, b};
  return record(ir::Op::multiply, broadcast_all(both, type_of(a).dtype));
}

Array contracted(const Array& a, const Array& b, ir::Dims of_a, ir::Dims of_b) {
  return record_dot(a, b, {{}, {}, std::move(of_a), std::move(of_b)}, type_of(a).dtype);
}

// The array with its last two axes kept and the others broadcast to `batch`.
Array broadcast_batch(const Array& x, const Shape& batch) {
  const Shape& shape = type_of(x).shape;
  std::vector<std::int64_t> extents(batch.begin(), batch.end());
  extents.insert(extents.end(), shape.end() - 2, shape.end());
  return broadcast_trailing(x, Shape(extents));
}
Shape batch_of(const Array& x) {
  const Shape& shape = type_of(x).shape;
  return Shape(std::span<const std::int64_t>(shape.begin(), shape.end() - 2));
}

Shape common_batch(const Array& a, const Array& b) {
  const Shape left = batch_of(a), right = batch_of(b);
  std::vector<std::int64_t> extents(static_cast<std::size_t>(std::max(left.rank(), right.rank())), 1);
  for (const Shape* shape : {&left, &right})
    for (int axis = 0; axis < shape->rank(); ++axis) {
      std::int64_t& extent = extents[extents.size() - static_cast<std::size_t>(shape->rank() - axis)];
      if ((*shape)[axis] == 1 || (*shape)[axis] == extent) continue;
      if (extent != 1) {
        const Array both[] = {a, b};
        fail_shape(
            fmt::format("the axes of {} before the last two do not broadcast together", describe(both)));
      }
      extent = (*shape)[axis];
    }
  return Shape(extents);
}

Array matrix_product(const Array& a, const Array& b) {
  if (is_scalar(a) || is_scalar(b)) {
    const Array both[] = {a, b};
    fail_shape(fmt::format("{}: a scalar has no axes to sum over; multiply scales", describe(both)));
  }
  const int left = rank_of(a), right = rank_of(b);
  if (right <= 2) return contracted(a, b, {left - 1}, {0});
  if (left == 1) {  // the axes of b but the last but one are the result's
    return contracted(a, b, {0}, {right - 2});
  }
  const Shape batch = common_batch(a, b);
  ir::Dims batching(static_cast<std::size_t>(batch.rank()));
  std::iota(batching.begin(), batching.end(), 0);
  return record_dot(broadcast_batch(a, batch), broadcast_batch(b, batch),
                    {batching, batching, {batch.rank() + 1}, {batch.rank()}}, type_of(a).dtype);
}

}  // namespace
}  // namespace frontend

using frontend::product;

Array dot(const Operand& a, const Operand& b) {
  return product("dot", a, b, {}, [](const Array& x, const Array& y) {
    const int left = frontend::rank_of(x), right = frontend::rank_of(y);
    if (left == 0 || right == 0) return frontend::times(x, y);
    return frontend::contracted(x, y, {left - 1}, {right == 1 ? 0 : right - 2});
  });
}

Array vdot(const Operand& a, const Operand& b) {
  return product("vdot", a, b, {}, [](const Array& x, const Array& y) {
    return frontend::contracted(frontend::flat(x), frontend::flat(y), {0}, {0});
  });
}

Array inner(const Operand& a, const Operand& b) {
  return product("inner", a, b, {}, [](const Array& x, const Array& y) {
    const int left = frontend::rank_of(x), right = frontend::rank_of(y);
    if (left == 0 || right == 0) return frontend::times(x, y);
    return frontend::contracted(x, y, {left - 1}, {right - 1});
  });
}

Array outer(const Operand& a, const Operand& b) {
  return product("outer", a, b, {}, [](const Array& x, const Array& y) {
    return frontend::contracted(frontend::flat(x), frontend::flat(y), {}, {});
  });
}

Array matmul(const Operand& a, const Operand& b) {
  return product("matmul", a, b, {},
                 [](const Array& x, const Array& y) { return frontend::matrix_product(x, y); });
}

Array tensordot(const Operand& a, const Operand& b, int axes) {
  const frontend::Call call("tensordot", a.loc);
  const int left = a.value.ndim(), right = b.value.ndim();
  if (axes < 0 || axes > left || axes > right)
    frontend::fail_shape(
        fmt::format("{} axes of {} and {}", axes, a.value.type().to_string(), b.value.type().to_string()));
  std::pair<std::vector<int>, std::vector<int>> pairs;
  for (int i = 0; i < axes; ++i) {
    pairs.first.push_back(left - axes + i);
    pairs.second.push_back(i);
  }
  return tensordot(a, b, pairs);
}

Array tensordot(const Operand& a, const Operand& b,
                const std::pair<std::vector<int>, std::vector<int>>& axes) {
  const frontend::Call call("tensordot", a.loc);
  ir::Dims left, right;
  for (const int axis : axes.first) left.push_back(frontend::normalize_axis(axis, a.value.ndim()));
  for (const int axis : axes.second) right.push_back(frontend::normalize_axis(axis, b.value.ndim()));
  return product("tensordot", a, b, frontend::bytes_of(left, right),
                 [&](const Array& x, const Array& y) { return frontend::contracted(x, y, left, right); });
}

Array lax::dot_general(const Operand& lhs, const Operand& rhs, const DotGeneralOptions& o) {
  const std::string statics =
      frontend::bytes_of(o.lhs_contracting, o.rhs_contracting, o.lhs_batch, o.rhs_batch,
                         o.preferred_element_type.has_value(), o.preferred_element_type.value_or(b1));
  return product("dot_general", lhs, rhs, statics, [&](const Array& x, const Array& y) {
    return frontend::record_dot(x, y, {o.lhs_batch, o.rhs_batch, o.lhs_contracting, o.rhs_contracting},
                                o.preferred_element_type.value_or(frontend::type_of(x).dtype));
  });
}

}  // namespace weft
