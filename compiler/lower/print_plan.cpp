// The loop level as text: buffers, then every kernel with its axes, body and reductions.
#include <fmt/format.h>

#include "compiler/lower/nest.h"

namespace weft::lower {
namespace {

std::string buffer_name(const Plan& plan, BufferId id) {
  const PlanBuffer& buffer = plan.buffers[id];
  switch (buffer.kind) {
    case PlanBuffer::Kind::argument:
      return fmt::format("arg{}", buffer.index);
    case PlanBuffer::Kind::result:
      return fmt::format("out{}", buffer.index);
    case PlanBuffer::Kind::constant:
      return fmt::format("const{}", buffer.index);
    case PlanBuffer::Kind::temporary:
      return fmt::format("tmp{}", id);
  }
  throw std::logic_error("kind of buffer");
}

std::string affine_text(const Access& access, const std::string& prefix) {
  std::string text;
  const auto add = [&](std::int64_t factor, const std::string& name) {
    if (factor == 0) return;
    if (!text.empty())
      text += factor < 0 ? " - " : " + ";
    else if (factor < 0)
      text += "-";
    const auto magnitude = factor < 0 ? -factor : factor;
    text += magnitude == 1 ? name : fmt::format("{}*{}", magnitude, name);
  };
  for (std::size_t axis = 0; axis < access.strides.size(); ++axis)
    add(access.strides[axis], fmt::format("i{}", axis));
  for (const Access::Term& term : access.terms) add(term.stride, fmt::format("{}{}", prefix, term.value));
  if (text.empty()) return std::to_string(access.offset);
  if (access.offset != 0)
    text += fmt::format(" {} {}", access.offset < 0 ? '-' : '+', std::abs(access.offset));
  return text;
}

std::string literal_text(const Inst& inst) { return fmt::format("0x{:x}", inst.literal); }

std::string inst_text(const Plan& plan, const Inst& inst, const std::string& prefix) {
  switch (inst.kind) {
    case Inst::Kind::load:
      return fmt::format("load {}[{}]", buffer_name(plan, inst.access.buffer),
                         affine_text(inst.access, prefix));
    case Inst::Kind::literal:
      return fmt::format("literal {}", literal_text(inst));
    case Inst::Kind::position:
      return fmt::format("position {}", affine_text(inst.access, prefix));
    case Inst::Kind::result:
      return fmt::format("result {}.{}", inst.reduction, inst.reduction_result);
    case Inst::Kind::argument:
      return fmt::format("argument {}", inst.reduction_result);
    case Inst::Kind::element:
      break;
  }
  std::string text(ir::info_of(inst.op).name);
  if (const auto* compare = std::get_if<ir::CompareAttributes>(&inst.attributes)) {
    constexpr const char* names[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    text += fmt::format(" {}", names[static_cast<int>(compare->direction)]);
  }
  for (std::size_t i = 0; i < inst.operands.size(); ++i)
    text += fmt::format("{}{}{}", i == 0 ? " " : ", ", prefix, inst.operands[i]);
  return text;
}

void print_insts(std::string& out, const Plan& plan, const std::vector<Inst>& insts,
                 const std::string& prefix, const std::string& indent) {
  for (std::size_t id = 0; id < insts.size(); ++id)
    out += fmt::format("{}{}{} : {} = {}\n", indent, prefix, id, name_of(insts[id].type),
                       inst_text(plan, insts[id], prefix));
}

void print_stores(std::string& out, const Plan& plan, const std::vector<Store>& stores,
                  const std::string& prefix, const std::string& indent) {
  for (const Store& store : stores)
    out += fmt::format("{}store {}[{}] = {}{}\n", indent, buffer_name(plan, store.access.buffer),
                       affine_text(store.access, prefix), prefix, store.value);
}

std::string reduction_kind(const Reduction& reduction) {
  if (reduction.reducer.selection) {
    const ir::Selection& selection = *reduction.reducer.selection;
    return fmt::format("select {} of operand {}", selection.is_minimum ? "minimum" : "maximum",
                       selection.key);
  }
  if (!reduction.reducer.all_standard()) return "in order";
  std::string text;
  for (const auto& kind : reduction.reducer.components)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ir::info_of(*kind).name);
  return text;
}

void print_kernel(std::string& out, const Plan& plan, const Kernel& kernel) {
  out += fmt::format("kernel @{}(", kernel.name);
  for (std::size_t axis = 0; axis < kernel.axes.size(); ++axis)
    out += fmt::format("{}i{} < {}{}", axis == 0 ? "" : ", ", axis, kernel.axes[axis].extent,
                       kernel.axes[axis].kind == AxisKind::reduction ? " reduced" : "");
  out += ") {";
  std::string lines;
  for (const ir::SourceLine& line : kernel.where) {
    const std::string text = line.to_string();
    if (lines.find(text) == std::string::npos) lines += (lines.empty() ? "  // " : ", ") + text;
  }
  out += lines + "\n";
  print_insts(out, plan, kernel.setup, "%s", "  ");
  print_insts(out, plan, kernel.body, "%", "  ");
  print_stores(out, plan, kernel.stores, "%", "  ");
  for (std::size_t i = 0; i < kernel.reductions.size(); ++i) {
    const Reduction& reduction = kernel.reductions[i];
    out += fmt::format("  reduce {} {}:", i, reduction_kind(reduction));
    for (std::size_t k = 0; k < reduction.operands.size(); ++k)
      out += fmt::format(" (%{} from %s{})", reduction.operands[k], reduction.inits[k]);
    out += "\n";
    print_insts(out, plan, reduction.combine, "%c", "    ");
  }
  print_insts(out, plan, kernel.epilogue, "%e", "  ");
  print_stores(out, plan, kernel.epilogue_stores, "%e", "  ");
  out += "}\n";
}

void print_call(std::string& out, const Plan& plan, const HostCall& call) {
  out += fmt::format("call @{}({}", call.symbol, buffer_name(plan, call.descriptor));
  for (BufferId operand : call.operands) out += ", " + buffer_name(plan, operand);
  out += call.where.file.empty() ? ")\n" : ")  // " + call.where.to_string() + "\n";
}

}  // namespace

std::string print(const Plan& plan) {
  std::string out;
  for (BufferId id = 0; id < plan.buffers.size(); ++id) {
    const PlanBuffer& buffer = plan.buffers[id];
    out += fmt::format("buffer {} : {}", buffer_name(plan, id), buffer.type.to_string());
    if (buffer.kind == PlanBuffer::Kind::temporary)
      out += fmt::format(" at {} ({})", buffer.arena_offset, buffer.reason);
    out += "\n";
  }
  auto call = plan.calls.begin();
  for (std::size_t index = 0; index <= plan.kernels.size(); ++index) {
    for (; call != plan.calls.end() && call->position == index; ++call) print_call(out, plan, *call);
    if (index < plan.kernels.size()) print_kernel(out, plan, plan.kernels[index]);
  }
  return out;
}

}  // namespace weft::lower
