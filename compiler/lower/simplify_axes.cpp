// Fewer axes mean longer inner loops: contiguous arrays of any rank become one loop.
#include "compiler/lower/simplify_axes.h"

#include <cstddef>

namespace weft::lower {
namespace {

void erase_axis(Kernel& kernel, std::size_t axis) {
  const auto position = static_cast<std::ptrdiff_t>(axis);
  kernel.axes.erase(kernel.axes.begin() + position);
  for_each_strides(kernel, [&](std::vector<std::int64_t>& strides) {
    if (axis < strides.size()) strides.erase(strides.begin() + position);
  });
}

bool walk_as_one(Kernel& kernel, std::size_t outer) {
  if (kernel.axes[outer].kind != kernel.axes[outer + 1].kind) return false;
  const std::int64_t extent = kernel.axes[outer + 1].extent;
  bool as_one = true;
  for_each_strides(kernel, [&](std::vector<std::int64_t>& strides) {
    if (outer + 1 < strides.size()) as_one = as_one && strides[outer] == strides[outer + 1] * extent;
  });
  return as_one;
}

// A reduction over nothing but extents of 1 still folds one element.
void keep_one_reduced_axis(Kernel& kernel) {
  if (kernel.reductions.empty()) return;
  if (!kernel.axes.empty() && kernel.axes.back().kind == AxisKind::reduction) return;
  kernel.axes.push_back({1, AxisKind::reduction});
  for_each_strides(kernel,
                   [&](std::vector<std::int64_t>& strides) { strides.resize(kernel.axes.size(), 0); });
}

}  // namespace

void simplify_axes(Kernel& kernel) {
  for (std::size_t axis = kernel.axes.size(); axis-- > 0;)
    if (kernel.axes[axis].extent == 1) erase_axis(kernel, axis);
  keep_one_reduced_axis(kernel);
  for (std::size_t outer = kernel.axes.size(); outer-- > 0;) {
    if (outer + 1 >= kernel.axes.size() || !walk_as_one(kernel, outer)) continue;
    kernel.axes[outer + 1].extent *= kernel.axes[outer].extent;
    erase_axis(kernel, outer);
  }
}

}  // namespace weft::lower
