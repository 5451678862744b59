// Counts the readers of every product, then looks at every sum.
#include "compiler/lower/contract_products.h"

namespace weft::lower {
namespace {

using Readers = std::vector<int>;

Readers readers_of(const std::vector<Inst>& insts, const std::vector<Store>& stores,
                   const std::vector<Reduction>& reductions) {
  Readers readers(insts.size(), 0);
  const auto read_through = [&](const Access& access) {
    for (const Access::Term& term : access.terms) ++readers[term.value];
  };
  for (const Inst& inst : insts) {
    for (InstId operand : inst.operands) ++readers[operand];
    read_through(inst.access);
  }
  for (const Store& store : stores) {
    ++readers[store.value];
    read_through(store.access);
  }
  for (const Reduction& reduction : reductions)
    for (InstId operand : reduction.operands) ++readers[operand];
  return readers;
}

// Gives whether there was one.
bool contract(std::vector<Inst>& insts, const Readers& readers) {
  bool is_changed = false;
  const auto is_free_product = [&](InstId id) {
    return insts[id].kind == Inst::Kind::element && insts[id].op == ir::Op::multiply && readers[id] == 1;
  };
  for (Inst& inst : insts) {
    const bool is_sum = inst.kind == Inst::Kind::element && (inst.op == ir::Op::add || inst.op == ir::Op::subtract);
    if (!is_sum || (inst.type != DType::f32 && inst.type != DType::f64)) continue;
    const bool is_left = is_free_product(inst.operands[0]);
    if (!is_left && !is_free_product(inst.operands[1])) continue;
    const Inst& product = insts[inst.operands[is_left ? 0 : 1]];
    const InstId addend = inst.operands[is_left ? 1 : 0];
    if (inst.op == ir::Op::subtract && !is_left) inst.op = ir::Op::negate;
    inst.kind = Inst::Kind::fma;
    inst.operands = {product.operands[0], product.operands[1], addend};
    is_changed = true;
  }
  return is_changed;
}

// Without the products that are part of an fma now.
void drop_unread(std::vector<Inst>& insts, std::vector<Store>& stores, std::vector<Reduction>& reductions) {
  const Readers readers = readers_of(insts, stores, reductions);
  std::vector<InstId> place(insts.size(), 0);
  std::vector<Inst> kept;
  const auto move_access = [&](Access& access) {
    for (Access::Term& term : access.terms) term.value = place[term.value];
  };
  const auto move_all = [&](std::vector<InstId>& ids) {
    for (InstId& id : ids) id = place[id];
  };
  for (std::size_t id = 0; id < insts.size(); ++id) {
    place[id] = static_cast<InstId>(kept.size());
    if (insts[id].op == ir::Op::multiply && insts[id].kind == Inst::Kind::element && readers[id] == 0) continue;
    move_all(insts[id].operands);
    move_access(insts[id].access);
    kept.push_back(std::move(insts[id]));
  }
  insts = std::move(kept);
  for (Store& store : stores) {
    store.value = place[store.value];
    move_access(store.access);
  }
  for (Reduction& reduction : reductions) move_all(reduction.operands);
}

}  // namespace

void contract_products(Kernel& kernel) {
  std::vector<Reduction> none;
  if (contract(kernel.body, readers_of(kernel.body, kernel.stores, kernel.reductions)))
    drop_unread(kernel.body, kernel.stores, kernel.reductions);
  if (contract(kernel.epilogue, readers_of(kernel.epilogue, kernel.epilogue_stores, none)))
    drop_unread(kernel.epilogue, kernel.epilogue_stores, none);
}

}  // namespace weft::lower
