/* Orders of vectors: the places of sorted elements, and the elements. */
#include "rt.h"

/* A vector's keys less the least of them, or the greatest less the key where
 * the order is down: they go from 0 to range. The last bits of doubles, which are
 * 0 in all of them where these are whole, say, are no part of a key: a key has
 * 1s there where a double is negative, else 0s. */
typedef struct {
  const tl_view *array;
  int64_t n;
  int down, parts; /* threads that share the work */
  int zeros;       /* how many bits those are */
  int odd;         /* keys do not give the elements back: there are ¯0 or NaN */
  uint64_t least, most, range;
} tl_keys;

/* What is wanted of an order: places, of 4 or 8 bytes, where width is not 0,
 * and the sorted elements. Storage that is not there is made once the sort needs
 * no more of its own. */
typedef struct {
  int width, sorts;
  void *places, *sorted;
} tl_wanted;

enum { TL_BLOCK = 512 };

/* Element i as an unsigned number of the same order. Negative zero is zero;
 * NaN comes after everything else. */
static inline uint64_t tl_double_key(double x) {
  uint64_t bits;
  x = x == x ? x + 0.0 : (double)NAN;
  memcpy(&bits, &x, sizeof bits);
  if (x != x) return UINT64_MAX;
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t tl_order_key(const tl_view *a, int64_t i) {
  if (a->elem == TL_F64) return tl_double_key(((const double *)a->data)[i]);
  if (tl_is_char(a)) return tl_load_char(a, i);
  return (uint64_t)tl_load_int(a, i) ^ (uint64_t)1 << 63;
}

/* Writes the keys of count elements, from an element on, less base, or base less
 * the keys. */
static void tl_order_keys(const tl_view *a, int64_t from, int64_t count, uint64_t base, int down, uint64_t *restrict keys) {
  const uint64_t sign = (uint64_t)1 << 63;
#define TL_EACH(type, key)                                             \
  do {                                                                 \
    const type *x = (const type *)a->data + from;                      \
    if (down)                                                          \
      TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = base - (key); \
    else                                                               \
      TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = (key) - base; \
  } while (0)
  switch (a->elem) {
  case TL_F64: TL_EACH(double, tl_double_key(x[i])); break;
  case TL_CHAR: TL_EACH(uint32_t, x[i]); break;
  case TL_BYTE: TL_EACH(uint8_t, x[i]); break;
  case TL_BOOL: TL_EACH(uint8_t, x[i] | sign); break;
  case TL_I8: TL_EACH(int8_t, (uint64_t)(int64_t)x[i] ^ sign); break;
  case TL_I16: TL_EACH(int16_t, (uint64_t)(int64_t)x[i] ^ sign); break;
  case TL_I32: TL_EACH(int32_t, (uint64_t)(int64_t)x[i] ^ sign); break;
  default: TL_EACH(int64_t, (uint64_t)x[i] ^ sign); break;
  }
#undef TL_EACH
}

/* The opposite: writes the elements of count keys. */
static void tl_from_keys(int elem, const uint64_t *restrict keys, int64_t count, void *out, int64_t at) {
  const uint64_t sign = (uint64_t)1 << 63;
#define TL_EACH(type, value)                                \
  do {                                                      \
    type *y = (type *)out + at;                             \
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) y[i] = (type)(value); \
  } while (0)
  switch (elem) {
  case TL_F64: TL_EACH(uint64_t, keys[i] >> 63 ? keys[i] ^ sign : ~keys[i]); break;
  case TL_CHAR: TL_EACH(uint32_t, keys[i]); break;
  case TL_BYTE: TL_EACH(uint8_t, keys[i]); break;
  case TL_BOOL: TL_EACH(uint8_t, keys[i]); break;
  case TL_I8: TL_EACH(int8_t, keys[i]); break;
  case TL_I16: TL_EACH(int16_t, keys[i]); break;
  case TL_I32: TL_EACH(int32_t, keys[i]); break;
  default: TL_EACH(int64_t, keys[i] ^ sign); break;
  }
#undef TL_EACH
}

