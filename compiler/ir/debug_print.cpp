#include "compiler/ir/debug_print.h"

#include <charconv>

#include <fmt/format.h>

#include <weft/error.h>

namespace weft::ir {
namespace {

DebugPrintAnswer no_print(std::string fault) { return {std::nullopt, std::move(fault)}; }

}  // namespace

bool is_debug_print(const Node& node) {
  return node.op == Op::custom_call && attributes_of<CustomCallAttributes>(node).target == kDebugPrint;
}

CustomCallAttributes debug_print_attributes(std::int64_t batch_rank, std::string_view format) {
  return {std::string(kDebugPrint), true, fmt::format("{} {}", batch_rank, format)};
}

DebugPrintAnswer debug_print_of(const CustomCallAttributes& call, std::span<const Type> operands) {
  const std::string& config = call.backend_config;
  runtime::DebugPrint what;
  const char* end = config.data() + config.size();
  const auto [rest, error] = std::from_chars(config.data(), end, what.batch_rank);
  if (error != std::errc{} || what.batch_rank < 0 || rest == end || *rest != ' ')
    return no_print(fmt::format("backend_config \"{}\" is no batch rank and format", config));
  what.format.assign(rest + 1, end);
  const auto pieces = runtime::split_format(what.format);
  if (!pieces)
    return no_print(fmt::format("format \"{}\" has a brace that is no {{}}, {{{{ or }}}}", what.format));
  if (pieces->size() - 1 != operands.size())
    return no_print(fmt::format("format \"{}\" has {} places for {} values", what.format, pieces->size() - 1,
                                operands.size()));
  for (const Type& type : operands) {
    for (std::int64_t axis = 0; axis < what.batch_rank; ++axis)
      if (axis >= type.shape.rank() ||
          type.shape[static_cast<int>(axis)] != operands[0].shape[static_cast<int>(axis)])
        return no_print(fmt::format("operands {} and {} do not share {} leading axes",
                                    operands[0].to_string(), type.to_string(), what.batch_rank));
  }
  what.operands.assign(operands.begin(), operands.end());
  return {std::move(what), {}};
}

runtime::DebugPrint debug_print_of(const Graph& graph, const Node& node) {
  std::vector<Type> types;
  for (const ValueId operand : node.operands) types.push_back(graph.type(operand));
  DebugPrintAnswer answer = debug_print_of(attributes_of<CustomCallAttributes>(node), types);
  if (!answer.what) throw InternalError("debug_print: " + answer.fault);
  return std::move(*answer.what);
}

}  // namespace weft::ir
