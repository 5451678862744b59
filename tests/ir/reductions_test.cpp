// What is known about reducers: identities of the standard kinds, and the many spellings of argmin and
// argmax.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/reductions.h"
#include "tests/ir/program.h"

namespace weft::ir {
namespace {

template <class T>
T identity(ReductionKind kind, DType dtype) {
  const Literal literal = identity_of(kind, dtype);
  EXPECT_EQ(literal.type, (Type{Shape{}, dtype}));
  return literal.at<T>(0);
}

TEST(Identities, OfIntegersAndBooleans) {
  EXPECT_EQ(identity<std::int32_t>(ReductionKind::sum, DType::i32), 0);
  EXPECT_EQ(identity<std::uint8_t>(ReductionKind::product, DType::u8), 1);
  EXPECT_EQ(identity<std::int8_t>(ReductionKind::minimum, DType::i8), 127);
  EXPECT_EQ(identity<std::int64_t>(ReductionKind::maximum, DType::i64), INT64_MIN);
  EXPECT_EQ(identity<std::uint64_t>(ReductionKind::maximum, DType::u64), 0u);
  EXPECT_EQ(identity<std::uint16_t>(ReductionKind::all, DType::u16), 0xffff);
  EXPECT_EQ(identity<std::int32_t>(ReductionKind::parity, DType::i32), 0);
  EXPECT_TRUE(identity<bool>(ReductionKind::all, DType::b1));
  EXPECT_FALSE(identity<bool>(ReductionKind::any, DType::b1));
  EXPECT_TRUE(identity<bool>(ReductionKind::minimum, DType::b1));
  EXPECT_FALSE(identity<bool>(ReductionKind::maximum, DType::b1));
  EXPECT_TRUE(identity<bool>(ReductionKind::product, DType::b1));
}

TEST(Identities, OfFloats) {
  EXPECT_EQ(identity<float>(ReductionKind::sum, DType::f32), 0);
  EXPECT_EQ(identity<double>(ReductionKind::minimum, DType::f64), HUGE_VAL);
  EXPECT_EQ(identity<float>(ReductionKind::maximum, DType::f32), -HUGE_VALF);
  EXPECT_EQ(identity<float16>(ReductionKind::sum, DType::f16).bits, 0);
  EXPECT_EQ(identity<float16>(ReductionKind::product, DType::f16).bits, 0x3c00);
  EXPECT_EQ(identity<float16>(ReductionKind::minimum, DType::f16).bits, 0x7c00);
  EXPECT_EQ(identity<float16>(ReductionKind::maximum, DType::f16).bits, 0xfc00);
  EXPECT_EQ(identity<bfloat16>(ReductionKind::product, DType::bf16).bits, 0x3f80);
  EXPECT_EQ(identity<bfloat16>(ReductionKind::minimum, DType::bf16).bits, 0x7f80);
  EXPECT_EQ(identity<bfloat16>(ReductionKind::maximum, DType::bf16).bits, 0xff80);
}

// A reducer of a key and a place, as the body of a function so that it can also be run.
struct Reduced : Program {
  DType key_type;
  ValueId key, place, other, other_place;
  explicit Reduced(DType type = DType::f32)
      : key_type(type),
        key(argument({}, type)),
        place(argument({}, DType::i32)),
        other(argument({}, type)),
        other_place(argument({}, DType::i32)) {}

