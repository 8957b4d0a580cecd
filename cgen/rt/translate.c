/* A part of the library: bytes of small tables at places that are bytes. */
#include "rt.h"

#ifdef __AVX512VBMI__
#include <immintrin.h>

/* Tables of up to 64, 128 and 256 bytes are in one, two and four registers. */
static int64_t tl_translate_vectors(uint8_t *z, const uint8_t *x, int64_t n, const uint8_t *table, int64_t size) {
  uint8_t all[256] = {0};
  memcpy(all, table, (size_t)size);
  const __m512i a = _mm512_loadu_si512(all), b = _mm512_loadu_si512(all + 64), c = _mm512_loadu_si512(all + 128), d = _mm512_loadu_si512(all + 192);
  int64_t i = 0;
  if (size <= 64) {
    for (; i + 64 <= n; i += 64) _mm512_storeu_si512(z + i, _mm512_permutexvar_epi8(_mm512_loadu_si512(x + i), a));
  } else if (size <= 128) {
    for (; i + 64 <= n; i += 64) _mm512_storeu_si512(z + i, _mm512_permutex2var_epi8(a, _mm512_loadu_si512(x + i), b));
  } else {
    for (; i + 64 <= n; i += 64) {
      const __m512i at = _mm512_loadu_si512(x + i);
      const __m512i low = _mm512_permutex2var_epi8(a, at, b), high = _mm512_permutex2var_epi8(c, at, d);
      _mm512_storeu_si512(z + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(at), low, high));
    }
  }
  return i;
}
#else
static int64_t tl_translate_vectors(uint8_t *z, const uint8_t *x, int64_t n, const uint8_t *table, int64_t size) {
  (void)z, (void)x, (void)n, (void)table, (void)size;
  return 0;
}
#endif

/* z[i] is table[x[i]] for i from 0 to n-1; the table has size elements. */
void tl_translate(void *z, const uint8_t *x, int64_t n, const void *table, int64_t size) {
  const uint8_t *t = table;
  uint8_t *to = z;
  for (int64_t i = tl_translate_vectors(to, x, n, t, size); i < n; i++) to[i] = t[x[i]];
}
