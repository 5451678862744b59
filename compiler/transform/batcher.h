// Rebuilds functions of one graph in another with a leading batch axis on every value that a mapped argument
// reaches.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/structural/rules.h"

namespace weft::transform {

class Batcher {
 public:
  Batcher(const ir::Graph& from, std::int64_t size);

  ir::Graph& graph() { return to_; }
  // The body of a function of `from` at the end of the region `into`, on arguments that are there already;
  // gives its results. Functions that it calls are batched once for every combination of batched arguments.
  std::vector<ir::Batched> inline_body(ir::RegionId into, ir::RegionId source,
                                       const std::vector<ir::Batched>& arguments);

 private:
  // A function and which of its arguments are batched.
  struct Version {
    std::string function;
    std::vector<bool> batched_arguments;
    auto operator<=>(const Version&) const = default;
  };
  struct BatchedFunction {
    std::string name;
    std::vector<bool> batched_results;
  };
  // A region being rebuilt. Calls suspend their caller's frame, so that they may nest as deep as they like.
  struct Frame {
    ir::RegionId source, into;
    std::optional<Version> version;  // of a function's body
    std::string name;                // of the new function
    std::size_t next = 0;
  };

  void run_from(std::size_t depth);
  void finish(const Frame& frame);
  std::optional<Version> missing_version(const ir::Node& node) const;
  void open(const Version& version);
  std::string unused_name(const Version& version) const;

  void rebuild(ir::RegionId into, const ir::Node& node);
  bool reads_mapped_value(const ir::Node& node) const;  // from around its regions
  std::vector<ir::Batched> batch_node(ir::Builder& builder, const ir::Node& node,
                                      std::span<const ir::Batched> operands);
  std::vector<ir::Batched> copy_node(ir::Builder& builder, const ir::Node& node,
                                     std::span<const ir::Batched> operands);
  std::vector<ir::Batched> call(ir::Builder& builder, const std::string& callee,
                                std::span<const ir::Batched> arguments);
  ir::RegionId copy_region(ir::RegionId source);
  ir::Batched argument(ir::RegionId region, const ir::Type& type, bool is_batched);

  const ir::Graph& from_;
  std::int64_t size_;
  ir::Graph to_;
  std::vector<ir::Batched> values_;  // the counterpart of each value of `from_`, in the version being rebuilt
  std::vector<Frame> frames_;
  std::map<Version, BatchedFunction> functions_;
  int region_depth_ = 0;
};

}  // namespace weft::transform
