/* Grades: stable permutations that sort. */
#include "rt.h"

/* ---- Major cells ---- */

static int tl_cell_after(const uint64_t *a, const uint64_t *b, int64_t m, int down) {
  for (int64_t j = 0; j < m; j++)
    if (a[j] != b[j]) return (a[j] > b[j]) != down;
  return 0;
}

/* Merge sort of n places, from 1 on, by their cells of m keys; spare has as many. */
static void tl_merge_sort(const uint64_t *keys, int64_t m, int down, int64_t *out, int64_t n, int64_t *spare) {
  int64_t *v = out;
  for (int64_t width = 1; width < n; width *= 2) {
    for (int64_t from = 0; from < n; from += 2 * width) {
      int64_t mid = from + width < n ? from + width : n, to = mid + width < n ? mid + width : n;
      int64_t i = from, j = mid;
      for (int64_t k = from; k < to; k++) {
        int right = i == mid || (j < to && tl_cell_after(keys + (v[i] - 1) * m, keys + (v[j] - 1) * m, m, down));
        spare[k] = right ? v[j++] : v[i++];
      }
    }
    int64_t *t = v;
    v = spare;
    spare = t;
  }
  if (v != out) memcpy(out, v, (size_t)n * 8);
}

/* Sorts the runs of places whose cells have equal words by all keys; all places are one
 * run where there are no words. */
static void tl_sort_word_runs(const tl_view *a, const int64_t *words, int64_t n, int64_t m, int down, int64_t *out) {
  uint64_t *keys = NULL;
  int64_t *spare = NULL;
  for (int64_t from = 0, to; from < n; from = to) {
    to = words == NULL ? n : from + 1;
    while (to < n && words[out[to] - 1] == words[out[from] - 1]) to++;
    if (to - from == 1) continue;
    if (keys == NULL) {
      keys = tl_alloc(n * m, 8);
      spare = tl_alloc(n, 8);
      tl_order_keys(a, 0, n * m, 0, 0, keys);
    }
    tl_merge_sort(keys, m, down, out + from, to - from, spare);
  }
  tl_free(spare);
  tl_free(keys);
}

void tl_grade(const tl_view *a, int down, int64_t *out) {
  int64_t count = tl_count(a->rank, a->shape), n = a->rank == 0 ? 1 : a->shape[0];
  if (n == 0) return;
  int64_t m = count / n;
  int whole = m == 1, fits = n < (int64_t)1 << 32;
  int64_t *packed = fits && m != 1 ? tl_pack_cells(a, n, m, &whole) : NULL;
  tl_view words = {.elem = TL_I64, .rank = 1, .shape = &n, .data = packed};
  tl_wanted w = {.width = 8, .places = out};
  if (fits && (m == 1 || packed != NULL)) {
    tl_order_vector(m == 1 ? a : &words, n, down != 0, &w);
  } else {
    whole = 0;
    for (int64_t i = 0; i < n; i++) out[i] = i + 1;
  }
  if (!whole) tl_sort_word_runs(a, packed, n, m, down != 0, out);
  tl_free(packed);
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
