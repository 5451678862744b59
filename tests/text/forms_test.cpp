// Every form in which an operation may be written: what is read is what was meant, shown by printing it.
#include <gtest/gtest.h>

#include <sstream>

#include "compiler/text/text.h"
#include "tests/text/same_graph.h"

namespace weft::text {
namespace {

const std::string kArguments =
    "%f: tensor<2x3xf32>, %g: tensor<2x3xf32>, %i: tensor<2x3xi32>, %p: tensor<2x3xi1>, %s: tensor<f32>, %n: "
    "tensor<i32>, "
    "%q: tensor<i1>, %h: tensor<4xf16>, %u: tensor<2x3xui8>";

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

// Reads the operations in a function with those arguments, and gives back its operations as printed, one a
// line.
std::string reprinted(const std::string& operations) {
  const ir::Graph graph = parse("func.func @main(" + kArguments + ") {\n" + operations + "\nreturn\n}");
  const std::string text = print(graph);
  const ir::Graph back = parse(text);
  EXPECT_EQ(difference(graph, back), "") << text;
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("    ") && trimmed(line) != "return") result += trimmed(line) + "\n";
  return result;
}

struct Form {
  const char* written;
  const char* printed;
};
void check(const std::vector<Form>& forms) {
  for (const Form& form : forms)
    EXPECT_EQ(reprinted(form.written), std::string(form.printed) + "\n") << form.written;
}

TEST(Forms, elementwise) {
  check({
      {"%0 = stablehlo.add %f, %g : tensor<2x3xf32>", "%0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>"},
      {"stablehlo.add %f, %g {mhlo.sharding = \"x\"} : tensor<2x3xf32>",
       "%0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>"},
      {"%0 = stablehlo.add %f, %g : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
       "%0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>"},
      {"%0 = \"stablehlo.add\"(%f, %g) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
       "%0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>"},
      {"%0 = stablehlo.exponential %f {result_accuracy = #stablehlo.result_accuracy<mode = "
       "#stablehlo.result_accuracy_mode<DEFAULT>>} "
       ": tensor<2x3xf32>",
       "%0 = stablehlo.exponential %arg0 : tensor<2x3xf32>"},
      {"%0 = stablehlo.is_finite %f : (tensor<2x3xf32>) -> tensor<2x3xi1>",
       "%0 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>"},
      {"%0 = chlo.erf %f : tensor<2x3xf32> -> tensor<2x3xf32>",
       "%0 = chlo.erf %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>"},
      {"%0 = chlo.next_after %f, %g : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>",
       "%0 = chlo.next_after %arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>"},
      {"%0 = chlo.is_inf %f : tensor<2x3xf32> -> tensor<2x3xi1>",
       "%0 = chlo.is_inf %arg0 : tensor<2x3xf32> -> tensor<2x3xi1>"},
      {"%0 = chlo.tan %f : tensor<2x3xf32> -> tensor<2x3xf32>", "%0 = stablehlo.tan %arg0 : tensor<2x3xf32>"},
      {"%0 = weft.exp2 %f : tensor<2x3xf32>", "%0 = weft.exp2 %arg0 : tensor<2x3xf32>"},
      {"%0 = stablehlo.clamp %s, %f, %s : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
       "%0 = stablehlo.clamp %arg4, %arg0, %arg4 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> "
       "tensor<2x3xf32>"},
      {"%0 = stablehlo.clamp %f, %f, %g : tensor<2x3xf32>",
       "%0 = stablehlo.clamp %arg0, %arg0, %arg1 : tensor<2x3xf32>"},
  });
}

TEST(Forms, constant_and_iota) {
  check({
      {"%c = stablehlo.constant dense<1> : tensor<2xi32>",
       "%0 = stablehlo.constant dense<1> : tensor<2xi32>"},
      {"%c = stablehlo.constant {a.b} dense<[1, 2]> : tensor<2xi32>",
       "%0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>"},
      {"%c = \"stablehlo.constant\"() <{value = dense<1.5> : tensor<f64>}> : () -> tensor<f64>",
       "%0 = stablehlo.constant dense<1.500000e+00> : tensor<f64>"},
      {"%c = stablehlo.constant() {value = dense<1> : tensor<i8>} : () -> tensor<i8>",
       "%0 = stablehlo.constant dense<1> : tensor<i8>"},
      {"%0 = stablehlo.iota dim = 1 : tensor<2x3xui16>", "%0 = stablehlo.iota dim = 1 : tensor<2x3xui16>"},
      {"%0 = \"stablehlo.iota\"() {iota_dimension = 0 : i64} : () -> tensor<4xbf16>",
       "%0 = stablehlo.iota dim = 0 : tensor<4xbf16>"},
  });
}

TEST(Forms, compare_and_select) {
  check({
      {"%0 = stablehlo.compare LT, %f, %g : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
       "%0 = stablehlo.compare  LT, %arg0, %arg1,  FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
       "tensor<2x3xi1>"},
      {"%0 = stablehlo.compare  GE, %f, %g,  TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
       "tensor<2x3xi1>",
       "%0 = stablehlo.compare  GE, %arg0, %arg1,  TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
       "tensor<2x3xi1>"},
      {"%0 = stablehlo.compare NE, %i, %i, NOTYPE : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>",
       "%0 = stablehlo.compare  NE, %arg2, %arg2,  SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> "
       "tensor<2x3xi1>"},
      {"%0 = stablehlo.compare EQ, %u, %u : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xi1>",
       "%0 = stablehlo.compare  EQ, %arg8, %arg8,  UNSIGNED : (tensor<2x3xui8>, tensor<2x3xui8>) -> "
       "tensor<2x3xi1>"},
      {"%0 = \"stablehlo.compare\"(%f, %g) {comparison_direction = #stablehlo<comparison_direction GT>, "
       "compare_type = "
       "#stablehlo<comparison_type TOTALORDER>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
       "%0 = stablehlo.compare  GT, %arg0, %arg1,  TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
       "tensor<2x3xi1>"},
      {"%0 = stablehlo.select %p, %f, %g : tensor<2x3xi1>, tensor<2x3xf32>",
       "%0 = stablehlo.select %arg3, %arg0, %arg1 : tensor<2x3xi1>, tensor<2x3xf32>"},
      {"%0 = stablehlo.select %q, %f, %g : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
       "%0 = stablehlo.select %arg6, %arg0, %arg1 : tensor<i1>, tensor<2x3xf32>"},
  });
}

TEST(Forms, movement) {
  check({
      {"%0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>",
       "%0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<2xf32>"},
      {"%0 = \"stablehlo.broadcast_in_dim\"(%f) {broadcast_dimensions = array<i64: 0, 2>} : "
       "(tensor<2x3xf32>) -> tensor<2x4x3xf32>",
       "%0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>"},
      {"%0 = \"stablehlo.broadcast_in_dim\"(%s) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> "
       "tensor<1xf32>",
       "%0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<1xf32>"},
      {"%0 = stablehlo.transpose %f, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
       "%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"},
      {"%0 = \"stablehlo.transpose\"(%f) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) "
       "-> tensor<3x2xf32>",
       "%0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"},
      {"%0 = stablehlo.reverse %f, dims = [1, 0] : tensor<2x3xf32>",
       "%0 = stablehlo.reverse %arg0, dims = [1, 0] : tensor<2x3xf32>"},
      {"%0 = \"stablehlo.reverse\"(%f) <{dimensions = array<i64: 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>",
       "%0 = stablehlo.reverse %arg0, dims = [1] : tensor<2x3xf32>"},
      {"%0 = stablehlo.reshape %f : (tensor<2x3xf32>) -> tensor<6xf32>",
       "%0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>"},
      {"%0 = stablehlo.slice %f [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
       "%0 = stablehlo.slice %arg0 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>"},
      {"%0 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>",
       "%0 = stablehlo.slice %arg4 [] : (tensor<f32>) -> tensor<f32>"},
      {"%0 = \"stablehlo.slice\"(%f) {start_indices = array<i64: 1, 0>, limit_indices = array<i64: 2, 3>, "
       "strides = "
       "array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<1x3xf32>",
       "%0 = stablehlo.slice %arg0 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>"},
      {"%0 = stablehlo.dynamic_slice %f, %n, %n, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, "
       "tensor<i32>) -> tensor<1x2xf32>",
       "%0 = stablehlo.dynamic_slice %arg0, %arg5, %arg5, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, "
       "tensor<i32>) -> "
       "tensor<1x2xf32>"},
      {"%0 = \"stablehlo.dynamic_slice\"(%f, %n, %n) {slice_sizes = array<i64: 1, 2>} : (tensor<2x3xf32>, "
       "tensor<i32>, "
       "tensor<i32>) -> tensor<1x2xf32>",
       "%0 = stablehlo.dynamic_slice %arg0, %arg5, %arg5, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, "
       "tensor<i32>) -> "
       "tensor<1x2xf32>"},
      {"%0 = \"stablehlo.gather\"(%h, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], "
       "start_index_map = "
       "[0], index_vector_dim = 2,>, slice_sizes = array<i64: 1>} : (tensor<4xf16>, tensor<2x3xi32>) -> "
       "tensor<2x3xf16>",
       "%0 = \"stablehlo.gather\"(%arg7, %arg2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims "
       "= [0], "
       "start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: "
       "1>}> : "
       "(tensor<4xf16>, tensor<2x3xi32>) -> tensor<2x3xf16>"},
  });
}

TEST(Forms, representation) {
  check({
      {"%0 = stablehlo.convert %i : (tensor<2x3xi32>) -> tensor<2x3xf64>",
       "%0 = stablehlo.convert %arg2 : (tensor<2x3xi32>) -> tensor<2x3xf64>"},
      {"%0 = stablehlo.convert %i : tensor<2x3xi32>", "%0 = stablehlo.convert %arg2 : tensor<2x3xi32>"},
      {"%0 = stablehlo.bitcast_convert %h : (tensor<4xf16>) -> tensor<4xui16>",
       "%0 = stablehlo.bitcast_convert %arg7 : (tensor<4xf16>) -> tensor<4xui16>"},
      {"%0 = stablehlo.reduce_precision %f, format = e5m10 : tensor<2x3xf32>",
       "%0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2x3xf32>"},
      {"%0 = \"stablehlo.reduce_precision\"(%f) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32} : "
       "(tensor<2x3xf32>) -> "
       "tensor<2x3xf32>",
       "%0 = stablehlo.reduce_precision %arg0, format = e8m7 : tensor<2x3xf32>"},
  });
}

TEST(Forms, reduce) {
  const char* compact =
      "%0 = stablehlo.reduce(%arg0 init: %arg4) applies stablehlo.add across dimensions = [0, 1] : "
      "(tensor<2x3xf32>, tensor<f32>) -> tensor<f32>";
  check({
      {"%0 = stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [1, 0] : "
       "(tensor<2x3xf32>, tensor<f32>) "
       "-> tensor<f32>",
       compact},
      {"%0 = stablehlo.reduce(%f init: %s) across dimensions = [0, 1] {a.b = 1} : (tensor<2x3xf32>, "
       "tensor<f32>) -> tensor<f32>\n"
       " reducer(%a: tensor<f32>, %b: tensor<f32> loc(unknown)) {\n %1 = stablehlo.add %a, %b : "
       "tensor<f32>\n stablehlo.return %1 : "
       "tensor<f32>\n}",
       compact},
      {"%0 = \"stablehlo.reduce\"(%f, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%1 = stablehlo.add %a, "
       "%b : tensor<f32>\n"
       "\"stablehlo.return\"(%1) : (tensor<f32>) -> () }) {dimensions = array<i64: 0, 1>} : "
       "(tensor<2x3xf32>, tensor<f32>) -> "
       "tensor<f32>",
       compact},
      // The accumulator comes second: not the compact form.
      {"%0 = stablehlo.reduce(%f init: %s) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> "
       "tensor<2xf32>\n"
       " reducer(%a: tensor<f32>, %b: tensor<f32>) {\n %1 = stablehlo.maximum %b, %a : tensor<f32>\n "
       "stablehlo.return %1 : "
       "tensor<f32>\n}",
       "%0 = stablehlo.reduce(%arg0 init: %arg4) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> "
       "tensor<2xf32>\n"
       "reducer(%arg9: tensor<f32>, %arg10: tensor<f32>)  {\n%1 = stablehlo.maximum %arg10, %arg9 : "
       "tensor<f32>\n"
       "stablehlo.return %1 : tensor<f32>\n}"},
      // Two operands; the body sees values around it.
      {"%r:2 = stablehlo.reduce(%f init: %s), (%i init: %n) across dimensions = [0] : (tensor<2x3xf32>, "
       "tensor<2x3xi32>, "
       "tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)\n reducer(%a: tensor<f32>, %b: "
       "tensor<f32>) (%c: tensor<i32>, "
       "%d: tensor<i32>) {\n %1 = stablehlo.add %d, %n : tensor<i32>\n stablehlo.return %b, %1 : "
       "tensor<f32>, tensor<i32>\n}\n"
       "%x = stablehlo.negate %r#1 : tensor<3xi32>\n%y = stablehlo.negate %r : tensor<3xf32>",
       "%0:2 = stablehlo.reduce(%arg0 init: %arg4), (%arg2 init: %arg5) across dimensions = [0] : "
       "(tensor<2x3xf32>, "
       "tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)\nreducer(%arg9: "
       "tensor<f32>, %arg11: "
       "tensor<f32>) (%arg10: tensor<i32>, %arg12: tensor<i32>)  {\n%1 = stablehlo.add %arg12, %arg5 : "
       "tensor<i32>\n"
       "stablehlo.return %arg11, %1 : tensor<f32>, tensor<i32>\n}\n%2 = stablehlo.negate %0#1 : "
       "tensor<3xi32>\n"
       "%3 = stablehlo.negate %0#0 : tensor<3xf32>"},
  });
}

TEST(Forms, joins_and_paddings) {
  const char* joined =
      "%0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
      "tensor<2x6xf32>";
  const char* padded =
      "%0 = stablehlo.pad %arg0, %arg4, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, "
      "tensor<f32>) -> "
      "tensor<3x6xf32>";
  check({
      {"%0 = stablehlo.concatenate %f, %g, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>",
       joined},
      {"%0 = \"stablehlo.concatenate\"(%f, %g) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) "
       "-> "
       "tensor<2x6xf32>",
       joined},
      {"%0 = stablehlo.pad %f, %s, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, "
       "tensor<f32>) -> "
       "tensor<3x6xf32>",
       padded},
      {"%0 = \"stablehlo.pad\"(%f, %s) {edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: "
       "0, 2>, "
       "interior_padding = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>",
       padded},
  });
}

TEST(Forms, updates) {
  const char* updated =
      "%0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg5, %arg5 : (tensor<2x3xf32>, tensor<2x3xf32>, "
      "tensor<i32>, "
      "tensor<i32>) -> tensor<2x3xf32>";
  check({
      {"%0 = stablehlo.dynamic_update_slice %f, %g, %n, %n : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, "
       "tensor<i32>) "
       "-> tensor<2x3xf32>",
       updated},
      {"%0 = \"stablehlo.dynamic_update_slice\"(%f, %g, %n, %n) : (tensor<2x3xf32>, tensor<2x3xf32>, "
       "tensor<i32>, "
       "tensor<i32>) -> tensor<2x3xf32>",
       updated},
  });
}

TEST(Forms, custom_calls) {
  check({
      {"stablehlo.custom_call @check.expect_eq(%f, %g) {has_side_effect = true} : (tensor<2x3xf32>, "
       "tensor<2x3xf32>) -> ()",
       "stablehlo.custom_call @check.expect_eq(%arg0, %arg1) {has_side_effect = true} : (tensor<2x3xf32>, "
       "tensor<2x3xf32>) -> ()"},
      {"%0:2 = \"stablehlo.custom_call\"(%f) <{api_version = 1 : i32, call_target_name = \"a b\"}> : "
       "(tensor<2x3xf32>) -> "
       "(tensor<f32>, tensor<i32>)",
       "%0:2 = stablehlo.custom_call @\"a b\"(%arg0) : (tensor<2x3xf32>) -> (tensor<f32>, tensor<i32>)"},
      {"stablehlo.custom_call @weft.debug_print(%f) {backend_config = \"0 say \\22{}\\22\", has_side_effect "
       "= true} : "
       "(tensor<2x3xf32>) -> ()",
       "stablehlo.custom_call @weft.debug_print(%arg0) {backend_config = \"0 say \\22{}\\22\", "
       "has_side_effect = true} : "
       "(tensor<2x3xf32>) -> ()"},
      {"stablehlo.custom_call @f(%f) {backend_config = {key = 1 : i64}} : (tensor<2x3xf32>) -> ()",
       "stablehlo.custom_call @f(%arg0) : (tensor<2x3xf32>) -> ()"},
  });
}

TEST(Forms, checks_become_custom_calls) {
  const std::string eq = "stablehlo.custom_call @check.expect_eq(";
  const std::string almost = "stablehlo.custom_call @check.expect_almost_eq(";
  const std::string tail = ") {has_side_effect = true} : (";
  EXPECT_EQ(reprinted("check.expect_eq %s, %s : tensor<f32>"),
            eq + "%arg4, %arg4" + tail + "tensor<f32>, tensor<f32>) -> ()\n");
  EXPECT_EQ(reprinted("check.expect_eq_const %n, dense<3> : tensor<i32>"),
            "%0 = stablehlo.constant dense<3> : tensor<i32>\n" + eq + "%arg5, %0" + tail +
                "tensor<i32>, tensor<i32>) -> ()\n");
  const auto with = [&](const char* tolerance) {
    return std::string("%0 = stablehlo.constant dense<") + tolerance + "> : tensor<f64>\n" + almost +
           "%arg4, %arg4, %0" + tail + "tensor<f32>, tensor<f32>, tensor<f64>) -> ()\n";
  };
  EXPECT_EQ(reprinted("check.expect_almost_eq %s, %s : tensor<f32>"), with("1.000000e-04"));
  EXPECT_EQ(reprinted("check.expect_almost_eq %s, %s, tolerance = 0.1 : tensor<f32>"), with("1.000000e-01"));
  for (const char* option : {", tolerance = 0.5", " {tolerance = 0.5 : f64}"})
    EXPECT_EQ(reprinted(std::string("check.expect_almost_eq_const %s, dense<1.0> : tensor<f32>") + option),
              "%0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>\n%1 = stablehlo.constant "
              "dense<5.000000e-01> : "
              "tensor<f64>\n" +
                  almost + "%arg4, %0, %1" + tail + "tensor<f32>, tensor<f32>, tensor<f64>) -> ()\n");
  EXPECT_EQ(reprinted("check.expect_close %s, %s, max_ulp_difference = 3, min_ulp_difference = 1 : "
                      "tensor<f32>, tensor<f32>"),
            "%0 = stablehlo.constant dense<3> : tensor<i64>\n%1 = stablehlo.constant dense<1> : tensor<i64>\n"
            "stablehlo.custom_call @check.expect_close(%arg4, %arg4, %0, %1" +
                tail + "tensor<f32>, tensor<f32>, tensor<i64>, tensor<i64>) -> ()\n");
}

TEST(Forms, products) {
  const std::string two = "(tensor<2x3xf32>, tensor<2x3xf32>) -> ";
  const std::string dot = "%0 = stablehlo.dot_general %arg0, %arg1, ";
  EXPECT_EQ(reprinted("%0 = stablehlo.dot_general %f, %g, contracting_dims = [1] x [1] : " + two +
                      "tensor<2x2xf32>"),
            dot + "contracting_dims = [1] x [1] : " + two + "tensor<2x2xf32>\n");
  EXPECT_EQ(
      reprinted("%0 = stablehlo.dot_general %f, %g, batching_dims = [0] x [0], contracting_dims = [1] x [1], "
                "precision = [DEFAULT, HIGHEST] : " +
                two + "tensor<2xf64>"),
      dot + "batching_dims = [0] x [0], contracting_dims = [1] x [1] : " + two + "tensor<2xf64>\n");
  EXPECT_EQ(
      reprinted("%0 = \"stablehlo.dot_general\"(%f, %g) <{dot_dimension_numbers = #stablehlo.dot<"
                "lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = "
                "[0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, "
                "#stablehlo<precision DEFAULT>]}> : " +
                two + "tensor<3xf32>"),
      dot + "batching_dims = [1] x [1], contracting_dims = [0] x [0] : " + two + "tensor<3xf32>\n");
  EXPECT_EQ(
      reprinted("%0 = \"stablehlo.dot_general\"(%f, %g) <{dot_dimension_numbers = #stablehlo.dot<>}> : " +
                two + "tensor<2x3x2x3xf32>"),
      dot + "contracting_dims = [] x [] : " + two + "tensor<2x3x2x3xf32>\n");
  EXPECT_EQ(
      reprinted(
          "%0 = weft.windows %f, sizes = [1, 2], strides = [1, 1], dilations = [2, 2] : (tensor<2x3xf32>) "
          "-> tensor<2x1x1x2xf32>"),
      "%0 = weft.windows %arg0, sizes = [1, 2], strides = [1, 1], dilations = [2, 2] : (tensor<2x3xf32>) -> "
      "tensor<2x1x1x2xf32>\n");
}

TEST(Forms, convolution) {
  const std::string image = "%0 = stablehlo.reshape %f : (tensor<2x3xf32>) -> tensor<1x2x3xf32>\n",
                    kernel = "%1 = stablehlo.reshape %g : (tensor<2x3xf32>) -> tensor<3x2x1xf32>\n";
  const auto reread = [&](const std::string& operation) {
    const std::string text = reprinted(image + kernel + operation);
    return text.substr(text.find("%2 = "));
  };
  const std::string groups =
      "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x3xf32>, "
      "tensor<3x2x1xf32>) -> ";
  const std::string head =
      "%2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {";
  EXPECT_EQ(
      reread(head + "stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} "
                    "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = "
                    "[#stablehlo<precision "
                    "DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x3xf32>, tensor<3x2x1xf32>) -> "
                    "tensor<1x3x3xf32>"),
      head + "} " + groups + "tensor<1x3x3xf32>\n");
  const std::string window =
      "stride = [2], pad = [[2, -1]], lhs_dilate = [3], rhs_dilate = [2], reverse = [true]} ";
  EXPECT_EQ(reread(head + window + groups + "tensor<1x3x4xf32>"),
            head + window + groups + "tensor<1x3x4xf32>\n");
  EXPECT_EQ(
      reread("%2 = \"stablehlo.convolution\"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = "
             "#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = "
             "array<i64: 3>, padding = dense<[[2, -1]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 2>, "
             "window_reversal = array<i1: true>, window_strides = array<i64: 2>}> : (tensor<1x2x3xf32>, "
             "tensor<3x2x1xf32>) -> tensor<1x3x4xf32>"),
      head + window + groups + "tensor<1x3x4xf32>\n");
  EXPECT_EQ(
      reread(
          "%2 = \"stablehlo.convolution\"(%0, %1) <{batch_group_count = 1 : i64, dimension_numbers = "
          "#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, "
          "input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, "
          "kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2], output_batch_dimension = 2, "
          "output_feature_dimension = 1, output_spatial_dimensions = [0]>, feature_group_count = 1 : i64}> : "
          "(tensor<1x2x3xf32>, tensor<3x2x1xf32>) -> tensor<3x3x1xf32>"),
      "%2 = stablehlo.convolution(%0, %1) dim_numbers = [b, f, 0]x[o, i, 0]->[0, f, b], window = {} " +
          groups + "tensor<3x3x1xf32>\n");
}

TEST(Forms, functions_and_modules) {
  const ir::Graph graph = parse(R"(
    #alias = array<i64: 0>
    module @"a module" attributes {mhlo.num_partitions = 1 : i32, x.y = #sdy.mesh<["a"=2]>, z = affine_map<(d0) -> (d0)>} {
      func.func public @main(%arg0: tensor<2xf32> {mhlo.layout_mode = "default"}) -> (tensor<2xf32> {jax.result_info = ""}) attributes {x} {
        %0:2 = call @"<lambda>"(%arg0) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
        %1 = func.call @nothing(%0#1) : (tensor<2xf32>) -> tensor<2xf32>
        %2 = "func.call"(%1) <{callee = @nothing}> : (tensor<2xf32>) -> tensor<2xf32>
        %3 = "stablehlo.reverse"(%2) {dimensions = #alias} : (tensor<2xf32>) -> tensor<2xf32>
        return %3 : tensor<2xf32>
      }
      func.func private @"<lambda>"(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
        "func.return"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> ()
      }
      func.func private @nothing(%arg0: tensor<2xf32>) -> tensor<2xf32> { func.return %arg0 : tensor<2xf32> }
      func.func @empty() { return }
    })");
  EXPECT_EQ(print(graph), R"(module @"a module" {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0:2 = call @"<lambda>"(%arg0) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %1 = call @nothing(%0#1) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = call @nothing(%1) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.reverse %2, dims = [0] : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
  func.func private @"<lambda>"(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
  }
  func.func private @nothing(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    return %arg0 : tensor<2xf32>
  }
  func.func public @empty() {
    return
  }
}
)");
  EXPECT_EQ(difference(graph, parse(print(graph))), "");
}

TEST(Forms, a_node_on_one_line) {
  const ir::Graph graph = parse(
      "func.func @main(%a: tensor<9xi32>) { %c = stablehlo.constant dense<[1,2,3,4,5,6,7,8,9]> : "
      "tensor<9xi32>\n%d = stablehlo.add %a, %c : tensor<9xi32>\n return }");
  const ir::Region& body = graph.region(graph.entry().body);
  EXPECT_EQ(print_node(graph, body.nodes[0]), "%1 = stablehlo.constant dense<…> : tensor<9xi32>");
  EXPECT_EQ(print_node(graph, body.nodes[1]), "%2 = stablehlo.add %0, %1 : tensor<9xi32>");
}

}  // namespace
}  // namespace weft::text
