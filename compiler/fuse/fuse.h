// fuse: graph -> groups, each of which becomes one kernel. Decides what is held in memory and what is only
// computed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::fuse {

// A value that a group computes and writes into a part of a larger array: into[start + stride * point] of
// value[from + point], or of the scalar. Starts that are values are clamped so that the domain lies inside,
// and added. The value may lack the first dimension, which is then the start alone.
struct Part {
  ir::ValueId value = 0, into = 0;
  ir::Dims from, start, stride;
  std::vector<ir::ValueId> starts = {};  // none, or one a dimension
  std::int32_t output = -1;              // the array is that of this result of the region, not `into`
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

// What is no kernel: a call out of the program, a loop or a branch. Reads whole arrays in memory.
struct Whole {
  ir::NodeId node = 0;
  int level = 0;  // the groups of lower levels run before it, and those of its own
};

// How a result of the region comes to its place.
enum class Output : std::uint8_t {
  there,   // it is there already: a carried value that was updated in place, or not at all
  direct,  // the value is stored in that place
  part,    // a part of some group is written there
};

struct Groups {
  std::vector<Group> groups;   // in an order in which producers come first
  std::vector<Whole> wholes;   // in the program's order
  std::vector<Output> outputs; // of the region's results
  // Results that take the memory of an operand, which nobody reads any more: (result, operand).
  std::vector<std::pair<ir::ValueId, ir::ValueId>> updates;
};

inline constexpr const char* kProgramResult = "result of the program";  // a reason to be in memory
inline constexpr const char* kRegionResult = "result of a loop's body or of a branch";

// What is known of values, in all regions that were fused so far.
struct Values {
  explicit Values(std::size_t count)
      : in_memory(count), level(count, 0), cost(count, 0), is_barrier(count, false), user(count, ir::kNone) {}
  std::vector<std::string> in_memory;  // why the value is in memory; empty if it is only computed
  std::vector<int> level;              // how many kernels of its region must have run before it
  std::vector<std::int64_t> cost;
  std::vector<bool> is_barrier;        // in memory before any reader starts
  std::vector<std::uint32_t> user;
};

bool is_call(const ir::Node& node);  // the runtime does it: custom_call, sort

// Of one region without calls of functions; the regions around it come first.
Groups fuse(const ir::Graph& graph, ir::RegionId region, Values& values);

// The result is written by parts, a loop or a branch, never computed element by element.
bool is_assembled(const ir::Graph& graph, ir::ValueId value);
// Arguments and literals of more than one element are in memory from the start.
bool is_leaf(const ir::Graph& graph, ir::ValueId value);
// A leaf, or a value of a region around this one.
bool is_given(const ir::Graph& graph, ir::ValueId value, ir::RegionId region);
// Made of constants and positions by next to nothing: computed where it is read, inside of loops too.
bool is_free(const ir::Graph& graph, ir::ValueId value);
// A reshape that only adds or removes dimensions of extent 1 has an affine index map from result to operand.
bool reshape_is_affine(const Shape& operand, const Shape& result);
bool is_result_reason(const std::string& reason);

}  // namespace weft::fuse
