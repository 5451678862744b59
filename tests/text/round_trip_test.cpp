// parse(print(g)) is g, for every operation of the tables and for locations; and no text makes the parser
// crash or hang.
#include <gtest/gtest.h>

#include <random>

#include <weft/error.h>

#include "compiler/ir/build.h"
#include "compiler/text/text.h"
#include "tests/text/same_graph.h"

namespace weft::text {
namespace {

void expect_round_trip(const ir::Graph& graph) {
  const std::string text = print(graph);
  ir::Graph back;
  ASSERT_NO_THROW(back = parse(text)) << text;
  EXPECT_EQ(difference(graph, back), "") << text;
  EXPECT_EQ(print(back), text);
}

struct Main {
  ir::Graph graph;
  ir::RegionId region;
  ir::Builder builder;
  Main() : region(graph.add_function("main", true).body), builder(graph, region) {}
  ir::ValueId argument(Shape shape, DType dtype) {
    return graph.add_argument(region, {std::move(shape), dtype});
  }
};

TEST(RoundTrip, every_elementwise_operation_in_every_type_it_takes) {
  Main main;
  for (ir::Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
      if (!ir::accepts(op, static_cast<DType>(dtype))) continue;
      std::vector<ir::ValueId> operands;
      for (int i = 0; i < ir::info_of(op).arity; ++i)
        operands.push_back(main.argument({2, 0, 5}, static_cast<DType>(dtype)));
      main.graph.region(main.region).results.push_back(main.builder.op(op, operands));
    }
  }
  expect_round_trip(main.graph);
}

TEST(RoundTrip, structural_operations) {
  Main main;
  ir::Builder& b = main.builder;
  const ir::ValueId x = main.argument({4, 6}, f32), i = main.argument({}, i64),
                    rows = main.argument({3, 1}, i32);
  const ir::ValueId zero = b.scalar(f32, 0), count = b.iota(i32, {4, 6}, 1);
  b.broadcast(x, {2, 4, 6}, {1, 2});
  b.reshape(x, {24});
  b.transpose(x, {1, 0});
  b.reverse(x, {1});
  b.slice(x, {1, 0}, {4, 6}, {1, 4});
  b.slice(x, {2, 0}, {2, 0}, {1, 1});
  b.op(ir::Op::dynamic_slice, {x, i, i}, ir::DynamicSliceAttributes{{2, 3}});
  ir::GatherAttributes gather;
  gather.offset_dims = {1};
  gather.collapsed_slice_dims = {0};
  gather.start_index_map = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, 6};
  gather.indices_are_sorted = true;
  b.op(ir::Op::gather, {x, rows}, gather);
  b.convert(x, bf16);
  b.op(ir::Op::bitcast_convert, {x}, ir::NoAttributes{}, {{Shape{4, 6, 2}, u16}});
  b.op(ir::Op::reduce_precision, {x}, ir::ReducePrecisionAttributes{5, 2});
  for (const auto direction : {ir::Direction::EQ, ir::Direction::NE, ir::Direction::GE, ir::Direction::GT,
                               ir::Direction::LE, ir::Direction::LT}) {
    b.compare(direction, x, x, ir::CompareKind::TOTALORDER);
    b.compare(direction, count, count);
  }
  b.select(b.compare(ir::Direction::LT, x, x), x, x);
  b.op(ir::Op::clamp, {zero, x, zero});
  for (ir::Op op : {ir::Op::add, ir::Op::multiply, ir::Op::minimum, ir::Op::maximum, ir::Op::subtract})
    b.reduce(x, zero, {1}, op);
  b.node(ir::Op::custom_call, {x}, ir::CustomCallAttributes{"odd \"target\"\n", true});
  b.node(ir::Op::custom_call, {}, ir::CustomCallAttributes{"t", false}, {{Shape{}, f32}, {Shape{0}, b1}});
  main.graph.name = "quoted name";
  expect_round_trip(main.graph);
}

TEST(RoundTrip, literals_of_every_type) {
  Main main;
  std::mt19937_64 random(3);
  for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
    for (std::int64_t size : {0, 1, 5, 150}) {
      const ir::Type type{Shape{size, 2}, static_cast<DType>(dtype)};
      runtime::Buffer buffer = runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes()));
      for (std::int64_t i = 0; i < type.nbytes(); ++i)
        buffer.data()[i] = static_cast<std::byte>(type.dtype == b1 ? random() & 1 : random());
      main.builder.constant({type, buffer, false});
      main.builder.constant(ir::Literal::zeros(type.dtype, type.shape));
    }
  }
  expect_round_trip(main.graph);
}

// A reduction within the body of a reduction, and a call there.
TEST(RoundTrip, regions_within_regions) {
  const ir::Graph graph = parse(R"(module {
    func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %1 = stablehlo.reduce(%y init: %a) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
         reducer(%c: tensor<f32>, %d: tensor<f32>) {
          %2 = func.call @f(%c, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          stablehlo.return %2 : tensor<f32>
        }
        stablehlo.return %1 : tensor<f32>
      }
      return %0 : tensor<f32>
    }
    func.func private @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %a, %b : tensor<f32>
      return %0 : tensor<f32>
    }
  })");
  expect_round_trip(graph);
}

