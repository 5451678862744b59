// Recognises what the body of a reduction does: by its one operation, or by its answers to every order of a
// pair.
#include "compiler/ir/reductions.h"

#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <weft/error.h>

namespace weft::ir {
namespace {

constexpr ReductionInfo kInfos[] = {
#define REDUCTION(name, combine, summary) {#name, Op::combine, true},
#include "compiler/ir/reductions.def"
#undef REDUCTION
};

std::optional<ReductionKind> kind_from(Op op) {
  for (std::size_t i = 0; i < std::size(kInfos); ++i)
    if (kInfos[i].combine == op) return static_cast<ReductionKind>(i);
  return std::nullopt;
}

template <class T>
Literal literal_of(DType dtype, T value) {
  return Literal::splat(dtype, Shape{}, &value);
}

// The least or greatest value of a dtype: infinities for floats.
Literal extreme(DType dtype, bool greatest) {
  switch (dtype) {
    case DType::b1:
      return literal_of(dtype, greatest);
    case DType::f16:
      return literal_of(dtype, float16::from_bits(greatest ? 0x7c00 : 0xfc00));
    case DType::bf16:
      return literal_of(dtype, bfloat16::from_bits(greatest ? 0x7f80 : 0xff80));
    case DType::f32:
      return Literal::scalar(dtype, greatest ? HUGE_VAL : -HUGE_VAL);
    case DType::f64:
      return Literal::scalar(dtype, greatest ? HUGE_VAL : -HUGE_VAL);
#define INTEGER(name, cpp)        \
  case DType::name:               \
    return literal_of<cpp>(dtype, \
                           greatest ? std::numeric_limits<cpp>::max() : std::numeric_limits<cpp>::min());
      INTEGER(i8, std::int8_t)
      INTEGER(i16, std::int16_t)
      INTEGER(i32, std::int32_t)
      INTEGER(i64, std::int64_t)
      INTEGER(u8, std::uint8_t)
      INTEGER(u16, std::uint16_t)
      INTEGER(u32, std::uint32_t)
      INTEGER(u64, std::uint64_t)
#undef INTEGER
    case DType::c64:
    case DType::c128:
      break;
  }
  throw InternalError("identity_of: complex numbers have no order");
}

}  // namespace

const ReductionInfo& info_of(ReductionKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

Literal identity_of(ReductionKind kind, DType dtype) {
  switch (kind) {
    case ReductionKind::sum:
    case ReductionKind::any:
    case ReductionKind::parity:
      return Literal::scalar_integer(dtype, 0);
    case ReductionKind::product:
      return Literal::scalar_integer(dtype, 1);
    case ReductionKind::minimum:
      return extreme(dtype, true);
    case ReductionKind::maximum:
      return extreme(dtype, false);
    case ReductionKind::all:
      return Literal::scalar_integer(dtype, dtype == DType::b1 ? 1 : -1);
  }
  throw InternalError("identity_of: unknown kind");
}

bool Reducer::all_standard() const {
  for (const auto& component : components)
    if (!component) return false;
  return !components.empty();
}

namespace {

enum class Order : std::uint8_t { less, equal, greater, left_nan, right_nan, both_nan };

// What a value of the body is, for one order of the keys and one of the payloads.
struct Answer {
  enum class Kind : std::uint8_t { unknown, argument, truth } kind = Kind::unknown;
  ValueId argument = kNone;
  bool truth = false;
  static Answer of(bool truth) { return {Kind::truth, kNone, truth}; }
};

// Pairs of key and payload times operations of the body: wider bodies are not worth the search.
constexpr std::size_t kMaxSearch = 1 << 16;

class BodyReader {
 public:
  BodyReader(const Graph& graph, RegionId body)
      : graph_(graph), region_(graph.region(body)), count_(region_.results.size()) {}

  std::optional<Selection> read() const {
    if (count_ * count_ * region_.nodes.size() > kMaxSearch) return std::nullopt;
    for (std::size_t key = 0; key < count_; ++key) {
      if (auto selection = selection_by(key, std::nullopt)) return selection;
      for (std::size_t payload = 0; payload < count_; ++payload)
        if (payload != key && is_integer(dtype(payload)))
          if (auto selection = selection_by(key, payload)) return selection;
    }
    return std::nullopt;
  }

 private:
  DType dtype(std::size_t operand) const { return graph_.type(region_.arguments[operand]).dtype; }

  // Which side wins: false the accumulator, true the element; nothing if the body is not a choice here.
  std::optional<bool> winner(std::size_t key, std::optional<std::size_t> payload, Order keys,
                             Order payloads) const {
    std::unordered_map<ValueId, Answer> answers;
    for (ValueId argument : region_.arguments) answers[argument] = {Answer::Kind::argument, argument, false};
    for (NodeId id : region_.nodes) {
      const Node& node = graph_.node(id);
      if (node.results.size() != 1) return std::nullopt;
      answers[node.results[0]] = answer(node, answers, key, payload, keys, payloads);
    }
    std::optional<bool> side;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto found = answers.find(region_.results[i]);
      if (found == answers.end() || found->second.kind != Answer::Kind::argument) return std::nullopt;
      const ValueId chosen = found->second.argument;
      const bool is_element = chosen == region_.arguments[count_ + i];
      if (!is_element && chosen != region_.arguments[i]) return std::nullopt;
      // Equal keys are the same on both sides, so the key itself may come from either.
      if (i == key && keys == Order::equal && count_ > 1) continue;
      if (side && *side != is_element) return std::nullopt;
      side = is_element;
    }
    return side;
  }

  Answer answer(const Node& node, const std::unordered_map<ValueId, Answer>& answers, std::size_t key,
                std::optional<std::size_t> payload, Order keys, Order payloads) const {
    const auto operand = [&](std::size_t i) {
      const auto found = answers.find(node.operands[i]);
      return found == answers.end() ? Answer{} : found->second;
    };
    const auto truths = [&](std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        if (operand(i).kind != Answer::Kind::truth) return false;
      return true;
    };
    if (node.op == Op::constant) {
      const Literal& literal = attributes_of<ConstantAttributes>(node).value;
      return literal.type.dtype == DType::b1 ? Answer::of(literal.at<bool>(0)) : Answer{};
    }
    if (node.op == Op::select && operand(0).kind == Answer::Kind::truth)
      return operand(operand(0).truth ? 1 : 2);
    if (node.op == Op::not_ && truths(1)) return Answer::of(!operand(0).truth);
    if (node.op == Op::and_ && truths(2)) return Answer::of(operand(0).truth && operand(1).truth);
    if (node.op == Op::or_ && truths(2)) return Answer::of(operand(0).truth || operand(1).truth);
    if (node.op == Op::xor_ && truths(2)) return Answer::of(operand(0).truth != operand(1).truth);
    if (node.op != Op::compare) return {};
    const auto& compare = attributes_of<CompareAttributes>(node);
    if (compare.kind == CompareKind::TOTALORDER) return {};
    const Answer a = operand(0), b = operand(1);
    if (a.kind == Answer::Kind::truth && b.kind == Answer::Kind::truth && compare.direction == Direction::EQ)
      return Answer::of(a.truth == b.truth);
    if (a.kind == Answer::Kind::truth && b.kind == Answer::Kind::truth && compare.direction == Direction::NE)
      return Answer::of(a.truth != b.truth);
    if (a.kind != Answer::Kind::argument || b.kind != Answer::Kind::argument) return {};
    if (const auto order = order_of(a.argument, b.argument, key, keys))
      return Answer::of(holds(compare.direction, *order));
    if (payload)
      if (const auto order = order_of(a.argument, b.argument, *payload, payloads))
        return Answer::of(holds(compare.direction, *order));
    return {};
  }

  // How two arguments compare when both are sides of `operand`, whose accumulator and element stand in
  // `sides`.
  std::optional<Order> order_of(ValueId a, ValueId b, std::size_t operand, Order sides) const {
    const ValueId left = region_.arguments[operand], right = region_.arguments[count_ + operand];
    if ((a != left && a != right) || (b != left && b != right)) return std::nullopt;
    if (a == b) {
      const bool is_nan = sides == Order::both_nan || (sides == Order::left_nan && a == left) ||
                          (sides == Order::right_nan && a == right);
      return is_nan ? Order::both_nan : Order::equal;
    }
    if (a == left) return sides;
    switch (sides) {
      case Order::less:
        return Order::greater;
      case Order::greater:
        return Order::less;
      case Order::left_nan:
        return Order::right_nan;
      case Order::right_nan:
        return Order::left_nan;
      case Order::equal:
      case Order::both_nan:
        return sides;
    }
    return std::nullopt;
  }

  static bool holds(Direction direction, Order order) {
    const bool less = order == Order::less, equal = order == Order::equal, greater = order == Order::greater;
    switch (direction) {
      case Direction::EQ:
        return equal;
      case Direction::NE:
        return !equal;
      case Direction::GE:
        return greater || equal;
      case Direction::GT:
        return greater;
      case Direction::LE:
        return less || equal;
      case Direction::LT:
        return less;
    }
    return false;
  }

  static constexpr std::array kPayloadOrders = {Order::less, Order::equal, Order::greater};

  // The winner for an order of keys when it is the same for every order of payloads.
  std::optional<bool> steady_winner(std::size_t key, std::optional<std::size_t> payload, Order keys) const {
    std::optional<bool> side;
    for (Order payloads : kPayloadOrders) {
      const auto here = winner(key, payload, keys, payloads);
      if (!here || (side && *side != *here)) return std::nullopt;
      side = here;
    }
    return side;
  }

  std::optional<Selection> selection_by(std::size_t key, std::optional<std::size_t> payload) const {
    Selection selection;
    selection.key = key;
    selection.tie_payload = payload.value_or(0);
    const auto less = steady_winner(key, payload, Order::less),
               greater = steady_winner(key, payload, Order::greater);
    if (!less || !greater || *less == *greater) return std::nullopt;
    selection.is_minimum = !*less;
    if (!read_nan(selection, payload)) return std::nullopt;
    std::array<std::optional<bool>, 3> ties;
    for (std::size_t i = 0; i < 3; ++i) ties[i] = winner(key, payload, Order::equal, kPayloadOrders[i]);
    if (count_ == 1) ties.fill(winner(key, payload, Order::equal, Order::equal));
    if (!ties[0] || !ties[1] || !ties[2]) return std::nullopt;
    if (*ties[0] == *ties[2]) {
      if (*ties[1] != *ties[0]) return std::nullopt;
      selection.tie = *ties[0] ? Selection::Tie::last : Selection::Tie::first;
    } else {
      // Of a third operand the accumulator's must stay when even the payloads are equal.
      if (count_ > 2 && *ties[1]) return std::nullopt;
      selection.tie = *ties[0] ? Selection::Tie::larger_payload : Selection::Tie::smaller_payload;
    }
    return selection;
  }

  // "wins" when any NaN beats every number and the first NaN stays.
  bool read_nan(Selection& selection, std::optional<std::size_t> payload) const {
    if (!is_floating(dtype(selection.key))) {
      selection.nan = Selection::Nan::never;
      return is_integer(dtype(selection.key)) || dtype(selection.key) == DType::b1;
    }
    const auto left = steady_winner(selection.key, payload, Order::left_nan);
    const auto right = steady_winner(selection.key, payload, Order::right_nan);
    const auto both = steady_winner(selection.key, payload, Order::both_nan);
    const bool wins = left && right && both && !*left && *right && !*both;
    selection.nan = wins ? Selection::Nan::wins : Selection::Nan::other;
    return true;
  }

  const Graph& graph_;
  const Region& region_;
  std::size_t count_;
};

std::optional<ReductionKind> standard_component(const Graph& graph, const Region& region, std::size_t index) {
  const NodeId id = graph.value(region.results[index]).node;
  if (id == kNone) return std::nullopt;
  const Node& node = graph.node(id);
  if (node.operands.size() != 2) return std::nullopt;
  const ValueId left = region.arguments[index], right = region.arguments[region.results.size() + index];
  const bool both = (node.operands[0] == left && node.operands[1] == right) ||
                    (node.operands[0] == right && node.operands[1] == left);
  return both ? kind_from(node.op) : std::nullopt;
}

}  // namespace

Reducer classify_reducer(const Graph& graph, RegionId body) {
  const Region& region = graph.region(body);
  Reducer reducer;
  for (std::size_t i = 0; i < region.results.size(); ++i)
    reducer.components.push_back(standard_component(graph, region, i));
  if (!reducer.all_standard() && region.arguments.size() == 2 * region.results.size())
    reducer.selection = BodyReader(graph, body).read();
  return reducer;
}

}  // namespace weft::ir
