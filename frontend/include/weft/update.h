// x.at(…).set(v) and its kin: a new array with some elements changed. The array x itself never changes.
#pragma once

#include <optional>
#include <vector>

#include <weft/index.h>

namespace weft {

// What happens at an index array's elements that lie outside of the axis. A negative one wraps once before that.
enum class IndexMode : std::uint8_t {
  clip,               // the nearest element there is; reading does it unless told otherwise
  drop,               // nothing is updated there; updating does it unless told otherwise. Reading: as fill
  fill,               // reading gives fill_value; updating as drop
  promise_in_bounds,  // there are none: whatever happens is in bounds
};
struct UpdateOptions {
  std::optional<IndexMode> mode = {};
  std::optional<double> fill_value = {};  // else NaN for floats, the least signed and the largest unsigned integer
  bool unique_indices = false;            // a promise, too: no element is named twice
  bool indices_are_sorted = false;
};

// What is named by indices, which may be everything that x(…) takes. Values broadcast to the shape that x(…) has and
// take the dtype of x; TypeError where that would lose a fraction. Elements that are named more than once are updated as
// often, in row-major order of the indices; `set` leaves the last value.
class IndexedArray {
 public:
  IndexedArray(const Array& x, std::vector<Index> indices) : x_(x), indices_(std::move(indices)) {}
  Array set(const Operand& value, const UpdateOptions& options = {}) const;
  Array add(const Operand& value, const UpdateOptions& options = {}) const;
  Array subtract(const Operand& value, const UpdateOptions& options = {}) const;
  Array multiply(const Operand& value, const UpdateOptions& options = {}) const;
  Array divide(const Operand& value, const UpdateOptions& options = {}) const;
  Array min(const Operand& value, const UpdateOptions& options = {}) const;
  Array max(const Operand& value, const UpdateOptions& options = {}) const;
  Array get(const UpdateOptions& options = {}) const;
  // f(elements), an array of the shape of x(…), replaces them.
  template <class F>
  Array apply(const F& f, const UpdateOptions& options = {}, Location where = Location::current()) const {
    return set(Operand(f(get()), where), options);
  }

 private:
  Array x_;
  std::vector<Index> indices_;
};

template <int, class... R>
IndexedArray Array::at(const Index& first, const R&... rest) const {
  return IndexedArray(*this, {first, Index(rest)...});
}

}  // namespace weft
