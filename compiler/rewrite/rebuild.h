// Rebuild: copies a graph node by node, in order, while a pass replaces, drops or inlines what it wants.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/build.h"
#include "compiler/rewrite/rewrite.h"

namespace weft::rewrite {

// What an operation costs if nothing is fused: element operations, and bytes written.
struct Cost {
  std::int64_t flops = 0, bytes = 0;
};
Cost cost_of(const ir::Graph& graph, ir::NodeId node);

class Rebuild {
 public:
  // Sees each node of the old graph once, operands first. True: its results have replacements, or it is
  // dropped. False: it is copied, and its regions are walked.
  using Visit = std::function<bool(ir::NodeId)>;

  Rebuild(const ir::Graph& from, Context& context, std::string_view pass);

  ir::Graph run(const Visit& visit);        // every function
  ir::Graph run_entry(const Visit& visit);  // the entry alone, which must not keep calls

  // For the visitor.
  const ir::Graph& from() const { return from_; }
  ir::Graph& to() { return to_; }
  ir::Builder& here() { return builder_; }  // appends to the new graph, where the old node was
  bool is_mapped(ir::ValueId old) const { return map_[old] != ir::kNone; }
  ir::ValueId mapped(ir::ValueId old) const;
  std::vector<ir::ValueId> mapped(const std::vector<ir::ValueId>& old) const;
  void replace(ir::ValueId old, ir::ValueId now) { map_[old] = now; }
  void inline_call(ir::NodeId call, ir::RegionId body);  // the body's nodes are visited next
  bool is_in_function_body() const { return stack_.size() == 1; }

  // Into the ledger: what fired on `nodes` of the old graph; texts are left out after the first few hundred.
  void record(std::string rule, const std::vector<ir::NodeId>& nodes, ir::NodeId before, std::string after,
              Cost saved);
  void record_replaced(std::string rule, const std::vector<ir::NodeId>& nodes, ir::ValueId now, Cost saved);
  std::string text_of(ir::ValueId now);  // of the new graph: the operation that makes it

 private:
  struct Frame {
    ir::RegionId from, to;
    std::size_t next = 0;
    ir::NodeId call = ir::kNone;  // the call that is being inlined
  };
  void build_function(const ir::Function& function, const Visit& visit);
  void walk(const Visit& visit);
  void leave(const Frame& frame);
  void copy(ir::NodeId id, ir::RegionId region);
  bool still_prints();

  const ir::Graph& from_;
  Context& context_;
  std::string pass_;
  ir::Graph to_;
  ir::Builder builder_;
  std::vector<ir::ValueId> map_;
  std::vector<Frame> stack_;
  std::size_t printed_ = 0;
};

}  // namespace weft::rewrite
