// Values of reductions, indexing and movements that other compilers got wrong: on arguments and on constants,
// wherever among other elements they stand, on every target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <weft/weft.h>

#include "compiler/ir/reductions.h"
#include "tests/programs/bodies.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Op;
using ir::ValueId;

constexpr std::int64_t kSizes[] = {1, 3, 8, 17, 1000};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

using Function = std::function<std::vector<ValueId>(Builder&, ValueId)>;

// One operand, as an argument and as a constant, on every target, and without rewrites.
void expect(const ir::Literal& x, const Function& function, const std::vector<ir::Literal>& want,
            int threads = 1) {
  for (bool is_constant : {false, true})
    for (int opt_level : {0, 2})
      for (const std::string& target : targets()) {
        Program program;
        const ValueId input = is_constant ? program.builder.constant(x) : program.argument(x.type);
        for (ValueId result : function(program.builder, input)) program.returns(result);
        const auto arguments = is_constant ? std::vector<ir::Literal>{} : std::vector{x};
        const Outcome got = run(program.graph, arguments, {target, threads, opt_level});
        ASSERT_EQ(got.results.size(), want.size());
        for (std::size_t k = 0; k < want.size(); ++k)
          EXPECT_EQ(difference(got.results[k], want[k]), "")
              << "result " << k << " of " << x.type.to_string() << (is_constant ? " constant" : " argument")
              << " on " << target << " at level " << opt_level;
      }
}

ir::Literal scalar(DType dtype, double value) { return literal_of(dtype, {}, {value}); }

Function folded(Op op, double init) {
  return [=](Builder& b, ValueId x) {
    const ir::Type type = b.type(x);
    ir::Dims axes;
    for (int axis = 0; axis < type.shape.rank(); ++axis) axes.push_back(axis);
    return std::vector{b.reduce(x, b.scalar(type.dtype, init), axes, op)};
  };
}

// --- the place of an extreme ---

Function place_of(const std::string& spelling) {
  return [spelling](Builder& b, ValueId x) {
    const auto rows = spellings();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Spelling& each) { return each.name == spelling; });
    const ir::Type type = b.type(x);
    const auto kind = spelling == "argmin" ? ir::ReductionKind::minimum : ir::ReductionKind::maximum;
    const ValueId worst = b.constant(ir::identity_of(kind, type.dtype)), zero = b.scalar(DType::i32, 0);
    return std::vector{
        reduce_by(b, {x, b.iota(DType::i32, type.shape, 0)}, {worst, zero}, {0}, selection(*row))[1]};
  };
}

// The elements stand at the start, in the middle and at the end of others.
void expect_place(const std::string& spelling, DType dtype, const std::vector<double>& elements, double other,
                  int place, int threads = 1,
                  std::vector<std::int64_t> sizes = {std::begin(kSizes), std::end(kSizes)}) {
  const auto count = static_cast<std::int64_t>(elements.size());
  sizes.push_back(count);
  for (std::int64_t size : sizes)
    for (std::int64_t start : {std::int64_t{0}, (size - count) / 2, size - count}) {
      if (size < count) continue;
      std::vector<double> all(static_cast<std::size_t>(size), other);
      std::copy(elements.begin(), elements.end(), all.begin() + start);
      SCOPED_TRACE(testing::Message() << spelling << " of " << size << " elements from " << start);
      expect(literal_of(dtype, Shape{size}, all), place_of(spelling),
             {scalar(DType::i32, static_cast<double>(start + place))}, threads);
    }
}

TEST(SemanticsOfReductions, the_first_nan_is_the_extreme) {
  for (DType dtype : kFloatTypes) {
    expect_place("argmax", dtype, {0, 1, kNan}, -3, 2);
    expect_place("argmin", dtype, {0, kNan, -5}, 3, 1);
    expect_place("argmax", dtype, {kNan, kNan, kNan}, 9, 0);
    expect_place("argmin", dtype, {kNan, -kInf, kNan}, 9, 0);
  }
}

TEST(SemanticsOfReductions, subnormals_are_told_from_zero) {
  expect_place("argmax", DType::f32, {-1, -0.0, 0x1p-149}, -2, 2);
  expect_place("argmin", DType::f32, {0, 1.1754944e-38, -0x1p-149, 0, 459367}, 1, 2);
  expect_place("argmin", DType::f64, {0, -std::numeric_limits<double>::denorm_min()}, 1, 1);
}

