// Every operation batches: mapped and unmapped operands in all combinations.
#include <cmath>

#include "tests/transform/batch_helpers.h"

namespace weft::transform {
namespace {

using ir::Op;
using ir::ValueId;

TEST(BatchOperations, EveryElementwiseRow) {
  for (const Op op : ir::all_ops()) {
    if (!ir::is_elementwise(op)) continue;
    for (const DType dtype : {i32, f32, b1}) {
      if (!ir::accepts(op, dtype)) continue;
      SCOPED_TRACE(ir::info_of(op).text);
      Program program;
      std::vector<ValueId> operands;
      for (int i = 0; i < ir::info_of(op).arity; ++i) operands.push_back(program.argument(Shape{2}, dtype));
      program.returns({program.builder.op(op, operands)});
      expect_batches(program.graph);
    }
  }
}

TEST(BatchOperations, LeavesAreTheSameForAll) {
  Program program;
  const ValueId x = program.argument(Shape{2, 2}, i32);
  const ValueId iota = program.builder.iota(i32, Shape{2, 2}, 1);
  program.returns({program.builder.op(Op::add, {x, iota}), iota, program.builder.splat(f32, Shape{3}, 4)});
  expect_batches(program.graph);
}

TEST(BatchOperations, Views) {
  Program program;
  ir::Builder& b = program.builder;
  const ValueId x = program.argument(Shape{4, 3}, f32), scalar = program.argument(Shape{}, f32);
  program.returns({b.broadcast(x, Shape{4, 2, 3}, {0, 2}), b.broadcast(scalar, Shape{2, 2}, {}),
                   b.reshape(x, Shape{2, 6}), b.reshape(scalar, Shape{1, 1}), b.transpose(x, {1, 0}),
                   b.reverse(x, {0}), b.reverse(x, {1, 0}), b.slice(x, {1, 0}, {4, 3}, {2, 2})});
  expect_batches(program.graph);
}

TEST(BatchOperations, ConversionsAndChoices) {
  Program program;
  ir::Builder& b = program.builder;
  const ValueId x = program.argument(Shape{4}, f32), y = program.argument(Shape{4}, f32);
  const ValueId condition = program.argument(Shape{4}, b1), one = program.argument(Shape{}, b1);
  const ValueId low = program.argument(Shape{}, f32);
  program.returns({b.convert(x, i8), b.op(Op::bitcast_convert, {x}, {}, {{Shape{4}, i32}}),
                   b.op(Op::bitcast_convert, {x}, {}, {{Shape{4, 2}, u16}}),
                   b.op(Op::reduce_precision, {x}, ir::ReducePrecisionAttributes{5, 2}),
                   b.compare(ir::Direction::LE, x, y), b.select(condition, x, y), b.select(one, x, y),
                   b.op(Op::clamp, {low, x, y}), b.op(Op::clamp, {y, x, low})});
  expect_batches(program.graph);
}

TEST(BatchOperations, Products) {
  const ir::DotAttributes dots[] = {{{}, {}, {1}, {0}}, {{2}, {1}, {1}, {0}}, {{2}, {1}, {}, {}}, {}};
  for (const ir::DotAttributes& dot : dots) {
    Program program;
    const ValueId x = program.argument(Shape{2, 3, 4}, f32), y = program.argument(Shape{3, 4, 2}, f32);
    program.returns({program.builder.op(Op::dot_general, {x, y}, dot)});
    expect_batches(program.graph);
  }
  Program program;
  program.returns({program.builder.windows(program.argument(Shape{3, 7}, i32), {1, 3}, {2, 1}, {1, 2})});
  expect_batches(program.graph);
}

TEST(BatchOperations, Convolutions) {
  for (const bool is_turned : {false, true})
    for (const auto& [features, batches] : {std::pair{1, 1}, {2, 1}, {1, 2}}) {
      ir::ConvolutionAttributes conv{{2},       {1},       {2},       {1},      {1},    {1},
                                     {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, features, batches};
      const int inputs = 3;
      Shape image{4, inputs * features, 5}, kernel{4, inputs, 3};
      if (is_turned) {
        conv.lhs_dims = conv.result_dims = {2, 0, 1};
        conv.rhs_dims = {1, 2, 0};
        image = {inputs * features, 5, 4};
        kernel = {3, 4, inputs};
      }
      Program program;
      const ValueId x = program.argument(image, f32), y = program.argument(kernel, f32);
      program.returns({program.builder.op(Op::convolution, {x, y}, conv)});
      expect_batches(program.graph);
    }
}

TEST(BatchOperations, DynamicSlices) {
  Program program;
  const ValueId x = program.argument(Shape{5, 4}, f32);
  const ValueId i = program.argument(Shape{}, i32), j = program.argument(Shape{}, i32);
  program.returns({program.builder.op(Op::dynamic_slice, {x, i, j}, ir::DynamicSliceAttributes{{2, 3}})});
  expect_batches(program.graph);
}

TEST(BatchOperations, Gathers) {
  Program program;
  ir::Builder& b = program.builder;
  const ValueId x = program.argument(Shape{5, 4}, f32), at = program.argument(Shape{3, 2}, i32);
  ir::GatherAttributes points;
  points.collapsed_slice_dims = {0, 1};
  points.start_index_map = {0, 1};
  points.index_vector_dim = 1;
  points.slice_sizes = {1, 1};
  ir::GatherAttributes rows;
  rows.offset_dims = {2};
  rows.collapsed_slice_dims = {0};
  rows.start_index_map = {0};
  rows.index_vector_dim = 2;
  rows.slice_sizes = {1, 4};
  ir::GatherAttributes boxes = points;
  boxes.offset_dims = {0, 2};
  boxes.collapsed_slice_dims = {};
  boxes.start_index_map = {1, 0};
  boxes.slice_sizes = {2, 3};
  program.returns(
      {b.op(Op::gather, {x, at}, points), b.op(Op::gather, {x, at}, rows), b.op(Op::gather, {x, at}, boxes)});
  expect_batches(program.graph);
}

TEST(BatchOperations, GathersThatAreBatchedAlready) {
  Program program;
  const ValueId x = program.argument(Shape{3, 5}, f32), at = program.argument(Shape{3, 2, 1}, i32);
  ir::GatherAttributes attributes;
  attributes.collapsed_slice_dims = {1};
  attributes.operand_batching_dims = {0};
  attributes.start_indices_batching_dims = {0};
  attributes.start_index_map = {1};
  attributes.index_vector_dim = 2;
  attributes.slice_sizes = {1, 1};
  program.returns({program.builder.op(Op::gather, {x, at}, attributes)});
  expect_batches(program.graph);
}

TEST(BatchOperations, ReductionsAndTheirInitValues) {
  for (const Op body : {Op::add, Op::multiply, Op::minimum, Op::maximum}) {
    Program program;
    ir::Builder& b = program.builder;
    const ValueId x = program.argument(Shape{3, 2, 4}, f32), init = program.argument(Shape{}, f32);
    program.returns({b.reduce(x, init, {1}, body), b.reduce(x, init, {0, 2}, body),
                     b.reduce(x, init, {}, body), b.reduce(x, init, {0, 1, 2}, body)});
    expect_batches(program.graph);
  }
}

TEST(BatchOperations, ReductionsOfSeveralOperands) {
  Program program;
  ir::Builder& b = program.builder;
  const ValueId x = program.argument(Shape{3, 4}, f32), index = b.iota(i32, Shape{3, 4}, 1);
  const ir::RegionId body = program.graph.add_region();
  const auto argument = [&](DType dtype) { return program.graph.add_argument(body, {Shape{}, dtype}); };
  const ValueId key = argument(f32), at = argument(i32), other = argument(f32), other_at = argument(i32);
  ir::Builder in(program.graph, body);
  const ValueId keeps = in.op(Op::or_, {in.compare(ir::Direction::LT, key, other),
                                        in.op(Op::and_, {in.compare(ir::Direction::EQ, key, other),
                                                         in.compare(ir::Direction::LT, at, other_at)})});
  program.graph.region(body).results = {in.select(keeps, key, other), in.select(keeps, at, other_at)};
  const ir::NodeId node = b.node(Op::reduce, {x, index, b.scalar(f32, HUGE_VAL), b.scalar(i32, 1000)},
                                 ir::ReduceAttributes{{1}}, {}, {body});
  program.returns(program.graph.node(node).results);
  expect_batches(program.graph);
}

// 2x2 matrices under their product, which does not commute, times an init value that may be mapped.
TEST(BatchOperations, ReductionsByAnyBodyWithMappedInitValues) {
  for (const ir::Dims& dims : {ir::Dims{1}, ir::Dims{0, 1}, ir::Dims{}}) {
    Program program;
    ir::Builder& b = program.builder;
    std::vector<ValueId> operands;
    for (int i = 0; i < 4; ++i) operands.push_back(program.argument(Shape{2, 3}, i32));
    for (int i = 0; i < 2; ++i) operands.push_back(program.argument(Shape{}, i32));
    for (int i = 0; i < 2; ++i) operands.push_back(b.scalar(i32, i + 2));
    const ir::RegionId body = program.graph.add_region();
    std::vector<ValueId> v;
    for (int i = 0; i < 8; ++i) v.push_back(program.graph.add_argument(body, {Shape{}, i32}));
    ir::Builder in(program.graph, body);
    const auto dot = [&](int a, int c, int d, int e) {
      return in.op(Op::add, {in.op(Op::multiply, {v[a], v[c]}), in.op(Op::multiply, {v[d], v[e]})});
    };
    program.graph.region(body).results = {dot(0, 4, 1, 6), dot(0, 5, 1, 7), dot(2, 4, 3, 6), dot(2, 5, 3, 7)};
    const ir::NodeId node = b.node(Op::reduce, operands, ir::ReduceAttributes{dims}, {}, {body});
    program.returns(program.graph.node(node).results);
    expect_batches(program.graph);
  }
}

// Bodies of reduce, sort and scatter that read scalars from outside, constants and mapped values among them.
TEST(BatchOperations, BodiesThatReadValuesFromAroundThem) {
  for (bool is_inside_a_loop : {false, true}) {
    Program program;
    const ValueId x = program.argument(Shape{3, 4}, i32), scale = program.argument(Shape{}, i32);
    const ValueId indices = program.argument(Shape{2, 1}, i32), updates = program.argument(Shape{2, 4}, i32);
    ir::Builder& b = program.builder;
    const auto all = [&](ir::Builder& at, ValueId offset) {
      const ValueId three = at.scalar(i32, 3), own = at.op(Op::add, {scale, offset});
      const auto body_of = [&](std::size_t count, const auto& compute) {
        const ir::RegionId body = program.graph.add_region();
        std::vector<ValueId> arguments;
        for (std::size_t i = 0; i < count; ++i) arguments.push_back(program.graph.add_argument(body, {Shape{}, i32}));
        ir::Builder in(program.graph, body);
        program.graph.region(body).results = {compute(in, arguments)};
        return body;
      };
      const ir::RegionId weighted = body_of(2, [&](ir::Builder& in, const std::vector<ValueId>& v) {
        const ValueId greater = in.op(Op::maximum, {v[0], v[1]});
        return in.op(Op::maximum, {in.op(Op::minimum, {greater, own}), three});
      });
      const ir::RegionId nearer = body_of(2, [&](ir::Builder& in, const std::vector<ValueId>& v) {
        return in.compare(ir::Direction::LT, in.op(Op::xor_, {v[0], own}), in.op(Op::xor_, {v[1], own}));
      });
      const ir::RegionId combined = body_of(2, [&](ir::Builder& in, const std::vector<ValueId>& v) {
        return in.op(Op::subtract, {v[0], in.op(Op::multiply, {v[1], own})});
      });
      const ValueId reduced = at.op(Op::reduce, {x, at.scalar(i32, 0)}, ir::ReduceAttributes{{1}}, {}, {weighted});
      const ValueId sorted = at.op(Op::sort, {x}, ir::SortAttributes{1, true}, {}, {nearer});
      ir::ScatterAttributes rows;
      rows.update_window_dims = {1};
      rows.inserted_window_dims = {0};
      rows.scatter_dims_to_operand_dims = {0};
      rows.index_vector_dim = 1;
      const ValueId scattered = at.op(Op::scatter, {x, indices, updates}, rows, {}, {combined});
      return std::vector<ValueId>{reduced, sorted, scattered};
    };
    if (!is_inside_a_loop) {
      program.returns(all(b, b.scalar(i32, 1)));
    } else {
      const ir::RegionId body = program.graph.add_region();
      const ValueId position = program.graph.add_argument(body, {Shape{}, i64});
      std::vector<ValueId> inits;
      for (const Shape& shape : {Shape{3}, Shape{3, 4}, Shape{3, 4}}) {
        inits.push_back(b.splat(i32, shape, 0));
        program.graph.add_argument(body, {shape, i32});
      }
      ir::Builder in(program.graph, body);
      program.graph.region(body).results = all(in, in.convert(position, i32));
      ir::ScanAttributes scan;
      scan.carries = 3;
      scan.length = 2;
      program.returns(program.graph.node(b.node(Op::scan, inits, scan, {}, {body})).results);
    }
    expect_batches(program.graph);
  }
}

}  // namespace
}  // namespace weft::transform
