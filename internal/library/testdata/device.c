/* Calls of the library for OpenCL, with arrays that stay on the device. */
#include "price.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static price_error error;

#define CHECK(x) \
  do { \
    if (!(x)) { \
      failures++; \
      fprintf(stderr, "%s:%d: %s (%d %s)\n", __FILE__, __LINE__, #x, error.code, error.message); \
    } \
  } while (0)

static int says(const char *text) { return strstr(error.message, text) != NULL; }

enum { N = 100000 };

static price_device *vector(const double *x, int64_t n) {
  price_array a = {(void *)x, PRICE_DOUBLE, 1, {n}};
  price_device *d = NULL;
  CHECK(price_upload(&a, &d, &error) == PRICE_OK && d != NULL);
  return d;
}

static price_device *number(double x) {
  price_array a = {&x, PRICE_DOUBLE, 0, {0}};
  price_device *d = NULL;
  CHECK(price_upload(&a, &d, &error) == PRICE_OK);
  return d;
}

static price_device *matrix(const double *x, int64_t rows, int64_t columns) {
  price_array a = {(void *)x, PRICE_DOUBLE, 2, {rows, columns}};
  price_device *d = NULL;
  CHECK(price_upload(&a, &d, &error) == PRICE_OK);
  return d;
}

/* The value of a scalar, and -1 where there is none. */
static double value(const price_device *d) {
  price_array a = {0};
  double x = -1;
  CHECK(price_download(d, &a, NULL, &error) == PRICE_OK && a.rank == 0);
  if (a.data != NULL && a.elem == PRICE_DOUBLE) x = *(double *)a.data;
  if (a.data != NULL && a.elem == PRICE_INT) x = (double)*(int64_t *)a.data;
  price_free(a.data);
  return x;
}

/* What one call leaves on the device is an argument of the next. */
static void chains(const double *years) {
  price_device *args[2] = {number(100), vector(years, N)}, *worth = NULL, *mean = NULL;
  price_array a = {0};
  double sum = 0;
  for (int i = 0; i < N; i++) sum += 100 * exp(-0.05 * years[i]);
  CHECK(price_call_device(PRICE_F_PRICE, args, 2, &worth, 1, &error) == PRICE_OK);
  CHECK(price_describe(worth, &a, &error) == PRICE_OK && a.elem == PRICE_DOUBLE && a.rank == 1 && a.extents[0] == N && a.data == NULL);
  CHECK(price_call_device(PRICE_F_MEAN, &worth, 1, &mean, 1, &error) == PRICE_OK);
  CHECK(fabs(value(mean) - sum / N) < 1e-9);
  CHECK(price_download(worth, &a, NULL, &error) == PRICE_OK && fabs(((double *)a.data)[N - 1] - 100 * exp(-0.05 * years[N - 1])) < 1e-9);
  price_free(a.data);
  for (int i = 0; i < 2; i++) price_release(args[i]);
  price_release(worth);
  price_release(mean);
}

/* The same array twice, results of several arrays, and integers. */
static void several(void) {
  double x[] = {1, 2, 3, 4};
  price_device *square = matrix(x, 2, 2), *args[2] = {square, square}, *product = NULL, *range = NULL;
  price_array a = {0};
  CHECK(price_call_device(PRICE_F_PRODUCT, args, 2, &product, 1, &error) == PRICE_OK);
  CHECK(price_download(product, &a, NULL, &error) == PRICE_OK && a.extents[1] == 2 && ((double *)a.data)[3] == 22);
  price_free(a.data);
  price_device *v = vector(x, 4);
  CHECK(price_call_device(PRICE_F_RANGE, &v, 1, &range, 1, &error) == PRICE_OK && price_download(range, &a, NULL, &error) == PRICE_OK);
  CHECK(a.rank == 1 && a.extents[0] == 3 && ((double *)a.data)[1] == 4);
  price_free(a.data);
  int64_t whole[] = {-1, 5, -7};
  price_array ints = {whole, PRICE_INT, 1, {3}};
  price_device *i = NULL, *parts[2] = {NULL}, *steps = NULL;
  CHECK(price_upload(&ints, &i, &error) == PRICE_OK && price_call_device(PRICE_F_PARTS, &i, 1, parts, 2, &error) == PRICE_OK);
  CHECK(price_call_device(PRICE_F_STEPS, &parts[0], 1, &steps, 1, &error) == PRICE_OK);
  CHECK(price_download(steps, &a, NULL, &error) == PRICE_OK && a.elem == PRICE_INT && a.extents[0] == 2 && ((int64_t *)a.data)[1] == -8);
  price_free(a.data);
  price_device *all[] = {square, product, v, range, i, parts[0], parts[1], steps};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) price_release(all[k]);
}

