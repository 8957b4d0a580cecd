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

/* Vector code is slow for fewer elements. */
enum { TL_FEW = 128 };

/* Writes a place of 4 or 8 bytes. */
static inline void tl_put_place(void *out, int width, int64_t i, int64_t place) {
  if (width == 4)
    ((int32_t *)out)[i] = (int32_t)place;
  else
    ((int64_t *)out)[i] = place;
}

/* Runs a body, in which TL_AT is the type of the elements of an array. */
#define TL_OF_ELEM(elem, body)                          \
  switch (elem) {                                       \
  case TL_CHAR: { typedef uint32_t TL_AT; body } break; \
  case TL_BYTE:                                         \
  case TL_BOOL: { typedef uint8_t TL_AT; body } break;  \
  case TL_I8: { typedef int8_t TL_AT; body } break;     \
  case TL_I16: { typedef int16_t TL_AT; body } break;   \
  case TL_I32: { typedef int32_t TL_AT; body } break;   \
  default: { typedef int64_t TL_AT; body } break;       \
  }

/* Up to so many elements are compared with each of up to so many values. */
enum { TL_BRIEF = 64 };

/* Whether the n values and the count items beside them are so few, and of one type. */
static int tl_brief(const tl_view *values, int64_t n, const tl_view *items, int64_t count) {
  return n <= TL_BRIEF && count <= TL_BRIEF && values->elem == items->elem && values->elem != TL_F64 && values->elem != TL_C64;
}

/* The places of few items among few values, from 1; n+1 where there is none. The last value
 * is compared first, so that the first of equals stays. Groups of items are vectors. */
static void tl_brief_places(const tl_view *values, int64_t n, const tl_view *items, int64_t count, uint8_t *places) {
  enum { lanes = 16 };
  TL_OF_ELEM(values->elem, {
    const TL_AT *v = values->data;
    for (int64_t from = 0; from < count; from += lanes) {
      const TL_AT *x = (const TL_AT *)items->data + from;
      int64_t here = tl_least(count - from, lanes);
      TL_AT item[lanes] = {0};
      TL_AT place[lanes];
      memcpy(item, x, (size_t)here * sizeof *x);
      for (int i = 0; i < lanes; i++) place[i] = (TL_AT)(n + 1);
      for (int64_t k = n - 1; k >= 0; k--)
        for (int i = 0; i < lanes; i++) place[i] = item[i] == v[k] ? (TL_AT)(k + 1) : place[i];
      for (int64_t i = 0; i < here; i++) places[from + i] = (uint8_t)place[i];
    }
  })
}

/* Writes the elements of a that are kept; how many. */
static int64_t tl_brief_keep(const tl_view *a, int64_t n, const uint8_t *keep, void *out) {
  int64_t kept = 0;
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    for (int64_t i = 0; i < n; i++) {
      ((TL_AT *)out)[kept] = x[i];
      kept += keep[i];
    }
  })
  return kept;
}

/* A set of numbers or characters from least on: a bit for each of 64. */
typedef struct {
  int64_t least;
  uint64_t bits;
} tl_small;

/* Whether the n elements of a and the count of b are few, of one type, and all from a
 * multiple of 64 to 63 more; the set is of those of a. */
static int tl_small_of(const tl_view *a, int64_t n, const tl_view *b, int64_t count, tl_small *set) {
  if (n == 0 || !tl_brief(a, n, b, count)) return 0;
  int64_t least = 0;
  uint64_t bits = 0, far = 0;
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    const TL_AT *y = b->data;
    least = (int64_t)x[0] & -64;
    for (int64_t i = 0; i < n; i++) {
      uint64_t at = (uint64_t)x[i] - (uint64_t)least;
      far |= at;
      bits |= (uint64_t)1 << (at & 63);
    }
    for (int64_t i = 0; i < count; i++) far |= (uint64_t)y[i] - (uint64_t)least;
  })
  *set = (tl_small){least, bits};
  return far < 64;
}

/* Which of count elements a set has. */
static void tl_small_member(const tl_small *set, const tl_view *a, int64_t count, uint8_t *out) {
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    for (int64_t i = 0; i < count; i++) out[i] = set->bits >> (x[i] - set->least) & 1;
  })
}

/* Keeps the elements of a that a set has not; those that are kept join it where once is
 * 1. Returns how many there are. */
static int64_t tl_small_keep(const tl_small *set, const tl_view *a, int64_t n, int once, void *out) {
  int64_t kept = 0;
  uint64_t bits = once ? 0 : set->bits;
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    TL_AT *to = out;
    for (int64_t i = 0; i < n; i++) {
      uint64_t bit = (uint64_t)1 << (x[i] - set->least);
      to[kept] = x[i];
      kept += (bits & bit) == 0;
      bits |= once ? bit : 0;
    }
  })
  return kept;
}

