// Chains grow one operation at a time; each step reads the value before it, so that all are over one domain.
#include "tests/programs/random_chains.h"

#include <cmath>

#include "compiler/ir/reductions.h"
#include "tests/programs/movements.h"

namespace weft::sweep {
namespace {

using ir::Builder;
using ir::Dims;
using ir::Direction;
using ir::Op;
using ir::ReductionKind;
using ir::ValueId;

struct Domain {
  Shape shape;
  Dims axes;
};
const Domain kDomains[] = {{{1000}, {0}},          {{4099}, {0}},         {{37, 64}, {0}},
                           {{37, 64}, {1}},        {{40, 33}, {0, 1}},    {{6, 20, 18}, {1}},
                           {{6, 20, 18}, {0}},     {{5, 19, 23}, {1, 2}}, {{19, 4, 23}, {0, 2}},
                           {{8, 7, 31}, {0, 1, 2}}};
constexpr DType kDtypes[] = {DType::f32, DType::f64, DType::i32};
constexpr int kMostFactors = 8;  // of inputs in one product: far from overflow

class Maker {
 public:
  Maker(Chains& chains, std::uint32_t seed)
      : chains_(chains), b_(chains.program.builder), random_(seed), dtype_(any(kDtypes)) {}

  void make() {
    for (std::int64_t inputs = 1 + below(random_, 3); inputs > 0; --inputs) add_input();
    for (std::int64_t steps = 1 + below(random_, 12); steps > 0; --steps) step();
    for (std::int64_t reductions = 1 + below(random_, 4); reductions > 0; --reductions) fold();
  }

 private:
  struct Term {
    ValueId value;
    int factors;
  };

  template <class T, std::size_t N>
  T any(const T (&choices)[N]) {
    return choices[below(random_, N)];
  }
  // Not the last one: x - x would fold to nothing.
  Term earlier_term() {
    return terms_.size() < 2 ? broadcast_term()
                             : terms_[static_cast<std::size_t>(below(random_, std::ssize(terms_) - 1))];
  }
  Term any_term() { return terms_[static_cast<std::size_t>(below(random_, std::ssize(terms_)))]; }

  // Mostly of the chain's type; another type is converted, and its magnitude is not multiplied further.
  void add_input() {
    const DType dtype = terms_.empty() || random_() % 3 != 0 ? dtype_ : any(kDtypes);
    const ValueId x = chains_.program.argument({chains_.domain, dtype});
    terms_.push_back({b_.convert(x, dtype_), dtype == dtype_ ? 1 : kMostFactors});
  }

  // A number, an argument of one number, or a row, all broadcast to the domain.
  Term broadcast_term() {
    const Shape& domain = chains_.domain;
    if (random_() % 2 == 0) return {b_.splat(dtype_, domain, static_cast<double>(1 + below(random_, 5))), 1};
    if (random_() % 2 == 0)
      return {b_.broadcast_scalar(chains_.program.argument({Shape{}, dtype_}), domain), 1};
    const std::int64_t dimension = below(random_, domain.rank());
    const ValueId row = chains_.program.argument({Shape{domain[static_cast<int>(dimension)]}, dtype_});
    return {b_.broadcast(row, domain, {dimension}), 1};
  }

  Term unary(Term x) {
    if (is_integer(dtype_))
      return {b_.op(any({Op::negate, Op::abs, Op::not_, Op::sign}), {x.value}), x.factors};
    const Op op = any({Op::negate, Op::abs, Op::floor, Op::ceil, Op::round_nearest_even, Op::sqrt});
    return {b_.op(op, {op == Op::sqrt ? b_.op(Op::abs, {x.value}) : x.value}), x.factors};
  }

  Term binary(Term x, Term y) {
    const int most = std::max(x.factors, y.factors);
    const Op op = is_integer(dtype_) ? any({Op::add, Op::subtract, Op::multiply, Op::minimum, Op::maximum,
                                            Op::and_, Op::or_, Op::xor_, Op::shift_left})
                                     : any({Op::add, Op::subtract, Op::multiply, Op::minimum, Op::maximum});
    if (op == Op::multiply && !is_integer(dtype_) && x.factors + y.factors > kMostFactors)
      return {b_.op(Op::maximum, {x.value, y.value}), most};
    return {b_.op(op, {x.value, y.value}), op == Op::multiply ? x.factors + y.factors : most};
  }

  void step() {
    const Term x = terms_.back();
    const Term y = random_() % 3 == 0 ? broadcast_term() : earlier_term();
    switch (random_() % 6) {
      case 0:
        terms_.push_back(unary(x));
        break;
      case 1: {
        const ValueId which =
            b_.compare(any({Direction::LT, Direction::GE, Direction::NE}), x.value, y.value);
        const Term z = any_term();
        terms_.push_back({b_.select(which, x.value, z.value), std::max(x.factors, z.factors)});
        break;
      }
      default:
        terms_.push_back(binary(x, y));
    }
  }

  ValueId rounded_step(ValueId x) {
    const Op op = any({Op::sine, Op::tanh, Op::logistic, Op::log_plus_one, Op::cbrt});
    return b_.op(op, {op == Op::log_plus_one ? b_.op(Op::abs, {x}) : x});
  }

  void fold_choice(ValueId key) {
    const bool least = random_() % 2 == 0;
    const double worst =
        is_integer(dtype_) ? (least ? 2147483647.0 : -2147483648.0) : (least ? HUGE_VAL : -HUGE_VAL);
    const ValueId places = b_.iota(DType::i32, chains_.domain, chains_.axes.back());
    const Direction better = least ? Direction::LT : Direction::GT;
    const Body body = [better](Builder& b, const std::vector<ValueId>& v) {
      const ValueId tie =
          b.op(Op::and_, {b.compare(Direction::EQ, v[0], v[2]), b.compare(Direction::LT, v[1], v[3])});
      const ValueId keeps = b.op(Op::or_, {b.compare(better, v[0], v[2]), tie});
      return std::vector{b.select(keeps, v[0], v[2]), b.select(keeps, v[1], v[3])};
    };
    for (ValueId result : reduce_by(b_, {key, places}, {b_.scalar(dtype_, worst), b_.scalar(DType::i32, 0)},
                                    chains_.axes, body))
      returns(result, ir::kNone);
  }

  void fold() {
    // A chain's own value, not an input: any of the last three.
    const std::size_t back =
        std::min<std::size_t>(static_cast<std::size_t>(below(random_, 3)), terms_.size() - 1);
    ValueId x = terms_[terms_.size() - 1 - back].value;
    if (random_() % 4 == 0) return fold_choice(x);
    const ReductionKind kind = any({ReductionKind::sum, ReductionKind::minimum, ReductionKind::maximum});
    if (!is_integer(dtype_) && random_() % 2 == 0) x = rounded_step(x);
    const ValueId init = b_.constant(ir::identity_of(kind, dtype_));
    const bool is_near = !is_integer(dtype_);
    returns(b_.reduce(x, init, chains_.axes, ir::info_of(kind).combine), is_near ? x : ir::kNone);
  }

  void returns(ValueId result, ValueId folded) {
    chains_.program.returns(result);
    chains_.folded.push_back(folded);
  }

  Chains& chains_;
  Builder& b_;
  Random random_;
  DType dtype_;
  std::vector<Term> terms_;
};

}  // namespace

Chains::Chains(std::uint32_t seed)
    : domain(kDomains[seed % std::size(kDomains)].shape), axes(kDomains[seed % std::size(kDomains)].axes) {
  Maker(*this, seed).make();
}

}  // namespace weft::sweep
