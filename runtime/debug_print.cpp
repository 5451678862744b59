// Formats are split once more at each call: printing itself costs far more.
#include "runtime/debug_print.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/print_array.h"

namespace weft::runtime {
namespace {

class Writer {
 public:
  void number(std::int64_t value) { append(&value, sizeof value); }
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
  std::vector<std::byte> bytes;
};

class Reader {
 public:
  explicit Reader(const std::byte* bytes) : next_(bytes) {}
  std::int64_t number() {
    std::int64_t value = 0;
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    return value;
  }
  std::string text(std::int64_t size) {
    std::string text(reinterpret_cast<const char*>(next_), static_cast<std::size_t>(size));
    next_ += size;
    return text;
  }

 private:
  const std::byte* next_;
};

DebugPrint decode(const std::byte* descriptor) {
  Reader reader(descriptor);
  DebugPrint what;
  what.batch_rank = reader.number();
  what.operands.resize(static_cast<std::size_t>(reader.number()));
  for (ShapeDtype& type : what.operands) {
    type.dtype = static_cast<DType>(reader.number());
    std::vector<std::int64_t> extents(static_cast<std::size_t>(reader.number()));
    for (std::int64_t& extent : extents) extent = reader.number();
    type.shape = Shape(std::span<const std::int64_t>(extents));
  }
  what.format = reader.text(reader.number());
  return what;
}

std::int64_t product(std::span<const std::int64_t> extents) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  return size;
}

}  // namespace

std::optional<std::vector<std::string>> split_format(std::string_view format) {
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i], next = i + 1 < format.size() ? format[i + 1] : '\0';
    if (c != '{' && c != '}') {
      pieces.back() += c;
    } else if (next == c) {
      pieces.back() += c;
      ++i;
    } else if (c == '{' && next == '}') {
      pieces.emplace_back();
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return pieces;
}

std::string lines_of(const DebugPrint& what, std::span<const std::byte* const> operands) {
  const std::vector<std::string> pieces = split_format(what.format).value();
  const auto batch_rank = static_cast<std::size_t>(what.batch_rank);
  std::vector<ShapeDtype> types;
  for (const ShapeDtype& type : what.operands)
    types.push_back({Shape(type.shape.extents().subspan(batch_rank)), type.dtype});
  const std::int64_t count = types.empty() ? 1 : product(what.operands[0].shape.extents().first(batch_rank));
  std::string lines;
  for (std::int64_t element = 0; element < count; ++element) {
    lines += pieces[0];
    for (std::size_t i = 0; i < types.size(); ++i)
      lines += print_array(types[i], operands[i] + element * types[i].nbytes()) + pieces[i + 1];
    lines += '\n';
  }
  return lines;
}

void print(const DebugPrint& what, std::span<const std::byte* const> operands) {
  const std::string lines = lines_of(what, operands);
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  std::fflush(stdout);
}

std::vector<std::byte> encode(const DebugPrint& what) {
  Writer writer;
  writer.number(what.batch_rank);
  writer.number(static_cast<std::int64_t>(what.operands.size()));
  for (const ShapeDtype& type : what.operands) {
    writer.number(static_cast<std::int64_t>(type.dtype));
    writer.number(type.shape.rank());
    for (const std::int64_t extent : type.shape) writer.number(extent);
  }
  writer.number(static_cast<std::int64_t>(what.format.size()));
  writer.append(what.format.data(), what.format.size());
  return std::move(writer.bytes);
}

}  // namespace weft::runtime

extern "C" std::int32_t weft_debug_print(const std::byte* descriptor, const std::byte* const* operands,
                                         std::int32_t, const void*) {
  using namespace weft::runtime;
  try {
    const DebugPrint what = decode(descriptor);
    print(what, {operands, what.operands.size()});
  } catch (...) {
    // Out of memory: the program's results do not depend on the line.
  }
  return 0;
}
