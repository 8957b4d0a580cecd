/* Doubles within the tolerance differ by fewer than near units in the last place. They
 * are kept in buckets by the leading bits of their representation, all but the last
 * few; a bucket holds more than twice as many neighbours, so that the equals of a value
 * lie in the buckets of the least and of the greatest of them. */
TL_INLINE uint64_t tl_bucket_low(uint64_t bits, uint64_t near, int bucket) {
  uint64_t size = bits << 1 >> 1, sign = bits ^ size;
  return (sign | (size > near ? size - near : 0)) >> bucket;
}

TL_INLINE uint64_t tl_bucket_high(uint64_t bits, uint64_t near, int bucket) {
  uint64_t size = bits << 1 >> 1, sign = bits ^ size;
  return (sign | (size + near)) >> bucket;
}
