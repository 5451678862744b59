// First fit over lifetimes: the largest temporaries are placed first, each at the lowest offset that
// is free.
#include "compiler/lower/plan_memory.h"

#include <algorithm>
#include <numeric>

#include "compiler/lower/steps.h"
#include "runtime/buffer.h"

namespace weft::lower {
namespace {

struct Lifetime {
  std::size_t first = SIZE_MAX, last = 0;  // moments at which it holds something
  std::int64_t offset = 0, bytes = 0;
  bool overlaps(const Lifetime& other) const { return first <= other.last && other.first <= last; }
  void cover(std::size_t from, std::size_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
};

// Every step has a moment. What is touched both inside and outside of a loop lives as long as the loop; so do
// the loop's own buffers.
class Lifetimes {
 public:
  explicit Lifetimes(const Plan& plan) : plan_(plan), touches_(plan.buffers.size()) { walk(plan.steps, kOutside); }

  std::vector<Lifetime> run() const {
    std::vector<Lifetime> lifetimes(touches_.size());
    for (std::size_t buffer = 0; buffer < touches_.size(); ++buffer) {
      std::size_t common = touches_[buffer].empty() ? kOutside : touches_[buffer][0].loop;
      for (const Touch& touch : touches_[buffer]) common = innermost_around_both(common, touch.loop);
      for (const Touch& touch : touches_[buffer]) {
        lifetimes[buffer].cover(touch.moment, touch.moment);
        for (std::size_t loop = touch.loop; loop != common; loop = loops_[loop].around)
          lifetimes[buffer].cover(loops_[loop].first, loops_[loop].last);
      }
    }
    return lifetimes;
  }

 private:
  static constexpr std::size_t kOutside = SIZE_MAX;
  struct Range {
    std::size_t around = kOutside, depth = 0, first = 0, last = 0;
  };
  struct Touch {
    std::size_t moment, loop;
  };

  void walk(const std::vector<Step>& steps, std::size_t loop) {
    for (const Step& step : steps) {
      const auto touch = [&](BufferId buffer) { touches_[buffer].push_back({moment_, loop}); };
      for_each_own_buffer(plan_, step, touch);
      ++moment_;
      if (step.kind == Step::Kind::loop) {
        const std::size_t inside = loops_.size();
        loops_.push_back({loop, depth_of(loop) + 1, moment_ - 1, 0});
        walk(plan_.loops[step.index].condition, inside);
        walk(plan_.loops[step.index].body, inside);
        loops_[inside].last = moment_;
        for_each_own_buffer(plan_, step, touch);
        ++moment_;
      } else if (step.kind == Step::Kind::branch) {
        for (const std::vector<Step>& branch : plan_.branches[step.index].branches) walk(branch, loop);
      }
    }
  }

  std::size_t depth_of(std::size_t loop) const { return loop == kOutside ? 0 : loops_[loop].depth; }
  std::size_t innermost_around_both(std::size_t a, std::size_t b) const {
    while (a != b) {
      std::size_t& deeper = depth_of(a) >= depth_of(b) ? a : b;
      deeper = loops_[deeper].around;
    }
    return a;
  }

  const Plan& plan_;
  std::vector<std::vector<Touch>> touches_;  // by buffer
  std::vector<Range> loops_;
  std::size_t moment_ = 0;
};

std::int64_t aligned(std::int64_t bytes) {
  const auto unit = static_cast<std::int64_t>(runtime::kAlignment);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void plan_memory(Plan& plan) {
  std::vector<Lifetime> lifetimes = Lifetimes(plan).run();
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
    if (mine.first > mine.last) continue;  // nothing uses it
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
