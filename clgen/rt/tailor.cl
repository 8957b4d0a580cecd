/* Tailor's scalar functions for OpenCL kernels: what cgen/rt/tailor.h and
 * math.c compute, with the same names. A function that can fail comes in two
 * parts: tl_bad_X says whether the arguments are a fault, tl_X gives the value
 * (some value, where they are). Divisors are never 0 and never -1 where the
 * quotient could overflow: a device may stop the whole process. */

/* ---- Integers ---- */

static long tl_addi(long x, long y) { return (long)((ulong)x + (ulong)y); }
static long tl_subi(long x, long y) { return (long)((ulong)x - (ulong)y); }
static long tl_muli(long x, long y) { return (long)((ulong)x * (ulong)y); }
static long tl_absi(long x) { return x < 0 ? (long)(0 - (ulong)x) : x; }
static long tl_mini(long x, long y) { return x < y ? x : y; }
static long tl_maxi(long x, long y) { return x > y ? x : y; }

static int tl_bad_addi(long x, long y) {
  long r = tl_addi(x, y);
  return ((x ^ r) & (y ^ r)) < 0;
}
static int tl_bad_subi(long x, long y) {
  long r = tl_subi(x, y);
  return ((x ^ y) & (x ^ r)) < 0;
}
static int tl_bad_muli(long x, long y) {
  long high = mul_hi(x, y), low = tl_muli(x, y);
  return high != (low >> 63);
}
static long tl_quo(long x, long y) { return x / (y > 0 ? y : 1); }
static long tl_rem(long x, long y) { return x % (y > 0 ? y : 1); }

static long tl_resi(long x, long y) {
  long by = ((x == 0) | (x == -1)) ? 1 : x;
  long r = y % by;
  r += ((r != 0) & ((r ^ by) < 0)) ? by : 0;
  return x == 0 ? y : r;
}

static int tl_divides(int m, int y) { return y % (m > 0 ? m : 1) == 0; }
static int tl_resn(int m, int y) { return y % (m > 0 ? m : 1); }

static long tl_power(long x, long y, int *overflow) {
  long r = 1, base = x;
  *overflow = 0;
  while (y > 0) {
    if (y & 1) {
      *overflow |= tl_bad_muli(r, base);
      r = tl_muli(r, base);
    }
    y >>= 1;
    if (y > 0) {
      *overflow |= tl_bad_muli(base, base);
      base = tl_muli(base, base);
    }
    if (*overflow) return 0;
  }
  return r;
}
static long tl_powi(long x, long y) {
  int overflow;
  return tl_power(x, y, &overflow);
}
static int tl_bad_powi(long x, long y) {
  int overflow;
  tl_power(x, y, &overflow);
  return overflow;
}

static long tl_gcdi(long x, long y) {
  ulong a = x < 0 ? 0 - (ulong)x : (ulong)x, b = y < 0 ? 0 - (ulong)y : (ulong)y;
  while (b != 0) {
    ulong r = a % b;
    a = b;
    b = r;
  }
  return (long)a;
}
static int tl_bad_gcdi(long x, long y) {
  return tl_gcdi(x, y) < 0;
}
static long tl_lcmi(long x, long y) {
  long g = tl_gcdi(x, y);
  return ((x == 0) | (y == 0) | (g <= 0)) ? 0 : tl_muli(x, y / (g > 0 ? g : 1));
}
static int tl_bad_lcmi(long x, long y) {
  long g = tl_gcdi(x, y);
  if ((x == 0) | (y == 0)) return 0;
  return g <= 0 ? 1 : tl_bad_muli(x, y / g);
}

/* ---- Doubles: comparison ---- */

static double tl_mind(double x, double y) { return x < y ? x : y; }
static double tl_maxd(double x, double y) { return x > y ? x : y; }

static int tl_eqd(double x, double y) {
  double d = fabs(x - y), m = tl_maxd(fabs(x), fabs(y));
  return (x == y) | ((d <= TL_CT * m) & (d <= DBL_MAX));
}
static int tl_neqd(double x, double y) { return !tl_eqd(x, y); }
static int tl_ltd(double x, double y) { return (x < y) & !tl_eqd(x, y); }
static int tl_lted(double x, double y) { return (x <= y) | tl_eqd(x, y); }
static int tl_gtd(double x, double y) { return (x > y) & !tl_eqd(x, y); }
static int tl_gted(double x, double y) { return (x >= y) | tl_eqd(x, y); }
static long tl_bits_of(double x) { return (long)TL_BITS(x); }

/* ---- Doubles: arithmetic ---- */

static double tl_floord(double x) {
  double r = rint(x), m = tl_maxd(fabs(r), fabs(x));
  return r - (r - x > TL_CT * m ? 1.0 : 0.0);
}
static double tl_ceild(double x) {
  double r = rint(x), m = tl_maxd(fabs(r), fabs(x));
  return r + (x - r > TL_CT * m ? 1.0 : 0.0);
}
static double tl_floorx(double x) { return floor(x); }
static double tl_ceilx(double x) { return ceil(x); }

static int tl_infinite(double x) { return !isfinite(x); }
static int tl_bad_toi(double x) { return !((x >= -0x1p63) & (x < 0x1p63)); }
static long tl_toi(double x) { return tl_bad_toi(x) ? 0 : (long)x; }
static int tl_bad_d2i(double x) {
  double r = rint(x);
  return tl_neqd(x, r) | tl_bad_toi(r);
}
static long tl_d2i(double x) { return tl_toi(rint(x)); }
static int tl_bad_d2b(double x) { return (x != 0) & tl_neqd(x, 1); }
static uchar tl_d2b(double x) { return x > 0.5; }
static int tl_bad_i2b(long x) { return (x != 0) & (x != 1); }
static uchar tl_i2b(long x) { return x != 0; }
static int tl_bad_i2c(long x) { return (x < 0) | (x > 0x10FFFF); }
static uint tl_i2c(long x) { return (uint)x; }

