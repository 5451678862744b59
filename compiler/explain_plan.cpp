// Reads the plan alone: whatever led to it, this is what runs.
#include "compiler/explain_plan.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "compiler/lower/steps.h"

namespace weft::compiler {
namespace {

using lower::BufferId;
using lower::Inst;
using lower::Kernel;
using lower::Plan;
using rewrite::Firing;

Firing headline(const char* pass, const char* rule, std::vector<ir::SourceLine> where) {
  Firing firing;
  firing.pass = pass;
  firing.rule = rule;
  firing.where = std::move(where);
  firing.rank = rewrite::Rank::headline;
  return firing;
}

bool is_operation(const Inst& inst) { return inst.kind == Inst::Kind::element || inst.kind == Inst::Kind::fma; }

std::int64_t points_of(const Kernel& kernel, bool with_reduced) {
  std::int64_t points = 1;
  for (const lower::Axis& axis : kernel.axes)
    if (with_reduced || axis.kind == lower::AxisKind::parallel) points *= axis.extent;
  return points;
}

// "2 multiply, exponential, reduce", most frequent first.
std::string names_of(const Kernel& kernel) {
  std::map<std::string, int> counts;
  for (const std::vector<Inst>* insts : {&kernel.body, &kernel.epilogue})
    for (const Inst& inst : *insts)
      if (is_operation(inst)) ++counts[inst.kind == Inst::Kind::fma ? "fma" : std::string(ir::info_of(inst.op).name)];
  if (!kernel.reductions.empty()) counts["reduce"] = static_cast<int>(kernel.reductions.size());
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [name, count] : counts) sorted.emplace_back(-count, name);
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const auto& [count, name] : sorted)
    text += (text.empty() ? "" : ", ") + (count == -1 ? name : fmt::format("{} {}", -count, name));
  return text;
}

// What every operation by itself would have written, and the next one read again.
std::int64_t bytes_between(const Kernel& kernel) {
  const auto of = [](const std::vector<Inst>& insts, const std::vector<lower::Store>& stores, std::int64_t points) {
    std::int64_t bytes = 0;
    for (std::size_t id = 0; id < insts.size(); ++id) {
      const bool is_stored =
          std::any_of(stores.begin(), stores.end(), [&](const lower::Store& store) { return store.value == id; });
      if (is_operation(insts[id]) && !is_stored) bytes += 2 * points * static_cast<std::int64_t>(size_of(insts[id].type));
    }
    return bytes;
  };
  return of(kernel.body, kernel.stores, points_of(kernel, true)) +
         of(kernel.epilogue, kernel.epilogue_stores, points_of(kernel, false));
}

std::string places_of(const Plan& plan, const Kernel& kernel, bool written) {
  std::vector<BufferId> buffers;
  const auto add = [&](BufferId buffer) {
    if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) buffers.push_back(buffer);
  };
  if (written) {
    for (const auto* stores : {&kernel.stores, &kernel.epilogue_stores})
      for (const lower::Store& store : *stores) add(store.access.buffer);
  } else {
    for (const auto* insts : {&kernel.setup, &kernel.body, &kernel.epilogue})
      for (const Inst& inst : *insts)
        if (inst.kind == Inst::Kind::load) add(inst.access.buffer);
  }
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(buffers.size(), kMost); ++i) text += (i ? ", " : "") + buffer_name(plan, buffers[i]);
  if (buffers.size() > kMost) text += fmt::format(" and {} more", buffers.size() - kMost);
  return text.empty() ? "nothing" : text;
}

std::string extents_of(const Kernel& kernel) {
  std::string text;
  for (const lower::Axis& axis : kernel.axes) text += (text.empty() ? "" : " x ") + std::to_string(axis.extent);
  return text.empty() ? "1" : text;
}

std::size_t count_of(const Kernel& kernel, bool (*matches)(const Inst&)) {
  std::size_t count = 0;
  for (const std::vector<Inst>* insts : {&kernel.body, &kernel.epilogue})
    count += static_cast<std::size_t>(std::count_if(insts->begin(), insts->end(), matches));
  return count;
}

void add_kernel(const Plan& plan, const Kernel& kernel, std::vector<Firing>& headlines) {
  const std::size_t operations = kernel.reductions.size() + count_of(kernel, is_operation);
  if (operations < 2 || points_of(kernel, true) < 2) return;
  Firing fused = headline("fuse", "one_pass", kernel.where);
  fused.before = fmt::format("{} operations: {}", operations, names_of(kernel));
  fused.after = fmt::format("{}, one pass over {}: reads {}, writes {}", kernel.name, extents_of(kernel),
                            places_of(plan, kernel, false), places_of(plan, kernel, true));
  fused.bytes_saved = bytes_between(kernel);
  headlines.push_back(std::move(fused));
}

// One entry for the whole program.
void add_contracted(const Plan& plan, std::vector<Firing>& headlines) {
  Firing fma = headline("lower", "contract_products", {});
  std::size_t all = 0;
  for (const Kernel& kernel : plan.kernels) {
    const std::size_t contracted = count_of(kernel, [](const Inst& inst) { return inst.kind == Inst::Kind::fma; });
    if (contracted == 0) continue;
    all += contracted;
    fma.flops_saved += static_cast<std::int64_t>(contracted) * points_of(kernel, true);
    fma.where.insert(fma.where.end(), kernel.where.begin(), kernel.where.end());
  }
  if (all == 0) return;
  fma.before = fmt::format("{} times a product and a sum, each rounded", all);
  fma.after = fmt::format("{} fma, rounded once (fp_contract)", all);
  fma.numeric = rewrite::NumericClass::changes_rounding;
  headlines.push_back(std::move(fma));
}

void add_loop(const Plan& plan, const lower::Loop& loop, std::vector<Firing>& headlines) {
  std::int64_t copied = 0;
  std::string in_place;
  for (BufferId carried : loop.carried) {
    const auto next = std::find_if(loop.nexts.begin(), loop.nexts.end(),
                                   [&](const lower::Loop::Next& each) { return each.current == carried; });
    if (next != loop.nexts.end()) continue;
    bool is_written = false;
    lower::for_each_step(plan, loop.body, [&](const lower::Step& step) {
      if (step.kind != lower::Step::Kind::kernel) return;
      const Kernel& kernel = plan.kernels[step.index];
      for (const auto* stores : {&kernel.stores, &kernel.epilogue_stores})
        for (const lower::Store& store : *stores) is_written = is_written || store.access.buffer == carried;
    });
    if (!is_written) continue;
    in_place += (in_place.empty() ? "" : ", ") + plan.buffers[carried].type.to_string();
    copied += plan.buffers[carried].type.nbytes();
  }
  if (in_place.empty()) return;
  Firing firing = headline("lower", "update_in_place", {loop.where});
  firing.before = "a loop that makes a new array of each at every step: " + in_place;
  firing.after = "a native loop that writes into one array of each";
  const bool is_known = loop.is_counted && loop.count == ir::kNone;
  firing.bytes_saved = copied * (is_known ? loop.length : 1);
  headlines.push_back(std::move(firing));
}

}  // namespace

std::vector<Firing> headlines_of(const Plan& plan) {
  std::vector<Firing> headlines;
  lower::for_each_step(plan, plan.steps, [&](const lower::Step& step) {
    if (step.kind == lower::Step::Kind::kernel) add_kernel(plan, plan.kernels[step.index], headlines);
    if (step.kind == lower::Step::Kind::loop) add_loop(plan, plan.loops[step.index], headlines);
  });
  add_contracted(plan, headlines);
  return headlines;
}

}  // namespace weft::compiler
