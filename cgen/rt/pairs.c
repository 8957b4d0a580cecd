/* Gamma functions and binomial coefficients in pairs of doubles, each the
 * unevaluated sum of 106 bits; internal/num/pairs.go. */
#include "rt.h"

typedef struct {
  double hi, lo;
} tl_pair;

static tl_pair tl_two_sum(double x, double y) {
  double s = x + y, t = s - x;
  tl_pair r = {s, (x - (s - t)) + (y - t)};
  return r;
}

/* x+y where |x| ≥ |y|. */
static tl_pair tl_quick_sum(double x, double y) {
  double s = x + y;
  tl_pair r = {s, y - (s - x)};
  return r;
}

static tl_pair tl_two_product(double x, double y) {
  double p = x * y;
  tl_pair r = {p, fma(x, y, -p)};
  return r;
}

static tl_pair tl_pair_add(tl_pair a, tl_pair b) {
  tl_pair s = tl_two_sum(a.hi, b.hi), t = tl_two_sum(a.lo, b.lo);
  s = tl_quick_sum(s.hi, s.lo + t.hi);
  return tl_quick_sum(s.hi, s.lo + t.lo);
}

static tl_pair tl_single(double x) {
  tl_pair r = {x, 0};
  return r;
}

static tl_pair tl_pair_neg(tl_pair a) {
  tl_pair r = {-a.hi, -a.lo};
  return r;
}

static tl_pair tl_pair_sub(tl_pair a, tl_pair b) { return tl_pair_add(a, tl_pair_neg(b)); }
static tl_pair tl_pair_plus(tl_pair a, double x) { return tl_pair_add(a, tl_single(x)); }

static tl_pair tl_pair_mul(tl_pair a, tl_pair b) {
  tl_pair p = tl_two_product(a.hi, b.hi);
  return tl_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static tl_pair tl_pair_times(tl_pair a, double x) {
  tl_pair p = tl_two_product(a.hi, x);
  return tl_quick_sum(p.hi, p.lo + a.lo * x);
}

static tl_pair tl_pair_div(tl_pair a, tl_pair b) {
  double q = a.hi / b.hi;
  tl_pair r = tl_pair_sub(a, tl_pair_times(b, q));
  double s = r.hi / b.hi;
  r = tl_pair_sub(r, tl_pair_times(b, s));
  return tl_pair_plus(tl_quick_sum(q, s), r.hi / b.hi);
}

/* e*x is the result times a power of two. */
static tl_pair tl_pair_exp(tl_pair x, int *power) {
  const tl_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  double k = rint(x.hi / 0x1.62e42fefa39efp-1);
  tl_pair r = tl_pair_sub(x, tl_pair_times(ln2, k)), sum = tl_single(1);
  r.hi /= 256;
  r.lo /= 256;
  for (int n = 10; n >= 1; n--) /* Taylor's series by Horner's rule */
    sum = tl_pair_plus(tl_pair_div(tl_pair_mul(sum, r), tl_single(n)), 1);
  for (int n = 0; n < 8; n++) sum = tl_pair_mul(sum, sum);
  *power = (int)k;
  return sum;
}

/* The logarithm of a number from 24 on. */
static tl_pair tl_pair_ln(tl_pair x) {
  const tl_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  int e;
  tl_pair m = {frexp(x.hi, &e), 0};
  m.lo = ldexp(x.lo, -e);
  tl_pair y = tl_single(log(m.hi));
  for (int i = 0; i < 2; i++) { /* y+m×e*-y, less 1, squares the error */
    int k;
    tl_pair z = tl_pair_exp(tl_pair_neg(y), &k);
    z.hi = ldexp(z.hi, k);
    z.lo = ldexp(z.lo, k);
    tl_pair d = tl_pair_plus(tl_pair_mul(m, z), -1), square = tl_pair_times(tl_pair_mul(d, d), 0.5);
    y = tl_pair_sub(tl_pair_add(y, d), square);
  }
  return tl_pair_add(y, tl_pair_times(ln2, e));
}

/* *p and *l, so that gamma of z is e**l divided by *p; z is no integer below 1. */
static void tl_gamma_pairs(tl_pair z, tl_pair *p, tl_pair *l) {
  const tl_pair half_ln_tau = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
  const double over[12] = {1, -1, 1, -1, 1, -691, 1, -3617, 43867, -174611, 77683, -236364091};
  const double under[12] = {12, 360, 1260, 1680, 1188, 360360, 156, 122400, 244188, 125400, 5796, 1506960};
  *p = tl_single(1);
  for (; z.hi < 24; z = tl_pair_plus(z, 1)) *p = tl_pair_mul(*p, z);
  tl_pair inverse = tl_pair_div(tl_single(1), z), square = tl_pair_mul(inverse, inverse), sum = tl_single(0);
  for (int i = 11; i >= 0; i--) /* Stirling's series */
    sum = tl_pair_add(tl_pair_mul(sum, square), tl_pair_div(tl_single(over[i]), tl_single(under[i])));
  *l = tl_pair_mul(tl_pair_plus(z, -0.5), tl_pair_ln(z));
  *l = tl_pair_add(tl_pair_add(tl_pair_sub(*l, z), half_ln_tau), tl_pair_mul(sum, inverse));
}

/* gamma of y+1, where y is no integer: y+1 itself has no error. */
double tl_gamma1(double y) {
  tl_pair p, l;
  int k;
  if (y > 171) return tl_beyond();
  if (y < -170) return tgamma(y + 1);
  tl_gamma_pairs(tl_two_sum(y, 1), &p, &l);
  tl_pair s = tl_pair_exp(l, &k);
  s = tl_pair_div(s, p);
  return ldexp(s.hi + s.lo, k);
}

/* x!y where x, y or y-x is no integer. */
double tl_binomial(double x, double y) {
  tl_pair px, lx, py, ly, pd, ld;
  int k;
  tl_gamma_pairs(tl_two_sum(y, 1), &py, &ly);
  tl_gamma_pairs(tl_two_sum(x, 1), &px, &lx);
  tl_gamma_pairs(tl_pair_plus(tl_two_sum(y, -x), 1), &pd, &ld);
  tl_pair l = tl_pair_sub(tl_pair_sub(ly, lx), ld);
  if (l.hi > 1400) return tl_beyond();
  if (l.hi < -1400) return 0;
  tl_pair s = tl_pair_exp(l, &k);
  s = tl_pair_mul(tl_pair_div(tl_pair_mul(s, px), py), pd);
  return ldexp(s.hi + s.lo, k);
}
