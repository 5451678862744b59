// The parts that every sweep shares: values, runs and comparisons.
#include "tests/programs/sweep.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/interpreter/interpreter.h"
#include "compiler/text/text.h"
#include "runtime/threads.h"
#include "tests/programs/guarded.h"

namespace weft::sweep {
namespace {

std::uint64_t bits_at(const ir::Literal& literal, std::int64_t position) {
  const std::size_t size = size_of(literal.type.dtype);
  std::uint64_t bits = 0;
  std::memcpy(&bits,
              literal.buffer.data() + (literal.is_splat ? 0 : static_cast<std::size_t>(position) * size),
              size);
  return bits;
}

void set_bits(ir::Literal& literal, std::int64_t position, std::uint64_t bits) {
  const std::size_t size = size_of(literal.type.dtype);
  std::memcpy(literal.buffer.data() + static_cast<std::size_t>(position) * size, &bits, size);
}

ir::Literal uninitialised(const ir::Type& type) {
  return {type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false};
}

struct FloatFormat {
  int mantissa_bits, width;
};
FloatFormat format_of(DType dtype) {
  if (dtype == DType::f16) return {10, 16};
  if (dtype == DType::bf16) return {7, 16};
  return dtype == DType::f32 ? FloatFormat{23, 32} : FloatFormat{52, 64};
}

std::uint64_t element_bits(DType dtype, double value) {
  return bits_at(ir::Literal::scalar(dtype, value), 0);
}

// The corners of a float format, by their bits: zeros, subnormals, the least normal, the greatest,
// infinities, NaN.
std::vector<std::uint64_t> float_corners(DType dtype) {
  const auto [mantissa, width] = format_of(dtype);
  const std::uint64_t one = 1, sign = one << (width - 1), infinity = (sign - 1) & ~((one << mantissa) - 1);
  std::vector<std::uint64_t> corners;
  for (std::uint64_t magnitude :
       {std::uint64_t{0}, one, (one << mantissa) - 1, one << mantissa, infinity - 1, infinity})
    corners.insert(corners.end(), {magnitude, magnitude | sign});
  corners.push_back(infinity | one << (mantissa - 1));
  for (double value :
       {1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 100.0, -100.0, 0.001, 1e4, 3.14159265358979})
    corners.push_back(element_bits(dtype, value));
  corners.push_back(element_bits(dtype, 1.0) - 1);
  corners.push_back(element_bits(dtype, 1.0) + 1);
  return corners;
}

std::vector<std::uint64_t> integer_corners(DType dtype) {
  const int width = static_cast<int>(size_of(dtype)) * 8;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  std::vector<std::uint64_t> corners;
  for (std::uint64_t value : {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 63, 64, 100}) {
    corners.push_back(value);
    corners.push_back((std::uint64_t{0} - value) & mask);
  }
  for (std::uint64_t near : {mask >> 1, (mask >> 1) + 1, (mask >> 1) - 1}) corners.push_back(near);
  return corners;
}

std::uint64_t ordinary_bits(DType dtype, std::mt19937_64& random) {
  if (dtype == DType::b1) return random() & 1;
  if (is_integer(dtype)) {
    const int width = static_cast<int>(size_of(dtype)) * 8;
    return random() >> (64 - width);
  }
  const double magnitude = std::exp2(static_cast<double>(random() % 4096) / 4096.0 * 9.0 - 5.0);
  return element_bits(dtype, random() % 2 == 0 ? magnitude : -magnitude);
}

std::uint64_t near_one_bits(DType dtype, std::mt19937_64& random) {
  if (!is_floating(dtype)) return ordinary_bits(dtype, random);
  const double magnitude = 1 + (static_cast<double>(random() % 4096) / 2048.0 - 1) / 64;
  return element_bits(dtype, random() % 2 == 0 ? magnitude : -magnitude);
}

std::uint64_t small_bits(DType dtype, std::mt19937_64& random) {
  if (dtype == DType::b1) return random() & 1;
  const auto number = static_cast<double>(random() % 13) - (is_unsigned(dtype) ? 0 : 4);
  return element_bits(dtype, number);
}

}  // namespace

Program::Program() : body(graph.add_function("main", true).body), builder(graph, body) {}
ir::ValueId Program::argument(const ir::Type& type) { return graph.add_argument(body, type); }
void Program::returns(ir::ValueId value) { graph.region(body).results.push_back(value); }

std::vector<ir::ValueId> reduce_by(ir::Builder& builder, const std::vector<ir::ValueId>& operands,
                                   const std::vector<ir::ValueId>& inits, const ir::Dims& axes,
                                   const Body& body) {
  ir::Graph& graph = builder.graph();
  const ir::RegionId region = graph.add_region();
  std::vector<ir::ValueId> arguments, all = operands;
  for (int side = 0; side < 2; ++side)
    for (ir::ValueId operand : operands)
      arguments.push_back(graph.add_argument(region, {Shape{}, builder.type(operand).dtype}));
  ir::Builder inside(graph, region);
  graph.region(region).results = body(inside, arguments);
  all.insert(all.end(), inits.begin(), inits.end());
  return graph.node(builder.node(ir::Op::reduce, all, ir::ReduceAttributes{axes}, {}, {region})).results;
}

ir::Literal values(const ir::Type& type, std::uint32_t seed, Values kind) {
  std::mt19937_64 random(seed * 7919u + static_cast<std::uint32_t>(type.dtype));
  ir::Literal literal = uninitialised(type);
  std::vector<std::uint64_t> corners{0, 1};
  if (is_floating(type.dtype)) corners = float_corners(type.dtype);
  if (is_integer(type.dtype)) corners = integer_corners(type.dtype);
  for (std::int64_t i = 0; i < type.size(); ++i) {
    const bool is_corner =
        kind == Values::special ? random() % 4 != 0 : kind == Values::sparse && i % 16 == 5;
    const std::uint64_t bits = is_corner                  ? corners[random() % corners.size()]
                               : kind == Values::small    ? small_bits(type.dtype, random)
                               : kind == Values::near_one ? near_one_bits(type.dtype, random)
                                                          : ordinary_bits(type.dtype, random);
    set_bits(literal, i, bits);
  }
  return literal;
}

ir::Literal literal_of(DType dtype, const Shape& shape, const std::vector<double>& elements) {
  ir::Literal literal = uninitialised({shape, dtype});
  for (std::int64_t i = 0; i < shape.size(); ++i)
    set_bits(literal, i, element_bits(dtype, elements[static_cast<std::size_t>(i) % elements.size()]));
  return literal;
}

std::vector<ir::Literal> arguments_of(const ir::Graph& graph, std::uint32_t seed, Values kind) {
  std::vector<ir::Literal> arguments;
  for (ir::ValueId argument : graph.region(graph.entry().body).arguments)
    arguments.push_back(
        values(graph.type(argument), seed + 101 * static_cast<std::uint32_t>(arguments.size()), kind));
  return arguments;
}

long double number_at(const ir::Literal& literal, std::int64_t position) {
  const std::uint64_t bits = bits_at(literal, position);
  switch (literal.type.dtype) {
    case DType::f16:
      return static_cast<float>(float16::from_bits(static_cast<std::uint16_t>(bits)));
    case DType::bf16:
      return static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits)));
    case DType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case DType::f64:
      return std::bit_cast<double>(bits);
    case DType::i8:
      return static_cast<std::int8_t>(bits);
    case DType::i16:
      return static_cast<std::int16_t>(bits);
    case DType::i32:
      return static_cast<std::int32_t>(bits);
    case DType::i64:
      return static_cast<long double>(static_cast<std::int64_t>(bits));
    case DType::b1:
    case DType::u8:
    case DType::u16:
    case DType::u32:
    case DType::u64:
    case DType::c64:
    case DType::c128:
      break;
  }
  return static_cast<long double>(bits);
}

