// Special functions in long double for the reference values; C++'s library has none of them.
#pragma once

namespace weft::interpreter::special {

long double lgamma(long double x);      // log |gamma(x)|; infinity at the poles
long double digamma(long double x);     // NaN at the poles
long double erf_inv(long double x);     // Newton on erf; infinite at +-1, NaN outside
long double bessel_i1e(long double x);  // I1(x) exp(-|x|)
long double zeta(long double x, long double q);       // Hurwitz: sum of (q + k)^-x; NaN for x < 1
long double polygamma(long double n, long double x);  // NaN for n that is no non-negative integer

}  // namespace weft::interpreter::special
