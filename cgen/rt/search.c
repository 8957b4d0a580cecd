/* Searching: index of, membership, unique, without, where, match, find. */
#include "rt.h"

/* A tl_lookup answers which of the elements put into it equals a value, by
 * the smallest place, unless direct.c or hashed.c does. There are three sorts:
 *
 * hashed    open addressing; equal keys only
 * tolerant  doubles that may equal without being the same: values are hashed
 *           by the leading bits of their representation, so that all equals of
 *           a value lie in its own bucket or in one next to it; a bucket is a
 *           chain of distinct values, each of which is compared
 * complex   numbers whose equals have magnitudes that are equal with tolerance,
 *           and real parts that differ by little against them: a number is kept
 *           in the cell that the bucket of its magnitude and the part of the
 *           bucket's range that its real part lies in make; its equals lie in
 *           that cell or in one of the three beside it. Where comparison is
 *           exact there is a cell for each number.
 */
typedef struct {
  uint64_t key;
  int64_t place; /* place+1, 0 where free; the head of a bucket */
} tl_entry;

typedef struct {
  int sort, exact;
  const tl_view *values; /* the array that places refer to */
  tl_entry *entries;
  int64_t *next;         /* tolerant, complex: place+1 of the next value in the bucket */
  uint64_t mask;
  uint64_t near; /* doubles within the tolerance differ by fewer units in the last place */
  int bucket;    /* a bucket holds 2*bucket of them, more than twice that */
} tl_lookup;
enum { TL_HASHED, TL_TOLERANT, TL_COMPLEX };

#include "near.h"

