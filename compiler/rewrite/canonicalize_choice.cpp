// Equations of comparisons and selections whose outcome is known.
#include "compiler/rewrite/equations.h"
#include "compiler/rewrite/known_values.h"

namespace weft::rewrite {
namespace {

using ir::Direction;
using ir::Op;

std::optional<Equal> constant_predicate(const Candidate& c, bool truth) {
  return integer_constant(c, truth ? 1 : 0);
}

Direction swapped(Direction direction) {
  switch (direction) {
    case Direction::EQ:
    case Direction::NE:
      return direction;
    case Direction::GE:
      return Direction::LE;
    case Direction::GT:
      return Direction::LT;
    case Direction::LE:
      return Direction::GE;
    case Direction::LT:
      return Direction::GT;
  }
  return direction;
}

Direction negated(Direction direction) {
  switch (direction) {
    case Direction::EQ:
      return Direction::NE;
    case Direction::NE:
      return Direction::EQ;
    case Direction::GE:
      return Direction::LT;
    case Direction::GT:
      return Direction::LE;
    case Direction::LE:
      return Direction::GT;
    case Direction::LT:
      return Direction::GE;
  }
  return direction;
}

// What the ranges of both sides say, if they decide.
std::optional<bool> decided(Direction direction, const Range& a, const Range& b) {
  switch (direction) {
    case Direction::LT:
      if (a.high < b.low) return true;
      if (a.low >= b.high) return false;
      return std::nullopt;
    case Direction::LE:
      if (a.high <= b.low) return true;
      if (a.low > b.high) return false;
      return std::nullopt;
    case Direction::GT:
    case Direction::GE:
      return decided(swapped(direction), b, a);
    case Direction::EQ:
      if (a.high < b.low || a.low > b.high) return false;
      if (a.low == a.high && b.low == b.high && a.low == b.low) return true;
      return std::nullopt;
    case Direction::NE:
      if (const auto equal = decided(Direction::EQ, a, b)) return !*equal;
      return std::nullopt;
  }
  return std::nullopt;
}

// compare(constant, x) -> compare(x, constant), the other way round
std::optional<Equal> compared_constant_to_the_right(const Scene& scene, const Candidate& c) {
  if (c.op != Op::compare || !ir::constant_value(scene.graph(), c.operands[0]) ||
      ir::constant_value(scene.graph(), c.operands[1]))
    return std::nullopt;
  Candidate result = with_operands(c, {c.operands[1], c.operands[0]});
  auto& attributes = std::get<ir::CompareAttributes>(result.attributes);
  attributes.direction = swapped(attributes.direction);
  return Equal{std::move(result)};
}

// compare(x, x) -> true or false; integers and booleans, or by the total order
std::optional<Equal> compare_with_itself(const Scene& scene, const Candidate& c) {
  if (c.op != Op::compare || c.operands[0] != c.operands[1]) return std::nullopt;
  const auto& attributes = std::get<ir::CompareAttributes>(c.attributes);
  if (is_floating(scene.type(c.operands[0]).dtype) && attributes.kind != ir::CompareKind::TOTALORDER)
    return std::nullopt;
  const Direction d = attributes.direction;
  return constant_predicate(c, d == Direction::EQ || d == Direction::GE || d == Direction::LE);
}

// compare(x, y) of integers whose ranges decide -> true or false
std::optional<Equal> compare_of_known_ranges(const Scene& scene, const Candidate& c) {
  if (c.op != Op::compare) return std::nullopt;
  const auto a = range_of(scene.graph(), c.operands[0]), b = range_of(scene.graph(), c.operands[1]);
  if (!a || !b) return std::nullopt;
  const auto outcome = decided(std::get<ir::CompareAttributes>(c.attributes).direction, *a, *b);
  return outcome ? constant_predicate(c, *outcome) : std::nullopt;
}

// not(compare(x, y)) -> the opposite comparison; floats only = and !=, for NaN is neither less nor greater
std::optional<Equal> not_of_compare(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::not_ ? scene.made_by(c.operands[0], Op::compare) : nullptr;
  if (!inner) return std::nullopt;
  ir::CompareAttributes attributes = ir::attributes_of<ir::CompareAttributes>(*inner);
  const bool is_equality = attributes.direction == Direction::EQ || attributes.direction == Direction::NE;
  if (attributes.kind == ir::CompareKind::FLOAT && !is_equality) return std::nullopt;
  attributes.direction = negated(attributes.direction);
  Candidate result = with_operands(c, inner->operands);
  result.op = Op::compare;
  result.attributes = attributes;
  return Equal{std::move(result)};
}

// select(true, a, b) -> a, select(false, a, b) -> b
std::optional<Equal> select_by_known_predicate(const Scene& scene, const Candidate& c) {
  if (c.op != Op::select) return std::nullopt;
  const auto predicate = integer_splat(scene.graph(), c.operands[0]);
  return predicate ? same_value(scene, c, c.operands[*predicate != 0 ? 1 : 2]) : std::nullopt;
}

// select(p, a, a) -> a
std::optional<Equal> select_of_equal_arms(const Scene& scene, const Candidate& c) {
  if (c.op != Op::select || c.operands[1] != c.operands[2]) return std::nullopt;
  return same_value(scene, c, c.operands[1]);
}

// select(not p, a, b) -> select(p, b, a)
std::optional<Equal> select_by_negated_predicate(const Scene& scene, const Candidate& c) {
  const ir::Node* inner = c.op == Op::select ? scene.made_by(c.operands[0], Op::not_) : nullptr;
  if (!inner) return std::nullopt;
  return Equal{with_operands(c, {inner->operands[0], c.operands[2], c.operands[1]})};
}

// select(p, true, false) -> p
std::optional<Equal> select_of_truths(const Scene& scene, const Candidate& c) {
  if (c.op != Op::select || c.type.dtype != DType::b1) return std::nullopt;
  if (integer_splat(scene.graph(), c.operands[1]) != 1 || integer_splat(scene.graph(), c.operands[2]) != 0)
    return std::nullopt;
  return same_value(scene, c, c.operands[0]);
}

constexpr Equation kEquations[] = {
    {"compared_constant_to_the_right", compared_constant_to_the_right},
    {"compare_with_itself", compare_with_itself},
    {"compare_of_known_ranges", compare_of_known_ranges},
    {"not_of_compare", not_of_compare},
    {"select_by_known_predicate", select_by_known_predicate},
    {"select_of_equal_arms", select_of_equal_arms},
    {"select_by_negated_predicate", select_by_negated_predicate},
    {"select_of_truths", select_of_truths},
};

}  // namespace

std::span<const Equation> choice_equations() { return kEquations; }

}  // namespace weft::rewrite
