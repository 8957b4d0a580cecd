/* Doubles that may be equal without being the same, in buckets of near.h. A slot of
 * buckets holds the place of some value in the bucket, that of heads the first of the
 * chain of values, which go on in next. Of the same values the first is kept. */

static ulong tl_word(double x) { return as_ulong(x == 0 ? 0.0 : x); }
static ulong tl_bucket_hash(ulong bucket) {
  const ulong h = tl_mixed(1, bucket);
  return h ^ h >> 32;
}

__kernel void tl_search_chain(__global const double *table, const long n, __global const int *slots,
                              volatile __global int *buckets, volatile __global int *heads, __global int *next,
                              const long mask) {
  TL_EACH(i, n) {
    if (tl_nan_f64(table[i]) || tl_place_f64(table + i, table, 1, slots, mask) != i + 1) continue;
    const ulong bucket = tl_word(table[i]) >> TL_BUCKET;
    ulong at = tl_bucket_hash(bucket) & mask;
    for (;; at = (at + 1) & mask) {
      const int s = atomic_cmpxchg(&buckets[at], 0, (int)i + 1);
      if (s == 0 || tl_word(table[s - 1]) >> TL_BUCKET == bucket) break;
    }
    next[i] = atomic_xchg(&heads[at], (int)i + 1);
  }
}

/* The smallest place, from 1 and other than not, of a value in a bucket that
 * equals x, or found. */
static long tl_in_bucket(ulong bucket, double x, long not_, long found, __global const double *table,
                         __global const int *buckets, __global const int *heads, __global const int *next, long mask) {
  for (ulong at = tl_bucket_hash(bucket) & mask;; at = (at + 1) & mask) {
    const int s = buckets[at];
    if (s == 0) return found;
    if (tl_word(table[s - 1]) >> TL_BUCKET != bucket) continue;
    for (int p = heads[at]; p != 0; p = next[p - 1])
      if (p < found && p != not_ && tl_eqd(table[p - 1], x)) found = p;
    return found;
  }
}

/* The smallest place, from 1, of a value that equals x, or none. */
static long tl_near(double x, long not_, long none, __global const double *table, __global const int *buckets,
                    __global const int *heads, __global const int *next, long mask) {
  const ulong low = tl_bucket_low(tl_word(x), TL_NEAR, TL_BUCKET), high = tl_bucket_high(tl_word(x), TL_NEAR, TL_BUCKET);
  if (x != x) return none;
  long found = tl_in_bucket(low, x, not_, none, table, buckets, heads, next, mask);
  return low == high ? found : tl_in_bucket(high, x, not_, found, table, buckets, heads, next, mask);
}

__kernel void tl_search_near_index(__global const double *items, const long count, __global const double *table,
                                   const long n, __global const int *buckets, __global const int *heads,
                                   __global const int *next, const long mask, __global long *restrict out) {
  TL_EACH(i, count) out[i] = tl_near(items[i], 0, n + 1, table, buckets, heads, next, mask);
}

__kernel void tl_search_near_member(__global const double *items, const long count, __global const double *table,
                                    const long n, __global const int *buckets, __global const int *heads,
                                    __global const int *next, const long mask, const long opposite,
                                    __global uchar *restrict out) {
  TL_EACH(i, count) out[i] = (uchar)((tl_near(items[i], 0, n + 1, table, buckets, heads, next, mask) <= n) != opposite);
}

/* Whether values that are not the same are equal. */
__kernel void tl_search_stake(__global const double *table, const long n, __global const int *slots,
                              __global const int *buckets, __global const int *heads, __global const int *next,
                              const long mask, __global int *restrict stake) {
  TL_EACH(i, n) {
    if (tl_nan_f64(table[i]) || tl_place_f64(table + i, table, 1, slots, mask) != i + 1) continue;
    if (tl_near(table[i], i + 1, n + 1, table, buckets, heads, next, mask) <= n) *stake = 1;
  }
}
