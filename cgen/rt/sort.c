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

/* ---- Vectors ---- */

/* A vector's keys less the least of them, or the greatest less the key where
 * the order is down: they go from 0 to range. */
typedef struct {
  const tl_view *array;
  int64_t n;
  int down;
  uint64_t least, most, range;
} tl_keys;

static uint64_t tl_order_key(const tl_view *a, int64_t i) {
  if (a->elem == TL_F64) return tl_double_key(((const double *)a->data)[i]);
  if (a->elem == TL_CHAR) return tl_load_char(a, i);
  return (uint64_t)tl_load_int(a, i) ^ (uint64_t)1 << 63;
}

static uint64_t tl_key(const tl_keys *k, int64_t i) {
  uint64_t key = tl_order_key(k->array, i);
  return k->down ? k->most - key : key - k->least;
}

/* Writes all keys to v and finds their range. */
static void tl_keys_open(tl_keys *k, uint64_t *v) {
  uint64_t lo = UINT64_MAX, hi = 0;
  tl_order_keys(k->array, k->n, v);
  for (int64_t i = 0; i < k->n; i++) {
    lo = v[i] < lo ? v[i] : lo;
    hi = v[i] > hi ? v[i] : hi;
  }
  k->least = lo;
  k->most = hi;
  k->range = hi - lo;
  if (k->down)
    for (int64_t i = 0; i < k->n; i++) v[i] = hi - v[i];
  else
    for (int64_t i = 0; i < k->n; i++) v[i] -= lo;
}

static void tl_counting_sort(const tl_keys *k, const uint64_t *v, int64_t *out) {
  int64_t *place = tl_alloc((int64_t)k->range + 2, 8);
  memset(place, 0, (size_t)(k->range + 2) * 8);
  for (int64_t i = 0; i < k->n; i++) place[v[i] + 1]++;
  for (uint64_t key = 0; key <= k->range; key++) place[key + 1] += place[key];
  for (int64_t i = 0; i < k->n; i++) out[place[v[i]]++] = i + 1;
  tl_free(place);
}

static int tl_bit_length(uint64_t x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }

/* Sorts by full keys the places in v[from…to-1], whose leading bits are the
 * same; they are in ascending order, and equal keys stay so. */
static void tl_sort_run(const tl_keys *k, uint64_t *v, uint64_t *spare, int64_t from, int64_t to, uint64_t mask) {
  if (to - from <= 16) {
    for (int64_t i = from + 1; i < to; i++) {
      uint64_t x = v[i], key = tl_key(k, (int64_t)(x & mask));
      int64_t j = i;
      for (; j > from && tl_key(k, (int64_t)(v[j - 1] & mask)) > key; j--) v[j] = v[j - 1];
      v[j] = x;
    }
    return;
  }
  int64_t mid = from + (to - from) / 2, i = from, j = mid;
  tl_sort_run(k, v, spare, from, mid, mask);
  tl_sort_run(k, v, spare, mid, to, mask);
  memcpy(spare + from, v + from, (size_t)(to - from) * 8);
  for (int64_t at = from; at < to; at++) {
    int right = i == mid || (j < to && tl_key(k, (int64_t)(spare[i] & mask)) > tl_key(k, (int64_t)(spare[j] & mask)));
    v[at] = right ? spare[j++] : spare[i++];
  }
}

/* A radix sort of words that hold a key's leading bits and its place; where
 * not all of the key fits, runs of equal leading bits are sorted afterwards.
 * Digits of 11 bits keep the number of passes low and the buckets in cache. */
enum { TL_DIGIT = 11, TL_BUCKETS = 1 << TL_DIGIT, TL_PASSES = 6 };

static void tl_radix_sort(const tl_keys *k, uint64_t *v, uint64_t *spare, int64_t *out) {
  int64_t n = k->n, (*at)[TL_BUCKETS] = tl_alloc(TL_PASSES, sizeof *at);
  int low = tl_bit_length((uint64_t)n - 1), bits = tl_bit_length(k->range);
  int shift = bits + low > 64 ? bits + low - 64 : 0, passes = (bits - shift + TL_DIGIT - 1) / TL_DIGIT;
  uint64_t mask = ((uint64_t)1 << low) - 1;
  memset(at, 0, TL_PASSES * sizeof *at);
  for (int64_t i = 0; i < n; i++) {
    uint64_t key = v[i] >> shift;
    for (int p = 0; p < passes; p++) at[p][key >> TL_DIGIT * p & (TL_BUCKETS - 1)]++;
    v[i] = key << low | (uint64_t)i;
  }
  for (int p = 0; p < passes; p++) {
    int64_t sum = 0;
    for (int b = 0; b < TL_BUCKETS; b++) {
      int64_t count = at[p][b];
      at[p][b] = sum;
      sum += count;
    }
    int digit = low + TL_DIGIT * p;
    if (p == passes - 1 && shift == 0) {
      for (int64_t i = 0; i < n; i++) out[at[p][v[i] >> digit & (TL_BUCKETS - 1)]++] = (int64_t)(v[i] & mask) + 1;
      break;
    }
    for (int64_t i = 0; i < n; i++) spare[at[p][v[i] >> digit & (TL_BUCKETS - 1)]++] = v[i];
    uint64_t *t = v;
    v = spare;
    spare = t;
  }
  tl_free(at);
  if (shift == 0) return;
  for (int64_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && v[to] >> low == v[from] >> low; to++) {
    }
    if (to - from > 1) tl_sort_run(k, v, spare, from, to, mask);
  }
  for (int64_t i = 0; i < n; i++) out[i] = (int64_t)(v[i] & mask) + 1;
}

static void tl_insertion_sort(const uint64_t *v, int64_t n, int64_t *out) {
  for (int64_t i = 0; i < n; i++) {
    int64_t j = i;
    for (; j > 0 && v[out[j - 1] - 1] > v[i]; j--) out[j] = out[j - 1];
    out[j] = i + 1;
  }
}

static void tl_grade_vector(const tl_view *a, int64_t n, int down, int64_t *out) {
  tl_keys k = {a, n, down, 0, 0, 0};
  uint64_t *v = tl_alloc(n, 8), *spare = NULL;
  tl_keys_open(&k, v);
  if (n <= 32) {
    tl_insertion_sort(v, n, out);
  } else if (k.range < 1 << 16 && k.range <= 4 * (uint64_t)n) {
    tl_counting_sort(&k, v, out);
  } else {
    spare = tl_alloc(n, 8);
    tl_radix_sort(&k, v, spare, out);
  }
  tl_free(v);
  tl_free(spare);
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
  if (m == 1) {
    tl_grade_vector(a, n, down != 0, out);
    return;
  }
  uint64_t *keys = tl_alloc(count, 8);
  tl_order_keys(a, count, keys);
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
