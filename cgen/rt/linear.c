/* ⌹: linear equations; internal/num/linear.go in C. */
#include "rt.h"

/* y -= s×x */
static void tl_subtract(double *y, double s, const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) y[i] -= s * x[i];
}

static void tl_swap(double *a, double *b, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* A pivot counts as zero where rounding alone can have made it. */
static int tl_negligible(double pivot, double scale, int64_t n) {
  return !(fabs(pivot) > DBL_EPSILON * (double)n * scale);
}

/* Gaussian elimination with row exchanges: w is n×n and is destroyed, y is
 * n×m and becomes the solution. */
static int tl_eliminate(double *w, double *y, int64_t n, int64_t m) {
  for (int64_t k = 0; k < n; k++) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; i++)
      if (fabs(w[i * n + k]) > fabs(w[best * n + k])) best = i;
    if (w[best * n + k] == 0) return 0;
    if (best != k) {
      tl_swap(w + k * n, w + best * n, n);
      tl_swap(y + k * m, y + best * m, m);
    }
    for (int64_t i = k + 1; i < n; i++) {
      double f = w[i * n + k] / w[k * n + k];
      if (f == 0) continue;
      tl_subtract(w + i * n + k, f, w + k * n + k, n - k);
      tl_subtract(y + i * m, f, y + k * m, m);
    }
  }
  for (int64_t k = n - 1; k >= 0; k--) {
    for (int64_t j = k + 1; j < n; j++) tl_subtract(y + k * m, w[k * n + j], y + j * m, m);
    for (int64_t j = 0; j < m; j++) y[k * m + j] /= w[k * n + k];
  }
  return 1;
}

/* tl_solve_square: pivots that are negligible against their column mean that
 * the matrix is singular; elimination leaves the pivots on w's diagonal. */
static int tl_solve_square(double *w, double *y, int64_t n, int64_t m) {
  double *scale = tl_alloc(n, 8);
  for (int64_t j = 0; j < n; j++) scale[j] = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) scale[j] = tl_maxd(scale[j], fabs(w[i * n + j]));
  int good = tl_eliminate(w, y, n, m);
  for (int64_t k = 0; good && k < n; k++) good = !tl_negligible(w[k * n + k], scale[k], n);
  tl_free(scale);
  return good;
}

static double tl_dot(const double *x, const double *y, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

/* Householder's method: w holds the columns of the matrix, y those of the
 * right sides, each of length rows; x is columns×m. */
static int tl_solve_tall(double *w, double *y, int64_t rows, int64_t columns, int64_t m, double *x) {
  double *diagonal = tl_alloc(columns, 8);
  int good = 1;
  for (int64_t k = 0; good && k < columns; k++) {
    double *v = w + k * rows + k, norm = sqrt(tl_dot(v, v, rows - k));
    double whole = sqrt(tl_dot(w + k * rows, w + k * rows, rows));
    good = !tl_negligible(norm, whole, rows);
    if (!good) break;
    diagonal[k] = v[0] > 0 ? -norm : norm;
    double beta = 1 / (norm * (norm + fabs(v[0])));
    v[0] -= diagonal[k];
    for (int64_t j = k + 1; j < columns; j++)
      tl_subtract(w + j * rows + k, beta * tl_dot(v, w + j * rows + k, rows - k), v, rows - k);
    for (int64_t j = 0; j < m; j++)
      tl_subtract(y + j * rows + k, beta * tl_dot(v, y + j * rows + k, rows - k), v, rows - k);
  }
  for (int64_t j = 0; good && j < m; j++) {
    for (int64_t k = columns - 1; k >= 0; k--) {
      double s = y[j * rows + k];
      for (int64_t i = k + 1; i < columns; i++) s -= w[i * rows + k] * x[i * m + j];
      x[k * m + j] = s / diagonal[k];
    }
  }
  tl_free(diagonal);
  return good;
}

static void tl_columns_first(double *out, const double *a, int64_t rows, int64_t columns) {
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j];
}

int tl_matdiv(const double *b, int64_t nb, const double *a, int64_t rows, int64_t columns, double *out) {
  if (rows < columns) return 0;
  int good;
  double *w = tl_alloc(rows * columns, 8);
  if (rows == columns) {
    if (rows > 0) memcpy(w, a, (size_t)(rows * columns) * 8);
    if (rows * nb > 0) memcpy(out, b, (size_t)(rows * nb) * 8);
    good = tl_solve_square(w, out, rows, nb);
  } else {
    double *y = tl_alloc(rows * nb, 8);
    tl_columns_first(w, a, rows, columns);
    tl_columns_first(y, b, rows, nb);
    good = tl_solve_tall(w, y, rows, columns, nb, out);
    tl_free(y);
  }
  tl_free(w);
  return good;
}

int tl_matinv(const double *a, int64_t rows, int64_t columns, double *out) {
  double *unit = tl_alloc(rows * rows, 8);
  for (int64_t i = 0; i < rows * rows; i++) unit[i] = i / rows == i % rows;
  int good = tl_matdiv(unit, rows, a, rows, columns, out);
  tl_free(unit);
  return good;
}
