// Each kind of error in a program's text, and where it is reported.
#include <gtest/gtest.h>

#include <weft/error.h>

#include "compiler/text/text.h"

namespace weft::text {
namespace {

// The text has a mark « right before the place of the error.
void expect_error(const std::string& marked, const std::string& what) {
  const std::string mark = "«";
  const auto at = marked.find(mark);
  ASSERT_NE(at, std::string::npos) << marked;
  const std::string text = marked.substr(0, at) + marked.substr(at + mark.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const auto start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t column = start == std::string::npos ? at + 1 : at - start;
  try {
    parse(text, "p.mlir");
    ADD_FAILURE() << text << "\nis accepted";
  } catch (const ParseError& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.line(), line) << message;
    EXPECT_EQ(error.column(), static_cast<int>(column)) << message;
    EXPECT_NE(message.find(": error: " + what), std::string::npos) << message << "\nshould say: " << what;
  }
}
// Of one operation in a function.
void expect_error_in(const std::string& marked, const std::string& what) {
  expect_error("func.func @main(%f: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<2x3xi32>) {\n" + marked +
                   "\nreturn\n}",
               what);
}

TEST(Errors, message_has_file_position_line_and_caret) {
  try {
    parse("module {\n  func.func @main() {\n    stablehlo.frobnicate %x\n  }\n}", "p.mlir");
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_STREQ(
        error.what(),
        "p.mlir:3:5: error: unknown operation 'stablehlo.frobnicate'\n    stablehlo.frobnicate %x\n    ^");
  }
}

TEST(Errors, of_operations) {
  expect_error_in("%0 = «\"stablehlo.scatterx\"(%f) : () -> ()", "unknown operation 'stablehlo.scatterx'");
  expect_error_in("«check.expect_nothing %f", "unknown operation 'check.expect_nothing'");
  expect_error_in("«12", "expected an operation, got '12'");
  expect_error_in("%0 = «stablehlo.add %f, %i : tensor<2x3xf32>",
                  "stablehlo.add: operand 1 is tensor<2x3xi32>, declared tensor<2x3xf32>");
  expect_error_in("%0 = «stablehlo.add %f : tensor<2x3xf32>", "stablehlo.add: takes 2 operands, got 1");
  expect_error_in("%0 = «stablehlo.is_finite %f : tensor<2x3xf32>",
                  "stablehlo.is_finite: gives (tensor<2x3xi1>), declared (tensor<2x3xf32>)");
  expect_error_in("%0 = «stablehlo.sine %i : tensor<2x3xi32>", "stablehlo.sine: i32[2,3] is not accepted");
  expect_error_in("%0 = «stablehlo.add %f, %f : (tensor<2x3xf32>) -> tensor<2x3xf32>",
                  "stablehlo.add: 2 operands, but types of 1");
  expect_error_in("%0 = stablehlo.add %f, %f : tensor<2x3xf32>, tensor<2x3xf32>\n«return", "expected '->'");
  expect_error_in("%0 = stablehlo.negate %f «}", "expected ':'");
  expect_error_in("%0 = \"stablehlo.negate\"(%f) «[^bb1] : (tensor<f32>) -> tensor<f32>",
                  "expected attributes or ':'");
  expect_error_in(
      "%0 = «\"stablehlo.negate\"(%f) ({ stablehlo.return }) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
      "stablehlo.negate: has 0 regions, got 1");
  expect_error_in("%0 = «stablehlo.reshape %f : (tensor<2x3xf32>) -> tensor<5xf32>", "stablehlo.reshape: ");
  expect_error_in("%0 = «stablehlo.gather %f", "stablehlo.gather has only the generic form");
}

TEST(Errors, of_names) {
  expect_error_in("%0 = stablehlo.negate «%x : tensor<f32>", "%x is not defined before its use");
  expect_error_in("%0 = stablehlo.negate %s : tensor<f32>\n«%0 = stablehlo.negate %s : tensor<f32>",
                  "%0 is already defined");
  expect_error_in("«%f = stablehlo.negate %s : tensor<f32>", "%f is already defined");
  expect_error_in("%0 = stablehlo.negate «%s#1 : tensor<f32>", "%s has 1 results, not 2");
  expect_error_in("%0 = stablehlo.negate %s«#a : tensor<f32>", "expected the number of a result");
  expect_error_in("%0:2 = «stablehlo.negate %s : tensor<f32>", "gives 1 results, 2 are named");
  expect_error_in("%0:«0 = stablehlo.negate %s : tensor<f32>", "no number of results");
  expect_error_in("%0:«99999999999999 = stablehlo.negate %s : tensor<f32>", "no number of results");
  expect_error_in("%0, «= stablehlo.negate %s : tensor<f32>", "expected a value like %0, got '='");
  expect_error("func.func @main(%a: tensor<f32>, «%a: tensor<f32>) { return }", "%a is already defined");
  // A region's names end with it, and do not hide those around it.
  const std::string reduce =
      "%r = stablehlo.reduce(%f init: %s) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> "
      "tensor<f32>\n";
  expect_error_in(reduce +
                      "reducer(%a: tensor<f32>, %b: tensor<f32>) { stablehlo.return %a : tensor<f32> }\n"
                      "%0 = stablehlo.negate «%a : tensor<f32>",
                  "%a is not defined");
  expect_error_in(reduce + "reducer(%a: tensor<f32>, «%s: tensor<f32>) { stablehlo.return %a : tensor<f32> }",
                  "%s is already defined");
}

TEST(Errors, of_types) {
  expect_error_in("%0 = stablehlo.negate %s : «f32", "type 'f32' is not supported: values are tensors");
  expect_error_in("%0 = stablehlo.negate %s : «tuple<tensor<f32>>", "type 'tuple' is not supported");
  expect_error_in("%0 = stablehlo.negate %s : «!stablehlo.token", "type '!stablehlo.token' is not supported");
  expect_error_in("%0 = stablehlo.negate %s : tensor<«?x2xf32>", "dynamic dimensions are not supported");
  expect_error_in("%0 = stablehlo.negate %s : tensor<2x«f8E4M3>", "element type 'f8E4M3' is not supported");
  expect_error_in("%0 = stablehlo.negate %s : tensor<«complex<f16>>",
                  "element type 'complex<f16>' is not supported");
  expect_error_in("%0 = stablehlo.negate %s : tensor<«!quant.uniform<i8:f32, 1.0>>",
                  "element type '!quant.uniform' is not supported");
  expect_error_in("%0 = stablehlo.negate %s : tensor<2xf32«, #stablehlo.bounds<2>>",
                  "expected '>': tensors with an encoding");
  expect_error_in("%0 = stablehlo.negate %s : tensor<2«>", "expected 'x' after a dimension");
  expect_error_in("%0 = stablehlo.negate %s : tensor<«-1xf32>", "expected an element type");
  std::string rank;
  for (int i = 0; i < 40; ++i) rank += "1x";
  expect_error_in("%0 = stablehlo.negate %s : «tensor<" + rank + "f32>", "");
}

TEST(Errors, of_attributes) {
  expect_error_in("%0 = stablehlo.negate %s {«a = 1} : tensor<f32>", "stablehlo.negate: has no attribute a");
  expect_error_in("%0 = stablehlo.negate %s {x.a = 1, «x.a = 2} : tensor<f32>",
                  "stablehlo.negate: the attribute x.a is given twice");
  expect_error_in("%0 = stablehlo.negate %s {a.b = «%s} : tensor<f32>", "expected an attribute");
  expect_error_in("%0 = stablehlo.negate %s {a.b = 1 : f32 «: tensor<f32>", "expected ',' or '}', got ':'");
  expect_error_in("%0 = «\"stablehlo.iota\"() : () -> tensor<2xf32>",
                  "stablehlo.iota: needs the attribute iota_dimension");
  expect_error_in("%0 = \"stablehlo.iota\"() {iota_dimension = «true} : () -> tensor<2xf32>",
                  "stablehlo.iota: iota_dimension must be an integer");
  expect_error_in("%0 = \"stablehlo.transpose\"(%f) {permutation = [«1.0]} : () -> ()",
                  "stablehlo.transpose: permutation must be a list of integers");
  expect_error_in("%0 = stablehlo.compare «LTE, %f, %f : () -> ()", "'LTE' is none of");
  expect_error_in("%0 = stablehlo.compare LT, %f, %f, «INT : () -> ()", "'INT' is none of");
  expect_error_in(
      "%0 = «stablehlo.compare LT, %f, %f, SIGNED : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
      "stablehlo.compare: the kind of comparison does not fit");
  expect_error_in(
      "%0 = \"stablehlo.compare\"(%f, %f) {comparison_direction = «#stablehlo<comparison_direction XX>} : () "
      "-> ()",
      "");
  expect_error_in("%0 = stablehlo.reduce_precision %f, format = «e5 : tensor<2x3xf32>", "'e5' is no format");
  expect_error_in("%0 = stablehlo.slice %f [0:2, 0«] : () -> ()", "expected ':'");
  expect_error_in("%0 = stablehlo.transpose %f, «perm = [0] : () -> ()", "expected 'dims', got 'perm'");
  expect_error_in("%0 = stablehlo.transpose %f, dims = [«99999999999999999999] : () -> ()",
                  "the integer does not fit 64 bits");
  expect_error_in("%0 = stablehlo.constant dense<[1, «x]> : tensor<2xi32>", "expected an element");
  expect_error_in("stablehlo.custom_call @f(%s) {«called_computations = [@g]} : (tensor<f32>) -> ()",
                  "stablehlo.custom_call: has no attribute");
  expect_error_in("check.expect_eq %s, %s, «tolerance = 0.1 : tensor<f32>",
                  "check.expect_eq has no option tolerance");
  expect_error_in("«check.expect_eq %s, %f : tensor<f32>", "check.expect_eq: operand 1 is tensor<2x3xf32>");
}

TEST(Errors, of_reductions) {
  const std::string head = "%0 = stablehlo.reduce(%f init: %s) ",
                    tail = "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>";
  expect_error_in(head + "applies «stablehlo.subtract across dimensions = [1] : " + tail,
                  "'stablehlo.subtract' is no operation that a reduction applies");
  expect_error_in(head + "applies «stablehlo.and across dimensions = [1] : " + tail,
                  "stablehlo.and does not take f32");
  expect_error_in(
      "%0 = «stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [2] : " + tail,
      "stablehlo.reduce: dimension 2 is out of range");
  expect_error_in(head + "across dimensions = [1] : " + tail + " «}", "expected 'reducer'");
  expect_error_in(
      head + "across dimensions = [1] : " + tail + " reducer(%a: tensor<f32>, %b: tensor<f32>) { «}",
      "expected a return at the end");
  expect_error_in(head + "across dimensions = [1] : " + tail +
                      " reducer(%a: tensor<f32>, %b: tensor<f32>) { «return %a : tensor<f32> }",
                  "a region ends with stablehlo.return");
  expect_error_in(head + "across dimensions = [1] : " + tail +
                      " reducer(%a: tensor<f32>, %b: tensor<f32>) { «stablehlo.return %a : tensor<i32> }",
                  "the return declares (tensor<i32>), its values are (tensor<f32>)");
  expect_error_in("%0 = «" + head.substr(5) + "across dimensions = [1] : " + tail +
                      " reducer(%a: tensor<f32>, %b: tensor<f32>) { stablehlo.return }",
                  "stablehlo.reduce: the body takes 2 arguments and gives 0 results");
}

TEST(Errors, of_functions) {
  expect_error("func.func @f() -> tensor<f32> { «return }",
               "the function gives (tensor<f32>), returned are ()");
  expect_error("func.func @f() { «stablehlo.return }", "a function ends with return");
  expect_error("func.func @f() { %0 = «return }", "a return has no results");
  expect_error("func.func @f() { return\n«^bb1: }", "expected '}': regions of several blocks");
  expect_error("func.func @f() { return «stablehlo.add }", "expected '}' after the return");
  expect_error("func.func @f() {«", "expected a return at the end, the text ends");
  expect_error("func.func private @f()«", "expected '{': functions without a body are not supported");
  expect_error("func.func @f() { return } func.func «@f() { return }", "two functions are called @f");
  expect_error("func.func @f() { «call @g() : () -> () return }", "there is no function @g");
  expect_error(
      "func.func @f() { «call @g() : () -> () return } func.func @g() -> tensor<f32> { %0 = "
      "stablehlo.constant dense<1.0> : tensor<f32> "
      "return %0 : tensor<f32> }",
      "@g is () -> (tensor<f32>), called as () -> ()");
  expect_error(
      "func.func @f() { «call @g() : () -> () return } func.func @g() { call @f() : () -> () return }", "V5");
}

TEST(Errors, of_programs) {
  expect_error("«", "the program has no function");
  expect_error("«module { }", "the program has no function");
  expect_error("module {«", "expected '}', the text ends");
  expect_error("module { func.func @f() { return } } «module { }", "expected the end of the program");
  expect_error("module { «module { } }", "unknown operation 'module' outside functions");
  expect_error("«stablehlo.add", "unknown operation 'stablehlo.add' outside functions");
  expect_error("func.func @f() { return } «}", "expected the end of the program");
  expect_error("module «@2 { }", "expected '{', got '@'");
}

TEST(Errors, what_nests_too_deep) {
  const std::string many(100000, '[');
  EXPECT_THROW(parse("func.func @f() { return {a = " + many + "} }"), ParseError);
  EXPECT_THROW(parse("#a = " + many), ParseError);
  std::string regions = "func.func @f(%x: tensor<2xf32>, %i: tensor<f32>) {";
  for (int i = 0; i < 100000; ++i) regions += "\"stablehlo.reduce\"(%x, %i) ({";
  EXPECT_THROW(parse(regions), ParseError);
  std::string locations = "func.func @f() { return loc(";
  for (int i = 0; i < 100000; ++i) locations += "callsite(";
  EXPECT_THROW(parse(locations), ParseError);
  std::string types = "func.func @f() attributes {a = ";
  for (int i = 0; i < 100000; ++i) types += "() -> ";
  EXPECT_THROW(parse(types), ParseError);
  std::string aliases;
  for (int i = 0; i < 100000; ++i)
    aliases += "#l" + std::to_string(i) + " = loc(#l" + std::to_string(i + 1) + ")\n";
  EXPECT_NO_THROW(
      parse("func.func @f() { %0 = stablehlo.constant dense<1> : tensor<i1> loc(#l0) return }\n" + aliases));
}

// Aliases of aliases could double at each step.
TEST(Errors, aliases_do_not_grow_without_bound) {
  std::string text = "#a0 = [1, 1]\n";
  for (int i = 1; i < 64; ++i) {
    const std::string before = "#a" + std::to_string(i - 1);
    text += "#a" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  EXPECT_NO_THROW(parse(text + "func.func @f() attributes {x.y = #a63} { return }"));
}

}  // namespace
}  // namespace weft::text
