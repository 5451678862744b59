// First fit over kernel lifetimes: the largest temporaries are placed first, each at the lowest offset that
// is free.
#include "compiler/lower/plan_memory.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "runtime/buffer.h"

namespace weft::lower {
namespace {

struct Lifetime {
  std::size_t first = SIZE_MAX, last = 0;  // kernels that touch it
  std::int64_t offset = 0, bytes = 0;
  bool overlaps(const Lifetime& other) const { return first <= other.last && other.first <= last; }
};

void for_each_access(const Kernel& kernel, const std::function<void(BufferId)>& visit) {
  const auto loads = [&](const std::vector<Inst>& insts) {
    for (const Inst& inst : insts)
      if (inst.kind == Inst::Kind::load) visit(inst.access.buffer);
  };
  loads(kernel.setup);
  loads(kernel.body);
  loads(kernel.epilogue);
  for (const Store& store : kernel.stores) visit(store.access.buffer);
  for (const Store& store : kernel.epilogue_stores) visit(store.access.buffer);
  if (kernel.scratch != ir::kNone) visit(kernel.scratch);
}

std::int64_t aligned(std::int64_t bytes) {
  const auto unit = static_cast<std::int64_t>(runtime::kAlignment);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void plan_memory(Plan& plan) {
  std::vector<Lifetime> lifetimes(plan.buffers.size());
  for (std::size_t index = 0; index < plan.kernels.size(); ++index) {
    for_each_access(plan.kernels[index], [&](BufferId buffer) {
      lifetimes[buffer].first = std::min(lifetimes[buffer].first, index);
      lifetimes[buffer].last = std::max(lifetimes[buffer].last, index);
    });
  }
  for (const HostCall& call : plan.calls) {
    for (BufferId buffer : call.operands)
      if (call.position > 0) lifetimes[buffer].last = std::max(lifetimes[buffer].last, call.position - 1);
  }
  std::vector<BufferId> order;
  for (BufferId id = 0; id < plan.buffers.size(); ++id)
    if (plan.buffers[id].kind == PlanBuffer::Kind::temporary) order.push_back(id);
  std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
    return plan.buffers[a].type.nbytes() > plan.buffers[b].type.nbytes();
  });
  std::vector<Lifetime> placed;
  plan.arena_bytes = 0;
  for (BufferId id : order) {
    Lifetime& mine = lifetimes[id];
    mine.bytes = aligned(plan.buffers[id].type.nbytes());
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    for (const Lifetime& other : placed)
      if (other.overlaps(mine) && mine.offset < other.offset + other.bytes &&
          other.offset < mine.offset + mine.bytes)
        mine.offset = other.offset + other.bytes;
    placed.push_back(mine);
    plan.buffers[id].arena_offset = mine.offset;
    plan.arena_bytes = std::max(plan.arena_bytes, mine.offset + mine.bytes);
  }
}

}  // namespace weft::lower
