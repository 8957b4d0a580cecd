/* Functions of complex numbers that are too long to be inlined. */

static tl_c64 tl_times_i(tl_c64 y) { return TL_Z(-tl_imz(y), tl_rez(y)); }
static tl_c64 tl_over_i(tl_c64 y) { return TL_Z(tl_imz(y), -tl_rez(y)); }
static tl_c64 tl_one_less(tl_c64 y) { return TL_Z(1 - tl_rez(y), -tl_imz(y)); } /* 1-y */
static tl_c64 tl_one_more(tl_c64 y) { return TL_Z(1 + tl_rez(y), tl_imz(y)); }

/* Smith's method. */
TL_SHARED tl_c64 tl_divz(tl_c64 x, tl_c64 y) {
  double a = tl_rez(x), b = tl_imz(x), c = tl_rez(y), d = tl_imz(y);
  if (c == 0 && d == 0) return TL_Z(1, 0);
  if (d == 0) return TL_Z(a / c, b / c);
  if (fabs(c) >= fabs(d)) {
    double r = d / c, t = c + d * r;
    return TL_Z((a + b * r) / t, (b - a * r) / t);
  }
  double r = c / d, t = c * r + d;
  return TL_Z((a * r + b) / t, (b * r - a) / t);
}

TL_SHARED tl_c64 tl_signz(tl_c64 y) {
  double m = tl_absz(y);
  return m == 0 ? TL_Z(0, 0) : TL_Z(tl_rez(y) / m, tl_imz(y) / m);
}

TL_SHARED tl_c64 tl_expz(tl_c64 y) {
  double r = exp(tl_rez(y)), b = tl_imz(y);
  return TL_Z(tl_cosine_part(r, cos(b), b), tl_sine_part(r, sin(b), b));
}

/* *0J1×y, which is ¯12○y: the cosine is as it is. */
TL_SHARED tl_c64 tl_expiz(tl_c64 y) {
  double r = exp(-tl_imz(y)), b = tl_rez(y);
  return TL_Z(r * cos(b), tl_sine_part(r, sin(b), b));
}

/* The logarithm of a magnitude near 1 is that of 1 more than the excess of its square. */
TL_SHARED tl_c64 tl_lnz(tl_c64 y) {
  double m = tl_absz(y), a = fmax(fabs(tl_rez(y)), fabs(tl_imz(y))), b = fmin(fabs(tl_rez(y)), fabs(tl_imz(y)));
  return TL_Z(m > 0.7 && m < 1.4 ? 0.5 * log1p((a - 1) * (a + 1) + b * b) : log(m), tl_argz(y));
}

/* The square root in the right half-plane. */
TL_SHARED tl_c64 tl_sqrtz(tl_c64 y) {
  double a = tl_rez(y), b = tl_imz(y) + 0.0;
  if (a == 0 && b == 0) return TL_Z(0, 0);
  double t = sqrt((fabs(a) + tl_magnitude(a, b)) / 2);
  return a >= 0 ? TL_Z(t, b / (2 * t)) : TL_Z(fabs(b) / (2 * t), copysign(t, b));
}

/* x*n for n from 1 on, by squares: 2 is x×x. */
static tl_c64 tl_whole_powz(tl_c64 x, int n) {
  for (; !(n & 1); n >>= 1) x = tl_mulz(x, x);
  tl_c64 z = x;
  for (n >>= 1; n > 0; n >>= 1) {
    x = tl_mulz(x, x);
    if (n & 1) z = tl_mulz(z, x);
  }
  return z;
}

/* Functions of two numbers without imaginary parts are those of the reals, so that a
 * result does not depend on the type that holds it. */
TL_INLINE int tl_are_real(tl_c64 x, tl_c64 y) { return (tl_imz(x) == 0) & (tl_imz(y) == 0); }

/* Up to 4 whole powers are products; others have the roundings of an exponential, a
 * sine and a cosine. Whole powers of Gaussian integers are exact. */
