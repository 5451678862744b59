// Answers questions about element types from the rows of types.def.
#include <weft/dtype.h>

#include <array>
#include <ostream>
#include <string>

#include <weft/error.h>

namespace weft {
namespace {

struct Row {
  DTypeKind kind;
  std::size_t bytes;
  std::string_view name, stablehlo, numpy;
};

constexpr std::array<Row, kDTypeCount> kRows = {{
#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy) Row{DTypeKind::kind, bytes, #name, hlo, numpy},
#include <weft/types.def>
#undef TYPE
}};

#define TYPE(name, cpp, kind, bytes, hlo, descr, numpy) static_assert(sizeof(cpp) == bytes);
#include <weft/types.def>
#undef TYPE

const Row& row_of(DType dtype) {
  const auto number = static_cast<std::size_t>(dtype);
  if (number >= kRows.size()) throw TypeError("dtype: " + std::to_string(number) + " is the number of none");
  return kRows[number];
}

}  // namespace

DTypeKind kind_of(DType dtype) { return row_of(dtype).kind; }
std::size_t size_of(DType dtype) { return row_of(dtype).bytes; }
std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::string_view stablehlo_name(DType dtype) { return row_of(dtype).stablehlo; }
std::string_view numpy_name(DType dtype) { return row_of(dtype).numpy; }

std::optional<DType> dtype_from_stablehlo(std::string_view name) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (kRows[i].stablehlo == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name_of(dtype); }

}  // namespace weft