static uint64_t tl_bits(double x) {
  uint64_t bits;
  x += 0.0; /* one zero */
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Element i as a key that is equal exactly where the elements are. */
static uint64_t tl_exact_key(const tl_view *a, int64_t i) {
  if (a->elem == TL_F64) return tl_bits(((const double *)a->data)[i]);
  if (tl_is_char(a)) return tl_load_char(a, i);
  return (uint64_t)tl_load_int(a, i) ^ (uint64_t)1 << 63;
}


static uint64_t tl_hash(uint64_t key) {
  key *= 0x9E3779B97F4A7C15u;
  return key ^ key >> 32;
}

static void tl_lookup_open(tl_lookup *l, const tl_view *values, int64_t n, int exact) {
  memset(l, 0, sizeof *l);
  l->values = values;
  l->exact = exact;
  l->near = (uint64_t)(TL_CT * 0x1p53) + 8;
  while ((uint64_t)1 << l->bucket <= 2 * l->near) l->bucket++;
  l->sort = values->elem == TL_C64            ? TL_COMPLEX
            : values->elem == TL_F64 && !exact ? TL_TOLERANT
                                               : TL_HASHED;
  uint64_t size = 16;
  while (size < 2 * (uint64_t)n) size *= 2;
  l->mask = size - 1;
  l->entries = tl_alloc((int64_t)size, sizeof *l->entries);
  memset(l->entries, 0, size * sizeof *l->entries);
  if (l->sort == TL_TOLERANT || l->sort == TL_COMPLEX) l->next = tl_alloc(n, 8);
}

static void tl_lookup_close(tl_lookup *l) {
  tl_free(l->entries);
  tl_free(l->next);
}

/* The slot of a key, taken or free. */
static tl_entry *tl_slot(const tl_lookup *l, uint64_t key) {
  uint64_t i = tl_hash(key) & l->mask;
  while (l->entries[i].place != 0 && l->entries[i].key != key) i = (i + 1) & l->mask;
  return &l->entries[i];
}

/* The smallest place in a bucket whose value equals x, or INT64_MAX. */
static int64_t tl_bucket_find(const tl_lookup *l, uint64_t bucket, double x) {
  const double *values = l->values->data;
  int64_t found = INT64_MAX;
  for (int64_t p = tl_slot(l, bucket)->place; p != 0; p = l->next[p - 1])
    if (tl_eqd(values[p - 1], x) && p - 1 < found) found = p - 1;
  return found;
}

static int64_t tl_tolerant_find(const tl_lookup *l, double x) {
  uint64_t bits = tl_bits(x), low = tl_bucket_low(bits, l->near, l->bucket), high = tl_bucket_high(bits, l->near, l->bucket);
  int64_t a = tl_bucket_find(l, low, x);
  int64_t b = low == high ? a : tl_bucket_find(l, high, x);
  int64_t found = a < b ? a : b;
  return found == INT64_MAX ? -1 : found;
}

/* One key of two. */
static uint64_t tl_mix(uint64_t a, uint64_t b) { return ((a ^ a >> 29) * 0x9E3779B97F4A7C15u) ^ b; }

/* The number of the cell of a real part among those of a bucket of magnitudes;
 * they are wider than twice the greatest comparison tolerance. */
static int64_t tl_cell_of(const tl_lookup *l, uint64_t bucket, double re) {
  double low;
  bucket <<= l->bucket;
  memcpy(&low, &bucket, sizeof low);
  double c = re / (low * 0x1p-28);
  return fabs(c) < 0x1p62 ? (int64_t)floor(c) : 0;
}

/* The key of the cell that x is kept in. */
static uint64_t tl_home(const tl_lookup *l, tl_c64 x) {
  if (l->exact) return tl_mix(tl_bits(tl_rez(x)), tl_bits(tl_imz(x)));
  uint64_t bucket = tl_bits(tl_absz(x)) >> l->bucket;
  return tl_mix(bucket, (uint64_t)tl_cell_of(l, bucket, tl_rez(x)));
}

/* The smallest place in a cell whose value equals x, or found. */
static int64_t tl_in_cell(const tl_lookup *l, uint64_t key, tl_c64 x, int64_t found) {
  const tl_c64 *values = l->values->data;
  for (int64_t p = tl_slot(l, key)->place; p != 0; p = l->next[p - 1])
    if (p - 1 < found && (l->exact ? tl_samez(values[p - 1], x) : tl_eqz(values[p - 1], x))) found = p - 1;
  return found;
}

static int64_t tl_complex_find(const tl_lookup *l, tl_c64 x) {
  int64_t found = INT64_MAX;
  if (l->exact) {
    found = tl_in_cell(l, tl_home(l, x), x, found);
    return found == INT64_MAX ? -1 : found;
  }
  double r = tl_absz(x), delta = 2 * TL_CT * r;
  uint64_t bits = tl_bits(r), low = tl_bucket_low(bits, l->near, l->bucket), high = tl_bucket_high(bits, l->near, l->bucket);
  for (uint64_t bucket = low; bucket <= high; bucket++) {
    int64_t left = tl_cell_of(l, bucket, tl_rez(x) - delta), right = tl_cell_of(l, bucket, tl_rez(x) + delta);
    for (int64_t c = left; c <= right; c++) found = tl_in_cell(l, tl_mix(bucket, (uint64_t)c), x, found);
  }
  return found == INT64_MAX ? -1 : found;
}

static void tl_complex_put(tl_lookup *l, int64_t place) {
  const tl_c64 *values = l->values->data;
  uint64_t key = tl_home(l, values[place]);
  tl_entry *e = tl_slot(l, key);
  for (int64_t p = e->place; p != 0; p = l->next[p - 1])
    if (tl_samez(values[p - 1], values[place])) return;
  l->next[place] = e->place;
  *e = (tl_entry){key, place + 1};
}

/* The place of element i of a, or -1. NaN is nowhere. */
static int64_t tl_lookup_find(const tl_lookup *l, const tl_view *a, int64_t i) {
  if (l->sort == TL_COMPLEX) return tl_complex_find(l, ((const tl_c64 *)a->data)[i]);
  if (l->sort == TL_TOLERANT) return tl_tolerant_find(l, ((const double *)a->data)[i]);
  uint64_t key = tl_exact_key(a, i);
  if (a->elem == TL_F64 && isnan(((const double *)a->data)[i])) return -1;
  return tl_slot(l, key)->place - 1;
}

static void tl_tolerant_put(tl_lookup *l, int64_t place) {
  const double *values = l->values->data;
  uint64_t bits = tl_bits(values[place]), bucket = bits >> l->bucket;
  tl_entry *e = tl_slot(l, bucket);
  for (int64_t p = e->place; p != 0; p = l->next[p - 1])
    if (tl_bits(values[p - 1]) == bits) return;
  l->next[place] = e->place;
  *e = (tl_entry){bucket, place + 1};
}

/* Places are put in ascending order; the first of equals stays. */
static void tl_lookup_put(tl_lookup *l, int64_t place) {
  if (l->sort == TL_COMPLEX) {
    tl_complex_put(l, place);
    return;
  }
  if (l->sort == TL_TOLERANT) {
    tl_tolerant_put(l, place);
    return;
  }
  uint64_t key = tl_exact_key(l->values, place);
  tl_entry *e = tl_slot(l, key);
  if (e->place == 0) *e = (tl_entry){key, place + 1};
}

static void tl_lookup_all(tl_lookup *l, const tl_view *table, int64_t n, int exact) {
  tl_lookup_open(l, table, n, exact);
  for (int64_t i = 0; i < n; i++) tl_lookup_put(l, i);
}

/* Whether both are integers, or both are characters. */
static int tl_alike(const tl_view *a, const tl_view *b) {
  return tl_is_char(a) == tl_is_char(b) && a->elem != TL_F64 && a->elem != TL_C64;
}

void tl_index_of(const tl_view *table, const tl_view *items, int exact, int width, void *out) {
  int64_t n = tl_count(table->rank, table->shape), count = tl_count(items->rank, items->shape);
  if (tl_brief(table, n, items, count)) {
    uint8_t places[TL_BRIEF];
    tl_brief_places(table, n, items, count, places);
    for (int64_t i = 0; i < count; i++) tl_put_place(out, width, i, places[i]);
    return;
  }
  tl_direct d;
  if (tl_alike(items, table) && tl_direct_open(&d, table, n, count)) {
    tl_direct_index_of(&d, items, count, width, out);
    return;
  }
  if (tl_alike(items, table) && tl_hashed(&d)) {
    tl_hashed_index_of(&d, items, count, width, out);
    return;
  }
  tl_lookup l;
  tl_lookup_all(&l, table, n, exact);
  for (int64_t i = 0; i < count; i++) {
    int64_t place = tl_lookup_find(&l, items, i);
    tl_put_place(out, width, i, place < 0 ? n + 1 : place + 1);
  }
  tl_lookup_close(&l);
}

void tl_member(const tl_view *items, const tl_view *table, int exact, uint8_t *out) {
  int64_t n = tl_count(table->rank, table->shape), count = tl_count(items->rank, items->shape);
  tl_small set;
  if (tl_small_of(table, n, items, count, &set)) {
    tl_small_member(&set, items, count, out);
    return;
  }
  if (tl_brief(table, n, items, count)) {
    uint8_t places[TL_BRIEF];
    tl_brief_places(table, n, items, count, places);
    for (int64_t i = 0; i < count; i++) out[i] = places[i] <= n;
    return;
  }
  tl_direct d;
  if (tl_alike(items, table) && tl_direct_open(&d, table, n, count)) {
    tl_direct_member(&d, items, count, out);
    return;
  }
  if (tl_alike(items, table) && tl_hashed(&d)) {
    tl_hashed_member(&d, items, count, out);
    return;
  }
  tl_lookup l;
  tl_lookup_all(&l, table, n, exact);
  for (int64_t i = 0; i < count; i++) out[i] = tl_lookup_find(&l, items, i) >= 0;
  tl_lookup_close(&l);
}

/* Copies element i of a to place k of out. */
static void tl_copy_element(void *out, int64_t k, const tl_view *a, int64_t i) {
  size_t size = (size_t)tl_elem_size(a->elem);
  memcpy((char *)out + (size_t)k * size, (const char *)a->data + (size_t)i * size, size);
}

int64_t tl_unique(const tl_view *a, int exact, void *out) {
  int64_t n = tl_count(a->rank, a->shape), kept = 0;
  tl_small set;
  if (tl_small_of(a, n, a, n, &set)) return tl_small_keep(&set, a, n, 1, out);
  if (tl_brief(a, n, a, n)) {
    uint8_t places[TL_BRIEF];
    tl_brief_places(a, n, a, n, places);
    for (int64_t i = 0; i < n; i++) places[i] = places[i] == i + 1;
    return tl_brief_keep(a, n, places, out);
  }
  tl_direct d;
  if (tl_direct_open(&d, a, n, 0)) return tl_direct_unique(&d, out);
  if (tl_hashed(&d)) return tl_hashed_unique(&d, out);
  tl_lookup l;
  tl_lookup_open(&l, a, n, exact);
  for (int64_t i = 0; i < n; i++) {
    if (tl_lookup_find(&l, a, i) >= 0) continue;
    tl_lookup_put(&l, i);
    tl_copy_element(out, kept++, a, i);
  }
  tl_lookup_close(&l);
  return kept;
}

int64_t tl_without(const tl_view *a, const tl_view *table, int exact, void *out) {
  int64_t n = tl_count(a->rank, a->shape), rows = tl_count(table->rank, table->shape), kept = 0;
  tl_small set;
  if (tl_small_of(table, rows, a, n, &set)) return tl_small_keep(&set, a, n, 0, out);
  if (tl_brief(table, rows, a, n)) {
    uint8_t places[TL_BRIEF];
    tl_brief_places(table, rows, a, n, places);
    for (int64_t i = 0; i < n; i++) places[i] = places[i] > rows;
    return tl_brief_keep(a, n, places, out);
  }
  tl_direct d;
  if (tl_alike(a, table) && tl_direct_open(&d, table, rows, n)) return tl_direct_without(&d, a, n, out);
  if (tl_alike(a, table) && tl_hashed(&d)) return tl_hashed_without(&d, a, n, out);
  tl_lookup l;
  tl_lookup_all(&l, table, rows, exact);
  for (int64_t i = 0; i < n; i++)
    if (tl_lookup_find(&l, a, i) < 0) tl_copy_element(out, kept++, a, i);
  tl_lookup_close(&l);
  return kept;
}

int64_t tl_where(const tl_view *bools, int64_t *out) {
  int64_t n = tl_count(bools->rank, bools->shape), k = 0;
  for (int64_t i = 0; i < n; i++)
    if (tl_load_int(bools, i) != 0) out[k++] = i + 1;
  return k;
}

/* ---- Major cells ---- */

static uint64_t tl_hash_cell(const uint64_t *cell, int64_t m) {
  uint64_t h = 1;
  for (int64_t j = 0; j < m; j++) {
    h = (h ^ cell[j]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return h ^ h >> 32;
}

void tl_first_cell(const tl_view *a, int64_t *out) {
  int64_t n = a->shape[0], count = tl_count(a->rank, a->shape);
  if (n == 0) return;
  int64_t m = count / n;
  int64_t *packed = tl_pack_cells(a, n, m, NULL);
  uint64_t *keys = (uint64_t *)packed;
  if (packed != NULL) {
    tl_view words = {.elem = TL_I64, .rank = 1, .shape = &n, .data = packed};
    tl_direct d;
    int direct = tl_direct_open(&d, &words, n, n);
    if (direct || tl_hashed(&d)) {
      (direct ? tl_direct_index_of : tl_hashed_index_of)(&d, &words, n, 8, out);
      tl_free(packed);
      return;
    }
    m = 1;
  } else {
    keys = tl_alloc(count, 8);
    for (int64_t i = 0; i < count; i++) keys[i] = tl_exact_key(a, i);
  }
  uint64_t size = 16;
  while (size < 2 * (uint64_t)n) size *= 2;
  int64_t *slots = tl_alloc((int64_t)size, 8);
  memset(slots, 0, size * 8);
  for (int64_t i = 0; i < n; i++) {
    const uint64_t *cell = keys + i * m;
    uint64_t at = tl_hash_cell(cell, m) & (size - 1);
    while (slots[at] != 0 && memcmp(keys + (slots[at] - 1) * m, cell, (size_t)m * 8) != 0) at = (at + 1) & (size - 1);
    if (slots[at] == 0) slots[at] = i + 1;
    out[i] = slots[at];
  }
  tl_free(slots);
  tl_free(keys);
}

/* ---- Match and find ---- */

static int tl_same(const tl_view *a, int64_t i, const tl_view *b, int64_t j, int exact) {
  if (tl_is_char(a) || tl_is_char(b))
    return tl_is_char(a) == tl_is_char(b) && tl_load_char(a, i) == tl_load_char(b, j);
  if (a->elem == TL_C64 || b->elem == TL_C64) {
    tl_c64 x = tl_load_complex(a, i), y = tl_load_complex(b, j);
    return exact ? tl_samez(x, y) : tl_eqz(x, y);
  }
  if (a->elem != TL_F64 && b->elem != TL_F64) return tl_load_int(a, i) == tl_load_int(b, j);
  double x = tl_load_double(a, i), y = tl_load_double(b, j);
  return exact ? x == y : tl_eqd(x, y);
}

/* A block at a time, without branches. */
static int tl_match_doubles(const double *a, const double *b, int64_t n, int exact) {
  enum { BLOCK = 256 };
  for (int64_t from = 0; from < n; from += BLOCK) {
    int64_t to = tl_mini(from + BLOCK, n);
    int same = 1;
    if (exact)
      for (int64_t i = from; i < to; i++) same &= a[i] == b[i];
    else
      for (int64_t i = from; i < to; i++) same &= tl_eqd(a[i], b[i]);
    if (!same) return 0;
  }
  return 1;
}

int tl_match(const tl_view *a, const tl_view *b, int exact) {
  if (a->rank != b->rank || tl_is_char(a) != tl_is_char(b)) return 0;
  for (int k = 0; k < a->rank; k++)
    if (a->shape[k] != b->shape[k]) return 0;
  int64_t n = tl_count(a->rank, a->shape);
  if (a->elem == TL_F64 && b->elem == TL_F64) return tl_match_doubles(a->data, b->data, n, exact);
  if (a->elem == TL_I64 && b->elem == TL_I64) return n == 0 || memcmp(a->data, b->data, (size_t)n * sizeof(int64_t)) == 0;
  for (int64_t i = 0; i < n; i++)
    if (!tl_same(a, i, b, i, exact)) return 0;
  return 1;
}

/* Does the pattern lie in a with its first element at ravel index at? extent
 * is the pattern's shape, padded in front with ones to a's rank. */
static int tl_found(const tl_view *pattern, const int64_t *extent, const tl_view *a, int64_t at, int exact) {
  int64_t index[TL_MAX_RANK] = {0}, n = tl_count(pattern->rank, pattern->shape);
  for (int64_t i = 0; i < n; i++) {
    int64_t offset = 0;
    for (int k = 0; k < a->rank; k++) offset = offset * a->shape[k] + index[k];
    if (!tl_same(pattern, i, a, at + offset, exact)) return 0;
    for (int k = a->rank - 1; k >= 0 && ++index[k] == extent[k]; k--) index[k] = 0;
  }
  return 1;
}

/* A vector of m ≥ 1 elements of a type in one of n, which has no more than the
 * ends of it in common with most places. */
#define TL_FIND(T)                                                                          \
  {                                                                                         \
    const T *p = pattern->data, *x = a->data;                                               \
    for (int64_t i = 0; i + m <= n; i++)                                                    \
      if (x[i] == p[0] && x[i + m - 1] == p[m - 1])                                         \
        out[i] = memcmp(x + i, p, (size_t)m * sizeof(T)) == 0;                              \
    break;                                                                                  \
  }

static void tl_find_vector(const tl_view *pattern, const tl_view *a, int64_t m, int64_t n, uint8_t *out) {
  switch (tl_elem_size(a->elem)) {
  case 1: TL_FIND(uint8_t)
  case 2: TL_FIND(uint16_t)
  case 4: TL_FIND(uint32_t)
  default: TL_FIND(uint64_t)
  }
}

void tl_find(const tl_view *pattern, const tl_view *a, int exact, uint8_t *out) {
  int64_t n = tl_count(a->rank, a->shape), extent[TL_MAX_RANK + 1];
  int pad = a->rank - pattern->rank;
  if (n > 0) memset(out, 0, (size_t)n);
  if (pad < 0) return;
  int same = pattern->elem == a->elem && a->elem != TL_F64 && a->elem != TL_C64;
  if (same && a->rank == 1 && pattern->rank == 1 && pattern->shape[0] > 0) {
    tl_find_vector(pattern, a, pattern->shape[0], n, out);
    return;
  }
  for (int k = 0; k < a->rank; k++) extent[k] = k < pad ? 1 : pattern->shape[k - pad];
  for (int64_t i = 0; i < n; i++) {
    int64_t rest = i;
    int fits = 1;
    for (int k = a->rank - 1; k >= 0; k--) {
      fits &= rest % a->shape[k] + extent[k] <= a->shape[k];
      rest /= a->shape[k];
    }
    out[i] = (uint8_t)(fits && tl_found(pattern, extent, a, i, exact));
  }
}
