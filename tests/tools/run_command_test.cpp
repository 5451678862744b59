// weft run: values in and out, both engines, checks, and what is said of wrong inputs.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/npy.h"
#include "tests/tools/tool.h"

namespace weft::tool {
namespace {

template <class T>
void write_npy(const std::string& path, const Shape& shape, DType dtype, const std::vector<T>& values) {
  runtime::save_npy(path,
                    {{shape, dtype}, runtime::Buffer::copy_of(values.data(), values.size() * sizeof(T))});
}
template <class T>
std::vector<T> values_of(const runtime::Tensor& tensor) {
  std::vector<T> values(static_cast<std::size_t>(tensor.type.size()));
  std::memcpy(values.data(), tensor.buffer.data(), values.size() * sizeof(T));
  return values;
}

class RunCommand : public testing::Test {
 protected:
  RunCommand() {
    std::vector<float> x(12);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    write_npy(file("x.npy"), Shape{4, 3}, f32, x);
    write_npy<float>(file("row.npy"), Shape{3}, f32, {1, 2, 3});
    write_npy<std::uint16_t>(file("bits.npy"), Shape{3}, u16, {0x3F80, 0x4000, 0x4040});
    write_npy<std::uint16_t>(file("bf16.npy"), Shape{3}, bf16, {0x3F80, 0x4000, 0x4040});
  }
  std::string file(const std::string& name) const { return scratch_ / name; }
  Scratch scratch_;
};

constexpr const char* kEnergies = "out0: f32[4] [  5.  50. 149. 302.]\nout1: f32[] 506.0\n";

TEST_F(RunCommand, PrintsResultsOfBothEngines) {
  for (const char* engine : {"", " --engine=compiled", " --engine=interpreter", " --target=sse2"}) {
    const Said said = weft("run energy.mlir --input " + file("x.npy") + engine);
    EXPECT_EQ(said.status, 0) << engine;
    EXPECT_EQ(said.out, kEnergies) << engine;
    EXPECT_EQ(said.err, "") << engine;
  }
}

TEST_F(RunCommand, ReadsStandardInput) {
  EXPECT_EQ(weft("run - --input " + file("x.npy") + " <energy.mlir").out, kEnergies);
  const Said said = weft("run - <undefined.mlir");
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(said.err.starts_with("<stdin>:2:26: error: ")) << said.err;
}

TEST_F(RunCommand, ProgramMayFollowInputs) {
  EXPECT_EQ(weft("run --input " + file("x.npy") + " energy.mlir --time 2").status, 0);
  EXPECT_EQ(weft("run --input " + file("x.npy") + " - <energy.mlir").out, kEnergies);
}

TEST_F(RunCommand, WritesResults) {
  for (const char* engine : {"compiled", "interpreter"}) {
    const std::string dir = file(std::string("new/") + engine);
    ASSERT_EQ(
        weft("run energy.mlir --input " + file("x.npy") + " --output-dir " + dir + " --engine " + engine)
            .status,
        0);
    const runtime::Tensor energies = runtime::load_npy(dir + "/out0.npy"),
                          total = runtime::load_npy(dir + "/out1.npy");
    EXPECT_EQ(energies.type, (ShapeDtype{Shape{4}, f32}));
    EXPECT_EQ(values_of<float>(energies), (std::vector<float>{5, 50, 149, 302}));
    EXPECT_EQ(total.type, (ShapeDtype{Shape{}, f32}));
    EXPECT_EQ(values_of<float>(total), std::vector<float>{506});
  }
}

TEST_F(RunCommand, Bf16ComesAndGoesAsBits) {
  const std::vector<std::uint16_t> squares{0x3F80, 0x4080, 0x4110};
  for (const char* input : {"bits.npy", "bf16.npy"}) {
    const Said said = weft("run bf16.mlir --input " + file(input) + " --output-dir " + file("out"));
    EXPECT_EQ(said.out, "out0: bf16[3] [1. 4. 9.]\n") << input;
    const runtime::Tensor result = runtime::load_npy(file("out/out0.npy"));
    EXPECT_EQ(result.type.dtype, bf16);
    EXPECT_EQ(values_of<std::uint16_t>(result), squares);
  }
  ASSERT_EQ(
      weft("run bf16.mlir --bf16-as-u16 --input " + file("bits.npy") + " --output-dir " + file("u16")).status,
      0);
  const runtime::Tensor result = runtime::load_npy(file("u16/out0.npy"));
  EXPECT_EQ(result.type.dtype, u16);
  EXPECT_EQ(values_of<std::uint16_t>(result), squares);
}

TEST_F(RunCommand, EntryIsWhatIsAskedFor) {
  const Said outer = weft("run functions.mlir --entry outer");
  EXPECT_EQ(outer.out, "out0: f32[] 6.0\n") << outer.err;
  EXPECT_EQ(weft("run functions.mlir").err, "weft: error: @main(f32[]) takes 1 input, given 0\n");
  const Said none = weft("run functions.mlir --entry nobody");
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, "weft: error: there is no function @nobody; the program has @main, @outer\n");
}

TEST_F(RunCommand, ChecksDecideTheExitCode) {
  for (const char* engine : {"compiled", "interpreter"}) {
    const Said good = weft(std::string("run checks_hold.mlir --engine ") + engine);
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(good.out, "out0: f32[2] [2. 4.]\n2 of 2 checks hold\n");
    const Said bad = weft(std::string("run checks_fail.mlir --engine ") + engine);
    EXPECT_EQ(bad.status, 1);
    EXPECT_EQ(bad.out, "1 of 3 checks hold\n");
    EXPECT_EQ(bad.err,
              "checks_fail.mlir:5:3: error: check.expect_eq: element [1] is 4, expected 4.5\n"
              "  check.expect_eq_const %b, dense<[2.0, 4.5]> : tensor<2xf32>\n"
              "  ^\n"
              "checks_fail.mlir:6:3: error: check.expect_almost_eq: element [0] is 2, expected 3\n"
              "  check.expect_almost_eq_const %b, dense<[3.0, 4.0]> : tensor<2xf32>\n"
              "  ^\n");
  }
}

TEST_F(RunCommand, CaretsStandBelowTabs) {
  std::ofstream(file("tab.mlir")) << "func.func @main(%x: tensor<f32>) {\n"
                                     "\tcheck.expect_eq_const %x, dense<4.5> : tensor<f32>\n"
                                     "\treturn\n}\n";
  write_npy<float>(file("scalar.npy"), Shape{}, f32, {1});
  const Said said = weft("run " + file("tab.mlir") + " --input " + file("scalar.npy"));
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(said.err.ends_with(": tensor<f32>\n\t^\n")) << said.err;
}

TEST_F(RunCommand, TimesRuns) {
  const Said said = weft("run energy.mlir --time 3 --input " + file("x.npy"));
  EXPECT_TRUE(said.out.starts_with(kEnergies));
  EXPECT_TRUE(contains(said.out, "us median of 3 runs\n")) << said.out;
}

TEST_F(RunCommand, WrongInputsAreTold) {
  const auto error = [&](const std::string& arguments) {
    const Said said = weft("run " + arguments);
    EXPECT_EQ(said.status, 2) << arguments;
    EXPECT_EQ(said.out, "") << arguments;
    return said.err;
  };
  EXPECT_EQ(error("energy.mlir"), "weft: error: @main(f32[4,3]) takes 1 input, given 0\n");
  EXPECT_EQ(error("energy.mlir --input " + file("x.npy") + " --input " + file("x.npy")),
            "weft: error: @main(f32[4,3]) takes 1 input, given 2\n");
  EXPECT_EQ(
      error("energy.mlir --input " + file("row.npy")),
      "weft: error: input 0 is f32[3] in " + file("row.npy") + ", but @main(f32[4,3]) takes f32[4,3]\n");
  EXPECT_TRUE(contains(error("bf16.mlir --input " + file("row.npy")), "takes bf16[3]"));
  EXPECT_TRUE(contains(error("energy.mlir --input nothing.npy"), "cannot open nothing.npy"));
  EXPECT_TRUE(contains(error("energy.mlir --input energy.mlir"), "is not a .npy file"));
  EXPECT_TRUE(contains(error("energy.mlir --input ."), "is not a regular file"));
  std::filesystem::resize_file(file("x.npy"), 150);
  EXPECT_TRUE(contains(error("energy.mlir --input " + file("x.npy")), "is truncated"));
  EXPECT_TRUE(contains(error("bf16.mlir --output-dir bf16.mlir/x --input " + file("bf16.npy")),
                       "cannot make the directory bf16.mlir/x"));
  EXPECT_TRUE(contains(error("bf16.mlir --target sse3 --input " + file("bf16.npy")), "sse3"));
}

TEST_F(RunCommand, ProgramsThatCannotRunAreTold) {
  const std::string input = " --input " + file("row.npy");
  const Said compiled = weft("run custom_call.mlir" + input);
  EXPECT_EQ(compiled.status, 2);
  EXPECT_TRUE(compiled.err.starts_with(
      "custom_call.mlir:2:8: error: compile: stablehlo.custom_call @somebody.else cannot be compiled\n  %"))
      << compiled.err;
  EXPECT_EQ(compiled.err, weft("opt custom_call.mlir --stage=loops").err);
  const Said interpreted = weft("run custom_call.mlir --engine=interpreter" + input);
  EXPECT_EQ(interpreted.status, 2);
  EXPECT_TRUE(contains(interpreted.err, "somebody.else"));
}

}  // namespace
}  // namespace weft::tool
