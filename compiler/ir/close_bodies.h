// close_bodies: the bodies of reduce, sort and scatter read nothing from around them any more.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace weft::ir {

// A scalar that such a body reads from outside becomes one more operand, carried along: in a reduce, a broadcast with
// itself as init; in a sort or scatter, a broadcast beside the others. Constants are copied into the body. Gives the nodes
// that replace others, outer ones first. Throws CompileError at a body that reads an array.
struct ClosedBody {
  NodeId before = kNone, after = kNone;  // `before` is in no region any more
};
std::vector<ClosedBody> close_bodies(Graph& graph);

// Is there anything to close?
bool has_open_bodies(const Graph& graph);

}  // namespace weft::ir
