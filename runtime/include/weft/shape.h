// Shape: the extents of an array, and ShapeDtype, the type of one.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>

#include <weft/dtype.h>
#include <weft/error.h>

namespace weft {

inline constexpr int kMaxRank = 32;

// One extent, from any integral type, so that {v.size(), 8} is a Shape without a narrowing error.
struct Extent {
  std::int64_t value;
  template <std::integral T>
  Extent(T v) : value(static_cast<std::int64_t>(v)) {}  // NOLINT: implicit on purpose
};

// Up to six extents live inside the object; longer shapes allocate.
// Throws ShapeError for a negative extent, a rank above kMaxRank, or a size that overflows 64 bits.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Extent> extents, Location where = Location::current());
  explicit Shape(std::span<const std::int64_t> extents);
  Shape(const Shape& other);
  Shape(Shape&& other) noexcept;
  Shape& operator=(const Shape& other);
  Shape& operator=(Shape&& other) noexcept;
  ~Shape();

  int rank() const { return rank_; }
  std::int64_t size() const;  // number of elements; 1 for rank 0
  std::int64_t operator[](int axis) const { return data()[axis]; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + rank_; }
  const std::int64_t* data() const { return rank_ <= kInline ? inline_ : heap_; }
  std::span<const std::int64_t> extents() const { return {data(), static_cast<std::size_t>(rank_)}; }
  std::string to_string() const;  // "[3,4]"

  friend bool operator==(const Shape& a, const Shape& b);
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape);

 private:
  static constexpr int kInline = 6;
  void assign(const std::int64_t* extents, std::size_t rank);  // unchecked copy
  void release();
  int rank_ = 0;
  union {
    std::int64_t inline_[kInline];
    std::int64_t* heap_;
  };
};

// The type of an array: what it takes to trace or lower a function without having the array.
struct ShapeDtype {
  Shape shape;
  DType dtype = DType::f32;
  std::int64_t size() const { return shape.size(); }
  std::int64_t nbytes() const { return shape.size() * static_cast<std::int64_t>(size_of(dtype)); }
  std::string to_string() const;  // "f32[198,8]"
  friend bool operator==(const ShapeDtype&, const ShapeDtype&) = default;
};

// Row-major strides in elements.
inline void row_major_strides(const Shape& shape, std::int64_t* strides) {
  std::int64_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step *= shape[axis];
  }
}

}  // namespace weft
