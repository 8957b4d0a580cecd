/* Tailor's scalar functions for OpenCL kernels that are not those of programs in C
 * (internal/formulas), with the names that they have there. Divisors are never 0 and
 * never -1 where the quotient could overflow: a device may stop the whole process. */

static int tl_bad_muli(long x, long y) {
  long high = mul_hi(x, y), low = tl_muli(x, y);
  return high != (low >> 63);
}
/* Compilers of kernels may divide where nothing is divided: by 0, or the least integer by ¯1. */
static long tl_quo(long x, long y) {
  long q = x / (y == 0 || y == -1 ? 1 : y);
  return y == -1 ? (long)(0 - (ulong)q) : q;
}
static long tl_rem(long x, long y) { return x % (y == 0 || y == -1 ? 1 : y); }
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
static long tl_bits_of(double x) { return (long)TL_BITS(x); }

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

/* x, where it is noted that it is infinite or no number: only then x - x has bits that are set.
 * They are as wide as x, so that loops stay vector code. */
static double tl_noted(double x, long *over) {
  *over |= TL_BITS(x - x);
  return x;
}

/* Processors with a flag that operations raise when they overflow need not look at what they have
 * computed: a work-item that is alone in its group lowers the flag before, and asks for it
 * behind. x is such an operation's result. */
#if defined(TL_ALONE) && defined(__x86_64__) && defined(__clang__)
static double tl_flagged(double x, long *over) { return x; }
static long tl_overflowed(void) {
  uint state;
  __asm__ volatile("stmxcsr %0" : "=m"(state) : : "memory");
  if ((state & 8) == 0) return 0;
  state &= ~8u;
  __asm__ volatile("ldmxcsr %0" : : "m"(state) : "memory");
  return 1;
}
#else
static double tl_flagged(double x, long *over) { return tl_noted(x, over); }
static long tl_overflowed(void) { return 0; }
#endif
static tl_c64 tl_notedz(tl_c64 x, long *over) {
  *over |= TL_BITS(x.x - x.x) | TL_BITS(x.y - x.y);
  return x;
}