double epsilon_of(DType dtype) {
  return dtype == DType::f16    ? 0x1p-10
         : dtype == DType::bf16 ? 0x1p-7
         : dtype == DType::f32  ? 0x1p-23
                                : 0x1p-52;
}

std::string show(const ir::Literal& literal, std::int64_t position) {
  return fmt::format("{:.17g} (0x{:0{}x})", number_at(literal, position), bits_at(literal, position),
                     2 * size_of(literal.type.dtype));
}

std::shared_ptr<const compiler::Program> compiled(const ir::Graph& graph, const Setting& setting) {
  const std::string text = text::print(graph);
  EXPECT_EQ(text::print(text::parse(text)), text);
  CompileOptions options;
  options.target = setting.target;
  options.num_threads = setting.threads;
  options.opt_level = setting.opt_level;
  return compiler::compile(graph, options);
}

Outcome run(const compiler::Program& program, const std::vector<ir::Literal>& arguments) {
  static std::atomic<unsigned> runs = 0;
  const bool at_end = runs++ % 2 == 0;  // else at the beginning
  std::vector<Guarded> memory;
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (const ir::Literal& argument : arguments) {
    const auto bytes = static_cast<std::size_t>(argument.type.nbytes());
    inputs.push_back(memory.emplace_back(bytes, at_end).data());
    std::memcpy(memory.back().data(), argument.materialized().buffer.data(), bytes);
  }
  Outcome result{{}, program.kernel_count, program.executable->memory().temporary_bytes, program.loops};
  for (const ir::Type& type : program.executable->results())
    outputs.push_back(memory.emplace_back(static_cast<std::size_t>(type.nbytes()), at_end).data());
  program.executable->run_into(inputs, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ir::Type& type = program.executable->results()[i];
    result.results.push_back(
        {type, runtime::Buffer::copy_of(outputs[i], static_cast<std::size_t>(type.nbytes())), false});
  }
  return result;
}

