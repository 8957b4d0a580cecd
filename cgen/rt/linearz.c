/* ⌹ of complex numbers; internal/num/linearz.go in C. */
#include "rt.h"

static void tl_subtractz(tl_c64 *y, tl_c64 s, const tl_c64 *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] = tl_subz(y[i], tl_mulz(s, x[i]));
}

/* What pivots are chosen by, as in LAPACK. */
static double tl_sizez(tl_c64 x) { return fabs(tl_rez(x)) + fabs(tl_imz(x)); }

static void tl_swapz(tl_c64 *a, tl_c64 *b, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    tl_c64 t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

static int tl_eliminatez(tl_c64 *w, tl_c64 *y, int64_t n, int64_t m) {
  for (int64_t k = 0; k < n; k++) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; i++)
      if (tl_sizez(w[i * n + k]) > tl_sizez(w[best * n + k])) best = i;
    if (tl_bad_recz(w[best * n + k])) return 0;
    if (best != k) {
      tl_swapz(w + k * n, w + best * n, n);
      tl_swapz(y + k * m, y + best * m, m);
    }
    for (int64_t i = k + 1; i < n; i++) {
      tl_c64 f = tl_divz(w[i * n + k], w[k * n + k]);
      tl_subtractz(w + i * n + k, f, w + k * n + k, n - k);
      tl_subtractz(y + i * m, f, y + k * m, m);
    }
  }
  for (int64_t k = n - 1; k >= 0; k--) {
    for (int64_t j = k + 1; j < n; j++) tl_subtractz(y + k * m, w[k * n + j], y + j * m, m);
    for (int64_t j = 0; j < m; j++) y[k * m + j] = tl_divz(y[k * m + j], w[k * n + k]);
  }
  return 1;
}

static int tl_solve_squarez(tl_c64 *w, tl_c64 *y, int64_t n, int64_t m) {
  double *scale = tl_alloc(n, 8);
  for (int64_t j = 0; j < n; j++) scale[j] = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) scale[j] = tl_maxd(scale[j], tl_sizez(w[i * n + j]));
  int good = tl_eliminatez(w, y, n, m);
  for (int64_t k = 0; good && k < n; k++) good = !tl_negligible(tl_sizez(w[k * n + k]), scale[k], n);
  tl_free(scale);
  return good;
}

/* The inner product (+x)+.×y. */
static tl_c64 tl_dotz(const tl_c64 *x, const tl_c64 *y, int64_t n) {
  tl_c64 s = TL_Z(0, 0);
  for (int64_t i = 0; i < n; i++) s = tl_addz(s, tl_mulz(tl_conjz(x[i]), y[i]));
  return s;
}

static void tl_reflectz(tl_c64 *u, double beta, const tl_c64 *v, int64_t n) {
  tl_c64 d = tl_dotz(v, u, n);
  tl_subtractz(u, TL_Z(beta * tl_rez(d), beta * tl_imz(d)), v, n);
}

static int tl_solve_tallz(tl_c64 *w, tl_c64 *y, int64_t rows, int64_t columns, int64_t m, tl_c64 *x) {
  tl_c64 *diagonal = tl_alloc(columns, sizeof *diagonal);
  int good = 1;
  for (int64_t k = 0; good && k < columns; k++) {
    tl_c64 *v = w + k * rows + k, *c = w + k * rows;
    double norm = sqrt(tl_rez(tl_dotz(v, v, rows - k))), whole = sqrt(tl_rez(tl_dotz(c, c, rows)));
    good = !tl_negligible(norm, whole, rows);
    if (!good) break;
    double size = tl_absz(v[0]);
    tl_c64 unit = size == 0 ? TL_Z(1, 0) : TL_Z(tl_rez(v[0]) / size, tl_imz(v[0]) / size);
    diagonal[k] = TL_Z(-norm * tl_rez(unit), -norm * tl_imz(unit));
    double beta = 1 / (norm * (norm + size));
    v[0] = tl_subz(v[0], diagonal[k]);
    for (int64_t j = k + 1; j < columns; j++) tl_reflectz(w + j * rows + k, beta, v, rows - k);
    for (int64_t j = 0; j < m; j++) tl_reflectz(y + j * rows + k, beta, v, rows - k);
  }
  for (int64_t j = 0; good && j < m; j++) {
    for (int64_t k = columns - 1; k >= 0; k--) {
      tl_c64 s = y[j * rows + k];
      for (int64_t i = k + 1; i < columns; i++) s = tl_subz(s, tl_mulz(w[i * rows + k], x[i * m + j]));
      x[k * m + j] = tl_divz(s, diagonal[k]);
    }
  }
  tl_free(diagonal);
  return good;
}

static void tl_columns_firstz(tl_c64 *out, const tl_c64 *a, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j];
}

int tl_matdivz(const tl_c64 *b, int64_t nb, const tl_c64 *a, int64_t rows, int64_t columns, tl_c64 *out) {
  if (rows < columns) return 0;
  int good;
  tl_c64 *w = tl_alloc(rows * columns, sizeof *w);
  if (rows == columns) {
    if (rows > 0) memcpy(w, a, (size_t)(rows * columns) * sizeof *w);
    if (rows * nb > 0) memcpy(out, b, (size_t)(rows * nb) * sizeof *w);
    good = tl_solve_squarez(w, out, rows, nb);
  } else {
    tl_c64 *y = tl_alloc(rows * nb, sizeof *y);
    tl_columns_firstz(w, a, rows, columns);
    tl_columns_firstz(y, b, rows, nb);
    good = tl_solve_tallz(w, y, rows, columns, nb, out);
    tl_free(y);
  }
  tl_free(w);
  return good;
}

int tl_matinvz(const tl_c64 *a, int64_t rows, int64_t columns, tl_c64 *out) {
  tl_c64 *unit = tl_alloc(rows * rows, sizeof *unit);
  for (int64_t i = 0; i < rows * rows; i++) unit[i] = TL_Z(i / rows == i % rows, 0);
  int good = tl_matdivz(unit, rows, a, rows, columns, out);
  tl_free(unit);
  return good;
}
