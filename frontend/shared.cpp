// Counts references atomically.
#include <weft/detail/shared.h>

#include <atomic>

namespace weft::detail {

void Counted::retain() noexcept { std::atomic_ref(references_).fetch_add(1, std::memory_order_relaxed); }

void Counted::release() noexcept {
  if (std::atomic_ref(references_).fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

}  // namespace weft::detail
