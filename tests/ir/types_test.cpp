// Type rules of elementwise operations, leaves, conversions and choices: what they accept, and what they say
// when not.
#include <gtest/gtest.h>

#include "tests/ir/program.h"

namespace weft::ir {
namespace {

const Type kF32{Shape{}, DType::f32}, kF32x3{Shape{3}, DType::f32}, kF32x4{Shape{4}, DType::f32};
const Type kI32{Shape{}, DType::i32}, kI32x3{Shape{3}, DType::i32}, kB1x3{Shape{3}, DType::b1};
const Type kF64x3{Shape{3}, DType::f64}, kU8x3{Shape{3}, DType::u8}, kC64x3{Shape{3}, DType::c64};

TEST(ElementwiseTypes, FollowTheRow) {
  EXPECT_EQ(answer(Op::add, {kF32x3, kF32x3}), "f32[3]");
  EXPECT_EQ(answer(Op::is_finite, {kF64x3}), "b1[3]");
  EXPECT_EQ(answer(Op::abs, {kI32x3}), "i32[3]");
  EXPECT_EQ(answer(Op::and_, {kB1x3, kB1x3}), "b1[3]");
}

TEST(ElementwiseTypes, SayWhatIsWrong) {
  EXPECT_EQ(answer(Op::add, {kF32x3}), "E1: takes 2 operands, got 1");
  EXPECT_EQ(answer(Op::add, {kF32x3, kF64x3}), "E2: operands differ in element type: f32[3], f64[3]");
  EXPECT_EQ(answer(Op::add, {kF32x3, kF32x4}), "E3: operands differ in shape: f32[3], f32[4]");
  EXPECT_EQ(answer(Op::sine, {kI32x3}), "E4: i32[3] is not accepted: takes floats");
  EXPECT_EQ(answer(Op::popcnt, {kB1x3}), "E4: b1[3] is not accepted: takes integers");
  EXPECT_EQ(answer(Op::add, {kC64x3, kC64x3}), "E4: c64[3] is not accepted: takes b1, integers, floats");
  EXPECT_EQ(answer(Op::add, {kF32x3, kF32x3}, IotaAttributes{}),
            "E5: has the attributes of another operation");
  EXPECT_EQ(answer(Op::iota, {}), "E5: has the attributes of another operation");
}

TEST(ElementwiseTypes, FaultsHaveKinds) {
  const Graph graph;
  const auto kind_of = [&](std::vector<Type> operands) {
    return infer_types({graph, Op::add, std::move(operands), NoAttributes{}, {}, {}}).fault->kind;
  };
  EXPECT_EQ(kind_of({kF32x3, kF64x3}), Fault::Kind::type);
  EXPECT_EQ(kind_of({kF32x3, kF32x4}), Fault::Kind::shape);
  EXPECT_EQ(kind_of({kF32x3}), Fault::Kind::structure);
}

TEST(ConstantTypes, AreTheLiterals) {
  EXPECT_EQ(answer(Op::constant, {}, ConstantAttributes{Literal::zeros(DType::i8, Shape{2, 2})}), "i8[2,2]");
  EXPECT_EQ(answer(Op::constant, {kF32}, ConstantAttributes{Literal::zeros(DType::i8, {})}),
            "S1: takes 0 operands, got 1");
  Literal cut = Literal::zeros(DType::f32, Shape{1000});
  cut.is_splat = false;
  EXPECT_EQ(answer(Op::constant, {}, ConstantAttributes{cut}),
            "C1: the literal has not all elements of f32[1000]");
  EXPECT_EQ(answer(Op::constant, {}, ConstantAttributes{}), "C1: the literal has not all elements of f32[]");
}

TEST(IotaTypes, NeedADimensionAndNumbers) {
  EXPECT_EQ(answer(Op::iota, {}, IotaAttributes{0}, {kI32x3}), "i32[3]");
  EXPECT_EQ(answer(Op::iota, {}, IotaAttributes{1}, {kI32x3}), "C1: dimension 1 is out of range for i32[3]");
  EXPECT_EQ(answer(Op::iota, {}, IotaAttributes{-1}, {kI32x3}),
            "C1: dimension -1 is out of range for i32[3]");
  EXPECT_EQ(answer(Op::iota, {}, IotaAttributes{0}, {kB1x3}),
            "C2: b1[3] is not accepted: takes integers and floats");
  EXPECT_EQ(answer(Op::iota, {}, IotaAttributes{0}), "S2: needs exactly one declared result type");
}

TEST(ConvertTypes, KeepTheShape) {
  EXPECT_EQ(answer(Op::convert, {kI32x3}, NoAttributes{}, {kF64x3}), "f64[3]");
  EXPECT_EQ(answer(Op::convert, {kI32x3}, NoAttributes{}, {kF32x4}), "C1: i32[3] and f32[4] differ in shape");
  EXPECT_EQ(answer(Op::convert, {kC64x3}, NoAttributes{}, {kF32x3}), "C2: c64[3] to f32[3] is not accepted");
}

TEST(BitcastTypes, TheLastDimensionAbsorbsTheWidth) {
  const auto bitcast = [](Type from, Type to) {
    return answer(Op::bitcast_convert, {from}, NoAttributes{}, {to});
  };
  EXPECT_EQ(bitcast(kF32x3, kI32x3), "i32[3]");
  EXPECT_EQ(bitcast(kF64x3, {Shape{3, 2}, DType::f32}), "f32[3,2]");
  EXPECT_EQ(bitcast({Shape{3, 4}, DType::u8}, kF32x3), "f32[3]");
  EXPECT_EQ(bitcast({Shape{32}, DType::b1}, kF32), "f32[]");
  EXPECT_EQ(bitcast(kU8x3, {Shape{3, 8}, DType::b1}), "b1[3,8]");
  EXPECT_EQ(bitcast({Shape{3, 3}, DType::u8}, kF32x3),
            "C1: the last dimension of u8[3,3] must have extent 4 to become f32");
  EXPECT_EQ(bitcast(kU8x3, kF32x3), "C1: the last dimension of u8[3] must have extent 4 to become f32");
  EXPECT_EQ(bitcast(kF64x3, kF32x3), "C1: f64[3] cannot become f32[3]");
  EXPECT_EQ(bitcast(kC64x3, kF64x3), "C2: c64[3] cannot become f64[3]");
}

TEST(ReducePrecisionTypes, NeedFloatsAndAFormat) {
  EXPECT_EQ(answer(Op::reduce_precision, {kF32x3}, ReducePrecisionAttributes{5, 10}), "f32[3]");
  EXPECT_EQ(answer(Op::reduce_precision, {kI32x3}, ReducePrecisionAttributes{}),
            "C1: i32[3] is not accepted: takes floats");
  EXPECT_EQ(answer(Op::reduce_precision, {kF32}, ReducePrecisionAttributes{0, 3}),
            "C2: needs at least one exponent bit");
  EXPECT_EQ(answer(Op::reduce_precision, {kF32}, ReducePrecisionAttributes{3, -1}),
            "C3: a negative number of mantissa bits");
}

TEST(CompareTypes, GiveBooleansAndCheckTheKind) {
  const auto compare = [](Type a, Type b, CompareKind kind) {
    return answer(Op::compare, {a, b}, CompareAttributes{Direction::LT, kind});
  };
  EXPECT_EQ(compare(kF32x3, kF32x3, CompareKind::FLOAT), "b1[3]");
  EXPECT_EQ(compare(kF32x3, kF32x3, CompareKind::TOTALORDER), "b1[3]");
  EXPECT_EQ(compare(kB1x3, kB1x3, CompareKind::UNSIGNED), "b1[3]");
  EXPECT_EQ(compare(kU8x3, kU8x3, CompareKind::SIGNED), "C4: the kind of comparison does not fit u8[3]");
  EXPECT_EQ(compare(kI32x3, kI32x3, CompareKind::TOTALORDER),
            "C4: the kind of comparison does not fit i32[3]");
  EXPECT_EQ(compare(kF32x3, kF32x4, CompareKind::FLOAT), "C2: operands differ in shape: f32[3], f32[4]");
  EXPECT_EQ(compare(kF32x3, kI32x3, CompareKind::FLOAT),
            "C1: operands differ in element type: f32[3], i32[3]");
}

TEST(SelectTypes, PredicateIsScalarOrWhole) {
  EXPECT_EQ(answer(Op::select, {kB1x3, kF32x3, kF32x3}), "f32[3]");
  EXPECT_EQ(answer(Op::select, {{Shape{}, DType::b1}, kF32x3, kF32x3}), "f32[3]");
  EXPECT_EQ(answer(Op::select, {kI32x3, kF32x3, kF32x3}), "C1: the predicate is i32[3], not b1");
  EXPECT_EQ(answer(Op::select, {kB1x3, kF32x3, kF64x3}), "C2: f32[3] and f64[3] differ");
  EXPECT_EQ(answer(Op::select, {kB1x3, kF32x4, kF32x4}),
            "C1: the predicate b1[3] is no scalar and has not the shape of f32[4]");
}

TEST(ClampTypes, BoundsAreScalarOrWhole) {
  EXPECT_EQ(answer(Op::clamp, {kF32, kF32x3, kF32x3}), "f32[3]");
  EXPECT_EQ(answer(Op::clamp, {kI32, kF32x3, kF32}), "C3: the bound i32[] and f32[3] differ in element type");
  EXPECT_EQ(answer(Op::clamp, {kF32, kF32x3, kF32x4}),
            "C2: the bound f32[4] is no scalar and has not the shape of f32[3]");
}

}  // namespace
}  // namespace weft::ir
