// Random programs mean the same after every rewrite: interpreted before and after, bit for bit.
#include <gtest/gtest.h>

#include <random>

#include "compiler/interpreter/interpreter.h"
#include "compiler/ir/build.h"
#include "compiler/ir/reductions.h"
#include "compiler/rewrite/rewrite.h"
#include "tests/rewrite/arguments.h"

namespace weft::rewrite {
namespace {

using ir::Builder;
using ir::Op;
using ir::ValueId;

// Few shapes, types and constants, so that operations meet the equations that wait for them.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  ir::Graph program() {
    const ir::RegionId body = graph_.add_function("main", true).body;
    Builder builder(graph_, body);
    for (int i = 0; i < 4; ++i) values_.push_back(graph_.add_argument(body, {shape(), dtype()}));
    for (int i = 0; i < 4; ++i) values_.push_back(constant(builder, {shape(), dtype()}));
    const int length = 5 + below(40);
    for (int i = 0; i < length; ++i) add(builder);
    for (int i = 0; i < 4; ++i)
      graph_.region(body).results.push_back(values_[values_.size() - 1 - static_cast<std::size_t>(below(6))]);
    return std::move(graph_);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  Shape shape() {
    const Shape shapes[] = {{}, {6}, {2, 3}, {3, 2}, {1, 6}, {6, 1}};
    return shapes[below(6)];
  }
  DType dtype() {
    constexpr DType dtypes[] = {DType::f32, DType::f32, DType::f64, DType::i32,
                                DType::i8,  DType::u8,  DType::b1,  DType::f16};
    return dtypes[below(8)];
  }
  ValueId any() { return values_[static_cast<std::size_t>(below(static_cast<int>(values_.size())))]; }
  const ir::Type& type(ValueId value) const { return graph_.type(value); }

  ValueId constant(Builder& builder, const ir::Type& type) {
    constexpr double numbers[] = {0, 1, 2, 4, 3, -1, -0.0};
    if (below(3) == 0) return builder.constant(argument_of(type, below(6), 7));
    const double number = numbers[below(type.dtype == DType::b1 ? 2 : is_unsigned(type.dtype) ? 5 : 7)];
    return builder.splat(type.dtype, type.shape, number);
  }

  ValueId like(Builder& builder, const ir::Type& wanted) {
    std::vector<ValueId> fitting;
    for (ValueId value : values_)
      if (type(value) == wanted) fitting.push_back(value);
    if (fitting.empty() || below(4) == 0) return constant(builder, wanted);
    return fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))];
  }

  void add(Builder& builder) {
    const ValueId x = any();
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        return add_elementwise(builder, x);
      case 3:
        return push(builder.compare(static_cast<ir::Direction>(below(6)), x, like(builder, type(x))));
      case 4:
        return push(builder.select(like(builder, {below(2) == 0 ? Shape{} : type(x).shape, DType::b1}), x,
                                   like(builder, type(x))));
      case 5:
        return add_reshape(builder, x);
      case 6:
        return add_movement(builder, x);
      case 7:
        return push(builder.convert(x, dtype()));
      case 8:
        return add_broadcast(builder, x);
      case 9:
        return add_reduction(builder, x);
      case 10:
        return add_dynamic_slice(builder, x);
      default:
        return push(like(builder, type(x)));
    }
  }
  void push(ValueId value) { values_.push_back(value); }

  void add_elementwise(Builder& builder, ValueId x) {
    std::vector<Op> fitting;
    for (Op op : {Op::abs, Op::add, Op::and_, Op::ceil, Op::divide, Op::floor, Op::maximum, Op::minimum,
                  Op::multiply, Op::negate, Op::not_, Op::or_, Op::remainder, Op::round_nearest_even,
                  Op::shift_left, Op::sign, Op::subtract, Op::xor_, Op::sine})
      if (ir::accepts(op, type(x).dtype)) fitting.push_back(op);
    const Op op = fitting[static_cast<std::size_t>(below(static_cast<int>(fitting.size())))];
    std::vector<ValueId> operands{x};
    if (ir::info_of(op).arity == 2) operands.push_back(below(5) == 0 ? x : like(builder, type(x)));
    if (below(2) == 0) std::reverse(operands.begin(), operands.end());
    push(builder.op(op, operands));
  }
  void add_reshape(Builder& builder, ValueId x) {
    const Shape to = shape();
    if (to.size() == type(x).size()) push(builder.reshape(x, to));
  }
  void add_movement(Builder& builder, ValueId x) {
    const int rank = type(x).shape.rank();
    if (rank == 2 && below(2) == 0) return push(builder.transpose(x, {1, 0}));
    if (rank == 0) return;
    if (below(2) == 0) return push(builder.reverse(x, {below(rank)}));
    ir::Dims start, limit, stride;
    for (std::int64_t extent : type(x).shape) {
      start.push_back(below(static_cast<int>(extent)));
      limit.push_back(start.back() + 1 + below(static_cast<int>(extent - start.back())));
      stride.push_back(1 + below(2));
    }
    push(builder.slice(x, start, limit, stride));
  }
  void add_broadcast(Builder& builder, ValueId x) {
    if (type(x).shape.rank() == 0) return push(builder.broadcast_scalar(x, shape()));
    if (type(x).shape.rank() == 1) return push(builder.broadcast(x, {2, type(x).shape[0]}, {1}));
    push(builder.broadcast(x, type(x).shape, {0, 1}));
  }
  void add_reduction(Builder& builder, ValueId x) {
    if (type(x).shape.rank() == 0) return;
    const auto kind = below(2) == 0 ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
    const ValueId init = builder.constant(ir::identity_of(kind, type(x).dtype));
    push(builder.reduce(x, init, {below(type(x).shape.rank())}, ir::info_of(kind).combine));
  }
  void add_dynamic_slice(Builder& builder, ValueId x) {
    std::vector<ValueId> operands{x};
    ir::DynamicSliceAttributes attributes;
    for (std::int64_t extent : type(x).shape) {
      operands.push_back(like(builder, {Shape{}, DType::i32}));
      attributes.sizes.push_back(1 + below(static_cast<int>(extent)));
    }
    push(builder.op(Op::dynamic_slice, operands, attributes));
  }

  std::mt19937 random_;
  ir::Graph graph_;
  std::vector<ValueId> values_;
};

TEST(RandomRewriteTest, program_means_the_same_after_every_rewrite) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ir::Graph before = Generator(seed).program();
    ir::verify(before, "generation");
    CompileOptions options;
    options.verify_each = true;
    Ledger ledger;
    Context context{options, ledger};
    const ir::Graph after = optimize(before, context);
    for (int arguments_seed = 0; arguments_seed < 2; ++arguments_seed) {
      const std::vector<ir::Literal> arguments = arguments_of(before, arguments_seed);
      const auto want = interpreter::interpret(before, arguments),
                 got = interpreter::interpret(after, arguments);
      for (std::size_t i = 0; i < want.size(); ++i)
        ASSERT_TRUE(same_bits(got[i], want[i])) << "result " << i << "\n" << ledger.to_string();
    }
  }
}

}  // namespace
}  // namespace weft::rewrite