TEST(SemanticsOfReductions, subnormals_are_told_from_zero_in_every_thread) {
  expect_place("argmin", DType::f32, {0, -0x1p-149, 0}, 1, 1, 3, {300'000});
}

TEST(SemanticsOfReductions, equal_extremes_give_the_first) {
  expect_place("argmin", DType::i32, {7, -4, -4, 0, -4}, 9, 1);
  expect_place("argmax", DType::u8, {7, 200, 3, 200}, 1, 1);
  expect_place("argmax", DType::f32, {kInf, kInf}, -kInf, 0);
}

// --- extremes ---

TEST(SemanticsOfReductions, extremes_keep_nan_and_order_zeros) {
  for (std::int64_t size : kSizes)
    for (std::int64_t place : {std::int64_t{0}, size / 2, size - 1})
      for (DType dtype : kFloatTypes) {
        std::vector<double> elements(static_cast<std::size_t>(size), -0.0);
        elements[static_cast<std::size_t>(place)] = kNan;
        const ir::Literal with_nan = literal_of(dtype, Shape{size}, elements);
        expect(with_nan, folded(Op::maximum, -kInf), {scalar(dtype, kNan)});
        expect(with_nan, folded(Op::minimum, kInf), {scalar(dtype, kNan)});
        elements[static_cast<std::size_t>(place)] = 0.0;
        expect(literal_of(dtype, Shape{size}, elements), folded(Op::maximum, -kInf), {scalar(dtype, 0.0)});
        expect(literal_of(dtype, Shape{size}, elements), folded(Op::minimum, kInf),
               {scalar(dtype, size == 1 ? 0.0 : -0.0)});
      }
}

TEST(SemanticsOfReductions, extremes_of_halves_start_beyond_every_number) {
  for (const auto& [dtype, greatest] : {std::pair{DType::f16, 65504.0}, {DType::bf16, 0x1.fep127}}) {
    const Array nothing_above = full({17}, array(-greatest)).astype(dtype);
    EXPECT_EQ(max(nothing_above).astype(f64).item<double>(), -greatest);
    EXPECT_EQ(min(-nothing_above).astype(f64).item<double>(), greatest);
    EXPECT_EQ(argmax(nothing_above).item<std::int32_t>(), 0);
  }
}

// --- sums ---

TEST(SemanticsOfReductions, booleans_count_when_they_are_summed) {
  for (std::int64_t size : {1, 3, 8, 17, 32, 1000}) {
    const auto count = static_cast<double>(size);
    const Function converted = [](Builder& b, ValueId x) {
      const ValueId numbers = b.convert(x, DType::i32);
      return std::vector{b.reduce(numbers, b.scalar(DType::i32, 0), {0}, Op::add)};
    };
    expect(literal_of(DType::b1, Shape{size}, {1}), converted, {scalar(DType::i32, count)});
    expect(ir::Literal::splat(DType::b1, Shape{size}, literal_of(DType::b1, {}, {1}).buffer.data()),
           converted, {scalar(DType::i32, count)});
    expect(literal_of(DType::b1, Shape{size}, {1}), folded(Op::add, 0), {scalar(DType::b1, 1)});
    EXPECT_EQ(sum(full({size}, true)).item<std::int32_t>(), size);
    EXPECT_EQ(jit([size](Array x) { return sum(full({size}, true)) + x; })(array(0)).item<std::int32_t>(),
              size);
  }
}

TEST(SemanticsOfReductions, sums_of_halves_do_not_stall) {
  struct Row {
    DType dtype;
    std::int64_t length;
    double element, sum;
  };
  for (const auto& [dtype, length, element, sum] :
       {Row{DType::f16, 20000, 1, 20000}, Row{DType::bf16, 70000, 1, 70144},
        Row{DType::f16, 65000, 0.5, 32496}})
    expect(literal_of(dtype, Shape{length}, {element}), folded(Op::add, 0), {scalar(dtype, sum)}, 2);
}

TEST(SemanticsOfReductions, means_of_halves_do_not_stall) {
  EXPECT_EQ(mean(full({70000}, 1.0).astype(bf16)).astype(f64).item<double>(), 1);
  const Array small = full({1048576}, 1e-5).astype(f16);
  EXPECT_EQ(mean(small).astype(f64).item<double>(), small(0).astype(f64).item<double>());
}

TEST(SemanticsOfReductions, long_sums_of_floats_do_not_stall) {
  const Array columns = sum(lax::broadcast_in_dim(array({1.f, 1.f}), {20'000'000, 2}, {1}), 0);
  EXPECT_EQ(columns(0).item<float>(), 2e7f);
  EXPECT_EQ(columns(1).item<float>(), 2e7f);
  const float tenths = sum(full({1'000'000}, 0.1f)).item<float>();
  EXPECT_NEAR(tenths / 100000.0015, 1, 1e-4);
}

// The start value counts once, however many threads there are.
TEST(SemanticsOfReductions, the_start_value_counts_once) {
  for (std::int64_t size : {0, 1, 17, 1000, 100'000})
    for (int threads : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << size << " elements on " << threads << " threads");
      expect(literal_of(DType::i32, Shape{size}, {0}), folded(Op::add, 1), {scalar(DType::i32, 1)}, threads);
      expect(literal_of(DType::f32, Shape{size}, {1}), folded(Op::multiply, 3), {scalar(DType::f32, 3)},
             threads);
    }
}

TEST(SemanticsOfReductions, what_does_not_associate_goes_in_order) {
  const Function halved = [](Builder& b, ValueId x) {
    const Body body = [](Builder& in, const std::vector<ValueId>& v) {
      return std::vector{in.op(Op::divide, {v[0], v[1]})};
    };
    return reduce_by(b, {x}, {b.scalar(DType::i32, 10000)}, {0}, body);
  };
  expect(literal_of(DType::i32, Shape{4}, {2}), halved, {scalar(DType::i32, 625)}, 2);
  const Function opposite_errors = [](Builder& b, ValueId x) {
    const Body body = [](Builder& in, const std::vector<ValueId>& v) {
      return std::vector{in.op(Op::add, {v[0], v[2]}), in.op(Op::subtract, {v[1], v[3]})};
    };
    const ValueId zero = b.scalar(DType::i32, 0);
    return reduce_by(b, {x, x}, {zero, zero}, {0}, body);
  };
  for (std::int64_t size : kSizes)
    expect(literal_of(DType::i32, Shape{size}, {3}), opposite_errors,
           {scalar(DType::i32, 3.0 * static_cast<double>(size)),
            scalar(DType::i32, -3.0 * static_cast<double>(size))},
           2);
}

TEST(SemanticsOfReductions, of_nothing_are_the_start_values) {
  const ir::Literal empty = literal_of(DType::f32, Shape{2, 0}, {0});
  const auto along_last = [](Op op, double init) {
    return
        [=](Builder& b, ValueId x) { return std::vector{b.reduce(x, b.scalar(DType::f32, init), {1}, op)}; };
  };
  expect(empty, along_last(Op::add, 0), {literal_of(DType::f32, Shape{2}, {0})});
  expect(empty, along_last(Op::multiply, 1), {literal_of(DType::f32, Shape{2}, {1})});
  expect(empty, along_last(Op::maximum, -kInf), {literal_of(DType::f32, Shape{2}, {-kInf})});
  EXPECT_EQ(max(zeros({0, 2}), -1).shape(), (Shape{0}));
}

// --- indices and movements ---

TEST(SemanticsOfIndexing, unsigned_indices_beyond_127_are_not_negative) {
  const Function slice_at_128 = [](Builder& b, ValueId x) {
    return std::vector{
        b.op(Op::dynamic_slice, {x, b.scalar(DType::u8, 128)}, ir::DynamicSliceAttributes{{1}})};
  };
  std::vector<double> counting(200);
  for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<double>(i);
  expect(literal_of(DType::i32, Shape{200}, counting), slice_at_128,
         {literal_of(DType::i32, Shape{1}, {128})});
  const Function by_argument = [](Builder& b, ValueId at) {
    const ValueId x = b.iota(DType::i32, Shape{200}, 0);
    return std::vector{b.op(Op::dynamic_slice, {x, at}, ir::DynamicSliceAttributes{{1}})};
  };
  for (const auto& [dtype, at, want] :
       {std::tuple{DType::u8, 128.0, 128.0}, {DType::u8, 255.0, 199.0}, {DType::i8, -128.0, 0.0}})
    expect(scalar(dtype, at), by_argument, {literal_of(DType::i32, Shape{1}, {want})});
}

TEST(SemanticsOfIndexing, indices_of_every_type_take_the_same) {
  const Array x = arange(256 * 256 * 4).reshape({256, 256, 4});
  const Array wide = (arange(256 * 256 * 4) * 7919 % 256).reshape({256, 256, 4});
  const Array want = take_along_axis(x, wide, 1);
  for (DType dtype : {u8, u16, i64, u64, i16})
    EXPECT_TRUE(bool(array_equal(take_along_axis(x, wide.astype(dtype), 1), want))) << dtype;
}

TEST(SemanticsOfMovements, through_dimensions_of_extent_1) {
  const Function reshaped = [](Builder& b, ValueId x) {
    return std::vector{b.reshape(b.transpose(x, {1, 2, 0}), Shape{1, 6})};
  };
  expect(literal_of(DType::f32, Shape{3, 1, 2}, {0, 1, 2, 3, 4, 5}), reshaped,
         {literal_of(DType::f32, Shape{1, 6}, {0, 2, 4, 1, 3, 5})});
}

TEST(SemanticsOfMovements, reverse_of_a_slice) {
  const Function reversed = [](Builder& b, ValueId x) {
    return std::vector{b.reverse(b.slice(x, {0, 1, 0}, {2, 3, 2}, {1, 1, 1}), {1})};
  };
  expect(literal_of(DType::f32, Shape{2, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
         reversed, {literal_of(DType::f32, Shape{2, 2, 2}, {5, 6, 3, 4, 13, 14, 11, 12})});
}

TEST(SemanticsOfLoops, floor_division_unrolled_is_as_at_once) {
  const auto unrolled = [](Array v) {
    for (int d : {2, -3}) v = floor_divide(v, d);
    return v;
  };
  EXPECT_EQ(unrolled(array(2)).item<std::int32_t>(), -1);
  EXPECT_EQ(jit(unrolled)(array(2)).item<std::int32_t>(), -1);
}

}  // namespace
}  // namespace weft::sweep
