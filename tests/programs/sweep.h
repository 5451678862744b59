// Sweep tests: programs are made with ir::Builder, compiled, run, and compared with the interpreter.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/ir/build.h"
#include "tests/targets.h"

namespace weft::sweep {

// @main of a graph, with a builder at its end.
struct Program {
  ir::Graph graph;
  ir::RegionId body;
  ir::Builder builder;

  Program();
  ir::ValueId argument(const ir::Type& type);
  void returns(ir::ValueId value);
};

// The body of a reduction: of accumulators, then elements, the new accumulators.
using Body = std::function<std::vector<ir::ValueId>(ir::Builder&, const std::vector<ir::ValueId>&)>;
std::vector<ir::ValueId> reduce_by(ir::Builder& builder, const std::vector<ir::ValueId>& operands,
                                   const std::vector<ir::ValueId>& inits, const ir::Dims& axes,
                                   const Body& body);

inline constexpr DType kRealTypes[] = {DType::b1,   DType::i8,  DType::i16, DType::i32, DType::i64,
                                       DType::u8,   DType::u16, DType::u32, DType::u64, DType::f16,
                                       DType::bf16, DType::f32, DType::f64};
inline constexpr DType kIntegerTypes[] = {DType::i8, DType::i16, DType::i32, DType::i64,
                                          DType::u8, DType::u16, DType::u32, DType::u64};
inline constexpr DType kFloatTypes[] = {DType::f16, DType::bf16, DType::f32, DType::f64};
using test::targets;

enum class Values : std::uint8_t {
  special,   // zeros, infinities, NaN, subnormals, extremes, small and ordinary numbers, all mixed
  sparse,    // ordinary numbers, and a special one in each sixteen
  ordinary,  // finite, of both signs, magnitudes around 1
  small,     // integers from -4 to 8, exact in every type
  near_one,  // floats within 1/64 of 1, of both signs: their products stay finite
};
ir::Literal values(const ir::Type& type, std::uint32_t seed, Values kind);
ir::Literal literal_of(DType dtype, const Shape& shape, const std::vector<double>& elements);
std::vector<ir::Literal> arguments_of(const ir::Graph& graph, std::uint32_t seed, Values kind);

// An element as a number, and as text with its bits.
long double number_at(const ir::Literal& literal, std::int64_t position);
std::string show(const ir::Literal& literal, std::int64_t position);

struct Setting {
  std::string target;  // empty: the best that the machine has
  int threads = 1;     // 0: the default of the process
  int opt_level = 2;
};
struct Outcome {
  std::vector<ir::Literal> results;
  int kernels = 0;
  std::int64_t temporary_bytes = 0;
  std::string loops;
};
// The program printed, parsed and printed again is the same text: every program that is run is asked.
std::shared_ptr<const compiler::Program> compiled(const ir::Graph& graph, const Setting& setting = {});
// Arguments and results lie against forbidden pages, behind or in front of them by turns.
Outcome run(const compiler::Program& program, const std::vector<ir::Literal>& arguments);
Outcome run(const ir::Graph& graph, const std::vector<ir::Literal>& arguments, const Setting& setting = {});

double epsilon_of(DType dtype);

// Distance of two elements in units in the last place of their type; 0 for two NaN, huge for one; -0 and +0
// differ.
std::uint64_t ulps_between(const ir::Literal& a, const ir::Literal& b, std::int64_t position);
// Empty, or the first positions where the two are more than `ulps` apart. 0: equal bits, NaN like NaN.
std::string difference(const ir::Literal& got, const ir::Literal& want, std::uint64_t ulps = 0,
                       const std::function<std::string(std::int64_t)>& input = {});

// Compiled code against the interpreter, result by result; `ulps` holds a bound a result, or none: equal
// bits. Gives the number of kernels.
int expect_same(const ir::Graph& graph, const std::vector<ir::Literal>& arguments,
                const Setting& setting = {}, const std::vector<std::uint64_t>& ulps = {});
// The same bits on every target and number of threads.
void expect_same_everywhere(const ir::Graph& graph, const std::vector<ir::Literal>& arguments);

}  // namespace weft::sweep
