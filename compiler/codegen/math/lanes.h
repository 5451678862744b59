// Lanes: a float or double value, scalar or vector, with arithmetic that emits instructions. Formulas read as on paper.
#pragma once

#include <functional>
#include <initializer_list>

#include "compiler/codegen/emitter.h"

namespace weft::codegen::math {

class Lanes;

// One bit a lane.
struct Mask {
  Emitter* emitter;
  llvm::Value* value;
  friend Mask operator&(Mask a, Mask b) { return {a.emitter, a.emitter->builder.CreateAnd(a.value, b.value)}; }
  friend Mask operator|(Mask a, Mask b) { return {a.emitter, a.emitter->builder.CreateOr(a.value, b.value)}; }
  friend Mask operator!(Mask a) { return {a.emitter, a.emitter->builder.CreateNot(a.value)}; }
};

class Lanes {
 public:
  Lanes(Emitter& emitter, llvm::Value* value) : emitter_(&emitter), value_(value) {}
  Emitter& emitter() const { return *emitter_; }
  llvm::IRBuilder<>& builder() const { return emitter_->builder; }
  llvm::Value* value() const { return value_; }
  llvm::Type* type() const { return value_->getType(); }
  bool is_f32() const { return type()->getScalarType()->isFloatTy(); }

  Lanes like(double number) const { return {*emitter_, llvm::ConstantFP::get(type(), number)}; }
  Lanes pick(double in_f32, double in_f64) const { return like(is_f32() ? in_f32 : in_f64); }
  Lanes infinity(bool negative = false) const { return {*emitter_, llvm::ConstantFP::getInfinity(type(), negative)}; }
  Lanes nan() const { return {*emitter_, llvm::ConstantFP::getNaN(type())}; }

  friend Lanes operator+(Lanes a, Lanes b) { return {*a.emitter_, a.builder().CreateFAdd(a.value_, b.value_)}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {*a.emitter_, a.builder().CreateFSub(a.value_, b.value_)}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {*a.emitter_, a.builder().CreateFMul(a.value_, b.value_)}; }
  friend Lanes operator/(Lanes a, Lanes b) { return {*a.emitter_, a.builder().CreateFDiv(a.value_, b.value_)}; }
  friend Lanes operator-(Lanes a) { return {*a.emitter_, a.builder().CreateFNeg(a.value_)}; }
  friend Lanes operator+(Lanes a, double b) { return a + a.like(b); }
  friend Lanes operator-(Lanes a, double b) { return a - a.like(b); }
  friend Lanes operator*(Lanes a, double b) { return a * a.like(b); }
  friend Lanes operator+(double a, Lanes b) { return b.like(a) + b; }
  friend Lanes operator-(double a, Lanes b) { return b.like(a) - b; }
  friend Lanes operator*(double a, Lanes b) { return b.like(a) * b; }
  friend Lanes operator/(double a, Lanes b) { return b.like(a) / b; }

  // Comparisons are false for NaN, but != and is_nan.
  friend Mask operator<(Lanes a, Lanes b) { return {a.emitter_, a.builder().CreateFCmpOLT(a.value_, b.value_)}; }
  friend Mask operator<=(Lanes a, Lanes b) { return {a.emitter_, a.builder().CreateFCmpOLE(a.value_, b.value_)}; }
  friend Mask operator>(Lanes a, Lanes b) { return b < a; }
  friend Mask operator>=(Lanes a, Lanes b) { return b <= a; }
  friend Mask operator==(Lanes a, Lanes b) { return {a.emitter_, a.builder().CreateFCmpOEQ(a.value_, b.value_)}; }
  friend Mask operator<(Lanes a, double b) { return a < a.like(b); }
  friend Mask operator<=(Lanes a, double b) { return a <= a.like(b); }
  friend Mask operator>(Lanes a, double b) { return a > a.like(b); }
  friend Mask operator>=(Lanes a, double b) { return a >= a.like(b); }
  friend Mask operator==(Lanes a, double b) { return a == a.like(b); }

 private:
  Emitter* emitter_;
  llvm::Value* value_;
};

Lanes fma(Lanes a, Lanes b, Lanes c);                    // a*b + c, rounded once
Lanes select(Mask mask, Lanes on_true, Lanes on_false);
Mask is_nan(Lanes x);
Lanes abs(Lanes x);
Lanes sqrt(Lanes x);
Lanes round(Lanes x);                                    // to nearest even
Lanes floor(Lanes x);
Lanes copysign(Lanes magnitude, Lanes sign);
// c[0] + c[1]*x + …, by Horner's rule with fma.
Lanes polynomial(Lanes x, std::initializer_list<double> coefficients);

// The bits of the lanes as integers, and back.
llvm::Value* bits(Lanes x);
Lanes from_bits(Lanes like, llvm::Value* bits);
llvm::Value* bits_constant(Lanes like, std::uint64_t value);
int mantissa_bits(Lanes x);
// 2 to the power n for a whole n whose result is normal.
Lanes power_of_two(Lanes n);
// p * 2^n with one rounding, for |n| up to twice the exponent range.
Lanes scale(Lanes p, Lanes n);
// A whole number from small signed integer lanes of the same width.
Lanes from_integer(Lanes like, llvm::Value* integer);

// `usual` where the mask is clear in every lane; otherwise rare(), which must give the right value in the lanes that are
// set, selected there. The branch changes no lane's bits.
Lanes where_rare(Mask mask, Lanes usual, const std::function<Lanes()>& rare);

}  // namespace weft::codegen::math
