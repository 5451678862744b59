// The elementwise functions: those by row of functions.def, and the few with more operands or options.
#pragma once

#include <weft/array.h>

namespace weft {

#define WEFT_ONE(name, ...) Array name(const Operand& x);
#define WEFT_TWO(name, ...) Array name(const Operand& x, const Operand& y);
#define UNARY WEFT_ONE
#define COMPOSED1 WEFT_ONE
#define ALIAS1 WEFT_ONE
#define BINARY WEFT_TWO
#define COMPARE WEFT_TWO
#define PREDICATE WEFT_TWO
#define COMPOSED2 WEFT_TWO
#define ALIAS2 WEFT_TWO
#include <weft/functions.def>
#undef WEFT_ONE
#undef WEFT_TWO

// x to the power y. A whole number y written as a C++ integer multiplies x repeatedly.
Array power(const Operand& x, const Operand& y);
Array pow(const Operand& x, const Operand& y);
// floor_divide and remainder of the same operands.
std::pair<Array, Array> divmod(const Operand& x, const Operand& y);
// At least `low` and at most `high`.
Array clip(const Operand& x, const Operand& low, const Operand& high);
// predicate ? on_true : on_false, element by element; both sides are computed.
Array where(const Operand& predicate, const Operand& on_true, const Operand& on_false);

// The choice of the first condition that holds, else `otherwise`.
Array select(const std::vector<Array>& conditions, const std::vector<Array>& choices,
             const Operand& otherwise = 0);

struct CloseOptions {
  double rtol = 1e-5, atol = 1e-8;
  bool equal_nan = false;
};
Array isclose(const Operand& x, const Operand& y, CloseOptions options = {});
Array allclose(const Operand& x, const Operand& y, CloseOptions options = {});
Array array_equal(const Operand& x, const Operand& y);  // false when the shapes differ

Array astype(const Operand& x, DType dtype);
Array bitcast_convert_type(const Operand& x,
                           DType dtype);  // the same bits; the last axis absorbs a change of width
Array reduce_precision(const Operand& x, int exponent_bits, int mantissa_bits);
Array stop_gradient(const Operand& x);

DType result_type(const Operand& x, const Operand& y);  // by the promotion table

}  // namespace weft