TEST(RoundTrip, locations) {
  Main main;
  ir::Builder& b = main.builder;
  const ir::ValueId x = main.argument({4}, f32), zero = main.argument({}, f32);
  b.set_location(main.graph.add_location({"a \"b\".cpp", 12, 3}));
  b.op(ir::Op::negate, {x});
  b.reduce(x, zero, {0}, ir::Op::add);
  const ir::ValueId sum = b.reduce(x, zero, {0}, ir::Op::maximum);
  b.set_location(main.graph.add_location({"c.cpp", 4000000000u, 0}));
  main.graph.node(main.graph.value(sum).node).location = main.graph.add_location({"other.cpp", 1, 1});
  b.op(ir::Op::sine, {x});
  const std::string text = print(main.graph, {.locations = true});
  const ir::Graph back = parse(text);
  EXPECT_EQ(difference(main.graph, back, true), "") << text;
  EXPECT_EQ(print(back, {.locations = true}), text);
}

std::string location_of(const std::string& loc, const std::string& aliases = "") {
  const ir::Graph graph =
      parse(aliases + "func.func @f() {\n  %0 = stablehlo.constant dense<1> : tensor<i1> " + loc +
                "\n return\n}\n"
                "#late = loc(\"late.cpp\":9:8)",
            "here.mlir");
  const ir::SourceLine& line =
      graph.location(graph.node(graph.region(graph.functions[0].body).nodes[0]).location);
  return line.file + ":" + std::to_string(line.line) + ":" + std::to_string(line.column);
}

TEST(RoundTrip, forms_of_locations) {
  EXPECT_EQ(location_of(""), "here.mlir:2:8");
  EXPECT_EQ(location_of("loc(\"a.cpp\":1:2)"), "a.cpp:1:2");
  EXPECT_EQ(location_of("loc(\"a.cpp\":1:2 to 3:4)"), "a.cpp:1:2");
  EXPECT_EQ(location_of("loc(\"a.cpp\":1:2 to :4)"), "a.cpp:1:2");
  EXPECT_EQ(location_of("loc(unknown)"), ":0:0");
  EXPECT_EQ(location_of("loc(\"name\")"), ":0:0");
  EXPECT_EQ(location_of("loc(\"name\"(\"a.cpp\":1:2))"), "a.cpp:1:2");
  EXPECT_EQ(location_of("loc(callsite(\"a.cpp\":1:2 at \"b.cpp\":3:4))"), "a.cpp:1:2");
  EXPECT_EQ(location_of("loc(callsite(\"name\" at \"b.cpp\":3:4))"), "b.cpp:3:4");
  EXPECT_EQ(location_of("loc(fused[unknown, \"b.cpp\":3:4])"), "b.cpp:3:4");
  EXPECT_EQ(location_of("loc(fused<{a = [1]}>[\"b.cpp\":3:4])"), "b.cpp:3:4");
  EXPECT_EQ(location_of("loc(#late)"), "late.cpp:9:8");
  EXPECT_EQ(location_of("loc(\"jit(f)/add\"(#one))", "#one = loc(callsite(#none at #late))\n"),
            "late.cpp:9:8");
  EXPECT_EQ(location_of("loc(#self)", "#self = loc(fused[#self, #self])\n"), ":0:0");
}

// Cuts, doubles and changes pieces of a program: each result parses or is refused.
TEST(RoundTrip, mutated_programs_never_crash) {
  const std::string seed = R"(#loc1 = loc("a":1:2)
module @m attributes {a.b = [1, {c = dense<1> : tensor<i32>}]} {
  func.func public @main(%arg0: tensor<4x2xf32> {x.y = ""}, %arg1: tensor<f32>) -> (tensor<4xf32>, tensor<4x2xi1>) {
    %cst = stablehlo.constant dense<[[1.5, -2.0], [0x7FC00000, 1.0e-3]]> : tensor<2x2xf32>
    %0 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32> loc(#loc1)
    %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
    %2:2 = "stablehlo.reduce"(%arg0, %arg0, %arg1, %arg1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      stablehlo.return %a, %d : tensor<f32>, tensor<f32>
    }) : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
    %3 = stablehlo.compare  LT, %arg0, %arg0,  FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
    %4 = stablehlo.slice %arg0 [0:4:2, 1:2] : (tensor<4x2xf32>) -> tensor<2x1xf32>
    %5 = call @f(%1) : (tensor<4xf32>) -> tensor<4xf32>
    check.expect_almost_eq_const %arg1, dense<1.0> : tensor<f32>, tolerance = 0.1
    return %5, %3 : tensor<4xf32>, tensor<4x2xi1>
  }
  func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> { return %arg0 : tensor<4xf32> }
}
)";
  ASSERT_NO_THROW(parse(seed));
  std::mt19937_64 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string characters = "%@#^!<>[](){}:,=-+.\"x0129aeEf \n\\?/\x01\xC3";
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed;
    for (std::size_t change = below(3) + 1; change > 0; --change) {
      const std::size_t at = below(text.size()),
                        length = 1 + below(std::min<std::size_t>(40, text.size() - at));
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 2:
          text[at] = characters[below(characters.size())];
          break;
        default:
          text.resize(at + 1);
          break;
      }
    }
    try {
      const ir::Graph graph = parse(text);
      const std::string printed = print(graph);
      ASSERT_EQ(difference(graph, parse(printed)), "") << text;
      ++accepted;
    } catch (const ParseError& error) {
      ASSERT_GT(error.line(), 0);
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace weft::text
