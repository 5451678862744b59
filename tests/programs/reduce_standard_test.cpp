// Standard reductions of every type over many shapes and sets of axes, several in one kernel: exact ones bit
// for bit, float sums and products within the bound of their length.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/reductions.h"
#include "tests/programs/sweep.h"

namespace weft::sweep {
namespace {

using ir::Dims;
using ir::ReductionKind;
using ir::ValueId;

constexpr ReductionKind kKinds[] = {
#define REDUCTION(name, ...) ReductionKind::name,
#include "compiler/ir/reductions.def"
#undef REDUCTION
};

struct Domain {
  Shape shape;
  Dims axes;
};
const Domain kDomains[] = {
    {{0}, {0}},          {{1}, {0}},           {{7}, {0}},           {{16}, {0}},
    {{1000}, {0}},       {{5, 0}, {1}},        {{5, 0}, {0}},        {{0, 4}, {0, 1}},
    {{3, 17}, {0}},      {{3, 17}, {1}},       {{3, 17}, {0, 1}},    {{40, 33}, {0}},
    {{40, 33}, {1}},     {{1, 9}, {0}},        {{9, 1}, {0}},        {{2, 3, 4}, {1}},
    {{2, 3, 4}, {0, 2}}, {{4, 5, 18}, {0, 1}}, {{4, 5, 18}, {1, 2}}, {{3, 2, 2, 2, 5}, {0, 2, 4}},
    {{4}, {}},
};

bool is_rounded(ReductionKind kind, DType dtype) {
  return is_floating(dtype) && (kind == ReductionKind::sum || kind == ReductionKind::product);
}

struct Made {
  Program program;
  std::vector<ReductionKind> kinds;
};

Made all_kinds(const Domain& domain, DType dtype, bool init_is_argument) {
  Made made;
  const ValueId x = made.program.argument({domain.shape, dtype});
  ir::Builder& b = made.program.builder;
  for (ReductionKind kind : kKinds) {
    if (!ir::accepts(ir::info_of(kind).combine, dtype)) continue;
    const ValueId init =
        init_is_argument ? made.program.argument({Shape{}, dtype}) : b.constant(ir::identity_of(kind, dtype));
    made.program.returns(b.reduce(x, init, domain.axes, ir::info_of(kind).combine));
    made.kinds.push_back(kind);
  }
  return made;
}

// The reduction of `kind` in f64, and the bound's scale: of a sum the sum of magnitudes, of a product its
// magnitude.
std::vector<ir::Literal> in_double(const Domain& domain, ReductionKind kind, const ir::Literal& x,
                                   const ir::Literal& init) {
  Program program;
  ir::Builder& b = program.builder;
  const ir::Op combine = ir::info_of(kind).combine;
  const ValueId wide = b.convert(program.argument(x.type), DType::f64);
  const ValueId start = b.convert(program.argument(init.type), DType::f64);
  program.returns(b.reduce(wide, start, domain.axes, combine));
  program.returns(b.reduce(b.op(ir::Op::abs, {wide}), b.op(ir::Op::abs, {start}), domain.axes, combine));
  return interpreter::interpret(program.graph, {x, init});
}

void expect_near(const ir::Literal& got, const std::vector<ir::Literal>& want, std::int64_t length) {
  const DType dtype = got.type.dtype;
  const double accumulated =
      epsilon_of(is_half(dtype) ? DType::f32 : dtype) * static_cast<double>(length + 1);
  for (std::int64_t i = 0; i < got.type.size(); ++i) {
    const auto value = static_cast<double>(number_at(got, i));
    const double exact = want[0].at<double>(i), scale = want[1].at<double>(i);
    const double rounding = is_half(dtype) ? epsilon_of(dtype) / 2 * std::fabs(exact) : 0;
    const bool is_right =
        std::isnan(exact) ? std::isnan(value) : std::fabs(value - exact) <= accumulated * scale + rounding;
    EXPECT_TRUE(is_right || value == exact) << "[" << i << "]: got " << show(got, i) << ", want " << exact
                                            << " within " << accumulated * scale + rounding;
  }
}

void check(const Domain& domain, DType dtype, bool init_is_argument, const Setting& setting) {
  const Made made = all_kinds(domain, dtype, init_is_argument);
  const ir::Graph& graph = made.program.graph;
  auto arguments = arguments_of(graph, 17, is_floating(dtype) ? Values::near_one : Values::ordinary);
  const auto want = interpreter::interpret(graph, arguments);
  const Outcome got = run(graph, arguments, setting);
  EXPECT_LE(got.kernels, 1) << got.loops;
  std::int64_t length = 1;
  for (std::int64_t axis : domain.axes) length *= domain.shape[static_cast<int>(axis)];
  for (std::size_t k = 0; k < made.kinds.size(); ++k) {
    SCOPED_TRACE(testing::Message() << ir::info_of(made.kinds[k]).name
                                    << (init_is_argument ? " from an argument" : ""));
    if (!is_rounded(made.kinds[k], dtype)) {
      const std::string wrong = difference(got.results[k], want[k]);
      EXPECT_EQ(wrong, "") << (wrong.empty() ? "" : got.loops);
      continue;
    }
    const ir::Literal init = init_is_argument ? arguments[k + 1] : ir::identity_of(made.kinds[k], dtype);
    expect_near(got.results[k], in_double(domain, made.kinds[k], arguments[0], init), length);
  }
}

class StandardReductions : public testing::TestWithParam<DType> {};

TEST_P(StandardReductions, all_kinds_at_once_over_every_domain) {
  const auto names = targets();
  std::size_t number = 0;
  for (const Domain& domain : kDomains)
    for (bool init_is_argument : {false, true}) {
      const Setting setting{names[number % names.size()], 1 + static_cast<int>(number % 3)};
      ++number;
      SCOPED_TRACE(testing::Message() << domain.shape.to_string() << " over "
                                      << testing::PrintToString(domain.axes) << " on " << setting.target);
      check(domain, GetParam(), init_is_argument, setting);
    }
}

// Extremes with every special value inside: NaN wins, zeros have an order.
TEST_P(StandardReductions, extremes_of_special_values) {
  for (const Domain& domain : kDomains)
    for (Values kind : {Values::special, Values::sparse, Values::small}) {
      Program program;
      const ValueId x = program.argument({domain.shape, GetParam()});
      for (ReductionKind extreme : {ReductionKind::minimum, ReductionKind::maximum}) {
        const ValueId init = program.builder.constant(ir::identity_of(extreme, GetParam()));
        program.returns(program.builder.reduce(x, init, domain.axes, ir::info_of(extreme).combine));
      }
      SCOPED_TRACE(domain.shape.to_string());
      expect_same(program.graph, arguments_of(program.graph, 3, kind));
    }
}

INSTANTIATE_TEST_SUITE_P(sweep, StandardReductions, testing::ValuesIn(kRealTypes),
                         [](const auto& type) { return std::string(name_of(type.param)); });

TEST(HalfSums, accumulate_in_f32) {
  for (const auto& [dtype, length, want] :
       {std::tuple{DType::f16, 20000, 20000.0}, {DType::bf16, 70000, 70144.0}, {DType::f16, 60000, 60000.0}})
    for (const std::string& target : targets()) {
      Program program;
      const ValueId x = program.argument({Shape{length}, dtype});
      program.returns(program.builder.reduce(x, program.builder.scalar(dtype, 0), {0}, ir::Op::add));
      const Outcome got = run(program.graph, {literal_of(dtype, Shape{length}, {1.0})}, {target, 2});
      EXPECT_EQ(static_cast<double>(number_at(got.results[0], 0)), want) << dtype << " on " << target;
    }
}

}  // namespace
}  // namespace weft::sweep
