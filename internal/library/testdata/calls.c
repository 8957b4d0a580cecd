/* Calls of the library from C and from C++. */
#include "price.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(what) \
  do { \
    if (!(what)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
      failures++; \
    } \
  } while (0)

static price_error error;

static int says(const char *text) {
  if (strstr(error.message, text) != NULL) return 1;
  fprintf(stderr, "the message is: %s\n", error.message);
  return 0;
}

static void results(void) {
  double years[] = {1, 2, 3}, mean = 0;
  int64_t whole[] = {1, 2, 4};
  price_array a, b;
  CHECK(price_abi() == PRICE_ABI);
  CHECK(price_mean_double_1(years, 3, &mean, NULL, &error) == PRICE_OK && mean == 2);
  CHECK(price_mean_int_1(whole, 2, &mean, NULL, NULL) == PRICE_OK && mean == 1.5);
  CHECK(price_price(100, years, 3, &a, NULL, &error) == PRICE_OK);
  CHECK(a.rank == 1 && a.elem == PRICE_DOUBLE && a.extents[0] == 3);
  CHECK(fabs(((double *)a.data)[0] - 100 * exp(-0.05)) < 1e-12);
  price_free(a.data);
  bool prime = false;
  CHECK(price_isprime(97, &prime, NULL, &error) == PRICE_OK && prime);
  int64_t n = 0;
  CHECK(price_fib(20, &n, NULL, &error) == PRICE_OK && n == 6765);
  price_complex z = {-4, 0};
  CHECK(price_root(z, &z, NULL, &error) == PRICE_OK && z.re == 0 && z.im == 2);
  int64_t mixed[] = {-1, 5, -7};
  CHECK(price_parts(mixed, 3, &a, &b, NULL, &error) == PRICE_OK);
  CHECK(a.extents[0] == 2 && ((int64_t *)a.data)[1] == -7 && b.extents[0] == 1 && ((int64_t *)b.data)[0] == 5);
  price_free(a.data);
  price_free(b.data);
  price_char word[] = {'x', 0x2373}, c = 0;
  CHECK(price_initial(word + 1, 1, &c, NULL, &error) == PRICE_OK && c == 0x2373);
  double six[6] = {1, 2, 3, 4, 5, 6}, row[3] = {1, 1, 1};
  CHECK(price_product(six, 2, 3, row, 3, 1, &a, NULL, &error) == PRICE_OK);
  CHECK(a.rank == 2 && a.extents[0] == 2 && a.extents[1] == 1 && ((double *)a.data)[1] == 15);
  price_free(a.data);
  const int64_t extents[3] = {1, 2, 3};
  CHECK(price_cube(six, extents, &a, NULL, &error) == PRICE_OK && a.rank == 3 && ((double *)a.data)[5] == 12);
  price_free(a.data);
  CHECK(price_steps(NULL, 0, &a, NULL, &error) == PRICE_OK && a.extents[0] == 0);
  price_free(a.data);
  CHECK(price_chosen(0.5, &mean, NULL, &error) == PRICE_OK && mean == 0.5); /* the overflow is of no result */
  CHECK(price_free_(true, &prime, NULL, &error) == PRICE_OK && prime);
}

static void faults(void) {
  double six[6] = {1, 2, 3, 4, 5, 6}, mean = 0;
  int64_t large[] = {INT64_MAX, 1}, one = 3;
  price_array a;
  CHECK(price_weigh(six, 2, 3, &a, NULL, &error) == 802 && error.code == 802 && error.line == 10 && error.column == 1);
  CHECK(says("price.apl:10:1: TYPE ERROR: the argument of weigh is [n,4]double by the annotation, and its shape is 2 3 [E0802]"));
  CHECK(says("10 | weigh←{"));
  CHECK(price_product(six, 2, 3, six, 2, 3, &a, NULL, &error) == 802 && says("product"));
  CHECK(price_pick_int_1_int_1(large, 2, &one, 1, &a, NULL, &error) == 501 && says("INDEX ERROR: index 3 is outside 1…2"));
  CHECK(price_steps(large, 2, &a, NULL, &error) == 606 && says("DOMAIN ERROR: integer overflow"));
  six[1] = 1000;
  CHECK(price_growth(six, 2, &a, NULL, &error) == 613 && error.line == 21 && says("floating-point overflow"));
  CHECK(price_chosen(1.5, &mean, NULL, &error) == 613);
  CHECK(price_dice(-1, &a, NULL, &error) == 603);
  CHECK(price_dice(INT64_C(1) << 60, &a, NULL, &error) == 704 || error.code == 702);
  CHECK(price_fib(INT64_C(1) << 40, &one, NULL, &error) == 701);
  CHECK(price_mean_double_1(NULL, 3, &mean, NULL, &error) == PRICE_NULL_POINTER && says("NULL"));
  CHECK(price_mean_double_1(six, 3, NULL, NULL, &error) == PRICE_NULL_POINTER && says("result"));
  CHECK(price_price(1, six, 3, NULL, NULL, &error) == PRICE_NULL_POINTER);
  CHECK(price_cube(six, NULL, &a, NULL, &error) == PRICE_NULL_POINTER);
  CHECK(price_mean_double_1(six, -1, &mean, NULL, &error) == PRICE_BAD_EXTENT);
  CHECK(price_product(six, INT64_C(1) << 40, INT64_C(1) << 40, six, 1, 1, &a, NULL, &error) == PRICE_BAD_EXTENT);
  CHECK(price_words(-1, large, &error) == PRICE_UNKNOWN_FUNCTION && price_words(0, NULL, &error) == PRICE_NULL_POINTER);
  CHECK(price_mean_double_1(NULL, 3, &mean, NULL, NULL) == PRICE_NULL_POINTER);
}

