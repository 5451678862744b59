// Every public function that is given what it cannot take says its name, and the line that called it.
#include <cmath>
#include <functional>
#include <regex>

#include <gtest/gtest.h>

#include <weft/weft.h>

namespace weft {
namespace {

// What the call says; it must begin with the name of a function and end in this file's line.
void expect_refusal(const std::function<void()>& call, const char* text, int line) {
  std::string said = "nothing";
  try {
    call();
  } catch (const UserError& error) {
    said = error.what();
  } catch (const std::exception& error) {
    said = std::string("an exception of another kind: ") + error.what();
  }
  const std::regex wanted("[a-z_]+(\\([0-9-]+\\))?: [^]*, at errors_name_lines_test.cpp:" + std::to_string(line));
  EXPECT_TRUE(std::regex_match(said, wanted)) << text << "\n  says: " << said;
}

#define REFUSED(...) expect_refusal([&] { (void)(__VA_ARGS__); }, #__VA_ARGS__, __LINE__);

// clang-format off
TEST(ErrorsNameLines, OfEveryFunction) {
  const Array x = array({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}}), v = array({1.f, 2.f, 3.f}), i = array({1, 2, 3});
  const Array none;
  const std::int64_t huge = std::int64_t{1} << 62;
  std::vector<float> five(5);
  std::vector<double> six(6);
  const auto c = jit([](Array a) { return a * 2; }).lower(x).compile();
  REFUSED(zeros({-1}))
  REFUSED(zeros({huge, huge}))
  REFUSED(zeros({huge}))
  REFUSED(ones({std::int64_t(1)<<40}, f64))
  REFUSED(full({-3}, 1.0))
  REFUSED(arange(0, 10, 0))
  REFUSED(arange(huge))
  REFUSED(linspace(0.0, 1.0, -1))
  REFUSED(eye(-1))
  REFUSED(eye(huge))
  REFUSED(x.reshape({4}))
  REFUSED(x.reshape({-1,-1}))
  REFUSED(x.reshape({-1,4}))
  REFUSED(x.reshape({-2,3}))
  REFUSED(x.astype(static_cast<DType>(99)))
  REFUSED(x + array({1.f,2.f}))
  REFUSED(add(x, array({1.f,2.f})))
  REFUSED(maximum(x, array({1.f,2.f})))
  REFUSED(where(array({true,false}), x, x))
  REFUSED(x(5))
  REFUSED(x(0,0,0))
  REFUSED(x(slice(0,1,0)))
  REFUSED(x(array({0.5f})))
  REFUSED(x(array({true,false,true})))
  REFUSED(sum(x, 2))
  REFUSED(sum(x, {.axis={0,0}}))
  REFUSED(sum(x, -3))
  REFUSED(argmin(x, 7))
  REFUSED(argmin(zeros({0})))
  REFUSED(max(zeros({0})))
  REFUSED(min(zeros({0,3}), 0))
  REFUSED(mean(x, 5))
  REFUSED(var(x, 5))
  REFUSED(any(x, 4))
  REFUSED(transpose(x, {0,0}))
  REFUSED(transpose(x, {0}))
  REFUSED(transpose(x, {0,5}))
  REFUSED(expand_dims(x, 5))
  REFUSED(squeeze(x, 0))
  REFUSED(squeeze(x, 9))
  REFUSED(broadcast_to(x, {3,3}))
  REFUSED(broadcast_to(x, {3}))
  REFUSED(swapaxes(x, 0, 4))
  REFUSED(moveaxis(x, 0, 4))
  REFUSED(lax::slice(x, {0,0}, {3,3}))
  REFUSED(lax::slice(x, {0}, {3}))
  REFUSED(lax::slice_in_dim(x, 0, 2, 1, 4))
  REFUSED(lax::index_in_dim(x, 0, 5))
  REFUSED(lax::index_in_dim(x, 9, 0))
  REFUSED(lax::dynamic_slice(x, {array(0)}, {1,1}))
  REFUSED(lax::dynamic_slice(x, {array(0),array(0)}, {3,9}))
  REFUSED(lax::broadcast_in_dim(x, {2,3}, {0}))
  REFUSED(lax::broadcast_in_dim(x, {2,3}, {0,7}))
  REFUSED(lax::select_n(x, {x,x}))
  REFUSED(lax::reduce_precision(x, 0, 1))
  REFUSED(lax::bitcast_convert_type(x, f64))
  REFUSED(lax::bitcast_convert_type(x, b1))
  REFUSED(x & x)
  REFUSED(x << 2)
  REFUSED(~x)
  REFUSED(bitwise_and(x, x))
  REFUSED(array({true}) - array({true}))
  REFUSED(-array({true}))
  REFUSED(i.item<int>())
  REFUSED(x.item<float>())
  REFUSED(v.data<double>())
  REFUSED(array({{1,2},{3}}))
  REFUSED(copy_of(std::span<const float>(), {3}))
  REFUSED(load_npy("/nonexistent.npy"))
  REFUSED(load_npz("/nonexistent.npz"))
  REFUSED(save_npy("/nonexistent/a.npy", x))
  REFUSED(save_npz("/nonexistent/a.npz", {{"x", x}}))
  REFUSED(none + 1)
  REFUSED(sum(none))
  REFUSED(none.shape())
  REFUSED(exp(none))
  REFUSED(none(0))
  REFUSED(jit([](Array a) { return a; })(none))
  REFUSED(vmap([](Array a) { return a; })(none))
  REFUSED(vmap([](Array a) { return a; }, 3)(x))
  REFUSED(vmap([](Array a) { return a; }, -3)(x))
  REFUSED(vmap([](Array a) { return a; }, {0, 1})(x))
  REFUSED(vmap([](Array a, Array b) { return a + b; })(x, v))
  REFUSED(vmap([](Array a) { return a; }, {.in_axes={0}, .out_axes=5})(x))
  REFUSED(vmap([](Array a) { return a; })(array(1.f)))
  REFUSED(jit(std::function<Array(Array)>{})(x))
  REFUSED(vmap(std::function<Array(Array)>{})(x))
  REFUSED(jit(static_cast<Array(*)(Array)>(nullptr))(x))
  REFUSED(reduce(x, array(0.f), [](Array a, Array) { return a; }, {7}))
  REFUSED(reduce(x, array({0.f,1.f}), [](Array a, Array) { return a; }, {0}))
  REFUSED(reduce(x, array(0.f), [](Array a, Array b) { return a < b; }, {0}))
  REFUSED(reduce(std::pair{x, v}, std::pair{array(0.f), array(0.f)}, [](auto a, auto) { return a; }, {0}))
  REFUSED(c(v))
  REFUSED(c.call_into({five}, x))
  REFUSED(c.call_into({six}, x))
  REFUSED(jit([](Array a) { return a; }).lower(x).compile({.disabled_passes={"nope"}}))
  REFUSED(jit([](Array a) { return a; }).lower(x).compile({.num_threads=-3}))
  REFUSED(jit([](Array a) { return a; }).lower(x).compile({.target="vax"}))
  REFUSED(jit([](Array a) { return a; }).lower(x).compile({.opt_level=9}))
  REFUSED(clip(x, array({1.f,2.f}), 3.0))
  REFUSED(Shape({-1}))
  REFUSED(take(x, i, 5))
  REFUSED(std::printf("%f", (double)x.shape(7)))
  REFUSED(isclose(x, array({1.f,2.f})))
  REFUSED(full({2}, array({1.f,2.f,3.f})))
  REFUSED(tri(-1, 2, 0, f32))
  REFUSED(array({1,2}).astype(c64) + 1)
}
// clang-format on

// A conversion has no place for the caller's line: the error names the line that made the condition.
#define NO_CONDITION(...) expect_refusal([&] { if (__VA_ARGS__) return; }, #__VA_ARGS__, __LINE__);
TEST(ErrorsNameLines, OfConditionsOnConcreteArrays) {
  const auto twice = jit([](Array a) { return a * 2; });
  std::vector<float> two(2);
  NO_CONDITION(array({1.f, 2.f}))
  NO_CONDITION(array({{1, 2}}))
  NO_CONDITION(array({true, false}))
  NO_CONDITION(array(two))
  NO_CONDITION(copy_of(two, {2, 1}))
  NO_CONDITION(view_of(two, {2}, nullptr))
  NO_CONDITION(!array({1.f, 2.f}))
  NO_CONDITION(array({1.f, 2.f}) > 1)
  NO_CONDITION(array({{1.f, 2.f}})(0) > 1)
  NO_CONDITION(array({1, 2}) == array({1, 2}))
  NO_CONDITION(zeros({3}))
  NO_CONDITION(empty({0}))
  NO_CONDITION(arange(3) % 2)
  NO_CONDITION(jit([](Array a) { return a * 2; })(array({1, 2})))
  NO_CONDITION(twice.lower(array({1, 2})).compile()(array({1, 2})))
  NO_CONDITION(vmap([](Array a) { return a > 0; })(array({1, 2})))
  NO_CONDITION(sort(array({2, 1})))
  NO_CONDITION(concatenate({array({1}), array({2})}))
}

}  // namespace
}  // namespace weft