static uint64_t tl_key(const tl_keys *k, int64_t i) {
  uint64_t key = tl_order_key(k->array, i) >> k->zeros;
  return k->down ? k->most - key : key - k->least;
}

/* Writes count keys, from an element on. */
static void tl_load_keys(const tl_keys *k, int64_t from, int64_t count, uint64_t *keys) {
  if (k->zeros == 0) {
    tl_order_keys(k->array, from, count, k->down ? k->most : k->least, k->down, keys);
    return;
  }
  const uint64_t least = k->least, most = k->most;
  const int zeros = k->zeros;
  tl_order_keys(k->array, from, count, 0, 0, keys);
  if (k->down)
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = most - (keys[i] >> zeros);
  else
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = (keys[i] >> zeros) - least;
}

/* Writes the elements that count keys belong to. */
static void tl_store_keys(const tl_keys *k, uint64_t *keys, int64_t count, void *out, int64_t at) {
  const uint64_t least = k->least, most = k->most;
  if (k->down)
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = most - keys[i];
  else
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] += least;
  if (k->zeros > 0) {
    const int zeros = k->zeros;
    const uint64_t ones = ((uint64_t)1 << zeros) - 1;
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) keys[i] = keys[i] << zeros | (keys[i] >> (63 - zeros) & 1 ? 0 : ones);
  }
  tl_from_keys(k->array->elem, keys, count, out, at);
}

/* Where part p of n things begins. */
static int64_t tl_part(int64_t n, int p, int parts) { return n / parts * p + n % parts * p / parts; }

/* Whether a block of doubles has ¯0 or NaN. */
static int tl_has_odd(const double *x, int64_t count) {
  int odd = 0;
  for (int64_t i = 0; i < count; i++) odd |= (x[i] != x[i]) | (tl_bits_of(x[i]) == INT64_MIN);
  return odd;
}

/* Finds the least and the greatest key of count elements, from an element on. */
static void tl_range_of(const tl_view *a, int64_t from, int64_t count, uint64_t *least, uint64_t *most) {
  int64_t lo = 0, hi = 0;
#define TL_EACH(type)                                                  \
  do {                                                                 \
    const type *x = (const type *)a->data + from;                      \
    type l = x[0], h = x[0];                                           \
    _Pragma("omp simd reduction(min : l) reduction(max : h)")          \
    for (int64_t i = 0; i < count; i++) {                              \
      l = x[i] < l ? x[i] : l;                                         \
      h = x[i] > h ? x[i] : h;                                         \
    }                                                                  \
    lo = (int64_t)l, hi = (int64_t)h;                                  \
  } while (0)
  switch (a->elem) {
  case TL_CHAR:
    TL_EACH(uint32_t);
    *least = (uint64_t)lo, *most = (uint64_t)hi;
    return;
  case TL_BYTE:
    TL_EACH(uint8_t);
    *least = (uint64_t)lo, *most = (uint64_t)hi;
    return;
  case TL_BOOL: TL_EACH(uint8_t); break;
  case TL_I8: TL_EACH(int8_t); break;
  case TL_I16: TL_EACH(int16_t); break;
  case TL_I32: TL_EACH(int32_t); break;
  default: TL_EACH(int64_t); break;
  }
#undef TL_EACH
  *least = (uint64_t)lo ^ (uint64_t)1 << 63;
  *most = (uint64_t)hi ^ (uint64_t)1 << 63;
}

/* The same of the keys of doubles, and the bits that any of these has; whether
 * there are ¯0 or NaN. */
static int tl_double_range(const tl_view *a, int64_t from, int64_t count, uint64_t *least, uint64_t *most, uint64_t *bits) {
  uint64_t keys[TL_BLOCK], lo = UINT64_MAX, hi = 0, any = 0;
  tl_order_keys(a, from, count, 0, 0, keys);
#pragma omp simd reduction(min : lo) reduction(max : hi) reduction(| : any)
  for (int64_t i = 0; i < count; i++) {
    lo = keys[i] < lo ? keys[i] : lo;
    hi = keys[i] > hi ? keys[i] : hi;
    any |= keys[i] >> 63 ? keys[i] : ~keys[i];
  }
  *least = lo;
  *most = hi;
  *bits |= any;
  return tl_has_odd((const double *)a->data + from, count);
}

