// Cuts first, then one pass over the instructions that deals them out.
#include "compiler/lower/split_long_kernels.h"

#include <algorithm>
#include <unordered_map>

namespace weft::lower {
namespace {

constexpr std::size_t kLongest = 512;                           // instructions of a kernel
constexpr std::int64_t kMostBytesOfACut = std::int64_t{64} << 20;  // of temporaries

bool is_had_again(const Inst& inst) {
  const bool is_simple =
      inst.kind == Inst::Kind::literal || inst.kind == Inst::Kind::position || inst.kind == Inst::Kind::load;
  return is_simple && inst.access.terms.empty();
}

template <class Visit>
void for_each_read(const Inst& inst, const Visit& visit) {
  for (InstId operand : inst.operands) visit(operand);
  for (const Access::Term& term : inst.access.terms) visit(term.value);
}

class Splitter {
 public:
  Splitter(Plan& plan, std::uint32_t kernel) : plan_(plan), whole_(plan.kernels[kernel]), first_(kernel) {}

  // The kernels that do the work, in order; empty when it stays whole.
  std::vector<std::uint32_t> run() {
    find_last_reads();
    choose_cuts();
    if (cuts_.size() < 2) return {};
    place_stores();
    std::vector<std::uint32_t> kernels;
    for (std::size_t part = 0; part < cuts_.size(); ++part) {
      Kernel kernel = build(part);
      if (part == 0) {
        plan_.kernels[first_] = std::move(kernel);
        kernels.push_back(first_);
      } else {
        kernel.name = "kernel_" + std::to_string(plan_.kernels.size());
        kernels.push_back(static_cast<std::uint32_t>(plan_.kernels.size()));
        plan_.kernels.push_back(std::move(kernel));
      }
    }
    return kernels;
  }

 private:
  static constexpr std::size_t kEnd = SIZE_MAX;  // read after the last instruction

  void find_last_reads() {
    last_read_.assign(whole_.body.size(), 0);
    for (std::size_t id = 0; id < whole_.body.size(); ++id)
      for_each_read(whole_.body[id], [&](InstId read) { last_read_[read] = id; });
    for (const Store& store : whole_.stores) {
      last_read_[store.value] = kEnd;
      for (const Access::Term& term : store.access.terms) last_read_[term.value] = kEnd;
    }
    for (const Reduction& reduction : whole_.reductions)
      for (InstId operand : reduction.operands) last_read_[operand] = kEnd;
  }

  std::int64_t points() const {
    std::int64_t points = 1;
    for (const Axis& axis : whole_.axes) points *= axis.extent;
    return points;
  }

  // Each part ends behind its longest prefix's position where the fewest bytes a point are alive.
  void choose_cuts() {
    const std::size_t count = whole_.body.size();
    std::vector<std::int64_t> change(count + 1, 0);
    for (std::size_t id = 0; id < count; ++id) {
      if (is_had_again(whole_.body[id]) || last_read_[id] <= id) continue;
      const auto bytes = static_cast<std::int64_t>(size_of(whole_.body[id].type));
      change[id + 1] += bytes;
      if (last_read_[id] != kEnd) change[last_read_[id] + 1] -= bytes;
    }
    std::vector<std::int64_t> alive(count + 1, 0);  // before each instruction
    std::int64_t now = 0;
    for (std::size_t id = 0; id <= count; ++id) alive[id] = now += change[id];
    std::size_t start = 0;
    while (count - start > kLongest) {
      const auto from = alive.begin() + static_cast<std::ptrdiff_t>(start + kLongest / 2);
      const auto cut = std::min_element(from, alive.begin() + static_cast<std::ptrdiff_t>(start + kLongest) + 1);
      if (*cut * points() > kMostBytesOfACut) break;
      start = static_cast<std::size_t>(cut - alive.begin());
      cuts_.push_back(start);
    }
    cuts_.push_back(count);
  }

