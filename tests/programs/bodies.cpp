// Each body builds its operations in the region of a reduction.
#include "tests/programs/bodies.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Direction;
using ir::Op;
using ir::ValueId;

}  // namespace

std::vector<InOrder> in_order_bodies() {
  const auto mul = [](Builder& b, ValueId x, ValueId y) { return b.op(Op::multiply, {x, y}); };
  const auto add = [](Builder& b, ValueId x, ValueId y) { return b.op(Op::add, {x, y}); };
  return {{"last", 1, 3, [](Builder&, const auto& v) { return std::vector{v[1]}; }, true},
          {"first", 1, 3, [](Builder&, const auto& v) { return std::vector{v[0]}; }, true},
          {"difference", 1, 3,
           [](Builder& b, const auto& v) {
             return std::vector{b.op(Op::subtract, {v[0], v[1]})};
           }},
          {"reversed difference", 1, 3,
           [](Builder& b, const auto& v) {
             return std::vector{b.op(Op::subtract, {v[1], v[0]})};
           }},
          {"horner", 1, 1,
           [=](Builder& b, const auto& v) {
             return std::vector{add(b, mul(b, v[0], b.scalar(b.type(v[0]).dtype, 3)), v[1])};
           }},
          {"sum and last", 2, 0,
           [=](Builder& b, const auto& v) {
             return std::vector{add(b, v[0], v[2]), v[3]};
           }},
          {"crossed", 2, 1,
           [=](Builder& b, const auto& v) {
             return std::vector{add(b, v[1], v[2]), b.op(Op::subtract, {v[0], v[3]})};
           }},
          {"matrix product", 4, 1,
           [=](Builder& b, const auto& v) {
             return std::vector{add(b, mul(b, v[0], v[4]), mul(b, v[1], v[6])),
                                add(b, mul(b, v[0], v[5]), mul(b, v[1], v[7])),
                                add(b, mul(b, v[2], v[4]), mul(b, v[3], v[6])),
                                add(b, mul(b, v[2], v[5]), mul(b, v[3], v[7]))};
           },
           true},
          {"composed affine maps", 2, 1,
           [=](Builder& b, const auto& v) {
             return std::vector{mul(b, v[0], v[2]), add(b, mul(b, v[1], v[2]), v[3])};
           },
           true}};
}

std::vector<ValueId> reduce_in_order(Program& program, const InOrder& row, const ir::Type& type,
                                     const ir::Dims& axes) {
  std::vector<ValueId> operands, inits;
  for (std::size_t k = 0; k < row.count; ++k) {
    operands.push_back(program.argument(type));
    inits.push_back(program.builder.scalar(type.dtype, row.init + static_cast<double>(k % 2)));
  }
  return reduce_by(program.builder, operands, inits, axes, row.body);
}

std::vector<Spelling> spellings() {
  return {{"argmin", Direction::LT, Tie::by_index, Nan::wins},
          {"argmax", Direction::GT, Tie::by_index, Nan::wins},
          {"plain argmin", Direction::LT, Tie::none, Nan::loses},
          {"plain argmax", Direction::GT, Tie::none, Nan::loses},
          {"last argmin", Direction::LT, Tie::keep_last, Nan::wins},
          {"last argmax", Direction::GT, Tie::keep_last, Nan::loses},
          {"argmin, NaN loses", Direction::LT, Tie::by_index, Nan::loses}};
}

Body selection(const Spelling& spelling) {
  return [direction = spelling.direction, tie = spelling.tie, nan = spelling.nan](
             Builder& b, const std::vector<ValueId>& v) {
    const ValueId ak = v[0], ai = v[1], bk = v[2], bi = v[3];
    const bool strict = tie != Tie::keep_last;
    const Direction exact = direction == Direction::LT ? (strict ? Direction::LT : Direction::LE)
                                                       : (strict ? Direction::GT : Direction::GE);
    // With keep_last the element wins unless the accumulator is strictly better: spelled from the element's
    // side.
    ValueId wins =
        tie == Tie::keep_last ? b.op(Op::not_, {b.compare(exact, bk, ak)}) : b.compare(exact, ak, bk);
    if (nan == Nan::wins) wins = b.op(Op::or_, {wins, b.compare(Direction::NE, ak, ak)});
    ValueId first = wins;
    if (tie == Tie::by_index) {
      const ValueId equal = b.compare(Direction::EQ, ak, bk);
      first = b.op(Op::or_, {wins, b.op(Op::and_, {equal, b.compare(Direction::LT, ai, bi)})});
    }
    return std::vector{b.select(wins, ak, bk), b.select(first, ai, bi)};
  };
}

}  // namespace weft::sweep