/* What is known of the keys of a part. */
typedef struct {
  uint64_t least, most, bits;
  int odd;
} tl_range;

/* Finds the range of the keys of part p. */
static void tl_part_range(const tl_keys *k, int p, tl_range *r) {
  uint64_t l, m;
  int64_t to = tl_part(k->n, p + 1, k->parts);
  tl_range mine = {UINT64_MAX, 0, 0, 0};
  for (int64_t from = tl_part(k->n, p, k->parts), count; from < to; from += count) {
    count = tl_least(to - from, TL_BLOCK);
    if (k->array->elem == TL_F64)
      mine.odd |= tl_double_range(k->array, from, count, &l, &m, &mine.bits);
    else
      tl_range_of(k->array, from, count, &l, &m);
    mine.least = l < mine.least ? l : mine.least;
    mine.most = m > mine.most ? m : mine.most;
  }
  *r = mine;
}

/* Finds the range of the keys. */
static void tl_keys_open(tl_keys *k) {
  tl_range of[TL_PARTS], all;
  k->parts = 1;
#ifdef _OPENMP
  if (k->n >= 1 << 16 && !omp_in_parallel()) k->parts = (int)tl_least(omp_get_max_threads(), TL_PARTS);
#endif
  TL_EACH_PART(tl_part_range(k, p, &of[p]));
  all = of[0];
  for (int p = 1; p < k->parts; p++) {
    all.least = of[p].least < all.least ? of[p].least : all.least;
    all.most = of[p].most > all.most ? of[p].most : all.most;
    all.bits |= of[p].bits;
    all.odd |= of[p].odd;
  }
  if (k->array->elem == TL_F64) k->zeros = __builtin_ctzll(all.bits | (uint64_t)1 << 52);
  k->odd = all.odd;
  k->least = all.least >> k->zeros;
  k->most = all.most >> k->zeros;
  k->range = k->most - k->least;
}

static void tl_wanted_open(const tl_keys *k, tl_wanted *w) {
  if (w->width > 0 && w->places == NULL) w->places = tl_alloc(k->n, w->width);
  if (w->sorts && w->sorted == NULL) w->sorted = tl_alloc(k->n, tl_elem_size(k->array->elem));
}

/* Copies count elements from the places, from 0, in at. */
static void tl_gather(const tl_view *a, const uint64_t *at, int64_t count, void *out, int64_t to) {
#define TL_EACH(type)                                                                    \
  do {                                                                                   \
    const type *x = a->data;                                                             \
    for (int64_t i = 0; i < count; i++) ((type *)out)[to + i] = x[at[i]];                \
  } while (0)
  switch (tl_elem_size(a->elem)) {
  case 1: TL_EACH(uint8_t); break;
  case 2: TL_EACH(uint16_t); break;
  case 4: TL_EACH(uint32_t); break;
  default: TL_EACH(uint64_t); break;
  }
#undef TL_EACH
}

/* Writes count of the wanted places, given from 0, and their elements. */
static void tl_put_places(const tl_keys *k, const tl_wanted *w, const uint64_t *at, int64_t count, int64_t to, int gather) {
  uint32_t *narrow = (uint32_t *)w->places + to;
  uint64_t *wide = (uint64_t *)w->places + to;
  if (w->width == 4)
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) narrow[i] = (uint32_t)at[i] + 1;
  else if (w->width == 8)
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) wide[i] = at[i] + 1;
  if (w->sorts && gather) tl_gather(k->array, at, count, w->sorted, to);
}

/* ---- Short vectors and few keys ---- */

enum { TL_SHORT = 32, TL_RANKED = 64, TL_RANKED_BITS = 6, TL_COUNTED = 1 << 20 };

/* The place of each key is how many are less: no key depends on another one, so that
 * they are compared in vectors. The number of a key makes it differ from its equals. */
