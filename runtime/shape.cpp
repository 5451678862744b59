// Shape: keeps up to six extents inline, checks them once on construction, and prints them.
#include <weft/shape.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "runtime/user_line.h"

namespace weft {
namespace {

std::string list_of(std::span<const std::int64_t> extents) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(extents[axis]);
  }
  return text + "]";
}

// At the line of the public function that runs, or else at `where`.
[[noreturn]] void fail(const std::string& text, const Location& where) {
  const Location& line = runtime::user_line();
  throw ShapeError("shape: " + text, line.line() == 0 ? where : line);
}

void check_extents(std::span<const std::int64_t> extents, const Location& where) {
  if (extents.size() > static_cast<std::size_t>(kMaxRank)) {
    fail("rank " + std::to_string(extents.size()) + " is above the limit of " + std::to_string(kMaxRank),
         where);
  }
  // The product of the nonzero extents must fit too: strides are computed from it even when the array is
  // empty.
  std::int64_t size = 1;
  bool overflows = false;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t extent = extents[axis];
    if (extent < 0) {
      fail(list_of(extents) + " has the negative extent " + std::to_string(extent) + " at axis " +
               std::to_string(axis),
           where);
    }
    if (extent > 0) overflows |= __builtin_mul_overflow(size, extent, &size);
  }
  // Sixteen bytes is the largest element, so nbytes() cannot overflow either.
  if (overflows || size > std::numeric_limits<std::int64_t>::max() / 16) {
    fail("the size of " + list_of(extents) + " overflows 64 bits", where);
  }
}

}  // namespace

Shape::Shape(std::initializer_list<Extent> extents, Location where) {
  std::vector<std::int64_t> values;
  values.reserve(extents.size());
  for (const Extent& extent : extents) values.push_back(extent.value);
  check_extents(values, where);
  assign(values.data(), values.size());
}

Shape::Shape(std::span<const std::int64_t> extents) {
  check_extents(extents, Location());
  assign(extents.data(), extents.size());
}

Shape::Shape(const Shape& other) { assign(other.data(), static_cast<std::size_t>(other.rank_)); }

Shape::Shape(Shape&& other) noexcept {
  if (other.rank_ > kInline) {
    heap_ = other.heap_;
  } else {
    std::copy_n(other.inline_, other.rank_, inline_);
  }
  rank_ = std::exchange(other.rank_, 0);
}

Shape& Shape::operator=(const Shape& other) {
  if (this != &other) *this = Shape(other);
  return *this;
}

Shape& Shape::operator=(Shape&& other) noexcept {
  if (this == &other) return *this;
  release();
  if (other.rank_ > kInline) {
    heap_ = other.heap_;
  } else {
    std::copy_n(other.inline_, other.rank_, inline_);
  }
  rank_ = std::exchange(other.rank_, 0);
  return *this;
}

Shape::~Shape() { release(); }

std::int64_t Shape::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : *this) product *= extent;
  return product;
}

std::string Shape::to_string() const { return list_of(extents()); }

void Shape::assign(const std::int64_t* extents, std::size_t rank) {
  std::int64_t* target = inline_;
  if (rank > static_cast<std::size_t>(kInline)) target = heap_ = new std::int64_t[rank];
  std::copy_n(extents, rank, target);
  rank_ = static_cast<int>(rank);
}

void Shape::release() {
  if (rank_ > kInline) delete[] heap_;
  rank_ = 0;
}

bool operator==(const Shape& a, const Shape& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.to_string(); }

std::string ShapeDtype::to_string() const { return std::string(name_of(dtype)) + shape.to_string(); }

}  // namespace weft
