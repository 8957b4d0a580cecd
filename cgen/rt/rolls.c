/* Many random numbers at once: several states of the generator, so far apart
 * that each makes the numbers of a part of an array. The numbers are those that
 * one state would give one after the other. */
#include "rt.h"

/* Going on by a number is a linear map T of the 256 bits of a state. Its
 * characteristic polynomial P is x^256 and, for each bit j of these words, x^j.
 * So going on by n numbers is T^n = Σ c[j] T^j, where Σ c[j] x^j = x^n mod P. */
static const uint64_t tl_rolls_polynomial[4] = {0x9D116F2BB0F0F001u, 0x0280002BCEFD1A5Eu, 0x04B4EDCF26259F85u, 0x0003C03C3F3ECB19u};

/* The lower half of x with a 0 between any two bits. */
static uint64_t tl_spread_bits(uint64_t x) {
  x &= 0xFFFFFFFFu;
  x = (x | x << 16) & 0x0000FFFF0000FFFFu;
  x = (x | x << 8) & 0x00FF00FF00FF00FFu;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

/* Replaces c by c² mod P. */
static void tl_square(uint64_t c[4]) {
  uint64_t r[9] = {0};
  for (int i = 0; i < 8; i++) r[i] = tl_spread_bits(c[i / 2] >> 32 * (i % 2));
  for (int i = 511; i >= 256; i--) {
    if (!(r[i / 64] >> i % 64 & 1)) continue;
    int word = (i - 256) / 64, bit = i % 64;
    for (int j = 0; j < 4; j++) {
      r[word + j] ^= tl_rolls_polynomial[j] << bit;
      if (bit > 0) r[word + j + 1] ^= tl_rolls_polynomial[j] >> (64 - bit);
    }
  }
  memcpy(c, r, 4 * sizeof *c);
}

/* Replaces c by x·c mod P. */
static void tl_times_x(uint64_t c[4]) {
  uint64_t out = 0 - (c[3] >> 63);
  for (int i = 3; i > 0; i--) c[i] = c[i] << 1 | c[i - 1] >> 63;
  c[0] <<= 1;
  for (int i = 0; i < 4; i++) c[i] ^= tl_rolls_polynomial[i] & out;
}

/* c = x^n mod P. */
static void tl_power_of_x(uint64_t n, uint64_t c[4]) {
  memset(c, 0, 4 * sizeof *c);
  c[0] = 1;
  for (int i = 63; i >= 0; i--) {
    tl_square(c);
    if (n >> i & 1) tl_times_x(c);
  }
}

/* Makes s the state that is as many numbers behind it as c says. */
static void tl_go_on(uint64_t s[4], const uint64_t c[4]) {
  uint64_t sum[4] = {0};
  for (int i = 0; i < 256; i++) {
    uint64_t on = 0 - (c[i / 64] >> i % 64 & 1);
    for (int j = 0; j < 4; j++) sum[j] ^= s[j] & on;
    tl_random_after(s);
  }
  memcpy(s, sum, sizeof sum);
}

/* States that run side by side, four in a vector. */
enum { TL_ROLLS = 8, TL_ROLLS_LEAST = 1 << 16 };
typedef uint64_t tl_words __attribute__((vector_size(32)));
typedef double tl_doubles __attribute__((vector_size(32)));

/* What is drawn: n numbers of type elem, integers from 1…range. Each of
 * TL_ROLLS states for each of parts threads draws count of them. */
typedef struct {
  int elem, parts;
  int64_t n, count;
  uint64_t range;
  void *out;
} tl_rolls;

/* x = the numbers of four states, which become the next ones. */
#define TL_NEXT_FOUR(x, s)                      \
  tl_words x = (s##1 << 2) + s##1;              \
  {                                             \
    const tl_words t = s##1 << 17;              \
    x = x << 7 | x >> 57;                       \
    x = (x << 3) + x;                           \
    s##2 ^= s##0;                               \
    s##3 ^= s##1;                               \
    s##1 ^= s##2;                               \
    s##0 ^= s##3;                               \
    s##2 ^= t;                                  \
    s##3 = s##3 << 45 | s##3 >> 19;             \
  }

/* Doubles between 0 and 1: 2^52 and the number, less 2^52. */
#define TL_UNITS(x) (((tl_doubles)(x >> 12 | 0x4330000000000000u) - 0x1p52 + 0.5) * 0x1p-52)
/* The numbers themselves. */
#define TL_WORDS(x) x

/* Draws part p, beginning in the states s, the first of which becomes the one
 * after the part. Reports whether a number would have to be drawn again. */
static int tl_rolls_part(const tl_rolls *k, int p, uint64_t (*s)[4]) {
#define TL_FOUR(w, from) {s[from][w], s[from + 1][w], s[from + 2][w], s[from + 3][w]}
  tl_words a0 = TL_FOUR(0, 0), a1 = TL_FOUR(1, 0), a2 = TL_FOUR(2, 0), a3 = TL_FOUR(3, 0);
  tl_words b0 = TL_FOUR(0, 4), b1 = TL_FOUR(1, 4), b2 = TL_FOUR(2, 4), b3 = TL_FOUR(3, 4);
#undef TL_FOUR
  uint64_t again = 0;
  const int64_t count = k->count;
  const uint64_t range = k->range;
#define TL_EACH(type, values, VALUE)                              \
  do {                                                            \
    type *y = (type *)k->out + p * TL_ROLLS * count;              \
    for (int64_t i = 0; i < count; i++) {                         \
      TL_NEXT_FOUR(x, a)                                          \
      values u = VALUE(x);                                        \
      TL_PUT(type, u, 0) TL_PUT(type, u, 1) TL_PUT(type, u, 2) TL_PUT(type, u, 3) \
      y += 4 * count;                                             \
      TL_NEXT_FOUR(z, b)                                          \
      u = VALUE(z);                                               \
      TL_PUT(type, u, 0) TL_PUT(type, u, 1) TL_PUT(type, u, 2) TL_PUT(type, u, 3) \
      y -= 4 * count;                                             \
    }                                                             \
  } while (0)
#define TL_PUT(type, u, l) y[l * count + i] = u[l];
  if (k->elem == TL_F64) TL_EACH(double, tl_doubles, TL_UNITS);
#undef TL_PUT
#define TL_PUT(type, u, l)                                      \
  {                                                             \
    unsigned __int128 m = (unsigned __int128)u[l] * range;      \
    again |= (uint64_t)m < range;                               \
    y[l * count + i] = (type)((int64_t)(m >> 64) + 1);          \
  }
  if (k->elem == TL_I8) TL_EACH(int8_t, tl_words, TL_WORDS);
  if (k->elem == TL_I16) TL_EACH(int16_t, tl_words, TL_WORDS);
  if (k->elem == TL_I32) TL_EACH(int32_t, tl_words, TL_WORDS);
  if (k->elem == TL_I64) TL_EACH(int64_t, tl_words, TL_WORDS);
#undef TL_PUT
#undef TL_EACH
  s[0][0] = b0[3], s[0][1] = b1[3], s[0][2] = b2[3], s[0][3] = b3[3];
  return again != 0;
}

/* Draws the numbers from one on, one after the other. */
static void tl_rolls_rest(const tl_rolls *k, int64_t from) {
#define TL_EACH(type, value) \
  for (int64_t i = from; i < k->n; i++) ((type *)k->out)[i] = (type)(value)
  switch (k->elem) {
  case TL_F64: TL_EACH(double, tl_rolld()); break;
  case TL_I8: TL_EACH(int8_t, tl_rolli((int64_t)k->range)); break;
  case TL_I16: TL_EACH(int16_t, tl_rolli((int64_t)k->range)); break;
  case TL_I32: TL_EACH(int32_t, tl_rolli((int64_t)k->range)); break;
  default: TL_EACH(int64_t, tl_rolli((int64_t)k->range)); break;
  }
#undef TL_EACH
}

/* Draws as many as the parts have together; where a number has to be drawn
 * again, which is rare, there are none, and the state is as before. */
static int64_t tl_rolls_parts(tl_rolls *k) {
  uint64_t far[4], state[4], s[TL_PARTS][TL_ROLLS][4];
  int again[TL_PARTS] = {0};
  k->count = k->n / (k->parts * TL_ROLLS);
  tl_power_of_x((uint64_t)k->count, far);
  memcpy(state, tl_random_state, sizeof state);
  for (int p = 0; p < k->parts; p++)
    for (int l = 0; l < TL_ROLLS; l++) {
      memcpy(s[p][l], state, sizeof state);
      tl_go_on(state, far);
    }
  TL_EACH_PART
  for (int p = 0; p < k->parts; p++) again[p] = tl_rolls_part(k, p, s[p]);
  for (int p = 0; p < k->parts; p++)
    if (again[p]) return 0;
  memcpy(tl_random_state, s[k->parts - 1][0], sizeof tl_random_state);
  return k->count * k->parts * TL_ROLLS;
}

void tl_roll_all(void *out, int elem, int64_t n, int64_t range) {
  tl_rolls k = {.elem = elem, .n = n, .range = (uint64_t)range, .out = out, .parts = 1};
#ifdef _OPENMP
  if (!omp_in_parallel()) k.parts = (int)tl_least(omp_get_max_threads(), TL_PARTS);
#endif
  tl_rolls_rest(&k, n < TL_ROLLS_LEAST || (elem != TL_F64 && range < 1) ? 0 : tl_rolls_parts(&k));
}
