// The .npy format: a magic string, a Python dictionary that gives dtype, order and shape, then the data.
#include "runtime/npy.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <weft/error.h>

#include "runtime/npy_format.h"

namespace weft::runtime {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 20;

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Reads the dictionary that NumPy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Header parse() {
    std::optional<std::string> descr;
    std::optional<bool> order;
    std::optional<std::vector<std::int64_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        descr = description();
      } else if (key == "fortran_order" && !order) {
        order = boolean();
      } else if (key == "shape" && !shape) {
        shape = tuple();
      } else {
        fail("the key '" + key + "' is unknown or repeated");
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail("text follows the dictionary");
    if (!descr || !order || !shape) fail("descr, fortran_order and shape are not all there");
    return {*descr, *order, *shape};
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw TypeError("load: " + name_ + " has a bad header: " + why);
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool accept(char wanted) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("'") + wanted + "' expected at byte " + std::to_string(at_));
  }
  std::string quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("a string expected at byte " + std::to_string(at_));
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return result;
  }
  std::string description() {
    skip_space();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      throw TypeError("load: " + name_ + " is a structured array; only plain element types can be read");
    }
    return quoted();
  }
  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("True or False expected at byte " + std::to_string(at_));
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(integer());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return values;
  }
  std::int64_t integer() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("an extent expected at byte " + std::to_string(at_));
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return value;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

struct DescrRow {
  std::string_view descr;
  DType dtype;
};
constexpr std::array<DescrRow, kDTypeCount> kDescrs = {{
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy) DescrRow{descr, DType::name},
#include <weft/types.def>
#undef TYPE
}};

DType dtype_from_descr(const std::string& descr, const std::string& name) {
  const char order = descr.empty() ? '\0' : descr[0];
  const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  if (order == '>')
    throw TypeError("load: " + name + " is big-endian ('" + descr + "'); save it as little-endian");
  if (code.starts_with('O'))
    throw TypeError("load: " + name + " holds Python objects; save it with a numeric dtype");
  if (order == '<' || order == '|' || order == '=') {
    for (const DescrRow& row : kDescrs) {
      if (row.descr.substr(1) == code) return row.dtype;
    }
  }
  throw TypeError("load: " + name + " has the element type '" + descr + "', which Weft does not have");
}

Shape shape_of(const Header& header, const std::string& name) {
  try {
    return Shape(std::span<const std::int64_t>(header.shape));
  } catch (const ShapeError& error) {
    throw TypeError("load: " + name + " has a bad header: " + error.what());
  }
}

std::string read_dictionary(ByteSource& source, const std::string& name) {
  std::array<unsigned char, 12> start{};
  if (source.remaining() < 10) throw TypeError("load: " + name + " is not a .npy file: it is too short");
  source.read(start.data(), 8);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) {
    throw TypeError("load: " + name + " is not a .npy file: it does not start with NumPy's magic string");
  }
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    throw TypeError("load: " + name + " has .npy format version " + std::to_string(version) + "." +
                    std::to_string(start[7]) + "; 1.0 to 3.0 can be read");
  }
  const int length_bytes = version == 1 ? 2 : 4;
  source.read(start.data() + 8, static_cast<std::size_t>(length_bytes));
  std::uint64_t length = 0;
  for (int i = length_bytes - 1; i >= 0; --i) length = length << 8 | start[8 + static_cast<std::size_t>(i)];
  if (length > source.remaining()) throw ExecutionError("load: " + name + " is truncated in its header");
  if (length > kLongestHeader)
    throw TypeError("load: " + name + " has a header of " + std::to_string(length) + " bytes");
  std::string text(length, '\0');
  source.read(text.data(), text.size());
  return text;
}

struct SixteenBytes {
  std::uint64_t low, high;
};

