/* Scalar functions that are too long to be inlined; internal/num in C. */
#include "rt.h"

double tl_ct = 1E-14;

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

double tl_gcdd(double x, double y) {
  double a = x = fabs(x), b = y = fabs(y);
  double ct = fmax(a, b) < 0x1p53 && a == floor(a) && b == floor(b) ? 0 : TL_CT;
  for (int steps = 0; b != 0 && steps < 4096; steps++) {
    double r = ct == 0 ? tl_resx(b, a) : tl_resd(b, a);
    if (r <= ct * x * (y / b)) return b;
    a = b;
    b = r;
  }
  return a;
}

double tl_lcmd(double x, double y) {
  double g = tl_gcdd(x, y);
  return x == 0 || y == 0 ? 0.0 : x * (y / g);
}

double tl_factd(double y) {
  static const double table[] = {
#include "factorials.h"
  };
  if (y == rint(y)) {
    if (y < 0) return NAN;
    return y <= 170 ? table[(int)y] : tl_beyond();
  }
  return tl_gamma1(y);
}

/* The number of k-subsets of n things, 0 ≤ k ≤ n: products of few factors are
 * exact. */
static double tl_choose(double n, double k) {
  double r = 1;
  if (k > n - k) k = n - k;
  for (double i = 1; i <= k && r <= DBL_MAX; i++) r = r * (n - k + i) / i;
  return r < 0x1p53 ? rint(r) : r;
}

static double tl_alternate(double k) { return k == 2 * floor(k / 2) ? 1.0 : -1.0; }

/* x!y for integers: Dyalog's table by the signs of x, y and y-x. */
static double tl_whole_bind(double x, double y) {
  double d = y - x;
  if (x >= 0 && y >= 0) return d >= 0 ? tl_choose(y, x) : 0.0;
  if (x >= 0) return tl_alternate(x) * tl_choose(x - y - 1, x);
  if (y < 0 && d >= 0) return tl_alternate(d) * tl_choose(-x - 1, -y - 1);
  return 0.0;
}

static int tl_negative_whole(double x) { return x < 0 && x == rint(x); }

static double tl_signed_lgamma(double z, double *sign) {
  int s;
  double l = lgamma_r(z, &s);
  *sign *= s;
  return l;
}

double tl_bind(double x, double y) {
  double d = y - x;
  if (x == rint(x) && y == rint(y)) return tl_whole_bind(x, y);
  if (tl_negative_whole(x) || tl_negative_whole(d)) return 0.0;
  if (fmin(fmin(x, y), d) > -150 && fmax(fmax(x, y), d) < 1e15) return tl_binomial(x, y);
  double sign = 1;
  double l = tl_signed_lgamma(y + 1, &sign) - tl_signed_lgamma(x + 1, &sign) - tl_signed_lgamma(d + 1, &sign);
  return sign * exp(l);
}

int tl_bad_bind(double x, double y) { return tl_negative_whole(y) && x != rint(x); }

/* The root of 1+y*2, whose square may be beyond the numbers. */
static double tl_root1(double y) { return fabs(y) > 0x1p30 ? fabs(y) : sqrt(1 + y * y); }

double tl_circled(int64_t x, double y) {
  switch (x) {
  case 0: return sqrt((1 - y) * (1 + y));
  case 1: return sin(y);
  case 2: return cos(y);
  case 3: return tan(y);
  case 4: return tl_root1(y);
  case 5: return sinh(y);
  case 6: return cosh(y);
  case 7: return tanh(y);
  case 9: case -9: case -10: return y;
  case 10: return fabs(y);
  case 11: return 0;
  case 12: return y < 0 ? 3.14159265358979323846 : 0;
  case -1: return asin(y);
  case -2: return acos(y);
  case -3: return atan(y);
  case -4: return y == -1 ? 0.0 : (y + 1) * sqrt((y - 1) / (y + 1));
  case -5: return asinh(y);
  case -6: return acosh(y);
  case -7: return atanh(y);
  }
  return NAN;
}

int tl_bad_circled(int64_t x, double y) {
  switch (x) {
  case 0: case -1: case -2: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  case -7: return fabs(y) >= 1;
  }
  return (x < -7 && x != -9 && x != -10) || x == 8 || x > 12;
}

int tl_bad_circled_complex(int64_t x, double y) {
  switch (x) {
  case 0: case -1: case -2: case -7: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  }
  return x == 8 || x == -8 || x == -11 || x == -12;
}
