/* Major cells of few columns of a small range as one integer each. */
#include "rt.h"

enum { TL_PACKED_MOST = 64 }; /* columns */

/* Returns one integer for each of the n major cells of a, of m elements: it is not
 * negative, the integers are in the order of the cells, and those of cells that differ
 * do. The first column has the leading bits; each has as many as its range needs. NULL
 * where these are more than 63, and for doubles. */
static int64_t *tl_pack_cells(const tl_view *a, int64_t n, int64_t m) {
  if (a->elem == TL_F64 || a->elem == TL_C64 || n < 16 || m < 1 || m > TL_PACKED_MOST) return NULL;
  const int64_t rows = TL_BLOCK / m;
  uint64_t keys[TL_BLOCK], least[TL_PACKED_MOST], most[TL_PACKED_MOST];
  int shift[TL_PACKED_MOST], bits = 0;
  for (int64_t j = 0; j < m; j++) {
    least[j] = UINT64_MAX;
    most[j] = 0;
  }
  for (int64_t from = 0; from < n; from += rows) {
    int64_t here = tl_least(n - from, rows);
    tl_order_keys(a, from * m, here * m, 0, 0, keys);
    for (int64_t j = 0; j < m; j++)
      for (int64_t i = 0; i < here; i++) {
        uint64_t key = keys[i * m + j];
        least[j] = key < least[j] ? key : least[j];
        most[j] = key > most[j] ? key : most[j];
      }
  }
  for (int64_t j = m - 1; j >= 0; j--) {
    shift[j] = bits;
    bits += tl_bit_length(most[j] - least[j]);
    if (bits > 63) return NULL;
  }
  int64_t *packed = tl_alloc(n, 8);
  for (int64_t from = 0; from < n; from += rows) {
    int64_t here = tl_least(n - from, rows);
    tl_order_keys(a, from * m, here * m, 0, 0, keys);
    for (int64_t i = 0; i < here; i++) {
      uint64_t word = 0;
      for (int64_t j = 0; j < m; j++) word |= (keys[i * m + j] - least[j]) << shift[j];
      packed[from + i] = (int64_t)word;
    }
  }
  return packed;
}