  std::size_t part_of(InstId id) const {
    return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), id) - cuts_.begin());
  }

  // A store comes with the value it stores, unless the kernel reads that buffer, too: then after everything.
  void place_stores() {
    const auto is_read = [&](BufferId buffer) {
      return std::any_of(whole_.body.begin(), whole_.body.end(), [&](const Inst& inst) {
        return inst.kind == Inst::Kind::load && inst.access.buffer == buffer;
      });
    };
    for (const Store& store : whole_.stores) {
      std::size_t part = cuts_.size() - 1;
      if (!is_read(store.access.buffer)) {
        part = part_of(store.value);
        for (const Access::Term& term : store.access.terms) part = std::max(part, part_of(term.value));
      }
      store_part_.push_back(part);
    }
  }

  // Is the value read in a part after its own?
  std::vector<bool> handed_on() const {
    std::vector<bool> handed(whole_.body.size(), false);
    const auto read_in = [&](InstId id, std::size_t part) {
      if (part_of(id) < part && !is_had_again(whole_.body[id])) handed[id] = true;
    };
    for (std::size_t id = 0; id < whole_.body.size(); ++id)
      for_each_read(whole_.body[id], [&](InstId read) { read_in(read, part_of(static_cast<InstId>(id))); });
    for (std::size_t i = 0; i < whole_.stores.size(); ++i) {
      read_in(whole_.stores[i].value, store_part_[i]);
      for (const Access::Term& term : whole_.stores[i].access.terms) read_in(term.value, store_part_[i]);
    }
    for (const Reduction& reduction : whole_.reductions)
      for (InstId operand : reduction.operands) read_in(operand, cuts_.size() - 1);
    return handed;
  }

  // Row-major over all axes.
  Access access_of(BufferId buffer) const {
    Access access;
    access.buffer = buffer;
    access.strides.assign(whole_.axes.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t axis = whole_.axes.size(); axis-- > 0;) {
      access.strides[axis] = stride;
      stride *= whole_.axes[axis].extent;
    }
    return access;
  }
  BufferId temporary_of(InstId id) {
    const auto [place, is_new] = temporaries_.try_emplace(id, static_cast<BufferId>(plan_.buffers.size()));
    if (is_new) {
      std::vector<std::int64_t> extents;
      for (const Axis& axis : whole_.axes) extents.push_back(axis.extent);
      PlanBuffer buffer;
      buffer.type = {Shape(std::span<const std::int64_t>(extents)), whole_.body[id].type};
      buffer.reason = "handed on in a long kernel";
      plan_.buffers.push_back(std::move(buffer));
    }
    return place->second;
  }

  Kernel build(std::size_t part) {
    if (handed_on_.empty()) handed_on_ = handed_on();
    Kernel kernel;
    kernel.name = whole_.name;
    kernel.axes = whole_.axes;
    kernel.where = whole_.where;
    const bool is_last = part + 1 == cuts_.size();
    if (!is_last)
      for (Axis& axis : kernel.axes) axis.kind = AxisKind::parallel;
    std::unordered_map<InstId, InstId> here;
    const auto value = [&](InstId id) {
      if (const auto known = here.find(id); known != here.end()) return known->second;
      Inst inst = whole_.body[id];
      if (!is_had_again(inst)) {
        inst = Inst();
        inst.kind = Inst::Kind::load;
        inst.type = whole_.body[id].type;
        inst.access = access_of(temporary_of(id));
      }
      kernel.body.push_back(std::move(inst));
      return here[id] = static_cast<InstId>(kernel.body.size() - 1);
    };
    const auto with_terms = [&](Access access) {
      for (Access::Term& term : access.terms) term.value = value(term.value);
      return access;
    };
    for (std::size_t id = part == 0 ? 0 : cuts_[part - 1]; id < cuts_[part]; ++id) {
      if (is_had_again(whole_.body[id])) continue;  // where it is read
      Inst inst = whole_.body[id];
      for (InstId& operand : inst.operands) operand = value(operand);
      inst.access = with_terms(std::move(inst.access));
      kernel.body.push_back(std::move(inst));
      here[static_cast<InstId>(id)] = static_cast<InstId>(kernel.body.size() - 1);
    }
    for (std::size_t i = 0; i < whole_.stores.size(); ++i)
      if (store_part_[i] == part) {
        const InstId stored = value(whole_.stores[i].value);
        kernel.stores.push_back({stored, with_terms(whole_.stores[i].access)});
      }
    for (std::size_t id = part == 0 ? 0 : cuts_[part - 1]; id < cuts_[part]; ++id)
      if (handed_on_[id])
        kernel.stores.push_back({here.at(static_cast<InstId>(id)), access_of(temporary_of(static_cast<InstId>(id)))});
    if (!is_last) return kernel;
    kernel.setup = whole_.setup;
    kernel.reductions = whole_.reductions;
    for (Reduction& reduction : kernel.reductions)
      for (InstId& operand : reduction.operands) operand = value(operand);
    kernel.epilogue = whole_.epilogue;
    kernel.epilogue_stores = whole_.epilogue_stores;
    kernel.scratch = whole_.scratch;
    return kernel;
  }

  Plan& plan_;
  const Kernel whole_;
  std::uint32_t first_;
  std::vector<std::size_t> last_read_, cuts_, store_part_;  // cuts: the end of each part
  std::vector<bool> handed_on_;
  std::unordered_map<InstId, BufferId> temporaries_;
};

void split_in(Plan& plan, std::vector<Step>& steps) {
  std::vector<Step> split;
  for (const Step& step : steps) {
    std::vector<std::uint32_t> parts;
    if (step.kind == Step::Kind::kernel && plan.kernels[step.index].body.size() > kLongest)
      parts = Splitter(plan, step.index).run();
    if (parts.empty()) split.push_back(step);
    for (std::uint32_t part : parts) split.push_back({Step::Kind::kernel, part});
  }
  steps = std::move(split);
}

}  // namespace

void split_long_kernels(Plan& plan) {
  split_in(plan, plan.steps);
  for (Loop& loop : plan.loops) {
    split_in(plan, loop.condition);
    split_in(plan, loop.body);
  }
  for (Branch& branch : plan.branches)
    for (std::vector<Step>& steps : branch.branches) split_in(plan, steps);
}

}  // namespace weft::lower
