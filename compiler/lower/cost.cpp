// Counts what a point of the nest costs on a vector machine; good to a factor of two.
#include "compiler/lower/cost.h"

#include <algorithm>
#include <iterator>

namespace weft::lower {
namespace {

constexpr ir::Op kCheap[] = {ir::Op::add,     ir::Op::subtract, ir::Op::multiply, ir::Op::negate,
                             ir::Op::abs,     ir::Op::compare,  ir::Op::select,   ir::Op::convert,
                             ir::Op::and_,    ir::Op::or_,      ir::Op::not_,     ir::Op::xor_,
                             ir::Op::maximum, ir::Op::minimum,  ir::Op::square};

double nanoseconds_of(const Inst& inst) {
  const double width = static_cast<double>(std::max<std::size_t>(size_of(inst.type), 2)) / 4;  // against f32
  switch (inst.kind) {
    case Inst::Kind::load:
      return inst.access.terms.empty() ? 0.04 * width : 0.5;
    case Inst::Kind::element:
      return (is_cheap(inst.op) ? 0.02 : 0.25) * width;
    case Inst::Kind::fma:
      return 0.02 * width;
    case Inst::Kind::position:
      return 0.02;
    case Inst::Kind::literal:
    case Inst::Kind::result:
    case Inst::Kind::argument:
      return 0;
  }
  return 0;
}

}  // namespace

bool is_cheap(ir::Op op) { return std::find(std::begin(kCheap), std::end(kCheap), op) != std::end(kCheap); }

double serial_nanoseconds(const Kernel& kernel) {
  double points = 1, a_point = 0.02;
  for (const Axis& axis : kernel.axes) points *= static_cast<double>(axis.extent);
  for (const Inst& inst : kernel.body) a_point += nanoseconds_of(inst);
  a_point += 0.05 * static_cast<double>(kernel.stores.size() + kernel.reductions.size());
  return points * a_point;
}

}  // namespace weft::lower