TL_SHARED tl_c64 tl_powz(tl_c64 x, tl_c64 y) {
  double a = tl_rez(x), b = tl_imz(x), c = tl_rez(y), d = tl_imz(y), re, im;
  int real = d == 0, whole = real && c == rint(c) && fabs(c) <= 64;
  if (tl_bad_recz(y)) return TL_Z(1, 0);
  if (tl_bad_recz(x)) return TL_Z(0, 0);
  if (tl_are_real(x, y) && !tl_bad_powd_complex(a, c)) return TL_Z(tl_powd(a, c), 0);
  if (whole && c > 0 && c <= 4) return tl_whole_powz(x, (int)c);
  if (real && c == 0.5) return tl_sqrtz(x);
  if (whole && c == -1) return tl_divz(TL_Z(1, 0), x);
  if (fabs(c) > 0x1p60 || fabs(d) > 0x1p60) return tl_expz(tl_mulz(y, tl_lnz(x)));
  if (whole)
    tl_pair_whole_power(a, b, (int)c, &re, &im);
  else
    tl_pair_power(a, b, c, d, &re, &im);
  return TL_Z(re, im);
}

TL_SHARED int tl_bad_powz(tl_c64 x, tl_c64 y) { return tl_bad_recz(x) && !tl_bad_recz(y) && !(tl_rez(y) > 0); }

static int tl_is_one(tl_c64 x) { return tl_rez(x) == 1 && tl_imz(x) == 0; }

TL_SHARED tl_c64 tl_logz(tl_c64 x, tl_c64 y) {
  double a = tl_rez(x), b = tl_rez(y);
  if (tl_are_real(x, y) && !tl_bad_logd_complex(a, b)) return TL_Z(tl_logd(a, b), 0);
  return tl_divz(tl_lnz(y), tl_lnz(x));
}

TL_SHARED int tl_bad_logz(tl_c64 x, tl_c64 y) {
  return tl_bad_recz(x) || tl_bad_recz(y) || (tl_is_one(x) && !tl_is_one(y));
}

/* McDonnell's complex floor. */
TL_SHARED tl_c64 tl_floorz(tl_c64 y) {
  tl_c64 near = TL_Z(rint(tl_rez(y)), rint(tl_imz(y)));
  double a = floor(tl_rez(y)), b = floor(tl_imz(y)), p = tl_rez(y) - a, q = tl_imz(y) - b;
  if (tl_eqz(y, near)) return near;
  if (tl_ltd(p + q, 1)) return TL_Z(a, b);
  return p >= q ? TL_Z(a + 1, b) : TL_Z(a, b + 1);
}

TL_SHARED tl_c64 tl_resz(tl_c64 x, tl_c64 y) {
  if (tl_bad_recz(x)) return y;
  if (tl_are_real(x, y)) return TL_Z(tl_resd(tl_rez(x), tl_rez(y)), 0);
  tl_c64 q = tl_divz(y, x), f = tl_floorz(q);
  return tl_eqz(q, f) ? TL_Z(0, 0) : tl_subz(y, tl_mulz(x, f));
}

/* 1+y*2 as a product, which loses no digits near its zeros. */
static tl_c64 tl_square_and_one(tl_c64 y) {
  return tl_mulz(TL_Z(1 - tl_imz(y), tl_rez(y)), TL_Z(1 + tl_imz(y), -tl_rez(y)));
}

static tl_c64 tl_sinhz(tl_c64 y) {
  double a = tl_rez(y), b = tl_imz(y);
  return TL_Z(sinh(a) * cos(b), cosh(a) * sin(b));
}

static tl_c64 tl_coshz(tl_c64 y) {
  double a = tl_rez(y), b = tl_imz(y);
  return TL_Z(cosh(a) * cos(b), sinh(a) * sin(b));
}

/* It does not overflow where sinh and cosh do. */
static tl_c64 tl_tanhz(tl_c64 y) {
  double a = tl_rez(y), b = tl_imz(y);
  if (fabs(a) > 20) return TL_Z(copysign(1.0, a), 2 * sin(2 * b) * exp(-2 * fabs(a)));
  double s = sin(b), c = cos(b), h = sinh(a), d = h * h + c * c;
  return TL_Z(h * cosh(a) / d, s * c / d);
}

