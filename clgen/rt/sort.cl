
/* Grades by radix passes: keys whose order as unsigned numbers is that of the
 * elements, and for each the place of its element. A pass orders by TL_DIGIT
 * bits: work-items count the digits of contiguous parts, the counts are summed,
 * digit by digit and part by part, and each work-item moves its part in order,
 * so that equal digits stay in order. */
#define TL_DIGITS (1 << TL_DIGIT)
/* The keys of column j of cells of m elements, with flip for the other order,
 * and which bits are not all equal. The first column to be sorted by sets the
 * places, the others go by them. The compiler adds the kinds that a program needs. */
#define TL_SORT_KEYS(kind, type) \
  __kernel void tl_sort_keys_##kind(__global const type *restrict x, const long n, const long m, const long j, \
                                    const long flip, __global ulong *restrict keys, \
                                    __global uint *restrict places, __global ulong *restrict bits) { \
    const ulong first = tl_key_##kind(x[j]); \
    ulong differ = 0; \
    TL_EACH(i, n) { \
      const ulong key = tl_key_##kind(x[i * m + j]); \
      differ |= key ^ first; \
      keys[i] = key ^ (ulong)flip; \
      places[i] = (uint)i; \
    } \
    bits[get_global_id(0)] = differ; \
  } \
  __kernel void tl_sort_next_##kind(__global const type *restrict x, const long n, const long m, const long j, \
                                    const long flip, __global ulong *restrict keys, \
                                    __global const uint *restrict places, __global ulong *restrict bits) { \
    const ulong first = tl_key_##kind(x[j]); \
    ulong differ = 0; \
    TL_EACH(i, n) { \
      const ulong key = tl_key_##kind(x[(long)places[i] * m + j]); \
      differ |= key ^ first; \
      keys[i] = key ^ (ulong)flip; \
    } \
    bits[get_global_id(0)] = differ; \
  }

/* The part of a work-item. */
#define TL_PART \
  const long part = get_global_id(0), parts = get_global_size(0); \
  const long from = n * part / parts, to = n * (part + 1) / parts;

__kernel void tl_sort_count(__global const ulong *restrict keys, const long n, const long shift,
                            __global uint *restrict counts) {
  uint mine[TL_DIGITS];
  TL_PART
  for (int d = 0; d < TL_DIGITS; d++) mine[d] = 0;
  for (long i = from; i < to; i++) mine[(keys[i] >> shift) & (TL_DIGITS - 1)]++;
  for (int d = 0; d < TL_DIGITS; d++) counts[d * parts + part] = mine[d];
}

/* Replaces counts by the sums of those before; one work-group. */
__kernel void tl_sort_scan(__global uint *restrict counts, const long n) {
  __local uint sums[1024];
  const int me = get_local_id(0), size = get_local_size(0);
  const long from = n * me / size, to = n * (me + 1) / size;
  uint sum = 0;
  for (long i = from; i < to; i++) sum += counts[i];
  sums[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) {
    uint before = 0;
    for (int k = 0; k < size; k++) {
      const uint here = sums[k];
      sums[k] = before;
      before += here;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = sums[me];
  for (long i = from; i < to; i++) {
    const uint here = counts[i];
    counts[i] = sum;
    sum += here;
  }
}

__kernel void tl_sort_move(__global const ulong *restrict keys, __global const uint *restrict places, const long n,
                           const long shift, __global const uint *restrict counts, __global ulong *restrict keys_to,
                           __global uint *restrict places_to) {
  uint at[TL_DIGITS];
  TL_PART
  for (int d = 0; d < TL_DIGITS; d++) at[d] = counts[d * parts + part];
  for (long i = from; i < to; i++) {
    const uint to_ = at[(keys[i] >> shift) & (TL_DIGITS - 1)]++;
    keys_to[to_] = keys[i];
    places_to[to_] = places[i];
  }
}

__kernel void tl_sort_done(__global const uint *restrict places, const long n, __global long *restrict grade) {
  TL_EACH(i, n) grade[i] = (long)places[i] + 1;
}
