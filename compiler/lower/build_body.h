// BodyBuilder: the scalar program of a nest, from the values that the nest must compute at every point.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "compiler/fuse/view.h"
#include "compiler/lower/nest.h"

namespace weft::lower {

using fuse::Affine;
using fuse::View;
using fuse::ViewTable;

// Where the values that are in memory lie.
class Memory {
 public:
  virtual ~Memory() = default;
  // The buffer of a value that may be read now, or kNone if it must be computed.
  virtual BufferId readable(ir::ValueId value) const = 0;
  // What a step of a loop sees of a sequence: its element at a position, an i64 scalar.
  struct Element {
    ir::ValueId sequence = 0, position = 0;
  };
  virtual std::optional<Element> element_of(ir::ValueId value) const = 0;
  virtual int depth(ir::ValueId value) const = 0;  // operations in the longest chain that leads to it in its region
};

// Appends instructions to `insts`; equal (value, view) pairs share one. Walks iteratively.
class BodyBuilder {
 public:
  BodyBuilder(const ir::Graph& graph, const Memory& memory, std::vector<Inst>& insts, std::size_t axes)
      : graph_(graph), memory_(memory), insts_(insts), axes_(axes) {}

  InstId build(ir::ValueId value, const View& view);
  // From now on, `value` seen by any view is this instruction (results of reductions in an epilogue).
  void bind(ir::ValueId value, const View& view, InstId inst);
  // The scalar as an index of 64 bits, in [0, limit].
  InstId build_clamped(ir::ValueId index, std::int64_t limit);
  Access access_of(const Shape& shape, BufferId buffer, const View& view) const;
  const std::set<ir::LocationId>& locations() const { return locations_; }  // of the operations inside

 private:
  struct Request {
    ir::ValueId value;
    ViewTable::Id view;
    auto operator<=>(const Request&) const = default;
  };
  // The instruction, or the requests that must be built before it.
  struct Step {
    std::vector<Request> missing;
    InstId inst = 0;
  };
  Step step(const Request& request);
  Step step_load(BufferId buffer, const Request& request, DType type);
  Step step_element(const ir::Node& node, const Request& request);
  Step step_indexed(const ir::Node& node, const Request& request);
  Step step_sequence(const Memory::Element& element, const Request& request);
  Step step_iota(const ir::Node& node, const Request& request);
  std::vector<Request> index_requests(const ir::Node& node, const View& view);
  View indexed_view(const ir::Node& node, const View& view, const std::vector<InstId>& indices);
  InstId append(Inst inst);
  InstId clamped_index(InstId value, DType dtype, std::int64_t limit);
  InstId integer(DType type, std::int64_t value);

  const ir::Graph& graph_;
  const Memory& memory_;
  std::vector<Inst>& insts_;
  std::size_t axes_;
  ViewTable views_;
  std::map<Request, InstId> built_;
  std::set<ir::LocationId> locations_;
  std::map<Request, ViewTable::Id> indexed_views_;  // of the operands of gathers and dynamic slices
};

}  // namespace weft::lower
