/* Searching among integers and characters whose range is large, but not beyond
 * 32 bits: a table by open addressing, of words that hold a key, less the least,
 * above its place from 1. What a block of keys needs of the table is asked for
 * before the first of them is looked for, so that the memory's answers overlap.
 * Blocks of what is looked for are shared among threads. */
#include "rt.h"

typedef struct {
  uint64_t *words; /* 0 where free */
  uint64_t mask;
  int shift;
} tl_hashes;

/* Whether d, for which a table over the range is too large, is such. */
static int tl_hashed(const tl_direct *d) {
  return d->n > 0 && d->n < INT32_MAX && d->values->elem != TL_F64 && d->values->elem != TL_C64 && d->range < UINT32_MAX;
}

static void tl_hashes_open(tl_hashes *h, int64_t n) {
  h->shift = 60;
  while ((uint64_t)1 << (64 - h->shift) < 2 * (uint64_t)n) h->shift--;
  h->mask = ((uint64_t)1 << (64 - h->shift)) - 1;
  h->words = tl_alloc((int64_t)h->mask + 1, 8);
  memset(h->words, 0, (size_t)(h->mask + 1) * 8);
}

/* Loads the keys of count elements, from one on, and where they may be. */
static inline void tl_hashes_block(const tl_hashes *h, const tl_direct *d, const tl_view *a, int64_t from, int64_t count, uint64_t *keys, uint64_t *at) {
  tl_direct_keys(d, a, from, count, keys);
  for (int64_t i = 0; i < count; i++) {
    at[i] = keys[i] * 0x9E3779B97F4A7C15u >> h->shift;
    __builtin_prefetch(&h->words[at[i]]);
  }
}

/* Where a key is, or a free word for it. */
static inline uint64_t *tl_hashes_slot(const tl_hashes *h, uint64_t key, uint64_t at) {
  while (h->words[at] != 0 && h->words[at] >> 32 != key) at = (at + 1) & h->mask;
  return &h->words[at];
}

/* Puts all values; the first of equals stays. */
static void tl_hashes_put(tl_hashes *h, const tl_direct *d) {
  uint64_t keys[TL_BLOCK], at[TL_BLOCK];
  tl_hashes_open(h, d->n);
  for (int64_t from = 0; from < d->n; from += TL_BLOCK) {
    int64_t here = tl_least(d->n - from, TL_BLOCK);
    tl_hashes_block(h, d, d->values, from, here, keys, at);
    for (int64_t i = 0; i < here; i++) {
      uint64_t *word = tl_hashes_slot(h, keys[i], at[i]);
      if (*word == 0) *word = keys[i] << 32 | (uint64_t)(from + i + 1);
    }
  }
}

static void tl_hashed_index_of(const tl_direct *d, const tl_view *items, int64_t count, int width, void *out) {
  tl_hashes h;
  tl_hashes_put(&h, d);
  TL_EACH_BLOCK
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    uint64_t keys[TL_BLOCK], at[TL_BLOCK];
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_hashes_block(&h, d, items, from, here, keys, at);
    for (int64_t i = 0; i < here; i++) {
      uint64_t word = *tl_hashes_slot(&h, keys[i], at[i]);
      tl_put_place(out, width, from + i, word != 0 ? (int64_t)(word & UINT32_MAX) : d->n + 1);
    }
  }
  tl_free(h.words);
}

static void tl_hashed_member(const tl_direct *d, const tl_view *items, int64_t count, uint8_t *out) {
  tl_hashes h;
  tl_hashes_put(&h, d);
  TL_EACH_BLOCK
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    uint64_t keys[TL_BLOCK], at[TL_BLOCK];
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_hashes_block(&h, d, items, from, here, keys, at);
    for (int64_t i = 0; i < here; i++) out[from + i] = *tl_hashes_slot(&h, keys[i], at[i]) != 0;
  }
  tl_free(h.words);
}

/* Writes the elements of a that are not in the table, in order; where once is
 * set, each that was written is then in it. */
static int64_t tl_hashed_keep(const tl_direct *d, tl_hashes *h, int once, const tl_view *a, int64_t count, void *out) {
  uint64_t keys[TL_BLOCK], at[TL_BLOCK];
  int64_t kept = 0;
  size_t size = (size_t)tl_elem_size(a->elem);
  for (int64_t from = 0; from < count; from += TL_BLOCK) {
    int64_t here = tl_least(count - from, TL_BLOCK);
    tl_hashes_block(h, d, a, from, here, keys, at);
    for (int64_t i = 0; i < here; i++) {
      uint64_t *word = tl_hashes_slot(h, keys[i], at[i]);
      if (*word != 0) continue;
      if (once) *word = keys[i] << 32 | 1;
      memcpy((char *)out + (size_t)kept++ * size, (const char *)a->data + (size_t)(from + i) * size, size);
    }
  }
  tl_free(h->words);
  return kept;
}

static int64_t tl_hashed_unique(const tl_direct *d, void *out) {
  tl_hashes h;
  tl_hashes_open(&h, d->n);
  return tl_hashed_keep(d, &h, 1, d->values, d->n, out);
}

static int64_t tl_hashed_without(const tl_direct *d, const tl_view *a, int64_t count, void *out) {
  tl_hashes h;
  tl_hashes_put(&h, d);
  return tl_hashed_keep(d, &h, 0, a, count, out);
}
