// fuse: graph -> groups, each of which becomes one kernel. Decides what is held in memory and what is only
// computed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::fuse {

// A value that a group computes and writes into a part of a larger array: into[start + stride * point] of
// value[from + point], or of the scalar. Starts that are values are clamped so that the domain lies inside,
// and added.
struct Part {
  ir::ValueId value = 0, into = 0;
  ir::Dims from, start, stride;
  std::vector<ir::ValueId> starts = {};  // none, or one a dimension
};

// One pass over a domain. Every member is computed at each point of it, or folded over its reduced
// dimensions.
struct Group {
  Shape domain;
  ir::Dims reduced;                    // dimensions of the domain that the reductions fold; ascending
  std::vector<ir::NodeId> reductions;  // reduce nodes over the domain
  std::vector<ir::ValueId> stores;     // values of the domain's shape that are written to memory
  std::vector<Part> parts;             // of arrays that are put together (concatenate, pad)
  std::vector<ir::ValueId> epilogue;   // values of the unreduced shape, computed from the reductions' results
  int level = 0;                       // groups of one level are independent of each other
};

// A call out of the program, which reads whole arrays in memory.
struct HostCall {
  ir::NodeId node = 0;
  int level = 0;  // the groups of lower levels run before it
};

struct Groups {
  std::vector<Group> groups;           // in an order in which producers come first
  std::vector<HostCall> calls;         // in the program's order
  std::vector<std::string> in_memory;  // by ValueId: why the value is in memory; empty if it is only computed
};

inline constexpr const char* kProgramResult = "result of the program";  // a reason to be in memory

// Of the entry function's body, which must not contain calls.
Groups fuse(const ir::Graph& graph);

// The result is written by parts, never computed element by element.
bool is_assembled(const ir::Graph& graph, ir::ValueId value);
// Arguments and literals of more than one element are in memory from the start.
bool is_leaf(const ir::Graph& graph, ir::ValueId value);
// A reshape that only adds or removes dimensions of extent 1 has an affine index map from result to operand.
bool reshape_is_affine(const Shape& operand, const Shape& result);

}  // namespace weft::fuse