#define TL_RANKS(type, most)                                                              \
  do {                                                                                    \
    type word[TL_RANKED];                                                                 \
    for (int64_t i = 0; i < k->n; i++) word[i] = (type)(key[i] << TL_RANKED_BITS) | (type)i; \
    for (int64_t i = k->n; i < TL_RANKED; i++) word[i] = most;                            \
    const int64_t padded = (k->n + 15) / 16 * 16;                                         \
    for (int64_t i = 0; i < k->n; i++) {                                                  \
      const type mine = word[i];                                                          \
      type less = 0;                                                                      \
      _Pragma("omp simd reduction(+ : less)")                                             \
      for (int64_t j = 0; j < padded; j++) less += word[j] < mine;                        \
      at[less] = (uint64_t)i;                                                             \
    }                                                                                     \
  } while (0)

/* Whether a vector is sorted by the ranks of its elements. */
static int tl_is_ranked(const tl_keys *k) {
  return k->n > 8 && k->n <= TL_RANKED && k->range < (uint64_t)1 << (63 - TL_RANKED_BITS);
}

static void tl_rank_sort(const tl_keys *k, tl_wanted *w) {
  uint64_t key[TL_RANKED], at[TL_RANKED];
  tl_load_keys(k, 0, k->n, key);
  if (k->range < (uint64_t)1 << (31 - TL_RANKED_BITS))
    TL_RANKS(int32_t, INT32_MAX);
  else
    TL_RANKS(int64_t, INT64_MAX);
  tl_wanted_open(k, w);
  tl_put_places(k, w, at, k->n, 0, 1);
}
#undef TL_RANKS

static void tl_insertion_sort(const tl_keys *k, tl_wanted *w) {
  uint64_t key[TL_SHORT], at[TL_SHORT];
  tl_load_keys(k, 0, k->n, key);
  for (int64_t i = 0; i < k->n; i++) {
    int64_t j = i;
    for (; j > 0 && key[at[j - 1]] > key[i]; j--) at[j] = at[j - 1];
    at[j] = (uint64_t)i;
  }
  tl_wanted_open(k, w);
  tl_put_places(k, w, at, k->n, 0, 1);
}

/* Writes runs of equal elements; end[key] is where the run of key ends. */
static void tl_put_runs(const tl_keys *k, const tl_wanted *w, const uint32_t *end) {
  uint64_t keys[TL_BLOCK];
  int64_t at = 0;
  for (uint64_t key = 0; key <= k->range; key++)
    for (int64_t count; at < end[key]; at += count) {
      count = tl_least(end[key] - at, TL_BLOCK);
      for (int64_t i = 0; i < count; i++) keys[i] = key;
      tl_store_keys(k, keys, count, w->sorted, at);
    }
}

/* Whether the keys are so dense that each of them may have a place in a table that
 * stays in the caches. */
static int tl_is_dense(const tl_keys *k) {
  uint64_t n = (uint64_t)k->n;
  return n <= UINT32_MAX && (k->range < 1 << 16 ? k->range <= 4 * n : k->range < TL_COUNTED && k->range <= 2 * n);
}

static void tl_counting_sort(const tl_keys *k, tl_wanted *w) {
  uint64_t keys[TL_BLOCK];
  uint32_t *place = tl_alloc((int64_t)k->range + 2, 4);
  memset(place, 0, (size_t)(k->range + 2) * 4);
  for (int64_t from = 0, count; from < k->n; from += count) {
    count = tl_least(k->n - from, TL_BLOCK);
    tl_load_keys(k, from, count, keys);
    for (int64_t i = 0; i < count; i++) place[keys[i] + 1]++;
  }
  for (uint64_t key = 0; key <= k->range; key++) place[key + 1] += place[key];
  tl_wanted_open(k, w);
  for (int64_t from = 0, count; w->width > 0 && from < k->n; from += count) {
    count = tl_least(k->n - from, TL_BLOCK);
    tl_load_keys(k, from, count, keys);
    if (w->width == 4)
      for (int64_t i = 0; i < count; i++) ((uint32_t *)w->places)[place[keys[i]]++] = (uint32_t)(from + i) + 1;
    else
      for (int64_t i = 0; i < count; i++) ((int64_t *)w->places)[place[keys[i]]++] = from + i + 1;
  }
  if (w->sorts) tl_put_runs(k, w, w->width > 0 ? place : place + 1);
  tl_free(place);
}

