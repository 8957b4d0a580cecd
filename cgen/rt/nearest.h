/* The kernel of nearest.c, for one type of numbers. Before it is included,
 * real is that type, whole integers of its size, NAME(f) makes names of it, and EPSILON, TINY and LARGE
 * are its unit of rounding, a number that dwarfs the errors of numbers that
 * are not normal, and its greatest number. */

#if defined __AVX2__ && defined __FMA__
enum { NAME(lanes) = 32 / sizeof(real) };
typedef real NAME(vec) __attribute__((vector_size(32)));
typedef whole NAME(mask) __attribute__((vector_size(32)));
#else
enum { NAME(lanes) = 16 / sizeof(real) };
typedef real NAME(vec) __attribute__((vector_size(16)));
typedef whole NAME(mask) __attribute__((vector_size(16)));
#endif
#define vec NAME(vec)
#define mask NAME(mask)

/* then where m, else otherwise. */
static inline vec NAME(pick)(mask m, vec then, vec otherwise) {
#if defined __AVX2__ && defined __FMA__
  return (vec)WIDE(blendv)(otherwise, then, (vec)m);
#else
  return (vec)((m & (mask)then) | (~m & (mask)otherwise));
#endif
}

static inline vec NAME(least)(vec x, vec y) {
#if defined __AVX2__ && defined __FMA__
  return WIDE(min)(x, y);
#else
  return NAME(pick)(x < y, x, y);
#endif
}

static inline vec NAME(most)(vec x, vec y) {
#if defined __AVX2__ && defined __FMA__
  return WIDE(max)(x, y);
#else
  return NAME(pick)(x > y, x, y);
#endif
}

/* x×y + z, fused or not: the bounds hold for both. */
static inline vec NAME(plus)(vec x, vec y, vec z) {
#if defined __AVX2__ && defined __FMA__
  return WIDE(fmadd)(x, y, z);
#else
  return x * y + z;
#endif
}

enum { NAME(rows) = 3, NAME(points) = NAME(rows) * NAME(lanes) };

/* The centres, less the first of them, with the opposite sign; before each,
 * half the square of its distance from the first. */
typedef struct {
  const tl_near *of;
  real *centre;
  real square; /* the greatest of those squares */
  real margin;
} NAME(near);

/* The points from p on, less the first centre, an axis after the other. */
static inline __attribute__((always_inline)) void NAME(columns)(const tl_near *n, int64_t p, int64_t d, real *to) {
  int64_t j = 0;
#if defined __AVX2__ && defined __FMA__
  for (; n->xcol == 1 && n->ccol == 1 && j + 4 <= d; j += 4) {
    const __m256d first = _mm256_loadu_pd(n->c + j);
    const double *from = n->x + p * n->xrow + j;
    for (int l = 0; l < NAME(points); l += 4, from += 4 * n->xrow)
      NAME(turn)(_mm256_loadu_pd(from) - first, _mm256_loadu_pd(from + n->xrow) - first, _mm256_loadu_pd(from + 2 * n->xrow) - first,
                 _mm256_loadu_pd(from + 3 * n->xrow) - first, to + j * NAME(points) + l, NAME(points));
  }
#endif
  for (; j < d; j++) {
    const double *from = n->x + p * n->xrow + j * n->xcol, first = n->c[j * n->ccol];
    for (int l = 0; l < NAME(points); l++) to[j * NAME(points) + l] = (real)(from[l * n->xrow] - first);
  }
}

/* Finds the nearest centres of points p … p + points - 1; 0 where others are
 * too near to tell. Returns how many there are of these. */