static void faults(const double *years) {
  double x[] = {1, 2, 3};
  price_device *row = matrix(x, 1, 3), *args[2] = {row, row}, *result = row, *v = vector(years, N);
  CHECK(price_call_device(PRICE_F_PRODUCT, args, 2, &result, 1, &error) == 802 && says("its shape is 1 3") && result == NULL);
  CHECK(price_call_device(PRICE_F_MEAN, &row, 1, &result, 1, &error) == PRICE_WRONG_RANK && says("rank 2"));
  CHECK(price_call_device(PRICE_F_STEPS, &v, 1, &result, 1, &error) == PRICE_WRONG_TYPE && says("double"));
  CHECK(price_call_device(PRICE_F_MEAN, args, 2, &result, 1, &error) == PRICE_UNKNOWN_FUNCTION && says("takes 1 arrays"));
  CHECK(price_call_device(999, &v, 1, &result, 1, &error) == PRICE_UNKNOWN_FUNCTION);
  CHECK(price_call_device(PRICE_F_MEAN, NULL, 1, &result, 1, &error) == PRICE_NULL_POINTER);
  CHECK(price_call_device(PRICE_F_MEAN, &v, 1, NULL, 1, &error) == PRICE_NULL_POINTER);
  price_device *none = NULL;
  CHECK(price_call_device(PRICE_F_MEAN, &none, 1, &result, 1, &error) == PRICE_NULL_POINTER && says("argument 1"));
  CHECK(price_call_device(PRICE_F_MEAN, &none, 1, &result, 1, NULL) == PRICE_NULL_POINTER);
  price_array a = {NULL, PRICE_DOUBLE, 1, {3}}, empty = {NULL, PRICE_DOUBLE, 1, {0}};
  CHECK(price_upload(&a, &none, &error) == PRICE_NULL_POINTER && none == NULL);
  CHECK(price_upload(NULL, &none, &error) == PRICE_NULL_POINTER && price_upload(&a, NULL, &error) == PRICE_NULL_POINTER);
  a.extents[0] = -1;
  CHECK(price_upload(&a, &none, &error) == PRICE_BAD_EXTENT);
  a.elem = 9;
  CHECK(price_upload(&a, &none, &error) == PRICE_BAD_EXTENT || says("type 9"));
  a.elem = PRICE_DOUBLE, a.rank = 16;
  CHECK(price_upload(&a, &none, &error) == PRICE_WRONG_RANK);
  CHECK(price_upload(&empty, &none, &error) == PRICE_OK);
  CHECK(price_call_device(PRICE_F_GROWTH, &none, 1, &result, 1, &error) == PRICE_OK && price_describe(result, &a, &error) == PRICE_OK && a.extents[0] == 0);
  price_release(result);
  price_release(none);
  CHECK(price_describe(none, &a, &error) == PRICE_NULL_POINTER && price_download(none, &a, NULL, &error) == PRICE_NULL_POINTER && says("released"));
  CHECK(price_download(v, NULL, NULL, &error) == PRICE_NULL_POINTER);
  price_release(none);
  price_release(NULL);
  double *large = malloc(N * sizeof *large);
  for (int i = 0; i < N; i++) large[i] = i == N - 1 ? 1e9 : 1;
  price_device *l = vector(large, N);
  CHECK(price_call_device(PRICE_F_GROWTH, &l, 1, &result, 1, &error) == 613 && says("overflow"));
  CHECK(price_call_device(PRICE_F_MEAN, &l, 1, &result, 1, &error) == PRICE_OK && fabs(value(result) - (1e9 + N - 1) / N) < 1e-6);
  free(large);
  price_release(l);
  price_release(result);
  price_release(row);
  price_release(v);
}

static void *work(void *arg) {
  int k = *(int *)arg;
  long bad = 0;
  static double values[8][5000];
  price_error own;
  for (int i = 0; i < 5000; i++) values[k - 1][i] = k;
  for (int i = 0; i < 20; i++) {
    price_array a = {values[k - 1], PRICE_DOUBLE, 1, {5000}}, got;
    price_device *v = NULL, *mean = NULL;
    bad += price_upload(&a, &v, &own) != 0 || price_call_device(PRICE_F_MEAN, &v, 1, &mean, 1, &own) != 0;
    bad += price_download(mean, &got, NULL, &own) != 0 || *(double *)got.data != k;
    price_free(got.data);
    price_release(v);
    price_release(mean);
  }
  return bad == 0 ? NULL : arg;
}

static void threads(void) {
  pthread_t all[8];
  int numbers[8];
  for (int k = 0; k < 8; k++) {
    numbers[k] = k + 1;
    CHECK(pthread_create(&all[k], NULL, work, &numbers[k]) == 0);
  }
  for (int k = 0; k < 8; k++) {
    void *bad;
    CHECK(pthread_join(all[k], &bad) == 0 && bad == NULL);
  }
}

int main(void) {
  double *years = malloc(N * sizeof *years);
  for (int i = 0; i < N; i++) years[i] = i % 30;
  chains(years);
  several();
  faults(years);
  threads();
  free(years);
  fprintf(stderr, failures == 0 ? "done\n" : "failures\n");
  return failures != 0;
}