/* How many there are of each byte. Four counts side by side do not wait for each other. */
static void tl_count_bytes(const uint8_t *x, int64_t i, int64_t to, int64_t *counts) {
  int64_t some[4][256] = {{0}};
  for (; i + 4 <= to; i += 4)
    for (int j = 0; j < 4; j++) some[j][x[i + j]]++;
  for (; i < to; i++) some[0][x[i]]++;
  for (int c = 0; c < 256; c++) counts[c] = some[0][c] + some[1][c] + some[2][c] + some[3][c];
}

/* Sorts bytes, by how many there are of each; sign is the bit in which their
 * order differs from that of unsigned numbers. */
static void tl_sort_bytes(const uint8_t *x, int64_t n, int down, int sign, tl_wanted *w) {
  int64_t counts[TL_PARTS][256];
  int parts = 1;
#ifdef _OPENMP
  if (n >= 1 << 20 && !omp_in_parallel()) parts = (int)tl_least(omp_get_max_threads(), TL_PARTS);
#endif
  const struct { int parts; } work = {parts}, *k = &work;
  TL_EACH_PART(tl_count_bytes(x, tl_part(n, p, parts), tl_part(n, p + 1, parts), counts[p]));
  uint8_t *y = tl_alloc(n, 1);
  w->sorted = y;
  for (int c = 0; c < 256; c++) {
    int key = (down ? 255 - c : c) ^ sign;
    int64_t count = 0;
    for (int p = 0; p < parts; p++) count += counts[p][key];
    memset(y, key, (size_t)count);
    y += count;
  }
}

/* ---- Runs ---- */

#define TL_OF_TYPE(elem)                           \
  switch (elem) {                                  \
  case TL_F64: TL_EACH(double); break;             \
  case TL_CHAR: TL_EACH(uint32_t); break;          \
  case TL_BOOL: case TL_BYTE: TL_EACH(uint8_t); break; \
  case TL_I8: TL_EACH(int8_t); break;              \
  case TL_I16: TL_EACH(int16_t); break;            \
  case TL_I32: TL_EACH(int32_t); break;            \
  default: TL_EACH(int64_t); break;                \
  }

/* Where the second of two runs in order begins, or n where there is one run, or
 * -1 where there are more than two. NaN is in no run. */
static int64_t tl_second_run(const tl_view *a, int64_t n, int down) {
  int64_t second = n;
#define TL_EACH(type)                                                   \
  do {                                                                  \
    const type *x = a->data;                                            \
    if (x[0] != x[0] || x[n - 1] != x[n - 1]) return -1;                \
    for (int64_t i = 1; i < n; i++)                                     \
      if (!(down ? x[i] <= x[i - 1] : x[i] >= x[i - 1])) {              \
        if (second < n) return -1;                                      \
        second = i;                                                     \
      }                                                                 \
  } while (0)
  TL_OF_TYPE(a->elem)
#undef TL_EACH
  return second;
}

/* Merges two vectors in order after each other, as (x,y)[⍋x,y] has them; 0 where
 * these are none. */
static int tl_merge_runs(const tl_keys *k, tl_wanted *w) {
  const int64_t n = k->n, second = tl_second_run(k->array, n, k->down);
  if (second < 0) return 0;
  tl_wanted_open(k, w);
  uint64_t at[TL_BLOCK];
  int64_t i = 0, j = second;
  for (int64_t to = 0, count; to < n; to += count) {
    int64_t c = 0;
    count = tl_least(n - to, TL_BLOCK);
#define TL_EACH(type)                                                   \
  do {                                                                  \
    const type *x = k->array->data;                                     \
    while (c < count && i < second && j < n) {                          \
      int later = k->down ? x[j] > x[i] : x[j] < x[i];                  \
      at[c++] = (uint64_t)(later ? j : i);                              \
      j += later;                                                       \
      i += !later;                                                      \
    }                                                                   \
  } while (0)
    TL_OF_TYPE(k->array->elem)
#undef TL_EACH
    while (c < count && i < second) at[c++] = (uint64_t)i++;
    while (c < count) at[c++] = (uint64_t)j++;
    tl_put_places(k, w, at, count, to, 1);
  }
  return 1;
}

