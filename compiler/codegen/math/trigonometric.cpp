// sine, cosine and tangent: turns are taken off in three pieces of pi, half turns from f32 (one polynomial), quarter
// turns from f64 and for tan (two better ones); huge arguments multiply the bits of 2/pi that matter.
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include "compiler/codegen/math/lanes.h"
#include "compiler/codegen/math/math.h"

namespace weft::codegen::math {
namespace {

// 2/pi in binary, behind the point, 32 bits a word.
constexpr std::uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041};

double largest_plain(Lanes x) { return x.is_f32() ? 0x1p17 : 0x1p30; }

// x - n*pi; n may be half a whole number.
Lanes minus_half_turns(Lanes x, Lanes n) {
  const Lanes high = fma(n, x.pick(-0x1.921fb6p+1, -0x1.921fb54442d18p+1), x);
  const Lanes middle = fma(n, x.pick(0x1.777a5cp-24, -0x1.1a62633145c07p-53), high);
  return fma(n, x.pick(0x1.ee59dap-49, 0x1.f1976b7ed8fbcp-109), middle);
}

// sin(r) for |r| <= pi/2 in f32; the rounding of the sum must not leave [-1, 1].
Lanes sine_of_half_turn(Lanes r) {
  const Lanes z = r * r;
  const Lanes s = polynomial(z, {-0x1.555556p-3, 0x1.11110cp-7, -0x1.a017f8p-13, 0x1.7173fap-19, -0x1.9aafd4p-26});
  const Lanes y = fma(r * z, s, r), one = r.like(1), minus_one = r.like(-1);
  const Lanes below = select(y > one, one, y);
  return select(below < minus_one, minus_one, below);
}

struct SineCosine {
  Lanes sine, cosine;
};

// Of r + low, for |r| <= pi/4: the low part joins the small terms, before the last rounding.
SineCosine of_quarter_turn(Lanes r, Lanes low) {
  const Lanes z = r * r;
  const Lanes s = r.is_f32() ? polynomial(z, {-0x1.555556p-3, 0x1.111108p-7, -0x1.a00f88p-13, 0x1.6cd35cp-19})
                             : polynomial(z, {-0x1.5555555555555p-3, 0x1.111111111110bp-7, -0x1.a01a01a018a7cp-13,
                                              0x1.71de3a5330d5fp-19, -0x1.ae64528cd7f2ep-26, 0x1.61208b4aeddf4p-33,
                                              -0x1.aaa1892cbdd3cp-41});
  const Lanes c = r.is_f32() ? polynomial(z, {0x1.55554ap-5, -0x1.6c0c76p-10, 0x1.99fc26p-16})
                             : polynomial(z, {0x1.555555555554bp-5, -0x1.6c16c16c150fbp-10, 0x1.a01a019ca46a2p-16,
                                              -0x1.27e4f7ffe894ep-22, 0x1.1ee9e4d5bfbfep-29, -0x1.8faad26f70069p-37});
  const Lanes sine = r + fma(r * z, s, low);
  const Lanes half = z * 0.5, one = 1.0 - half;
  const Lanes cosine = one + (((1.0 - one) - half) + fma(z * z, c, -(r * low)));
  return {sine, cosine};
}

// The lowest bit of the whole number n as a sign on x.
Lanes flip_by_parity(Lanes x, Lanes n) {
  auto& builder = x.builder();
  llvm::Value* low = bits(n + x.pick(0x1.8p23, 0x1.8p52));
  llvm::Value* sign = builder.CreateShl(low, x.is_f32() ? std::uint64_t{31} : std::uint64_t{63});
  return from_bits(x, builder.CreateXor(bits(x), sign));
}

// 32 bits of 2/pi at every eighth bit, starting 8 bits before the point.
llvm::GlobalVariable* two_over_pi_table(Emitter& emitter) {
  constexpr const char* kName = "weft_two_over_pi";
  if (llvm::GlobalVariable* known = emitter.module.getNamedGlobal(kName)) return known;
  std::vector<llvm::Constant*> words;
  for (int start = -8; start < 160; start += 8) {
    std::uint32_t word = 0;
    for (int bit = start; bit < start + 32; ++bit) {
      const bool set = bit >= 0 && ((kTwoOverPi[bit / 32] >> (31 - bit % 32)) & 1) != 0;
      word = (word << 1) | (set ? 1u : 0u);
    }
    words.push_back(emitter.builder.getInt32(word));
  }
  auto* type = llvm::ArrayType::get(emitter.builder.getInt32Ty(), words.size());
  auto* table = new llvm::GlobalVariable(emitter.module, type, true, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantArray::get(type, words), kName);
  table->setAlignment(llvm::Align(64));
  return table;
}

// |x| * 2/pi modulo 4 as a 64-bit fraction: two bits of whole quarter turns, 62 behind the point. For f32 lanes of at
// least 1; the 24 bits of x meet only the 96 bits of 2/pi that do not give whole multiples of 4 or vanish.
llvm::Value* quarter_turns(Lanes x) {
  auto& b = x.builder();
  const unsigned lanes = x.emitter().lanes(x.type());
  llvm::Type* wide = x.emitter().with_element(bits(x)->getType(), b.getInt64Ty());
  const auto number = [&](llvm::Type* type, std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
  llvm::Type* narrow = bits(x)->getType();
  llvm::Value* magnitude = b.CreateAnd(bits(x), number(narrow, 0x7fffffff));
  // x = mantissa * 2^exponent; the window starts exponent - 2 bits behind the point, the table 8 before it.
  llvm::Value* offset = b.CreateSub(b.CreateLShr(magnitude, 23), number(narrow, 150 + 2 - 8));
  llvm::Value* mantissa = b.CreateOr(b.CreateAnd(magnitude, number(narrow, 0x7fffff)), number(narrow, 0x800000));
  mantissa = b.CreateZExt(b.CreateShl(mantissa, b.CreateAnd(offset, number(narrow, 7))), wide);
  llvm::Value* index = b.CreateLShr(offset, 3);
  const auto word = [&](std::uint64_t behind) {
    llvm::Value* at = b.CreateAdd(index, number(narrow, behind));
    llvm::Value* pointer = b.CreateGEP(b.getInt32Ty(), two_over_pi_table(x.emitter()), at);
    if (lanes == 1) return b.CreateZExt(b.CreateAlignedLoad(b.getInt32Ty(), pointer, llvm::Align(4)), wide);
    llvm::Value* all = llvm::ConstantInt::getTrue(llvm::FixedVectorType::get(b.getInt1Ty(), lanes));
    llvm::Value* loaded = b.CreateMaskedGather(narrow, pointer, llvm::Align(4), all, llvm::Constant::getNullValue(narrow));
    return b.CreateZExt(loaded, wide);
  };
  llvm::Value* high = b.CreateShl(b.CreateMul(mantissa, word(0)), 32);
  llvm::Value* middle = b.CreateMul(mantissa, word(4));
  llvm::Value* low = b.CreateLShr(b.CreateMul(mantissa, word(8)), 32);
  return b.CreateAdd(b.CreateAdd(high, middle), low);
}

struct Reduced {
  Lanes rest;           // in [-pi/2, pi/2] after half turns, [-pi/4, pi/4] after quarter turns
  Lanes low;            // what rounding it lost
  llvm::Value* is_odd;  // i1 lanes: an odd number of turns was taken off
};

// Takes off the nearest number of turns of 2^(62 + log) units, log 1 for half turns, 0 for quarter turns.
Reduced without_turns(Lanes x, llvm::Value* turns, int log) {
  auto& b = x.builder();
  llvm::Type* wide = turns->getType();
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  const auto shift = static_cast<std::uint64_t>(62 + log);
  llvm::Value* n = b.CreateLShr(b.CreateAdd(turns, number(std::uint64_t{1} << (shift - 1))), shift);
  llvm::Value* rest = b.CreateSub(turns, b.CreateShl(n, shift));
  llvm::Type* doubles = x.emitter().with_element(x.type(), b.getDoubleTy());
  llvm::Value* radians = b.CreateFMul(b.CreateSIToFP(rest, doubles), llvm::ConstantFP::get(doubles, 0x1.921fb54442d18p-62));
  llvm::Value* odd = b.CreateICmpNE(b.CreateAnd(n, number(1)), number(0));
  llvm::Value* rounded = b.CreateFPTrunc(radians, x.type());
  llvm::Value* low = b.CreateFPTrunc(b.CreateFSub(radians, b.CreateFPExt(rounded, doubles)), x.type());
  return {Lanes(x.emitter(), rounded), Lanes(x.emitter(), low), odd};
}

// Other lanes of a register with a large one are computed at an argument that the table has bits for.
Lanes only_large(Lanes x) {
  return select((abs(x) > largest_plain(x)) & (abs(x) < x.infinity()), x, x.like(0x1p20));
}

Lanes call_library(Lanes x, const char* name) {
  return {x.emitter(), x.emitter().call_lanes(std::string(name) + (x.is_f32() ? "f" : ""), {x.value()}, x.type())};
}

// Lanes beyond the plain reduction; infinite ones are NaN.
Lanes large_sine(Lanes x, bool is_cosine) {
  if (!x.is_f32()) return call_library(x, is_cosine ? "cos" : "sin");
  auto& b = x.builder();
  llvm::Value* turns = quarter_turns(only_large(x));
  if (is_cosine) turns = b.CreateAdd(turns, llvm::ConstantInt::get(turns->getType(), std::uint64_t{1} << 62));
  const Reduced reduced = without_turns(x, turns, 1);
  const Lanes s = sine_of_half_turn(reduced.rest);
  const Lanes y = select({&x.emitter(), reduced.is_odd}, -s, s);
  return select(abs(x) < x.infinity(), is_cosine ? y : select(x < 0.0, -y, y), x.nan());
}

// The C++ rule of NaN: neither small nor large, and the polynomial gives NaN.
Mask is_large(Lanes x) { return abs(x) > largest_plain(x); }

// f64: sin or cos of the rest, by the number of quarter turns.
Lanes by_quarter_turns(Lanes x, bool is_cosine) {
  auto& b = x.builder();
  const Lanes n = round(x * 0x1.45f306dc9c883p-1);
  const SineCosine part = of_quarter_turn(minus_half_turns(x, n * 0.5), x.like(0));
  llvm::Value* count = bits(n + 0x1.8p52);
  if (is_cosine) count = b.CreateAdd(count, bits_constant(x, 1));
  const Mask odd{&x.emitter(), b.CreateICmpNE(b.CreateAnd(count, bits_constant(x, 1)), bits_constant(x, 0))};
  const Lanes y = select(odd, part.cosine, part.sine);
  llvm::Value* sign = b.CreateShl(b.CreateAnd(count, bits_constant(x, 2)), std::uint64_t{62});
  return from_bits(x, b.CreateXor(bits(y), sign));
}

Lanes usual_sine(Lanes x) {
  if (!x.is_f32()) return by_quarter_turns(x, false);
  const Lanes n = round(x * 0x1.45f306p-2);
  return flip_by_parity(sine_of_half_turn(minus_half_turns(x, n)), n);
}

Lanes sine_of(Lanes x) {
  const Lanes usual = select(x == 0.0, x, usual_sine(x));
  return where_rare(is_large(x), usual, [&] { return large_sine(x, false); });
}

// f32: cos(x) = sin(x + pi/2): with n half a whole number, x - n*pi, and the sign of the next half turn.
Lanes usual_cosine(Lanes x) {
  if (!x.is_f32()) return by_quarter_turns(x, true);
  const Lanes k = round(fma(x, x.like(0x1.45f306p-2), x.like(-0.5)));
  return -flip_by_parity(sine_of_half_turn(minus_half_turns(x, k + 0.5)), k);
}

Lanes cosine_of(Lanes x) {
  return where_rare(is_large(x), usual_cosine(x), [&] { return large_sine(x, true); });
}

Lanes quotient(Lanes r, Lanes low, Mask odd) {
  const SineCosine part = of_quarter_turn(r, low);
  return select(odd, -part.cosine, part.sine) / select(odd, part.sine, part.cosine);
}

Lanes large_tan(Lanes x) {
  if (!x.is_f32()) return call_library(x, "tan");
  const Reduced reduced = without_turns(x, quarter_turns(only_large(x)), 0);
  const Lanes y = quotient(reduced.rest, reduced.low, {&x.emitter(), reduced.is_odd});
  return select(abs(x) < x.infinity(), select(x < 0.0, -y, y), x.nan());
}

Lanes tan_of(Lanes x) {
  auto& b = x.builder();
  const Lanes n = round(x * x.pick(0x1.45f306p-1, 0x1.45f306dc9c883p-1));
  // x - n*pi/2 as r + low: the second piece's product is subtracted in two parts.
  const Lanes high = fma(n, x.pick(-0x1.921fb6p+0, -0x1.921fb54442d18p+0), x);
  const Lanes second = x.pick(-0x1.777a5cp-25, 0x1.1a62633145c07p-54);
  const Lanes product = n * second;
  const Lanes r = high - product;
  const Lanes lost = ((high - r) - product) - fma(n, second, -product);
  const Lanes rest = fma(n, x.pick(0x1.ee59dap-50, 0x1.f1976b7ed8fbcp-110), lost);
  llvm::Value* lowest = b.CreateAnd(bits(n + x.pick(0x1.8p23, 0x1.8p52)), bits_constant(x, 1));
  const Mask odd{&x.emitter(), b.CreateICmpNE(lowest, bits_constant(x, 0))};
  const Lanes usual = select(x == 0.0, x, quotient(r, rest, odd));
  return where_rare(is_large(x), usual, [&] { return large_tan(x); });
}

}  // namespace

llvm::Value* sine(Emitter& emitter, llvm::Value* x) { return sine_of({emitter, x}).value(); }
llvm::Value* cosine(Emitter& emitter, llvm::Value* x) { return cosine_of({emitter, x}).value(); }
llvm::Value* tan(Emitter& emitter, llvm::Value* x) { return tan_of({emitter, x}).value(); }

}  // namespace weft::codegen::math
