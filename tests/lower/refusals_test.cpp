// What cannot be compiled is refused with its line, and what only looks like it is not.
#include <gtest/gtest.h>

#include <string>

#include <weft/error.h>

#include "compiler/lower/nest.h"
#include "compiler/text/text.h"

namespace weft::lower {
namespace {

// What lowering says of a program; empty when it has no objection.
std::string refusal_of(const std::string& program) {
  try {
    lower(text::parse(program, "p.mlir"));
  } catch (const CompileError& error) {
    return error.what();
  }
  return {};
}

std::string reduction_with_body(const std::string& body) {
  return R"(func.func @main(%x: tensor<3xi32>) -> tensor<i32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    )" + body +
         R"(
    stablehlo.return %r : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %y : tensor<i32>
})";
}

TEST(Refusals, CallsOutside) {
  EXPECT_EQ(refusal_of(R"(func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.custom_call @other(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
})"),
            "compile: stablehlo.custom_call @other cannot be compiled, at p.mlir:2");
  EXPECT_EQ(refusal_of(R"(func.func @main(%x: tensor<3xf32>) {
  check.expect_eq %x, %x : tensor<3xf32>
  func.return
})"),
            "compile: stablehlo.custom_call @check.expect_eq cannot be compiled, at p.mlir:2");
  EXPECT_EQ(refusal_of(R"(func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = func.call @f(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
})"),
            "compile: func.call that is not inlined cannot be compiled, at p.mlir:5");
}

TEST(Refusals, ArraysInBodiesOfReductions) {
  EXPECT_EQ(
      refusal_of(reduction_with_body(R"(%t = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %w = stablehlo.dynamic_slice %t, %a, sizes = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
    %r = stablehlo.reshape %w : (tensor<1xi32>) -> tensor<i32>)")),
      "compile: stablehlo.constant of 2 different elements in the body of a reduction cannot be compiled, at "
      "p.mlir:5");
  EXPECT_EQ(refusal_of(reduction_with_body(
                R"(%w = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %r = stablehlo.reduce(%w init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>)")),
            "compile: stablehlo.reduce in the body of a reduction cannot be compiled, at p.mlir:6");
  EXPECT_EQ(
      refusal_of(reduction_with_body(R"(%w = stablehlo.iota dim = 0 : tensor<4xi32>
    %v = stablehlo.reshape %w : (tensor<4xi32>) -> tensor<2x2xi32>
    %u = stablehlo.slice %v [1:2, 1:2] : (tensor<2x2xi32>) -> tensor<1x1xi32>
    %r = stablehlo.reshape %u : (tensor<1x1xi32>) -> tensor<i32>)")),
      "compile: stablehlo.reshape from i32[4] to i32[2,2] in the body of a reduction cannot be compiled, at "
      "p.mlir:6");
}

TEST(Refusals, ComplexNumbersThatAreComputed) {
  EXPECT_EQ(refusal_of(R"(func.func @main(%x: tensor<3xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %y = stablehlo.slice %x [0:2] : (tensor<3xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %y : tensor<2xcomplex<f32>>
})"),
            "compile: stablehlo.slice of c64[3] cannot be compiled, at p.mlir:2");
  EXPECT_EQ(refusal_of(R"(func.func @main(%x: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  return %x : tensor<3xcomplex<f32>>
})"),
            "");
}

TEST(Refusals, ScalarCodeInBodiesIsNone) {
  EXPECT_EQ(refusal_of(reduction_with_body(R"(%c = stablehlo.constant dense<7> : tensor<2xi32>
    %s = stablehlo.slice %c [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    %k = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
    %m = stablehlo.minimum %a, %k : tensor<i32>
    %r = stablehlo.add %m, %b : tensor<i32>)")),
            "");
}

}  // namespace
}  // namespace weft::lower
