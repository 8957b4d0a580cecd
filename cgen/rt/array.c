/* Arrays. */
#include "rt.h"

int64_t tl_elem_size(int elem) {
  static const int8_t sizes[] = {0, 1, 1, 2, 4, 8, 8, 4, 16, 1};
  return sizes[elem];
}

int64_t tl_count(int rank, const int64_t *shape) {
  int64_t n = 1;
  for (int i = 0; i < rank; i++) n *= shape[i];
  return n;
}

int64_t tl_try_count(int rank, const int64_t *shape) {
  int64_t n = 1;
  int empty = 0;
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0) return -1;
    empty |= shape[i] == 0;
  }
  if (empty) return 0;
  for (int i = 0; i < rank; i++)
    if (__builtin_mul_overflow(n, shape[i], &n)) return -1;
  return n;
}

tl_view tl_view_of(const tl_array *a) {
  tl_view v = {a->elem, a->rank, a->shape, a->data};
  return v;
}

void tl_drop(tl_array *a) {
  tl_free(a->data);
  a->data = NULL;
}

void tl_new(tl_array *result, int elem, int rank, const int64_t *shape) {
  result->elem = elem;
  result->rank = rank;
  for (int i = 0; i < rank; i++) result->shape[i] = shape[i];
  result->data = tl_alloc(tl_try_count(rank, shape), tl_elem_size(elem));
}
