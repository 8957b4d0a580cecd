/* Scalar functions that are too long to be inlined. */

TL_SHARED double tl_gcdd(double x, double y) {
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

TL_SHARED double tl_lcmd(double x, double y) {
  double g = tl_gcdd(x, y);
  return x == 0 || y == 0 ? 0.0 : x * (y / g);
}

/* The root of 1+y*2, whose square may be beyond the numbers. */
static double tl_root1(double y) { return fabs(y) > 0x1p30 ? fabs(y) : sqrt(1 + y * y); }

TL_SHARED double tl_circled(int64_t x, double y) {
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

TL_SHARED int tl_bad_circled(int64_t x, double y) {
  switch (x) {
  case 0: case -1: case -2: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  case -7: return fabs(y) >= 1;
  }
  return ((x < -7) & (x != -9) & (x != -10)) | (x == 8) | (x > 12);
}

TL_SHARED int tl_bad_circled_complex(int64_t x, double y) {
  switch (x) {
  case 0: case -1: case -2: case -7: return fabs(y) > 1;
  case -4: return fabs(y) < 1;
  case -6: return y < 1;
  }
  return (x == 8) | (x == -8) | (x == -11) | (x == -12);
}
