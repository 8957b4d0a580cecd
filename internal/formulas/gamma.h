/* Factorials and binomial coefficients. */

/* Those of 0 … 170. */
TL_TABLE double tl_factorials[] = {
#include "factorials.h"
};

TL_SHARED double tl_factd(double y) {
  if (y == rint(y)) {
    if (y < 0) return NAN;
    return y <= 170 ? tl_factorials[(int)y] : TL_INFINITE;
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


static double tl_signed_lgamma(double z, double *sign) {
  int s;
  double l = lgamma_r(z, &s);
  *sign *= s;
  return l;
}

TL_SHARED double tl_bind(double x, double y) {
  double d = y - x;
  if (x == rint(x) && y == rint(y)) return tl_whole_bind(x, y);
  if (tl_negative_whole(x) || tl_negative_whole(d)) return 0.0;
  if (fmin(fmin(x, y), d) > -150 && fmax(fmax(x, y), d) < 1e15) return tl_binomial(x, y);
  double sign = 1;
  double l = tl_signed_lgamma(y + 1, &sign) - tl_signed_lgamma(x + 1, &sign) - tl_signed_lgamma(d + 1, &sign);
  return sign * exp(l);
}
