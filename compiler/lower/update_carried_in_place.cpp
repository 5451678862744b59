// Looks, for every carried value of every loop, at the kernels of the body that touch it.
#include "compiler/lower/update_carried_in_place.h"

#include <algorithm>

#include "compiler/lower/steps.h"

namespace weft::lower {
namespace {

bool touches(const Plan& plan, const Step& step, BufferId buffer) {
  bool found = false;
  for_each_touched(plan, {step}, [&](BufferId touched) { found = found || touched == buffer; });
  return found;
}

bool is_same_place(const Access& a, const Access& b) {
  if (a.offset != b.offset || a.strides != b.strides || a.terms.size() != b.terms.size()) return false;
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    if (a.terms[i].value != b.terms[i].value || a.terms[i].stride != b.terms[i].stride) return false;
  return true;
}

bool loads(const std::vector<Inst>& insts, BufferId buffer) {
  return std::any_of(insts.begin(), insts.end(), [&](const Inst& inst) {
    return inst.kind == Inst::Kind::load && inst.access.buffer == buffer;
  });
}
// Also when the load takes the bytes for elements of another width.
bool loads_elsewhere(const std::vector<Inst>& insts, BufferId buffer, DType type, const Access& place) {
  return std::any_of(insts.begin(), insts.end(), [&](const Inst& inst) {
    return inst.kind == Inst::Kind::load && inst.access.buffer == buffer &&
           (size_of(inst.type) != size_of(type) || !is_same_place(inst.access, place));
  });
}

// Where the kernel stores the buffer, if it does so once; in its body or its epilogue.
Store* only_store(Kernel& kernel, BufferId buffer, bool& is_epilogue) {
  Store* found = nullptr;
  for (bool epilogue : {false, true}) {
    for (Store& store : epilogue ? kernel.epilogue_stores : kernel.stores) {
      if (store.access.buffer != buffer) continue;
      if (found) return nullptr;
      found = &store;
      is_epilogue = epilogue;
    }
  }
  return found;
}

bool reads_only_there(const Kernel& kernel, BufferId current, DType type, const Store& store, bool is_epilogue) {
  if (loads(kernel.setup, current)) return false;
  if (!is_epilogue)
    return kernel.reductions.empty() && !loads_elsewhere(kernel.body, current, type, store.access) &&
           !loads(kernel.epilogue, current);
  return !loads(kernel.body, current) && !loads_elsewhere(kernel.epilogue, current, type, store.access);
}

bool take_place(Plan& plan, const Loop& loop, const Loop::Next& next) {
  std::size_t last = loop.body.size();
  for (std::size_t i = 0; i < loop.body.size(); ++i) {
    if (!touches(plan, loop.body[i], next.next)) continue;
    if (last != loop.body.size()) return false;
    last = i;
  }
  if (last == loop.body.size() || loop.body[last].kind != Step::Kind::kernel) return false;
  for (std::size_t i = last + 1; i < loop.body.size(); ++i)
    if (touches(plan, loop.body[i], next.current)) return false;
  Kernel& kernel = plan.kernels[loop.body[last].index];
  bool is_epilogue = false;
  Store* store = only_store(kernel, next.next, is_epilogue);
  const bool is_read = loads(kernel.body, next.next) || loads(kernel.epilogue, next.next);
  if (!store || is_read || !reads_only_there(kernel, next.current, plan.buffers[next.current].type.dtype, *store, is_epilogue)) return false;
  store->access.buffer = next.current;
  return true;
}

}  // namespace

void update_carried_in_place(Plan& plan) {
  for (Loop& loop : plan.loops)
    std::erase_if(loop.nexts, [&](const Loop::Next& next) { return take_place(plan, loop, next); });
}

}  // namespace weft::lower