static void calls(void) {
  double six[6] = {1, 2, 3, 4, 5, 6};
  float narrow = 1;
  price_array in = {six, PRICE_DOUBLE, 1, {6}}, out;
  memset(&out, 0, sizeof out);
  CHECK(price_call(PRICE_F_MEAN, &in, 1, &out, 1, NULL, &error) == PRICE_OK && out.rank == 0 && *(double *)out.data == 3.5);
  price_free(out.data);
  in.rank = 2;
  in.extents[0] = 2, in.extents[1] = 3;
  CHECK(price_call(PRICE_F_MEAN, &in, 1, &out, 1, NULL, &error) == PRICE_WRONG_RANK && says("RANK ERROR: argument 1 of mean has rank 2"));
  in.rank = 1;
  in.elem = PRICE_CHAR;
  CHECK(price_call(PRICE_F_MEAN, &in, 1, &out, 1, NULL, &error) == PRICE_WRONG_TYPE && says("TYPE ERROR: argument 1 of mean has elements of type char"));
  in.elem = 77;
  in.data = &narrow;
  CHECK(price_call(PRICE_F_MEAN, &in, 1, &out, 1, NULL, &error) == PRICE_WRONG_TYPE);
  CHECK(price_call(PRICE_F_MEAN, &in, 2, &out, 1, NULL, &error) == PRICE_UNKNOWN_FUNCTION);
  CHECK(price_call(999, &in, 1, &out, 1, NULL, &error) == PRICE_UNKNOWN_FUNCTION);
  CHECK(price_call(PRICE_F_MEAN, NULL, 1, &out, 1, NULL, &error) == PRICE_NULL_POINTER);
  in.elem = PRICE_INT, in.rank = 0, in.data = NULL;
  CHECK(price_call(PRICE_F_FIB, &in, 1, &out, 1, NULL, &error) == PRICE_NULL_POINTER);
}

/* An allocator that calls the library, and one that has no memory. */
static void *allocate(void *context, size_t bytes) {
  int64_t n = 0;
  CHECK(price_fib(10, &n, NULL, NULL) == PRICE_OK && n == 55);
  ++*(int *)context;
  return malloc(bytes);
}

static void *refuse(void *context, size_t bytes) {
  (void)context, (void)bytes;
  return NULL;
}

static void allocators(void) {
  int made = 0;
  double years[] = {1, 2, 3};
  price_allocator own = {allocate, &made}, none = {refuse, NULL};
  price_array a;
  CHECK(price_price(1, years, 3, &a, &own, &error) == PRICE_OK && made == 1 && a.extents[0] == 3);
  free(a.data);
  CHECK(price_price(1, years, 3, &a, &none, &error) == PRICE_NO_MEMORY && says("WS FULL"));
}

/* Calls from several threads, some of which fail. */
static void *work(void *arg) {
  int k = *(int *)arg;
  long bad = 0;
  double values[64], mean;
  int64_t indices[] = {1, 99}, whole[] = {5, 6};
  price_error own;
  int64_t seen = 0;
  for (int i = 0; i < 64; i++) values[i] = k;
  for (int i = 0; i < 500; i++) {
    price_array a;
    bad += price_mean_double_1(values, 64, &mean, NULL, &own) != 0 || mean != k;
    bad += price_pick_int_1_int_1(whole, 2, indices, 2, &a, NULL, &own) != 501 || strstr(own.message, "index 99") == NULL;
    bad += price_price(k, values, 64, &a, NULL, &own) != 0;
    price_free(a.data);
    bad += price_shown(k, &seen, NULL, &own) != 0 || seen != k;
    if (i % 50 == 0) {
      values[0] = 1e9;
      bad += price_growth(values, 64, &a, NULL, &own) != 613;
      values[0] = k;
    }
  }
  return bad == 0 ? NULL : arg;
}

static void threads(void) {
  CHECK(freopen("shown.txt", "w", stdout) != NULL);
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

/* With an argument only threads: ThreadSanitizer has no room for deep recursion. */
int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) {
    results();
    faults();
    calls();
    allocators();
  }
  threads();
  fprintf(stderr, failures == 0 ? "done\n" : "failures\n");
  return failures != 0;
}