/* ---- Radix sorts ---- */

/* Digits of at most 11 bits keep the number of passes low and the buckets in
 * cache. */
enum { TL_DIGIT = 11, TL_BUCKETS = 1 << TL_DIGIT, TL_PASSES = 6 };
typedef uint32_t tl_buckets[TL_BUCKETS];

static int tl_bit_length(uint64_t x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }

#define TL_WORD uint64_t
#define TL_OF(name) tl_##name##_64
#include "radix.h"
#undef TL_WORD
#undef TL_OF
#define TL_WORD uint32_t
#define TL_OF(name) tl_##name##_32
#include "radix.h"
#undef TL_WORD
#undef TL_OF

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

/* The first place from at on where a run of equal leading bits begins. */
static int64_t tl_run_start(const uint64_t *v, int64_t at, int64_t n, int low) {
  while (at > 0 && at < n && v[at] >> low == v[at - 1] >> low) at++;
  return at;
}

/* Sorts the runs of part p of words with equal leading bits. */
static void tl_sort_part(const tl_keys *k, int p, uint64_t *v, uint64_t *spare, int low) {
  uint64_t mask = ((uint64_t)1 << low) - 1;
  int64_t end = tl_run_start(v, tl_part(k->n, p + 1, k->parts), k->n, low);
  for (int64_t from = tl_run_start(v, tl_part(k->n, p, k->parts), k->n, low), to; from < end; from = to) {
    for (to = from + 1; to < end && v[to] >> low == v[from] >> low; to++) {
    }
    if (to - from > 1) tl_sort_run(k, v, spare, from, to, mask);
  }
}

static void tl_sort_runs(const tl_keys *k, uint64_t *v, int low) {
  uint64_t *spare = tl_alloc(k->n, 8);
  TL_EACH_PART(tl_sort_part(k, p, v, spare, low));
  tl_free(spare);
}

/* Writes what part p of sorted words stands for. */
static void tl_put_words(const tl_keys *k, const tl_wanted *w, int p, const uint64_t *v, int low, int gather) {
  uint64_t block[TL_BLOCK], mask = ((uint64_t)1 << low) - 1;
  int64_t to = tl_part(k->n, p + 1, k->parts);
  for (int64_t from = tl_part(k->n, p, k->parts), count; from < to; from += count) {
    count = tl_least(to - from, TL_BLOCK);
    const uint64_t *words = v + from;
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) block[i] = words[i] & mask;
    tl_put_places(k, w, block, count, from, gather);
    if (!w->sorts || gather) continue;
    TL_LOOP_VECTOR for (int64_t i = 0; i < count; i++) block[i] = words[i] >> low;
    tl_store_keys(k, block, count, w->sorted, from);
  }
}

/* Sorts words that hold a key's leading bits and its place; where not all of
 * the key fits, runs of equal leading bits are sorted afterwards. */
static void tl_sort_places(const tl_keys *k, tl_wanted *w) {
  int low = tl_bit_length((uint64_t)k->n - 1), bits = tl_bit_length(k->range);
  int shift = bits + low > 64 ? bits + low - 64 : 0;
  uint64_t *v = tl_radix_64(k, low, shift, bits - shift);
  if (shift > 0) tl_sort_runs(k, v, low);
  tl_wanted_open(k, w);
  int gather = shift > 0 || k->odd;
  TL_EACH_PART(tl_put_words(k, w, p, v, low, gather));
  tl_free(v);
}

/* The words of a short vector, in order as its elements are: how far an element is from
 * base, turned round where the order is down, above its place. */
#define TL_WORDS(word, unsigned_word, type, base)                                    \
  do {                                                                               \
    const type *x = k->array->data;                                                  \
    const unsigned_word sign = k->down ? -(unsigned_word)TL_RANKED : TL_RANKED;      \
    for (int64_t i = 0; i < n; i++)                                                  \
      word[i] = (__typeof__(word[0]))(((unsigned_word)x[i] - (unsigned_word)(base)) * sign + (unsigned_word)i); \
  } while (0)

