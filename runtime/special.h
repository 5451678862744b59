// Scalar functions that compiled code calls lane by lane; f64, and f32 with an f behind the name.
#pragma once

extern "C" {
double weft_logistic(double x);
double weft_rsqrt(double x);
double weft_lgamma(double x);      // log |gamma(x)|
double weft_digamma(double x);
double weft_erf_inv(double x);
double weft_bessel_i1e(double x);  // I1(x) exp(-|x|)
double weft_zeta(double x, double q);
double weft_polygamma(double n, double x);
float weft_logisticf(float x);
float weft_rsqrtf(float x);
float weft_lgammaf(float x);
float weft_digammaf(float x);
float weft_erf_invf(float x);
float weft_bessel_i1ef(float x);
float weft_zetaf(float x, float q);
float weft_polygammaf(float n, float x);
}
