// Which elements are shown, and where lines break.
#include "runtime/print_array.h"

#include <vector>

#include "runtime/print_elements.h"

namespace weft::runtime {
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
    return print_axis(0, 0, "");
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

  // The brackets of `axis` and what is inside; as deep as the rank. `indent` aligns further lines.
  std::string print_axis(int axis, std::int64_t offset, const std::string& indent) const {
    if (axis + 1 == shape_.rank()) return print_row(offset, indent + " ");
    const std::string separator =
        std::string(static_cast<std::size_t>(shape_.rank() - axis - 1), '\n') + indent + " ";
    std::string text = "[";
    bool is_first = true;
    for (const std::int64_t i : shown(axis)) {
      if (!is_first) text += separator;
      is_first = false;
      text += i < 0 ? "..." : print_axis(axis + 1, offset * shape_[axis] + i, indent + " ");
    }
    return text + "]";
  }

  // One row, wrapped where the line would pass NumPy's width less the brackets to come.
  std::string print_row(std::int64_t offset, const std::string& indent) const {
    const int axis = shape_.rank() - 1;
    const std::size_t width = kLineWidth - static_cast<std::size_t>(axis) - 1;
    std::string text, line(indent);
    for (const std::int64_t i : shown(axis)) {
      const std::byte* element = data_ + (offset * shape_[axis] + i) * static_cast<std::int64_t>(bytes_);
      const std::string word = i < 0 ? "..." : format_.aligned(element);
      if (line.size() > indent.size() && line.size() + word.size() > width) {
        line.pop_back();
        text += line + "\n";
        line = indent;
      }
      line += word + " ";
    }
    line.pop_back();
    text += line;
    return "[" + text.substr(indent.size()) + "]";
  }

  const Shape& shape_;
  bool is_summary_;
  const std::byte* data_;
  std::size_t bytes_;
  ElementFormat format_;
};

}  // namespace

std::string print_array(const ShapeDtype& type, const std::byte* data) { return Printer(type, data).print(); }

}  // namespace weft::runtime
