// Shared: a counted reference, so that <memory> is not part of every user's file.
#pragma once

#include <utility>

namespace weft::detail {

// The base of what is shared. The count is kept inside the library, so that <atomic> stays there too.
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) noexcept {}  // nobody holds the copy yet
  Counted& operator=(const Counted&) = delete;
  void retain() noexcept;
  void release() noexcept;  // the last one deletes the object

 protected:
  virtual ~Counted() = default;

 private:
  int references_ = 0;
};

// T derives from Counted, and may be incomplete where a reference is only kept, copied and dropped.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(Counted* object) noexcept : object_(object) {
    if (object_) object_->retain();
  }
  Shared(const Shared& other) noexcept : Shared(other.object_) {}
  Shared(Shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Shared() {
    if (object_) object_->release();
  }
  T* get() const { return static_cast<T*>(object_); }
  T& operator*() const { return *get(); }
  T* operator->() const { return get(); }

 private:
  Counted* object_ = nullptr;
};

// A value of any type, known again only by who put it there.
template <class T>
class Held final : public Counted {
 public:
  explicit Held(T v) : value(std::move(v)) {}
  T value;
};

}  // namespace weft::detail
