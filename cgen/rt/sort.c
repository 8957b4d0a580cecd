/* Grades: stable permutations that sort. */
#include "rt.h"

/* ---- Major cells ---- */

static int tl_cell_after(const uint64_t *a, const uint64_t *b, int64_t m, int down) {
  for (int64_t j = 0; j < m; j++)
    if (a[j] != b[j]) return (a[j] > b[j]) != down;
  return 0;
}

/* Merge sort of the places by their cells of m keys. */
static void tl_merge_sort(const uint64_t *keys, int64_t n, int64_t m, int down, int64_t *out) {
  int64_t *v = out, *spare = tl_alloc(n, 8), *mine = spare;
  for (int64_t i = 0; i < n; i++) v[i] = i;
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t from = 0; from < n; from += 2 * width) {
      int64_t mid = from + width < n ? from + width : n, to = mid + width < n ? mid + width : n;
      int64_t i = from, j = mid;
      for (int64_t k = from; k < to; k++) {
        int right = i == mid || (j < to && tl_cell_after(keys + v[i] * m, keys + v[j] * m, m, down));
        spare[k] = right ? v[j++] : v[i++];
      }
    }
    int64_t *t = v;
    v = spare;
    spare = t;
  }
  for (int64_t i = 0; i < n; i++) out[i] = v[i] + 1;
  tl_free(mine);
}

void tl_grade(const tl_view *a, int down, int64_t *out) {
  int64_t count = tl_count(a->rank, a->shape), n = a->rank == 0 ? 1 : a->shape[0];
  if (n == 0) return;
  int64_t m = count / n;
  if (n < (int64_t)1 << 32) {
    int64_t *packed = m == 1 ? NULL : tl_pack_cells(a, n, m);
    tl_view words = {.elem = TL_I64, .rank = 1, .shape = &n, .data = packed};
    tl_wanted w = {.width = 8, .places = out};
    if (m == 1 || packed != NULL) {
      tl_order_vector(m == 1 ? a : &words, n, down != 0, &w);
      tl_free(packed);
      return;
    }
  }
  uint64_t *keys = tl_alloc(count, 8);
  tl_order_keys(a, 0, count, 0, 0, keys);
  tl_merge_sort(keys, n, m, down != 0, out);
  tl_free(keys);
}

/* ---- Interval index ---- */

void tl_interval_index(const tl_view *sorted, const tl_view *items, int64_t *out) {
  int64_t n = tl_count(sorted->rank, sorted->shape), count = tl_count(items->rank, items->shape);
  uint64_t *keys = tl_alloc(n, 8), *probes = tl_alloc(count, 8);
  tl_order_keys(sorted, 0, n, 0, 0, keys);
  tl_order_keys(items, 0, count, 0, 0, probes);
  for (int64_t i = 0; i < count; i++) {
    int64_t from = 0, length = n;
    while (length > 0) {
      int64_t half = length / 2;
      int up = keys[from + half] <= probes[i];
      from = up ? from + half + 1 : from;
      length = up ? length - half - 1 : half;
    }
    out[i] = from;
  }
  tl_free(keys);
  tl_free(probes);
}
