// Whether two graphs are the same program: functions, operations, attributes, types and who reads what.
#pragma once

#include <map>
#include <string>

#include "compiler/ir/ir.h"

namespace weft::text {

struct Comparison {
  const ir::Graph& a;
  const ir::Graph& b;
  bool with_locations = false;
  std::map<ir::ValueId, ir::ValueId> values;  // of a to b

  bool same_values(const std::vector<ir::ValueId>& x, const std::vector<ir::ValueId>& y) const {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto found = values.find(x[i]);
      if (found == values.end() || found->second != y[i]) return false;
    }
    return true;
  }
  bool pair(const std::vector<ir::ValueId>& x, const std::vector<ir::ValueId>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (a.type(x[i]) != b.type(y[i])) return false;
      values[x[i]] = y[i];
    }
    return true;
  }

  // A scalar reads back as a splat, which it may not have been.
  static ir::Attributes written(const ir::Attributes& attributes) {
    ir::Attributes result = attributes;
    if (auto* constant = std::get_if<ir::ConstantAttributes>(&result))
      if (constant->value.type.shape.rank() == 0) constant->value.is_splat = true;
    return result;
  }

  // The first difference, or nothing.
  std::string regions(ir::RegionId of_a, ir::RegionId of_b) {
    const ir::Region &x = a.region(of_a), &y = b.region(of_b);
    if (!pair(x.arguments, y.arguments)) return "arguments differ";
    if (x.nodes.size() != y.nodes.size()) return "numbers of operations differ";
    for (std::size_t i = 0; i < x.nodes.size(); ++i) {
      const std::string difference = nodes(a.node(x.nodes[i]), b.node(y.nodes[i]));
      if (!difference.empty()) return "operation " + std::to_string(i) + ": " + difference;
    }
    return same_values(x.results, y.results) ? "" : "results differ";
  }
  std::string nodes(const ir::Node& x, const ir::Node& y) {
    if (x.op != y.op) return "operations differ";
    if (written(x.attributes) != written(y.attributes)) return "attributes differ";
    if (!same_values(x.operands, y.operands)) return "operands differ";
    if (!pair(x.results, y.results)) return "result types differ";
    if (x.regions.size() != y.regions.size()) return "numbers of regions differ";
    if (with_locations && a.location(x.location) != b.location(y.location)) return "locations differ";
    for (std::size_t i = 0; i < x.regions.size(); ++i)
      if (std::string difference = regions(x.regions[i], y.regions[i]); !difference.empty())
        return difference;
    return {};
  }
};

// What differs first, or nothing.
inline std::string difference(const ir::Graph& a, const ir::Graph& b, bool with_locations = false) {
  if (a.name != b.name) return "names differ";
  if (a.functions.size() != b.functions.size()) return "numbers of functions differ";
  for (std::size_t i = 0; i < a.functions.size(); ++i) {
    const ir::Function &x = a.functions[i], &y = b.functions[i];
    if (x.name != y.name || x.is_public != y.is_public) return "functions differ";
    Comparison comparison{a, b, with_locations, {}};
    if (std::string text = comparison.regions(x.body, y.body); !text.empty())
      return "@" + x.name + ": " + text;
  }
  return {};
}

}  // namespace weft::text
