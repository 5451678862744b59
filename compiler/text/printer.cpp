// Graph -> text, in the forms that StableHLO's own tools print.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/text/attributes.h"
#include "compiler/text/print_literal.h"
#include "compiler/text/text.h"

namespace weft::text {
namespace {

using ir::NodeId;
using ir::Op;
using ir::RegionId;
using ir::ValueId;

std::string list(const ir::Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

std::string symbol(const std::string& name) { return "@" + (is_bare_name(name) ? name : quoted(name)); }

// " {…}", or nothing.
std::string dictionary_of(const ir::CustomCallAttributes& call) {
  std::string fields;
  if (!call.backend_config.empty()) fields = "backend_config = " + quoted(call.backend_config);
  if (call.has_side_effect) fields += fields.empty() ? "has_side_effect = true" : ", has_side_effect = true";
  return fields.empty() ? "" : fmt::format(" {{{}}}", fields);
}

// Reductions that may be written as `applies`: those of reductions.def.
bool is_standard_combine(Op op) {
#define REDUCTION(name, combine, summary) \
  if (op == Op::combine) return true;
#include "compiler/ir/reductions.def"
#undef REDUCTION
  return false;
}

class Printer {
 public:
  Printer(const ir::Graph& graph, PrintOptions options) : graph_(graph), options_(options) {}

  std::string module() {
    names_.resize(graph_.value_count());
    out_ = graph_.name.empty() ? "module {\n" : fmt::format("module {} {{\n", symbol(graph_.name));
    for (const ir::Function& function : graph_.functions) print_function(function);
    return out_ + "}\n";
  }

  // Values are named by their numbers.
  std::string one_line(NodeId id) {
    const ir::Node& node = graph_.node(id);
    const std::string results = uses(node.results);
    return results + (results.empty() ? "" : " = ") + body_text(node, "", true);
  }

 private:
  void print_function(const ir::Function& function) {
    counter_ = 0;
    const ir::Region& body = graph_.region(function.body);
    std::vector<std::string> arguments, results;
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      names_[body.arguments[i]] = fmt::format("%arg{}", i);
      arguments.push_back(fmt::format("%arg{}: {}", i, print_type(graph_.type(body.arguments[i]))));
    }
    block_arguments_ = body.arguments.size();
    depth_ = 0;
    for (ValueId result : body.results) results.push_back(print_type(graph_.type(result)));
    std::string result_text;
    if (results.size() == 1) result_text = " -> " + results[0];
    if (results.size() > 1) result_text = fmt::format(" -> ({})", fmt::join(results, ", "));
    out_ += fmt::format("  func.func {} {}({}){} {{\n", function.is_public ? "public" : "private",
                        symbol(function.name), fmt::join(arguments, ", "), result_text);
    print_nodes(body, "    ");
    out_ += "    return" + uses_with_types(body.results) + "\n  }\n";
  }

  void print_nodes(const ir::Region& region, const std::string& indent) {
    for (NodeId id : region.nodes) {
      const ir::Node& node = graph_.node(id);
      name_results(node);
      out_ += indent + results_text(node) + body_text(node, indent, false);
      if (options_.locations) {
        const ir::SourceLine& line = graph_.location(node.location);
        if (!line.file.empty())
          out_ += fmt::format(" loc({}:{}:{})", quoted(line.file), line.line, line.column);
      }
      out_ += "\n";
    }
  }

  void name_results(const ir::Node& node) {
    if (node.results.empty()) return;
    const std::string base = fmt::format("%{}", counter_++);
    for (std::size_t i = 0; i < node.results.size(); ++i)
      names_[node.results[i]] = node.results.size() == 1 ? base : fmt::format("{}#{}", base, i);
  }

  std::string results_text(const ir::Node& node) const {
    if (node.results.empty()) return {};
    std::string name = names_[node.results[0]];
    if (node.results.size() == 1) return name + " = ";
    if (const auto hash = name.find('#'); hash != std::string::npos) name.resize(hash);
    return fmt::format("{}:{} = ", name, node.results.size());
  }

  std::string name(ValueId value) const { return names_.empty() ? fmt::format("%{}", value) : names_[value]; }
  std::string uses(const std::vector<ValueId>& values) const {
    std::string text;
    for (ValueId value : values) text += (text.empty() ? "" : ", ") + name(value);
    return text;
  }
  std::string types(const std::vector<ValueId>& values) const {
    std::string text;
    for (ValueId value : values) text += (text.empty() ? "" : ", ") + print_type(graph_.type(value));
    return text;
  }
  std::string uses_with_types(const std::vector<ValueId>& values) const {
    return values.empty() ? "" : fmt::format(" {} : {}", uses(values), types(values));
  }
  std::string full_type(const ir::Node& node) const {
    const std::string results = types(node.results);
    return fmt::format("({}) -> {}", types(node.operands),
                       node.results.size() == 1 ? results : "(" + results + ")");
  }
  // One type when operands and results all have it.
  std::string short_type(const ir::Node& node) const {
    for (ValueId operand : node.operands)
      if (graph_.type(operand) != graph_.type(node.results[0])) return full_type(node);
    return print_type(graph_.type(node.results[0]));
  }

  std::string body_text(const ir::Node& node, const std::string& indent, bool abridged) {
    const std::string name(ir::info_of(node.op).text);
    if (ir::is_elementwise(node.op)) return elementwise_text(node, name);
    const std::string operands = uses(node.operands);
    switch (node.op) {
      case Op::constant:
        return constant_text(node, abridged);
      case Op::iota:
        return fmt::format("{} dim = {} : {}", name, ir::attributes_of<ir::IotaAttributes>(node).dimension,
                           types(node.results));
      case Op::broadcast_in_dim:
        return fmt::format("{} {}, dims = {} : {}", name, operands,
                           list(ir::attributes_of<ir::BroadcastAttributes>(node).dimensions),
                           full_type(node));
      case Op::transpose:
        return fmt::format("{} {}, dims = {} : {}", name, operands,
                           list(ir::attributes_of<ir::TransposeAttributes>(node).permutation),
                           full_type(node));
      case Op::reverse:
        return fmt::format("{} {}, dims = {} : {}", name, operands,
                           list(ir::attributes_of<ir::ReverseAttributes>(node).dimensions), short_type(node));
      case Op::slice:
        return slice_text(node, name, operands);
      case Op::concatenate:
        return fmt::format("{} {}, dim = {} : {}", name, operands,
                           ir::attributes_of<ir::ConcatenateAttributes>(node).dimension, full_type(node));
      case Op::pad: {
        const auto& pad = ir::attributes_of<ir::PadAttributes>(node);
        return fmt::format("{} {}, low = {}, high = {}, interior = {} : {}", name, operands, list(pad.low),
                           list(pad.high), list(pad.interior), full_type(node));
      }
      case Op::dynamic_slice:
        return fmt::format("{} {}, sizes = {} : {}", name, operands,
                           list(ir::attributes_of<ir::DynamicSliceAttributes>(node).sizes), full_type(node));
      case Op::gather:
        return fmt::format("\"{}\"({}) <{{{}}}> : {}", name, operands,
                           gather_text(ir::attributes_of<ir::GatherAttributes>(node)), full_type(node));
      case Op::compare: {
        const auto& compare = ir::attributes_of<ir::CompareAttributes>(node);
        return fmt::format("{}  {}, {},  {} : {}", name, text_of(compare.direction), operands,
                           text_of(compare.kind), full_type(node));
      }
      case Op::select:
        return fmt::format("{} {} : {}, {}", name, operands, print_type(graph_.type(node.operands[0])),
                           print_type(graph_.type(node.operands[1])));
      case Op::reduce_precision: {
        const auto& format = ir::attributes_of<ir::ReducePrecisionAttributes>(node);
        return fmt::format("{} {}, format = e{}m{} : {}", name, operands, format.exponent_bits,
                           format.mantissa_bits, short_type(node));
      }
      case Op::convert:
      case Op::clamp:
        return fmt::format("{} {} : {}", name, operands, short_type(node));
      case Op::reshape:
      case Op::bitcast_convert:
      case Op::dynamic_update_slice:
        return fmt::format("{} {} : {}", name, operands, full_type(node));
      case Op::reduce:
        return reduce_text(node, indent, abridged);
      case Op::while_:
        return while_text(node, indent, abridged);
      case Op::scan:
      case Op::if_:
      case Op::case_:
      case Op::sort:
      case Op::scatter:
        return fmt::format("\"{}\"({}){}{} : {}", name, operands, fields_text(node),
                           abridged ? "" : regions_text(node, indent), full_type(node));
      case Op::dot_general:
        return fmt::format("{} {}, {} : {}", name, operands,
                           dot_text(ir::attributes_of<ir::DotAttributes>(node)), full_type(node));
      case Op::convolution:
        return fmt::format("{}({}) {} : {}", name, operands,
                           convolution_text(ir::attributes_of<ir::ConvolutionAttributes>(node)),
                           full_type(node));
      case Op::windows: {
        const auto& windows = ir::attributes_of<ir::WindowsAttributes>(node);
        return fmt::format("{} {}, sizes = {}, strides = {}, dilations = {} : {}", name, operands,
                           list(windows.sizes), list(windows.strides), list(windows.dilations),
                           full_type(node));
      }
      case Op::call:
        return fmt::format("{}call {}({}) : {}", depth_ > 0 ? "func." : "",
                           symbol(ir::attributes_of<ir::CallAttributes>(node).callee), operands,
                           full_type(node));
      case Op::custom_call: {
        const auto& call = ir::attributes_of<ir::CustomCallAttributes>(node);
        return fmt::format("{} {}({}){} : {}", name, symbol(call.target), operands, dictionary_of(call),
                           full_type(node));
      }
#define ELEMENTWISE(name, ...) case Op::name:
#include "compiler/ir/ops.def"
#undef ELEMENTWISE
      break;
    }
    return {};
  }

  std::string elementwise_text(const ir::Node& node, const std::string& name) const {
    const bool is_chlo = name.starts_with("chlo.");
    const std::string type = is_chlo ? fmt::format("{} -> {}", types(node.operands), types(node.results))
                             : node.op == Op::is_finite ? full_type(node)
                                                        : short_type(node);
    return fmt::format("{} {} : {}", name, uses(node.operands), type);
  }

  std::string constant_text(const ir::Node& node, bool abridged) const {
    const ir::Literal& literal = ir::attributes_of<ir::ConstantAttributes>(node).value;
    if (abridged && !literal.is_splat && literal.type.size() > 8)
      return fmt::format("stablehlo.constant dense<…> : {}", print_type(literal.type));
    return "stablehlo.constant " + print_literal(literal);
  }

  std::string slice_text(const ir::Node& node, const std::string& name, const std::string& operands) const {
    const auto& slice = ir::attributes_of<ir::SliceAttributes>(node);
    std::string ranges;
    for (std::size_t dim = 0; dim < slice.start.size(); ++dim) {
      ranges += fmt::format("{}{}:{}", dim == 0 ? "" : ", ", slice.start[dim], slice.limit[dim]);
      if (slice.stride[dim] != 1) ranges += fmt::format(":{}", slice.stride[dim]);
    }
    return fmt::format("{} {} [{}] : {}", name, operands, ranges, full_type(node));
  }

  // The body is one operation on the two arguments in order, and its location need not be said.
  bool is_applied(const ir::Node& node, const ir::Region& body) const {
    if (body.arguments.size() != 2 || body.nodes.size() != 1) return false;
    const ir::Node& only = graph_.node(body.nodes[0]);
    if (options_.locations && graph_.location(only.location) != graph_.location(node.location)) return false;
    return is_standard_combine(only.op) && only.operands == body.arguments && only.results == body.results;
  }

  std::string reduce_text(const ir::Node& node, const std::string& indent, bool abridged) {
    const std::size_t count = node.operands.size() / 2;
    std::string pairs;
    for (std::size_t i = 0; i < count; ++i)
      pairs += fmt::format("{}({} init: {})", i == 0 ? "" : ", ", name(node.operands[i]),
                           name(node.operands[count + i]));
    const std::string dims = list(ir::attributes_of<ir::ReduceAttributes>(node).dimensions);
    const ir::Region& body = graph_.region(node.regions[0]);
    if (is_applied(node, body))
      return fmt::format("stablehlo.reduce{} applies {} across dimensions = {} : {}", pairs,
                         ir::info_of(graph_.node(body.nodes[0]).op).text, dims, full_type(node));
    std::string text =
        fmt::format("stablehlo.reduce{} across dimensions = {} : {}", pairs, dims, full_type(node));
    if (abridged) return text;
    return text + "\n" + indent + " reducer" + reducer_text(body, count, indent);
  }

  // Arguments are written in pairs (accumulator, element); the block has all accumulators first.
  std::string reducer_text(const ir::Region& body, std::size_t count, const std::string& indent) {
    std::string head;
    for (ValueId argument : body.arguments) names_[argument] = fmt::format("%arg{}", block_arguments_++);
    for (std::size_t i = 0; i < count; ++i) {
      const auto typed = [&](ValueId value) {
        return fmt::format("{}: {}", names_[value], print_type(graph_.type(value)));
      };
      head += fmt::format("{}({}, {})", i == 0 ? "" : " ", typed(body.arguments[i]),
                          typed(body.arguments[count + i]));
    }
    return fmt::format("{}  {{\n{}{}}}", head, block_text(body, indent), indent);
  }

  // The operations of a region and its return.
  std::string block_text(const ir::Region& region, const std::string& indent) {
    std::string before = std::move(out_);
    out_.clear();
    ++depth_;
    print_nodes(region, indent + "  ");
    --depth_;
    const std::string nodes = std::move(out_);
    out_ = std::move(before);
    return fmt::format("{}{}  stablehlo.return{}\n", nodes, indent, uses_with_types(region.results));
  }

  // " <{…}>", or nothing: the attributes of what is printed in the generic form.
  static std::string fields_text(const ir::Node& node) {
    if (const auto* scatter = std::get_if<ir::ScatterAttributes>(&node.attributes))
      return fmt::format(" <{{{}}}>", scatter_text(*scatter));
    if (const auto* sort = std::get_if<ir::SortAttributes>(&node.attributes))
      return fmt::format(" <{{dimension = {} : i64, is_stable = {}}}>", sort->dimension, sort->is_stable);
    const auto* scan = std::get_if<ir::ScanAttributes>(&node.attributes);
    if (!scan) return {};
    std::string text = fmt::format(" <{{carries = {} : i64", scan->carries);
    if (scan->length != ir::kDynamicLength) text += fmt::format(", length = {} : i64", scan->length);
    return text + fmt::format(", reverse = {}}}>", scan->reverse);
  }

  // " ({ ^bb0(%arg1: …): … }, { … })"
  std::string regions_text(const ir::Node& node, const std::string& indent) {
    std::string text;
    for (RegionId id : node.regions) {
      const ir::Region& region = graph_.region(id);
      std::string arguments;
      for (ValueId argument : region.arguments) {
        names_[argument] = fmt::format("%arg{}", block_arguments_++);
        arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", names_[argument],
                                 print_type(graph_.type(argument)));
      }
      text += text.empty() ? " ({\n" : ", {\n";
      if (!arguments.empty()) text += fmt::format("{}^bb0({}):\n", indent, arguments);
      text += fmt::format("{}{}}}", block_text(region, indent), indent);
    }
    return text + ")";
  }

