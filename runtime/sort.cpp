// Line by line: numbers become unsigned keys that order alike, which are sorted by their bytes; what has no
// such keys is merged by comparison.
#include "runtime/sort.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "runtime/buffer.h"
#include "runtime/sort_order.h"
#include "runtime/threads.h"

namespace weft::runtime {
namespace {

// --- the descriptor: 64-bit numbers ---

Sort decode(const std::byte* bytes) {
  const auto next = [&bytes] {
    std::int64_t number = 0;
    std::memcpy(&number, bytes, sizeof number);
    bytes += sizeof number;
    return number;
  };
  Sort what;
  std::vector<std::int64_t> extents(static_cast<std::size_t>(next()));
  for (std::int64_t& extent : extents) extent = next();
  what.shape = Shape(std::span<const std::int64_t>(extents));
  what.dimension = next();
  what.operands.resize(static_cast<std::size_t>(next()));
  for (DType& dtype : what.operands) dtype = static_cast<DType>(next());
  what.keys.resize(static_cast<std::size_t>(next()));
  for (SortKey& key : what.keys) {
    key.operand = next();
    key.order = static_cast<SortKey::Order>(next());
    key.is_descending = next() != 0;
    key.joins_zeros = next() != 0;
    key.joins_nans = next() != 0;
  }
  return what;
}

// --- keys ---

// The element's bits as an unsigned number that orders as the key says. `is_plain` becomes false where
// different elements give one key, `has_nan` true at a NaN.
template <class Bits>
struct KeyMap {
  enum class Kind : std::uint8_t { plain, with_sign, floating } kind = Kind::plain;
  Bits infinity = 0;  // of a float
  bool joins_zeros = false, joins_nans = false, is_descending = false;
  bool is_plain = true, has_nan = false;

  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

  KeyMap(DType dtype, const SortKey& key) : is_descending(key.is_descending) {
    if (is_signed(dtype)) kind = Kind::with_sign;
    if (!is_floating(dtype)) return;
    kind = Kind::floating;
    joins_zeros = key.joins_zeros || key.order == SortKey::Order::number;
    joins_nans = key.joins_nans;
    const std::uint64_t exponents = dtype == f16    ? 0x7c00
                                    : dtype == bf16 ? 0x7f80
                                    : dtype == f32  ? 0x7f800000
                                                    : 0x7ff0000000000000;
    infinity = static_cast<Bits>(exponents);
  }

  Bits operator()(Bits bits) {
    if (kind == Kind::with_sign) bits ^= kSign;
    if (kind == Kind::floating) {
      const Bits magnitude = bits & static_cast<Bits>(~kSign);
      if (magnitude > infinity) {
        has_nan = true;
        if (joins_nans) {
          is_plain = false;
          bits = static_cast<Bits>(~kSign);
        }
      }
      if (joins_zeros && bits == kSign) {
        is_plain = false;
        bits = 0;
      }
      bits ^= (bits & kSign) != 0 ? static_cast<Bits>(~Bits{0}) : kSign;
    }
    return is_descending ? static_cast<Bits>(~bits) : bits;
  }
  // The element of a key, where the map is plain.
  Bits inverse(Bits bits) const {
    if (is_descending) bits = static_cast<Bits>(~bits);
    if (kind == Kind::with_sign) bits ^= kSign;
    if (kind == Kind::floating) bits ^= (bits & kSign) != 0 ? kSign : static_cast<Bits>(~Bits{0});
    return bits;
  }
};

double number_at(DType dtype, const std::byte* element) {
  const auto read = [element](auto value) {
    std::memcpy(&value, element, sizeof value);
    return static_cast<double>(static_cast<std::conditional_t<sizeof value == 8, double, float>>(value));
  };
  if (dtype == f16) return read(float16{});
  if (dtype == bf16) return read(bfloat16{});
  return dtype == f32 ? read(float{}) : read(double{});
}

template <class Visit>
void with_bits(std::size_t size, const Visit& visit) {
  switch (size) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    default:
      return visit(std::uint64_t{});
  }
}

// --- one line ---

struct Job {
  const Sort& what;
  std::byte* const* arrays;
  SortLess less;
  std::int64_t extent, stride;  // of the dimension; the stride counts elements
};

// Index counts the elements of a line.
template <class Index>
class LineSorter {
 public:
  explicit LineSorter(const Job& job) : job_(job), count_(static_cast<std::size_t>(job.extent)) {}