/* Sorts few words by insertion, others by how many are less. */
#define TL_SORT_WORDS(type, last)                                    \
  static void tl_sort_words_##type(type *word, int64_t n, uint64_t *at) { \
    if (n <= 12) {                                                   \
      for (int64_t i = 1; i < n; i++) {                              \
        const type w = word[i];                                      \
        int64_t j = i;                                               \
        for (; j > 0 && word[j - 1] > w; j--) word[j] = word[j - 1]; \
        word[j] = w;                                                 \
      }                                                              \
      for (int64_t i = 0; i < n; i++) at[i] = word[i] & (TL_RANKED - 1); \
      return;                                                        \
    }                                                                \
    for (int64_t i = n; i < TL_RANKED; i++) word[i] = last;          \
    for (int64_t from = 0; from < n; from += 16) {                   \
      type less[16] = {0};                                           \
      for (int64_t j = 0; j < n; j++) {                              \
        const type w = word[j];                                      \
        TL_LOOP_VECTOR for (int l = 0; l < 16; l++) less[l] += w < word[from + l]; \
      }                                                              \
      for (int64_t i = from; i < n && i < from + 16; i++) at[less[i - from]] = (uint64_t)i; \
    }                                                                \
  }
TL_SORT_WORDS(int32_t, INT32_MAX)
TL_SORT_WORDS(int64_t, INT64_MAX)

/* Orders up to TL_RANKED elements that fit a word with their place; 0 where they do not. */
static int tl_order_short(const tl_keys *k, tl_wanted *w) {
  const int64_t n = k->n;
  const int elem = k->array->elem;
  uint64_t at[TL_RANKED], least = 0, most = 0;
  if (elem == TL_F64 || elem == TL_C64) return 0;
  const int small = tl_elem_size(elem) <= 2;
  if (!small) tl_range_of(k->array, 0, n, &least, &most);
  const uint64_t range = most - least, base = elem == TL_CHAR || small ? least : least ^ (uint64_t)1 << 63;
  if (range >= (uint64_t)1 << (63 - TL_RANKED_BITS)) return 0;
  if (range < (uint64_t)1 << (31 - TL_RANKED_BITS)) {
    int32_t word[TL_RANKED];
    switch (elem) {
    case TL_I8: TL_WORDS(word, uint32_t, int8_t, 0); break;
    case TL_I16: TL_WORDS(word, uint32_t, int16_t, 0); break;
    case TL_I32: TL_WORDS(word, uint32_t, int32_t, base); break;
    case TL_I64: TL_WORDS(word, uint32_t, int64_t, base); break;
    case TL_CHAR: TL_WORDS(word, uint32_t, uint32_t, base); break;
    default: TL_WORDS(word, uint32_t, uint8_t, 0); break;
    }
    tl_sort_words_int32_t(word, n, at);
  } else {
    int64_t word[TL_RANKED];
    switch (elem) {
    case TL_I32: TL_WORDS(word, uint64_t, int32_t, base); break;
    case TL_CHAR: TL_WORDS(word, uint64_t, uint32_t, base); break;
    default: TL_WORDS(word, uint64_t, int64_t, base); break;
    }
    tl_sort_words_int64_t(word, n, at);
  }
  tl_wanted_open(k, w);
  tl_put_places(k, w, at, n, 0, 1);
  return 1;
}

/* The order of a vector, by the way that fits its length and its range. */
static void tl_order_vector(const tl_view *a, int64_t n, int down, tl_wanted *w) {
  tl_keys k = {.array = a, .n = n, .down = down};
  if (n == 0) {
    tl_wanted_open(&k, w);
    return;
  }
  if (n <= TL_RANKED && tl_order_short(&k, w)) return;
  if (w->width == 0 && n > TL_SHORT && tl_elem_size(a->elem) == 1) {
    tl_sort_bytes(a->data, n, down, a->elem == TL_I8 ? 128 : 0, w);
    return;
  }
  if (tl_merge_runs(&k, w)) return;
  tl_keys_open(&k);
  int hidden = k.odd && w->sorts && w->width == 0; /* ¯0 and NaN are where they were */
  if (hidden) w->width = 8;
  if (tl_is_ranked(&k))
    tl_rank_sort(&k, w);
  else if (n <= TL_SHORT)
    tl_insertion_sort(&k, w);
  else if (tl_is_dense(&k) && !(k.odd && w->sorts))
    tl_counting_sort(&k, w);
  else if (w->width > 0)
    tl_sort_places(&k, w);
  else if (k.range <= UINT32_MAX)
    tl_sort_values_32(&k, w);
  else
    tl_sort_values_64(&k, w);
  if (hidden) {
    tl_free(w->places);
    w->width = 0;
    w->places = NULL;
  }
}

