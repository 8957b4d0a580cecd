/* Random numbers: xoshiro256** (Blackman and Vigna, 2018), seeded through
 * splitmix64; internal/prng in C. */
#include "rt.h"

/* The state after tl_seed(16807), Dyalog's initial ⎕RL. */
uint64_t tl_random_state[4] = {0xC5DE06C700F0FB57u, 0xECE10BDE96BDD591u, 0x43CE31A8EADC3BF9u, 0xC5D619B1BC9AC342u};

static uint64_t tl_splitmix(uint64_t *x) {
  uint64_t z = *x += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int64_t tl_seed(int64_t seed) {
  uint64_t x = (uint64_t)seed;
  for (int i = 0; i < 4; i++) tl_random_state[i] = tl_splitmix(&x);
  return seed;
}

void tl_generator(int64_t out[4]) { memcpy(out, tl_random_state, sizeof tl_random_state); }

int64_t tl_restore(int64_t a, int64_t b, int64_t c, int64_t d) {
  int64_t state[4] = {a, b, c, d};
  memcpy(tl_random_state, state, sizeof state);
  if (!(a | b | c | d)) tl_seed(16807);
  return 0;
}

/* Lemire's multiplication, without bias: the high half of next×n, drawn again
 * where the low half falls into the incomplete interval. */
int64_t tl_rolli(int64_t n) {
  uint64_t un = (uint64_t)n;
  if (n < 1) return 0;
  unsigned __int128 m = (unsigned __int128)tl_random_next() * un;
  if ((uint64_t)m < un) {
    uint64_t least = (0 - un) % un;
    while ((uint64_t)m < least) m = (unsigned __int128)tl_random_next() * un;
  }
  return (int64_t)(m >> 64) + 1;
}

/* A table of the places of 1…n that a shuffle has touched. */
typedef struct {
  int64_t *keys, *values; /* keys are 0 where free */
  uint64_t mask;
} tl_places;

static int64_t *tl_place(tl_places *p, int64_t key) {
  uint64_t h = (uint64_t)key * 0x9E3779B97F4A7C15u;
  for (h >>= 20;; h++) {
    uint64_t i = h & p->mask;
    if (p->keys[i] == key) return &p->values[i];
    if (p->keys[i] == 0) {
      p->keys[i] = p->values[i] = key;
      return &p->values[i];
    }
  }
}

/* A shuffle of 1…n that stops after count places; the table stands for the
 * vector, of which most places keep their own number. */
static void tl_deal_sparse(int64_t count, int64_t n, int64_t *out) {
  uint64_t size = 16;
  while (size < 4 * (uint64_t)count) size *= 2;
  tl_places p = {tl_alloc((int64_t)size, 8), tl_alloc((int64_t)size, 8), size - 1};
  memset(p.keys, 0, size * 8);
  for (int64_t i = 1; i <= count; i++) {
    int64_t j = i - 1 + tl_rolli(n - i + 1);
    int64_t *at = tl_place(&p, j);
    out[i - 1] = *at;
    *at = *tl_place(&p, i);
  }
  tl_free(p.keys);
  tl_free(p.values);
}

void tl_deal(int64_t count, int64_t n, int64_t *out) {
  if (n / 8 > count) {
    tl_deal_sparse(count, n, out);
    return;
  }
  int64_t *v = tl_alloc(n, 8);
  for (int64_t i = 0; i < n; i++) v[i] = i + 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t j = i + tl_rolli(n - i) - 1;
    out[i] = v[j];
    v[j] = v[i];
  }
  tl_free(v);
}
