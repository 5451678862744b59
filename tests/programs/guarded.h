// Memory that ends, or begins, at a page that must not be touched: whoever reads or writes beyond it dies
// there.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <utility>

namespace weft::sweep {

class Guarded {
 public:
  Guarded(std::size_t bytes, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (bytes + page - 1) / page * page;
    size_ = inside + 2 * page;
    void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<std::byte*>(mapped);
    mprotect(all_, page, PROT_NONE);
    mprotect(all_ + page + inside, page, PROT_NONE);
    data_ = all_ + page + (at_end ? inside - bytes : 0);
  }
  Guarded(Guarded&& other) noexcept
      : all_(std::exchange(other.all_, nullptr)), data_(other.data_), size_(other.size_) {}
  Guarded& operator=(Guarded&&) = delete;
  ~Guarded() {
    if (all_) munmap(all_, size_);
  }
  std::byte* data() const { return data_; }

 private:
  std::byte *all_, *data_;
  std::size_t size_;
};

}  // namespace weft::sweep
