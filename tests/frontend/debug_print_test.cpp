// debug_print: what appears on the standard output, when, and in which order.
#include <gtest/gtest.h>

#include <string>

#include <weft/weft.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/text/text.h"

namespace weft {
namespace {

template <class F>
std::string printed_by(const F& f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}

const Array kRow = array({1.f, 2.f, 3.f});

TEST(DebugPrint, PrintsAtOnceOutsideOfTraces) {
  EXPECT_EQ(printed_by([] { debug_print("x = {}, n = {} {{}}", kRow, 3); }), "x = [1. 2. 3.], n = 3 {}\n");
  EXPECT_EQ(printed_by([] { debug_print(std::string("plain")); }), "plain\n");
}

TEST(DebugPrint, PrintsAtEachRunOfCompiledCode) {
  const auto f = jit([](Array x) {
    debug_print("x = {}", x);
    return x;
  });
  EXPECT_EQ(printed_by([&] { f.lower(kRow).compile(); }), "");
  EXPECT_EQ(printed_by([&] { f(kRow); }), "x = [1. 2. 3.]\n");
  EXPECT_EQ(printed_by([&] { f(kRow), f(array({4.f, 5.f, 6.f})); }), "x = [1. 2. 3.]\nx = [4. 5. 6.]\n");
}

TEST(DebugPrint, KeepsTheOrderOfTheProgram) {
  const auto f = jit([](Array x) {
    const Array total = sum(x);
    const Array shares = x / total;
    debug_print("shares {}", shares);  // needs a second kernel
    debug_print("x {}", x);            // could be printed at once
    debug_print("total {}", total);
    return sum(shares * shares);
  });
  EXPECT_EQ(printed_by([&] {
              f(array({1.f, 1.f, 2.f}));
            }),
            "shares [0.25 0.25 0.5 ]\nx [1. 1. 2.]\ntotal 4.0\n");
}

TEST(DebugPrint, DoesNotChangeResults) {
  const Array x = linspace(-3.0, 3.0, 1001);
  const auto loss = [](Array x, bool loud) {
    const Array y = exp(x) * x;
    if (loud) debug_print("{}", sum(y));
    const Array z = y + sum(y);
    if (loud) debug_print("{} {}", z, y);
    return mean(z * z);
  };
  Array quiet, loud;
  const std::string lines = printed_by([&] {
    quiet = jit([&](Array x) { return loss(x, false); })(x);
    loud = jit([&](Array x) { return loss(x, true); })(x);
  });
  EXPECT_EQ(quiet.item<float>(), loud.item<float>());
  EXPECT_NE(lines.find("..."), std::string::npos);  // more than a thousand elements are abridged
}

TEST(DebugPrint, OfAFunctionWhoseResultIsNotUsed) {
  const auto inner = jit([](Array x) {
    debug_print("inner {}", x);
    return x + 1;
  });
  const auto outer = jit([&](Array x) {
    inner(x);
    return x;
  });
  EXPECT_EQ(printed_by([&] { outer(array(1)); }), "inner 1\n");
}

TEST(DebugPrint, OncePerElementUnderVmap) {
  const auto rows = [](Array m, Array k) {
    return vmap([&](Array row) {
      debug_print("row {} k {} {}", row, k, 7);
      debug_print("the same for all {}", k);
      return row;
    })(m);
  };
  const Array m = array({{1, 2}, {3, 4}});
  const std::string wanted = "row [1 2] k 5 7\nrow [3 4] k 5 7\nthe same for all 5\n";
  EXPECT_EQ(printed_by([&] { rows(m, array(5)); }), wanted);
  EXPECT_EQ(printed_by([&] { jit(rows)(m, array(5)); }), wanted);
}

TEST(DebugPrint, UnderNestedVmaps) {
  const auto f = vmap(
      [](Array row, Array column) {
        return vmap(
            [&](Array element) {
              debug_print("{} of {}", element, column);
              return element;
            },
            0)(row);
      },
      {0, 1});
  EXPECT_EQ(printed_by([&] {
              f(array({{1, 2}, {3, 4}}), array({{5, 6}, {7, 8}}));
            }),
            "1 of [5 7]\n2 of [5 7]\n3 of [6 8]\n4 of [6 8]\n");
}

TEST(DebugPrint, OfComputedViewsAndEmptyArrays) {
  const auto f = jit([](Array m) {
    debug_print("{} {} {}", m.T(), m(_, 1), broadcast_to(m(0, 0), {2, 2}));
    debug_print("{}", m(slice(0, 0)));
    return m;
  });
  EXPECT_EQ(printed_by([&] { f(array({{1, 2}, {3, 4}})); }), "[[1 3]\n [2 4]] [2 4] [[1 1]\n [1 1]]\n[]\n");
  const auto none = jit(vmap([](Array x) {
    debug_print("never {}", x);
    return x;
  }));
  EXPECT_EQ(printed_by([&] { none(zeros({0, 3})); }), "");
}

TEST(DebugPrint, OfEveryRealType) {
  for (const DType dtype : {b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64}) {
    const Array x = array({1.f, 0.f, 1.f}).astype(dtype);
    const auto f = jit([](Array x) {
      debug_print("{}", x);
      return x;
    });
    EXPECT_EQ(printed_by([&] { f(x); }), to_string(x) + "\n");
  }
}

TEST(DebugPrint, InterpretedEqualsCompiled) {
  const auto f = jit([](Array x) {
    debug_print("{} and {}", x * 2, sum(x));
    return vmap([](Array v) {
      debug_print("v = {}", v);
      return v;
    })(x);
  });
  const std::string text = f.lower(kRow).text();
  const ir::Graph graph = text::parse(text, "text");
  EXPECT_EQ(text::print(graph), text);
  const std::string interpreted = printed_by([&] {
    ir::Literal x = ir::Literal::zeros(f32, {3}).materialized();
    std::memcpy(x.buffer.data(), kRow.data<float>().data(), 12);
    interpreter::interpret(graph, {x});
  });
  EXPECT_EQ(interpreted, printed_by([&] { f(kRow); }));
  EXPECT_EQ(interpreted, "[2. 4. 6.] and 6.0\nv = 1.0\nv = 2.0\nv = 3.0\n");
}

template <class F>
std::string refusal_of(const F& f) {
  try {
    f();
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

// clang-format off
TEST(DebugPrint, WrongFormatsAreToldWithTheirLine) {
  const auto expect = [&](const std::string& got, const std::string& wanted, int line) {
    EXPECT_EQ(got, "debug_print: " + wanted + ", at debug_print_test.cpp:" + std::to_string(line));
  };
  expect(refusal_of([] { debug_print("{}"); }), "format \"{}\" has 1 places for 0 values", __LINE__);
  expect(refusal_of([] { debug_print("x", kRow); }), "format \"x\" has 0 places for 1 values", __LINE__);
  expect(refusal_of([] { debug_print("{x}", kRow); }), "format \"{x}\" has a brace that is no {}, {{ or }}", __LINE__);
  expect(refusal_of([] { jit([](Array x) { return debug_print("}", x), x; })(kRow); }), "format \"}\" has a brace that is no {}, {{ or }}", __LINE__);
}
// clang-format on

TEST(DebugPrint, InTheBodyOfAReductionIsRefused) {
  const auto body = [](Array a, Array b) { return debug_print("{}", a), a + b; };
  const std::string said = refusal_of([&] { reduce(kRow, array(0.f), body); });
  EXPECT_NE(said.find("in the body of a reduction cannot be compiled, at debug_print_test.cpp:"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace weft
