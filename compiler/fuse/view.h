// View: which element of a value a point of a nest reads, as one affine expression a dimension.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::fuse {

// offset + sum of coefficients[a] * (index of axis a) + sum of stride * (a computed index, already clamped)
struct Affine {
  struct Term {
    std::uint32_t value = 0;  // an instruction of the body that is being built
    std::int64_t stride = 0;
    auto operator<=>(const Term&) const = default;
  };
  std::int64_t offset = 0;
  std::vector<std::int64_t> coefficients;
  std::vector<Term> terms;
  auto operator<=>(const Affine&) const = default;
};
using View = std::vector<Affine>;  // one a dimension of the value; empty for a scalar

Affine constant_index(std::size_t axes, std::int64_t value);
Affine axis_index(std::size_t axes, std::size_t axis);
Affine scaled(const Affine& index, std::int64_t factor, std::int64_t offset);  // index * factor + offset

// Operations that only move data and whose index map is affine: broadcast_in_dim, transpose, reverse, slice,
// windows.
bool is_affine_view(ir::Op op);
// The view of the operand of such a node when its result is seen by `view`.
View view_of_operand(const ir::Graph& graph, const ir::Node& node, const View& view, std::size_t axes);

// The view of the operand of a reshape that is affine (reshape_is_affine): dimensions of extent 1 come and
// go.
View view_through_reshape(const Shape& operand, const Shape& result, const View& view, std::size_t axes);

// The row-major position of the element, as one affine expression.
Affine linear_index(const Shape& shape, const View& view, std::size_t axes);

// Views as numbers, so that (value, view) is a cheap key.
class ViewTable {
 public:
  using Id = std::uint32_t;
  Id intern(View view);
  const View& operator[](Id id) const { return *views_[id]; }

 private:
  std::map<View, Id> ids_;
  std::vector<const View*> views_;
};

}  // namespace weft::fuse
