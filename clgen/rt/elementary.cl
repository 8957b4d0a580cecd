
/* Exponentials and logarithms without branches or calls, which compilers make
 * vector code of where loops run over elements: within 1 ulp or so, and exact at
 * the ends of the range. */

/* The exponential of r + n×log 2, n whole: a polynomial for r, and the exponent
 * in two steps, as the result may be denormal. */
static double tl_exp(double x) {
  const double big = 0x1.8p52;
  double y = x > 710.0 ? 710.0 : x;
  y = y < -746.0 ? -746.0 : y;
  double shifted = fma(y, 0x1.71547652b82fep0, big), n = shifted - big;
  double r = fma(n, -0x1.62e42fefa39efp-1, y);
  r = fma(n, -0x1.abc9e3b39803fp-56, r);
  double p = 0x1.6124613a86d09p-33; /* 1/13! */
  p = fma(p, r, 0x1.1eed8eff8d898p-29);
  p = fma(p, r, 0x1.ae64567f544e4p-26);
  p = fma(p, r, 0x1.27e4fb7789f5cp-22);
  p = fma(p, r, 0x1.71de3a556c734p-19);
  p = fma(p, r, 0x1.a01a01a01a01ap-16);
  p = fma(p, r, 0x1.a01a01a01a01ap-13);
  p = fma(p, r, 0x1.6c16c16c16c17p-10);
  p = fma(p, r, 0x1.1111111111111p-7);
  p = fma(p, r, 0x1.5555555555555p-5);
  p = fma(p, r, 0x1.5555555555555p-3);
  p = fma(p, r, 0.5);
  p = fma(p * r, r, r) + 1.0;
  long whole = as_long(shifted) - as_long(big);
  int half_ = (int)whole >> 1, rest = (int)whole - half_;
  double scaled = p * as_double((long)(half_ + 1023) << 52) * as_double((long)(rest + 1023) << 52);
  return x != x ? x : scaled;
}

/* The logarithm of m×2*e, m within √½ and √2: with f = m-1 and s = f÷2+f, an odd
 * series in s. */
static double tl_log(double x) {
  int small = x < 0x1p-1022;
  double y = small ? x * 0x1p54 : x;
  long bits = as_long(y) - 0x3fe6a09e667f3bcdL;
  int e = (int)(bits >> 52);
  double m = as_double((bits & 0xfffffffffffffL) + 0x3fe6a09e667f3bcdL);
  double n = (double)(e - (small ? 54 : 0));
  double f = m - 1.0, s = f / (2.0 + f), z = s * s;
  double p = 0x1.2f112df3e5244p-3;
  p = fma(p, z, 0x1.39a09d078c69fp-3);
  p = fma(p, z, 0x1.7466496cb03dep-3);
  p = fma(p, z, 0x1.c71c51d8e78afp-3);
  p = fma(p, z, 0x1.2492494229359p-2);
  p = fma(p, z, 0x1.999999997fa04p-2);
  p = fma(p, z, 0x1.5555555555593p-1);
  double h = 0.5 * f * f;
  double r = fma(n, 0x1.62e42fee00000p-1, -((h - fma(s, h + z * p, n * 0x1.a39ef35793c76p-33)) - f));
  r = x == INFINITY ? x : r;
  r = x == 0 ? -INFINITY : r;
  return x < 0 || x != x ? NAN : r;
}
