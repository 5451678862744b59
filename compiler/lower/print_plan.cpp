// The loop level as text: buffers, then every kernel with its axes, body and reductions.
#include <fmt/format.h>

#include "compiler/lower/nest.h"

namespace weft::lower {

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

namespace {

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
    case Inst::Kind::fma: {
      const std::string product = fmt::format("{0}{1} * {0}{2}", prefix, inst.operands[0], inst.operands[1]);
      const std::string addend = fmt::format("{}{}", prefix, inst.operands[2]);
      if (inst.op == ir::Op::negate) return fmt::format("fma {} - {}", addend, product);
      return fmt::format("fma {} {} {}", product, inst.op == ir::Op::add ? '+' : '-', addend);
    }
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

void print_kernel(std::string& out, const Plan& plan, const Kernel& kernel, const std::string& indent) {
  out += fmt::format("{}kernel @{}(", indent, kernel.name);
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
  print_insts(out, plan, kernel.setup, "%s", indent + "  ");
  print_insts(out, plan, kernel.body, "%", indent + "  ");
  print_stores(out, plan, kernel.stores, "%", indent + "  ");
  for (std::size_t i = 0; i < kernel.reductions.size(); ++i) {
    const Reduction& reduction = kernel.reductions[i];
    out += fmt::format("{}  reduce {} {}:", indent, i, reduction_kind(reduction));
    for (std::size_t k = 0; k < reduction.operands.size(); ++k)
      out += fmt::format(" (%{} from %s{})", reduction.operands[k], reduction.inits[k]);
    out += "\n";
    print_insts(out, plan, reduction.combine, "%c", indent + "    ");
  }
  print_insts(out, plan, kernel.epilogue, "%e", indent + "  ");
  print_stores(out, plan, kernel.epilogue_stores, "%e", indent + "  ");
  out += indent + "}\n";
}

std::string place(const ir::SourceLine& where) {
  return where.file.empty() ? "\n" : "  // " + where.to_string() + "\n";
}

void print_call(std::string& out, const Plan& plan, const HostCall& call, const std::string& indent) {
  out += fmt::format("{}call @{}({}", indent, call.symbol, buffer_name(plan, call.descriptor));
  for (BufferId operand : call.operands) out += ", " + buffer_name(plan, operand);
  for (BufferId result : call.results) out += " -> " + buffer_name(plan, result);
  out += ")" + place(call.where);
  if (call.less) print_insts(out, plan, call.less->insts, "%", indent + "  ");
}

void print_steps(std::string& out, const Plan& plan, const std::vector<Step>& steps, const std::string& indent);

void print_loop(std::string& out, const Plan& plan, const Loop& loop, const std::string& indent) {
  const std::string inside = indent + "  ";
  if (loop.is_counted) {
    const std::string count = loop.count == ir::kNone ? std::to_string(loop.length) : buffer_name(plan, loop.count);
    out += fmt::format("{}for {} < {}{} {{", indent, buffer_name(plan, loop.position), count,
                       loop.reverse ? " reverse" : "") +
           place(loop.where);
  } else {
    out += indent + "while {" + place(loop.where);
    print_steps(out, plan, loop.condition, inside);
    out += fmt::format("{}}} {} do {{\n", indent, buffer_name(plan, loop.predicate));
  }
  print_steps(out, plan, loop.body, inside);
  for (const Loop::Next& next : loop.nexts)
    out += fmt::format("{}{} <- {}\n", inside, buffer_name(plan, next.current), buffer_name(plan, next.next));
  out += indent + "}\n";
}

void print_branch(std::string& out, const Plan& plan, const Branch& branch, const std::string& indent) {
  out += fmt::format("{}branch {} {{", indent, buffer_name(plan, branch.selector)) + place(branch.where);
  for (std::size_t i = 0; i < branch.branches.size(); ++i) {
    if (i > 0) out += indent + "} else {\n";
    print_steps(out, plan, branch.branches[i], indent + "  ");
  }
  out += indent + "}\n";
}

void print_steps(std::string& out, const Plan& plan, const std::vector<Step>& steps, const std::string& indent) {
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::kernel:
        print_kernel(out, plan, plan.kernels[step.index], indent);
        break;
      case Step::Kind::call:
        print_call(out, plan, plan.calls[step.index], indent);
        break;
      case Step::Kind::loop:
        print_loop(out, plan, plan.loops[step.index], indent);
        break;
      case Step::Kind::branch:
        print_branch(out, plan, plan.branches[step.index], indent);
        break;
    }
  }
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
  print_steps(out, plan, plan.steps, "");
  return out;
}

}  // namespace weft::lower
