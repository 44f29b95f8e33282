/* <math.h> for code that includes it and computes with whole numbers. */
#ifndef STEELYARD_MATH_H
#define STEELYARD_MATH_H

double ceil(double value);
double floor(double value);
double log2(double value);
double pow(double base, double exponent);
double sqrt(double value);

#endif
