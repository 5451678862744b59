// Printing as NumPy does: aligned columns, eight digits, "..." in the middle of arrays of more than 1000
// elements.
#include <ostream>

#include <fmt/format.h>

#include <weft/array.h>

#include "frontend/array_state.h"
#include "frontend/print_elements.h"

namespace weft {
namespace frontend {
namespace {

constexpr std::int64_t kThreshold = 1000;  // more elements are summarised
constexpr std::int64_t kEdge = 3;          // elements shown at each end then
constexpr std::size_t kLineWidth = 75;

class Printer {
 public:
  Printer(const ShapeDtype& type, const std::byte* data)
      : shape_(type.shape),
        is_summary_(type.size() > kThreshold),
        data_(data),
        bytes_(size_of(type.dtype)),
        format_(type.dtype, shown_elements()) {}

  std::string print() {
    if (shape_.rank() == 0) return format_.scalar(data_);
    if (shape_.size() == 0) return "[]";
    return print_axis(0, 0, "", "");
  }

 private:
  // The positions to show along an axis; -1 stands for the dots.
  std::vector<std::int64_t> shown(int axis) const {
    const std::int64_t extent = shape_[axis];
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < extent; ++i) {
      if (is_summary_ && extent > 2 * kEdge && i == kEdge) {
        positions.push_back(-1);
        i = extent - kEdge;
      }
      positions.push_back(i);
    }
    return positions;
  }

  std::vector<const std::byte*> shown_elements() const {
    std::vector<std::int64_t> offsets{0};
    for (int axis = 0; axis < shape_.rank(); ++axis) {
      std::vector<std::int64_t> deeper;
      for (const std::int64_t offset : offsets)
        for (const std::int64_t i : shown(axis))
          if (i >= 0) deeper.push_back(offset * shape_[axis] + i);
      offsets = std::move(deeper);
    }
    std::vector<const std::byte*> elements;
    for (const std::int64_t offset : offsets)
      elements.push_back(data_ + offset * static_cast<std::int64_t>(bytes_));
    return elements;
  }

  // The brackets of `axis` and what is inside; the recursion is as deep as the rank. `indent` aligns further
  // lines; `closing` are the brackets that the last line will get from outside.
  std::string print_axis(int axis, std::int64_t offset, const std::string& indent,
                         const std::string& closing) const {
    const std::string inner_indent = indent + " ";
    if (axis + 1 == shape_.rank()) return print_row(offset, inner_indent, closing);
    std::string text = "[";
    const std::string separator =
        std::string(static_cast<std::size_t>(shape_.rank() - axis - 1), '\n') + inner_indent;
    bool is_first = true;
    for (const std::int64_t i : shown(axis)) {
      if (!is_first) text += separator;
      is_first = false;
      text += i < 0 ? "..."
                    : print_axis(axis + 1, offset * shape_[axis] + i, inner_indent,
                                 i + 1 == shape_[axis] ? closing + "]" : "");
    }
    return text + "]";
  }

  std::string print_row(std::int64_t offset, const std::string& indent, const std::string& closing) const {
    const int axis = shape_.rank() - 1;
    std::string text, line = "[";
    const std::vector<std::int64_t> positions = shown(axis);
    for (std::size_t n = 0; n < positions.size(); ++n) {
      const std::int64_t i = positions[n];
      const std::string word =
          i < 0 ? "..."
                : format_.aligned(data_ + (offset * shape_[axis] + i) * static_cast<std::int64_t>(bytes_));
      const std::size_t reserve = n + 1 == positions.size() ? closing.size() + 1 : 0;
      const std::size_t start = text.empty() ? indent.size() - 1 : 0;
      if (n > 0 && start + line.size() + 1 + word.size() + reserve > kLineWidth) {
        text += line + "\n";
        line = indent + word;
      } else {
        line += (n > 0 ? " " : "") + word;
      }
    }
    return text + line + "]";
  }

  const Shape& shape_;
  bool is_summary_;
  const std::byte* data_;
  std::size_t bytes_;
  ElementFormat format_;
};

}  // namespace
}  // namespace frontend

std::string to_string(const Array& x) {
  if (x.is_empty_handle()) return "<no array>";
  const detail::ArrayState& state = frontend::state_of(x);
  if (!state.buffer) return fmt::format("<traced {}>", state.type.to_string());
  return frontend::Printer(state.type, state.buffer.data()).print();
}

std::ostream& operator<<(std::ostream& out, const Array& x) { return out << to_string(x); }

}  // namespace weft
