// What cannot be is refused by an exception of the right type, which says what was asked, why it cannot be
// and which line of the user's asked for it; and the library stays usable.
#include <functional>
#include <limits>
#include <thread>

#include "tests/frontend/program_helpers.h"

namespace weft {
namespace {

using testing::expect_message;
using testing::Values;
using testing::values;

struct Mine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each call is written on one line, so that its line is known.
template <class Error, class F>
void refuses(F&& f, std::vector<std::string> parts, Location where = Location::current()) {
  SCOPED_TRACE("line " + std::to_string(where.line()));
  parts.push_back("errors_test.cpp:" + std::to_string(where.line()));
  expect_message<Error>(f, parts);
}

class Errors : public ::testing::Test {
 protected:
  const Array x = zeros({2, 3}), v = zeros({4}), none_at_all = zeros({0}), mask = x > 0;
};

// clang-format off
TEST_F(Errors, OfShapes) {
  refuses<ShapeError>([&] { x + v; }, {"add", "f32[2,3]", "f32[4]", "broadcast"});
  refuses<ShapeError>([&] { maximum(v, x); }, {"maximum", "f32[4]", "f32[2,3]", "broadcast"});
  refuses<ShapeError>([&] { where(mask, x, v); }, {"where", "b1[2,3]", "f32[4]", "broadcast"});
  refuses<ShapeError>([&] { clip(x, v, 1); }, {"clip", "f32[2,3]", "f32[4]"});
  refuses<ShapeError>([&] { x.reshape({4, 2}); }, {"reshape", "f32[2,3]", "[4,2]", "elements"});
  refuses<ShapeError>([&] { broadcast_to(v, {3}); }, {"broadcast_to", "f32[4]", "[3]"});
  refuses<ShapeError>([&] { squeeze(x, 0); }, {"squeeze", "f32[2,3]", "axis 0"});
  refuses<ShapeError>([&] { diagonal(v); }, {"diagonal", "f32[4]", "matrix"});
  refuses<ShapeError>([&] { eye(-1); }, {"eye", "-1"});
  refuses<ShapeError>([&] { tri(2, -3); }, {"tri", "-3"});
  refuses<ShapeError>([&] { tile(x, {-1}); }, {"tile", "-1"});
  refuses<ShapeError>([&] { repeat(x, -1); }, {"repeat", "-1"});
  refuses<ShapeError>([&] { lax::slice(x, {0, 0}, {2, 4}); }, {"slice", "0:4", "f32[2,3]"});
  refuses<ShapeError>([&] { lax::broadcast_in_dim(x, {2, 2}, {0, 1}); }, {"broadcast_in_dim", "f32[2,3]", "extent 3"});
  refuses<ShapeError>([&] { lax::dynamic_slice(x, {0, 0}, {3, 1}); }, {"dynamic_slice", "size 3", "f32[2,3]"});
  refuses<ShapeError>([&] { bitcast_convert_type(x, f64); }, {"bitcast_convert_type", "f32[2,3]", "f64"});
  refuses<ShapeError>([&] { x.item<float>(); }, {"item", "f32[2,3]", "one element"});
  refuses<ShapeError>([&] { array({{1, 2}, {3}}); }, {"array", "lengths"});
  refuses<ShapeError>([&] { copy_of(std::vector<float>{1, 2}, {3}); }, {"2 elements", "[3]"});
  expect_message<ShapeError>([&] { (void)bool(x); }, {"condition", "f32[2,3]", "any()", "all()"});
  expect_message<ShapeError>([&] { zeros({2, -1}); }, {"[2,-1]", "negative", "axis 1"});
  expect_message<ShapeError>([&] { zeros({std::int64_t{1} << 40, std::int64_t{1} << 40}); }, {"overflows"});
}

TEST_F(Errors, OfTypes) {
  refuses<TypeError>([&] { x & x; }, {"bitwise_and", "f32[2,3]", "integers"});
  refuses<TypeError>([&] { x << 1; }, {"left_shift", "f32[2,3]", "integers"});
  refuses<TypeError>([&] { ~x; }, {"bitwise_not", "f32[2,3]"});
  refuses<TypeError>([&] { -mask; }, {"negative", "b1[2,3]"});
  refuses<TypeError>([&] { mask - mask; }, {"subtract", "b1[2,3]"});
  refuses<TypeError>([&] { bitwise_count(v); }, {"bitwise_count", "f32[4]"});
  refuses<TypeError>([&] { array(std::uint8_t{1}) + 300; }, {"add", "300", "u8"});
  refuses<TypeError>([&] { astype(x, c64); }, {"astype", "f32[2,3]", "c64"});
  refuses<TypeError>([&] { reduce_precision(arange(3), 5, 2); }, {"reduce_precision", "i32[3]", "floats"});
  refuses<TypeError>([&] { reduce_precision(x, 0, 2); }, {"reduce_precision", "exponent"});
  refuses<TypeError>([&] { v(x); }, {"index", "f32[2,3]", "not integers"});
  refuses<TypeError>([&] { v(v > 0); }, {"index", "b1[4]", "where"});
  refuses<TypeError>([&] { take(v, 1.5); }, {"take", "not integers"});
  refuses<TypeError>([&] { x.item<double>(); }, {"f32[2,3]", "f64"});
  refuses<TypeError>([&] { v.data<int>(); }, {"f32[4]", "i32"});
  refuses<TypeError>([&] { v.at<double>(0); }, {"f32[]", "f64"});
  refuses<TypeError>([&] { arange(0, 1, 0); }, {"arange", "step"});
  refuses<TypeError>([&] { Array() + 1; }, {"add", "default-constructed"});
  refuses<TypeError>([&] { reduce(x, 0, [](Array a, Array b) { return a > b; }, {0}); }, {"reduce", "b1[]", "f32[]"});
  refuses<TypeError>([&] { reduce(std::pair{x, x}, 0, [](auto a, auto) { return a; }, {0}); }, {"reduce", "1 initial"});
}

TEST_F(Errors, OfIndicesAndAxes) {
  refuses<IndexError>([&] { x(2); }, {"index", "2 is outside axis 0", "f32[2,3]"});
  refuses<IndexError>([&] { x(0, -4); }, {"index", "-4 is outside axis 1"});
  refuses<IndexError>([&] { x(0, 0, 0); }, {"index", "3 indices", "f32[2,3]"});
  refuses<IndexError>([&] { x(slice(0, 2, 0)); }, {"step"});
  refuses<IndexError>([&] { x.at<float>(2, 0); }, {"2 is outside axis 0"});
  refuses<IndexError>([&] { none_at_all(array(0)); }, {"index", "f32[0]", "empty"});
  refuses<IndexError>([&] { take(none_at_all, array({0, 1})); }, {"take", "f32[0]", "empty"});
  refuses<IndexError>([&] { sum(x, 2); }, {"sum", "axis 2", "2 axes"});
  refuses<IndexError>([&] { x.max(-3); }, {"max", "axis -3", "2 axes"});
  refuses<IndexError>([&] { sum(x, {0, 0}); }, {"sum", "axis 0", "twice"});
  refuses<IndexError>([&] { sum(x, {1, -1}); }, {"sum", "axis 1", "twice"});
  refuses<IndexError>([&] { argmin(x, 4); }, {"argmin", "axis 4"});
  refuses<IndexError>([&] { argmin(x, {0, 1}); }, {"argmin", "one axis"});
  refuses<IndexError>([&] { transpose(x, {0, 0}); }, {"transpose", "twice"});
  refuses<IndexError>([&] { transpose(x, {0}); }, {"transpose", "1 axes", "f32[2,3]"});
  refuses<IndexError>([&] { swapaxes(x, 0, 5); }, {"swapaxes", "axis 5"});
  refuses<IndexError>([&] { expand_dims(x, 7); }, {"expand_dims", "axis 7"});
  refuses<IndexError>([&] { roll(x, 1, 5); }, {"roll", "axis 5"});
  refuses<IndexError>([&] { x.shape(2); }, {"shape(2)", "f32[2,3]"});
  refuses<IndexError>([&] { lax::index_in_dim(x, 5); }, {"index_in_dim", "5 is outside axis 0"});
  refuses<IndexError>([&] { reduce(x, 0, [](Array a, Array b) { return a + b; }, {5}); }, {"reduce", "axis 5"});
}

TEST_F(Errors, OfReductionsOfNothing) {
  refuses<ShapeError>([&] { argmin(none_at_all); }, {"argmin", "f32[0]", "no elements"});
  refuses<ShapeError>([&] { argmax(zeros({0, 3}), 0); }, {"argmax", "f32[0,3]", "axis 0"});
  refuses<ShapeError>([&] { min(none_at_all); }, {"min", "f32[0]", "no elements"});
  refuses<ShapeError>([&] { max(zeros({3, 0}), 1); }, {"max", "f32[3,0]", "axis 1"});
  refuses<ShapeError>([&] { jit([](Array a) { return argmin(a, 0); })(none_at_all); }, {"argmin", "f32[0]"});
}
// clang-format on

TEST_F(Errors, OfReductionsWithAnIdentityThereAreNone) {
  EXPECT_EQ(values(sum(none_at_all)), (Values{0}));
  EXPECT_EQ(values(prod(none_at_all)), (Values{1}));
  EXPECT_EQ(values(any(none_at_all)), (Values{0}));
  EXPECT_EQ(values(all(none_at_all)), (Values{1}));
  EXPECT_EQ(values(sum(zeros({2, 0}), 1)), (Values{0, 0}));
  EXPECT_EQ(values(prod(zeros({2, 0}), 1)), (Values{1, 1}));
  EXPECT_TRUE(std::isnan(values(mean(none_at_all))[0]));
  EXPECT_EQ(argmin(zeros({0, 3}), 1).shape(), (Shape{0}));
  EXPECT_EQ(max(zeros({0, 2}), -1).shape(), (Shape{0}));
  const auto last = [](Array, Array b) { return b; };
  EXPECT_EQ(values(reduce(none_at_all, 7, last, {0})), (Values{7}));
}

// --- tracing ---

// clang-format off
TEST_F(Errors, OfReadingATracedValue) {
  const Array one = array(1.f);
  refuses<TraceError>([&] { jit([](Array a) { return a > 0 ? a : -a; })(one); }, {"condition", "b1[]", "cond", "where"});
  refuses<TraceError>([&] { jit([](Array a) { while (a < 3) a = a + 1; return a; })(one); }, {"condition", "b1[]"});
  refuses<TraceError>([&] { jit([](Array a) { return Array(a.item<float>()); })(one); }, {"f32[]", "static"});
  refuses<TraceError>([&] { jit([](Array a) { return Array(a.to_vector<float>()[0]); })(v); }, {"f32[4]", "static"});
  refuses<TraceError>([&] { jit([](Array a) { return Array(a.data<float>()[0]); })(v); }, {"f32[4]", "static"});
  refuses<TraceError>([&] { jit([](Array a) { return Array(a.at<float>(0)); })(v); }, {"f32[]", "static"});
  refuses<TraceError>([&] { vmap([](Array a) { return a > 0 ? a : -a; })(v); }, {"condition", "b1[]", "where"});
  refuses<TraceError>([&] { reduce(v, 0, [](Array a, Array b) { return a > b ? a : b; }, {0}); }, {"condition", "b1[]"});
  refuses<TraceError>([&] { jit([](Array a) { return arange(a); })(one); }, {"arange", "f32[]"});
}
// clang-format on

TEST_F(Errors, OfValuesThatOutlivedTheirTrace) {
  Array leaked;
  const auto expect_refused = [&](int made_at) {
    const std::vector<std::string> parts{"outside", "return it from that function",
                                         "errors_test.cpp:" + std::to_string(made_at)};
    expect_message<TraceError>([&] { leaked + 1; }, parts);
    expect_message<TraceError>([&] { sum(leaked); }, parts);
    expect_message<TraceError>([&] { jit([&](Array a) { return a + leaked; })(x); }, parts);
    expect_message<TraceError>([&] { jit([&](Array) { return leaked; })(x); }, parts);
    expect_message<TraceError>([&] { jit([](Array a) { return a; })(leaked); }, parts);
    expect_message<TraceError>([&] { vmap([&](Array a) { return a + leaked; })(x); }, parts);
    expect_message<TraceError>(
        [&] {
          std::thread([&] { EXPECT_THROW(leaked + 1, TraceError); }).join();
          leaked + 1;
        },
        parts);
    EXPECT_NO_THROW(to_string(leaked));
  };
  jit([&](Array a) { return leaked = a * 2; })(x);
  expect_refused(__LINE__ - 1);
  vmap([&](Array a) { return leaked = a * 2; })(x);
  expect_refused(__LINE__ - 1);
  reduce(v, 0, [&](Array a, Array b) { return leaked = a + b; }, {0});
  expect_refused(__LINE__ - 1);
  const auto doubled = [](const Array& a) { return a * 2; };
  const int line_of_doubled = __LINE__ - 1;
  const auto throwing = jit([&](Array a) {
    leaked = doubled(a);
    throw Mine("mine");
    return a;
  });
  EXPECT_THROW(throwing(x), Mine);
  expect_refused(line_of_doubled);
}

TEST_F(Errors, OfAnInnerValueUsedByTheOuterFunction) {
  Array inner_value;
  const auto inner = jit([&](Array a) { return inner_value = a * 2; });
  const std::string made_at = "errors_test.cpp:" + std::to_string(__LINE__ - 1);
  const auto outer = jit([&](Array a) {
    Array result = inner(a);
    return result + inner_value;
  });
  expect_message<TraceError>([&] { outer(x); }, {"add", "f32[2,3]", "outside", made_at});
}

TEST_F(Errors, OfAnotherThreadsTrace) {
  const auto f = jit([](Array a) {
    Array b = a * 2;
    std::thread([&] { EXPECT_THROW(b + 1, TraceError); }).join();
    return b;
  });
  EXPECT_EQ(values(f(array(3.f))), (Values{6}));
}

// --- recursion ---

TEST_F(Errors, OfARecursionWithoutEnd) {
  std::function<Array(Array)> same;
  const auto f = jit([&](Array a) { return same(a) + 1; });
  same = [&](Array a) { return f(a); };
  expect_message<TraceError>([&] { f(x); }, {"recursion", "static argument"});
  std::function<Array(Array, int)> growing;
  const auto g = jit([&](Array a, int n) { return growing(a, n + 1); });
  growing = [&](Array a, int n) { return g(a, n); };
  expect_message<TraceError>([&] { g(x, 0); }, {"recursion", "static argument"});
  std::function<Array(Array)> mapped;
  mapped = [&](Array a) { return vmap(mapped)(expand_dims(a, 0)); };
  expect_message<TraceError>([&] { mapped(x); }, {"recursion"});
  same = [](Array a) { return a; };
  EXPECT_EQ(values(f(array(1.f))), (Values{2}));
}

TEST_F(Errors, OfARecursionThatEndsThereAreNone) {
  std::function<Array(Array, int)> deeper;
  const auto f = jit([&](Array a, int n) { return n == 0 ? a : deeper(a, n - 1) + 1; });
  deeper = [&](Array a, int n) { return f(a, n); };
  EXPECT_EQ(values(f(array(0.f), 100)), (Values{100}));
}

// --- exceptions of the user's function ---

TEST_F(Errors, OfTheUsersFunctionArePassedOnAndLeaveAllUsable) {
  bool fails = true;
  const auto check = [&] {
    if (fails) throw Mine("mine");
  };
  const auto inner = jit([&](Array a) {
    Array b = a * 2;
    check();
    return b + 1;
  });
  const auto outer = jit([&](Array a) { return inner(a - 1) + a; });
  const auto mapped = vmap([&](Array a) { return inner(a) * 3; });
  const auto folded = jit([&](Array a) {
    const auto body = [&](Array p, Array q) {
      check();
      return p + q;
    };
    return reduce(a, 0, body, {0});
  });
  const Array some = array({1.f, 2.f});
  for (int round = 0; round < 3; ++round) {
    expect_message<Mine>([&] { inner(some); }, {"mine"});
    expect_message<Mine>([&] { outer(some); }, {"mine"});
    expect_message<Mine>([&] { mapped(some); }, {"mine"});
    expect_message<Mine>([&] { folded(some); }, {"mine"});
    expect_message<Mine>([&] { outer.lower(some); }, {"mine"});
    EXPECT_EQ(values(some + some), (Values{2, 4}));  // no trace is left open
  }
  fails = false;
  EXPECT_EQ(values(inner(some)), (Values{3, 5}));
  EXPECT_EQ(values(outer(some)), (Values{2, 5}));
  EXPECT_EQ(values(mapped(some)), (Values{9, 15}));
  EXPECT_EQ(values(folded(some)), (Values{3}));
}

TEST_F(Errors, CaughtWhileTracingDoNotSpoilTheTrace) {
  const auto f = jit([&](Array a) {
    EXPECT_THROW(a + zeros({5}), ShapeError);
    EXPECT_THROW(a(7), IndexError);
    return a * 2;
  });
  EXPECT_EQ(values(f(array({1.f, 2.f}))), (Values{2, 4}));
}

TEST_F(Errors, OfOptions) {
  const auto with = [](CompileOptions options) {
    return jit([](Array a) { return a + 1; }, {.options = std::move(options)})(1.f);
  };
  expect_message<UserError>([&] { with({.disabled_passes = {"nope"}}); }, {"nope", "canonicalize"});
  expect_message<CompileError>([&] { with({.target = "z80"}); }, {"z80", "avx2"});
  expect_message<IndexError>([&] { jit([](Array a) { return a; }, {.donate = {3}})(x); }, {"donate", "3"});
  EXPECT_EQ(values(with({})), (Values{2}));
}

TEST_F(Errors, OfAskingForTooMuchMemory) {
  expect_message<Error>([&] { zeros({std::int64_t{1} << 45}); }, {"memory"});
  EXPECT_EQ(values(v), (Values{0, 0, 0, 0}));
}

}  // namespace
}  // namespace weft
