/* Reads a vector of doubles and one of ints; writes each function's results
 * for all of them or for all pairs, and then its faults. The order is that of
 * c_test.go. */
#include "../../ctest/driver.h"

typedef double (*dd_d)(double, double);
typedef int (*dd_b)(double, double);
typedef double (*d_d)(double);
typedef int (*d_b)(double);
typedef int64_t (*ii_i)(int64_t, int64_t);
typedef int (*ii_b)(int64_t, int64_t);

static int good_d(double x) { return (void)x, 0; }
static int good_dd(double x, double y) { return (void)x, (void)y, 0; }
static int good_ii(int64_t x, int64_t y) { return (void)x, (void)y, 0; }

static void write_matrix(int elem, int64_t n, int64_t m, const void *data) {
  int64_t shape[2] = {n, m};
  tl_view v = {elem, 2, shape, data};
  driver_write(&v);
}

static const double *d;
static const int64_t *v;
static int64_t n, m;

static void pairs(dd_d f, dd_b bad) {
  double *r = tl_alloc(n * n, 8);
  uint8_t *b = tl_alloc(n * n, 1);
  for (int64_t i = 0; i < n * n; i++) {
    r[i] = f(d[i / n], d[i % n]);
    b[i] = (uint8_t)bad(d[i / n], d[i % n]);
  }
  write_matrix(TL_F64, n, n, r);
  write_matrix(TL_BOOL, n, n, b);
  tl_free(r);
  tl_free(b);
}

static void predicate(dd_b f) {
  uint8_t *b = tl_alloc(n * n, 1);
  for (int64_t i = 0; i < n * n; i++) b[i] = (uint8_t)f(d[i / n], d[i % n]);
  write_matrix(TL_BOOL, n, n, b);
  tl_free(b);
}

static void each(d_d f, d_b bad) {
  double *r = tl_alloc(n, 8);
  uint8_t *b = tl_alloc(n, 1);
  for (int64_t i = 0; i < n; i++) {
    r[i] = f(d[i]);
    b[i] = (uint8_t)bad(d[i]);
  }
  write_matrix(TL_F64, 1, n, r);
  write_matrix(TL_BOOL, 1, n, b);
  tl_free(r);
  tl_free(b);
}

static void ints(ii_i f, ii_b bad) {
  int64_t *r = tl_alloc(m * m, 8);
  uint8_t *b = tl_alloc(m * m, 1);
  for (int64_t i = 0; i < m * m; i++) {
    b[i] = (uint8_t)bad(v[i / m], v[i % m]);
    r[i] = f(v[i / m], v[i % m]);
    if (b[i]) r[i] = 0;
  }
  write_matrix(TL_I64, m, m, r);
  write_matrix(TL_BOOL, m, m, b);
  tl_free(r);
  tl_free(b);
}

static double d2i(double x) { return tl_bad_d2i(x) ? 0 : (double)tl_d2i(x); }
static double signd(double x) { return (double)tl_signd(x); }
static int64_t powi(int64_t x, int64_t y) { return y < 0 ? 0 : tl_powi(x, y); }
static int bad_powi(int64_t x, int64_t y) { return tl_bad_powi_negative(y) || tl_bad_powi(x, y); }
static double circle(double x, double y) { return tl_circled((int64_t)tl_toi(x), y); }
static int bad_circle(double x, double y) { return tl_bad_circled((int64_t)tl_toi(x), y) || (x != -8 && tl_bad_circled_complex((int64_t)tl_toi(x), y)); }

int main(int argc, char **argv) {
  tl_array doubles, integers;
  tl_init(argc, argv);
  if (!driver_read(&doubles) || !driver_read(&integers)) return 2;
  d = doubles.data;
  v = integers.data;
  n = doubles.shape[0];
  m = integers.shape[0];
  predicate(tl_eqd);
  predicate(tl_ltd);
  predicate(tl_lted);
  predicate(tl_gtd);
  predicate(tl_gted);
  pairs(tl_resd, good_dd);
  pairs(tl_resx, good_dd);
  pairs(tl_gcdd, good_dd);
  pairs(tl_lcmd, good_dd);
  pairs(tl_divd, tl_bad_divd);
  pairs(tl_logd, tl_bad_logd);
  pairs(tl_bind, tl_bad_bind);
  pairs(circle, bad_circle);
  each(tl_floord, good_d);
  each(tl_ceild, good_d);
  each(d2i, tl_bad_d2i);
  each(signd, good_d);
  each(tl_factd, tl_bad_factd);
  ints(tl_addi, tl_bad_addi);
  ints(tl_subi, tl_bad_subi);
  ints(tl_muli, tl_bad_muli);
  ints(tl_resi, good_ii);
  ints(powi, bad_powi);
  ints(tl_gcdi, tl_bad_gcdi);
  ints(tl_lcmi, tl_bad_lcmi);
  tl_drop(&doubles);
  tl_drop(&integers);
  return tl_finish();
}
