/* The nearest of few points, the centres, for each of many.
 *
 * Which centre is nearest is decided by approximate distances, where they
 * decide it: |x-c|² is |x|² + 2×h(c) with h(c) = |c|²÷2 - x·c, so that the
 * least of h(c) is looked for, with fused multiply-adds, in single precision
 * first. All is relative to the first centre, so that what counts is how far
 * points are apart.
 *
 * With u the unit of rounding, d axes, x and c as they were rounded, and
 * Q = |x|² + the greatest |c|², the error of h is at most (d+2)×u×Q, and that of
 * a square of a distance by the rounding of x and c at most 4×u×Q. The squares
 * that a program computes in doubles, or their roots, are not tolerantly equal
 * when the exact squares are apart by more than t of the greater one, where t is
 * 2.2×⎕CT and some roundings of doubles, and no square is above 2×Q. So the
 * least h decides where the second is above it by more than
 *
 *	((2×d+8)×u + 1.05×t) × Q
 *
 * with room for the roundings of this bound itself. What is not finite fails
 * the test, what is too small as well. */
#include "rt.h"
#if defined __AVX2__ && defined __FMA__
#include <immintrin.h>
#endif

enum {
  TL_NEAR_AXES = 256,   /* the most axes */
  TL_NEAR_SAMPLE = 240, /* after how many points a kernel may give up */
  TL_NEAR_CHUNK = 6144, /* how many points are tried together */
  TL_NEAR_ROOM = 4096   /* how many numbers of centres are kept on the stack */
};

typedef struct {
  const double *x, *c;
  int64_t xrow, xcol, crow, ccol, n, k, d;
  void *place;
  int width;
} tl_near;

#if defined __AVX2__ && defined __FMA__
/* Four columns of four numbers as four rows, in doubles and in floats. */
static inline void tl_near_double_turn(__m256d a, __m256d b, __m256d c, __m256d d, double *to, int64_t row) {
  const __m256d ab = _mm256_unpacklo_pd(a, b), AB = _mm256_unpackhi_pd(a, b), cd = _mm256_unpacklo_pd(c, d), CD = _mm256_unpackhi_pd(c, d);
  _mm256_storeu_pd(to, _mm256_permute2f128_pd(ab, cd, 0x20));
  _mm256_storeu_pd(to + row, _mm256_permute2f128_pd(AB, CD, 0x20));
  _mm256_storeu_pd(to + 2 * row, _mm256_permute2f128_pd(ab, cd, 0x31));
  _mm256_storeu_pd(to + 3 * row, _mm256_permute2f128_pd(AB, CD, 0x31));
}

static inline void tl_near_float_turn(__m256d a, __m256d b, __m256d c, __m256d d, float *to, int64_t row) {
  __m128 w = _mm256_cvtpd_ps(a), x = _mm256_cvtpd_ps(b), y = _mm256_cvtpd_ps(c), z = _mm256_cvtpd_ps(d);
  _MM_TRANSPOSE4_PS(w, x, y, z);
  _mm_storeu_ps(to, w);
  _mm_storeu_ps(to + row, x);
  _mm_storeu_ps(to + 2 * row, y);
  _mm_storeu_ps(to + 3 * row, z);
}
#endif

#define real float
#define whole int32_t
#define NAME(f) tl_near_float_##f
#define WIDE(f) _mm256_##f##_ps
#define EPSILON 5.97e-8
#define TINY 1e-36
#define LARGE FLT_MAX
#include "nearest.h"
#undef real
#undef whole
#undef NAME
#undef WIDE
#undef EPSILON
#undef TINY
#undef LARGE

#define real double
#define whole int64_t
#define NAME(f) tl_near_double_##f
#define WIDE(f) _mm256_##f##_pd
#define EPSILON 1.12e-16
#define TINY 1e-290
#define LARGE DBL_MAX
#include "nearest.h"
#undef real
#undef whole
#undef NAME
#undef WIDE
#undef EPSILON
#undef TINY
#undef LARGE

void tl_nearest(const double *x, int64_t xrow, int64_t xcol, const double *c, int64_t crow, int64_t ccol, int64_t n, int64_t k, int64_t d,
                void *place, int width) {
  const tl_near a = {x, c, xrow, xcol, crow, ccol, n, k, d, place, width};
  memset(place, 0, (size_t)n * (size_t)width);
  if (k < 1 || k > 1 << 20 || d < 1 || d > TL_NEAR_AXES) return;
  const double tolerance = 2.2 * tl_ct + 8 * (double)(d + 4) * 1.12e-16;
  const size_t room = (size_t)k * (size_t)(d + 1);
  double few[TL_NEAR_ROOM * 3 / 2], *numbers = room <= TL_NEAR_ROOM ? few : malloc(room * (sizeof(double) + sizeof(float)));
  if (!numbers) return;
  tl_near_float_near single;
  tl_near_double_near twice;
  const int one = tl_near_float_prepare(&a, tolerance, (float *)(numbers + room), &single), two = tl_near_double_prepare(&a, tolerance, numbers, &twice);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (n > TL_NEAR_CHUNK && n * k * d > 1 << 17 && !omp_in_parallel())
#endif
  for (int64_t p = 0; p < n; p += TL_NEAR_CHUNK) {
    const int64_t stop = p + TL_NEAR_CHUNK < n ? p + TL_NEAR_CHUNK : n;
    int64_t done = p;
    if (one) done = tl_near_float_few(&single, done, stop, 16);
    if (two && stop - done > tl_near_float_points) done = tl_near_double_few(&twice, done, stop, 4);
  }
  if (numbers != few) free(numbers);
}