  // The line that begins at this element.
  void sort(std::int64_t first) {
    first_ = first;
    if (job_.what.operands.size() == 1 && job_.what.keys.size() == 1 && sort_values()) return;
    Index* order = space<Index>(0);
    std::iota(order, order + count_, Index{0});
    if (job_.what.keys.empty())
      order = by_comparator(order);
    else if (job_.what.keys[0].order == SortKey::Order::number && has_nan(job_.what.keys[0]))
      order = by_number(order, job_.what.keys[0]);
    else
      for (std::size_t k = job_.what.keys.size(); k-- > 0;) by_key(order, job_.what.keys[k]);
    for (std::size_t i = 0; i < job_.what.operands.size(); ++i) move_elements(i, order);
  }

 private:
  template <class T>
  T* space(std::size_t slot) {
    if (!spaces_[slot] || spaces_[slot].size() < count_ * sizeof(T))
      spaces_[slot] = Buffer::allocate(count_ * sizeof(T));
    return reinterpret_cast<T*>(spaces_[slot].data());
  }
  // The element of an array at a position of the line.
  template <class Bits>
  static Bits read(const std::byte* from) {
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
  }
  std::byte* line(std::size_t array, std::size_t size) const {
    return job_.arrays[array] + static_cast<std::size_t>(first_) * size;
  }
  DType type_of(const SortKey& key) const {
    return job_.what.operands[static_cast<std::size_t>(key.operand)];
  }

  // Keys alone, when elements come back from them. Gives false when they do not.
  bool sort_values() {
    const SortKey& key = job_.what.keys[0];
    bool is_done = false;
    with_bits(size_of(type_of(key)), [&](auto zero) {
      using Bits = decltype(zero);
      KeyMap<Bits> map(type_of(key), key);
      const std::size_t step = static_cast<std::size_t>(job_.stride) * sizeof(Bits);
      Bits* keys = space<Bits>(1);
      const std::byte* from = line(0, sizeof(Bits));
      for (std::size_t i = 0; i < count_; ++i) keys[i] = map(read<Bits>(from + i * step));
      if (!map.is_plain || (map.has_nan && key.order == SortKey::Order::number)) return;
      keys = sorted_by_key(keys, space<Bits>(2), count_);
      std::byte* to = line(1, sizeof(Bits));
      for (std::size_t i = 0; i < count_; ++i) {
        const Bits element = map.inverse(keys[i]);
        std::memcpy(to + i * step, &element, sizeof element);
      }
      is_done = true;
    });
    return is_done;
  }

  void by_key(Index* order, const SortKey& key) {
    with_bits(size_of(type_of(key)), [&](auto zero) {
      using Bits = decltype(zero);
      using Item = Placed<Bits, Index>;
      KeyMap<Bits> map(type_of(key), key);
      const std::size_t step = static_cast<std::size_t>(job_.stride) * sizeof(Bits);
      const std::byte* from = line(static_cast<std::size_t>(key.operand), sizeof(Bits));
      Item* items = space<Item>(1);
      for (std::size_t i = 0; i < count_; ++i)
        items[i] = {map(read<Bits>(from + static_cast<std::size_t>(order[i]) * step)), order[i]};
      items = sorted_by_key(items, space<Item>(2), count_);
      for (std::size_t i = 0; i < count_; ++i) order[i] = items[i].index;
    });
  }

  bool has_nan(const SortKey& key) const {
    if (!is_floating(type_of(key))) return false;
    const std::size_t size = size_of(type_of(key)), step = static_cast<std::size_t>(job_.stride) * size;
    const std::byte* from = line(static_cast<std::size_t>(key.operand), size);
    for (std::size_t i = 0; i < count_; ++i)
      if (std::isnan(number_at(type_of(key), from + i * step))) return true;
    return false;
  }

  Index* by_number(Index* order, const SortKey& key) {
    const std::size_t size = size_of(type_of(key)), step = static_cast<std::size_t>(job_.stride) * size;
    const std::byte* from = line(static_cast<std::size_t>(key.operand), size);
    double* numbers = space<double>(1);
    for (std::size_t i = 0; i < count_; ++i) numbers[i] = number_at(type_of(key), from + i * step);
    Index* merged = space<Index>(2);
    if (key.is_descending)
      return merge_runs(order, merged, count_, 1, [&](Index a, Index b) { return numbers[a] > numbers[b]; });
    return merge_runs(order, merged, count_, 1, [&](Index a, Index b) { return numbers[a] < numbers[b]; });
  }

