/* Keys of elements, which are equal where the elements are, and whose order as
 * unsigned numbers is theirs; and how work-items share what is done for each. */
#ifdef TL_STRIDED
#define TL_EACH(i, n) for (long i = get_global_id(0); i < n; i += get_global_size(0))
#else
#define TL_EACH(i, n) \
  for (long i = n * (long)get_global_id(0) / (long)get_global_size(0), \
            end_ = n * ((long)get_global_id(0) + 1) / (long)get_global_size(0); i < end_; i++)
#endif

static ulong tl_key_i64(long x) { return (ulong)x ^ 0x8000000000000000UL; }
static ulong tl_key_f64(double x) {
  long bits = as_long(x == 0 ? 0.0 : x);
  return (ulong)bits ^ ((ulong)(bits >> 63) | 0x8000000000000000UL);
}
static ulong tl_key_u8(uchar x) { return x; }
static ulong tl_key_c32(uint x) { return x; }
