/* Searching among integers and characters of a small range: a table over the
 * range, and blocks of keys (order.c) at a time. Blocks of what is looked for
 * are shared among threads. */
#include "rt.h"

/* Keys less least go from 0 to range. */
typedef struct {
  const tl_view *values;
  int64_t n;
  uint64_t least, range;
} tl_direct;

#ifdef _OPENMP
#define TL_EACH_BLOCK _Pragma("omp parallel for schedule(static) if (count >= 1 << 16)")
#else
#define TL_EACH_BLOCK
#endif

/* Writes a place of 4 or 8 bytes. */
static inline void tl_put_place(void *out, int width, int64_t i, int64_t place) {
  if (width == 4)
    ((int32_t *)out)[i] = (int32_t)place;
  else
    ((int64_t *)out)[i] = place;
}

/* Whether the n values are such, few of them missing in their range; beside
 * them there are count others to be looked for. */
static int tl_direct_open(tl_direct *d, const tl_view *values, int64_t n, int64_t count) {
  *d = (tl_direct){values, n, 0, 0};
  if (values->elem == TL_BYTE && n >= 256 && n < INT32_MAX) {
    d->range = 255;
    return 1;
  }
  if (values->elem == TL_F64 || values->elem == TL_C64 || n >= INT32_MAX) return 0;
  uint64_t keys[TL_BLOCK], least = UINT64_MAX, most = 0;
  for (int64_t from = 0; from < n; from += TL_BLOCK) {
    int64_t here = tl_least(n - from, TL_BLOCK);
    tl_order_keys(values, from, here, 0, 0, keys);
    for (int64_t i = 0; i < here; i++) {
      least = keys[i] < least ? keys[i] : least;
      most = keys[i] > most ? keys[i] : most;
    }
  }
  d->least = least;
  d->range = most - least;
  return n > 0 && d->range <= 4 * (uint64_t)n + (uint64_t)count + 1024;
}

/* Keys of count elements of a, from one on; those outside of the range become
 * the first number behind it. */
static void tl_direct_keys(const tl_direct *d, const tl_view *a, int64_t from, int64_t count, uint64_t *keys) {
  tl_order_keys(a, from, count, d->least, 0, keys);
  for (int64_t i = 0; i < count; i++) keys[i] = keys[i] <= d->range ? keys[i] : d->range + 1;
}

/* Which keys the values have. */
static uint8_t *tl_direct_set(const tl_direct *d) {
  uint64_t keys[TL_BLOCK];
  uint8_t *in = tl_alloc((int64_t)d->range + 2, 1);
  memset(in, 0, (size_t)d->range + 2);
  for (int64_t from = 0; from < d->n; from += TL_BLOCK) {
    int64_t here = tl_least(d->n - from, TL_BLOCK);
    tl_order_keys(d->values, from, here, d->least, 0, keys);
    for (int64_t i = 0; i < here; i++) in[keys[i]] = 1;
  }
  return in;
}

/* The first place of each item among the values, from 1; n+1 where there is
 * none. The last value is put first, so that the first of equals stays. */
static void tl_direct_index_of(const tl_direct *d, const tl_view *items, int64_t count, int width, void *out) {
  uint64_t keys[TL_BLOCK];
  int32_t *places = tl_alloc((int64_t)d->range + 2, 4);
  memset(places, 0, ((size_t)d->range + 2) * 4);
  for (int64_t to = d->n; to > 0;) {
    int64_t from = to > TL_BLOCK ? to - TL_BLOCK : 0;
    tl_order_keys(d->values, from, to - from, d->least, 0, keys);
    for (int64_t i = to - 1; i >= from; i--) places[keys[i - from]] = (int32_t)(i + 1);
    to = from;
  }
  TL_EACH_BLOCK
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    uint64_t wanted[TL_BLOCK];
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_direct_keys(d, items, from, here, wanted);
    for (int64_t i = 0; i < here; i++) {
      int64_t place = places[wanted[i]];
      tl_put_place(out, width, from + i, place != 0 ? place : d->n + 1);
    }
  }
  tl_free(places);
}

/* Whether each item is among the values. */
static void tl_direct_member(const tl_direct *d, const tl_view *items, int64_t count, uint8_t *out) {
  uint8_t *in = tl_direct_set(d);
  TL_EACH_BLOCK
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    uint64_t wanted[TL_BLOCK];
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_direct_keys(d, items, from, here, wanted);
    for (int64_t i = 0; i < here; i++) out[from + i] = in[wanted[i]];
  }
  tl_free(in);
}

/* Writes the elements of a whose keys are not in the set, in order; where once
 * is set, each that was written is then in it. */
static int64_t tl_direct_keep(const tl_direct *d, uint8_t *in, int once, const tl_view *a, int64_t count, void *out) {
  uint64_t keys[TL_BLOCK];
  int64_t kept = 0;
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_direct_keys(d, a, from, here, keys);
#define TL_KEEP(T)                                 \
  {                                                \
    const T *x = (const T *)a->data + from;        \
    T *y = out;                                    \
    for (int64_t i = 0; i < here; i++) {           \
      y[kept] = x[i];                              \
      kept += !in[keys[i]];                        \
      in[keys[i]] |= (uint8_t)once;                \
    }                                              \
    break;                                         \
  }
    switch (tl_elem_size(a->elem)) {
    case 1: TL_KEEP(uint8_t)
    case 2: TL_KEEP(uint16_t)
    case 4: TL_KEEP(uint32_t)
    default: TL_KEEP(uint64_t)
    }
#undef TL_KEEP
  }
  return kept;
}

/* The same for bytes, once: blocks that have nothing new are passed over. */
static int64_t tl_unique_bytes(const tl_direct *d, uint8_t *in, uint8_t *out) {
  const uint8_t *x = d->values->data;
  int64_t kept = 0;
  for (int64_t from = 0; from < d->n; from += TL_BLOCK) {
    int64_t to = from + tl_least(d->n - from, TL_BLOCK);
    uint8_t all = 1;
    for (int64_t i = from; i < to; i++) all &= in[x[i] - d->least];
    for (int64_t i = from; !all && i < to; i++) {
      out[kept] = x[i];
      kept += !in[x[i] - d->least];
      in[x[i] - d->least] = 1;
    }
  }
  return kept;
}

static int64_t tl_direct_unique(const tl_direct *d, void *out) {
  uint8_t *in = tl_alloc((int64_t)d->range + 2, 1);
  memset(in, 0, (size_t)d->range + 2);
  int64_t kept = d->values->elem == TL_BYTE ? tl_unique_bytes(d, in, out) : tl_direct_keep(d, in, 1, d->values, d->n, out);
  tl_free(in);
  return kept;
}

static int64_t tl_direct_without(const tl_direct *d, const tl_view *a, int64_t count, void *out) {
  uint8_t *in = tl_direct_set(d);
  int64_t kept = tl_direct_keep(d, in, 0, a, count, out);
  tl_free(in);
  return kept;
}
