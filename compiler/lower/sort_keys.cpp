// Reads a comparator from its result backwards.
#include "compiler/lower/sort_keys.h"

#include <algorithm>
#include <cmath>

#include "runtime/element.h"

namespace weft::lower {
namespace {

using ir::Op;
using ir::ValueId;
using runtime::SortKey;

// One side of a comparison: an argument, perhaps with zeros or NaN made one.
struct Side {
  std::size_t argument = 0;
  bool joins_zeros = false, joins_nans = false;
};

class Reader {
 public:
  Reader(const ir::Graph& graph, const ir::Region& body) : graph_(graph), body_(body) {}

  std::optional<std::vector<SortKey>> keys() const {
    std::vector<SortKey> keys;
    ValueId rest = body_.results[0];
    while (const ir::Node* either = made_by(rest, Op::or_)) {
      const auto weight = weighed(*either, 0) ? weighed(*either, 0) : weighed(*either, 1);
      if (!weight) return std::nullopt;
      keys.push_back(weight->key);
      rest = weight->rest;
    }
    const auto last = ordered(rest);
    if (!last) return std::nullopt;
    keys.push_back(*last);
    const auto is_number = [](const SortKey& key) { return key.order == SortKey::Order::number; };
    if (keys.size() > 1 && std::any_of(keys.begin(), keys.end(), is_number)) return std::nullopt;
    return keys;
  }

 private:
  const ir::Node* made_by(ValueId value, Op op) const {
    const ir::NodeId id = graph_.value(value).node;
    return id != ir::kNone && graph_.node(id).op == op ? &graph_.node(id) : nullptr;
  }

  // The one element of a constant float.
  std::optional<double> number(ValueId value) const {
    const ir::Literal* literal = ir::constant_value(graph_, value);
    if (!literal || literal->type.size() == 0 || !is_floating(literal->type.dtype)) return std::nullopt;
    return runtime::element_as_double(literal->type.dtype, literal->buffer.data());
  }
  bool is_plus_zero(ValueId value) const {
    const auto constant = number(value);
    return constant && *constant == 0 && !std::signbit(*constant);
  }
  bool is_plus_nan(ValueId value) const {
    const auto constant = number(value);
    return constant && std::isnan(*constant) && !std::signbit(*constant);
  }

  // select(x == 0, 0, x) and select(x != x, NaN, x).
  std::optional<Side> side(ValueId value) const {
    Side result;
    while (const ir::Node* select = made_by(value, Op::select)) {
      const ir::Node* test = made_by(select->operands[0], Op::compare);
      if (!test) return std::nullopt;
      const auto& compare = ir::attributes_of<ir::CompareAttributes>(*test);
      if (compare.kind != ir::CompareKind::FLOAT) return std::nullopt;
      const bool is_equal = compare.direction == ir::Direction::EQ;
      if (!is_equal && compare.direction != ir::Direction::NE) return std::nullopt;
      const ValueId a = test->operands[0], b = test->operands[1];
      // With `one` in place of the elements that are made one, and `other` for the rest.
      const bool is_nan_test = a == b;
      const bool swaps = is_equal == is_nan_test;
      const ValueId one = select->operands[swaps ? 2 : 1], other = select->operands[swaps ? 1 : 2];
      if (is_nan_test) {
        if (other != a || !is_plus_nan(one)) return std::nullopt;
        result.joins_nans = true;
      } else {
        const bool compares_zero = (other == a && number(b) == 0.0) || (other == b && number(a) == 0.0);
        if (!compares_zero || !is_plus_zero(one)) return std::nullopt;
        result.joins_zeros = true;
      }
      value = other;
    }
    const auto found = std::find(body_.arguments.begin(), body_.arguments.end(), value);
    if (found == body_.arguments.end()) return std::nullopt;
    result.argument = static_cast<std::size_t>(found - body_.arguments.begin());
    return result;
  }

  // The key of a comparison between both elements of one operand; `is_descending` when the right one comes
  // first in it.
  std::optional<SortKey> key_of(const ir::Node& compare) const {
    const auto left = side(compare.operands[0]), right = side(compare.operands[1]);
    if (!left || !right || (left->argument ^ right->argument) != 1) return std::nullopt;
    if (left->joins_zeros != right->joins_zeros || left->joins_nans != right->joins_nans) return std::nullopt;
    SortKey key;
    key.operand = static_cast<std::int64_t>(left->argument / 2);
    key.is_descending = left->argument % 2 != 0;
    key.joins_zeros = left->joins_zeros;
    key.joins_nans = left->joins_nans;
    if (ir::attributes_of<ir::CompareAttributes>(compare).kind == ir::CompareKind::FLOAT)
      key.order = SortKey::Order::number;
    return key;
  }

  std::optional<SortKey> ordered(ValueId value) const {
    const ir::Node* compare = made_by(value, Op::compare);
    if (!compare) return std::nullopt;
    const ir::Direction direction = ir::attributes_of<ir::CompareAttributes>(*compare).direction;
    if (direction != ir::Direction::LT && direction != ir::Direction::GT) return std::nullopt;
    auto key = key_of(*compare);
    if (key && direction == ir::Direction::GT) key->is_descending = !key->is_descending;
    return key;
  }

  bool compares_equal(ValueId value, SortKey key) const {
    const ir::Node* compare = made_by(value, Op::compare);
    if (!compare || ir::attributes_of<ir::CompareAttributes>(*compare).direction != ir::Direction::EQ)
      return false;
    auto same = key_of(*compare);
    if (same) same->is_descending = key.is_descending;
    return same == key;
  }

  // (k < l) | ((k == l) & rest), with the first of them at `place`.
  struct Weight {
    SortKey key;
    ValueId rest;
  };
  std::optional<Weight> weighed(const ir::Node& either, std::size_t place) const {
    const auto key = ordered(either.operands[place]);
    const ir::Node* both = made_by(either.operands[1 - place], Op::and_);
    if (!key || !both) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i)
      if (compares_equal(both->operands[i], *key)) return Weight{*key, both->operands[1 - i]};
    return std::nullopt;
  }

  const ir::Graph& graph_;
  const ir::Region& body_;
};

}  // namespace

std::optional<std::vector<SortKey>> sort_keys_of(const ir::Graph& graph, const ir::Node& sort) {
  return Reader(graph, graph.region(sort.regions[0])).keys();
}

}  // namespace weft::lower
