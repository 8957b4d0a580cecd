/* Major cells of few columns of a small range as one integer each. */
#include "rt.h"

enum { TL_PACKED_MOST = 64 }; /* columns */

/* The ranges of the keys of columns. */
typedef struct {
  uint64_t least[TL_PACKED_MOST], most[TL_PACKED_MOST];
} tl_key_ranges;

/* How many of the n major cells of a, of m elements, are looked at at once. */
static int64_t tl_cells_at_once(int64_t m) { return m < TL_BLOCK ? TL_BLOCK / m : 1; }

/* Writes the keys of the first m columns of here cells, from a cell on. */
static void tl_column_keys(const tl_view *a, int64_t all, int64_t m, int64_t from, int64_t here, uint64_t *keys) {
  if (m == all) {
    tl_order_keys(a, from * m, here * m, 0, 0, keys);
    return;
  }
  for (int64_t i = 0; i < here; i++) tl_order_keys(a, (from + i) * all, m, 0, 0, keys + i * m);
}

static void tl_key_ranges_open(tl_key_ranges *c, const tl_view *a, int64_t n, int64_t all, int64_t m) {
  uint64_t keys[TL_BLOCK];
  const int64_t rows = tl_cells_at_once(m);
  for (int64_t j = 0; j < m; j++) {
    c->least[j] = UINT64_MAX;
    c->most[j] = 0;
  }
  for (int64_t from = 0; from < n; from += rows) {
    int64_t here = tl_least(n - from, rows);
    tl_column_keys(a, all, m, from, here, keys);
    for (int64_t j = 0; j < m; j++)
      for (int64_t i = 0; i < here; i++) {
        uint64_t key = keys[i * m + j];
        c->least[j] = key < c->least[j] ? key : c->least[j];
        c->most[j] = key > c->most[j] ? key : c->most[j];
      }
  }
}

/* Returns one integer for each of the n major cells of a, of m elements: it is not
 * negative, the integers are in the order of the cells, and those of cells that differ
 * do, or the cells differ behind what the integers have room for: then *whole is 0. The
 * first column has the leading bits; each has as many as its range needs. Where whole is
 * NULL all is needed: NULL where these are more than 63 bits, and for doubles. */
static int64_t *tl_pack_cells(const tl_view *a, int64_t n, int64_t m, int *whole) {
  if (a->elem == TL_C64 || n < 16 || m < 1) return NULL;
  if (whole == NULL && (a->elem == TL_F64 || m > TL_PACKED_MOST)) return NULL;
  int64_t all = m;
  m = tl_least(m, TL_PACKED_MOST);
  tl_key_ranges c;
  tl_key_ranges_open(&c, a, n, all, m);
  int shift[TL_PACKED_MOST], bits = 0, used = 0;
  for (; used < m; used++) {
    int more = tl_bit_length(c.most[used] - c.least[used]);
    if (more > 0 && bits >= 63) break;
    bits += more;
  }
  int fits = used == all && bits <= 63;
  if (whole != NULL)
    *whole = fits;
  else if (!fits)
    return NULL;
  int left = bits <= 63 ? bits : 63; /* less than 0 in the last column: it loses bits */
  for (int j = 0; j < used; j++) shift[j] = left -= tl_bit_length(c.most[j] - c.least[j]);
  int64_t *packed = tl_alloc(n, 8);
  uint64_t keys[TL_BLOCK];
  const int64_t rows = tl_cells_at_once(used);
  for (int64_t from = 0; from < n; from += rows) {
    int64_t here = tl_least(n - from, rows);
    tl_column_keys(a, all, used, from, here, keys);
    for (int64_t i = 0; i < here; i++) {
      uint64_t word = 0;
      for (int j = 0; j < used; j++) {
        uint64_t key = keys[i * used + j] - c.least[j];
        word |= shift[j] < 0 ? key >> -shift[j] : key << shift[j];
      }
      packed[from + i] = (int64_t)word;
    }
  }
  return packed;
}
