// Section 4 of the interface: the types of errors, and the three parts of a message.
#include "tests/contract/contract.h"

namespace contract {
namespace {

using namespace weft;

template <class Derived, class Base>
constexpr bool derives = std::is_base_of_v<Base, Derived>;

TEST(Errors, TheTypes) {
  static_assert(derives<Error, std::runtime_error>);
  static_assert(derives<UserError, Error> && derives<InternalError, Error>);
  static_assert(derives<TypeError, UserError> && derives<ShapeError, UserError> &&
                derives<IndexError, UserError>);
  static_assert(derives<TraceError, UserError> && derives<ParseError, UserError>);
  static_assert(derives<CompileError, UserError> && derives<ExecutionError, UserError>);
  static_assert(!derives<InternalError, UserError>);
  const ParseError parse("m.mlir:3:7: error: no such operation", 3, 7);
  EXPECT_EQ(parse.line(), 3);
  EXPECT_EQ(parse.column(), 7);
  EXPECT_NE(std::string(InternalError("lost").what()).find("lost"), std::string::npos);
}

TEST(Errors, AMessageSaysWhatWasAskedWhyNotAndWhere) {
  const Array x = zeros({198, 8}), y = zeros({7});
  const std::string line = next_line();
  const auto add_them = [&] { return x + y; };
  expect_message<ShapeError>(add_them, {"add", "f32[198,8]", "f32[7]", "broadcast", line});
}

TEST(Errors, OfEachType) {
  const Array x = zeros({3});
  std::string line = next_line();
  const auto out_of_range = [&] { return x(5); };
  expect_message<IndexError>(out_of_range, {"5", "3", line});
  line = next_line();
  const auto bits_of_a_float = [&] { return x & 1; };
  expect_message<TypeError>(bits_of_a_float, {"and", "f32[3]", line});
  line = next_line();
  const auto wrong_size = [&] { return x.reshape({2, 2}); };
  expect_message<ShapeError>(wrong_size, {"reshape", "f32[3]", "[2,2]", line});
  line = next_line();
  const auto no_such_axis = [&] { return sum(x, 4); };
  expect_message<IndexError>(no_such_axis, {"sum", "4", line});
  line = next_line();
  const auto wrong_type = [&] { return x.data<int>(); };
  expect_message<TypeError>(wrong_type, {"f32", "i32", line});
}

TEST(Errors, WhileTracingTheLineIsThatOfTheOperation) {
  std::string line;
  const auto f = jit([&](Array a, Array b) {
    const Array twice = 2 * a;
    line = next_line();
    return twice * b;
  });
  expect_message<ShapeError>([&] { f(zeros({3}), zeros({4})); }, {"multiply", "f32[3]", "f32[4]"});
  expect_message<ShapeError>([&] { f(zeros({3}), zeros({4})); }, {line});
}

TEST(Errors, AFailedTraceLeavesTheLibraryUsable) {
  const auto f = jit([](Array a, Array b) { return a * b; });
  EXPECT_THROW(f(zeros({3}), zeros({4})), ShapeError);
  EXPECT_EQ(values(f(array({1, 2}), array({3, 4}))), (Values{3, 8}));
}

TEST(Errors, AFailedCompileLeavesTheLibraryUsable) {
  const Lowered l = jit([](Array a) { return a + 1; }).lower(zeros({2}));
  expect_message<UserError>([&] { l.compile({.target = "vax"}); }, {"vax"});
  expect_message<UserError>([&] { l.compile({.disabled_passes = {"sleep"}}); },
                            {"sleep", "remove_dead_nodes"});
  expect_message<UserError>([&] { l.compile({.dump_dir = "/dev/null/dump"}); },
                            {"dump_dir", "/dev/null/dump"});
  EXPECT_EQ(values(l.compile()(zeros({2}))), (Values{1, 1}));
}

TEST(Errors, AValueThatLeftItsTraceIsRefused) {
  Array leaked;
  jit([&](Array x) {
    leaked = x * 2;
    return x;
  })(array(1.f));
  expect_message<TraceError>([&] { leaked.item<float>(); }, {"errors_test.cpp"});
  EXPECT_THROW((void)(leaked + 1), TraceError);
}

TEST(Errors, AnExceptionOfTheUsersPassesThrough) {
  const auto f = jit([](Array x) {
    if (x.size() == 2) throw std::invalid_argument("two");
    return x;
  });
  EXPECT_THROW(f(zeros({2})), std::invalid_argument);
  EXPECT_EQ(values(f(array({1}))), (Values{1}));
}

}  // namespace
}  // namespace contract
