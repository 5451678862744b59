// The comparators are those of JAX, which the compiler knows.
#include "frontend/sorting_parts.h"

#include <limits>

#include <fmt/format.h>

namespace weft::frontend {
namespace {

// Zeros are one, and every NaN the last one: then the total order is that of numbers.
ir::ValueId key_of(ir::Builder& inside, ir::ValueId x) {
  const DType dtype = inside.type(x).dtype;
  if (!is_floating(dtype)) return x;
  const ir::ValueId zero = inside.scalar(dtype, 0);
  const ir::ValueId nan = inside.scalar(dtype, std::numeric_limits<double>::quiet_NaN());
  const ir::ValueId number = inside.select(inside.compare(ir::Direction::EQ, x, zero), zero, x);
  return inside.select(inside.compare(ir::Direction::NE, number, number), nan, number);
}

// less(first key) | (equal(first key) & (less(second key) | …))
ir::ValueId comparator(ir::Builder& inside, const std::vector<ir::ValueId>& sides, const SortOrder& order) {
  ir::ValueId result = ir::kNone;
  for (std::size_t key = order.keys; key-- > 0;) {
    const ir::ValueId left = key_of(inside, sides[2 * key]), right = key_of(inside, sides[2 * key + 1]);
    const DType dtype = inside.type(left).dtype;
    const ir::CompareKind kind =
        is_floating(dtype) ? ir::CompareKind::TOTALORDER : ir::default_compare_kind(dtype);
    const ir::Direction direction = order.is_descending ? ir::Direction::GT : ir::Direction::LT;
    const ir::ValueId is_before = inside.compare(direction, left, right, kind);
    if (result == ir::kNone) {
      result = is_before;
      continue;
    }
    const ir::ValueId is_equal = inside.compare(ir::Direction::EQ, left, right, kind);
    result = inside.op(ir::Op::or_, {is_before, inside.op(ir::Op::and_, {is_equal, result})});
  }
  return result;
}

}  // namespace

std::vector<Array> sort_by(std::span<const Array> operands, int axis, const SortOrder& order) {
  ir::Graph& graph = Trace::current()->builder().graph();
  const ir::RegionId region = graph.add_region();
  std::vector<ir::ValueId> sides;
  for (const Array& x : operands) {
    if (is_complex(type_of(x).dtype))
      fail_type(fmt::format("{}: complex numbers have no order", type_of(x).to_string()));
    for (int side = 0; side < 2; ++side)
      sides.push_back(graph.add_argument(region, {Shape{}, type_of(x).dtype}));
  }
  ir::Builder inside(graph, region);
  graph.region(region).results = {comparator(inside, sides, order)};
  return record_all(ir::Op::sort, operands, ir::SortAttributes{axis, order.is_stable}, {region});
}

Array positions_along(const Shape& shape, int axis) {
  const bool is_long = shape[axis] > std::numeric_limits<std::int32_t>::max();
  return record_iota(is_long ? i64 : i32, shape, axis);
}

}  // namespace weft::frontend
