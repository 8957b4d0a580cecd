/* Factorials, binomial coefficients and divisors of complex numbers;
 * internal/num/gamma.go in C. */
#include "rt.h"

#include "gammaz.h"
