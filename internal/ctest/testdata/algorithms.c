/* Reads pairs of arrays a and b; writes what the searching and sorting
 * functions give. */
#include "../driver.h"

static void write_vector(int elem, int64_t n, void *data) {
  tl_view v = {elem, 1, &n, data};
  driver_write(&v);
  tl_free(data);
}

static void grades(const tl_view *a) {
  int64_t n = a->rank == 0 ? 1 : a->shape[0];
  for (int down = 0; down < 2; down++) {
    int64_t *r = tl_alloc(n, 8);
    tl_grade(a, down, r);
    write_vector(TL_I64, n, r);
  }
}

/* Not for doubles, of which NaN is not itself. */
static void first_cells(const tl_view *a) {
  if (a->rank == 0 || a->elem == TL_F64) return;
  int64_t n = a->shape[0], *r = tl_alloc(n, 8);
  tl_first_cell(a, r);
  write_vector(TL_I64, n, r);
}

static void searches(const tl_view *a, const tl_view *b, int exact) {
  int64_t n = tl_count(a->rank, a->shape), m = tl_count(b->rank, b->shape);
  int elem = a->elem == TL_F64 || a->elem == TL_CHAR ? a->elem : TL_I64;
  int64_t *where = tl_alloc(m, 8);
  tl_index_of(a, b, exact, 8, where);
  write_vector(TL_I64, m, where);
  uint8_t *in = tl_alloc(n, 1);
  tl_member(a, b, exact, in);
  write_vector(TL_BOOL, n, in);
  void *kept = tl_alloc(n, 8);
  int64_t k = tl_unique(a, exact, kept);
  write_vector(elem, k, kept);
  kept = tl_alloc(n, 8);
  k = tl_without(a, b, exact, kept);
  write_vector(elem, k, kept);
  uint8_t *match = tl_alloc(1, 1);
  *match = (uint8_t)tl_match(a, b, exact);
  write_vector(TL_BOOL, 1, match);
}

static void find(const tl_view *a, const tl_view *b, int exact) {
  int64_t m = tl_count(b->rank, b->shape);
  uint8_t *r = tl_alloc(m, 1);
  tl_find(a, b, exact, r);
  write_vector(TL_BOOL, m, r);
}

/* Only for an ascending left argument. */
static void interval(const tl_view *a, const tl_view *b) {
  int64_t n = tl_count(a->rank, a->shape), *order = tl_alloc(n, 8), sorted = 1;
  tl_grade(a, 0, order);
  for (int64_t i = 0; i < n; i++) sorted &= order[i] == i + 1;
  tl_free(order);
  if (!sorted) return;
  int64_t m = tl_count(b->rank, b->shape), *r = tl_alloc(m, 8);
  tl_interval_index(a, b, r);
  write_vector(TL_I64, m, r);
}

int main(int argc, char **argv) {
  tl_array a, b;
  tl_init(argc, argv);
  while (driver_read(&a) && driver_read(&b)) {
    tl_view va = tl_view_of(&a), vb = tl_view_of(&b);
    grades(&va);
    first_cells(&va);
    if (a.rank == 1)
      for (int exact = 0; exact < 2; exact++) searches(&va, &vb, exact);
    if (a.rank == 1) interval(&va, &vb);
    find(&va, &vb, 0);
    tl_drop(&a);
    tl_drop(&b);
  }
  return tl_finish();
}
