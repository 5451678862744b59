// Special functions in long double for the reference values; the standard library has none of them.
#pragma once

namespace weft::interpreter::special {

long double lgamma(long double x);      // log |gamma(x)|; infinity at the poles
long double digamma(long double x);     // NaN at the poles
long double erf_inv(long double x);     // infinite at +-1, NaN outside
long double bessel_i1e(long double x);  // I1(x) exp(-|x|)
// Hurwitz: the sum of (q + k)^-s. NaN for s < 1, for a negative q with a fractional s, and at poles of odd order;
// infinity at poles of even order.
long double zeta(long double s, long double q);
long double polygamma(long double n, long double x);  // NaN for n that is no integer >= 0; at poles as zeta

}  // namespace weft::interpreter::special