static void tl_array_of(tl_array *r, int elem, int64_t n, void *data) {
  *r = (tl_array){.elem = elem, .rank = 1, .shape = {n}, .data = data};
}

void tl_order(const tl_view *a, int down, int width, tl_array *places, tl_array *sorted) {
  int64_t n = a->shape[0];
  tl_wanted w = {.width = places == NULL ? 0 : width, .sorts = sorted != NULL};
  tl_order_vector(a, n, down, &w);
  if (places != NULL) tl_array_of(places, width == 4 ? TL_I32 : TL_I64, n, w.places);
  if (sorted != NULL) tl_array_of(sorted, a->elem, n, w.sorted);
}

/* ---- The first of an order ---- */

/* Up to TL_LEADING places of a vector that has TL_LEADING_PART times as many are looked
 * for: the others are compared with the last of those that were found. */
enum { TL_LEADING = 64, TL_LEADING_PART = 4 };

typedef struct {
  uint64_t key[TL_LEADING + 1], at[TL_LEADING + 1];
  int64_t count, have;
} tl_leaders;

/* Puts a key, which stands behind all before, among the leaders. */
static void tl_lead(tl_leaders *l, uint64_t key, uint64_t at) {
  int64_t j = l->have < l->count ? l->have++ : l->count - 1;
  for (; j > 0 && l->key[j - 1] > key; j--) {
    l->key[j] = l->key[j - 1];
    l->at[j] = l->at[j - 1];
  }
  l->key[j] = key;
  l->at[j] = at;
}

static void tl_find_leaders(tl_leaders *l, const tl_view *a, int down) {
  enum { SOME = 16 };
  uint64_t keys[TL_BLOCK];
  int64_t n = a->shape[0];
  for (int64_t from = 0, count; from < n; from += count) {
    count = tl_least(n - from, TL_BLOCK);
    tl_order_keys(a, from, count, down ? UINT64_MAX : 0, down, keys);
    for (int64_t i = 0; i < count; i += SOME) {
      int64_t to = tl_least(i + SOME, count), j = i;
      if (l->have == l->count && to == i + SOME) {
        const uint64_t last = l->key[l->count - 1];
        uint64_t less = 0;
        _Pragma("omp simd reduction(| : less)")
        for (int64_t p = i; p < i + SOME; p++) less |= keys[p] < last;
        if (!less) continue;
      }
      for (; j < to; j++)
        if (l->have < l->count || keys[j] < l->key[l->count - 1]) tl_lead(l, keys[j], (uint64_t)(from + j));
    }
  }
}

static void tl_put_leaders(const uint64_t *at, int64_t count, int width, void *out) {
  for (int64_t i = 0; i < count; i++)
    if (width == 4)
      ((int32_t *)out)[i] = (int32_t)at[i] + 1;
    else
      ((int64_t *)out)[i] = (int64_t)at[i] + 1;
}

void tl_leading(const tl_view *a, int down, int64_t count, int width, void *out) {
  int64_t n = a->shape[0];
  count = tl_least(count, n);
  if (count == 0) return;
  if (count <= TL_LEADING && n / TL_LEADING_PART >= count) {
    tl_leaders l = {.count = count};
    tl_find_leaders(&l, a, down);
    tl_put_leaders(l.at, count, width, out);
    return;
  }
  tl_wanted w = {.width = width};
  tl_order_vector(a, n, down, &w);
  memcpy(out, w.places, (size_t)(count * width));
  tl_free(w.places);
}