  std::string while_text(const ir::Node& node, const std::string& indent, bool abridged) {
    std::string head;
    const std::size_t first = block_arguments_;
    for (ValueId operand : node.operands)
      head += fmt::format("{}%arg{} = {}", head.empty() ? "" : ", ", block_arguments_++, name(operand));
    std::string text = fmt::format("stablehlo.while({})", head);
    if (!node.operands.empty()) text += " : " + types(node.operands);
    if (abridged) return text;
    for (RegionId id : node.regions) {
      const ir::Region& region = graph_.region(id);
      for (std::size_t i = 0; i < region.arguments.size(); ++i)
        names_[region.arguments[i]] = fmt::format("%arg{}", first + i);
      text += fmt::format("{}{{\n{}{}}}", id == node.regions[0] ? "\n" + indent + " cond " : " do ",
                          block_text(region, indent), indent);
    }
    return text;
  }

  const ir::Graph& graph_;
  PrintOptions options_;
  std::string out_;
  std::vector<std::string> names_;
  std::size_t counter_ = 0, block_arguments_ = 0;
  int depth_ = 0;  // of regions within the function
};

}  // namespace

std::string print(const ir::Graph& graph, PrintOptions options) { return Printer(graph, options).module(); }

std::string print_type(const ir::Type& type) {
  std::string text = "tensor<";
  for (std::int64_t extent : type.shape) text += std::to_string(extent) + "x";
  return text + std::string(stablehlo_name(type.dtype)) + ">";
}

std::string print_node(const ir::Graph& graph, NodeId node) { return Printer(graph, {}).one_line(node); }

}  // namespace weft::text
