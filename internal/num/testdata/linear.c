/* Reads pairs of matrices b and a; writes whether a is regular, then b⌹a, then
 * ⌹a. */
#include "../../ctest/driver.h"

static void result(int good, int64_t n, int64_t m, double *x) {
  int64_t shape[2] = {n, m}, ok = good;
  tl_view v = {TL_I64, 0, NULL, &ok};
  driver_write(&v);
  v = (tl_view){TL_F64, 2, shape, x};
  if (good) driver_write(&v);
  tl_free(x);
}

int main(int argc, char **argv) {
  tl_array a, b;
  tl_init(argc, argv);
  while (driver_read(&b) && driver_read(&a)) {
    int64_t rows = a.shape[0], columns = a.shape[1], m = b.shape[1];
    double *x = tl_alloc(columns * m, 8);
    result(tl_matdiv(b.data, m, a.data, rows, columns, x), columns, m, x);
    x = tl_alloc(columns * rows, 8);
    result(tl_matinv(a.data, rows, columns, x), columns, rows, x);
    tl_drop(&a);
    tl_drop(&b);
  }
  return tl_finish();
}