// Copies from column-major to row-major order: the last axis innermost, the other indices as an odometer.
template <class T>
void copy_transposed(const Shape& shape, const std::byte* from_bytes, std::byte* to_bytes) {
  const auto* from = reinterpret_cast<const T*>(from_bytes);
  auto* to = reinterpret_cast<T*>(to_bytes);
  const int last = shape.rank() - 1;
  std::array<std::int64_t, kMaxRank> strides{}, index{};
  std::int64_t step = 1;
  for (int axis = 0; axis <= last; ++axis) {
    strides[static_cast<std::size_t>(axis)] = step;
    step *= shape[axis];
  }
  const std::int64_t inner = shape[last], inner_stride = strides[static_cast<std::size_t>(last)];
  std::int64_t offset = 0;
  for (std::int64_t row = step / inner; row > 0; --row) {
    for (std::int64_t i = 0; i < inner; ++i) *to++ = from[offset + i * inner_stride];
    for (int axis = last - 1; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      offset += strides[a];
      if (++index[a] < shape[axis]) break;
      offset -= strides[a] * shape[axis];
      index[a] = 0;
    }
  }
}

Buffer to_row_major(const ShapeDtype& type, const Buffer& from) {
  if (type.shape.rank() < 2 || type.size() == 0) return from;
  Buffer to = Buffer::allocate(from.size());
  switch (size_of(type.dtype)) {
    case 1:
      copy_transposed<std::uint8_t>(type.shape, from.data(), to.data());
      break;
    case 2:
      copy_transposed<std::uint16_t>(type.shape, from.data(), to.data());
      break;
    case 4:
      copy_transposed<std::uint32_t>(type.shape, from.data(), to.data());
      break;
    case 8:
      copy_transposed<std::uint64_t>(type.shape, from.data(), to.data());
      break;
    default:
      copy_transposed<SixteenBytes>(type.shape, from.data(), to.data());
      break;
  }
  return to;
}

std::string_view descr_of(DType dtype) { return kDescrs.at(static_cast<std::size_t>(dtype)).descr; }

}  // namespace

Tensor read_array(ByteSource& source, const std::string& name) {
  const std::string text = read_dictionary(source, name);
  const Header header = HeaderParser(text, name).parse();
  const ShapeDtype type{shape_of(header, name), dtype_from_descr(header.descr, name)};
  const auto bytes = static_cast<std::uint64_t>(type.nbytes());
  // Before allocating: a damaged header must not ask for more than the file can fill.
  if (bytes > source.remaining()) {
    throw ExecutionError("load: " + name + " is truncated: " + type.to_string() + " takes " +
                         std::to_string(bytes) + " bytes, " + std::to_string(source.remaining()) +
                         " are there");
  }
  Buffer buffer = Buffer::allocate(bytes);
  source.read(buffer.data(), bytes);
  if (type.dtype == DType::b1) {
    // A bool of any other value than 0 and 1 is undefined in C++; NumPy takes it as true.
    for (std::uint64_t i = 0; i < bytes; ++i) buffer.data()[i] = std::byte{buffer.data()[i] != std::byte{0}};
  }
  if (header.fortran_order) buffer = to_row_major(type, buffer);
  return {type, buffer};
}

std::string array_header(const ShapeDtype& type) {
  std::string text =
      "{'descr': '" + std::string(descr_of(type.dtype)) + "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < type.shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(type.shape[axis]);
  }
  if (type.shape.rank() == 1) text += ',';
  text += "), }";
  // Spaces and a newline bring the data to a multiple of 64 bytes; rank 32 still fits the 16-bit length of
  // version 1.
  text.resize((text.size() + 11 + 63) / 64 * 64 - 11, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

std::span<const std::byte> array_bytes(const Tensor& tensor, const std::string& name) {
  const auto bytes = static_cast<std::size_t>(tensor.type.nbytes());
  if (tensor.buffer.size() < bytes) {
    throw ExecutionError("save: " + name + ": the buffer has " + std::to_string(tensor.buffer.size()) +
                         " bytes, " + tensor.type.to_string() + " takes " + std::to_string(bytes));
  }
  return {tensor.buffer.data(), bytes};
}

Tensor load_npy(const std::string& path) {
  const InputFile file(path);
  FileStretch source(file, 0, file.size());
  return read_array(source, path);
}

void save_npy(const std::string& path, const Tensor& tensor) {
  const std::string header = array_header(tensor.type);
  const std::span<const std::byte> data = array_bytes(tensor, path);
  OutputFile file(path);
  file.write(header.data(), header.size());
  file.write(data.data(), data.size());
  file.finish();
}

}  // namespace weft::runtime
