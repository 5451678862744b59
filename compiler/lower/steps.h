// Walks over lists of steps and what is nested in them.
#pragma once

#include "compiler/lower/nest.h"

namespace weft::lower {

// Calls visit(const Step&) for every step of a list and, after it, for those nested in it. Nesting is bounded
// (check_lowerable).
template <class Visit>
void for_each_step(const Plan& plan, const std::vector<Step>& steps, const Visit& visit) {
  for (const Step& step : steps) {
    visit(step);
    if (step.kind == Step::Kind::loop) {
      for_each_step(plan, plan.loops[step.index].condition, visit);
      for_each_step(plan, plan.loops[step.index].body, visit);
    } else if (step.kind == Step::Kind::branch) {
      for (const std::vector<Step>& branch : plan.branches[step.index].branches)
        for_each_step(plan, branch, visit);
    }
  }
}

// Calls visit(BufferId) for every buffer that a step itself touches, not what is nested in it.
template <class Visit>
void for_each_own_buffer(const Plan& plan, const Step& step, const Visit& visit) {
  switch (step.kind) {
    case Step::Kind::kernel:
      return for_each_buffer(plan.kernels[step.index], visit);
    case Step::Kind::call:
      visit(plan.calls[step.index].descriptor);
      for (BufferId buffer : plan.calls[step.index].operands) visit(buffer);
      for (BufferId buffer : plan.calls[step.index].results) visit(buffer);
      return;
    case Step::Kind::loop: {
      const Loop& loop = plan.loops[step.index];
      for (BufferId buffer : {loop.position, loop.count, loop.predicate})
        if (buffer != ir::kNone) visit(buffer);
      for (BufferId buffer : loop.carried) visit(buffer);
      for (const Loop::Next& next : loop.nexts) visit(next.next);
      return;
    }
    case Step::Kind::branch:
      visit(plan.branches[step.index].selector);
      return;
  }
}

template <class Visit>
void for_each_touched(const Plan& plan, const std::vector<Step>& steps, const Visit& visit) {
  for_each_step(plan, steps, [&](const Step& step) { for_each_own_buffer(plan, step, visit); });
}

}  // namespace weft::lower
