/* Functions of complex numbers. tl_c64 is the type of numbers, TL_Z makes one of its
 * parts, and tl_rez and tl_imz are the parts. */

TL_INLINE tl_c64 tl_d2z(double x) { return TL_Z(x, 0); }
TL_INLINE tl_c64 tl_addz(tl_c64 x, tl_c64 y) { return TL_Z(tl_rez(x) + tl_rez(y), tl_imz(x) + tl_imz(y)); }
TL_INLINE tl_c64 tl_subz(tl_c64 x, tl_c64 y) { return TL_Z(tl_rez(x) - tl_rez(y), tl_imz(x) - tl_imz(y)); }
TL_INLINE tl_c64 tl_mulz(tl_c64 x, tl_c64 y) {
  double a = tl_rez(x), b = tl_imz(x), c = tl_rez(y), d = tl_imz(y);
  return TL_Z(a * c - b * d, a * d + b * c);
}
TL_INLINE tl_c64 tl_scalez(double x, tl_c64 y) { return TL_Z(x * tl_rez(y), x * tl_imz(y)); }
TL_INLINE tl_c64 tl_negz(tl_c64 x) { return TL_Z(-tl_rez(x), -tl_imz(x)); }
TL_INLINE tl_c64 tl_conjz(tl_c64 x) { return TL_Z(tl_rez(x), -tl_imz(x)); }
TL_INLINE tl_c64 tl_piz(tl_c64 x) { return TL_Z(tl_pid(tl_rez(x)), tl_pid(tl_imz(x))); }
TL_INLINE double tl_absz(tl_c64 x) { return tl_magnitude(tl_rez(x), tl_imz(x)); }
TL_INLINE double tl_argz(tl_c64 x) { return atan2(tl_imz(x) + 0.0, tl_rez(x)); }

TL_INLINE int tl_samez(tl_c64 x, tl_c64 y) { return tl_rez(x) == tl_rez(y) && tl_imz(x) == tl_imz(y); }
/* x equals y iff (|x-y|) ≤ ⎕CT×(|x)⌈|y; they are real where the imaginary
 * part is within that of 0. */
TL_INLINE int tl_eqz(tl_c64 x, tl_c64 y) {
  double d = tl_absz(tl_subz(x, y));
  return tl_samez(x, y) || ((d <= TL_CT * tl_maxd(tl_absz(x), tl_absz(y))) & (d <= DBL_MAX));
}
TL_INLINE int tl_neqz(tl_c64 x, tl_c64 y) { return !tl_eqz(x, y); }
TL_INLINE int tl_bad_z2d(tl_c64 x) { return tl_imz(x) != 0 && !(fabs(tl_imz(x)) <= TL_CT * tl_absz(x)); }

TL_INLINE int tl_bad_recz(tl_c64 x) { return tl_rez(x) == 0 && tl_imz(x) == 0; }
TL_INLINE int tl_bad_divz(tl_c64 x, tl_c64 y) { return tl_bad_recz(y) && !tl_bad_recz(x); }

TL_SHARED tl_c64 tl_divz(tl_c64 x, tl_c64 y); /* 0÷0 is 1 */
TL_INLINE tl_c64 tl_recz(tl_c64 x) { return tl_divz(TL_Z(1, 0), x); }
TL_SHARED tl_c64 tl_floorz(tl_c64 y); /* a Gaussian integer */
TL_INLINE tl_c64 tl_ceilz(tl_c64 y) { return tl_negz(tl_floorz(tl_negz(y))); }