/* Kahan's formulas. */
static tl_c64 tl_asinz(tl_c64 y) {
  tl_c64 l = tl_sqrtz(tl_one_less(y)), r = tl_sqrtz(tl_one_more(y));
  return TL_Z(atan2(tl_rez(y), tl_rez(tl_mulz(l, r))), asinh(tl_imz(tl_mulz(tl_conjz(l), r))));
}

static tl_c64 tl_acosz(tl_c64 y) {
  tl_c64 l = tl_sqrtz(tl_one_less(y)), r = tl_sqrtz(tl_one_more(y));
  return TL_Z(2 * atan2(tl_rez(l), tl_rez(r)), asinh(tl_imz(tl_mulz(tl_conjz(r), l))));
}

static tl_c64 tl_acoshz(tl_c64 y) {
  tl_c64 l = tl_sqrtz(TL_Z(tl_rez(y) - 1, tl_imz(y))), r = tl_sqrtz(tl_one_more(y));
  return TL_Z(asinh(tl_rez(tl_mulz(tl_conjz(l), r))), 2 * atan2(tl_imz(l), tl_rez(r)));
}

static tl_c64 tl_atanhz(tl_c64 y) {
  double a = tl_rez(y), b = tl_imz(y) + 0.0;
  if (b == 0 && a > 1) b = -0.0;
  double m = fabs(a), d = (1 - m) * (1 - m) + b * b;
  return TL_Z(copysign(0.25 * log1p(4 * m / d), a), 0.5 * atan2(2 * b, (1 - a) * (1 + a) - b * b));
}

static tl_c64 tl_root4z(tl_c64 y) { /* ¯4○y */
  if (tl_rez(y) == -1 && tl_imz(y) == 0) return TL_Z(0, 0);
  tl_c64 q = tl_divz(TL_Z(tl_rez(y) - 1, tl_imz(y)), tl_one_more(y));
  return tl_mulz(tl_one_more(y), tl_sqrtz(q));
}

TL_SHARED tl_c64 tl_circlez(int64_t x, tl_c64 y) {
  if (tl_imz(y) == 0 && !tl_bad_circled_complex(x, tl_rez(y))) return TL_Z(tl_circled(x, tl_rez(y)), 0);
  switch (x) {
  case 0: return tl_sqrtz(tl_mulz(tl_one_less(y), tl_one_more(y)));
  case 1: return tl_over_i(tl_sinhz(tl_times_i(y)));
  case 2: return tl_coshz(tl_times_i(y));
  case 3: return tl_over_i(tl_tanhz(tl_times_i(y)));
  case 4: return tl_sqrtz(tl_square_and_one(y));
  case 5: return tl_sinhz(y);
  case 6: return tl_coshz(y);
  case 7: return tl_tanhz(y);
  case 8: return tl_sqrtz(tl_negz(tl_square_and_one(y)));
  case 9: return TL_Z(tl_rez(y), 0);
  case 10: return TL_Z(tl_absz(y), 0);
  case 11: return TL_Z(tl_imz(y), 0);
  case 12: return TL_Z(tl_argz(y), 0);
  case -1: return tl_asinz(y);
  case -2: return tl_acosz(y);
  case -3: return tl_over_i(tl_atanhz(tl_times_i(y)));
  case -4: return tl_root4z(y);
  case -5: return tl_over_i(tl_asinz(tl_times_i(y)));
  case -6: return tl_acoshz(y);
  case -7: return tl_atanhz(y);
  case -8: return tl_negz(tl_sqrtz(tl_negz(tl_square_and_one(y))));
  case -9: return y;
  case -10: return tl_conjz(y);
  case -11: return tl_times_i(y);
  case -12: return tl_expiz(y);
  }
  return TL_Z(NAN, NAN);
}

TL_SHARED int tl_bad_circlez(int64_t x, tl_c64 y) {
  if (x == -3) return tl_rez(y) == 0 && fabs(tl_imz(y)) == 1;
  if (x == -7) return tl_imz(y) == 0 && fabs(tl_rez(y)) == 1;
  return x < -12 || x > 12;
}
