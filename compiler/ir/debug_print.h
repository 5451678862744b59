// custom_call @weft.debug_print: prints its operands when the program runs. backend_config is "<batch rank>
// <format>".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ir/ir.h"
#include "runtime/debug_print.h"

namespace weft::ir {

inline constexpr std::string_view kDebugPrint = "weft.debug_print";

bool is_debug_print(const Node& node);
CustomCallAttributes debug_print_attributes(std::int64_t batch_rank, std::string_view format);

// What the call prints. Why it is none, in `fault`, when there is nothing: a format that does not suit the
// operands.
struct DebugPrintAnswer {
  std::optional<runtime::DebugPrint> what;
  std::string fault;
};
DebugPrintAnswer debug_print_of(const CustomCallAttributes& call, std::span<const Type> operands);
runtime::DebugPrint debug_print_of(const Graph& graph, const Node& node);  // of a legal node

}  // namespace weft::ir
