/* Factorials, binomial coefficients and divisors of complex numbers. */

/* Lanczos's series with g = 607÷128, by P. Godfrey. */
TL_TABLE double tl_lanczos[] = {
    57.156235665862923517,      -59.597960355475491248,    14.136097974741747174,     -0.49191381609762019978,
    .33994649984811888699e-4,   .46523628927048575665e-4,  -.98374475304879564677e-4, .15808870322491248884e-3,
    -.21026444172410488319e-3,  .21743961811521264320e-3,  -.16431810653676389022e-3, .84418223983852743293e-4,
    -.26190838401581408670e-4,  .36899182659531622704e-5,
};

/* The logarithm of the sine of π×z. */
static tl_c64 tl_ln_sin_pi(tl_c64 z) {
  const double pi = 3.14159265358979323846;
  double x = tl_rez(z) - 2 * rint(tl_rez(z) / 2), y = tl_imz(z);
  if (fabs(y) < 20) return tl_lnz(TL_Z(sin(pi * x) * cosh(pi * y), cos(pi * x) * sinh(pi * y)));
  return TL_Z(pi * fabs(y) - 0.69314718055994530942, copysign(pi / 2 - pi * x, y));
}

/* The logarithm of !z, up to multiples of 2π in its imaginary part, where the
 * real part is at least -1/2. */
static tl_c64 tl_ln_fact_right(tl_c64 z) {
  tl_c64 sum = TL_Z(0.99999999999999709182, 0);
  for (int k = 0; k < 14; k++)
    sum = tl_addz(sum, tl_divz(TL_Z(tl_lanczos[k], 0), TL_Z(tl_rez(z) + (k + 1), tl_imz(z))));
  tl_c64 t = TL_Z(tl_rez(z) + 5.2421875, tl_imz(z));
  tl_c64 power = tl_subz(tl_mulz(TL_Z(tl_rez(z) + 0.5, tl_imz(z)), tl_lnz(t)), t);
  return tl_addz(power, tl_lnz(TL_Z(2.5066282746310005 * tl_rez(sum), 2.5066282746310005 * tl_imz(sum))));
}

static tl_c64 tl_ln_factz(tl_c64 z) {
  if (tl_rez(z) >= -0.5) return tl_ln_fact_right(z);
  tl_c64 l = tl_ln_fact_right(TL_Z(-1 - tl_rez(z), -tl_imz(z)));
  return tl_subz(tl_subz(tl_lnz(TL_Z(-3.14159265358979323846, 0)), tl_ln_sin_pi(z)), l);
}

TL_SHARED tl_c64 tl_factz(tl_c64 y) {
  if (tl_imz(y) == 0) return TL_Z(tl_factd(tl_rez(y)), 0);
  return tl_expz(tl_ln_factz(y));
}

TL_SHARED int tl_bad_factz(tl_c64 y) { return tl_imz(y) == 0 && tl_bad_factd(tl_rez(y)); }

static int tl_wholez(tl_c64 z) { return tl_imz(z) == 0 && tl_rez(z) == rint(tl_rez(z)); }

/* The product of (z+i)÷i for i from 1 to n. */
static tl_c64 tl_factorsz(tl_c64 z, double n) {
  tl_c64 r = TL_Z(1, 0);
  for (double i = 1; i <= n; i++) {
    tl_c64 p = tl_mulz(r, TL_Z(tl_rez(z) + i, tl_imz(z)));
    r = TL_Z(tl_rez(p) / i, tl_imz(p) / i);
  }
  return r;
}

TL_SHARED tl_c64 tl_binz(tl_c64 x, tl_c64 y) {
  if (tl_are_real(x, y)) return TL_Z(tl_bind(tl_rez(x), tl_rez(y)), 0);
  tl_c64 d = tl_subz(y, x);
  if ((tl_wholez(x) && tl_rez(x) < 0) || (tl_wholez(d) && tl_rez(d) < 0)) return TL_Z(0, 0);
  if (tl_wholez(x) && tl_rez(x) <= 128) return tl_factorsz(d, tl_rez(x));
  if (tl_wholez(d) && tl_rez(d) <= 128) return tl_factorsz(x, tl_rez(d));
  return tl_expz(tl_subz(tl_subz(tl_ln_factz(y), tl_ln_factz(x)), tl_ln_factz(d)));
}

TL_SHARED int tl_bad_binz(tl_c64 x, tl_c64 y) {
  if (tl_are_real(x, y)) return tl_bad_bind(tl_rez(x), tl_rez(y));
  return tl_wholez(y) && tl_rez(y) < 0;
}

/* x turned by right angles until its real part is positive and its imaginary
 * part is not negative. */
static tl_c64 tl_first_quadrant(tl_c64 x) {
  double a = tl_rez(x) + 0.0, b = tl_imz(x) + 0.0;
  if (a > 0 && b >= 0) return TL_Z(a, b);
  if (a <= 0 && b > 0) return TL_Z(b, 0 - a);
  if (a < 0) return TL_Z(0 - a, 0 - b);
  if (b < 0) return TL_Z(0 - b, a);
  return x;
}

static int tl_is_gaussian(tl_c64 x) {
  double a = tl_rez(x), b = tl_imz(x);
  return a == floor(a) && b == floor(b) && tl_maxd(fabs(a), fabs(b)) < TL_WHOLE;
}

/* Euclid's algorithm with the nearest Gaussian integers as quotients. A remainder that
 * errors of TL_CT in the arguments can amount to counts as 0. */
TL_SHARED tl_c64 tl_gcdz(tl_c64 x, tl_c64 y) {
  if (tl_are_real(x, y)) return TL_Z(tl_gcdd(tl_rez(x), tl_rez(y)), 0);
  double least = tl_is_gaussian(x) && tl_is_gaussian(y) ? 0 : TL_CT * tl_absz(x) * tl_absz(y);
  for (int steps = 0; !tl_bad_recz(y) && steps < 4096; steps++) {
    tl_c64 q = tl_divz(x, y), r = tl_subz(x, tl_mulz(y, TL_Z(rint(tl_rez(q)), rint(tl_imz(q)))));
    x = y;
    y = r;
    if (tl_absz(r) * tl_absz(x) <= least) break;
  }
  return tl_first_quadrant(x);
}

TL_SHARED tl_c64 tl_lcmz(tl_c64 x, tl_c64 y) {
  if (tl_bad_recz(x) || tl_bad_recz(y)) return TL_Z(0, 0);
  if (tl_are_real(x, y)) return TL_Z(tl_lcmd(tl_rez(x), tl_rez(y)), 0);
  return tl_mulz(x, tl_divz(y, tl_gcdz(x, y)));
}
