/* Scalar functions that are too long to be inlined; internal/num in C. */
#include "rt.h"

/* ---- Integers ---- */

/* x*y for y ≥ 0; 1 in *overflow where it does not fit. A base that overflows
 * is still to be used, and nothing makes the product smaller again. */
static int64_t tl_power(int64_t x, int64_t y, int *overflow) {
  int64_t r = 1, base = x;
  *overflow = 0;
  while (y > 0) {
    if (y & 1) *overflow |= __builtin_mul_overflow(r, base, &r);
    y >>= 1;
    if (y > 0) *overflow |= __builtin_mul_overflow(base, base, &base);
    if (*overflow) return 0;
  }
  return r;
}

int64_t tl_powi(int64_t x, int64_t y) {
  int overflow;
  return tl_power(x, y, &overflow);
}

int tl_bad_powi(int64_t x, int64_t y) {
  int overflow;
  tl_power(x, y, &overflow);
  return overflow;
}

/* By the last bits that are not 0 and differences, where both are not far apart;
 * one remainder brings them there. */
int64_t tl_gcdi(int64_t x, int64_t y) {
  uint64_t a = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, b = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
  if (b == 0) return (int64_t)a;
  a %= b;
  if (a == 0) return (int64_t)b;
  int twos = __builtin_ctzll(a | b);
  a >>= __builtin_ctzll(a);
  b >>= __builtin_ctzll(b);
  while (a != b) {
    uint64_t d = a > b ? a - b : b - a;
    b = a < b ? a : b;
    a = d >> __builtin_ctzll(d);
  }
  return (int64_t)(b << twos);
}

/* ---- Doubles ---- */

#include "functions.h"
#include "gamma.h"
