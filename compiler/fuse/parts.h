// How an array is put together: the boxes that each operand of a concatenate or pad fills.
#pragma once

#include <vector>

#include "compiler/fuse/fuse.h"

namespace weft::fuse {

struct PartInDomain {
  Part part;
  Shape domain;
  bool is_late = false;  // written over an earlier part
};
std::vector<PartInDomain> parts_of(const ir::Graph& graph, const ir::Node& node);

}  // namespace weft::fuse