Outcome run(const ir::Graph& graph, const std::vector<ir::Literal>& arguments, const Setting& setting) {
  return run(*compiled(graph, setting), arguments);
}

std::uint64_t ulps_between(const ir::Literal& a, const ir::Literal& b, std::int64_t position) {
  const std::uint64_t x = bits_at(a, position), y = bits_at(b, position);
  if (x == y) return 0;
  if (!is_floating(a.type.dtype)) return std::numeric_limits<std::uint64_t>::max();
  const bool nan_x = std::isnan(number_at(a, position)), nan_y = std::isnan(number_at(b, position));
  if (nan_x || nan_y) return nan_x && nan_y ? 0 : std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t sign = std::uint64_t{1} << (format_of(a.type.dtype).width - 1);
  if ((x & sign) == (y & sign)) return x > y ? x - y : y - x;
  return (x & ~sign) + (y & ~sign) + 1;
}

std::string difference(const ir::Literal& got, const ir::Literal& want, std::uint64_t ulps,
                       const std::function<std::string(std::int64_t)>& input) {
  if (got.type != want.type)
    return fmt::format("got {}, want {}", got.type.to_string(), want.type.to_string());
  std::string text;
  int shown = 0;
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < want.type.size(); ++i) {
    const std::uint64_t apart = ulps_between(got, want, i);
    if (apart <= ulps) continue;
    ++wrong;
    if (++shown > 6) continue;
    text += fmt::format("  [{}]{}: got {}, want {}", i, input ? " of " + input(i) : "", show(got, i),
                        show(want, i));
    if (is_floating(want.type.dtype) && apart != std::numeric_limits<std::uint64_t>::max())
      text += fmt::format(", {} ulp", apart);
    text += "\n";
  }
  if (wrong > shown) text += fmt::format("  {} elements of {} differ\n", wrong, want.type.size());
  return text;
}

int expect_same(const ir::Graph& graph, const std::vector<ir::Literal>& arguments, const Setting& setting,
                const std::vector<std::uint64_t>& ulps) {
  const auto want = interpreter::interpret(graph, arguments);
  const Outcome got = run(graph, arguments, setting);
  EXPECT_EQ(got.results.size(), want.size());
  for (std::size_t k = 0; k < want.size(); ++k) {
    const std::string wrong = difference(got.results[k], want[k], ulps.empty() ? 0 : ulps[k]);
    EXPECT_EQ(wrong, "") << "result " << k << " on "
                         << (setting.target.empty() ? "this machine" : setting.target) << " with "
                         << setting.threads << " threads\n"
                         << (wrong.empty() ? "" : text::print(graph) + got.loops);
  }
  return got.kernels;
}

void expect_same_everywhere(const ir::Graph& graph, const std::vector<ir::Literal>& arguments) {
  std::vector<ir::Literal> first;
  for (const std::string& target : targets()) {
    const auto program = compiled(graph, {target, 0});
    for (int threads : {1, 2, 3}) {
      runtime::set_default_thread_count(threads);
      const Outcome got = run(*program, arguments);
      if (first.empty()) first = got.results;
      for (std::size_t k = 0; k < first.size(); ++k) {
        const std::string wrong = difference(got.results[k], first[k]);
        EXPECT_EQ(wrong, "") << "result " << k << " on " << target << " with " << threads
                             << " threads differs from " << targets()[0] << " with 1\n"
                             << (wrong.empty() ? "" : text::print(graph) + got.loops);
      }
    }
  }
  runtime::set_default_thread_count(0);
}

}  // namespace weft::sweep
