#if !defined(__clang__)
#pragma GCC optimize("O3")
#endif
/* Writes whether the exponentials of a vector are noted as overflows: of numbers far
 * below 0, and of one that overflows. */
#include "../../../cgen/rt/tailor.h"
#include <fenv.h>
#include <stdio.h>

enum { N = 64 };

static int noted(double first) {
  static double x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = -1e300;
  x[0] = first;
  feclearexcept(FE_ALL_EXCEPT);
  TL_IVDEP
  for (int i = 0; i < N; i++) y[i] = exp(x[i]);
  for (int i = 1; i < N; i++)
    if (y[i] != 0) return -1;
  return fetestexcept(FE_OVERFLOW) != 0;
}

int main(void) {
  printf("%d %d %d %d\n", noted(-1.7976931348623157e308), noted(-745), noted(1), noted(710));
  return 0;
}