  ValueId compare(Direction direction, ValueId a, ValueId b) { return builder.compare(direction, a, b); }
  ValueId both(ValueId a, ValueId b) { return builder.op(Op::and_, {a, b}); }
  ValueId either(ValueId a, ValueId b) { return builder.op(Op::or_, {a, b}); }
  ValueId negated(ValueId a) { return builder.op(Op::not_, {a}); }
  ValueId is_nan(ValueId a) { return compare(Direction::NE, a, a); }
  void keep_if(ValueId keeps) { keep_if(keeps, keeps); }
  void keep_if(ValueId keeps_key, ValueId keeps_place) {
    returns({builder.select(keeps_key, key, other), builder.select(keeps_place, place, other_place)});
  }
  void take_if(ValueId takes) {
    returns({builder.select(takes, other, key), builder.select(takes, other_place, place)});
  }
  Reducer classified() const { return classify_reducer(graph, body); }
};

std::string described(const Reducer& reducer) {
  if (reducer.all_standard()) return "standard";
  if (!reducer.selection) return "neither";
  const Selection& selection = *reducer.selection;
  std::string text = selection.is_minimum ? "min" : "max";
  text += selection.nan == Selection::Nan::wins    ? ", nan wins"
          : selection.nan == Selection::Nan::never ? ""
                                                   : ", nan other";
  switch (selection.tie) {
    case Selection::Tie::first:
      return text + ", first";
    case Selection::Tie::last:
      return text + ", last";
    case Selection::Tie::smaller_payload:
      return text + ", smaller of " + std::to_string(selection.tie_payload);
    case Selection::Tie::larger_payload:
      return text + ", larger of " + std::to_string(selection.tie_payload);
  }
  return text;
}

// Which side a selection says must win; nothing where it says nothing.
std::optional<bool> takes_other(const Selection& selection, float key, float other, int place,
                                int other_place) {
  if (std::isnan(key) || std::isnan(other)) {
    if (selection.nan != Selection::Nan::wins) return std::nullopt;
    return !std::isnan(key);
  }
  if (key != other) return (other < key) == selection.is_minimum;
  switch (selection.tie) {
    case Selection::Tie::first:
      return false;
    case Selection::Tie::last:
      return true;
    case Selection::Tie::smaller_payload:
      return other_place < place;
    case Selection::Tie::larger_payload:
      return other_place > place;
  }
  return std::nullopt;
}

Literal scalar(DType dtype, double value) {
  Literal literal = Literal::scalar(dtype, value);
  literal.is_splat = false;
  return literal;
}

// The body, run on every pair of a few keys and places, does what its classification says.
void expect_runs_as_described(const Reduced& body) {
  const Selection selection = body.classified().selection.value();
  const std::vector<double> keys = is_floating(body.key_type)
                                       ? std::vector<double>{-HUGE_VAL, -1, 0, 2, HUGE_VAL, NAN}
                                       : std::vector<double>{0, 1, 2};
  for (double key : keys)
    for (double other : keys)
      for (int place : {0, 1, 2})
        for (int other_place : {0, 1, 2}) {
          const auto takes =
              takes_other(selection, static_cast<float>(key), static_cast<float>(other), place, other_place);
          if (!takes) continue;
          const Literal key_literal = scalar(body.key_type, key),
                        other_literal = scalar(body.key_type, other);
          const auto results = interpreter::interpret(
              body.graph,
              {key_literal, scalar(DType::i32, place), other_literal, scalar(DType::i32, other_place)});
          EXPECT_EQ(results[1].at<std::int32_t>(0), *takes ? other_place : place) << key << " " << other;
          EXPECT_TRUE(results[0] == (*takes ? other_literal : key_literal)) << key << " " << other;
        }
}

void expect_selection(const std::string& wanted, const std::function<void(Reduced&)>& write,
                      DType key = DType::f32) {
  Reduced body(key);
  write(body);
  ASSERT_EQ(described(body.classified()), wanted);
  EXPECT_EQ(body.classified().selection->key, 0u);
  expect_runs_as_described(body);
}
void expect_neither(const std::function<void(Reduced&)>& write) {
  Reduced body;
  write(body);
  EXPECT_EQ(described(body.classified()), "neither");
}

using enum Direction;

TEST(Selections, PlainComparisons) {
  expect_selection("min, nan other, last", [](Reduced& r) { r.keep_if(r.compare(LT, r.key, r.other)); });
  expect_selection("min, nan other, first", [](Reduced& r) { r.keep_if(r.compare(LE, r.key, r.other)); });
  expect_selection("max, nan other, first", [](Reduced& r) { r.keep_if(r.compare(GE, r.key, r.other)); });
  expect_selection("min, nan other, first", [](Reduced& r) { r.take_if(r.compare(LT, r.other, r.key)); });
  expect_selection("max, nan other, first", [](Reduced& r) { r.take_if(r.compare(LT, r.key, r.other)); });
  expect_selection("max, nan other, last", [](Reduced& r) { r.take_if(r.compare(LE, r.key, r.other)); });
}

TEST(Selections, IntegerKeysHaveNoNan) {
  expect_selection(
      "min, first", [](Reduced& r) { r.keep_if(r.compare(LE, r.key, r.other)); }, DType::u8);
  expect_selection(
      "max, last", [](Reduced& r) { r.keep_if(r.compare(GT, r.key, r.other)); }, DType::i64);
}

// As JAX writes argmin and argmax: key and place are chosen by different predicates.
void jax_style(Reduced& r, Direction better) {
  const ValueId keeps = r.either(r.compare(better, r.key, r.other), r.is_nan(r.key));
  const ValueId tie = r.both(r.compare(EQ, r.key, r.other), r.compare(LT, r.place, r.other_place));
  r.keep_if(keeps, r.either(keeps, tie));
}

TEST(Selections, KeysOfTiesMayComeFromEitherSide) {
  expect_selection("min, nan wins, smaller of 1", [](Reduced& r) { jax_style(r, LT); });
  expect_selection("max, nan wins, smaller of 1", [](Reduced& r) { jax_style(r, GT); });
  expect_selection(
      "max, nan wins, smaller of 1", [](Reduced& r) { jax_style(r, GT); }, DType::bf16);
}

TEST(Selections, NanHandlingInOtherWords) {
  expect_selection(
      "min, nan wins, first", [](Reduced& r) {  // keeps unless the other is less, or is the first NaN
        const ValueId takes =
            r.either(r.compare(LT, r.other, r.key), r.both(r.is_nan(r.other), r.negated(r.is_nan(r.key))));
        r.take_if(takes);
      });
  expect_selection("max, nan wins, first", [](Reduced& r) {  // a NaN other is no less and no greater
    r.keep_if(r.either(r.compare(GE, r.key, r.other), r.is_nan(r.key)));
  });
  expect_selection("min, nan wins, first", [](Reduced& r) {
    r.take_if(r.both(r.negated(r.compare(LE, r.key, r.other)), r.compare(EQ, r.key, r.key)));
  });
  expect_selection("min, nan wins, first", [](Reduced& r) {  // a choice between predicates
    const ValueId yes = r.builder.scalar(DType::b1, 1);
    r.keep_if(r.builder.select(r.is_nan(r.key), yes, r.compare(LE, r.key, r.other)));
  });
  expect_selection("max, nan wins, first", [](Reduced& r) {  // xor as difference, compared predicates
    const ValueId differs = r.builder.op(Op::xor_, {r.is_nan(r.key), r.compare(GE, r.key, r.other)});
    r.keep_if(r.compare(EQ, differs, r.builder.scalar(DType::b1, 1)));
  });
}

TEST(Selections, NanThatLosesIsNotNanThatWins) {
  expect_selection("min, nan other, first",
                   [](Reduced& r) { r.keep_if(r.either(r.compare(LE, r.key, r.other), r.is_nan(r.other))); });
  expect_selection("min, nan other, first", [](Reduced& r) {  // the last NaN wins
    r.take_if(r.either(r.compare(LT, r.other, r.key), r.is_nan(r.other)));
  });
}

TEST(Selections, TiesByPayload) {
  const auto by_place = [](Reduced& r, Direction better, Direction earlier) {
    const ValueId tie = r.both(r.compare(EQ, r.key, r.other), r.compare(earlier, r.place, r.other_place));
    r.keep_if(r.either(r.compare(better, r.key, r.other), tie));
  };
  expect_selection(
      "min, smaller of 1", [&](Reduced& r) { by_place(r, LT, LT); }, DType::i32);
  expect_selection(
      "max, smaller of 1", [&](Reduced& r) { by_place(r, GT, LE); }, DType::i32);
  expect_selection(
      "min, larger of 1", [&](Reduced& r) { by_place(r, LT, GT); }, DType::i32);
}

TEST(Selections, TheKeyMayBeAnyOperand) {
  Reduced body;
  body.keep_if(body.compare(LE, body.place, body.other_place));
  const Reducer reducer = body.classified();
  ASSERT_EQ(described(reducer), "min, first");
  EXPECT_EQ(reducer.selection->key, 1u);
}

TEST(Selections, OfOneOperand) {
  const auto one = [](Direction direction) {
    Program program;
    const ValueId a = program.argument({}, DType::f32), b = program.argument({}, DType::f32);
    program.returns({program.builder.select(program.builder.compare(direction, a, b), a, b)});
    return described(classify_reducer(program.graph, program.body));
  };
  EXPECT_EQ(one(LT), "min, nan other, last");
  EXPECT_EQ(one(GE), "max, nan other, first");
  EXPECT_EQ(one(EQ), "neither");
}

// Three operands with the second as tie-break: the third must not depend on who wins a full tie.
std::string with_third(Direction earlier) {
  Program p;
  const ValueId key = p.argument({}, DType::i32), place = p.argument({}, DType::i32),
                third = p.argument({}, DType::f32);
  const ValueId key2 = p.argument({}, DType::i32), place2 = p.argument({}, DType::i32),
                third2 = p.argument({}, DType::f32);
  Builder& b = p.builder;
  const ValueId tie = b.op(Op::and_, {b.compare(EQ, key, key2), b.compare(earlier, place, place2)});
  const ValueId keeps = b.op(Op::or_, {b.compare(LT, key, key2), tie});
  p.returns({b.select(keeps, key, key2), b.select(keeps, place, place2), b.select(keeps, third, third2)});
  return described(classify_reducer(p.graph, p.body));
}

TEST(Selections, AThirdOperandStaysOnAFullTie) {
  EXPECT_EQ(with_third(LE), "min, smaller of 1");
  EXPECT_EQ(with_third(LT), "neither");
}

TEST(Selections, WhatIsNoSelection) {
  expect_neither([](Reduced& r) { r.keep_if(r.compare(EQ, r.key, r.other)); });
  expect_neither([](Reduced& r) { r.keep_if(r.is_nan(r.key)); });
  expect_neither([](Reduced& r) { r.keep_if(r.builder.scalar(DType::b1, 1)); });
  expect_neither([](Reduced& r) {  // the place is not chosen with the key
    r.keep_if(r.compare(LT, r.key, r.other), r.compare(GT, r.key, r.other));
  });
  expect_neither([](Reduced& r) {  // a number that is not one of the two
    const ValueId keeps = r.compare(LT, r.key, r.other);
    r.returns({r.builder.select(keeps, r.key, r.other), r.builder.op(Op::add, {r.place, r.other_place})});
  });
  expect_neither([](Reduced& r) { r.keep_if(r.compare(LT, r.key, r.builder.scalar(DType::f32, 0))); });
  expect_neither([](Reduced& r) {
    r.keep_if(r.compare(LT, r.builder.op(Op::abs, {r.key}), r.builder.op(Op::abs, {r.other})));
  });
  expect_neither(
      [](Reduced& r) { r.keep_if(r.builder.compare(LT, r.key, r.other, CompareKind::TOTALORDER)); });
  expect_neither([](Reduced& r) {  // both orders must agree
    r.keep_if(r.either(r.compare(LT, r.key, r.other), r.compare(LT, r.place, r.other_place)));
  });
}

TEST(StandardKinds, AreFoundByTheirOperation) {
  for (const auto& [op, kind] :
       {std::pair{Op::add, ReductionKind::sum}, std::pair{Op::minimum, ReductionKind::minimum},
        std::pair{Op::xor_, ReductionKind::parity}}) {
    Program program;
    const ValueId a = program.argument({}, DType::i32), b = program.argument({}, DType::i32);
    program.returns({program.builder.op(op, {b, a})});
    const Reducer reducer = classify_reducer(program.graph, program.body);
    ASSERT_TRUE(reducer.all_standard());
    EXPECT_EQ(reducer.components[0], kind);
    EXPECT_EQ(info_of(kind).combine, op);
  }
}

TEST(StandardKinds, OfEachOperandWhenIndependent) {
  Reduced body;
  body.returns({body.builder.op(Op::maximum, {body.key, body.other}),
                body.builder.op(Op::add, {body.place, body.other_place})});
  const Reducer reducer = body.classified();
  ASSERT_TRUE(reducer.all_standard());
  EXPECT_EQ(reducer.components[0], ReductionKind::maximum);
  EXPECT_EQ(reducer.components[1], ReductionKind::sum);
}

TEST(StandardKinds, NotWhenOperandsAreOthers) {
  const auto one = [](auto write) {
    Program program;
    const ValueId a = program.argument({}, DType::f32), b = program.argument({}, DType::f32);
    program.returns({write(program.builder, a, b)});
    return described(classify_reducer(program.graph, program.body));
  };
  EXPECT_EQ(one([](Builder& to, ValueId a, ValueId) { return to.op(Op::add, {a, a}); }), "neither");
  EXPECT_EQ(one([](Builder& to, ValueId a, ValueId b) { return to.op(Op::subtract, {a, b}); }), "neither");
  EXPECT_EQ(one([](Builder&, ValueId, ValueId b) { return b; }), "neither");
  EXPECT_EQ(one([](Builder& to, ValueId a, ValueId b) {
              return to.op(Op::add, {to.op(Op::negate, {a}), b});
            }),
            "neither");
}

TEST(Classification, OfWideBodiesEnds) {
  Program program;
  std::vector<ValueId> left, right, results;
  for (int i = 0; i < 2000; ++i) left.push_back(program.argument({}, DType::i32));
  for (int i = 0; i < 2000; ++i) right.push_back(program.argument({}, DType::i32));
  for (std::size_t i = 0; i < left.size(); ++i) {
    const ValueId keeps = program.builder.compare(LT, left[i], right[i]);
    results.push_back(program.builder.select(keeps, left[i], right[i]));
  }
  program.returns(results);
  EXPECT_EQ(described(classify_reducer(program.graph, program.body)), "neither");
}

}  // namespace
}  // namespace weft::ir
