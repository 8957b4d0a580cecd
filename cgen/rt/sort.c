/* Grades: stable permutations that sort. */
#include "rt.h"

/* Element i as an unsigned number of the same order. Negative zero is zero;
 * NaN comes after everything else. */
static inline uint64_t tl_double_key(double x) {
  uint64_t bits;
  x = x == x ? x + 0.0 : (double)NAN;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) return UINT64_MAX;
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static void tl_order_keys(const tl_view *a, int64_t n, uint64_t *keys) {
  if (a->elem == TL_F64)
    for (int64_t i = 0; i < n; i++) keys[i] = tl_double_key(((const double *)a->data)[i]);
  else if (a->elem == TL_CHAR)
    for (int64_t i = 0; i < n; i++) keys[i] = tl_load_char(a, i);
  else
    for (int64_t i = 0; i < n; i++) keys[i] = (uint64_t)tl_load_int(a, i) ^ (uint64_t)1 << 63;
}

static void tl_key_range(const uint64_t *keys, int64_t n, uint64_t *least, uint64_t *most) {
  uint64_t lo = UINT64_MAX, hi = 0;
  for (int64_t i = 0; i < n; i++) {
    lo = keys[i] < lo ? keys[i] : lo;
    hi = keys[i] > hi ? keys[i] : hi;
  }
  *least = lo;
  *most = hi;
}

/* ---- Vectors ---- */

static void tl_counting_sort(const uint64_t *keys, int64_t n, uint64_t range, int64_t *out) {
  int64_t *place = tl_alloc((int64_t)range + 2, 8);
  memset(place, 0, (size_t)(range + 2) * 8);
  for (int64_t i = 0; i < n; i++) place[keys[i] + 1]++;
  for (uint64_t k = 0; k <= range; k++) place[k + 1] += place[k];
  for (int64_t i = 0; i < n; i++) out[place[keys[i]]++] = i + 1;
  tl_free(place);
}

typedef struct {
  uint64_t key;
  int64_t place;
} tl_pair;

static void tl_insertion_sort(tl_pair *v, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    tl_pair p = v[i];
    int64_t j = i;
    for (; j > 0 && v[j - 1].key > p.key; j--) v[j] = v[j - 1];
    v[j] = p;
  }
}

/* Radix sort by bytes from the least; bytes that all keys share are skipped. */
static tl_pair *tl_radix_sort(tl_pair *v, tl_pair *spare, int64_t n) {
  int64_t(*counts)[256] = tl_alloc(8, sizeof *counts);
  memset(counts, 0, 8 * sizeof *counts);
  for (int64_t i = 0; i < n; i++)
    for (int b = 0; b < 8; b++) counts[b][v[i].key >> 8 * b & 255]++;
  for (int b = 0; b < 8; b++) {
    int64_t at[256], sum = 0;
    if (counts[b][v[0].key >> 8 * b & 255] == n) continue;
    for (int k = 0; k < 256; k++) {
      at[k] = sum;
      sum += counts[b][k];
    }
    for (int64_t i = 0; i < n; i++) spare[at[v[i].key >> 8 * b & 255]++] = v[i];
    tl_pair *t = v;
    v = spare;
    spare = t;
  }
  tl_free(counts);
  return v;
}

static void tl_pair_sort(const uint64_t *keys, int64_t n, int64_t *out) {
  tl_pair *both = tl_alloc(n, 2 * sizeof *both), *v = both;
  for (int64_t i = 0; i < n; i++) v[i] = (tl_pair){keys[i], i + 1};
  if (n <= 48)
    tl_insertion_sort(v, n);
  else
    v = tl_radix_sort(v, both + n, n);
  for (int64_t i = 0; i < n; i++) out[i] = v[i].place;
  tl_free(both);
}

static void tl_grade_keys(uint64_t *keys, int64_t n, int down, int64_t *out) {
  uint64_t least, most;
  tl_key_range(keys, n, &least, &most);
  uint64_t range = most - least;
  for (int64_t i = 0; i < n; i++) keys[i] = down ? most - keys[i] : keys[i] - least;
  if (range <= 2 * (uint64_t)n + 256)
    tl_counting_sort(keys, n, range, out);
  else
    tl_pair_sort(keys, n, out);
}

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
  uint64_t *keys = tl_alloc(count, 8);
  tl_order_keys(a, count, keys);
  if (m == 1)
    tl_grade_keys(keys, n, down != 0, out);
  else
    tl_merge_sort(keys, n, m, down != 0, out);
  tl_free(keys);
}

/* ---- Interval index ---- */

void tl_interval_index(const tl_view *sorted, const tl_view *items, int64_t *out) {
  int64_t n = tl_count(sorted->rank, sorted->shape), count = tl_count(items->rank, items->shape);
  uint64_t *keys = tl_alloc(n, 8), *probes = tl_alloc(count, 8);
  tl_order_keys(sorted, n, keys);
  tl_order_keys(items, count, probes);
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