  Index* by_comparator(Index* order) {
    return merge_runs(order, space<Index>(1), count_, 1, [&](Index a, Index b) {
      return job_.less(job_.arrays, first_ + static_cast<std::int64_t>(a) * job_.stride,
                       first_ + static_cast<std::int64_t>(b) * job_.stride) != 0;
    });
  }

  void move_elements(std::size_t operand, const Index* order) {
    with_bits(size_of(job_.what.operands[operand]), [&](auto zero) {
      using Bits = decltype(zero);
      const std::size_t step = static_cast<std::size_t>(job_.stride) * sizeof(Bits);
      const std::byte* from = line(operand, sizeof(Bits));
      std::byte* to = line(job_.what.operands.size() + operand, sizeof(Bits));
      for (std::size_t i = 0; i < count_; ++i)
        std::memcpy(to + i * step, from + static_cast<std::size_t>(order[i]) * step, sizeof(Bits));
    });
  }

  const Job& job_;
  std::size_t count_;
  std::int64_t first_ = 0;
  Buffer spaces_[3];
};

// --- all lines ---

struct Lines {
  Job job;
  std::int64_t count, blocks;
  std::atomic<bool> is_out_of_memory = false;

  template <class Index>
  void sort(std::int64_t begin, std::int64_t end) {
    LineSorter<Index> sorter(job);
    const std::int64_t inner = job.stride;
    for (std::int64_t line = begin; line < end; ++line)
      sorter.sort(line / inner * inner * job.extent + line % inner);
  }
};

void sort_block(void* context, std::int64_t begin, std::int64_t end) {
  auto& lines = *static_cast<Lines*>(context);
  const std::int64_t first = lines.count * begin / lines.blocks, last = lines.count * end / lines.blocks;
  try {
    if (lines.job.extent <= std::int64_t{UINT32_MAX})
      lines.sort<std::uint32_t>(first, last);
    else
      lines.sort<std::uint64_t>(first, last);
  } catch (...) {
    lines.is_out_of_memory = true;
  }
}

constexpr std::int64_t kMostBlocks = 64;
constexpr std::int64_t kParallelWork = 20'000;  // elements times their bits of rank: about 40 us

bool sort_all(const Sort& what, std::byte* const* arrays, int threads, SortLess less) {
  const int dimension = static_cast<int>(what.dimension);
  const std::int64_t size = what.shape.size();
  if (size == 0) return true;
  std::int64_t stride = 1;
  for (int dim = dimension + 1; dim < what.shape.rank(); ++dim) stride *= what.shape[dim];
  const std::int64_t extent = what.shape[dimension], count = size / extent;
  Lines lines{{what, arrays, less, extent, stride}, count, std::min(count, kMostBlocks), false};
  const std::int64_t work = size * std::bit_width(static_cast<std::uint64_t>(extent));
  parallel_for_blocks(lines.blocks, work < kParallelWork ? 1 : threads, sort_block, &lines);
  return !lines.is_out_of_memory;
}

}  // namespace

std::vector<std::byte> encode(const Sort& what) {
  std::vector<std::int64_t> numbers{what.shape.rank()};
  for (const std::int64_t extent : what.shape) numbers.push_back(extent);
  numbers.push_back(what.dimension);
  numbers.push_back(static_cast<std::int64_t>(what.operands.size()));
  for (const DType dtype : what.operands) numbers.push_back(static_cast<std::int64_t>(dtype));
  numbers.push_back(static_cast<std::int64_t>(what.keys.size()));
  for (const SortKey& key : what.keys)
    for (const std::int64_t number :
         {key.operand, static_cast<std::int64_t>(key.order), std::int64_t{key.is_descending},
          std::int64_t{key.joins_zeros}, std::int64_t{key.joins_nans}})
      numbers.push_back(number);
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
  return {bytes, bytes + numbers.size() * sizeof(std::int64_t)};
}

}  // namespace weft::runtime

extern "C" std::int32_t weft_sort(const std::byte* descriptor, std::byte* const* arrays, std::int32_t threads,
                                  weft::runtime::SortLess less) {
  using namespace weft::runtime;
  try {
    return sort_all(decode(descriptor), arrays, threads, less) ? 0 : 1;
  } catch (...) {
    return 1;
  }
}
