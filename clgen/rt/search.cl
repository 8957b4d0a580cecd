/* Searching by a table of places, open to concurrent insertion: a slot holds
 * the place, from 1, of the first of some cells with the same elements, or 0.
 * Once taken it stays with these elements; a place in it only becomes smaller.
 * Cells have m elements; vectors have m = 1. */

static ulong tl_mixed(ulong h, ulong key) {
  h = (h ^ key) * 0x9E3779B97F4A7C15UL;
  return h ^ h >> 29;
}

static int tl_nan_i64(long x) { return 0; }
static int tl_nan_f64(double x) { return x != x; }
static int tl_nan_u8(uchar x) { return 0; }
static int tl_nan_c32(uint x) { return 0; }

/* What is done for elements of a kind; the compiler adds the kinds that a program
 * needs. */
#define TL_SEARCH(kind, type) \
  static ulong tl_hash_##kind(__global const type *x, const long m) { \
    ulong h = 1; \
    for (long j = 0; j < m; j++) h = tl_mixed(h, tl_key_##kind(x[j])); \
    return h ^ h >> 32; \
  } \
  static int tl_alike_##kind(__global const type *x, __global const type *y, const long m) { \
    for (long j = 0; j < m; j++) \
      if (tl_key_##kind(x[j]) != tl_key_##kind(y[j])) return 0; \
    return 1; \
  } \
  /* The place, from 1, of the first cell like x, or 0. */ \
  static int tl_place_##kind(__global const type *x, __global const type *table, const long m, \
                             __global const int *slots, const long mask) { \
    for (ulong at = tl_hash_##kind(x, m) & mask;; at = (at + 1) & mask) { \
      const int s = slots[at]; \
      if (s == 0 || tl_alike_##kind(table + (s - 1) * m, x, m)) return s; \
    } \
  } \
  __kernel void tl_search_put_##kind(__global const type *table, const long n, const long m, \
                                     volatile __global int *slots, const long mask) { \
    TL_EACH(i, n) { \
      __global const type *x = table + i * m; \
      for (ulong at = tl_hash_##kind(x, m) & mask;; at = (at + 1) & mask) { \
        const int s = atomic_cmpxchg(&slots[at], 0, (int)i + 1); \
        if (s == 0) break; \
        if (tl_alike_##kind(table + (s - 1) * m, x, m)) { \
          if (s > i + 1) atomic_min(&slots[at], (int)i + 1); \
          break; \
        } \
      } \
    } \
  } \
  /* Index of. NaN is nowhere. */ \
  __kernel void tl_search_index_##kind(__global const type *items, const long count, __global const type *table, \
                                       const long n, __global const int *slots, const long mask, \
                                       __global long *restrict out) { \
    TL_EACH(i, count) { \
      const int s = tl_nan_##kind(items[i]) ? 0 : tl_place_##kind(items + i, table, 1, slots, mask); \
      out[i] = s == 0 ? n + 1 : (long)s; \
    } \
  } \
  /* Membership, or its opposite. */ \
  __kernel void tl_search_member_##kind(__global const type *items, const long count, __global const type *table, \
                                        __global const int *slots, const long mask, const long opposite, \
                                        __global uchar *restrict out) { \
    TL_EACH(i, count) \
    out[i] = (uchar)((!tl_nan_##kind(items[i]) && tl_place_##kind(items + i, table, 1, slots, mask) != 0) != opposite); \
  } \
  /* The place of the first cell like each cell. */ \
  __kernel void tl_search_first_##kind(__global const type *x, const long n, const long m, \
                                       __global const int *slots, const long mask, __global long *restrict out) { \
    TL_EACH(i, n) out[i] = tl_place_##kind(x + i * m, x, m, slots, mask); \
  } \
  /* Which elements are the first of those like them. */ \
  __kernel void tl_search_marks_##kind(__global const type *x, const long n, __global const int *slots, const long mask, \
                                       __global uchar *restrict out) { \
    TL_EACH(i, n) out[i] = tl_nan_##kind(x[i]) || tl_place_##kind(x + i, x, 1, slots, mask) == i + 1; \
  } \
  /* The elements that are marked, each part from the number of those before it. */ \
  __kernel void tl_search_keep_##kind(__global const type *restrict x, const long n, \
                                      __global const uchar *restrict marks, __global const uint *restrict counts, \
                                      __global type *restrict out) { \
    const long part = get_global_id(0), parts = get_global_size(0); \
    long to = counts[part]; \
    for (long i = n * part / parts; i < n * (part + 1) / parts; i++) \
      if (marks[i]) out[to++] = x[i]; \
  }
/* The marks in each part; the counts end with a 0. */
__kernel void tl_search_count(__global const uchar *restrict marks, const long n, __global uint *restrict counts) {
  const long part = get_global_id(0), parts = get_global_size(0);
  uint count = 0;
  for (long i = n * part / parts; i < n * (part + 1) / parts; i++) count += marks[i];
  counts[part] = count;
  if (part == 0) counts[parts] = 0;
}
