// Orders of unsigned keys: what sorting numbers comes down to once they are mapped to bits that order alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weft::runtime {

// A key and where it came from; or a key alone.
template <class Key, class Index>
struct Placed {
  Key key;
  Index index;
};
template <class Key, class Index>
Key key_of(const Placed<Key, Index>& item) {
  return item.key;
}
template <class Key>
requires std::is_integral_v<Key> Key key_of(Key key) { return key; }

// Runs of 1, 2, 4 … are merged; the right one goes first only where it is less. `order` and `merged` have
// `count` places; gives the one of them that holds the answer.
template <class Item, class Less>
Item* merge_runs(Item* order, Item* merged, std::size_t count, std::size_t width, const Less& less) {
  for (; width < count; width *= 2) {
    for (std::size_t low = 0; low < count; low += 2 * width) {
      const std::size_t middle = std::min(low + width, count), high = std::min(low + 2 * width, count);
      std::size_t left = low, right = middle;
      for (std::size_t k = low; k < high; ++k) {
        const bool takes_right = left == middle || (right < high && less(order[right], order[left]));
        merged[k] = order[takes_right ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
  return order;
}

inline constexpr std::size_t kShortRun = 16;  // sorted by insertion

template <class Item>
void insert_runs(Item* items, std::size_t count) {
  for (std::size_t low = 0; low < count; low += kShortRun) {
    const std::size_t high = std::min(low + kShortRun, count);
    for (std::size_t i = low + 1; i < high; ++i) {
      const Item item = items[i];
      std::size_t at = i;
      for (; at > low && key_of(item) < key_of(items[at - 1]); --at) items[at] = items[at - 1];
      items[at] = item;
    }
  }
}

// One byte of the keys after another, the lowest first; bytes that all keys share are left out.
template <class Item>
Item* radix_sorted(Item* items, Item* other, std::size_t count) {
  using Key = decltype(key_of(*items));
  constexpr std::size_t kBytes = sizeof(Key);
  std::array<std::array<std::size_t, 256>, kBytes> places{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < kBytes; ++byte)
      ++places[byte][static_cast<std::uint8_t>(key_of(items[i]) >> (8 * byte))];
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    const auto digit = [byte](const Item& item) {
      return static_cast<std::uint8_t>(key_of(item) >> (8 * byte));
    };
    std::array<std::size_t, 256>& place = places[byte];
    if (place[digit(items[0])] == count) continue;
    std::size_t start = 0;
    for (std::size_t& each : place) start += std::exchange(each, start);
    for (std::size_t i = 0; i < count; ++i) other[place[digit(items[i])]++] = items[i];
    std::swap(items, other);
  }
  return items;
}

// Stable. Gives the one of both arrays that holds the answer.
template <class Item>
Item* sorted_by_key(Item* items, Item* other, std::size_t count) {
  using Key = decltype(key_of(*items));
  if (count > 256 * sizeof(Key)) return radix_sorted(items, other, count);
  insert_runs(items, count);
  return merge_runs(items, other, count, kShortRun,
                    [](const Item& a, const Item& b) { return key_of(a) < key_of(b); });
}

}  // namespace weft::runtime
