// StableHLO's textual syntax: Graph -> text and text -> Graph, an exact round trip.
#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/ir.h"

namespace weft::text {

struct PrintOptions {
  bool locations = false;  // append loc("file":line:column) to every operation that has one
};
std::string print(const ir::Graph& graph, PrintOptions options = {});
std::string print_type(const ir::Type& type);  // "tensor<3x4xf32>"
std::string print_node(const ir::Graph& graph,
                       ir::NodeId node);  // one line (its regions abridged), for the ledger

// Throws ParseError "file:line:column: error: …" with the source line and a caret. Operations without
// loc(...) get the position in this text. The graph is verified.
ir::Graph parse(std::string_view text, std::string_view file_name = "<text>");

}  // namespace weft::text