static inline __attribute__((always_inline)) int NAME(block)(const NAME(near) *a, int64_t p, int64_t d, real *place) {
  const tl_near *n = a->of;
  vec x[TL_NEAR_AXES][NAME(rows)], square[NAME(rows)], least[NAME(rows)], second[NAME(rows)], best[NAME(rows)];
  for (int r = 0; r < NAME(rows); r++) {
    square[r] = (vec){0};
    least[r] = second[r] = (real)INFINITY + (vec){0};
    best[r] = (vec){0};
  }
  NAME(columns)(n, p, d, (real *)x);
  for (int64_t j = 0; j < d; j++) {
    _Pragma("GCC unroll 4")
    for (int r = 0; r < NAME(rows); r++) square[r] = NAME(plus)(x[j][r], x[j][r], square[r]);
  }
  vec at = {0};
  const real *c = a->centre;
  for (int64_t k = 0; k < n->k; k++, c += d + 1) {
    vec far[NAME(rows)];
    at += (real)1;
    _Pragma("GCC unroll 4")
    for (int r = 0; r < NAME(rows); r++) far[r] = c[0] - (vec){0};
    _Pragma("GCC unroll 8")
    for (int64_t j = 0; j < d; j++) {
      const vec y = c[j + 1] - (vec){0};
      _Pragma("GCC unroll 4")
      for (int r = 0; r < NAME(rows); r++) far[r] = NAME(plus)(x[j][r], y, far[r]);
    }
    _Pragma("GCC unroll 4")
    for (int r = 0; r < NAME(rows); r++) {
      best[r] = NAME(pick)(far[r] < least[r], at, best[r]);
      second[r] = NAME(least)(second[r], NAME(most)(far[r], least[r]));
      least[r] = NAME(least)(far[r], least[r]);
    }
  }
  mask unsure = {0};
  for (int r = 0; r < NAME(rows); r++) {
    const vec bound = (square[r] + a->square) * (real)4 * a->margin + (real)TINY;
    const mask sure = second[r] - least[r] > bound;
    unsure -= ~sure;
    best[r] = NAME(pick)(sure, best[r], (vec){0});
  }
  memcpy(place, best, sizeof best);
  int many = 0;
  for (int l = 0; l < NAME(lanes); l++) many += (int)unsure[l];
  return many;
}

/* Points p … stop - 1, in blocks; returns where it ends. It gives up after
 * TL_NEAR_SAMPLE points where more than one in share cannot be told. */
static inline __attribute__((always_inline)) int64_t NAME(run)(const NAME(near) *a, int64_t p, int64_t stop, int share, int64_t d) {
  const tl_near *n = a->of;
  real place[NAME(points)];
  int64_t unsure = 0;
  for (int64_t start = p; p + NAME(points) <= stop; p += NAME(points)) {
    if (p - start >= TL_NEAR_SAMPLE && unsure * share > p - start) return p;
    unsure += NAME(block)(a, p, d, place);
    switch (n->width) {
      case 1: for (int l = 0; l < NAME(points); l++) ((int8_t *)n->place)[p + l] = (int8_t)place[l]; break;
      case 2: for (int l = 0; l < NAME(points); l++) ((int16_t *)n->place)[p + l] = (int16_t)place[l]; break;
      default: for (int l = 0; l < NAME(points); l++) ((int32_t *)n->place)[p + l] = (int32_t)place[l];
    }
  }
  return p;
}

static int64_t NAME(few)(const NAME(near) *a, int64_t p, int64_t stop, int share) {
  switch (a->of->d) {
    case 2: return NAME(run)(a, p, stop, share, 2);
    case 3: return NAME(run)(a, p, stop, share, 3);
    case 4: return NAME(run)(a, p, stop, share, 4);
    case 8: return NAME(run)(a, p, stop, share, 8);
    default: return NAME(run)(a, p, stop, share, a->of->d);
  }
}

/* Prepares the centres; 0 where they are out of range. */
static int NAME(prepare)(const tl_near *n, double tolerance, real *to, NAME(near) *a) {
  *a = (NAME(near)){.of = n, .centre = to};
  for (int64_t k = 0; k < n->k; k++, to += n->d + 1) {
    double square = 0;
    for (int64_t j = 0; j < n->d; j++) {
      const double y = n->c[k * n->crow + j * n->ccol] - n->c[j * n->ccol];
      to[j + 1] = (real)-y;
      square += y * y;
    }
    to[0] = (real)(square / 2);
    if (!(square < LARGE / 8)) return 0;
    if (square > a->square) a->square = (real)square;
  }
  a->margin = (real)(0.25 * 1.25 * ((2 * (double)n->d + 8) * EPSILON + 1.05 * tolerance));
  return 1;
}
#undef vec
#undef mask
