// Options of compilations: how they are given, what explain() says of them, and fp_contract.
#include <cstdlib>

#include "tests/frontend/program_helpers.h"
#include "tests/targets.h"

namespace weft {
namespace {

using testing::Values;
using testing::values;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Options, OfJitStandByThemselvesOrTogether) {
  const auto twice = [](Array x) { return x * 2; };
  const CompileOptions together{.num_threads = 3, .target = "sse2"};
  const auto options_of = [&](const auto& f) {
    std::string text;
    for (const OptionInForce& option : f.lower(zeros({3})).compile().explain().options())
      text += option.name + "=" + option.value + " from " + option.origin + "; ";
    return text;
  };
  EXPECT_EQ(options_of(jit(twice)), "");
  EXPECT_EQ(options_of(jit(twice, {.num_threads = 1})), "num_threads=1 from the program; ");
  EXPECT_EQ(options_of(jit(twice, {.donate = {0}, .opt_level = 0, .verify_each = true, .target = "sse2"})),
            "opt_level=0 from the program; verify_each=true from the program; target=\"sse2\" from the program; ");
  EXPECT_EQ(options_of(jit(twice, {.disabled_passes = {"push_reshapes"}, .reassociate_linalg = false})),
            "disabled_passes={\"push_reshapes\"} from the program; reassociate_linalg=false from the program; ");
  EXPECT_EQ(options_of(jit(twice, {.options = together})),
            "num_threads=3 from the program; target=\"sse2\" from the program; ");
  EXPECT_EQ(options_of(jit(twice, {.options = together, .num_threads = 1})),
            "num_threads=1 from the program; target=\"sse2\" from the program; ");
  EXPECT_EQ(values(jit(twice, {.num_threads = 1})(array({1.f, 2.f}))), (Values{2, 4}));
}

TEST(Options, OfTheEnvironmentAreToldApart) {
  ::setenv("WEFT_TARGET", "sse2", 1);
  ::setenv("WEFT_DISABLE_PASSES", "push_reshapes", 1);
  const auto compiled = jit([](Array x) { return x + 1; }, {.disabled_passes = {"canonicalize"}}).lower(zeros({3})).compile();
  ::unsetenv("WEFT_TARGET");
  ::unsetenv("WEFT_DISABLE_PASSES");
  const std::string text = compiled.explain().to_string();
  EXPECT_TRUE(contains(text, "option disabled_passes = {\"canonicalize\"}, from the program\n")) << text;
  EXPECT_TRUE(contains(text, "option disabled_passes = {\"push_reshapes\"}, from WEFT_DISABLE_PASSES\n")) << text;
  EXPECT_TRUE(contains(text, "option target = \"sse2\", from WEFT_TARGET\n")) << text;
}

TEST(Options, ThatDoNothingYetWarnOnce) {
  const auto compile_with = [](const CompileOptions& options) {
    ::testing::internal::CaptureStderr();
    jit([](Array x) { return x + 1; }).lower(zeros({3})).compile(options);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(compile_with({.fp_contract = true}), "");
  EXPECT_EQ(compile_with({.fast_math = true}), "weft: warning: the option fast_math does nothing yet\n");
  EXPECT_EQ(compile_with({.fast_math = true}), "");
  EXPECT_EQ(compile_with({.cache_dir = "x"}), "weft: warning: the option cache_dir does nothing yet\n");
}

template <class T>
Array numbers(std::uint32_t seed, std::size_t count) {
  std::vector<T> all;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    all.push_back(static_cast<T>(static_cast<double>(seed) / 2147483648.0 - 1));
  }
  return copy_of(all, {count});
}

// A form of three numbers beside what it gives with one rounding less.
template <class T, class Traced, class Exact>
void expect_contracted(const char* form, Traced traced, Exact exact) {
  const std::size_t n = 101;
  const Array a = numbers<T>(1, n), b = numbers<T>(2, n), c = numbers<T>(3, n);
  for (const std::string& target : test::targets()) {
    const auto compiled = jit(traced).lower(a, b, c).compile({.fp_contract = true, .target = target});
    const bool has_fma = target != "sse2";
    const Array result = compiled(a, b, c);
    const auto fma = [&](T x, T y, T z) { return has_fma ? std::fma(x, y, z) : static_cast<T>(x * y) + z; };
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_EQ(result.data<T>()[i], exact(fma, a.data<T>()[i], b.data<T>()[i], c.data<T>()[i])) << form << " on " << target;
    std::size_t entries = 0;
    for (const Rewrite& rewrite : compiled.explain()) {
      if (rewrite.rule != "contract_products") continue;
      ++entries;
      EXPECT_EQ(rewrite.numeric, "changes rounding");
      EXPECT_TRUE(rewrite.is_headline);
      EXPECT_TRUE(contains(rewrite.where.at(0), "options_test.cpp:"));
    }
    EXPECT_EQ(entries, has_fma ? 1u : 0u) << form << " on " << target;
  }
}

template <class T>
void expect_all_contracted() {
  const auto check = [](const char* form, auto traced, auto exact) { expect_contracted<T>(form, traced, exact); };
  check("a*b + c", [](Array a, Array b, Array c) { return a * b + c; }, [](auto fma, T a, T b, T c) { return fma(a, b, c); });
  check("c + a*b", [](Array a, Array b, Array c) { return c + a * b; }, [](auto fma, T a, T b, T c) { return fma(a, b, c); });
  check("a*b - c", [](Array a, Array b, Array c) { return a * b - c; }, [](auto fma, T a, T b, T c) { return fma(a, b, -c); });
  check("c - a*b", [](Array a, Array b, Array c) { return c - a * b; }, [](auto fma, T a, T b, T c) { return fma(-a, b, c); });
  check("a*b + c*c", [](Array a, Array b, Array c) { return a * b + c * c; },
        [](auto fma, T a, T b, T c) { return fma(a, b, static_cast<T>(c * c)); });
  check("(a*b + c)*a - b", [](Array a, Array b, Array c) { return (a * b + c) * a - b; },
        [](auto fma, T a, T b, T c) { return fma(fma(a, b, c), a, -b); });
}

TEST(FpContract, LeavesAProductAloneThatHasOtherReaders) {
  const auto f = jit([](Array a, Array b) {
    Array product = a * b;
    return std::pair{product + a, product};
  });
  const Array a = numbers<float>(1, 10), b = numbers<float>(2, 10);
  EXPECT_FALSE(f.lower(a, b).compile({.fp_contract = true}).explain().contains("contract_products"));
}

TEST(FpContract, MakesOneFmaOfAProductAndASum) {
  expect_all_contracted<float>();
  expect_all_contracted<double>();
}

TEST(FpContract, IsOffUnlessAskedFor) {
  const auto f = jit([](Array a, Array b, Array x) { return a * x + b * x; });
  const Array a = array({1e20f}), b = array({-1e20f}), x = array({1e10f});
  EXPECT_EQ(values(f(a, b, x)), (Values{0}));  // an exact cancellation
  EXPECT_FALSE(f.lower(a, b, x).compile().explain().contains("contract_products"));
}

TEST(FpContract, LeavesRoundedHalvesAndIntegersAlone) {
  for (DType dtype : {f16, bf16, i32}) {
    const auto compiled = jit([](Array a, Array b, Array c) { return a * b + c; })
                              .lower(ShapeDtype{{7}, dtype}, ShapeDtype{{7}, dtype}, ShapeDtype{{7}, dtype})
                              .compile({.fp_contract = true});
    EXPECT_FALSE(compiled.explain().contains("contract_products")) << name_of(dtype);
  }
}

TEST(FpContract, ReachesLoopsAndReductions) {
  const auto loop = jit([](Array x) { return scan([](Array c, Array v) { return c * 0.75f + v; }, array(0.f), x).first; });
  const auto energy = jit([](Array x) { return sum(exp(x * 2.f + 1.f)); });
  const Array x = numbers<float>(5, 300);
  float want = 0;
  for (float v : x.data<float>()) want = std::fma(want, 0.75f, v);
  const bool has_fma = test::targets().size() > 1;
  const auto compiled = loop.lower(x).compile({.fp_contract = true});
  if (has_fma) {
    EXPECT_EQ(compiled(x).item<float>(), want);
  }
  EXPECT_EQ(compiled.explain().contains("contract_products"), has_fma);
  EXPECT_EQ(energy.lower(x).compile({.fp_contract = true}).explain().contains("contract_products"), has_fma);
}

}  // namespace
}  // namespace weft
