/* Gamma functions, binomial coefficients and powers of complex numbers in pairs of
 * doubles, each the unevaluated sum of 106 bits. */
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

/* The logarithm of a positive number, which has 106 bits where it is not near 0. */
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
TL_SHARED double tl_gamma1(double y) {
  tl_pair p, l;
  int k;
  if (y > 171) return TL_INFINITE;
  if (y < -170) return tgamma(y + 1);
  tl_gamma_pairs(tl_two_sum(y, 1), &p, &l);
  tl_pair s = tl_pair_exp(l, &k);
  s = tl_pair_div(s, p);
  return ldexp(s.hi + s.lo, k);
}

/* x!y where x, y or y-x is no integer. */
TL_SHARED double tl_binomial(double x, double y) {
  tl_pair px, lx, py, ly, pd, ld;
  int k;
  tl_gamma_pairs(tl_two_sum(y, 1), &py, &ly);
  tl_gamma_pairs(tl_two_sum(x, 1), &px, &lx);
  tl_gamma_pairs(tl_pair_plus(tl_two_sum(y, -x), 1), &pd, &ld);
  tl_pair l = tl_pair_sub(tl_pair_sub(ly, lx), ld);
  if (l.hi > 1400) return TL_INFINITE;
  if (l.hi < -1400) return 0;
  tl_pair s = tl_pair_exp(l, &k);
  s = tl_pair_mul(tl_pair_div(tl_pair_mul(s, px), py), pd);
  return ldexp(s.hi + s.lo, k);
}

/* 1 divided by the factorials of 0 … 13, and of 14 … 21. */
TL_TABLE tl_pair tl_over_factorials[14] = {
    {0x1p+0, 0x0p+0}, {0x1p+0, 0x0p+0},
    {0x1p-1, 0x0p+0}, {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59}, {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65}, {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76}, {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76}, {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83}, {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87}};
TL_TABLE double tl_over_greater[8] = {0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-41, 0x1.ae7f3e733b81fp-45, 0x1.952c77030ad4ap-49, 0x1.6827863b97d97p-53, 0x1.2f49b46814157p-57, 0x1.e542ba4020225p-62, 0x1.71b8ef6dcf572p-66};

/* The sine and the cosine of x, for |x| up to 4. */
static void tl_pair_sin_cos(double x, tl_pair *s, tl_pair *c) {
  double k = rint(x * 0x1.45f306dc9c883p-1);
  tl_pair r = tl_pair_plus(tl_two_sum(x, -k * 0x1.921fb54442d18p+0), -k * 0x1.1a62633145c07p-54);
  tl_pair square = tl_pair_neg(tl_pair_mul(r, r));
  double v = tl_over_greater[6], u = tl_over_greater[7];
  for (int n = 4; n >= 0; n -= 2) { /* Taylor's series, whose small terms need no pairs */
    v = v * square.hi + tl_over_greater[n];
    u = u * square.hi + tl_over_greater[n + 1];
  }
  tl_pair even = tl_single(v), odd = tl_single(u);
  for (int n = 12; n >= 0; n -= 2) {
    even = tl_pair_add(tl_pair_mul(even, square), tl_over_factorials[n]);
    odd = tl_pair_add(tl_pair_mul(odd, square), tl_over_factorials[n + 1]);
  }
  odd = tl_pair_mul(odd, r);
  switch ((int)k & 3) {
    case 0: *s = odd; *c = even; break;
    case 1: *s = even; *c = tl_pair_neg(odd); break;
    case 2: *s = tl_pair_neg(odd); *c = tl_pair_neg(even); break;
    default: *s = tl_pair_neg(even); *c = odd;
  }
}

/* The logarithm of x×2*k, for x between 0.7 and 1.5: one step of Newton's method
 * squares the error of that in doubles. */
