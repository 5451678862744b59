// simplify_axes: the same points with fewer axes.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

//   before  (i0 < 3, i1 < 1, i2 < 4)  load x[4*i0 + i1 + i2]     after  (i0 < 12)  load x[i0]
// Drops axes of extent 1 and merges neighbours of one kind that every access walks as one. Keeps the order of points.
void simplify_axes(Kernel& kernel);

// Calls visit(std::vector<std::int64_t>& strides) for every access and position of a kernel.
template <class Visit>
void for_each_strides(Kernel& kernel, const Visit& visit) {
  const auto insts = [&](std::vector<Inst>& list) {
    for (Inst& inst : list)
      if (inst.kind == Inst::Kind::load || inst.kind == Inst::Kind::position) visit(inst.access.strides);
  };
  insts(kernel.setup);
  insts(kernel.body);
  insts(kernel.epilogue);
  for (Store& store : kernel.stores) visit(store.access.strides);
  for (Store& store : kernel.epilogue_stores) visit(store.access.strides);
}

}  // namespace weft::lower
