/* Scalar functions. A function that can fail comes in two parts: tl_bad_X says whether
 * the arguments are a fault, tl_X gives the value (some value, where they are). */

/* ---- Integers ---- */

TL_INLINE int64_t tl_addi(int64_t x, int64_t y) { return (int64_t)((uint64_t)x + (uint64_t)y); }
TL_INLINE int64_t tl_subi(int64_t x, int64_t y) { return (int64_t)((uint64_t)x - (uint64_t)y); }
TL_INLINE int64_t tl_muli(int64_t x, int64_t y) { return (int64_t)((uint64_t)x * (uint64_t)y); }
TL_INLINE int64_t tl_negi(int64_t x) { return (int64_t)(0 - (uint64_t)x); }
TL_INLINE int64_t tl_absi(int64_t x) { return x < 0 ? tl_negi(x) : x; }

TL_INLINE int tl_bad_addi(int64_t x, int64_t y) {
  int64_t r = tl_addi(x, y);
  return ((x ^ r) & (y ^ r)) < 0;
}
TL_INLINE int tl_bad_subi(int64_t x, int64_t y) {
  int64_t r = tl_subi(x, y);
  return ((x ^ y) & (x ^ r)) < 0;
}
TL_INLINE int tl_bad_negi(int64_t x) { return x == INT64_MIN; }
TL_INLINE int tl_bad_absi(int64_t x) { return x == INT64_MIN; }

TL_INLINE int64_t tl_mini(int64_t x, int64_t y) { return x < y ? x : y; }
TL_INLINE int64_t tl_maxi(int64_t x, int64_t y) { return x > y ? x : y; }
TL_INLINE int64_t tl_signi(int64_t x) { return (x > 0) - (x < 0); }

/* x|y: y modulo x with the sign of x; y where x is 0. */
TL_INLINE int64_t tl_resi(int64_t x, int64_t y) {
  int64_t by = ((x == 0) | (x == -1)) ? 1 : x;
  int64_t r = y % by;
  r += ((r != 0) & ((r ^ by) < 0)) ? by : 0;
  return x == 0 ? y : r;
}

/* tl_bad_powi has the other case, overflow. */
TL_INLINE int tl_bad_powi_negative(int64_t y) { return y < 0; }

/* ---- Doubles: comparison ---- */

TL_INLINE double tl_mind(double x, double y) { return x < y ? x : y; }
TL_INLINE double tl_maxd(double x, double y) { return x > y ? x : y; }

TL_INLINE int tl_eqd(double x, double y) {
  double d = fabs(x - y), m = tl_maxd(fabs(x), fabs(y));
  return (x == y) | ((d <= TL_CT * m) & (d <= DBL_MAX));
}
TL_INLINE int tl_neqd(double x, double y) { return !tl_eqd(x, y); }
TL_INLINE int tl_ltd(double x, double y) { return (x < y) & !tl_eqd(x, y); }
TL_INLINE int tl_lted(double x, double y) { return (x <= y) | tl_eqd(x, y); }
TL_INLINE int tl_gtd(double x, double y) { return (x > y) & !tl_eqd(x, y); }
TL_INLINE int tl_gted(double x, double y) { return (x >= y) | tl_eqd(x, y); }

/* ---- Doubles: arithmetic ---- */

/* ⌊x: the nearest integer where x equals it tolerantly, else the next below. */
TL_INLINE double tl_floord(double x) {
  double r = rint(x), m = tl_maxd(fabs(r), fabs(x));
  return r - (r - x > TL_CT * m ? 1.0 : 0.0);
}
TL_INLINE double tl_ceild(double x) {
  double r = rint(x), m = tl_maxd(fabs(r), fabs(x));
  return r + (x - r > TL_CT * m ? 1.0 : 0.0);
}
TL_INLINE double tl_floorx(double x) { return floor(x); }
TL_INLINE double tl_ceilx(double x) { return ceil(x); }

/* What overflow gives. */
TL_INLINE int tl_infinite(double x) { return !(fabs(x) <= DBL_MAX); }

/* A double that holds an integer, to int; NaN and what does not fit are bad. */
TL_INLINE int tl_bad_toi(double x) { return !((x >= -0x1p63) & (x < 0x1p63)); }
TL_INLINE int64_t tl_toi(double x) { return tl_bad_toi(x) ? 0 : (int64_t)x; }

/* d2i and d2b: x must be an integer (0 or 1) within tolerance. */
TL_INLINE int tl_bad_d2i(double x) {
  double r = rint(x);
  return tl_neqd(x, r) | tl_bad_toi(r);
}
TL_INLINE int64_t tl_d2i(double x) { return tl_toi(rint(x)); }
TL_INLINE int tl_bad_d2b(double x) { return (x != 0) & tl_neqd(x, 1); }
TL_INLINE uint8_t tl_d2b(double x) { return x > 0.5; }
TL_INLINE int tl_bad_i2b(int64_t x) { return (x != 0) & (x != 1); }
TL_INLINE uint8_t tl_i2b(int64_t x) { return x != 0; }
TL_INLINE int tl_bad_i2c(int64_t x) { return (x < 0) | (x > 0x10FFFF); }
TL_INLINE uint32_t tl_i2c(int64_t x) { return (uint32_t)x; }