/* Random numbers by their places, as in cgen/rt/tailor.h. */
static ulong tl_random_at(long state, long k) {
  ulong z = (ulong)state + ((ulong)k + 1) * 0x9E3779B97F4A7C15ul;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ul;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBul;
  return z ^ (z >> 31);
}
static double tl_rolld_at(long state, long k) { return ((double)(tl_random_at(state, k) >> 12) + 0.5) * 0x1p-52; }
static long tl_rolli_at(long state, long k, long n) { return (long)mul_hi(tl_random_at(state, k), (ulong)n) + 1; }
static long tl_roll32_at(long state, long k, long n) { return tl_rolli_at(state, k, n); }

static double tl_fma(double x, double y, double z) { return fma(x, y, z); }
static double tl_resd(double x, double y) {
  double q = y / x, r = rint(q), d = fabs(q - r);
  double v = y - x * floor(q);
  int whole = (q == r) | (d <= TL_CT * tl_maxd(fabs(q), fabs(r))) | (v == x);
  return x == 0 ? y : whole ? 0.0 : v;
}
static double tl_resx(double x, double y) {
  double q = y / x, v = y - x * floor(q);
  int whole = (v == x) | ((v < 0) != (x < 0)) | (fabs(q) > DBL_MAX);
  return x == 0 ? y : whole ? 0.0 : v;
}

static int tl_bad_recd(double x) { return x == 0; }
static double tl_recd(double x) { return 1.0 / x; }
static long tl_signd(double x) { return (x > 0) - (x < 0); }
static double tl_pid(double x) { return 3.14159265358979323846 * x; }
static double tl_sine_part(double r, double s, double b) {
  double y = r * s;
  y = fabs(s) <= fabs(b) * TL_ULP ? 0 : y;
  return b == 0 ? b : y;
}
/* The magnitude of aJb; parts whose squares overflow or both vanish are scaled. */
static double tl_magnitude(double a, double b) {
  int great = (fabs(a) > TL_GREAT) | (fabs(b) > TL_GREAT);
  int small = (fabs(a) < TL_SMALL) & (fabs(b) < TL_SMALL);
  double in = great ? TL_DOWN : small ? TL_UP : 1, out = great ? TL_UP : small ? TL_DOWN : 1;
  a *= in, b *= in;
  return sqrt(a * a + b * b) * out;
}

static int tl_bad_powd_complex(double x, double y) { return (x < 0) & (y != rint(y)); }
static int tl_bad_powd_zero(double x, double y) { return (x == 0) & (y < 0); }
static double tl_powd(double x, double y) { return pow(x, y); }
static int tl_bad_sqrtd(double x) { return x < 0; }
static int tl_bad_lnd_complex(double x) { return x < 0; }
static int tl_bad_lnd(double x) { return x <= 0; }
static int tl_bad_logd(double x, double y) { return (x <= 0) | (y <= 0) | ((x == 1) & (y != 1)); }
static int tl_bad_logd_complex(double x, double y) {
  return (x != 0) & (x != 1) & (y != 0) & ((x < 0) | (y < 0));
}
static double tl_logd(double x, double y) { return ((x == 1) & (y == 1)) ? 1.0 : log(y) / log(x); }

static double tl_gcdd(double x, double y) {
  double a = x = fabs(x), b = y = fabs(y);
  double ct = tl_maxd(a, b) < TL_WHOLE && a == floor(a) && b == floor(b) ? 0 : TL_CT;
  for (int steps = 0; b != 0 && steps < 4096; steps++) {
    double r = ct == 0 ? tl_resx(b, a) : tl_resd(b, a);
    if (r <= ct * x * (y / b)) return b;
    a = b;
    b = r;
  }
  return a;
}
static double tl_lcmd(double x, double y) {
  double g = tl_gcdd(x, y);
  return ((x == 0) | (y == 0)) ? 0.0 : x * (y / g);
}

static int tl_bad_factd(double y) { return (y < 0) & (y == rint(y)); }
static int tl_negative_whole(double x) { return (x < 0) & (x == rint(x)); }
static int tl_bad_bind(double x, double y) { return tl_negative_whole(y) & (x != rint(x)); }

static double tl_root1(double y) { return fabs(y) > 0x1p30 ? fabs(y) : sqrt(1 + y * y); }
static double tl_circled(long x, double y) {
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
  case 12: return y < 0 ? 3.14159265358979323846 : 0.0;
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
static int tl_bad_circled(long x, double y) {
  switch (x) {
  case 0: case -1: case -2: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  case -7: return fabs(y) >= 1;
  }
  return ((x < -7) & (x != -9) & (x != -10)) | (x == 8) | (x > 12);
}
static int tl_bad_circled_complex(long x, double y) {
  switch (x) {
  case 0: case -1: case -2: case -7: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  }
  return (x == 8) | (x == -8) | (x == -11) | (x == -12);
}
static int tl_bad_asind(double y) { return fabs(y) > 1; }
static int tl_bad_acosd(double y) { return fabs(y) > 1; }
static int tl_bad_acoshd(double y) { return y < 1; }
static int tl_bad_atanhd_complex(double y) { return fabs(y) > 1; }
static int tl_bad_atanhd(double y) { return fabs(y) >= 1; }
