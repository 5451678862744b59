// What the comparator of a sort compares, when it is one that the runtime knows by itself.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/ir.h"
#include "runtime/sort.h"

namespace weft::lower {

// The keys in order of weight; nothing if the comparator is not understood. Keys are recognised as LT or GT
// of an operand's two elements, of which zeros and NaN may have been made one, and (k0 < l0) | ((k0 == l0) &
// rest).
std::optional<std::vector<runtime::SortKey>> sort_keys_of(const ir::Graph& graph, const ir::Node& sort);

}  // namespace weft::lower