/* Finds the least and the greatest key of n elements. */
static void tl_direct_range(const tl_view *a, int64_t n, uint64_t *least, uint64_t *most) {
  if (n >= TL_FEW) {
    tl_range_of(a, 0, n, least, most);
    return;
  }
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    for (int64_t i = 0; i < n; i++) {
      lo = (int64_t)x[i] < lo ? (int64_t)x[i] : lo;
      hi = (int64_t)x[i] > hi ? (int64_t)x[i] : hi;
    }
  })
  uint64_t sign = tl_is_char(a) ? 0 : (uint64_t)1 << 63;
  *least = (uint64_t)lo ^ sign;
  *most = (uint64_t)hi ^ sign;
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
  if (n == 0) return 0;
  uint64_t least, most;
  tl_direct_range(values, n, &least, &most);
  d->least = least;
  d->range = most - least;
  return d->range <= 4 * (uint64_t)n + (uint64_t)count + 1024;
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

/* A range of up to so many keys is a set in one word. */
enum { TL_WORD_KEYS = 64 };

static int tl_is_word(const tl_direct *d) { return d->range < TL_WORD_KEYS; }

/* The least of the values. */
static uint64_t tl_word_base(const tl_direct *d) {
  return tl_is_char(d->values) ? d->least : d->least ^ (uint64_t)1 << 63;
}

/* Bit k of a word where k is less than TL_WORD_KEYS, else 0. */
static inline uint64_t tl_word_bit(uint64_t word, uint64_t k) { return k < TL_WORD_KEYS ? word >> k & 1 : 0; }

/* Which keys the values have. */
static uint64_t tl_word_set(const tl_direct *d) {
  uint64_t word = 0, base = tl_word_base(d);
  TL_OF_ELEM(d->values->elem, {
    const TL_AT *x = d->values->data;
    for (int64_t i = 0; i < d->n; i++) word |= (uint64_t)1 << ((uint64_t)(int64_t)x[i] - base);
  })
  return word;
}

static void tl_word_member(const tl_direct *d, const tl_view *items, int64_t count, uint8_t *out) {
  uint64_t word = tl_word_set(d), base = tl_word_base(d);
  TL_OF_ELEM(items->elem, {
    const TL_AT *x = items->data;
    for (int64_t i = 0; i < count; i++) out[i] = (uint8_t)tl_word_bit(word, (uint64_t)(int64_t)x[i] - base);
  })
}

/* tl_direct_keep of a set in a word; where once is set, all keys are less than TL_WORD_KEYS. */
static int64_t tl_word_keep(const tl_direct *d, uint64_t word, int once, const tl_view *a, int64_t count, void *out) {
  uint64_t base = tl_word_base(d);
  int64_t kept = 0;
  TL_OF_ELEM(a->elem, {
    const TL_AT *x = a->data;
    TL_AT *y = out;
    if (once)
      for (int64_t i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << ((uint64_t)(int64_t)x[i] - base);
        y[kept] = x[i];
        kept += (word & bit) == 0;
        word |= bit;
      }
    else
      for (int64_t i = 0; i < count; i++) {
        y[kept] = x[i];
        kept += tl_word_bit(word, (uint64_t)(int64_t)x[i] - base) == 0;
      }
  })
  return kept;
}

/* Whether each item is among the values. */
static void tl_direct_member(const tl_direct *d, const tl_view *items, int64_t count, uint8_t *out) {
  if (tl_is_word(d) && count < 1 << 16) {
    tl_word_member(d, items, count, out);
    return;
  }
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
  if (tl_is_word(d) && d->values->elem != TL_BYTE) return tl_word_keep(d, 0, 1, d->values, d->n, out);
  uint8_t *in = tl_alloc((int64_t)d->range + 2, 1);
  memset(in, 0, (size_t)d->range + 2);
  int64_t kept = d->values->elem == TL_BYTE ? tl_unique_bytes(d, in, out) : tl_direct_keep(d, in, 1, d->values, d->n, out);
  tl_free(in);
  return kept;
}

static int64_t tl_direct_without(const tl_direct *d, const tl_view *a, int64_t count, void *out) {
  if (tl_is_word(d)) return tl_word_keep(d, tl_word_set(d), 0, a, count, out);
  uint8_t *in = tl_direct_set(d);
  int64_t kept = tl_direct_keep(d, in, 0, a, count, out);
  tl_free(in);
  return kept;
}