/* x|y: y where x is 0; 0 where y÷x is an integer within tolerance; else
 * y-x×⌊y÷x. */
TL_INLINE double tl_resd(double x, double y) {
  double q = y / x, r = rint(q), d = fabs(q - r);
  double v = y - x * floor(q);
  int whole = (q == r) | (d <= TL_CT * tl_maxd(fabs(q), fabs(r))) | (v == x);
  return x == 0 ? y : whole ? 0.0 : v;
}
TL_INLINE double tl_resx(double x, double y) {
  double q = y / x, v = y - x * floor(q);
  int whole = (v == x) | ((v < 0) != (x < 0)) | (fabs(q) > DBL_MAX);
  return x == 0 ? y : whole ? 0.0 : v;
}

/* 0÷0 is 1; other divisions by 0 are faults (⎕DIV←0). */
TL_INLINE int tl_bad_divd(double x, double y) { return (y == 0) & (x != 0); }
TL_INLINE double tl_divd(double x, double y) { return ((x == 0) & (y == 0)) ? 1.0 : x / y; }
TL_INLINE int tl_bad_recd(double x) { return x == 0; }
TL_INLINE double tl_recd(double x) { return 1.0 / x; }
TL_INLINE int64_t tl_signd(double x) { return (x > 0) - (x < 0); }
TL_INLINE double tl_pid(double x) { return 3.14159265358979323846 * x; }

/* x*y. Not real: a negative x and a y that is no integer. Division by zero:
 * 0 to a negative power. */
TL_INLINE int tl_bad_powd_complex(double x, double y) { return (x < 0) & (y != rint(y)); }
TL_INLINE int tl_bad_powd_zero(double x, double y) { return (x == 0) & (y < 0); }
TL_INLINE double tl_powd(double x, double y) { return pow(x, y); }
TL_INLINE int tl_bad_sqrtd(double x) { return x < 0; }
TL_INLINE double tl_sqrtd(double x) { return sqrt(x); }
/* The faults of a logarithm or a circular function come in two: of numbers
 * whose result is complex, which are looked for first, and of the others. */
TL_INLINE int tl_bad_lnd_complex(double x) { return x < 0; }
TL_INLINE int tl_bad_lnd(double x) { return x <= 0; }
TL_INLINE double tl_lnd(double x) { return log(x); }
/* x⍟y: logarithm of y to base x; 1⍟1 is 1, other logarithms to base 1 bad. */
TL_INLINE int tl_bad_logd(double x, double y) {
  return (x <= 0) | (y <= 0) | ((x == 1) & (y != 1));
}
TL_INLINE int tl_bad_logd_complex(double x, double y) {
  return (x != 0) & (x != 1) & (y != 0) & ((x < 0) | (y < 0));
}
TL_INLINE double tl_logd(double x, double y) {
  return ((x == 1) & (y == 1)) ? 1.0 : log(y) / log(x);
}

TL_INLINE int tl_bad_factd(double y) { return (y < 0) & (y == rint(y)); }
TL_INLINE int tl_negative_whole(double x) { return x < 0 && x == rint(x); }
TL_INLINE int tl_bad_bind(double x, double y) { return tl_negative_whole(y) && x != rint(x); }
TL_INLINE int tl_bad_asind(double y) { return fabs(y) > 1; }
TL_INLINE int tl_bad_acosd(double y) { return fabs(y) > 1; }
TL_INLINE int tl_bad_acoshd(double y) { return y < 1; }
TL_INLINE int tl_bad_atanhd_complex(double y) { return fabs(y) > 1; }
TL_INLINE int tl_bad_atanhd(double y) { return fabs(y) >= 1; }

/* A sine or a cosine of b is small, and no more than what rounding of b amounts to. */
TL_INLINE int tl_vanishes(double s, double b) { return (fabs(s) <= fabs(b) * TL_ULP) & (fabs(s) <= 0x1p-27); }
/* The imaginary part of r×*0J1×b, whose sine s is 0 where it vanishes. */
TL_INLINE double tl_sine_part(double r, double s, double b) {
  double y = r * s;
  y = tl_vanishes(s, b) ? 0 : y;
  return b == 0 ? b : y;
}
/* The real part of r×*0J1×b, whose cosine c is 0 likewise. */
TL_INLINE double tl_cosine_part(double r, double c, double b) {
  double y = r * c;
  return tl_vanishes(c, b) ? 0 : y;
}
/* The magnitude of aJb: parts whose squares overflow, or both vanish, are
 * scaled. */
TL_INLINE double tl_magnitude(double a, double b) {
  int great = (fabs(a) > TL_GREAT) | (fabs(b) > TL_GREAT);
  int small = (fabs(a) < TL_SMALL) & (fabs(b) < TL_SMALL);
  double in = great ? TL_DOWN : small ? TL_UP : 1, out = great ? TL_UP : small ? TL_DOWN : 1;
  a *= in, b *= in;
  return sqrt(a * a + b * b) * out;
}