static tl_pair tl_pair_log(tl_pair x, int k) {
  const tl_pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
  double y = log(x.hi), r = y / -16;
  tl_pair z = tl_single((tl_over_factorials[9].hi * r + tl_over_factorials[8].hi) * r + tl_over_factorials[7].hi);
  for (int n = 6; n >= 0; n--) z = tl_pair_add(tl_pair_times(z, r), tl_over_factorials[n]);
  for (int n = 0; n < 4; n++) z = tl_pair_mul(z, z);
  return tl_pair_add(tl_pair_plus(tl_pair_plus(tl_pair_mul(x, z), -1), y), tl_pair_times(ln2, k));
}

/* The angle of aJb: what the angle that is rounded to a double leaves is that of the
 * number turned back by it. */
static tl_pair tl_pair_angle(double a, double b) {
  double t = atan2(b, a);
  tl_pair s, c;
  if (t == 0) return tl_single(0);
  tl_pair_sin_cos(t, &s, &c);
  tl_pair rest = tl_pair_sub(tl_pair_times(c, b), tl_pair_times(s, a));
  return tl_quick_sum(t, rest.hi / (c.hi * a + s.hi * b));
}

/* The number of magnitude *r and angle t. A sine or a cosine that is smaller than what
 * rounding of the angle amounts to is 0: ¯1J0*65 is ¯1. */
static void tl_pair_cis(tl_pair r, tl_pair t, double *re, double *im) {
  /* The magnitude may be beyond the numbers where the parts are not. */
  double split = fabs(r.hi) > 700 ? fmax(-750.0, fmin(r.hi / 2, 710.0)) : 0;
  double g = exp(fmax(-750.0, fmin(r.hi - split, 710.0))), h = exp(split), s = sin(t.hi), c = cos(t.hi);
  double u = s + t.lo * c, v = c - t.lo * s, least = fabs(t.hi) * TL_ULP;
  g += g * r.lo;
  u = fabs(u) <= least ? 0 : u;
  v = fabs(v) <= least ? 0 : v;
  *re = split == 0 ? g * v : g * v * h;
  *im = split == 0 ? g * u : g * u * h;
}

/* aJb to the power cJd, where neither is 0, nor c or d great; num.PowZ. */
TL_SHARED void tl_pair_power(double a, double b, double c, double d, double *re, double *im) {
  int e = ilogb(fmax(fabs(a), fabs(b)));
  a = ldexp(a, -e);
  b = ldexp(b + 0.0, -e);
  tl_pair square = tl_pair_add(tl_two_product(a, a), tl_two_product(b, b));
  int k = ilogb(square.hi / 0.7);
  square.hi = ldexp(square.hi, -k);
  square.lo = ldexp(square.lo, -k);
  tl_pair l = tl_pair_times(tl_pair_log(square, k + 2 * e), 0.5), t = tl_pair_angle(a, b);
  tl_pair_cis(tl_pair_sub(tl_pair_times(l, c), tl_pair_times(t, d)), tl_pair_add(tl_pair_times(l, d), tl_pair_times(t, c)), re, im);
}

/* aJb to the power n, neither 0, rounded once. */
TL_SHARED void tl_pair_whole_power(double a, double b, int n, double *re, double *im) {
  int e = ilogb(fmax(fabs(a), fabs(b)));
  tl_pair p = tl_single(ldexp(a, -e)), q = tl_single(ldexp(b + 0.0, -e)), u = tl_single(1), v = tl_single(0), w;
  for (int k = n < 0 ? -n : n;;) {
    if (k & 1) {
      w = tl_pair_sub(tl_pair_mul(u, p), tl_pair_mul(v, q));
      v = tl_pair_add(tl_pair_mul(u, q), tl_pair_mul(v, p));
      u = w;
    }
    if ((k >>= 1) == 0) break;
    w = tl_pair_sub(tl_pair_mul(p, p), tl_pair_mul(q, q));
    q = tl_pair_times(tl_pair_mul(p, q), 2);
    p = w;
  }
  if (n < 0) {
    w = tl_pair_add(tl_pair_mul(u, u), tl_pair_mul(v, v));
    u = tl_pair_div(u, w);
    v = tl_pair_div(tl_pair_neg(v), w);
  }
  *re = ldexp(u.hi + u.lo, e * n);
  *im = ldexp(v.hi + v.lo, e * n);
}
